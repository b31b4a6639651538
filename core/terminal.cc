#include "logitchain/core/terminal.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/draw.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

absl::Status GreedyTerminal::Distribution(const StepContext&, CandidateSelector& candidates,
                                          std::vector<double>& q) const {
  q.assign(candidates.size(), 0);
  q[FirstMaximum(candidates.logits())] = 1;
  return absl::OkStatus();
}

absl::StatusOr<Sample> GreedyTerminal::Draw(const StepContext& step,
                                            CandidateSelector& candidates) {
  Sample sample = {.token = candidates.ArgMax(), .kept = 1, .greedy = true};
  if (step.wants_probability) sample.probability = 1;
  return sample;
}

absl::Status GreedyTerminal::SkipAhead(uint64_t, UniformGenerator&) { return absl::OkStatus(); }

std::unique_ptr<Terminal> GreedyTerminal::Clone() const {
  return std::make_unique<GreedyTerminal>(*this);
}

absl::Status CategoricalTerminal::Distribution(const StepContext& step,
                                               CandidateSelector& candidates,
                                               std::vector<double>& q) const {
  FinalDistribution(step.dialect.draw, candidates.logits(), q);
  return absl::OkStatus();
}

absl::StatusOr<Sample> CategoricalTerminal::Draw(const StepContext& step,
                                                 CandidateSelector& candidates) {
  const double u = step.uniforms.Next();
  Sample sample = {.kept = candidates.live(), .uniform = u};
  const std::optional<TokenId> landed =
      step.wants_probability ? std::nullopt : candidates.TryLandDart(u);
  if (landed) {
    sample.token = *landed;
  } else {
    ThrowDartAt(step, candidates, u, sample);
  }
  return sample;
}

absl::StatusOr<Sample> CategoricalTerminal::DrawBy(const StepContext& step,
                                                   CandidateSelector& candidates, Chooser choose) {
  FinalDistribution(step.dialect.draw, candidates.logits(), q_);
  const double u = step.uniforms.Next();
  const size_t position = choose({.ids = candidates.ids(), .q = q_, .uniform = u});
  if (position >= q_.size() || !(q_[position] > 0)) {
    return absl::InternalError("the token that was chosen is not one that could be drawn");
  }
  Sample sample = {.token = candidates.ids()[position], .kept = candidates.live(), .uniform = u};
  if (step.wants_probability) sample.probability = q_[position];
  return sample;
}

void CategoricalTerminal::ThrowDartAt(const StepContext& step, CandidateSelector& candidates,
                                      double u, Sample& sample) {
  const Dart dart = ThrowDart(step.dialect.draw, candidates.logits(), u, q_);
  const TokenId token = candidates.ids()[dart.position];
  const TokenId last_id = candidates.vocab_size() - 1;
  const bool falls_back = dart.past_end && last_id_fallback_ && token != last_id;
  sample.token = falls_back ? last_id : token;
  if (step.wants_probability) sample.probability = falls_back ? 0 : dart.probability;
}

absl::Status CategoricalTerminal::SkipAhead(uint64_t n, UniformGenerator& generator) {
  generator.Seek(generator.position() + n);
  return absl::OkStatus();
}

std::unique_ptr<Terminal> CategoricalTerminal::Clone() const {
  return std::make_unique<CategoricalTerminal>(*this);
}

}  // namespace logitchain
