#include "logitchain/processors/xtc.h"

#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/random/sub_stream.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/rule_testing.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::string XtcChain(double probability, double threshold, int min_keep = 1) {
  return absl::StrCat("processors { xtc { probability: ", probability, " threshold: ", threshold,
                      " min_keep: ", min_keep, " } } ");
}

// Four tokens, of which two or three are top choices.
const std::vector<float>& FourTokens() {
  static const auto* const logits = new std::vector<float>(LogitsOf({0.3, 0.4, 0.1, 0.2}));
  return *logits;
}

TEST(XtcTest, RemovesAllTopChoicesButTheLeastLikely) {
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + XtcChain(1, 0.15), FourTokens()), ElementsAre(2, 3)) << dialect;
    EXPECT_THAT(Survivors(dialect + XtcChain(1, 0.25), FourTokens()), ElementsAre(0, 2, 3))
        << dialect;
  }
}

TEST(XtcTest, OneTopChoiceStays) {
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_EQ(Survivors(dialect + XtcChain(1, 0.35), FourTokens()).size(), 4) << dialect;
    EXPECT_EQ(Survivors(dialect + XtcChain(1, 0.45), FourTokens()).size(), 4) << dialect;
  }
}

TEST(XtcTest, ThresholdItselfIsATopChoiceAndOfTiesTheLastStays) {
  const std::vector<float> equal = {1, 1, 1, 1};
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + XtcChain(1, 0.25), equal), ElementsAre(3)) << dialect;
    EXPECT_EQ(Survivors(dialect + XtcChain(1, 0.25001), equal).size(), 4) << dialect;
  }
}

TEST(XtcTest, MinKeepHoldsItBack) {
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + XtcChain(1, 0.15, 2), FourTokens()), ElementsAre(2, 3))
        << dialect;
    EXPECT_EQ(Survivors(dialect + XtcChain(1, 0.15, 3), FourTokens()).size(), 4) << dialect;
  }
}

TEST(XtcTest, RemovedTokensAreNeverTheOneThatStays) {
  const std::vector<float> logits = {-kInfinity, 1, 1, -kInfinity};
  for (const std::string& dialect : EveryDialect()) {
    EXPECT_THAT(Survivors(dialect + XtcChain(1, 0), logits), ElementsAre(2)) << dialect;
  }
}

TEST(XtcTest, ActsBelowItsProbability) {
  // 0x1.5760c88a22caep-1 by a Python transcription of the sub-stream.
  EXPECT_EQ(SubStream(42, PurposeNamed("logitchain.XtcConfig#0/0")).NextUniform(),
            0x1.5760c88a22caep-1);
  const auto chain = [](const char* probability) {
    return absl::StrCat(
        "draw { seed: 42 } processors { xtc { threshold: 0.15 probability: ", probability, " } }");
  };
  EXPECT_EQ(Survivors(chain("0.6706602734206137"), FourTokens()).size(), 4);
  EXPECT_EQ(Survivors(chain("0.6706602734206139"), FourTokens()).size(), 2);
}

TEST(XtcTest, ActsUpToItsProbabilityInLlamaCpp) {
  // The first float of mt19937(42) is 0x3ebfc3b9 in the golden file's meta data.
  const auto chain = [](const char* probability) {
    return absl::StrCat(
        "dialect: LLAMA_CPP draw { seed: 42 } processors { xtc { threshold: 0.15 probability: ",
        probability, " } }");
  };
  EXPECT_EQ(Survivors(chain("0.3745401203632355"), FourTokens()).size(), 2);
  EXPECT_EQ(Survivors(chain("0.3745400905609131"), FourTokens()).size(), 4);
}

TEST(XtcTest, OffTakesNoRandomNumber) {
  for (const std::string& off :
       {XtcChain(0, 0.1), XtcChain(1, 0.51), std::string("processors { xtc {} } ")}) {
    const std::unique_ptr<Chain> chain = MakeChain(off, 4);
    ASSERT_TRUE(chain->Sample(FourTokens()).ok());
    EXPECT_EQ(chain->draws(), 1) << off;
    EXPECT_TRUE(chain->SkipAhead(1).ok()) << off;
  }
}

TEST(XtcTest, TakesOneRandomNumberWithTwoOrMoreCandidates) {
  for (const std::string& dialect : EveryDialect()) {
    const std::unique_ptr<Chain> chain = MakeChain(dialect + XtcChain(0.5, 0.1), 4);
    ASSERT_TRUE(chain->Sample(FourTokens()).ok());
    EXPECT_EQ(chain->draws(), 2) << dialect;
    ASSERT_TRUE(chain->Sample(FourTokens()).ok());
    EXPECT_EQ(chain->draws(), 4) << dialect;
  }
}

