// The expected penalties are those of a search that tries every place and every length.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/processors/common_suffix.h"
#include "logitchain/processors/text_sequences.h"
#include "logitchain/registry/environment.h"
#include "logitchain/tests/testing/logit_checks.h"
#include "logitchain/tests/testing/process_logits.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kRemoved = -std::numeric_limits<double>::infinity();

struct DryCase {
  double multiplier = 1;
  double base = 2;
  size_t allowed_length = 2;
  size_t window = 1 << 20;
  std::vector<std::vector<TokenId>> breakers;
};

std::string RuleText(const DryCase& dry) {
  std::string text =
      absl::StrCat("processors { dry { multiplier: ", dry.multiplier, " base: ", dry.base,
                   " allowed_length: ", dry.allowed_length, " window: ", dry.window);
  for (const auto& breaker : dry.breakers) {
    absl::StrAppend(&text, " sequence_breakers { ids: [", absl::StrJoin(breaker, ", "), "] }");
  }
  return text + " } }";
}

bool Holds(const std::vector<TokenId>& tokens, size_t at, const std::vector<TokenId>& part) {
  return at + part.size() <= tokens.size() &&
         std::equal(part.begin(), part.end(), tokens.begin() + static_cast<ptrdiff_t>(at));
}

// Whether a breaker reaches into the last n tokens.
bool IsBroken(const std::vector<TokenId>& tokens, size_t n, const DryCase& dry) {
  for (const auto& breaker : dry.breakers) {
    for (size_t at = 0; at < tokens.size(); ++at) {
      if (Holds(tokens, at, breaker) && at + breaker.size() > tokens.size() - n) return true;
    }
  }
  return false;
}

// The longest repetition that each token would extend.
std::map<TokenId, size_t> NaiveRepetitions(std::vector<TokenId> tokens, const DryCase& dry) {
  if (tokens.size() > dry.window) tokens.erase(tokens.begin(), tokens.end() - dry.window);
  std::map<TokenId, size_t> longest;
  for (size_t n = dry.allowed_length; n < tokens.size(); ++n) {
    if (IsBroken(tokens, n, dry)) break;
    const std::vector<TokenId> end(tokens.end() - n, tokens.end());
    for (size_t at = 0; at + n < tokens.size(); ++at) {
      if (Holds(tokens, at, end)) longest[tokens[at + n]] = n;
    }
  }
  for (const auto& breaker : dry.breakers) {
    if (breaker.size() == 1) longest.erase(breaker[0]);
  }
  return longest;
}

std::vector<double> NaiveDry(const std::vector<float>& logits, const std::vector<TokenId>& tokens,
                             const DryCase& dry) {
  std::vector<double> expected(logits.begin(), logits.end());
  for (const auto& [id, n] : NaiveRepetitions(tokens, dry)) {
    expected[id] -= dry.multiplier * std::pow(dry.base, n - dry.allowed_length);
  }
  return expected;
}

std::vector<double> Processed(const DryCase& dry, const std::vector<TokenId>& tokens,
                              const std::string& head = "", size_t vocab_size = 6) {
  const auto processed = ProcessLogits(head + " " + RuleText(dry),
                                       std::vector<float>(vocab_size, 0), {.output = tokens});
  EXPECT_TRUE(processed.ok()) << processed.status();
  return processed.value_or(std::vector<double>());
}

