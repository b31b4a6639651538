#ifndef LOGITCHAIN_PROCESSORS_GUMBEL_MAX_H_
#define LOGITCHAIN_PROCESSORS_GUMBEL_MAX_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/terminal.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// The noise of one position of the output: for every token id a uniform that is a function of the
// seed, the position and the id alone. With G = 0x9E3779B97F4A7C15, all modulo 2^64:
//
//   key = ChildSeed(seed, PurposeNamed("gumbel_max"))
//   a = Mix64(key + (2·position + 1)·G)      b = Mix64(key + (2·position + 2)·G)
//   h = Mix64(Mix64(a + (id + 1)·G) ^ b)
//   u = (⌊h / 2^12⌋ + 1/2) / 2^52, in (0, 1)
//   noise = −log(−log u), with logarithms correctly rounded
//
// a and b are successive outputs of SplitMix64 on the key, and h is a keyed permutation of 64-bit
// words (Even and Mansour's: a key before and a key after Mix64, then Mix64 again), so that the ids
// of one position never share an h, and two positions have unrelated ones. The noise is the same on
// every machine. It is not cryptographic.
class GumbelNoise {
 public:
  GumbelNoise(uint64_t seed, uint64_t position);

  double Uniform(TokenId id) const;
  double operator()(TokenId id) const;

  // No noise is larger: −log(−log(1 − 2^−53)) is 36.74.
  static constexpr double kLargest = 37;

 private:
  uint64_t before_;
  uint64_t after_;
};

// Takes the candidate with the largest logit + noise, computed in float64; of equal sums the lower
// id. Its distribution over the seeds is softmax over the candidates, which is also what it reports
// as probabilities. As noise belongs to a token, not to a draw, what wins among many candidates
// wins among any part of them that has it. It takes no random number, and works at any position
// without those before. Source: the Gumbel-max trick, see Maddison, Tarlow, Minka 2014, "A*
// Sampling", section 2.
class GumbelMax final : public Terminal {
 public:
  explicit GumbelMax(uint64_t seed) : seed_(seed) {}

  absl::Status Distribution(const StepContext& step, CandidateSelector& candidates,
                            std::vector<double>& q) const override;
  absl::StatusOr<Sample> Draw(const StepContext& step, CandidateSelector& candidates) override;
  absl::Status Accept(TokenId id) override;
  absl::Status Rollback(int32_t n) override;
  void Reset() override;
  absl::Status SkipAhead(uint64_t n, UniformGenerator& generator) override;
  std::unique_ptr<Terminal> Clone() const override { return std::make_unique<GumbelMax>(*this); }

 private:
  uint64_t seed_;
  uint64_t position_ = 0;  // In the output; tokens that were skipped count.
  std::vector<uint64_t> earlier_positions_;
  std::vector<double> q_;  // Scratch.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_GUMBEL_MAX_H_
