// Both versions of mirostat. Expected cuts are from a Python transcription of the headers.

#include "logitchain/processors/mirostat.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/mirostat_v2.h"
#include "logitchain/tests/testing/rule_testing.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr char kV1[] = "draw { seed: 5 mirostat { tau: 2 eta: 0.5 m: 20 } } ";
constexpr char kV2[] = "draw { seed: 5 mirostat_v2 { tau: 2 eta: 0.5 } } ";

// How many tokens each draw has, where after each this token is committed.
std::vector<int> KeptCounts(Chain& chain, const std::vector<TokenId>& committed) {
  std::vector<int> kept;
  for (const TokenId token : committed) {
    const auto sample = chain.Draw(StepLogits(chain.history().output().size()));
    EXPECT_TRUE(sample.ok()) << sample.status();
    kept.push_back(sample.ok() ? sample->kept : -1);
    EXPECT_TRUE(chain.Commit(token).ok());
  }
  return kept;
}

// 34, the fifth, is cut off at its step and leaves mu alone; the others move it, drawn or not.
const std::vector<TokenId>& Committed() {
  static const auto* const tokens = new std::vector<TokenId>{43, 25, 19, 30, 34, 42, 6, 47};
  return *tokens;
}

TEST(MirostatTest, MuFollowsTheCommittedTokens) {
  EXPECT_THAT(KeptCounts(*MakeChain(kV1, kStepVocabSize), Committed()),
              ElementsAre(3, 4, 4, 4, 5, 6, 4, 4));
}

TEST(MirostatV2Test, MuFollowsTheCommittedTokens) {
  EXPECT_THAT(KeptCounts(*MakeChain(kV2, kStepVocabSize), Committed()),
              ElementsAre(7, 5, 8, 4, 5, 4, 3, 4));
}

TEST(MirostatTest, RollbackTakesMuBackByAnyNumberOfTokens) {
  for (const char* text : {kV1, kV2}) {
    const std::unique_ptr<Chain> chain = MakeChain(text, kStepVocabSize);
    const std::vector<int> kept = KeptCounts(*chain, Committed());
    for (int n = 1; n <= 8; ++n) {
      ASSERT_TRUE(chain->Rollback(n).ok());
      EXPECT_EQ(KeptCounts(*chain, {Committed().end() - n, Committed().end()}),
                std::vector<int>(kept.end() - n, kept.end()))
          << text << n;
    }
  }
}

