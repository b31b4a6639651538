#include "logitchain/processors/mirostat_terminal.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/draw.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

// The first position whose running sum of p / z reaches u, where the last sum is 1.
size_t CumulativePosition(absl::Span<const double> q, double u) {
  double z = 0;
  for (const double p : q) z += p;
  double run = 0;
  for (size_t i = 0; i + 1 < q.size(); ++i) {
    run += q[i] / z;
    if (run >= u) return i;
  }
  return q.size() - 1;
}

Sample SampleAt(size_t position, double probability, CandidateSelector& candidates) {
  return {
      .token = candidates.ids()[position], .kept = candidates.live(), .probability = probability};
}

}  // namespace

MirostatTerminal::MirostatTerminal(double tau, double eta, const Dialect& dialect)
    : tau_(tau), eta_(eta), dialect_(dialect), mu_(FirstMu()) {}

absl::Status MirostatTerminal::Distribution(const StepContext& step, CandidateSelector& candidates,
                                            std::vector<double>& q) const {
  candidates.Sort();
  Cut(mu_, candidates);
  if (step.dialect.mirostat_draw == MirostatDraw::kDialect) {
    FinalDistribution(step.dialect.draw, candidates.logits(), q);
  } else {
    const absl::Span<const double> probabilities = candidates.Probabilities();
    q.assign(probabilities.begin(), probabilities.end());
  }
  return absl::OkStatus();
}

absl::StatusOr<Sample> MirostatTerminal::Draw(const StepContext& step,
                                              CandidateSelector& candidates) {
  const absl::Status status = Distribution(step, candidates, drawn_q_);
  if (!status.ok()) return status;
  const absl::Span<const TokenId> ids = candidates.ids();
  drawn_ids_.assign(ids.begin(), ids.end());
  const bool by_dialect = step.dialect.mirostat_draw == MirostatDraw::kDialect;
  if (!by_dialect && ids.size() == 1) return SampleAt(0, drawn_q_.front(), candidates);

  const double u = step.uniforms.Next();
  size_t position = 0;
  if (by_dialect) {
    std::vector<double> scratch;
    position = ThrowDart(step.dialect.draw, candidates.logits(), u, scratch).position;
  } else {
    position = CumulativePosition(drawn_q_, u);
  }
  Sample sample = SampleAt(position, drawn_q_[position], candidates);
  sample.uniform = u;
  return sample;
}

absl::Status MirostatTerminal::Accept(TokenId id) {
  earlier_mus_.push_back(mu_);
  const auto found = absl::c_find(drawn_ids_, id);
  if (found != drawn_ids_.end()) {
    const double probability = drawn_q_[found - drawn_ids_.begin()];
    if (probability > 0) mu_ = Moved(probability);
  }
  drawn_ids_.clear();
  return absl::OkStatus();
}

absl::Status MirostatTerminal::Rollback(int32_t n) {
  drawn_ids_.clear();
  if (n == 0) return absl::OkStatus();
  mu_ = earlier_mus_[earlier_mus_.size() - n];
  earlier_mus_.resize(earlier_mus_.size() - n);
  return absl::OkStatus();
}

void MirostatTerminal::Reset() {
  drawn_ids_.clear();
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
