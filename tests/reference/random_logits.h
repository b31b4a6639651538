#ifndef LOGITCHAIN_TESTS_REFERENCE_RANDOM_LOGITS_H_
#define LOGITCHAIN_TESTS_REFERENCE_RANDOM_LOGITS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/reference/dice.h"

namespace logitchain {

// A span of logits that begins at any float of a vector, between others that would be the largest.
class RandomLogits {
 public:
  // Logits of one of the shapes that are awkward for some shortcut: flat, peaked, tied, with runs
  // of −∞, huge, subnormal; now and then a few NaN and +∞.
  RandomLogits(Dice& dice, int32_t size);

  absl::Span<const float> span() const {
    return absl::MakeConstSpan(storage_).subspan(offset_, size_);
  }

  // A few tokens with the largest logits.
  std::vector<TokenId> Top(size_t count) const;

 private:
  int offset_;
  int32_t size_;
  std::vector<float> storage_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_REFERENCE_RANDOM_LOGITS_H_
