// What the runner does with rules that break their promises: each is stopped, by name, and the step
// is as if it had not been taken.

#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/tests/testing/logit_recipe.h"
#include "logitchain/tests/testing/scripted_rules.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::Not;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

constexpr int32_t kVocabSize = 5;
// The caller removes token 2, and the mask of SteppedChain() token 4.
const std::vector<float> kLogits = {1, 2, kMinusInfinity, 3, 0};

// A chain of these rules.
std::unique_ptr<Chain> ChainOf(std::vector<ChainStep> steps,
                               ChainConfig::Dialect dialect = ChainConfig::SPEC) {
  ChainParts parts = {.dialect = &GetDialect(dialect), .vocab_size = kVocabSize};
  parts.steps = std::move(steps);
  parts.generator = MakeGenerator(GeneratorKind::kPcg32SampleStream, 0).value();
  return std::make_unique<Chain>(std::move(parts));
}

// A chain with this rule, called "bad", behind a mask.
std::unique_ptr<Chain> ChainWith(Stage stage, std::unique_ptr<Processor> bad,
                                 ChainConfig::Dialect dialect = ChainConfig::SPEC) {
  std::vector<ChainStep> steps;
  steps.push_back({"mask", Stage::kMask, MakeFilter([](auto& selector) { selector.Remove(4); })});
  steps.push_back({"bad", stage, std::move(bad)});
  return ChainOf(std::move(steps), dialect);
}

// Every call that runs the rule is refused with this, and takes no randomness.
void ExpectRefused(Chain& chain, absl::StatusCode code, const std::string& message) {
  EXPECT_THAT(chain.Process(kLogits), StatusIs(code, message));
  EXPECT_THAT(chain.Distribution(kLogits), StatusIs(code, message));
  EXPECT_THAT(chain.Entropy(kLogits), StatusIs(code, message));
  EXPECT_THAT(chain.TokenLogprobs(kLogits), StatusIs(code, message));
  EXPECT_THAT(chain.Draw(kLogits), StatusIs(code, message));
  EXPECT_THAT(chain.Sample(kLogits), StatusIs(code, message));
  EXPECT_EQ(chain.draws(), 0);
  EXPECT_THAT(chain.history().all(), ElementsAre());
}

struct BadTransform {
  std::string name;
  std::function<void(LogitEditor&)> script;
  absl::StatusCode code;
  std::string message;
  ChainConfig::Dialect dialect = ChainConfig::SPEC;
};

class BadTransformTest : public testing::TestWithParam<BadTransform> {};