TEST(DryTest, PenaltyGrowsWithTheRepetition) {
  EXPECT_THAT(Processed({}, {1, 2, 3, 4, 2}), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(Processed({}, {1, 2, 3, 4, 1, 2}), ElementsAre(0, 0, 0, -1, 0, 0));
  EXPECT_THAT(Processed({}, {5, 1, 2, 3, 4, 5, 1, 2}), ElementsAre(0, 0, 0, -2, 0, 0));
  EXPECT_THAT(Processed({.multiplier = 3, .allowed_length = 1}, {5, 1, 2, 3, 4, 5, 1, 2}),
              ElementsAre(0, 0, 0, -12, 0, 0));
}

TEST(DryTest, LongestRepetitionOfATokenCounts) {
  EXPECT_THAT(Processed({}, {0, 1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 4, 0, 1, 2}),
              ElementsAre(0, 0, 0, -2, -1, 0));
}

TEST(DryTest, OccurrencesMayOverlap) {
  EXPECT_THAT(Processed({}, {1, 1, 1, 1}), ElementsAre(0, -2, 0, 0, 0, 0));
  EXPECT_THAT(Processed({}, {1, 2, 1, 2, 1, 2}), ElementsAre(0, -4, 0, 0, 0, 0));
}

TEST(DryTest, PromptCounts) {
  const auto processed = ProcessLogits(RuleText({}), std::vector<float>(6, 0),
                                       {.prompt = {1, 2, 3}, .output = {1, 2}});
  EXPECT_THAT(processed.value(), ElementsAre(0, 0, 0, -1, 0, 0));
}

TEST(DryTest, Window) {
  const std::vector<TokenId> tokens = {0, 1, 2, 3, 4, 0, 1, 2};
  EXPECT_THAT(Processed({.window = 8}, tokens), ElementsAre(0, 0, 0, -2, 0, 0));
  EXPECT_THAT(Processed({.window = 7}, tokens), ElementsAre(0, 0, 0, -1, 0, 0));
  EXPECT_THAT(Processed({.window = 6}, tokens), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(Processed({.window = 0}, tokens), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(DryTest, BreakersEndRepetitions) {
  const std::vector<TokenId> tokens = {0, 1, 2, 3, 4, 0, 1, 2};
  EXPECT_THAT(Processed({.breakers = {{0}}}, tokens), ElementsAre(0, 0, 0, -1, 0, 0));
  EXPECT_THAT(Processed({.breakers = {{1}}}, tokens), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(Processed({.breakers = {{2}}}, tokens), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(Processed({.breakers = {{4, 0}}}, tokens), ElementsAre(0, 0, 0, -1, 0, 0));
  EXPECT_THAT(Processed({.breakers = {{0, 4}}}, tokens), ElementsAre(0, 0, 0, -2, 0, 0));
}

TEST(DryTest, BreakersAreNotPenalised) {
  const std::vector<TokenId> tokens = {0, 1, 2, 3, 4, 0, 1, 2};
  EXPECT_THAT(Processed({.breakers = {{3}}}, tokens), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(Processed({.breakers = {{3, 5}}}, tokens), ElementsAre(0, 0, 0, -2, 0, 0));
}

Environment Texts(std::vector<std::string> token_bytes) {
  Environment environment;
  environment.vocabulary = Vocabulary::Create({.token_bytes = std::move(token_bytes)}).value();
  return environment;
}

TEST(DryTest, TextsBreakRepetitionsWithEveryTokenThatHoldsThem) {
  const Environment environment = Texts({"a", "b", "c", ".\n", "\n", "d"});
  const std::string dry =
      "processors { dry { multiplier: 1 base: 2 sequence_breaker_texts: '\\n' } }";
  const auto processed = [&](const std::vector<TokenId>& tokens) {
    return ProcessLogits(dry, std::vector<float>(6, 0), {.output = tokens}, environment).value();
  };
  EXPECT_THAT(processed({0, 1, 2, 5, 0, 1}), ElementsAre(0, 0, -1, 0, 0, 0));
  EXPECT_THAT(processed({3, 0, 1, 2, 5, 3, 0, 1}), ElementsAre(0, 0, -1, 0, 0, 0)) << "not -2";
  EXPECT_THAT(processed({0, 4, 2, 5, 0, 4}), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(processed({0, 1, 3, 5, 0, 1}), ElementsAre(0, 0, 0, 0, 0, 0)) << "is a breaker";
}

TEST(DryTest, ATextOfSeveralTokensBreaksWhereItEnds) {
  const Environment environment = Texts({"a", "b", "c", "x#", "##", "d"});
  const std::string dry =
      "processors { dry { multiplier: 1 base: 2 allowed_length: 1 sequence_breaker_texts: '###' } "
      "}";
  const auto processed = [&](const std::vector<TokenId>& tokens) {
    return ProcessLogits(dry, std::vector<float>(6, 0), {.output = tokens}, environment).value();
  };
  EXPECT_THAT(processed({3, 4, 0, 1, 3, 4, 0}), ElementsAre(0, -1, 0, 0, 0, 0));
  EXPECT_THAT(processed({3, 4, 0, 3, 4}), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(processed({3, 0, 5, 3, 0}), ElementsAre(0, 0, 0, 0, 0, -2)) << "only the beginning";
}

TEST(TextSequencesTest, ByHand) {
  const auto sequences = [](const std::string& text, std::vector<std::string> token_bytes) {
    return TextSequences(text, *Texts(std::move(token_bytes)).vocabulary);
  };
  using Ids = std::vector<TokenId>;
  const std::vector<std::string> lines = {"a", "b", "\n", "a\n", "\nb", "\n\n", "", "ab"};
  EXPECT_THAT(sequences("\n", lines), ElementsAre(Ids{2}, Ids{3}, Ids{4}, Ids{5}));
  EXPECT_THAT(sequences("\n\n", lines), ElementsAre(Ids{2, 2}, Ids{3, 2}, Ids{5}));
  EXPECT_THAT(sequences("abab", lines), ElementsAre(Ids{0, 1, 7}, Ids{7, 7}));
  // A token that ends with two beginnings.
  EXPECT_THAT(sequences("aaab", {"aa", "ab", "b", "a"}),
              ElementsAre(Ids{0, 0, 2}, Ids{0, 1}, Ids{3, 0, 2}));
  EXPECT_THAT(sequences("\nz", lines), IsEmpty()) << "nothing can follow the line break";
  EXPECT_THAT(sequences("bc", {"b", "c", "c"}), ElementsAre(Ids{0, 1})) << "the lowest id";
  EXPECT_THAT(sequences(std::string(40, 'a'), {"a"}), ElementsAre(Ids(21, 0)));
}

TEST(DryTest, TextsNeedAVocabulary) {
  const auto error = [](const std::string& texts, const Environment& environment) {
    const auto processed =
        ProcessLogits("processors { dry { multiplier: 1 sequence_breaker_texts: " + texts + " } }",
                      {0, 0}, {}, environment);
    return std::string(processed.status().message());
  };
  EXPECT_THAT(
      error("['x', '\\n']", {}),
      HasSubstr("processors[0].dry.sequence_breaker_texts need a vocabulary, to find them in "
                "its tokens, and there is none; write the breakers' token ids in "
                "sequence_breakers, or give the vocabulary: in C++ as "
                "Environment::vocabulary, while `logitchain generate` has its model's"));
  const Environment environment = Texts({"a", "b"});
  EXPECT_EQ(error("'x'", environment), "");
  EXPECT_THAT(error("''", environment), HasSubstr("has 0 bytes; it must have 1 to 40"));
  EXPECT_THAT(error("'" + std::string(41, 'x') + "'", environment),
              HasSubstr("dry.sequence_breaker_texts[0] has 41 bytes; it must have 1 to 40"));
  EXPECT_THAT(error("'x'", Texts({"a", "b", "c"})),
              HasSubstr("the vocabulary's texts are of 3 tokens, more than the 2 of the logits"));
}

TEST(DryTest, OffAndEmpty) {
  EXPECT_THAT(Processed({.multiplier = 0}, {1, 1, 1, 1}), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(Processed({}, {}), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(Processed({.allowed_length = 1}, {1}), ElementsAre(0, 0, 0, 0, 0, 0));
}

TEST(DryTest, StaysFinite) {
  for (const std::string head : {"", "dialect: LLAMA_CPP", "dialect: HUGGING_FACE"}) {
    const std::vector<double> processed =
        Processed({.multiplier = 1e20, .base = 4}, std::vector<TokenId>(2000, 1), head);
    EXPECT_NEAR(processed[1], -1e30, 1e23);
    EXPECT_EQ(processed[0], 0);
  }
}

TEST(DryTest, RemovedTokensStayRemoved) {
  const auto processed =
      ProcessLogits(RuleText({}), {0, 0, 0, -std::numeric_limits<float>::infinity()},
                    {.output = {1, 2, 3, 1, 2}});
  EXPECT_THAT(processed.value(), ElementsAre(0, 0, 0, kRemoved));
}

// In a dialect whose history may hold such ids.
TEST(DryTest, IdsOutsideTheVocabularyAreMatchedAndNotPenalised) {
  EXPECT_THAT(Processed({}, {900, 901, 902, 900, 901}, "dialect: MINFER"),
              ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(Processed({}, {900, 901, 3, 900, 901}, "dialect: MINFER"),
              ElementsAre(0, 0, 0, -1, 0, 0));
}

TEST(DryTest, AgreesWithTheNaiveSearch) {
  Pcg32 random(7);
  for (int round = 0; round < 300; ++round) {
    const int32_t letters = 2 + static_cast<int32_t>(random.Next() % 3);
    std::vector<TokenId> tokens(random.Next() % 40);
    for (TokenId& id : tokens) id = static_cast<TokenId>(random.Next() % letters);
    DryCase dry = {.multiplier = 0.5,
                   .base = 1.5,
                   .allowed_length = 1 + random.Next() % 3,
                   .window = 1 + random.Next() % 45};
    for (uint32_t i = random.Next() % 3; i > 0; --i) {
      std::vector<TokenId> breaker(1 + random.Next() % 3);
      for (TokenId& id : breaker) id = static_cast<TokenId>(random.Next() % (letters + 1));
      dry.breakers.push_back(breaker);
    }
    SCOPED_TRACE(absl::StrCat(RuleText(dry), " after ", absl::StrJoin(tokens, " ")));
    ExpectLogits(Processed(dry, tokens), NaiveDry(std::vector<float>(6, 0), tokens, dry), 1e-12);
  }
}

// Quadratic work would take minutes.
TEST(DryTest, IsLinearInTheWindow) {
  const std::vector<TokenId> same(1 << 18, 1);
  EXPECT_LT(Processed({.base = 1.0001}, same)[1], 0);
}

TEST(DryTest, Errors) {
  const auto error = [](const std::string& rule) {
    return std::string(
        ProcessLogits("processors { dry { " + rule + " } }", {0, 0, 0, 0}).status().message());
  };
  EXPECT_THAT(error("multiplier: -1"), HasSubstr("multiplier is -1; it must be in [0, inf)"));
  EXPECT_THAT(error("base: 0.5"), HasSubstr("base is 0.5; it must be in [1, inf)"));
  EXPECT_THAT(error("allowed_length: 0"), HasSubstr("allowed_length is 0"));
  EXPECT_THAT(error("window: -1"), HasSubstr("window is -1; it must be in [0, 1048576]"));
  EXPECT_THAT(error("sequence_breakers {}"), HasSubstr("sequence_breakers[0].ids is empty"));
  EXPECT_THAT(error("sequence_breakers { ids: [0, 4] }"),
              HasSubstr("sequence_breakers[0].ids[1] is 4; it must be in the vocabulary"));
  EXPECT_THAT(error("sequence_breakers { ids: [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0] }"),
              HasSubstr("has 21 token ids; at most 20 are allowed"));
}

std::vector<size_t> SuffixLengths(const std::vector<TokenId>& text) {
  std::vector<size_t> lengths = {7};  // Of an earlier call.
  CommonSuffixLengths(text, lengths);
  return lengths;
}

TEST(CommonSuffixTest, ByHand) {
  EXPECT_THAT(SuffixLengths({}), IsEmpty());
  EXPECT_THAT(SuffixLengths({7}), ElementsAre(1));
  // a b c c b c y a b c
  EXPECT_THAT(SuffixLengths({1, 2, 3, 3, 2, 3, 9, 1, 2, 3}),
              ElementsAre(0, 0, 3, 1, 0, 2, 0, 0, 0, 10));
}

TEST(CommonSuffixTest, AllShortTexts) {
  for (int length = 1; length <= 12; ++length) {
    for (int bits = 0; bits < (1 << length); ++bits) {
      std::vector<TokenId> text;
      for (int i = 0; i < length; ++i) text.push_back((bits >> i) & 1);
      std::vector<size_t> expected;
      for (int i = 0; i < length; ++i) {
        int n = 0;
        while (n <= i && text[i - n] == text[length - 1 - n]) ++n;
        expected.push_back(n);
      }
      ASSERT_THAT(SuffixLengths(text), ElementsAreArray(expected));
    }
  }
}

}  // namespace
}  // namespace logitchain
