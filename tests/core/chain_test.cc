// What core/chain.h promises of Draw, Commit, Fork, Rollback, Reset, SkipAhead and the by-products,
// in every dialect.

#include "logitchain/core/chain.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/chain_observer.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/testing/chain_after.h"
#include "logitchain/tests/testing/logit_recipe.h"
#include "logitchain/tests/testing/scripted_rules.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
constexpr float kPlusInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

constexpr int32_t kVocabSize = 64;
constexpr int kSteps = 12;

std::vector<float> LogitsAt(int step) {
  return RecipeLogits("uniform8", kVocabSize, /*logits_seed=*/7, step);
}

// A step as far as a caller can see it.
struct Step {
  TokenId token;
  std::optional<double> uniform;
  int32_t kept;

  friend bool operator==(const Step&, const Step&) = default;
  friend void PrintTo(const Step& step, std::ostream* os) {
    *os << "token " << step.token << " of " << step.kept;
  }
};

Step StepOf(const Sample& sample) { return {sample.token, sample.uniform, sample.kept}; }

// Samples at the steps from `begin` up to `end`.
std::vector<Step> Drive(Chain& chain, int begin, int end) {
  std::vector<Step> steps;
  for (int t = begin; t < end; ++t) {
    const absl::StatusOr<Sample> sample = chain.Sample(LogitsAt(t));
    if (!sample.ok()) {
      ADD_FAILURE() << sample.status();
      break;
    }
    steps.push_back(StepOf(*sample));
  }
  return steps;
}

std::vector<TokenId> TokensOf(const std::vector<Step>& steps) {
  std::vector<TokenId> tokens;
  for (const Step& step : steps) tokens.push_back(step.token);
  return tokens;
}

// Rules that depend on the past, and rules that do not.
constexpr absl::string_view kPenalties = R"pb(
  processors { grammar_mask { banned_ids: 3 } }
  processors { repetition_penalty { penalty: 1.5 window: 3 } }
  processors { presence_frequency_penalty { presence: 1 frequency: 0.5 } }
)pb";
constexpr absl::string_view kShaping = R"pb(
  processors { temperature { temperature: 1.5 } }
  processors { top_k { k: 20 } }
  processors { top_p { p: 0.95 } }
  processors { min_p { p: 0.01 } }
  draw { seed: 11 }
)pb";
const std::vector<TokenId> kPrompt = {5, 5, 9, 60};

// A chain of all rules, after kPrompt, in a dialect.
class EveryDialectTest : public testing::TestWithParam<ChainConfig::Dialect> {
 protected:
  static std::string Header() {
    return absl::StrCat("order: AS_LISTED dialect: ", ChainConfig::Dialect_Name(GetParam()));
  }
  static std::unique_ptr<Chain> Make(absl::string_view more = "") {
    return ChainAfter(absl::StrCat(Header(), kPenalties, kShaping, more), kVocabSize,
                      {.prompt = kPrompt});
  }
  // Its tokens do not depend on the past.
  static std::unique_ptr<Chain> MakeWithoutPenalties() {
    return MakeChain(absl::StrCat(Header(), kShaping), kVocabSize);
  }

  const std::unique_ptr<Chain> chain_ = Make();
  const std::vector<Step> expected_ = Drive(*Make(), 0, kSteps);
};

INSTANTIATE_TEST_SUITE_P(, EveryDialectTest,
                         testing::Values(ChainConfig::SPEC, ChainConfig::MINFER,
                                         ChainConfig::LLAMA_CPP, ChainConfig::HUGGING_FACE,
                                         ChainConfig::VLLM),
                         [](const auto& info) { return ChainConfig::Dialect_Name(info.param); });

TEST_P(EveryDialectTest, TheSameChainGivesTheSameTokens) {
  EXPECT_EQ(Drive(*chain_, 0, kSteps), expected_);
  EXPECT_EQ(chain_->draws(), kSteps);
  EXPECT_EQ(chain_->history().prompt(), absl::MakeConstSpan(kPrompt));
  EXPECT_EQ(chain_->history().output(), absl::MakeConstSpan(TokensOf(expected_)));
}

TEST_P(EveryDialectTest, DrawAndCommitAreSample) {
  for (int t = 0; t < kSteps; ++t) {
    const Sample sample = chain_->Draw(LogitsAt(t)).value();
    EXPECT_EQ(StepOf(sample), expected_[t]);
    ASSERT_THAT(chain_->Commit(sample.token), IsOk());
  }
}