std::vector<BadTransform> BadTransforms() {
  const auto revival = absl::StatusCode::kFailedPrecondition;
  const auto bad_value = absl::StatusCode::kInvalidArgument;
  return {
      {"SetsATokenThatTheCallerRemoved", [](LogitEditor& editor) { editor.Set(2, 1.5); }, revival,
       "bad: token 2 is removed or outside the vocabulary and cannot be set to 1.5; removed tokens "
       "stay removed"},
      {"SetsATokenThatAMaskRemoved", [](LogitEditor& editor) { editor.Set(4, -7); }, revival,
       "bad: token 4 is removed or outside the vocabulary and cannot be set to -7; removed tokens "
       "stay removed"},
      {"SetsATokenBeyondTheVocabulary", [](LogitEditor& editor) { editor.Set(5, 1); }, revival,
       "bad: token 5 is removed or outside the vocabulary and cannot be set to 1; removed tokens "
       "stay removed"},
      {"SetsATokenBelowTheVocabulary", [](LogitEditor& editor) { editor.Set(-1, 1); }, revival,
       "bad: token -1 is removed or outside the vocabulary and cannot be set to 1; removed tokens "
       "stay removed"},
      {"WritesNan", [](LogitEditor& editor) { editor.Set(1, kNan); }, bad_value,
       "bad: the logit of token 1 would become nan; a transform may write only finite logits"},
      {"WritesMinusInfinity", [](LogitEditor& editor) { editor.Set(1, -kInfinity); }, bad_value,
       "bad: the logit of token 1 would become -inf; a transform may write only finite logits"},
      {"WritesPlusInfinity", [](LogitEditor& editor) { editor.Set(3, kInfinity); }, bad_value,
       "bad: the logit of token 3 would become inf; a transform may write only finite logits"},
      {"RewritesOneToMinusInfinity",
       [](LogitEditor& editor) { editor.Rewrite(0, [](auto logit) { return logit - kInfinity; }); },
       bad_value,
       "bad: the logit of token 0 would become -inf; a transform may write only finite logits"},
      {"RewritesAllToNan",
       [](LogitEditor& editor) {
         editor.RewriteAll([](auto) { return kNan; }, /*keeps_order=*/true);
       },
       bad_value,
       "bad: the logit of token 0 would become nan; a transform may write only finite logits"},
      {"OverflowsFloat32", [](LogitEditor& editor) { editor.Set(1, 1e39); }, bad_value,
       "bad: the logit of token 1 would become inf; a transform may write only finite logits",
       ChainConfig::VLLM},
      {"RewritesAllOutOfFloat32InALaterPlace",
       [](LogitEditor& editor) {
         editor.RewriteAll([](auto logit) { return logit > 2 ? logit * 2e38f : logit; },
                           /*keeps_order=*/true);
       },
       bad_value,
       "bad: the logit of token 3 would become inf; a transform may write only finite logits",
       ChainConfig::LLAMA_CPP},
      {"FailsForSeveralTokensInAnyOrder",
       [](LogitEditor& editor) {
         editor.Set(3, kNan);
         editor.Set(1, kInfinity);
         editor.Set(2, 0);
       },
       bad_value,
       "bad: the logit of token 1 would become inf; a transform may write only finite logits"},
      {"FailsFirstAndThenBehaves",
       [](LogitEditor& editor) {
         editor.Set(1, kNan);
         editor.Set(1, 0);
       },
       bad_value,
       "bad: the logit of token 1 would become nan; a transform may write only finite logits"},
  };
}

INSTANTIATE_TEST_SUITE_P(, BadTransformTest, testing::ValuesIn(BadTransforms()),
                         [](const auto& info) { return info.param.name; });

TEST_P(BadTransformTest, IsRefusedByNameAndToken) {
  const auto chain = ChainWith(Stage::kBias, MakeTransform(GetParam().script), GetParam().dialect);
  ExpectRefused(*chain, GetParam().code, GetParam().message);
}

TEST_P(BadTransformTest, IsRefusedBehindAFilterToo) {
  std::vector<ChainStep> steps;
  steps.push_back({"mask", Stage::kMask, MakeFilter([](auto& selector) {
                     selector.KeepIf([&](size_t i) { return selector.ids()[i] != 4; });
                   })});
  steps.push_back({"bad", Stage::kBias, MakeTransform(GetParam().script)});
  const auto chain = ChainOf(std::move(steps), GetParam().dialect);
  ExpectRefused(*chain, GetParam().code, GetParam().message);
}

TEST(TransformTest, DoesNotSeeRemovedTokens) {
  const auto chain =
      ChainWith(Stage::kBias, MakeTransform([](LogitEditor& editor) {
                  EXPECT_EQ(editor.Find(1), 2);
                  for (const TokenId id : {2, 4, 5, -1}) {
                    EXPECT_EQ(editor.Find(id), std::nullopt) << id;
                    editor.Rewrite(id, [](auto) { return 1; });  // Does nothing.
                  }
                  editor.RewriteAll([](auto logit) { return logit + 1; }, /*keeps_order=*/true);
                }));
  EXPECT_THAT(chain->Process(kLogits), IsOkAndHolds(ElementsAre(2, 3, kRemoved, 4, kRemoved)));
}

