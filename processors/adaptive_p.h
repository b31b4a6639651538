#ifndef LOGITCHAIN_PROCESSORS_ADAPTIVE_P_H_
#define LOGITCHAIN_PROCESSORS_ADAPTIVE_P_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/terminal.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/steered_draw.h"

namespace logitchain {

// Adaptive-p. Two sums remember how likely the tokens were, the newer the more: at first
// S = target / (1 − decay) and W = 1 / (1 − decay), as if the target had always been met.
//
//   p        softmax over the candidates, the dialect's for filters
//   aim      t = 2·target − S / W, but at least 0 and at most 1
//   reshape  d = |p − t| / 0.3      l = 5 − 10·d·d / (1 + d)
//   draw     of softmax over l; removed candidates stay removed
//   commit   S ← p + decay·S      W ← 1 + decay·W, with the token's p
//
// In the dialect's arithmetic, the products from left to right; how the draw walks, and whether a
// single candidate takes a uniform, is as for mirostat (Dialect::mirostat_draw). A target below 0
// draws from p, and remembers nothing.
//
// The sums move with what is committed, as mu does (mirostat_terminal.h): by the p of any token
// that this step's draw could have given; another token leaves them alone. Rollback, Reset and
// copies are exact.
//
// Source: ddh0 and MrJackSpade, llama.cpp pull request 17927, llama_sampler_adaptive_p in its
// llama-sampler.cpp. There a token other than the drawn one leaves the sums alone, and where the
// candidates are sorted the second softmax subtracts the first logit, not the largest, which may
// round differently.
class AdaptiveP final : public Terminal {
 public:
  AdaptiveP(double target, double decay, const Dialect& dialect);

  absl::Status Distribution(const StepContext& step, CandidateSelector& candidates,
                            std::vector<double>& q) const override;
  absl::StatusOr<Sample> Draw(const StepContext& step, CandidateSelector& candidates) override;
  absl::Status Accept(TokenId id) override;
  absl::Status Rollback(int32_t n) override;
  void Reset() override;
  absl::Status SkipAhead(uint64_t n, UniformGenerator& generator) override;
  std::unique_ptr<Terminal> Clone() const override { return std::make_unique<AdaptiveP>(*this); }

 private:
  struct Sums {
    double probability;
    double weight;
  };

  Sums FirstSums() const;
  // The sums after a token of this probability.
  Sums Moved(double probability) const;

  // Fills `reshaped` with the logits to draw from, by position, for these logits and their
  // probabilities.
  void Reshape(absl::Span<const double> logits, absl::Span<const double> p,
               std::vector<double>& reshaped) const;

  double target_;
  double decay_;
  const Dialect& dialect_;
  Sums sums_;
  std::vector<Sums> earlier_sums_;  // Before each accepted token.
  DrawnTokens drawn_;               // With p.
  // Scratch.
  std::vector<double> reshaped_;
  std::vector<double> q_;
  std::vector<double> scratch_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_ADAPTIVE_P_H_