TEST_P(EveryDialectTest, RolledBackByAnyNumberItGivesTheSameTokensAgain) {
  for (int n = 0; n <= kSteps; ++n) {
    SCOPED_TRACE(n);
    const auto chain = Make();
    Drive(*chain, 0, kSteps);
    ASSERT_THAT(chain->Rollback(n), IsOk());
    const int left = kSteps - n;
    EXPECT_EQ(chain->draws(), left);
    const std::vector<TokenId> tokens = TokensOf(expected_);
    EXPECT_EQ(chain->history().output(), absl::MakeConstSpan(tokens).first(left));
    EXPECT_EQ(chain->history().prompt(), absl::MakeConstSpan(kPrompt));
    EXPECT_EQ(Drive(*chain, left, kSteps),
              std::vector<Step>(expected_.begin() + left, expected_.end()));
  }
}

TEST_P(EveryDialectTest, RolledBackAgainAndAgainItGivesTheSameTokens) {
  Drive(*chain_, 0, 3);
  for (int t = 3; t < kSteps; ++t) {
    Drive(*chain_, t, t + 1);
    ASSERT_THAT(chain_->Rollback(3), IsOk());
    Drive(*chain_, t - 2, t + 1);
  }
  EXPECT_EQ(chain_->history().output(), absl::MakeConstSpan(TokensOf(expected_)));
}

TEST_P(EveryDialectTest, RollbackByZeroDropsADraw) {
  Drive(*chain_, 0, 2);
  chain_->Draw(LogitsAt(2)).value();
  EXPECT_EQ(chain_->draws(), 3);
  ASSERT_THAT(chain_->Rollback(0), IsOk());
  EXPECT_EQ(chain_->draws(), 2);
  EXPECT_EQ(Drive(*chain_, 2, kSteps), std::vector<Step>(expected_.begin() + 2, expected_.end()));
}

TEST_P(EveryDialectTest, RollbackByOneDropsADrawAndACommit) {
  Drive(*chain_, 0, 3);
  chain_->Draw(LogitsAt(3)).value();
  ASSERT_THAT(chain_->Rollback(1), IsOk());
  EXPECT_EQ(chain_->draws(), 2);
  EXPECT_EQ(Drive(*chain_, 2, kSteps), std::vector<Step>(expected_.begin() + 2, expected_.end()));
}

