#include "logitchain/tests/testing/logit_checks.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace logitchain {
namespace {

constexpr double kRemoved = -std::numeric_limits<double>::infinity();

}  // namespace

std::vector<int> KeptIds(const std::vector<double>& logits) {
  std::vector<int> kept;
  for (size_t id = 0; id < logits.size(); ++id) {
    if (logits[id] != kRemoved) kept.push_back(static_cast<int>(id));
  }
  return kept;
}

void ExpectLogits(const std::vector<double>& actual, const std::vector<double>& expected,
                  double tolerance) {
  ASSERT_GE(actual.size(), expected.size());
  for (size_t id = 0; id < actual.size(); ++id) {
    const double wanted = id < expected.size() ? expected[id] : kRemoved;
    // Equal infinities have no difference.
    EXPECT_TRUE(actual[id] == wanted ||
                std::abs(actual[id] - wanted) <= tolerance * std::abs(wanted))
        << "token " << id << " has " << actual[id] << ", expected " << wanted;
  }
}

}  // namespace logitchain
