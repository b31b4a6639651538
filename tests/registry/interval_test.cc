#include "logitchain/registry/interval.h"

#include <limits>

#include "gtest/gtest.h"

namespace logitchain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(IntervalTest, Ends) {
  const Interval interval = ParseInterval("(0, 1]").value();
  EXPECT_FALSE(interval.Contains(0));
  EXPECT_TRUE(interval.Contains(std::numeric_limits<double>::denorm_min()));
  EXPECT_TRUE(interval.Contains(1));
  EXPECT_FALSE(interval.Contains(1.0000000000000002));
}

TEST(IntervalTest, InfinitiesBelongOnlyToClosedEnds) {
  EXPECT_FALSE(ParseInterval("(-inf, inf)")->Contains(-kInfinity));
  EXPECT_FALSE(ParseInterval("(-inf, inf)")->Contains(kInfinity));
  EXPECT_FALSE(ParseInterval("[0, inf)")->Contains(kInfinity));
  EXPECT_TRUE(ParseInterval("[-inf, inf)")->Contains(-kInfinity));
  EXPECT_FALSE(ParseInterval("[-inf, inf)")->Contains(kInfinity));
  EXPECT_TRUE(ParseInterval("[-inf, inf)")->Contains(std::numeric_limits<double>::max()));
  EXPECT_TRUE(ParseInterval("(0, inf]")->Contains(kInfinity));
}

TEST(IntervalTest, NanIsNowhere) {
  for (const char* text : {"(-inf, inf)", "[-inf, inf]", "[0, 1]"}) {
    EXPECT_FALSE(ParseInterval(text)->Contains(kNan)) << text;
  }
}

TEST(IntervalTest, RefusesWhatIsNotAnInterval) {
  for (const char* text : {"", "(", "0, 1", "(0; 1)", "(a, 1)", "[0, 1"}) {
    EXPECT_FALSE(ParseInterval(text).ok()) << text;
  }
}

}  // namespace
}  // namespace logitchain
