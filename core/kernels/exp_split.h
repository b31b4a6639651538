#ifndef LOGITCHAIN_CORE_KERNELS_EXP_SPLIT_H_
#define LOGITCHAIN_CORE_KERNELS_EXP_SPLIT_H_

#include <cmath>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "logitchain/core/kernels/exp_moments.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"

namespace logitchain {

// What logits are compared by: themselves, or −|l − center| in float32.
struct LogitKey {
  std::optional<float> center;

  float operator()(float logit) const { return center ? -std::abs(logit - *center) : logit; }
};

// Keys in [low, high).
struct KeyRange {
  float low;
  float high;
};

// Where a walk leaves what it finds.
struct SplitParts {
  // high_sums[b], b < BlockCount: as SumExpTerms fills it, over the logits with a key ≥ range.high
  // alone.
  absl::Span<double> high_sums;
  // BlockCount·kBlockSize bits each: the tokens of the set with such a key, and with a key in the
  // range.
  absl::Span<uint32_t> high;
  absl::Span<uint32_t> between;
};

struct ExpSplit {
  double total;        // The sum over all of the set.
  int32_t count_high;  // Tokens of the set with a key ≥ range.high.
  ExpMean mean;        // Of all of the set, where keys have a center.
};

// `largest` is |max / temperature|.
ExpSplit SplitExpTerms(const ExpScale& scale, absl::Span<const float> logits, TokenSet set,
                       LogitKey key, KeyRange range, double largest, const SplitParts& parts);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_KERNELS_EXP_SPLIT_H_
