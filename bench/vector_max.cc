#include "logitchain/bench/vector_max.h"

#include <algorithm>
#include <cstddef>

#include "absl/types/span.h"

// Highway compiles this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/vector_max.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {

float MaxOfArray(const float* logits, size_t size) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<float> d;
  const size_t lanes = hn::Lanes(d);
  auto max0 = hn::Set(d, logits[0]);
  auto max1 = max0;
  auto max2 = max0;
  auto max3 = max0;
  size_t i = 0;
  for (; i + 4 * lanes <= size; i += 4 * lanes) {
    max0 = hn::Max(max0, hn::LoadU(d, logits + i));
    max1 = hn::Max(max1, hn::LoadU(d, logits + i + lanes));
    max2 = hn::Max(max2, hn::LoadU(d, logits + i + 2 * lanes));
    max3 = hn::Max(max3, hn::LoadU(d, logits + i + 3 * lanes));
  }
  const auto max = hn::Max(hn::Max(max0, max1), hn::Max(max2, max3));
  float result = hn::GetLane(hn::MaxOfLanes(d, max));
  for (; i < size; ++i) result = std::max(result, logits[i]);
  return result;
}

}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logitchain {

HWY_EXPORT(MaxOfArray);

float VectorMax(absl::Span<const float> logits) {
  return HWY_DYNAMIC_DISPATCH(MaxOfArray)(logits.data(), logits.size());
}

}  // namespace logitchain
#endif  // HWY_ONCE
