#include "logitchain/processors/mirostat_terminal.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/steered_draw.h"

namespace logitchain {

MirostatTerminal::MirostatTerminal(double tau, double eta, const Dialect& dialect)
    : tau_(tau), eta_(eta), dialect_(dialect), mu_(FirstMu()) {}

absl::Status MirostatTerminal::Distribution(const StepContext&, CandidateSelector& candidates,
                                            std::vector<double>& q) const {
  candidates.Sort();
  Cut(mu_, candidates);
  SteeredDistribution(dialect_, candidates.logits(), q);
  return absl::OkStatus();
}

absl::StatusOr<Sample> MirostatTerminal::Draw(const StepContext& step,
                                              CandidateSelector& candidates) {
  const absl::Status status = Distribution(step, candidates, q_);
  if (!status.ok()) return status;
  drawn_.Set(candidates.ids(), q_);
  const SteeredChoice choice =
      DrawSteered(dialect_, candidates.logits(), q_, step.uniforms, scratch_);
  return Sample{.token = candidates.ids()[choice.position],
                .kept = candidates.live(),
                .probability = q_[choice.position],
                .uniform = choice.uniform};
}

absl::Status MirostatTerminal::Accept(TokenId id) {
  earlier_mus_.push_back(mu_);
  const std::optional<double> probability = drawn_.Of(id);
  if (probability.value_or(0) > 0) mu_ = Moved(*probability);
  drawn_.Clear();
  return absl::OkStatus();
}

absl::Status MirostatTerminal::Rollback(int32_t n) {
  drawn_.Clear();
  if (n == 0) return absl::OkStatus();
  mu_ = earlier_mus_[earlier_mus_.size() - n];
  earlier_mus_.resize(earlier_mus_.size() - n);
  return absl::OkStatus();
}

void MirostatTerminal::Reset() {
  drawn_.Clear();
  earlier_mus_.clear();
  mu_ = FirstMu();
}

absl::Status MirostatTerminal::SkipAhead(uint64_t, UniformGenerator&) {
  return absl::FailedPreconditionError(
      "which tokens it may draw depends on those before; such a chain cannot skip ahead");
}

double MirostatTerminal::FirstMu() const {
  return InArithmetic(dialect_.arithmetic, [&](auto zero) -> double {
    using Real = decltype(zero);
    return 2 * static_cast<Real>(tau_);
  });
}

double MirostatTerminal::Moved(double probability) const {
  return InArithmetic(dialect_.arithmetic, [&](auto zero) -> double {
    using Real = decltype(zero);
    const Real surprise = -Log2(static_cast<Real>(probability));
    const Real error = surprise - static_cast<Real>(tau_);
    return static_cast<Real>(mu_) - static_cast<Real>(eta_) * error;
  });
}

}  // namespace logitchain