// However low a finite logit is, its token stays a candidate: there is no second way to remove.
TEST(TransformTest, ALowLogitIsNoRemoval) {
  const auto chain = ChainWith(Stage::kBias, MakeTransform([](LogitEditor& editor) {
                                 for (const TokenId id : {0, 1, 3}) editor.Set(id, -1e300);
                               }));
  EXPECT_EQ(chain->Sample(kLogits).value().kept, 3);
}

struct BadFilter {
  std::string name;
  std::function<void(CandidateSelector&)> script;
};

class FilterThatRemovesAllTest : public testing::TestWithParam<BadFilter> {};

INSTANTIATE_TEST_SUITE_P(, FilterThatRemovesAllTest,
                         testing::Values(BadFilter{"TokenByToken",
                                                   [](CandidateSelector& selector) {
                                                     for (TokenId id = 0; id < kVocabSize; ++id)
                                                       selector.Remove(id);
                                                   }},
                                         BadFilter{"ByPredicate",
                                                   [](CandidateSelector& selector) {
                                                     selector.KeepIf([](size_t) { return false; });
                                                   }},
                                         BadFilter{"ByMask",
                                                   [](CandidateSelector& selector) {
                                                     selector.KeepAllowed(std::vector<int32_t>{0});
                                                   }},
                                         BadFilter{"ByAMaskOfWhatIsOutAlready",
                                                   [](CandidateSelector& selector) {
                                                     selector.KeepAllowed(
                                                         std::vector<int32_t>{0b10100});
                                                   }}),
                         [](const auto& info) { return info.param.name; });

TEST_P(FilterThatRemovesAllTest, IsRefusedByNameAndNumber) {
  for (const auto dialect : {ChainConfig::SPEC, ChainConfig::LLAMA_CPP}) {
    SCOPED_TRACE(ChainConfig::Dialect_Name(dialect));
    const auto chain = ChainWith(Stage::kMask, MakeFilter(GetParam().script), dialect);
    ExpectRefused(*chain, absl::StatusCode::kFailedPrecondition,
                  "bad: removed all 3 candidates that it was given; at least one must stay");
  }
}

TEST(FilterTest, RemovesTokensThatAreOutWithoutHarm) {
  const auto chain = ChainWith(Stage::kTopK, MakeFilter([](CandidateSelector& selector) {
                                 for (const TokenId id : {2, 4, 5, -1, 0, 0}) selector.Remove(id);
                               }));
  EXPECT_THAT(chain->Process(kLogits),
              IsOkAndHolds(ElementsAre(kRemoved, 2, kRemoved, 3, kRemoved)));
}

TEST(FilterTest, OwnErrorKeepsItsCodeAndGetsTheRulesName) {
  const auto chain = ChainWith(
      Stage::kMask, std::make_unique<ScriptedFilter>([](const StepContext&, CandidateSelector&) {
        return absl::UnavailableError("the grammar engine is gone");
      }));
  ExpectRefused(*chain, absl::StatusCode::kUnavailable, "bad: the grammar engine is gone");
}

TEST(TransformTest, OwnErrorKeepsItsCodeAndGetsTheRulesName) {
  const auto chain = ChainWith(
      Stage::kBias, std::make_unique<ScriptedTransform>([](const StepContext&, LogitEditor&) {
        return absl::InternalError("out of luck");
      }));
  ExpectRefused(*chain, absl::StatusCode::kInternal, "bad: out of luck");
}

TEST(MaskTest, AMaskWithAWordTooFewIsAnError) {
  const std::vector<int32_t> words = {-1};
  const auto chain = ChainWith(Stage::kMask, MakeFilter([&](CandidateSelector& selector) {
                                 selector.KeepAllowed(absl::MakeConstSpan(words).first(0));
                               }));
  ExpectRefused(*chain, absl::StatusCode::kInvalidArgument,
                "bad: gives a mask of 0 words; the vocabulary needs 1");
}