TEST_P(EveryDialectTest, RollbackTakesOnlyWhatWasCommitted) {
  Drive(*chain_, 0, 2);
  for (const int32_t n :
       {-1, 3, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
    EXPECT_THAT(chain_->Rollback(n), StatusIs(absl::StatusCode::kInvalidArgument,
                                              absl::StrCat("cannot roll back by ", n,
                                                           " tokens; it must be in [0, 2], the "
                                                           "number that were committed")));
  }
  EXPECT_EQ(Drive(*chain_, 2, kSteps), std::vector<Step>(expected_.begin() + 2, expected_.end()));
}

TEST_P(EveryDialectTest, AForkDrivenAlikeGivesTheSameTokens) {
  Drive(*chain_, 0, 5);
  const auto fork = chain_->Fork();
  EXPECT_EQ(fork->draws(), 5);
  EXPECT_EQ(fork->vocab_size(), kVocabSize);
  EXPECT_EQ(&fork->dialect(), &chain_->dialect());
  const std::vector<Step> rest(expected_.begin() + 5, expected_.end());
  EXPECT_EQ(Drive(*fork, 5, kSteps), rest);
  EXPECT_EQ(Drive(*chain_, 5, kSteps), rest);
}

TEST_P(EveryDialectTest, AForkDoesNotDisturbItsParent) {
  Drive(*chain_, 0, 5);
  const auto fork = chain_->Fork();
  Drive(*fork, 20, 30);
  ASSERT_THAT(fork->Rollback(12), IsOk());
  ASSERT_THAT(fork->Commit(1), IsOk());
  ASSERT_THAT(fork->SkipAhead(100), IsOk());
  EXPECT_EQ(chain_->draws(), 5);
  EXPECT_EQ(chain_->history().output(), absl::MakeConstSpan(TokensOf(expected_)).first(5));
  EXPECT_EQ(Drive(*chain_, 5, kSteps), std::vector<Step>(expected_.begin() + 5, expected_.end()));
}

TEST_P(EveryDialectTest, AParentDoesNotDisturbItsFork) {
  Drive(*chain_, 0, 5);
  const auto fork = chain_->Fork();
  Drive(*chain_, 20, 30);
  ASSERT_THAT(chain_->Reset(kPrompt), IsOk());
  EXPECT_EQ(Drive(*fork, 5, kSteps), std::vector<Step>(expected_.begin() + 5, expected_.end()));
  ASSERT_THAT(fork->Rollback(kSteps), IsOk());
  EXPECT_EQ(Drive(*fork, 0, kSteps), expected_);
}

TEST_P(EveryDialectTest, AForkOutlivesItsParent) {
  auto parent = Make();
  Drive(*parent, 0, 5);
  const auto fork = parent->Fork();
  parent.reset();
  EXPECT_EQ(Drive(*fork, 5, kSteps), std::vector<Step>(expected_.begin() + 5, expected_.end()));
}

TEST_P(EveryDialectTest, AForkOfADrawnStepMayCommitTheDraw) {
  const Sample sample = chain_->Draw(LogitsAt(0)).value();
  const auto fork = chain_->Fork();
  EXPECT_THAT(fork->Draw(LogitsAt(0)), StatusIs(absl::StatusCode::kFailedPrecondition));
  ASSERT_THAT(fork->Commit(sample.token), IsOk());
  EXPECT_EQ(Drive(*fork, 1, kSteps), std::vector<Step>(expected_.begin() + 1, expected_.end()));
}

TEST_P(EveryDialectTest, ResetStartsAnew) {
  Drive(*chain_, 0, 5);
  chain_->Draw(LogitsAt(5)).value();
  ASSERT_THAT(chain_->Reset(kPrompt), IsOk());
  EXPECT_EQ(chain_->draws(), 0);
  EXPECT_THAT(chain_->history().output(), IsEmpty());
  EXPECT_EQ(Drive(*chain_, 0, kSteps), expected_);
}

TEST_P(EveryDialectTest, ResetTakesAnotherPrompt) {
  Drive(*chain_, 0, 5);
  const std::vector<TokenId> prompt = {1, 2};
  ASSERT_THAT(chain_->Reset(prompt), IsOk());
  EXPECT_EQ(chain_->history().prompt(), absl::MakeConstSpan(prompt));
  const auto fresh =
      ChainAfter(absl::StrCat(Header(), kPenalties, kShaping), kVocabSize, {.prompt = prompt});
  EXPECT_EQ(Drive(*chain_, 0, kSteps), Drive(*fresh, 0, kSteps));
}

TEST_P(EveryDialectTest, ADrawMayNotFollowADraw) {
  const Sample sample = chain_->Draw(LogitsAt(0)).value();
  const auto refusal =
      StatusIs(absl::StatusCode::kFailedPrecondition,
               "a token was drawn at this step already; commit one, or roll back by 0, to go on");
  EXPECT_THAT(chain_->Draw(LogitsAt(0)), refusal);
  EXPECT_THAT(chain_->Sample(LogitsAt(0)), refusal);
  EXPECT_EQ(chain_->draws(), 1);
  ASSERT_THAT(chain_->Commit(sample.token), IsOk());
  EXPECT_EQ(Drive(*chain_, 1, kSteps), std::vector<Step>(expected_.begin() + 1, expected_.end()));
}

TEST_P(EveryDialectTest, AnotherTokenThanTheDrawnOneMayBeCommitted) {
  const Sample drawn = chain_->Draw(LogitsAt(0)).value();
  const TokenId other = drawn.token == 1 ? 2 : 1;
  ASSERT_THAT(chain_->Commit(other), IsOk());
  EXPECT_EQ(chain_->draws(), 1);
  EXPECT_THAT(chain_->history().output(), ElementsAre(other));
  // The draw's uniform is spent: the next token gets the second one.
  EXPECT_EQ(chain_->Sample(LogitsAt(1)).value().uniform, expected_[1].uniform);
}

TEST_P(EveryDialectTest, ACommitWithoutADrawTakesNoUniform) {
  ASSERT_THAT(chain_->Commit(1), IsOk());
  ASSERT_THAT(chain_->Commit(3), IsOk());  // Banned, but the caller may know better.
  EXPECT_EQ(chain_->draws(), 0);
  EXPECT_EQ(chain_->Sample(LogitsAt(0)).value().uniform, expected_[0].uniform);
  ASSERT_THAT(chain_->Rollback(3), IsOk());
  EXPECT_EQ(Drive(*chain_, 0, kSteps), expected_);
}

TEST_P(EveryDialectTest, SkipAheadIsThatManySampledTokens) {
  const std::vector<Step> expected = Drive(*MakeWithoutPenalties(), 0, kSteps);
  for (int n = 0; n < kSteps; ++n) {
    const auto chain = MakeWithoutPenalties();
    ASSERT_THAT(chain->SkipAhead(n), IsOk());
    EXPECT_EQ(chain->draws(), n);
    EXPECT_EQ(Drive(*chain, n, kSteps), std::vector<Step>(expected.begin() + n, expected.end()));
  }
}

TEST_P(EveryDialectTest, SkipsAddUp) {
  const auto once = MakeWithoutPenalties();
  const auto twice = MakeWithoutPenalties();
  ASSERT_THAT(once->SkipAhead(100000), IsOk());
  ASSERT_THAT(twice->SkipAhead(1), IsOk());
  ASSERT_THAT(twice->SkipAhead(99999), IsOk());
  EXPECT_EQ(Drive(*once, 0, 3), Drive(*twice, 0, 3));
}

TEST_P(EveryDialectTest, ASkipBelongsToTheStepThatItPrecedes) {
  const auto chain = MakeWithoutPenalties();
  const Step first = Drive(*chain, 0, 1).front();
  ASSERT_THAT(chain->SkipAhead(5), IsOk());
  const Step second = Drive(*chain, 1, 2).front();
  EXPECT_EQ(chain->draws(), 7);

  ASSERT_THAT(chain->Rollback(1), IsOk());
  EXPECT_EQ(chain->draws(), 6);
  EXPECT_EQ(Drive(*chain, 1, 2).front(), second);
  ASSERT_THAT(chain->Rollback(2), IsOk());
  EXPECT_EQ(chain->draws(), 0);
  EXPECT_EQ(Drive(*chain, 0, 1).front(), first);
}

TEST_P(EveryDialectTest, SkipAheadIsRefusedBetweenDrawAndCommit) {
  const Sample sample = chain_->Draw(LogitsAt(0)).value();
  EXPECT_THAT(chain_->SkipAhead(1),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "cannot skip ahead between a draw and its commit; commit or roll back by 0 "
                       "first"));
  ASSERT_THAT(chain_->Commit(sample.token), IsOk());
  EXPECT_EQ(Drive(*chain_, 1, kSteps), std::vector<Step>(expected_.begin() + 1, expected_.end()));
}

