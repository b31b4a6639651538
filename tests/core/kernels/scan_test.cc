// Judges the loops over logits by the plainest ones that do the same.

#include "logitchain/core/kernels/scan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hwy/highway.h"
#include "logitchain/tests/core/numerics/random_bits.h"
#include "logitchain/tests/testing/simd_target_test.h"

namespace logitchain {
namespace {

using ::testing::ValuesIn;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();
constexpr float kSmallest = std::numeric_limits<float>::denorm_min();

// Logits that begin at any float, and a set of any density, spare bits included, or none.
struct Input {
  std::string name;
  size_t offset;
  std::vector<float> storage;
  std::vector<uint32_t> set;

  absl::Span<const float> logits() const { return absl::MakeConstSpan(storage).subspan(offset); }
  size_t size() const { return storage.size() - offset; }
  bool Contains(size_t i) const { return set.empty() || ((set[i / 32] >> (i % 32)) & 1) != 0; }
};

class Inputs {
 public:
  explicit Inputs(uint64_t seed) : random_(seed) {}

  // With `bad`, there may be NaN and +∞ outside the set; anywhere, if there is none.
  Input Next(size_t size, bool bad) {
    Input input = {.offset = Below(17)};
    input.storage.resize(size + input.offset);
    const size_t kind = Below(5);
    for (float& logit : input.storage) logit = Logit(kind);
    const int density = static_cast<int>(Below(6));
    if (density < 5) FillSet(density, input);
    if (bad && Below(3) == 0) AddBad(input);
    input.name =
        absl::StrFormat("%d logits at %d, kind %d, density %d", size, input.offset, kind, density);
    return input;
  }

  size_t Below(size_t n) { return random_.Next() % n; }

  float Bound(const Input& input) {
    const float any[] = {-kLargest, kLargest, 0, -0.0f, kSmallest, kInfinity};
    if (Below(3) == 0) return any[Below(6)];
    const float bound = input.logits()[Below(input.size())];
    return std::abs(bound) <= kLargest ? bound : 0.5f;
  }

 private:
  float Logit(size_t kind) {
    switch (kind) {
      case 0:  // Ties, zeros of both signs.
        return static_cast<float>(static_cast<int>(Below(5)) - 2) * (Below(2) == 0 ? 1.0f : -1.0f);
      case 1:
        return Below(2) == 0 ? -kInfinity : static_cast<float>(random_.Between(-3, 3));
      case 2:
        return Below(2) == 0 ? kLargest : -kLargest;
      case 3:
        return kSmallest * static_cast<float>(static_cast<int>(Below(9)) - 4);
      default:
        return static_cast<float>(random_.Between(-20, 20));
    }
  }

  void FillSet(int density, Input& input) {
    input.set.resize(WordCount(input.size()));
    for (uint32_t& word : input.set) {
      const auto bits = static_cast<uint32_t>(random_.Next());
      const uint32_t words[] = {0, bits & static_cast<uint32_t>(random_.Next() & random_.Next()),
                                bits, ~uint32_t{0}, Below(2) == 0 ? 0 : ~uint32_t{0}};
      word = words[density];
    }
  }

  void AddBad(Input& input) {
    for (size_t i = 0; i < input.size(); ++i) {
      const bool may_be_bad = input.set.empty() || !input.Contains(i);
      if (may_be_bad && Below(40) == 0) {
        input.storage[input.offset + i] = Below(2) == 0 ? kNan : kInfinity;
      }
    }
  }