TEST(MaskTest, AMaskThatAllowsNothingIsAnError) {
  const auto chain = MakeChain("processors { grammar_mask { allowed_ids: 2 } }", kVocabSize);
  ExpectRefused(*chain, absl::StatusCode::kFailedPrecondition,
                "processors[0].grammar_mask: removed all 4 candidates that it was given; at least "
                "one must stay");
}

TEST(MaskTest, TwoMasksThatLeaveNothingTogetherAreAnErrorOfTheSecond) {
  const auto chain = MakeChain(R"pb(
                                 processors { grammar_mask { allowed_ids: 3 } }
                                 processors { grammar_mask { banned_ids: 3 } }
                               )pb",
                               kVocabSize);
  ExpectRefused(
      *chain, absl::StatusCode::kFailedPrecondition,
      "processors[1].grammar_mask: removed the only candidate that it was given; at least "
      "one must stay");
}

// --- After an error
// -------------------------------------------------------------------------------

// The tokens of ten steps. Before each, and between each draw and its commit, `disturb` is called.
std::vector<TokenId> TenTokens(Chain& chain, const std::function<void()>& disturb) {
  std::vector<TokenId> tokens;
  for (int t = 0; t < 10; ++t) {
    disturb();
    const absl::StatusOr<Sample> sample =
        chain.Draw(RecipeLogits("uniform8", kVocabSize, /*logits_seed=*/1, t));
    if (!sample.ok()) {
      ADD_FAILURE() << sample.status();
      break;
    }
    disturb();
    EXPECT_THAT(chain.Commit(sample->token), IsOk());
    tokens.push_back(sample->token);
  }
  return tokens;
}

TEST(AfterAnErrorTest, TheChainGoesOnAsIfTheCallHadNotBeenMade) {
  // A transform and a filter that behave unless they are told not to.
  bool bad_value = false;
  bool removes_all = false;
  const auto make = [&] {
    std::vector<ChainStep> steps;
    steps.push_back({"value", Stage::kBias, MakeTransform([&](LogitEditor& editor) {
                       editor.RewriteAll([&](auto logit) { return bad_value ? kNan : logit / 4; },
                                         /*keeps_order=*/true);
                     })});
    steps.push_back({"remover", Stage::kTopK, MakeFilter([&](CandidateSelector& selector) {
                       if (removes_all) selector.KeepIf([](size_t) { return false; });
                       if (!removes_all) selector.KeepLargest(4, TopKConfig::EXACTLY_K);
                     })});
    return ChainOf(std::move(steps));
  };
  const std::vector<TokenId> expected = TenTokens(*make(), [] {});

  const auto chain = make();
  const auto disturb = [&] {
    for (bool* fault : {&bad_value, &removes_all}) {
      *fault = true;
      EXPECT_THAT(chain->Process(kLogits), Not(IsOk()));
      EXPECT_THAT(chain->Entropy(kLogits), Not(IsOk()));
      EXPECT_THAT(chain->Draw(kLogits), Not(IsOk()));
      EXPECT_THAT(chain->Sample(kLogits), Not(IsOk()));
      *fault = false;
    }
    EXPECT_THAT(chain->Sample(std::vector<float>(kVocabSize, kMinusInfinity)), Not(IsOk()));
    EXPECT_THAT(chain->Sample(std::vector<float>{}), Not(IsOk()));
    EXPECT_THAT(chain->Commit(kVocabSize), Not(IsOk()));
    EXPECT_THAT(chain->Rollback(100), Not(IsOk()));
    EXPECT_THAT(chain->Reset(std::vector<TokenId>{-1}), Not(IsOk()));
  };
  EXPECT_EQ(TenTokens(*chain, disturb), expected);
  EXPECT_EQ(chain->draws(), 10);
  EXPECT_EQ(chain->history().output(), absl::MakeConstSpan(expected));
}