TEST_P(EveryDialectTest, SkipAheadHasALimit) {
  Drive(*chain_, 0, 1);
  for (const uint64_t n : {uint64_t{1} << 32, std::numeric_limits<uint64_t>::max()}) {
    EXPECT_THAT(chain_->SkipAhead(n),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         absl::StrCat("cannot skip ", n,
                                      " tokens after 1 draws; the sum may be at most 4294967296")));
  }
  EXPECT_EQ(chain_->draws(), 1);
  EXPECT_EQ(Drive(*chain_, 1, kSteps), std::vector<Step>(expected_.begin() + 1, expected_.end()));
}

TEST_P(EveryDialectTest, ByProductsChangeNoToken) {
  for (int t = 0; t < kSteps; ++t) {
    const auto look = [&] {
      // Also at other steps' logits.
      for (const int step : {t, t + 100}) {
        EXPECT_THAT(chain_->Process(LogitsAt(step)), IsOk());
        EXPECT_THAT(chain_->Distribution(LogitsAt(step)), IsOk());
        EXPECT_THAT(chain_->TokenLogprobs(LogitsAt(step)), IsOk());
        EXPECT_THAT(chain_->Entropy(LogitsAt(step)), IsOk());
      }
    };
    look();
    EXPECT_EQ(chain_->draws(), t);
    const Sample sample = chain_->Draw(LogitsAt(t)).value();
    EXPECT_EQ(StepOf(sample), expected_[t]);
    look();
    EXPECT_EQ(chain_->draws(), t + 1);
    ASSERT_THAT(chain_->Commit(sample.token), IsOk());
  }
}

TEST_P(EveryDialectTest, ByProductsAgreeWithTheDraw) {
  const auto chain = Make("logprobs: RAW logprobs: PENALISED logprobs: PROCESSED");
  for (int t = 0; t < kSteps; ++t) {
    const std::vector<double> processed = chain->Process(LogitsAt(t)).value();
    const std::vector<double> q = chain->Distribution(LogitsAt(t)).value();
    const std::vector<double> logprobs = chain->TokenLogprobs(LogitsAt(t)).value();
    const double entropy = chain->Entropy(LogitsAt(t)).value();
    const Sample sample = chain->Sample(LogitsAt(t)).value();

    int kept = 0;
    double expected_entropy = 0;
    for (int32_t id = 0; id < kVocabSize; ++id) {
      kept += processed[id] != kRemoved;
      if (processed[id] == kRemoved) {
        EXPECT_EQ(q[id], 0) << id;
      }
      if (q[id] > 0) expected_entropy -= q[id] * std::log(q[id]);
    }
    EXPECT_EQ(sample.kept, kept);
    EXPECT_EQ(sample.probability, q[sample.token]);
    EXPECT_EQ(sample.penalised_logprob, logprobs[sample.token]);
    EXPECT_NEAR(sample.processed_logprob.value(), std::log(q[sample.token]), 1e-5);
    EXPECT_NEAR(entropy, expected_entropy, 1e-12);
    EXPECT_EQ(logprobs[3], kRemoved);  // The mask's.
  }
}

