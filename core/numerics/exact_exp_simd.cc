#include "logitchain/core/numerics/exact_exp_simd.h"

#include <algorithm>
#include <cstddef>

#include "absl/types/span.h"

// Highway compiles this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/numerics/exact_exp_simd.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/numerics/exact_exp_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {
namespace {

#if HWY_HAVE_FLOAT64

void ExactExpOfArray(const double* x, size_t size, double* out) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::ScalableTag<double> d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  for (; i + lanes <= size; i += lanes) hn::StoreU(ExactExp(d, hn::LoadU(d, x + i)), d, out + i);
  if (i == size) return;
  HWY_ALIGN double rest[hn::MaxLanes(d)] = {};
  std::copy(x + i, x + size, rest);
  hn::Store(ExactExp(d, hn::Load(d, rest)), d, rest);
  std::copy(rest, rest + (size - i), out + i);
}

#else

void ExactExpOfArray(const double* x, size_t size, double* out) {
  for (size_t i = 0; i < size; ++i) out[i] = logitchain::ExactExp(x[i]);
}

#endif  // HWY_HAVE_FLOAT64

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logitchain {

HWY_EXPORT(ExactExpOfArray);

void ExactExp(absl::Span<const double> x, absl::Span<double> out) {
  HWY_DYNAMIC_DISPATCH(ExactExpOfArray)(x.data(), x.size(), out.data());
}

}  // namespace logitchain
#endif  // HWY_ONCE