TEST(CallersLogitsTest, AreNeverWritten) {
  for (int dialect = 0; dialect < ChainConfig::Dialect_ARRAYSIZE; ++dialect) {
    SCOPED_TRACE(ChainConfig::Dialect_Name(static_cast<ChainConfig::Dialect>(dialect)));
    const auto chain = MakeChain(
        absl::StrCat(
            "dialect: ", ChainConfig::Dialect_Name(static_cast<ChainConfig::Dialect>(dialect)),
            R"pb(
              order: AS_LISTED
              on_bad_logits: REMOVE
              processors { grammar_mask { banned_ids: 3 } }
              processors { repetition_penalty { penalty: 1.5 } }
              processors { presence_frequency_penalty { presence: 1 } }
              processors { temperature { temperature: 0.5 } }
              processors { top_k { k: 20 } }
              processors { top_p { p: 0.9 } }
              processors { min_p { p: 0.01 } }
              logprobs: RAW
              logprobs: PENALISED
              logprobs: PROCESSED
            )pb"),
        100);
    std::vector<float> logits = RecipeLogits("masked", 100, /*logits_seed=*/5, /*step=*/0);
    logits[1] = std::numeric_limits<float>::quiet_NaN();
    logits[2] = std::numeric_limits<float>::infinity();
    const std::vector<float> before = logits;
    EXPECT_THAT(chain->Process(logits), IsOk());
    EXPECT_THAT(chain->Distribution(logits), IsOk());
    EXPECT_THAT(chain->TokenLogprobs(logits), IsOk());
    EXPECT_THAT(chain->Entropy(logits), IsOk());
    for (int t = 0; t < 10; ++t) EXPECT_THAT(chain->Sample(logits), IsOk());
    EXPECT_EQ(std::memcmp(logits.data(), before.data(), logits.size() * sizeof(float)), 0);
  }
}

// --- Rules that follow the tokens
// -----------------------------------------------------------------

// Remembers the tokens that it was told of, and refuses to be told when asked to.
class Follower final : public Cloneable<Filter, Follower> {
 public:
  absl::Status Apply(const StepContext& step, CandidateSelector&) const override {
    EXPECT_EQ(step.history.output(), absl::MakeConstSpan(tokens));
    return absl::OkStatus();
  }
  absl::Status Accept(TokenId id) override {
    if (refuses) return absl::AbortedError(absl::StrCat("no token ", id));
    tokens.push_back(id);
    return absl::OkStatus();
  }
  absl::Status Rollback(int32_t n) override {
    if (refuses) return absl::AbortedError(absl::StrCat("no way back by ", n));
    tokens.resize(tokens.size() - n);
    return absl::OkStatus();
  }
  void Reset() override { tokens.clear(); }

  std::vector<TokenId> tokens;
  bool refuses = false;
};

// Three followers in a chain.
class AtomicityTest : public testing::Test {
 protected:
  AtomicityTest() {
    std::vector<ChainStep> steps;
    for (Follower*& follower : followers_) {
      auto rule = std::make_unique<Follower>();
      follower = rule.get();
      steps.push_back({absl::StrCat("follower ", steps.size()), Stage::kMask, std::move(rule)});
    }
    chain_ = ChainOf(std::move(steps));
  }

  // All three, and the history, have seen these tokens.
  void ExpectSeen(const std::vector<TokenId>& tokens) {
    for (const Follower* follower : followers_) EXPECT_EQ(follower->tokens, tokens);
    EXPECT_EQ(chain_->history().output(), absl::MakeConstSpan(tokens));
  }

  Follower* followers_[3];
  std::unique_ptr<Chain> chain_;
};

TEST_F(AtomicityTest, CommitTellsEveryRule) {
  ASSERT_THAT(chain_->Commit(3), IsOk());
  ASSERT_THAT(chain_->Commit(1), IsOk());
  ExpectSeen({3, 1});
}

TEST_F(AtomicityTest, RollbackTellsEveryRule) {
  for (const TokenId id : {3, 1, 0}) ASSERT_THAT(chain_->Commit(id), IsOk());
  ASSERT_THAT(chain_->Rollback(2), IsOk());
  ExpectSeen({3});
}