TEST_P(EveryDialectTest, AskingForLogprobsChangesNoToken) {
  const std::array<absl::string_view, 3> kinds = {" logprobs: RAW", " logprobs: PENALISED",
                                                  " logprobs: PROCESSED"};
  for (int subset = 0; subset < 8; ++subset) {
    std::string asked;
    for (int kind = 0; kind < 3; ++kind) {
      if (subset >> kind & 1) absl::StrAppend(&asked, kinds[kind]);
    }
    SCOPED_TRACE(asked);
    const auto chain = Make(asked);
    EXPECT_EQ(Drive(*chain, 0, kSteps), expected_);
    const Sample sample = chain->Sample(LogitsAt(kSteps)).value();
    EXPECT_EQ(sample.raw_logprob.has_value(), subset & 1);
    EXPECT_EQ(sample.penalised_logprob.has_value(), subset >> 1 & 1);
    EXPECT_EQ(sample.processed_logprob.has_value(), subset >> 2 & 1);
    EXPECT_EQ(sample.probability.has_value(), subset >> 2 & 1);
  }
}

// --- Greedy
// ---------------------------------------------------------------------------------------

TEST(GreedyChainTest, SkipAheadDoesNothing) {
  const auto chain = MakeChain("draw { greedy {} }", kVocabSize);
  ASSERT_THAT(chain->SkipAhead(1000), IsOk());
  EXPECT_EQ(chain->draws(), 0);
}

TEST(GreedyChainTest, RollbackAndForkWork) {
  const std::string text =
      absl::StrCat(kPenalties, "processors { temperature { temperature: 0 } }");
  const auto chain = ChainAfter(text, kVocabSize, {.prompt = kPrompt});
  const std::vector<Step> expected = Drive(*chain, 0, kSteps);
  ASSERT_THAT(chain->Rollback(7), IsOk());
  const std::vector<Step> rest(expected.begin() + 5, expected.end());
  EXPECT_EQ(Drive(*chain->Fork(), 5, kSteps), rest);
  EXPECT_EQ(Drive(*chain, 5, kSteps), rest);
  EXPECT_EQ(chain->draws(), 0);
}

TEST(GreedyChainTest, AtTemperatureZeroTheLaterFiltersDoNotRun) {
  const auto chain = MakeChain(R"pb(
                                 processors { temperature { temperature: 0 } }
                                 processors { top_k { k: 2 } }
                                 processors { min_p { p: 0.5 } }
                                 logprobs: RAW
                                 logprobs: PENALISED
                                 logprobs: PROCESSED
                               )pb",
                               4);
  const std::vector<float> logits = {1, 3, 2, 0};
  EXPECT_THAT(chain->Process(logits), IsOkAndHolds(ElementsAre(1, 3, 2, 0)));
  EXPECT_THAT(chain->Distribution(logits), IsOkAndHolds(ElementsAre(0, 1, 0, 0)));
  EXPECT_THAT(chain->Entropy(logits), IsOkAndHolds(Eq(0)));
  EXPECT_FALSE(std::signbit(chain->Entropy(logits).value()));
  const Sample sample = chain->Sample(logits).value();
  EXPECT_EQ(sample.token, 1);
  EXPECT_EQ(sample.processed_logprob, 0);
  EXPECT_EQ(sample.raw_logprob, sample.penalised_logprob);
}

TEST(GreedyChainTest, AGreedyDrawComesAfterAllRules) {
  const auto chain = MakeChain(R"pb(
                                 processors { temperature { temperature: 0.5 } }
                                 processors { top_k { k: 2 } }
                                 draw { greedy {} }
                               )pb",
                               4);
  EXPECT_THAT(chain->Process(std::vector<float>{1, 3, 2, 0}),
              IsOkAndHolds(ElementsAre(kRemoved, 6, 4, kRemoved)));
  EXPECT_EQ(chain->Sample(std::vector<float>{1, 3, 2, 0}).value().token, 1);
}

TEST(GreedyChainTest, AMaskBeatsTheBestLogit) {
  const auto chain = MakeChain(R"pb(
                                 processors { grammar_mask { banned_ids: 1 } }
                                 processors { temperature { temperature: 0 } }
                               )pb",
                               4);
  EXPECT_EQ(chain->Sample(std::vector<float>{1, 3, 2, 0}).value().token, 2);
}