TEST(XtcTest, OneCandidateTakesNoneUnlessOthersKeepTheirPlaces) {
  const std::vector<float> one = {-kInfinity, 1};
  for (const std::string& dialect : EveryDialect()) {
    const std::unique_ptr<Chain> chain = MakeChain(dialect + XtcChain(0.5, 0.1), 2);
    ASSERT_TRUE(chain->Sample(one).ok());
    EXPECT_EQ(chain->draws(), dialect == "dialect: LLAMA_CPP " ? 2 : 1) << dialect;
  }
  const std::unique_ptr<Chain> chain =
      MakeChain("dialect: LLAMA_CPP processors { top_k { k: 1 } } " + XtcChain(0.5, 0.1), 4);
  ASSERT_TRUE(chain->Sample(FourTokens()).ok());
  EXPECT_EQ(chain->draws(), 1);
}

TEST(XtcTest, TwoDoNotShareDraws) {
  // The second acts visibly only after the first: token 0 is gone, and 0.6 and 0.4 are left.
  const std::unique_ptr<Chain> chain = MakeChain(XtcChain(0.5, 0.25) + XtcChain(0.5, 0.35), 3);
  const std::vector<float> logits = LogitsOf({0.5, 0.3, 0.2});
  std::set<std::vector<TokenId>> seen;
  for (int t = 0; t < 64; ++t) {
    seen.insert(Survivors(*chain, logits));
    ASSERT_TRUE(chain->Sample(logits).ok());
  }
  // With one stream for both there would be no {1, 2}.
  EXPECT_THAT(seen, ElementsAre(ElementsAre(0, 1, 2), ElementsAre(1, 2), ElementsAre(2)));
  EXPECT_EQ(chain->draws(), 3 * 64);
}

std::vector<size_t> SurvivorCounts(const std::string& textproto) {
  const std::unique_ptr<Chain> chain = MakeChain(textproto, 4);
  std::vector<size_t> counts;
  for (int t = 0; t < 64; ++t) {
    counts.push_back(Survivors(*chain, FourTokens()).size());
    EXPECT_TRUE(chain->Sample(FourTokens()).ok());
  }
  return counts;
}

TEST(XtcTest, StreamHangsOnSeedAndOccurrenceAlone) {
  const std::string xtc = XtcChain(0.5, 0.15);
  const std::vector<size_t> counts = SurvivorCounts(xtc);
  EXPECT_THAT(counts, Contains(2));
  EXPECT_THAT(counts, Contains(4));
  EXPECT_EQ(SurvivorCounts("processors { top_k { k: 4 } } processors { typical { p: 1 } } " + xtc),
            counts);
  EXPECT_EQ(SurvivorCounts("draw { gumbel_max {} } " + xtc), counts);
  EXPECT_NE(SurvivorCounts("draw { seed: 1 } " + xtc), counts);
  const std::string seeded =
      "processors { xtc { probability: 0.5 threshold: 0.15 seed: 7 } } draw { seed: ";
  EXPECT_NE(SurvivorCounts(seeded + "1 }"), counts);
  EXPECT_EQ(SurvivorCounts(seeded + "1 }"), SurvivorCounts(seeded + "2 }"));
}

// XTC that acts at about every second step, and a filter after it.
constexpr char kStream[] =
    "processors { xtc { probability: 0.5 threshold: 0.05 } } draw { seed: 5 } ";

class XtcStreamTest : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Chain> Make() const { return MakeChain(GetParam() + kStream, kStepVocabSize); }
  std::vector<TokenId> Expected() const { return SampleTokens(*Make(), 30); }
};

INSTANTIATE_TEST_SUITE_P(Dialects, XtcStreamTest, testing::ValuesIn(EveryDialect()),
                         [](const auto& info) {
                           return info.param.substr(9, info.param.size() - 10);
                         });

TEST_P(XtcStreamTest, ByProductsDisturbNothing) {
  const std::unique_ptr<Chain> chain = Make();
  std::vector<TokenId> tokens;
  for (int t = 0; t < 30; ++t) {
    const std::vector<float> logits = StepLogits(t);
    const uint64_t before = chain->draws();
    const std::vector<double> q = chain->Distribution(logits).value();
    EXPECT_EQ(chain->Distribution(logits).value(), q);
    ASSERT_TRUE(chain->TokenLogprobs(logits).ok());
    EXPECT_EQ(chain->draws(), before);

    const auto sample = chain->Draw(logits);
    EXPECT_EQ(sample->probability, q[sample->token]);
    const uint64_t after = chain->draws();
    EXPECT_EQ(after, before + 2);
    EXPECT_EQ(chain->Distribution(logits).value(), q) << "between Draw and Commit";
    EXPECT_EQ(chain->draws(), after);
    ASSERT_TRUE(chain->Commit(sample->token).ok());
    tokens.push_back(sample->token);
  }
  EXPECT_EQ(tokens, Expected());
}

