#include "logitchain/registry/did_you_mean.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace logitchain {
namespace {

const std::vector<std::string> kKnown = {"grammar_mask", "min_p", "temperature", "top_k", "top_p"};

struct Case {
  std::string name;
  std::string expected;
};

TEST(DidYouMeanTest, SuggestsTheClosestName) {
  const Case cases[] = {
      {"temprature", " (did you mean temperature?)"},
      {"temperatur", " (did you mean temperature?)"},
      {"temperatuer", " (did you mean temperature?)"},
      {"tteemmperature", " (did you mean temperature?)"},
      {"grammarmask", " (did you mean grammar_mask?)"},
      {"topk", " (did you mean top_k?)"},
      {"minp", " (did you mean min_p?)"},
      {"top_p", " (did you mean top_p?)"},
  };
  for (const Case& c : cases) EXPECT_EQ(DidYouMean(c.name, kKnown), c.expected) << c.name;
}

TEST(DidYouMeanTest, TheFirstOfEquallyCloseNamesIsSuggested) {
  EXPECT_EQ(DidYouMean("top_x", kKnown), " (did you mean top_k?)");
}

TEST(DidYouMeanTest, SuggestsNothingWhereNothingIsClose) {
  for (const std::string name : {"beam_search", "softmax", "penalty", "xxxxx", ""}) {
    EXPECT_EQ(DidYouMean(name, kKnown), "") << name;
  }
  EXPECT_EQ(DidYouMean("top_k", {}), "");
}

TEST(DidYouMeanTest, AThirdOfTheLettersMayBeWrong) {
  EXPECT_EQ(DidYouMean("abcdxx", std::vector<std::string>{"abcdef"}), " (did you mean abcdef?)");
  EXPECT_EQ(DidYouMean("abxxxx", std::vector<std::string>{"abcdef"}), "");
}

TEST(DidYouMeanTest, TwoLettersThatAreSwappedAreOneWrong) {
  const std::vector<std::string> known = {"type"};
  EXPECT_EQ(DidYouMean("tyep", known, 1), " (did you mean type?)");
  EXPECT_EQ(DidYouMean("tpye", known, 1), " (did you mean type?)");
  EXPECT_EQ(DidYouMean("ytep", known, 1), "");
  EXPECT_EQ(DidYouMean("epty", known, 1), "");
}

// Of eight letters three may be wrong, and here are two too many.
TEST(DidYouMeanTest, ALetterTooManyIsOneThatIsWrong) {
  EXPECT_EQ(DidYouMean("abcxxdef", std::vector<std::string>{"abcdef"}), " (did you mean abcdef?)");
}

TEST(DidYouMeanTest, AHugeNameCostsNothing) {
  EXPECT_EQ(DidYouMean(std::string(1 << 20, 'x'), kKnown), "");
}

}  // namespace
}  // namespace logitchain
