#include "logitchain/processors/dry.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/processors/checked_ids.h"
#include "logitchain/processors/common_suffix.h"
#include "logitchain/processors/integer_power.h"
#include "logitchain/processors/sequence_breakers.h"
#include "logitchain/processors/text_sequences.h"
#include "logitchain/proto/penalties.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/environment.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

// As in llama.cpp; it keeps the search for breakers linear in the window.
constexpr int kMaxBreakerLength = 20;

// In bytes; as in llama.cpp, which cuts longer ones off.
constexpr size_t kMaxTextLength = 40;

// Leaves of each token the longest repetition.
void KeepLongestOfEach(std::vector<Repetition>& repetitions) {
  absl::c_sort(repetitions, [](const Repetition& a, const Repetition& b) {
    return std::tie(a.id, b.length) < std::tie(b.id, a.length);
  });
  const auto is_same = [](const Repetition& a, const Repetition& b) { return a.id == b.id; };
  repetitions.erase(std::unique(repetitions.begin(), repetitions.end(), is_same),
                    repetitions.end());
}

}  // namespace

template <typename Real>
double Dry::Penalty(size_t repeated) const {
  const double multiplier = static_cast<Real>(parameters_.multiplier);
  const double base = static_cast<Real>(parameters_.base);
  return std::min(multiplier * IntegerPower(base, repeated - parameters_.allowed_length),
                  kLargestShift);
}

absl::Status Dry::Apply(const StepContext& step, LogitEditor& editor) const {
  const absl::Span<const TokenId> window = step.history.Last(parameters_.window);
  FindRepetitions(window);
  for (const auto& [id, repeated] : repetitions_) {
    if (parameters_.breakers->IsOne(id)) continue;
    editor.Rewrite(id, [&, repeated = repeated](auto logit) {
      using Real = decltype(logit);
      return logit - static_cast<Real>(Penalty<Real>(repeated));
    });
  }
  return absl::OkStatus();
}

void Dry::FindRepetitions(absl::Span<const TokenId> window) const {
  repetitions_.clear();
  const size_t limit = TokensAfterBreaker(window);
  if (limit < parameters_.allowed_length) return;
  CommonSuffixLengths(window, lengths_);
  for (size_t i = 0; i + 1 < window.size(); ++i) {
    const size_t repeated = std::min(lengths_[i], limit);
    if (repeated >= parameters_.allowed_length) repetitions_.push_back({window[i + 1], repeated});
  }
  KeepLongestOfEach(repetitions_);
}

size_t Dry::TokensAfterBreaker(absl::Span<const TokenId> window) const {
  for (size_t after = 0; after < window.size(); ++after) {
    if (parameters_.breakers->AtEndOf(window.first(window.size() - after))) return after;
  }
  return window.size();
}

namespace {

void AddSequences(const DryConfig& config, BuildContext& context, SequenceBreakers& breakers) {
  for (int i = 0; i < config.sequence_breakers_size(); ++i) {
    const auto& ids = config.sequence_breakers(i).ids();
    const std::string field = absl::StrCat("sequence_breakers[", i, "].ids");
    if (ids.size() > kMaxBreakerLength) {
      context.AddError(field, absl::StrCat("has ", ids.size(), " token ids; at most ",
                                           kMaxBreakerLength, " are allowed"));
    }
    std::vector<TokenId> sequence = RequiredIds(ids, field, context);
    if (!sequence.empty()) breakers.Add(std::move(sequence));
  }
}

void AddText(const std::string& field, const std::string& text, BuildContext& context,
             SequenceBreakers& breakers) {
  if (text.empty() || text.size() > kMaxTextLength) {
    return context.AddError(
        field, absl::StrCat("has ", text.size(), " bytes; it must have 1 to ", kMaxTextLength));
  }
  if (context.environment() == nullptr) return;
  const Vocabulary* vocabulary = context.environment()->vocabulary.get();
  if (vocabulary == nullptr) return;
  for (std::vector<TokenId>& sequence : TextSequences(text, *vocabulary)) {
    breakers.Add(std::move(sequence));
  }
}

void BuildDry(const DryConfig& config, BuildContext& context) {
  auto breakers = std::make_shared<SequenceBreakers>();
  AddSequences(config, context, *breakers);
  for (int i = 0; i < config.sequence_breaker_texts_size(); ++i) {
    AddText(absl::StrCat("sequence_breaker_texts[", i, "]"), config.sequence_breaker_texts(i),
            context, *breakers);
  }
  const bool has_vocabulary =
      context.environment() == nullptr || context.environment()->vocabulary != nullptr;
  if (config.sequence_breaker_texts_size() > 0 && !has_vocabulary) {
    context.AddError("sequence_breaker_texts",
                     "need a vocabulary, to find them in its tokens, and there is none; write the "
                     "breakers' token ids in sequence_breakers, or give the vocabulary: in C++ as "
                     "Environment::vocabulary, while `logitchain generate` has its model's");
  }
  if (config.multiplier() == 0 || config.window() == 0) return;
  context.Add(std::make_unique<Dry>(
      Dry::Parameters{.multiplier = config.multiplier(),
                      .base = config.base(),
                      .allowed_length = static_cast<size_t>(config.allowed_length()),
                      .window = config.window(),
                      .breakers = std::move(breakers)}));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildDry,
                              {.summary = "makes tokens less likely that would extend a repetition",
                               .stage = Stage::kDry});

}  // namespace
}  // namespace logitchain
