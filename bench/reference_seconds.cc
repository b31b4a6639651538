#include "logitchain/bench/reference_seconds.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/bench/shapes.h"
#include "logitchain/bench/stopwatch.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/reference/reference_chain.h"

namespace logitchain {
namespace {

// What the reference would pass over rather than refuse.
bool HasUnknownParts(const ChainConfig& config) {
  for (const ProcessorConfig& rule : config.processors()) {
    if (rule.grammar_mask().has_provider()) return true;
  }
  switch (config.draw().terminal_case()) {
    case DrawConfig::kGreedy:
    case DrawConfig::kCategorical:
    case DrawConfig::TERMINAL_NOT_SET:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::optional<double> ReferenceSeconds(const ChainConfig& config, LogitRows& rows,
                                       int32_t vocab_size, absl::Span<const TokenId> prompt,
                                       int tokens) {
  if (HasUnknownParts(config)) return std::nullopt;
  ReferenceChain reference(config, vocab_size, prompt);
  std::vector<double> seconds;
  bool is_covered = true;
  for (int i = 0; i < tokens && is_covered; ++i) {
    seconds.push_back(SecondsOf([&] { is_covered = reference.Sample(rows.Next()).has_value(); }));
  }
  if (!is_covered) return std::nullopt;
  return Median(seconds);
}

}  // namespace logitchain
