#include "logitchain/tests/reference/random_logits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/reference/dice.h"

namespace logitchain {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

constexpr int kBehind = 32;  // Floats behind the span.

enum Shape {
  kQuantised,  // Many ties.
  kTwoValued,
  kAllEqual,
  kRunsOfMinusInfinity,
  kHuge,
  kSubnormal,
  kBfloat16,
  kOneSurvivor,
  kLargeOffset,  // Far from zero, where floats are coarse.
  kPeaked,
  kSteps,  // A few levels, with far more tokens on the lower ones.
  kNormal,
  kUniform,
  kShapes,
};

float Bfloat16(double value) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(static_cast<float>(value)) & 0xFFFF0000u);
}

// Draws logits of one shape.
class LogitDice {
 public:
  LogitDice(Dice& dice, Shape shape)
      : dice_(dice),
        shape_(shape),
        spread_(dice.OneOf({0.05, 0.05, 1.0, 3.0, 8.0})),
        offset_(dice.OneOf({100.0, -1e4, 1e6, -3e6})),
        rare_(dice.OneOf({0.5, 0.1, 0.001})) {}

  float Next() {
    switch (shape_) {
      case kQuantised:
        return static_cast<float>(std::floor(dice_.Between(-3, 3)));
      case kTwoValued:
        return dice_.Chance(rare_) ? 2.5f : -1.25f;
      case kAllEqual:
      case kOneSurvivor:
        return 0.75f;
      case kRunsOfMinusInfinity:
        return InRun() ? -kInfinity : static_cast<float>(dice_.Normal() * spread_);
      case kHuge:
        return static_cast<float>(dice_.Between(-3e38, 3e38));
      case kSubnormal:
        return static_cast<float>(dice_.Between(-1e-39, 1e-39));
      case kBfloat16:
        return Bfloat16(dice_.Normal() * spread_);
      case kLargeOffset:
        return static_cast<float>(offset_ + dice_.Normal() * spread_);
      case kSteps:
        return static_cast<float>(-std::floor(std::log2(1 + 255 * dice_.Uniform())));
      case kUniform:
        return static_cast<float>(dice_.Between(-spread_, spread_));
      default:
        return static_cast<float>(dice_.Normal() * spread_);
    }
  }

 private:
  bool InRun() {
    if (left_ == 0) {
      in_run_ = !in_run_;
      left_ = 1 + dice_.Below(dice_.OneOf({3, 100, 2000}));
    }
    --left_;
    return in_run_;
  }

  Dice& dice_;
  Shape shape_;
  double spread_;
  double offset_;
  double rare_;
  bool in_run_ = false;
  int left_ = 0;
};

}  // namespace

RandomLogits::RandomLogits(Dice& dice, int32_t size)
    : offset_(dice.Below(17)), size_(size), storage_(offset_ + size + kBehind, 1e30f) {
  const auto shape = static_cast<Shape>(dice.Below(kShapes));
  const auto logits = absl::MakeSpan(storage_).subspan(offset_, size_);
  LogitDice logit_dice(dice, shape);
  for (float& logit : logits) logit = logit_dice.Next();
  if (shape == kPeaked) {
    const int peaks = dice.OneOf({1, 8, 40});
    for (int j = 0; j < peaks; ++j) logits[dice.Below(size)] = static_cast<float>(16 - 0.25 * j);
  }
  if (shape == kOneSurvivor) {
    std::fill(logits.begin(), logits.end(), -kInfinity);
    logits[dice.Below(size)] = static_cast<float>(dice.Uniform());
  }
  if (dice.Chance(0.05)) {
    const int bad = 1 + dice.Below(3);
    for (int j = 0; j < bad; ++j) logits[dice.Below(size)] = dice.Chance(0.5) ? kNan : kInfinity;
  }
}

std::vector<TokenId> RandomLogits::Top(size_t count) const {
  const absl::Span<const float> logits = span();
  const auto rank_of = [&](TokenId id) { return std::isnan(logits[id]) ? -kInfinity : logits[id]; };
  std::vector<TokenId> ids(logits.size());
  std::iota(ids.begin(), ids.end(), 0);
  count = std::min(count, ids.size());
  std::partial_sort(ids.begin(), ids.begin() + count, ids.end(),
                    [&](TokenId a, TokenId b) { return rank_of(a) > rank_of(b); });
  ids.resize(count);
  return ids;
}

}  // namespace logitchain