TEST(LlamaCppGreedyTest, TemperatureZeroStillTakesAUniform) {
  const auto chain =
      MakeChain("dialect: LLAMA_CPP processors { temperature { temperature: 0 } }", 4);
  const Sample sample = chain->Sample(std::vector<float>{1, 3, 3, 0}).value();
  EXPECT_EQ(sample.token, 1);
  EXPECT_FALSE(sample.greedy);
  EXPECT_EQ(chain->draws(), 1);
}

// --- Logprobs
// -------------------------------------------------------------------------------------

// Odds 1 : 3 : 4 before the rules; the penalty takes a half off token 2's logit.
TEST(LogprobTest, EachKindSeesTheChainAtItsOwnPlace) {
  const auto chain = ChainAfter(R"pb(
                                  processors { grammar_mask { banned_ids: 0 } }
                                  processors { presence_frequency_penalty { presence: 0.5 } }
                                  processors { temperature { temperature: 0.5 } }
                                  logprobs: [ RAW, PENALISED, PROCESSED ]
                                )pb",
                                3, {.output = {2}});
  const std::vector<float> logits = {0, std::log(3.0f), std::log(4.0f)};
  const Sample sample = chain->Sample(logits).value();
  const double odds = std::exp(-0.5) * 4;
  EXPECT_THAT(chain->TokenLogprobs(logits),
              IsOkAndHolds(ElementsAre(kRemoved, Not(kRemoved), Not(kRemoved))));
  ASSERT_EQ(sample.token, 2);
  EXPECT_NEAR(*sample.raw_logprob, std::log(4.0 / 8), 1e-6);
  EXPECT_NEAR(*sample.penalised_logprob, std::log(odds / (3 + odds)), 1e-6);
  EXPECT_NEAR(*sample.processed_logprob, std::log(odds * odds / (9 + odds * odds)), 1e-6);
}

// vllm-project/vllm#9453.
TEST(LogprobTest, RawAndProcessedAreAnExplicitChoice) {
  const auto chain = MakeChain(R"pb(
                                 processors { temperature { temperature: 0.5 } }
                                 logprobs: [ RAW, PROCESSED ]
                               )pb",
                               2);
  const Sample sample = chain->Sample(std::vector<float>{2, 1}).value();
  ASSERT_EQ(sample.token, 0);
  EXPECT_NEAR(*sample.raw_logprob, -0.313261688, 1e-9);
  EXPECT_NEAR(*sample.processed_logprob, -0.126928011, 1e-9);
}

TEST(LogprobTest, OfAGreedyTokenProcessedIsZero) {
  const auto chain = MakeChain(R"pb(
                                 draw { greedy {} }
                                 logprobs: [ RAW, PENALISED, PROCESSED ]
                               )pb",
                               2);
  const Sample sample = chain->Sample(std::vector<float>{2, 1}).value();
  EXPECT_NEAR(*sample.raw_logprob, -0.313261688, 1e-9);
  EXPECT_NEAR(*sample.penalised_logprob, -0.313261688, 1e-9);
  EXPECT_EQ(*sample.processed_logprob, 0);
}

// --- Input
// ----------------------------------------------------------------------------------------

struct BadLogits {
  std::string name;
  std::vector<float> logits;
  std::string message;
};

class BadLogitsTest : public testing::TestWithParam<BadLogits> {};

INSTANTIATE_TEST_SUITE_P(
    , BadLogitsTest,
    testing::Values(
        BadLogits{"None", {}, "there are 0 logits; the vocabulary has 3 tokens"},
        BadLogits{"TooFew", {1, 2}, "there are 2 logits; the vocabulary has 3 tokens"},
        BadLogits{"TooMany", {1, 2, 3, 4}, "there are 4 logits; the vocabulary has 3 tokens"},
        BadLogits{"Nan",
                  {1, kNan, kNan},
                  "the logit of token 1 is nan; it must be finite or -inf (on_bad_logits: REMOVE "
                  "removes such tokens)"},
        BadLogits{"PlusInfinity",
                  {kMinusInfinity, 1, kPlusInfinity},
                  "the logit of token 2 is inf; it must be finite or -inf (on_bad_logits: REMOVE "
                  "removes such tokens)"},
        BadLogits{"AllMinusInfinity",
                  {kMinusInfinity, kMinusInfinity, kMinusInfinity},
                  "none of the 3 logits is finite; at least one token must be possible"}),
    [](const auto& info) { return info.param.name; });