// mu = 4. With m = 2, s = log 4 / log 2 = 2 and k = (16 / (1 − 1/7))^(1/2) = 4.3. With m = 3,
// s = log 4 · log 2 / (log² 2 + log² 1.5) = 1.49 and k = (0.49·16 / (1 − 7^−0.49))^(1/1.49) = 5.5.
TEST(MirostatTest, FitsZipfsLawToTheMostLikely) {
  const std::vector<float> logits = LogitsOf({0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
  for (const std::string& dialect : EveryDialect()) {
    const auto kept = [&](const std::string& m) {
      return MakeChain(dialect + "draw { mirostat { tau: 2 m: " + m + " } }", 7)
          ->Draw(logits)
          ->kept;
    };
    EXPECT_EQ(kept("2"), 4) << dialect;
    EXPECT_EQ(kept("3"), 5) << dialect;
  }
}

TEST(MirostatV2Test, CommitWithoutADrawLeavesMuAlone) {
  const std::unique_ptr<Chain> chain = MakeChain(kV2, kStepVocabSize);
  // The least likely of the cut; after a draw it would lower mu to 3.17 bits.
  ASSERT_TRUE(chain->Commit(24).ok());
  EXPECT_EQ(chain->Draw(StepLogits(0))->kept, 7);
  ASSERT_TRUE(chain->Rollback(0).ok());
  ASSERT_TRUE(chain->Commit(24).ok());
  EXPECT_EQ(chain->Draw(StepLogits(0))->kept, 7) << "the draw was rolled back";
  ASSERT_TRUE(chain->Commit(24).ok());
  EXPECT_LT(chain->Draw(StepLogits(0))->kept, 7);
}

TEST(MirostatV2Test, KeepsASurpriseOfExactlyMu) {
  // Four surprises of 2 bits each, and mu is 2·tau.
  for (const std::string& dialect : EveryDialect()) {
    const std::unique_ptr<Chain> equal = MakeChain(dialect + "draw { mirostat_v2 { tau: 1 } }", 4);
    EXPECT_EQ(equal->Draw(std::vector<float>{1, 1, 1, 1})->kept, 4) << dialect;
    const std::unique_ptr<Chain> below =
        MakeChain(dialect + "draw { mirostat_v2 { tau: 0.9999 } }", 4);
    EXPECT_EQ(below->Draw(std::vector<float>{1, 1, 1, 1})->kept, 1) << dialect;
  }
}

TEST(MirostatV2Test, DistributionIsOverTheCut) {
  // mu = 2 bits: tokens with at least a quarter.
  const std::vector<float> logits = LogitsOf({0.1, 0.5, 0.1, 0.3});
  for (const std::string& dialect : EveryDialect()) {
    const std::unique_ptr<Chain> chain =
        MakeChain(dialect + "draw { mirostat_v2 { tau: 1 } } logprobs: PROCESSED", 4);
    const std::vector<double> q = chain->Distribution(logits).value();
    EXPECT_THAT(
        q, ElementsAre(0, testing::DoubleNear(0.625, 1e-6), 0, testing::DoubleNear(0.375, 1e-6)));
    const auto sample = chain->Draw(logits);
    EXPECT_EQ(sample->kept, 2);
    EXPECT_EQ(sample->probability, q[sample->token]);
    EXPECT_NEAR(*sample->processed_logprob, std::log(q[sample->token]), 1e-6);
    EXPECT_EQ(Survivors(*chain, logits).size(), 4) << "the cut is the terminal's, not the rules'";
  }
}

TEST(MirostatTest, OneCandidateOrOneInTheEstimate) {
  for (const std::string& dialect : EveryDialect()) {
    for (const char* terminal : {"mirostat {}", "mirostat_v2 {}", "mirostat { m: 1 }"}) {
      const std::unique_ptr<Chain> chain =
          MakeChain(absl::StrCat(dialect, "draw { ", terminal, " }"), 2);
      EXPECT_EQ(chain->Sample(std::vector<float>{-kInfinity, 1})->token, 1) << dialect << terminal;
      EXPECT_EQ(chain->Sample(std::vector<float>{-kInfinity, 1})->kept, 1) << dialect << terminal;
    }
    const std::unique_ptr<Chain> chain =
        MakeChain(absl::StrCat(dialect, "draw { mirostat { m: 1 } }"), kStepVocabSize);
    EXPECT_EQ(chain->Sample(StepLogits(0))->kept, 1) << dialect;
  }
}

TEST(MirostatTest, DrawCounts) {
  for (const std::string& dialect : EveryDialect()) {
    const bool is_llama = dialect == "dialect: LLAMA_CPP ";
    for (const char* terminal : {"mirostat { tau: 3 }", "mirostat_v2 { tau: 3 }"}) {
      const std::unique_ptr<Chain> many =
          MakeChain(absl::StrCat(dialect, "draw { ", terminal, " }"), kStepVocabSize);
      const auto sample = many->Draw(StepLogits(0));
      EXPECT_GT(sample->kept, 1) << dialect << terminal;
      EXPECT_TRUE(sample->uniform.has_value());
      EXPECT_EQ(many->draws(), 1) << dialect << terminal;
      // A cut to one place.
      const std::unique_ptr<Chain> one =
          MakeChain(absl::StrCat(dialect, "draw { ", terminal, " }"), kStepVocabSize);
      std::vector<float> peak(kStepVocabSize, 0);
      peak[5] = 90;
      const auto certain = one->Draw(peak);
      EXPECT_EQ(certain->kept, 1);
      EXPECT_EQ(certain->token, 5);
      EXPECT_EQ(one->draws(), is_llama ? 0 : 1) << dialect << terminal;
      EXPECT_EQ(certain->uniform.has_value(), !is_llama);
    }
  }
}

TEST(MirostatV2Test, ChiSquare) {
  // The cut leaves the first five, renormalised; eta 0 keeps it there. 4 degrees of freedom: above
  // 33.4 with a probability of 1e-6.
  const std::vector<float> logits = LogitsOf({0.3, 0.25, 0.2, 0.13, 0.07, 0.03, 0.02});
  const std::vector<double> p = {0.3 / 0.95, 0.25 / 0.95, 0.2 / 0.95, 0.13 / 0.95, 0.07 / 0.95};
  constexpr int kTokens = 20000;
  for (const std::string& dialect : EveryDialect()) {
    const std::unique_ptr<Chain> chain =
        MakeChain(dialect + "draw { seed: 9 mirostat_v2 { tau: 2 eta: 0 } }", 7);
    std::vector<int> counts(7);
    for (int t = 0; t < kTokens; ++t) ++counts[chain->Sample(logits)->token];
    double chi_square = 0;
    for (size_t i = 0; i < p.size(); ++i) {
      const double expected = p[i] * kTokens;
      chi_square += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    EXPECT_LT(chi_square, 33.4) << dialect << testing::PrintToString(counts);
    EXPECT_EQ(counts[5] + counts[6], 0);
  }
}

TEST(MirostatTest, Errors) {
  EXPECT_THAT(Refusal("draw { mirostat { tau: -1 } }", 4),
              HasSubstr("draw.mirostat.tau is -1; it must be in [0, inf)"));
  EXPECT_THAT(Refusal("draw { mirostat { m: 0 } }", 4),
              HasSubstr("draw.mirostat.m is 0; it must be in [1, inf)"));
  EXPECT_THAT(Refusal("draw { mirostat_v2 { eta: nan } }", 4),
              HasSubstr("draw.mirostat_v2.eta is nan"));
  EXPECT_THAT(Refusal("processors { temperature { temperature: 0 } } draw { mirostat {} }", 4),
              HasSubstr("draw.mirostat does not draw greedily, as processors[0].temperature"));
  EXPECT_THAT(std::string(MakeChain("draw { mirostat {} }", 4)->SkipAhead(1).message()),
              HasSubstr("draw.mirostat: which tokens it may draw depends on those before"));
}

}  // namespace
}  // namespace logitchain