TEST_F(AtomicityTest, ResetTellsEveryRuleAndThePromptIsNotAccepted) {
  ASSERT_THAT(chain_->Commit(3), IsOk());
  ASSERT_THAT(chain_->Reset(std::vector<TokenId>{1, 2}), IsOk());
  ExpectSeen({});
}

TEST_F(AtomicityTest, ForksOfARuleGoTheirOwnWays) {
  ASSERT_THAT(chain_->Commit(3), IsOk());
  const auto fork = chain_->Fork();
  ASSERT_THAT(fork->Commit(1), IsOk());
  ASSERT_THAT(fork->Sample(kLogits), IsOk());
  ExpectSeen({3});
  ASSERT_THAT(chain_->Sample(kLogits), IsOk());
}

TEST_F(AtomicityTest, ACommitThatOneRuleRefusesIsTakenBackEverywhere) {
  for (const TokenId id : {3, 1}) ASSERT_THAT(chain_->Commit(id), IsOk());
  for (int i = 0; i < 3; ++i) {
    followers_[i]->refuses = true;
    EXPECT_THAT(chain_->Commit(0),
                StatusIs(absl::StatusCode::kAborted, absl::StrCat("follower ", i, ": no token 0")));
    followers_[i]->refuses = false;
    ExpectSeen({3, 1});
  }
}

TEST_F(AtomicityTest, ADrawMayBeCommittedAfterARefusal) {
  const Sample drawn = chain_->Draw(kLogits).value();
  followers_[1]->refuses = true;
  EXPECT_THAT(chain_->Commit(drawn.token), StatusIs(absl::StatusCode::kAborted));
  followers_[1]->refuses = false;
  EXPECT_THAT(chain_->Draw(kLogits), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_EQ(chain_->draws(), 1);
  EXPECT_THAT(chain_->Commit(drawn.token), IsOk());
  ExpectSeen({drawn.token});
}

TEST_F(AtomicityTest, ASampleThatOneRuleRefusesGivesItsUniformBack) {
  const double first = chain_->Sample(kLogits).value().uniform.value();
  const double second = chain_->Fork()->Draw(kLogits).value().uniform.value();
  ASSERT_NE(first, second);
  const std::vector<TokenId> seen = followers_[0]->tokens;

  followers_[2]->refuses = true;
  EXPECT_THAT(chain_->Sample(kLogits), StatusIs(absl::StatusCode::kAborted));
  followers_[2]->refuses = false;
  ExpectSeen(seen);
  EXPECT_EQ(chain_->draws(), 1);
  EXPECT_EQ(chain_->Sample(kLogits).value().uniform, second);
}

TEST_F(AtomicityTest, ARollbackThatOneRuleRefusesIsTakenBackEverywhere) {
  for (const TokenId id : {3, 1, 0}) ASSERT_THAT(chain_->Commit(id), IsOk());
  for (int i = 0; i < 3; ++i) {
    followers_[i]->refuses = true;
    EXPECT_THAT(chain_->Rollback(2), StatusIs(absl::StatusCode::kAborted,
                                              absl::StrCat("follower ", i, ": no way back by 2")));
    followers_[i]->refuses = false;
    ExpectSeen({3, 1, 0});
  }
}

TEST_F(AtomicityTest, ARefusedRollbackDropsNoDraw) {
  ASSERT_THAT(chain_->Sample(kLogits), IsOk());
  const Sample drawn = chain_->Draw(kLogits).value();
  followers_[2]->refuses = true;
  EXPECT_THAT(chain_->Rollback(1), StatusIs(absl::StatusCode::kAborted));
  followers_[2]->refuses = false;
  EXPECT_EQ(chain_->draws(), 2);
  EXPECT_THAT(chain_->Commit(drawn.token), IsOk());
}

}  // namespace
}  // namespace logitchain
