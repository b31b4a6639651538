#include "logitchain/bench/grammar_runs.h"

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/types/span.h"
#include "logitchain/bench/schema_suite.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/source/grammar_source.h"
#include "logitchain/grammar/vocab/longest_tokens.h"

namespace logitchain {
namespace {

double ThreadMicroseconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

// Asking for the thread's own time takes longer than a cached mask, and the time on the wall counts
// what else the machine does: the lesser of the two is nearest to the truth.
template <typename Work>
void Timed(Times& times, Work work) {
  const double thread_begin = ThreadMicroseconds();
  const int64_t begin = absl::GetCurrentTimeNanos();
  work();
  const double wall = static_cast<double>(absl::GetCurrentTimeNanos() - begin) / 1000;
  times.values.push_back(std::min(wall, ThreadMicroseconds() - thread_begin));
}

absl::StatusOr<std::shared_ptr<const CompiledGrammar>> CompileSchema(
    const std::string& schema, const std::shared_ptr<const TokenIndex>& index) {
  const absl::StatusOr<ParsedGrammar> parsed =
      ParseGrammar({.notation = GrammarSource::Notation::kJsonSchema, .text = schema});
  if (!parsed.ok()) return parsed.status();
  return CompiledGrammar::Compile(parsed->grammar, index);
}

}  // namespace

double Times::Mean() const {
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / values.size();
}

double Times::Percentile(double share) const {
  if (values.empty()) return 0;
  std::vector<double> sorted = values;
  const size_t place = std::min(sorted.size() - 1, static_cast<size_t>(share * sorted.size()));
  std::nth_element(sorted.begin(), sorted.begin() + place, sorted.end());
  return sorted[place];
}

bool FollowText(const std::shared_ptr<const CompiledGrammar>& grammar,
                absl::Span<const TokenId> tokens, MaskTimes& times) {
  Matcher matcher(grammar);
  std::vector<int32_t> mask(grammar->index().mask_words());
  for (const TokenId id : tokens) {
    std::fill(mask.begin(), mask.end(), 0);
    absl::Status status;
    Timed(times.mask, [&] { status = matcher.FillMask(absl::MakeSpan(mask)); });
    const bool is_allowed = status.ok() && (mask[id / 32] >> (id % 32)) & 1;
    if (status.ok()) Timed(times.accept, [&] { status = matcher.Accept(id); });
    if (is_allowed != status.ok()) {
      std::cerr << "mask and parser disagree: " << status << "\n";
      std::abort();
    }
    if (!status.ok()) return false;
  }
  const absl::StatusOr<bool> accepts = matcher.IsAccepting();
  return accepts.ok() && *accepts;
}

SuiteResult RunSchemas(absl::Span<const SchemaCase> cases,
                       const std::shared_ptr<const TokenIndex>& index, const LongestTokens& tokens,
                       bool verbose) {
  SuiteResult result;
  for (const SchemaCase& schema_case : cases) {
    ++result.schemas;
    absl::StatusOr<std::shared_ptr<const CompiledGrammar>> grammar;
    Times compile;
    Timed(compile, [&] { grammar = CompileSchema(schema_case.schema, index); });
    if (!grammar.ok()) {
      ++result.refused_schemas;
      if (verbose) std::cerr << schema_case.name << ": " << grammar.status() << "\n";
      continue;
    }
    result.compile.values.push_back(compile.values[0]);
    bool is_right = true;
    const double slow_before = result.steps.mask.values.size();
    for (const SchemaCase::Document& document : schema_case.documents) {
      const bool accepts = FollowText(*grammar, tokens.Split(document.text), result.steps);
      if (accepts == document.is_valid) continue;
      is_right = false;
      ++(accepts ? result.false_accepts : result.false_rejects);
      if (verbose) {
        std::cerr << schema_case.name << (accepts ? ": accepted " : ": refused ")
                  << document.text.substr(0, 300) << "\n";
      }
    }
    if (verbose) {
      double worst = 0;
      for (size_t i = slow_before; i < result.steps.mask.values.size(); ++i) {
        worst = std::max(worst, result.steps.mask.values[i]);
      }
      if (worst > 1000) std::cerr << schema_case.name << ": a mask took " << worst << " us\n";
      if (compile.values[0] > 5000) {
        std::cerr << schema_case.name << ": compiling took " << compile.values[0] << " us\n";
      }
    }
    result.right_schemas += is_right ? 1 : 0;
  }
  return result;
}

}  // namespace logitchain