TEST_P(BadLogitsTest, AreRefusedByEveryCall) {
  const auto chain = MakeChain("processors { top_k { k: 2 } }", 3);
  const auto refusal = StatusIs(absl::StatusCode::kInvalidArgument, GetParam().message);
  EXPECT_THAT(chain->Process(GetParam().logits), refusal);
  EXPECT_THAT(chain->Distribution(GetParam().logits), refusal);
  EXPECT_THAT(chain->TokenLogprobs(GetParam().logits), refusal);
  EXPECT_THAT(chain->Entropy(GetParam().logits), refusal);
  EXPECT_THAT(chain->Draw(GetParam().logits), refusal);
  EXPECT_THAT(chain->Sample(GetParam().logits), refusal);
  EXPECT_EQ(chain->draws(), 0);
  EXPECT_THAT(chain->Sample(std::vector<float>{1, 2, 3}), IsOk());
}

TEST(OnBadLogitsTest, RemoveRemovesJustThoseTokens) {
  const auto chain = MakeChain("on_bad_logits: REMOVE logprobs: RAW", 5);
  const std::vector<float> logits = {kNan, 1, kPlusInfinity, kMinusInfinity, 1};
  EXPECT_THAT(chain->Process(logits),
              IsOkAndHolds(ElementsAre(kRemoved, 1, kRemoved, kRemoved, 1)));
  EXPECT_THAT(chain->Distribution(logits), IsOkAndHolds(ElementsAre(0, 0.5, 0, 0, 0.5)));
  const Sample sample = chain->Sample(logits).value();
  EXPECT_EQ(sample.token, 4);
  EXPECT_EQ(sample.kept, 2);
  EXPECT_EQ(sample.raw_logprob, std::log(0.5));
}

TEST(OnBadLogitsTest, RemoveOfAllIsAnError) {
  const auto chain = MakeChain("on_bad_logits: REMOVE", 3);
  EXPECT_THAT(chain->Sample(std::vector<float>{kNan, kPlusInfinity, kMinusInfinity}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "none of the 3 logits is finite; at least one token must be possible"));
}

TEST(TokenIdTest, IdsOutsideTheVocabularyAreRefused) {
  const auto chain = MakeChain("", 3);
  for (const TokenId id :
       {3, -1, std::numeric_limits<TokenId>::max(), std::numeric_limits<TokenId>::min()}) {
    EXPECT_THAT(chain->Commit(id), StatusIs(absl::StatusCode::kInvalidArgument,
                                            absl::StrCat("output token id ", id,
                                                         " is outside the vocabulary, [0, 3)")));
    EXPECT_THAT(
        chain->Reset(std::vector<TokenId>{0, id}),
        StatusIs(absl::StatusCode::kInvalidArgument,
                 absl::StrCat("prompt token id ", id, " is outside the vocabulary, [0, 3)")));
  }
  EXPECT_THAT(chain->history().all(), IsEmpty());
}

TEST(TokenIdTest, MinferTakesAnyIdAndItHoldsAPlaceInTheWindow) {
  const auto chain = ChainAfter(R"pb(
                                  dialect: MINFER
                                  processors { repetition_penalty { penalty: 2 window: 2 } }
                                )pb",
                                3, {.prompt = {0, 1, 3}, .output = {-1}});
  EXPECT_THAT(chain->Process(std::vector<float>{8, 8, 8}), IsOkAndHolds(ElementsAre(8, 8, 8)));
  ASSERT_THAT(chain->Rollback(1), IsOk());
  EXPECT_THAT(chain->Process(std::vector<float>{8, 8, 8}), IsOkAndHolds(ElementsAre(8, 4, 8)));
}

TEST(HistoryLimitTest, APromptMayBeTooLong) {
  const auto chain = MakeChain("", 3);
  EXPECT_THAT(chain->Reset(std::vector<TokenId>(kMaxHistory + 1)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "the prompt has 1048577 tokens; at most 1048576 are allowed"));
}

TEST(HistoryLimitTest, AFullHistoryTakesNoToken) {
  const auto chain = MakeChain("", 3);
  ASSERT_THAT(chain->Reset(std::vector<TokenId>(kMaxHistory - 1)), IsOk());
  ASSERT_THAT(chain->Sample(std::vector<float>{1, 2, 3}), IsOk());
  const auto refusal = StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("is full"));
  EXPECT_THAT(chain->Commit(0), refusal);
  EXPECT_THAT(chain->Sample(std::vector<float>{1, 2, 3}), refusal);
  EXPECT_EQ(chain->draws(), 1);
  ASSERT_THAT(chain->Rollback(1), IsOk());
  EXPECT_THAT(chain->Sample(std::vector<float>{1, 2, 3}), IsOk());
}

// --- Extreme numbers
// ------------------------------------------------------------------------------

TEST(ExtremeNumbersTest, ATemperatureThatOverflowsIsAnErrorNotNan) {
  const auto chain = MakeChain("processors { temperature { temperature: 1e-308 } }", 2);
  EXPECT_THAT(chain->Sample(std::vector<float>{0, 1e10}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "processors[0].temperature: the logit of token 1 would become inf; a "
                       "transform may write only finite logits"));
  EXPECT_THAT(chain->Sample(std::vector<float>{-1e10, 1}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("the logit of token 0 would become -inf")));
}