  RandomBits random_;
};

class ScanTest : public SimdTargetTest {
 protected:
  // Runs `check(input, inputs)` on every size up to 130, and on larger ones.
  template <typename Check>
  void OnInputs(bool bad, Check check) {
    Inputs inputs(31);
    for (size_t i = 0; i < 700; ++i) {
      const size_t size = i < 260 ? 1 + i / 2 : i < 695 ? 1 + inputs.Below(2000) : 5000 * (i - 690);
      const Input input = inputs.Next(size, bad);
      SCOPED_TRACE(input.name);
      check(input, inputs);
      if (HasFailure()) return;
    }
  }
};

TEST_P(ScanTest, ScanBlocks) {
  OnInputs(/*bad=*/true, [](const Input& input, Inputs&) {
    bool has_bad = false;
    int32_t live = 0;
    std::vector<float> maxima(BlockCount(input.size()), -kInfinity);
    for (size_t i = 0; i < input.size(); ++i) {
      const float logit = input.logits()[i];
      const bool is_bad = std::isnan(logit) || logit == kInfinity;
      has_bad |= is_bad;
      if (is_bad || !input.Contains(i)) continue;
      live += logit != -kInfinity;
      float& max = maxima[i / kBlockSize];
      max = std::max(max, logit);
    }
    std::vector<float> block_max(maxima.size(), 7);
    const ScanResult result = ScanBlocks(input.logits(), input.set, absl::MakeSpan(block_max));
    EXPECT_EQ(result.has_bad, has_bad);
    // With bad logits in the set, the rest is of no use.
    if (has_bad && input.set.empty()) return;
    EXPECT_EQ(result.live, live);
    EXPECT_EQ(block_max, maxima);
  });
}

TEST_P(ScanTest, BadLogitsAreFoundWhereverTheyAre) {
  for (const float bad : {kNan, kInfinity, -kNan}) {
    for (const size_t size : {1, 17, 256, 300, 513, 1024}) {
      std::vector<float> logits(size, -1.5f);
      std::vector<float> block_max(BlockCount(size));
      ASSERT_FALSE(ScanBlocks(logits, {}, absl::MakeSpan(block_max)).has_bad);
      for (size_t i = 0; i < size; ++i) {
        logits[i] = bad;
        ASSERT_TRUE(ScanBlocks(logits, {}, absl::MakeSpan(block_max)).has_bad) << i;
        logits[i] = -1.5f;
      }
    }
  }
}

TEST_P(ScanTest, MaxInSet) {
  OnInputs(/*bad=*/false, [](const Input& input, Inputs& inputs) {
    const size_t begin = 32 * inputs.Below(1 + input.size() / 32);
    const size_t end = begin + inputs.Below(1 + input.size() - begin);
    float max = -kInfinity;
    for (size_t i = begin; i < end; ++i) {
      if (input.Contains(i)) max = std::max(max, input.logits()[i]);
    }
    EXPECT_EQ(MaxInSet(input.logits(), begin, end, input.set), max) << begin << " " << end;
  });
}

TEST_P(ScanTest, CollectAtLeast) {
  OnInputs(/*bad=*/true, [](const Input& input, Inputs& inputs) {
    const size_t begin = 32 * inputs.Below(1 + input.size() / 32);
    const size_t end = begin + inputs.Below(1 + input.size() - begin);
    const float bound = inputs.Bound(input);
    std::vector<int32_t> ids;
    for (size_t i = begin; i < end; ++i) {
      if (input.Contains(i) && input.logits()[i] >= bound) ids.push_back(static_cast<int32_t>(i));
    }
    std::vector<int32_t> out(end - begin, -1);
    const size_t n = CollectAtLeast(input.logits(), begin, end, input.set, bound, out.data());
    ASSERT_LE(n, out.size());
    out.resize(n);
    EXPECT_EQ(out, ids) << begin << " " << end << " " << bound;
  });
}

TEST_P(ScanTest, KeepAtLeast) {
  OnInputs(/*bad=*/true, [](const Input& input, Inputs& inputs) {
    const float bound = inputs.Bound(input);
    std::vector<uint32_t> set = input.set;
    if (set.empty()) set.assign(WordCount(input.size()), ~uint32_t{0});
    std::vector<uint32_t> expected(set.size());
    int32_t left = 0;
    for (size_t i = 0; i < input.size(); ++i) {
      if (!input.Contains(i) || !(input.logits()[i] >= bound)) continue;
      expected[i / 32] |= uint32_t{1} << (i % 32);
      ++left;
    }
    EXPECT_EQ(KeepAtLeast(input.logits(), bound, absl::MakeSpan(set)), left);
    EXPECT_EQ(set, expected);
  });
}

TEST_P(ScanTest, CountAtLeastOneBoundAndTwo) {
  OnInputs(/*bad=*/true, [](const Input& input, Inputs& inputs) {
    const float low = inputs.Bound(input);
    const float high = inputs.Bound(input);
    size_t low_count = 0;
    size_t high_count = 0;
    for (size_t i = 0; i < input.size(); ++i) {
      if (!input.Contains(i)) continue;
      low_count += input.logits()[i] >= low;
      high_count += input.logits()[i] >= high;
    }
    EXPECT_EQ(CountAtLeast(input.logits(), input.set, low), low_count) << low;
    EXPECT_EQ(CountAtLeast(input.logits(), input.set, high), high_count) << high;
    const CountsAtLeast both = CountAtLeastBoth(input.logits(), input.set, low, high);
    EXPECT_EQ(both.low, low_count) << low;
    EXPECT_EQ(both.high, high_count) << high;
  });
}

TEST_P(ScanTest, CountAndListTokens) {
  constexpr int32_t kUntouched = -123;
  RandomBits random(8);
  for (size_t words = 2; words <= 300; words += 2) {
    for (int density = 0; density < 5; ++density) {
      std::vector<uint32_t> set(words);
      std::vector<int32_t> expected;
      for (size_t i = 0; i < 32 * words; ++i) {
        const double chance[] = {0, 0.01, 0.1, 0.5, 1};
        if (random.Between(0, 1) >= chance[density]) continue;
        set[i / 32] |= uint32_t{1} << (i % 32);
        expected.push_back(static_cast<int32_t>(i));
      }
      ASSERT_EQ(CountTokens(set), expected.size());
      std::vector<int32_t> out(expected.size() + 6, kUntouched);
      ListTokens(set, out.data());
      // Room for four more is what it may use.
      EXPECT_EQ(out[expected.size() + 4], kUntouched);
      EXPECT_EQ(out[expected.size() + 5], kUntouched);
      out.resize(expected.size());
      ASSERT_EQ(out, expected) << words << " words, density " << density;
    }
  }
}

TEST_P(ScanTest, LargestMagnitude) {
  OnInputs(/*bad=*/false, [](const Input& input, Inputs&) {
    float largest = 0;
    for (size_t i = 0; i < input.size(); ++i) {
      const float logit = input.logits()[i];
      if (input.Contains(i) && std::isfinite(logit)) largest = std::max(largest, std::abs(logit));
    }
    EXPECT_EQ(LargestMagnitude(input.logits(), input.set), largest);
  });
}

INSTANTIATE_TEST_SUITE_P(Targets, ScanTest, ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         SimdTargetTest::TargetName);

}  // namespace
}  // namespace logitchain
