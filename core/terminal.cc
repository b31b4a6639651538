#include "logitchain/core/terminal.h"

#include <cstdint>
#include <memory>
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

absl::StatusOr<Sample> GreedyTerminal::Draw(const StepContext&, CandidateSelector& candidates) {
  const TokenId token = candidates.ids()[FirstMaximum(candidates.logits())];
  return Sample{.token = token, .kept = 1, .greedy = true, .probability = 1};
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
  const Dart dart = ThrowDart(step.dialect.draw, candidates.logits(), u, q_);
  Sample sample = {.token = candidates.ids()[dart.position],
                   .kept = candidates.live(),
                   .probability = dart.probability,
                   .uniform = u};
  const TokenId last_id = candidates.vocab_size() - 1;
  if (dart.past_end && last_id_fallback_ && sample.token != last_id) {
    sample.token = last_id;
    sample.probability = 0;
  }
  return sample;
}

absl::Status CategoricalTerminal::SkipAhead(uint64_t n, UniformGenerator& generator) {
  generator.Seek(generator.position() + n);
  return absl::OkStatus();
}

std::unique_ptr<Terminal> CategoricalTerminal::Clone() const {
  return std::make_unique<CategoricalTerminal>(*this);
}

}  // namespace logitchain
