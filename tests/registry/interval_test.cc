#include "logitchain/registry/interval.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kMax = std::numeric_limits<double>::max();

struct Case {
  std::string text;
  std::vector<double> inside;
  std::vector<double> outside;
};

TEST(IntervalTest, ContainsItsEndsWhereTheBracketIsSquare) {
  const Case cases[] = {
      {"(0, 1]", {5e-324, 0.5, 1}, {0, -0.0, -1, 1.0000000000000002}},
      {"[0, 1]", {0, -0.0, 1}, {-5e-324, 1.0000000000000002}},
      {"[0, 1)", {0, 0.9999999999999999}, {1}},
      {"(0, 1)", {0.5}, {0, 1}},
      {"[-2, 2]", {-2, 0, 2}, {-2.5, 2.5}},
      {"[3, 3]", {3}, {2.9999999999999996, 3.0000000000000004}},
      {"[0, 1048576]", {0, 1048576}, {-1, 1048577}},
      {"[1e-3, 2.5e1]", {0.001, 25}, {0.0009, 25.1}},
      {"[0,1]", {0, 1}, {2}},
      {"[ 0 , 1 ]", {0, 1}, {2}},
      {"[0, inf)", {0, kMax}, {-1}},
      {"(-inf, inf)", {-kMax, 0, kMax}, {}},
      {"[-inf, inf]", {-kMax, 0, kMax}, {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto interval = ParseInterval(c.text);
    ASSERT_THAT(interval, IsOk());
    for (const double value : c.inside) EXPECT_TRUE(interval->Contains(value)) << value;
    for (const double value : c.outside) EXPECT_FALSE(interval->Contains(value)) << value;
    for (const double value : {kInfinity, -kInfinity, kNan}) {
      EXPECT_FALSE(interval->Contains(value)) << value;
    }
  }
}

TEST(IntervalTest, RefusesWhatIsNone) {
  for (const std::string text :
       {"", "[", "[]", "0, 1", "[0, 1", "0, 1]", "{0, 1}", "[0]", "[0, ]", "[, 1]", "[0; 1]",
        "[a, b]", "[0, 1, 2]", "(0 1)", "[0, 1]]", "[[0, 1]", "]0, 1["}) {
    EXPECT_THAT(ParseInterval(text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         absl::StrCat("\"", text,
                                      "\" is not an interval such as \"(0, 1]\" or \"[0, inf)\"")));
  }
}

}  // namespace
}  // namespace logitchain
