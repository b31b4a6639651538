#ifndef LOGITCHAIN_CORE_TERMINAL_H_
#define LOGITCHAIN_CORE_TERMINAL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_follower.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// What a categorical draw goes by.
struct DrawBasis {
  absl::Span<const TokenId> ids;  // The candidates, in the dialect's order.
  absl::Span<const double> q;     // Their probabilities, 0 for one that is removed.
  double uniform;                 // The step's uniform, in [0, 1).
};

// Says which of the candidates is the token: the position of one with a probability above 0.
using Chooser = absl::FunctionRef<size_t(const DrawBasis&)>;

// The end of a chain: it chooses one of the candidates that the rules leave.
//
// A terminal may cut the candidates down before it chooses, as mirostat does; what it leaves is
// then what `processed` log-probabilities are of. Its uniforms come from the chain's draw
// generator, whose position the chain keeps.
class Terminal : public TokenFollower {
 public:
  // Fills `q` with the probabilities that Draw would go by at this step, by position after the cut;
  // exactly 0 for removed candidates. A by-product: takes no uniform.
  virtual absl::Status Distribution(const StepContext& step, CandidateSelector& candidates,
                                    std::vector<double>& q) const = 0;

  // Chooses a token; fills everything of the Sample but the log-probabilities. It may remember the
  // draw for Accept, but Rollback(0) must make it forget that. On error the state must be as
  // before.
  virtual absl::StatusOr<Sample> Draw(const StepContext& step, CandidateSelector& candidates) = 0;

  // See Chain::DrawBy. A terminal that casts no uniform over its distribution, or does more than
  // that, leaves this as it is.
  virtual absl::StatusOr<Sample> DrawBy(const StepContext& step, CandidateSelector& candidates,
                                        Chooser) {
    return Draw(step, candidates);
  }

  // Goes on as if n more tokens had been sampled; `generator` is the one behind Draw's uniforms. An
  // error if that depends on their logits, and then nothing may change.
  virtual absl::Status SkipAhead(uint64_t n, UniformGenerator& generator) = 0;

  // A copy in the same state that shares nothing mutable with this one.
  virtual std::unique_ptr<Terminal> Clone() const = 0;
};

// Takes the largest logit, of several the first position. No uniform.
class GreedyTerminal final : public Terminal {
 public:
  absl::Status Distribution(const StepContext& step, CandidateSelector& candidates,
                            std::vector<double>& q) const override;
  absl::StatusOr<Sample> Draw(const StepContext& step, CandidateSelector& candidates) override;
  absl::Status SkipAhead(uint64_t n, UniformGenerator& generator) override;
  std::unique_ptr<Terminal> Clone() const override;
};

// Draws from the dialect's final softmax over the candidates, by its walk (see DrawRule). One
// uniform a token, however many candidates there are.
class CategoricalTerminal final : public Terminal {
 public:
  // See DrawConfig.minfer_last_id_fallback.
  explicit CategoricalTerminal(bool last_id_fallback) : last_id_fallback_(last_id_fallback) {}

  absl::Status Distribution(const StepContext& step, CandidateSelector& candidates,
                            std::vector<double>& q) const override;
  absl::StatusOr<Sample> Draw(const StepContext& step, CandidateSelector& candidates) override;
  absl::StatusOr<Sample> DrawBy(const StepContext& step, CandidateSelector& candidates,
                                Chooser choose) override;
  absl::Status SkipAhead(uint64_t n, UniformGenerator& generator) override;
  std::unique_ptr<Terminal> Clone() const override;

 private:
  void ThrowDartAt(const StepContext& step, CandidateSelector& candidates, double u,
                   Sample& sample);

  bool last_id_fallback_;
  std::vector<double> q_;  // Scratch.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_TERMINAL_H_
