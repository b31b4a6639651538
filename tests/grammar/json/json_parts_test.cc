#include "logitchain/grammar/json/json_parts.h"

#include <cstddef>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/tests/grammar/testing/reference_recognizer.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

TEST(JsonGrammarTest, DerivesValuesWithoutSpaceAround) {
  const absl::StatusOr<Grammar> grammar = JsonGrammar({});
  ASSERT_THAT(grammar, IsOk());
  ReferenceRecognizer json(*grammar);
  for (const char* text : {"null", "true", "false", "0", "-0", "12.50e-3", "1E5", R"("")",
                           R"("aé\u00e9\"\\\/\ud83d\ude00")", "[]", "[ \n\t\r]",
                           "[1,[2,{}],\"x\" , null]", "{}", R"({"a":1,"a":{"b" : []}})"}) {
    EXPECT_TRUE(json.Matches(text)) << text;
  }
  for (const char* text :
       {"",      " 1", "1 ",     "nul",      "01",          "+1",          "1.",   ".5",
        "1e",    "\"", "\"\t\"", R"("\x")",  R"("\ud800")", "\"\xC3\"",    "[1,]", "[,1]",
        "[1 2]", "[1", "{a:1}",  R"({"a"})", R"({"a":})",   R"({"a":1,})", "1 2",  "NaN"}) {
    EXPECT_FALSE(json.Matches(text)) << text;
  }
}

TEST(JsonGrammarTest, WhiteSpaceHasABound) {
  const absl::StatusOr<Grammar> two = JsonGrammar({.max_white_space = 2});
  ASSERT_THAT(two, IsOk());
  EXPECT_TRUE(ReferenceMatches(*two, "[  1 \n,\t\t2  ]"));
  EXPECT_FALSE(ReferenceMatches(*two, "[   1]"));
  EXPECT_FALSE(ReferenceMatches(*two, "[   ]"));
  EXPECT_FALSE(ReferenceMatches(*two, "[1   ]"));
  const absl::StatusOr<Grammar> none = JsonGrammar({.max_white_space = 0});
  ASSERT_THAT(none, IsOk());
  EXPECT_TRUE(ReferenceMatches(*none, R"({"a":[1,2]})"));
  EXPECT_FALSE(ReferenceMatches(*none, R"({"a": 1})"));
}

TEST(JsonGrammarTest, ABadFormatIsRefused) {
  for (const int32_t count : {-1, 1001}) {
    EXPECT_THAT(
        JsonGrammar({.max_white_space = count}),
        StatusIs(absl::StatusCode::kInvalidArgument,
                 "max_white_space is " + std::to_string(count) + "; it must be in [0, 1000]"));
  }
}

// Texts that are nearly JSON: a value, with some bytes changed.
TEST(JsonGrammarTest, AgreesWithAParserOnChangedTexts) {
  const absl::StatusOr<Grammar> grammar = JsonGrammar({});
  ASSERT_THAT(grammar, IsOk());
  ReferenceRecognizer json(*grammar);
  const std::string valid = R"({"a\n":[1,-2.5e3,"é"],"b":{"c":null,"d":[[],{}]}})";
  const std::string bytes = "{}[]\",:0-.eEtn\\u a\xC3";
  std::mt19937 random(11);
  size_t accepted = 0;
  for (int i = 0; i < 1500; ++i) {
    std::string text = valid;
    for (unsigned change = random() % 3; change > 0; --change) {
      const size_t place = random() % text.size();
      switch (random() % 3) {
        case 0:
          text.erase(place, 1);
          break;
        case 1:
          text.insert(place, 1, bytes[random() % bytes.size()]);
          break;
        default:
          text[place] = bytes[random() % bytes.size()];
      }
    }
    if (absl::StartsWith(text, " ") || absl::EndsWith(text, " ")) continue;
    const bool expected = nlohmann::json::accept(text);
    accepted += expected ? 1 : 0;
    ASSERT_EQ(json.Matches(text), expected) << text;
  }
  EXPECT_GT(accepted, 400);
}

}  // namespace
}  // namespace logitchain
