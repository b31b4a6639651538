#include "logitchain/core/kernels/exp_split.h"

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"

// Highway compiles this file once for each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/exp_split.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "logitchain/core/kernels/exp_terms-inl.h"
#include "logitchain/core/kernels/token_set-inl.h"

HWY_BEFORE_NAMESPACE();
namespace logitchain {
namespace HWY_NAMESPACE {
namespace {

struct SplitOfBlock {
  double all;
  double above;
  int32_t count_above;
};

// What Split splits, and where the results go.
struct Splitting {
  ExpScale scale;
  const float* logits;
  size_t size;
  const uint32_t* set;
  LogitKey key;
  KeyRange range;
  double* high_sums;
  uint32_t* between;
};

// Finds the logits of a block whose keys are ≥ high, and those in [low, high).
template <bool kHasSet, bool kIsCentered, class D, class V = hn::Vec<D>>
class Splitter {
 public:
  Splitter(const Block& block, const Splitting& given)
      : block_(block),
        center_(given.key.center.value_or(0)),
        low_(hn::Set(D(), given.range.low)),
        high_(hn::Set(D(), given.range.high)) {}

  // Adds the terms of the high logits at `i` to `sum`, and returns the bits of those between.
  HWY_INLINE uint64_t Split(size_t i, V terms, V& sum) {
    const D d;
    const V keys = block_.template Keys<kIsCentered>(d, i, center_);
    const auto is_high = block_.template MaskInSet<kHasSet>(d, i, hn::Ge(keys, high_));
    const auto reaches_low = block_.template MaskInSet<kHasSet>(d, i, hn::Ge(keys, low_));
    sum = AddIf<D>(is_high, sum, terms);
    count_ = AddIf<D>(is_high, count_, hn::Set(d, hn::TFromD<D>{1}));
    return BitsOfMask(d, hn::AndNot(is_high, reaches_low));
  }

  int32_t count() const { return static_cast<int32_t>(hn::GetLane(hn::SumOfLanes(D(), count_))); }

 private:
  const Block& block_;
  float center_;
  V low_;
  V high_;
  V count_ = hn::Zero(D());
};

// Sets the `n` bits from bit `i` on, a multiple of n, which is a power of two up to 64.
HWY_INLINE void StoreBits(uint64_t bits, size_t n, size_t i, uint32_t* words) {
  const auto low = static_cast<uint32_t>(bits << (i % 32));
  words[i / 32] = i % 32 == 0 ? low : words[i / 32] | low;
  if (n == 64) words[i / 32 + 1] = static_cast<uint32_t>(bits >> 32);
}

template <bool kHasSet, bool kIsCentered, class D, class Scale>
HWY_INLINE SplitOfBlock SplitBlock(D d, Scale& scale, const Block& block, const Splitting& given,
                                   uint32_t* between) {
  const size_t lanes = hn::Lanes(d);
  Splitter<kHasSet, kIsCentered, D> splitter(block, given);
  DoubleVec all = hn::Zero(DoubleTag());
  DoubleVec above = all;
  for (size_t i = 0; i < kBlockSize; i += 4 * lanes) {
    const auto a = block.Terms<kHasSet>(d, scale, i);
    const auto b = block.Terms<kHasSet>(d, scale, i + lanes);
    const auto c = block.Terms<kHasSet>(d, scale, i + 2 * lanes);
    const auto e = block.Terms<kHasSet>(d, scale, i + 3 * lanes);
    all = hn::Add(all, SumOfFour(d, a, b, c, e));
    auto high_terms = hn::Zero(d);
    uint64_t bits = splitter.Split(i, a, high_terms);
    bits |= splitter.Split(i + lanes, b, high_terms) << lanes;
    bits |= splitter.Split(i + 2 * lanes, c, high_terms) << (2 * lanes);
    bits |= splitter.Split(i + 3 * lanes, e, high_terms) << (3 * lanes);
    StoreBits(bits, 4 * lanes, i, between);
    above = hn::Add(above, Widened(d, high_terms));
  }
  return {.all = scale.factor() * Total(all),
          .above = scale.factor() * Total(above),
          .count_above = splitter.count()};
}

template <bool kIsCentered, class D, class Scale>
HWY_INLINE SplitOfBlock SplitBlock(D d, Scale& scale, const Block& block, const Splitting& given,
                                   uint32_t* between) {
  return block.set() == nullptr ? SplitBlock<false, kIsCentered>(d, scale, block, given, between)
                                : SplitBlock<true, kIsCentered>(d, scale, block, given, between);
}

// As SumBlocks.
template <class D, Way kWay, bool kIsCentered>
bool SplitBlocks(const Splitting& given, ExpSplit* split) {
  Scale<D, kWay> scale(given.scale);
  double* high_sums = given.high_sums;
  *split = {};
  for (size_t begin = 0; begin < given.size; begin += kBlockSize) {
    const Block block(given.logits, given.size, given.set, begin);
    const SplitOfBlock sums =
        SplitBlock<kIsCentered>(D(), scale, block, given, given.between + begin / 32);
    *high_sums++ = sums.above;
    split->total += sums.all;
    split->count_high += sums.count_above;
  }
  return scale.is_good();
}

template <class D, Way kWay>
bool SplitBlocks(const Splitting& given, ExpSplit* split) {
  return given.key.center ? SplitBlocks<D, kWay, true>(given, split)
                          : SplitBlocks<D, kWay, false>(given, split);
}

void Split(const ExpScale& scale, const float* logits, size_t size, const uint32_t* set,
           LogitKey key, KeyRange range, double* high_sums, uint32_t* between, ExpSplit* split) {
  const Splitting given = {scale, logits, size, set, key, range, high_sums, between};
  if (given.scale.precision == ExpPrecision::kFine) {
    SplitBlocks<DoubleTag, Way::kFull>(given, split);
  } else if (!LooksNarrow(given.scale, given.logits, given.size) ||
             !SplitBlocks<FloatTag, Way::kNarrow>(given, split)) {
    SplitBlocks<FloatTag, Way::kFull>(given, split);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace logitchain
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace logitchain {

HWY_EXPORT(Split);

ExpSplit SplitExpTerms(const ExpScale& given, absl::Span<const float> logits, TokenSet set,
                       LogitKey key, KeyRange range, absl::Span<double> high_sums,
                       absl::Span<uint32_t> between) {
  ExpSplit split;
  HWY_DYNAMIC_DISPATCH(Split)
  (given, logits.data(), logits.size(), WordsOf(set), key, range, high_sums.data(), between.data(),
   &split);
  return split;
}

}  // namespace logitchain
#endif  // HWY_ONCE
