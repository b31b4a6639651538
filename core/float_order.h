#ifndef LOGITCHAIN_CORE_FLOAT_ORDER_H_
#define LOGITCHAIN_CORE_FLOAT_ORDER_H_

#include <bit>
#include <cstdint>
#include <limits>

namespace logitchain {

// The place of a float among all floats, in their order; −0 comes just before +0.
inline int32_t OrderOf(float value) {
  const auto bits = std::bit_cast<int32_t>(value);
  return bits < 0 ? bits ^ 0x7FFFFFFF : bits;
}

inline float FloatAt(int32_t order) {
  return std::bit_cast<float>(order < 0 ? order ^ 0x7FFFFFFF : order);
}

// The float that has as many floats between it and `low` as between it and `high`, or one more.
inline float MiddleFloat(float low, float high) {
  const int64_t sum = int64_t{OrderOf(low)} + OrderOf(high);
  return FloatAt(static_cast<int32_t>((sum + (sum & 1)) / 2));
}

// The smallest float of [low, high] for which a predicate holds that holds for every float above
// one for which it does, and for `high`.
template <typename Predicate>
float FirstFloat(float low, float high, Predicate holds) {
  int64_t below = int64_t{OrderOf(low)} - 1;
  int64_t at = OrderOf(high);
  while (at - below > 1) {
    const int64_t middle = below + (at - below) / 2;
    (holds(FloatAt(static_cast<int32_t>(middle))) ? at : below) = middle;
  }
  return FloatAt(static_cast<int32_t>(at));
}

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_FLOAT_ORDER_H_