TEST_P(XtcStreamTest, RollbackForkAndReset) {
  const std::vector<TokenId> expected = Expected();
  const std::unique_ptr<Chain> chain = Make();
  SampleTokens(*chain, 20);
  const std::unique_ptr<Chain> fork = chain->Fork();
  ASSERT_TRUE(chain->Rollback(13).ok());
  EXPECT_EQ(chain->draws(), 14);
  EXPECT_EQ(SampleTokens(*chain, 23), std::vector<TokenId>(expected.begin() + 7, expected.end()));
  EXPECT_EQ(SampleTokens(*fork, 10), std::vector<TokenId>(expected.begin() + 20, expected.end()));
  ASSERT_TRUE(chain->Draw(StepLogits(30)).ok());
  ASSERT_TRUE(chain->Reset({}).ok());
  EXPECT_EQ(chain->draws(), 0);
  EXPECT_EQ(SampleTokens(*chain, 30), expected);
}

TEST_P(XtcStreamTest, ForkBetweenDrawAndCommit) {
  const std::vector<TokenId> expected = Expected();
  const std::unique_ptr<Chain> chain = Make();
  SampleTokens(*chain, 9);
  ASSERT_TRUE(chain->Draw(StepLogits(9)).ok());
  const std::unique_ptr<Chain> fork = chain->Fork();
  ASSERT_TRUE(fork->Commit(expected[9]).ok());
  EXPECT_EQ(SampleTokens(*fork, 20), std::vector<TokenId>(expected.begin() + 10, expected.end()));
  ASSERT_TRUE(chain->Rollback(0).ok());
  EXPECT_EQ(SampleTokens(*chain, 21), std::vector<TokenId>(expected.begin() + 9, expected.end()));
}

TEST_P(XtcStreamTest, AskingForLogprobsChangesNothing) {
  const std::unique_ptr<Chain> chain = MakeChain(
      absl::StrCat(GetParam(), kStream, "logprobs: RAW logprobs: PENALISED logprobs: PROCESSED"),
      kStepVocabSize);
  EXPECT_EQ(SampleTokens(*chain, 30), Expected());
}

TEST_P(XtcStreamTest, CannotSkipAhead) {
  const std::unique_ptr<Chain> chain = Make();
  EXPECT_THAT(
      std::string(chain->SkipAhead(3).message()),
      HasSubstr("processors[0].xtc: how many random numbers it takes depends on the logits"));
  EXPECT_EQ(SampleTokens(*chain, 30), Expected());
}

TEST(XtcTest, AFailedSampleTakesNothing) {
  // The temperature, after XTC, overflows on large logits only.
  const std::string config = absl::StrCat("order: AS_LISTED ", kStream,
                                          "processors { temperature { temperature: 1e-290 } }");
  const std::unique_ptr<Chain> smooth = MakeChain(config, kStepVocabSize);
  const std::unique_ptr<Chain> bumpy = MakeChain(config, kStepVocabSize);
  const std::vector<float> large(kStepVocabSize, 3e38f);
  const std::vector<float> small(kStepVocabSize, 1e-3f);
  for (int t = 0; t < 10; ++t) {
    EXPECT_FALSE(bumpy->Sample(large).ok());
    EXPECT_EQ(bumpy->draws(), smooth->draws());
    EXPECT_EQ(bumpy->Sample(small)->token, smooth->Sample(small)->token);
  }
}

TEST(XtcTest, Errors) {
  EXPECT_THAT(Refusal(XtcChain(1.5, 0.1), 4),
              HasSubstr("xtc.probability is 1.5; it must be in [0, 1]"));
  EXPECT_THAT(Refusal(XtcChain(0.5, -1), 4),
              HasSubstr("xtc.threshold is -1; it must be in [0, 1]"));
  EXPECT_THAT(Refusal("processors { temperature { temperature: 0 } } " + XtcChain(0.5, 0.1), 4),
              HasSubstr("processors[1].xtc may remove the most likely token"));
  EXPECT_THAT(
      Refusal("dialect: LLAMA_CPP processors { xtc { probability: 1 seed: 4294967296 } }", 4),
      HasSubstr("processors[0].xtc.seed is 4294967296; the generator mt19937 takes one in "
                "[0, 4294967295]"));
}

}  // namespace
}  // namespace logitchain