// vllm-project/vllm#1623: 10/1e-4 overflowed float16.
TEST(ExtremeNumbersTest, ASmallTemperatureIsFinite) {
  const auto chain = MakeChain("processors { temperature { temperature: 1e-4 } }", 2);
  EXPECT_THAT(chain->Distribution(std::vector<float>{10, 9}), IsOkAndHolds(ElementsAre(1, 0)));
}

TEST(ExtremeNumbersTest, TheLargestFloatsAreOrdinaryLogits) {
  constexpr float kMax = std::numeric_limits<float>::max();
  const auto chain = MakeChain("processors { top_p { p: 0.9 } }", 3);
  EXPECT_THAT(chain->Distribution(std::vector<float>{-kMax, kMax, 0}),
              IsOkAndHolds(ElementsAre(0, 1, 0)));
}

TEST(ExtremeNumbersTest, AVocabularyOfOne) {
  const auto chain = MakeChain(absl::StrCat(kShaping), 1);
  EXPECT_EQ(chain->Sample(std::vector<float>{-3}).value().token, 0);
  EXPECT_THAT(chain->Entropy(std::vector<float>{-3}), IsOkAndHolds(Eq(0)));
}

// --- Masks and observers from outside
// -------------------------------------------------------------

std::unique_ptr<Filter> BanToken(TokenId id) {
  return std::make_unique<ScriptedFilter>([id](const StepContext&, CandidateSelector& selector) {
    selector.Remove(id);
    return absl::OkStatus();
  });
}

TEST(PrependMaskTest, RunsBeforeEveryRule) {
  const auto chain = MakeChain("processors { top_k { k: 1 } }", 3);
  chain->PrependMask("no stop", BanToken(1));
  EXPECT_THAT(chain->Process(std::vector<float>{1, 3, 2}),
              IsOkAndHolds(ElementsAre(kRemoved, kRemoved, 2)));
  EXPECT_THAT(chain->TokenLogprobs(std::vector<float>{1, 3, 2}),
              IsOkAndHolds(ElementsAre(Not(kRemoved), kRemoved, Not(kRemoved))));
}

TEST(PrependMaskTest, IsNamedInErrorsAndForked) {
  const auto chain = MakeChain("", 1);
  chain->PrependMask("no stop", BanToken(0));
  EXPECT_THAT(chain->Fork()->Sample(std::vector<float>{1}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "no stop: removed the only candidate that it was given; at least one must "
                       "stay"));
}

class PartLog : public ChainObserver {
 public:
  void OnPart(absl::string_view name, int32_t kept, absl::Duration spent) override {
    EXPECT_GE(spent, absl::ZeroDuration());
    parts.push_back(absl::StrCat(name, " ", kept));
  }
  std::vector<std::string> parts;
};

TEST(ObserverTest, SeesThePartsOfEachDraw) {
  const auto chain = MakeChain(R"pb(
                                 processors { grammar_mask { banned_ids: 0 } }
                                 processors { temperature { temperature: 2 } }
                                 processors { top_k { k: 2 } }
                               )pb",
                               5);
  PartLog log;
  chain->set_observer(&log);
  const std::vector<float> logits = {1, 2, 3, 4, kMinusInfinity};
  ASSERT_THAT(chain->Process(logits), IsOk());  // Not a draw.
  ASSERT_THAT(chain->Sample(logits), IsOk());
  ASSERT_THAT(chain->Fork()->Sample(logits), IsOk());  // Not of this chain.
  EXPECT_THAT(log.parts,
              ElementsAre("logits 4", "processors[0].grammar_mask 3", "processors[1].temperature 3",
                          "processors[2].top_k 2", "draw 2"));
  chain->set_observer(nullptr);
  ASSERT_THAT(chain->Sample(logits), IsOk());
  EXPECT_EQ(log.parts.size(), 5);
}

TEST(ObserverTest, LogProbabilitiesAreAPartOfTheirOwn) {
  for (const std::string logprob : {"RAW", "PENALISED", "PROCESSED"}) {
    const auto chain = MakeChain(absl::StrCat("logprobs: ", logprob), 3);
    PartLog log;
    chain->set_observer(&log);
    ASSERT_THAT(chain->Sample(std::vector<float>{1, 2, 3}), IsOk());
    EXPECT_THAT(log.parts, ElementsAre("logits 3", "draw 3", "logprobs 3")) << logprob;
  }
}

}  // namespace
}  // namespace logitchain
