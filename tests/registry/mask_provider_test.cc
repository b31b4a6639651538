// A grammar engine behind grammar_mask: its masks, and that it goes in step with the chain.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/environment.h"
#include "logitchain/tests/testing/fake_mask_provider.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kMasked[] = "processors { grammar_mask { provider: 'fake' } }";

// A chain whose provider "fake" is a clone of one with this grammar.
absl::StatusOr<std::unique_ptr<Chain>> Create(FakeGrammar& grammar, int32_t vocab_size,
                                              absl::string_view text = kMasked) {
  Environment environment = {.vocab_size = vocab_size};
  environment.mask_providers["fake"] = std::make_shared<FakeMaskProvider>(grammar);
  return CreateChain(ParseChainText(text, "chain.textproto").value(), environment);
}

// Allows these tokens at every step.
FakeGrammar Allowing(std::vector<TokenId> ids) {
  return {.fill = [ids = std::move(ids)](absl::Span<const TokenId>, absl::Span<int32_t> mask) {
    for (const TokenId id : ids) AllowToken(mask, id);
  }};
}

// The tokens that a chain leaves of `vocab_size` equal ones.
std::vector<TokenId> Kept(Chain& chain) {
  const std::vector<double> processed =
      chain.Process(std::vector<float>(chain.vocab_size(), 1)).value();
  std::vector<TokenId> kept;
  for (size_t id = 0; id < processed.size(); ++id) {
    if (processed[id] != kRemoved) kept.push_back(static_cast<TokenId>(id));
  }
  return kept;
}

// --- The mask
// -------------------------------------------------------------------------------------

TEST(MaskLayoutTest, BitIOfWordWIsToken32WPlusI) {
  constexpr int32_t kVocabSize = 70;
  for (TokenId id = 0; id < kVocabSize; ++id) {
    FakeGrammar grammar = {.fill = [id](absl::Span<const TokenId>, absl::Span<int32_t> mask) {
      mask[id / 32] = static_cast<int32_t>(1u << (id % 32));
    }};
    EXPECT_THAT(Kept(*Create(grammar, kVocabSize).value()), ElementsAre(id));
  }
}

TEST(MaskLayoutTest, TheWordsCoverTheVocabularyAndComeInAsZero) {
  for (const int32_t vocab_size : {1, 31, 32, 33, 64, 65, 50257, 128005}) {
    FakeGrammar grammar = {
        .fill = [vocab_size](absl::Span<const TokenId>, absl::Span<int32_t> mask) {
          EXPECT_EQ(mask.size(), (vocab_size + 31) / 32);
          EXPECT_THAT(mask, Each(0));
          AllowToken(mask, vocab_size - 1);
        }};
    const auto chain = Create(grammar, vocab_size).value();
    // Twice: what the last step wrote is gone.
    for (int i = 0; i < 2; ++i) EXPECT_THAT(Kept(*chain), ElementsAre(vocab_size - 1));
  }
}

TEST(MaskLayoutTest, SpareBitsAreIgnored) {
  FakeGrammar grammar = {.fill = [](absl::Span<const TokenId>, absl::Span<int32_t> mask) {
    mask[0] = 0b100;
    mask[1] = ~0b11;  // Tokens 34 and up, of a vocabulary of 34.
  }};
  const auto chain = Create(grammar, 34).value();
  EXPECT_THAT(Kept(*chain), ElementsAre(2));
  EXPECT_EQ(chain->Sample(std::vector<float>(34, 0)).value().kept, 1);
}

TEST(MaskLayoutTest, OnlySpareBitsIsAMaskThatAllowsNothing) {
  FakeGrammar grammar = {
      .fill = [](absl::Span<const TokenId>, absl::Span<int32_t> mask) { mask[1] = ~0b11; }};
  EXPECT_THAT(Create(grammar, 34).value()->Sample(std::vector<float>(34, 0)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       "processors[0].grammar_mask: removed all 34 candidates that it was given; "
                       "at least one must stay"));
}

TEST(MaskTest, FixedIdsAndAProviderMustBothAllowAToken) {
  FakeGrammar grammar = Allowing({1, 2, 3, 4});
  const auto chain = Create(grammar, 8, R"pb(
                       processors {
                         grammar_mask {
                           allowed_ids: [ 0, 1, 2, 3 ]
                           banned_ids: 2
                           provider: 'fake'
                         }
                       }
                     )pb")
                         .value();
  EXPECT_THAT(Kept(*chain), ElementsAre(1, 3));
}

// Token 7 stands for a stop token: no id is above the mask, whatever its logit.
TEST(MaskTest, AStopTokenObeysTheMaskLikeAnyOther) {
  FakeGrammar grammar = Allowing({1, 2, 3});
  std::vector<float> logits(8, 0);
  logits[7] = 1000;
  const auto chain = Create(grammar, 8).value();
  for (int t = 0; t < 50; ++t) EXPECT_NE(chain->Sample(logits).value().token, 7);
  const auto greedy = Create(grammar, 8, absl::StrCat(kMasked, "draw { greedy {} }")).value();
  EXPECT_EQ(greedy->Sample(logits).value().token, 1);
}

TEST(MaskTest, TheMaskComesBeforeTheFilters) {
  FakeGrammar grammar = Allowing({0, 2});
  const auto chain =
      Create(grammar, 4, absl::StrCat(kMasked, "processors { top_k { k: 1 } }")).value();
  EXPECT_THAT(chain->Process(std::vector<float>{1, 9, 2, 9}),
              IsOkAndHolds(ElementsAre(kRemoved, kRemoved, 2, kRemoved)));
}

// --- The provider's state
// -------------------------------------------------------------------------

// Allows the one token that counts the tokens before it.
FakeGrammar Counting() {
  return {.fill = [](absl::Span<const TokenId> accepted, absl::Span<int32_t> mask) {
    AllowToken(mask, static_cast<TokenId>(accepted.size()));
  }};
}

TokenId SampleToken(Chain& chain) {
  return chain.Sample(std::vector<float>(chain.vocab_size(), 0)).value().token;
}

TEST(ProviderStateTest, TheChainWorksWithACloneOfItsOwn) {
  FakeGrammar grammar = Counting();
  const auto chain = Create(grammar, 8).value();
  EXPECT_THAT(grammar.calls, Contains("clone"));
  EXPECT_THAT(grammar.calls, Not(Contains("fill")));
}

TEST(ProviderStateTest, CallsComeInStepWithTheChain) {
  FakeGrammar grammar = Counting();
  const auto chain = Create(grammar, 8).value();
  const std::vector<float> logits(8, 0);

  grammar.calls.clear();
  EXPECT_EQ(SampleToken(*chain), 0);
  EXPECT_THAT(grammar.calls, ElementsAre("fill", "accept 0"));

  grammar.calls.clear();
  EXPECT_THAT(chain->Process(logits), IsOk());
  EXPECT_THAT(grammar.calls, ElementsAre("fill"));

  grammar.calls.clear();
  const TokenId drawn = chain->Draw(logits).value().token;
  EXPECT_THAT(grammar.calls, ElementsAre("fill"));
  EXPECT_THAT(chain->Commit(drawn), IsOk());
  EXPECT_THAT(grammar.calls, ElementsAre("fill", "accept 1"));

  grammar.calls.clear();
  EXPECT_THAT(chain->Commit(5), IsOk());
  EXPECT_THAT(grammar.calls, ElementsAre("accept 5"));
  EXPECT_EQ(SampleToken(*chain), 3);

  grammar.calls.clear();
  EXPECT_THAT(chain->Rollback(3), IsOk());
  EXPECT_THAT(grammar.calls, ElementsAre("rollback 3"));
  EXPECT_EQ(SampleToken(*chain), 1);

  grammar.calls.clear();
  EXPECT_THAT(chain->Reset(std::vector<TokenId>{7, 7}), IsOk());
  EXPECT_THAT(grammar.calls, ElementsAre("reset"));
  EXPECT_EQ(SampleToken(*chain), 0);

  grammar.calls.clear();
  const auto fork = chain->Fork();
  EXPECT_THAT(grammar.calls, ElementsAre("clone"));
}

TEST(ProviderStateTest, ByProductsLeaveItAlone) {
  FakeGrammar grammar = Counting();
  const auto chain = Create(grammar, 8).value();
  const std::vector<float> logits(8, 0);
  SampleToken(*chain);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(chain->Distribution(logits), IsOkAndHolds(ElementsAre(0, 1, 0, 0, 0, 0, 0, 0)));
    EXPECT_THAT(chain->Entropy(logits), IsOkAndHolds(Eq(0)));
  }
}

TEST(ProviderStateTest, AForkIsIndependent) {
  FakeGrammar grammar = Counting();
  const auto chain = Create(grammar, 8).value();
  SampleToken(*chain);
  const auto fork = chain->Fork();
  EXPECT_EQ(SampleToken(*fork), 1);
  EXPECT_EQ(SampleToken(*fork), 2);
  EXPECT_EQ(SampleToken(*chain), 1);
  EXPECT_THAT(fork->Rollback(3), IsOk());
  EXPECT_EQ(SampleToken(*fork), 0);
  EXPECT_EQ(SampleToken(*chain), 2);
}

TEST(ProviderStateTest, ChainsOfOneEnvironmentAreIndependent) {
  FakeGrammar grammar = Counting();
  Environment environment = {.vocab_size = 8};
  environment.mask_providers["fake"] = std::make_shared<FakeMaskProvider>(grammar);
  const ChainText text = ParseChainText(kMasked, "chain.textproto").value();
  const auto first = CreateChain(text, environment).value();
  SampleToken(*first);
  const auto second = CreateChain(text, environment).value();
  EXPECT_EQ(SampleToken(*second), 0);
  EXPECT_EQ(SampleToken(*first), 1);
}

// --- Errors
// ---------------------------------------------------------------------------------------

TEST(ProviderErrorTest, AnUnknownNameListsTheKnownOnes) {
  FakeGrammar grammar = Counting();
  Environment environment = {.vocab_size = 8};
  environment.mask_providers["json"] = std::make_shared<FakeMaskProvider>(grammar);
  environment.mask_providers["c"] = std::make_shared<FakeMaskProvider>(grammar);
  const ChainText text = ParseChainText(kMasked, "chain.textproto").value();
  EXPECT_THAT(CreateChain(text, environment),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "chain.textproto:1:29: processors[0].grammar_mask.provider is \"fake\"; the "
                       "environment has c, json"));
}

TEST(ProviderErrorTest, ANullProviderIsAnError) {
  Environment environment = {.vocab_size = 8};
  environment.mask_providers["fake"] = nullptr;
  const ChainText text = ParseChainText(kMasked, "chain.textproto").value();
  EXPECT_THAT(CreateChain(text, environment),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("provider")));
}

TEST(ProviderErrorTest, AFillThatFailsNamesTheRuleAndChangesNothing) {
  FakeGrammar grammar = Counting();
  const auto chain = Create(grammar, 8).value();
  SampleToken(*chain);
  grammar.fill_status = absl::UnavailableError("the grammar is stuck");
  const auto error =
      StatusIs(absl::StatusCode::kUnavailable, "processors[0].grammar_mask: the grammar is stuck");
  const std::vector<float> logits(8, 0);
  EXPECT_THAT(chain->Sample(logits), error);
  EXPECT_THAT(chain->Process(logits), error);
  EXPECT_EQ(chain->draws(), 1);
  grammar.fill_status = absl::OkStatus();
  EXPECT_EQ(SampleToken(*chain), 1);
}

TEST(ProviderErrorTest, AnAcceptThatFailsCommitsNothing) {
  FakeGrammar grammar = Counting();
  const auto chain = Create(grammar, 8).value();
  SampleToken(*chain);
  grammar.accept_status = absl::InvalidArgumentError("token 6 is not in the grammar");
  EXPECT_THAT(chain->Commit(6),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "processors[0].grammar_mask: token 6 is not in the grammar"));
  EXPECT_THAT(chain->Sample(std::vector<float>(8, 0)), Not(IsOk()));
  grammar.accept_status = absl::OkStatus();
  EXPECT_THAT(chain->history().output(), ElementsAre(0));
  EXPECT_EQ(chain->draws(), 1);
  EXPECT_EQ(SampleToken(*chain), 1);
}

TEST(ProviderErrorTest, ARollbackThatFailsTakesNothingBack) {
  FakeGrammar grammar = Counting();
  const auto chain = Create(grammar, 8).value();
  for (int i = 0; i < 3; ++i) SampleToken(*chain);
  grammar.rollback_status = absl::OutOfRangeError("too far back");
  EXPECT_THAT(chain->Rollback(2),
              StatusIs(absl::StatusCode::kOutOfRange, "processors[0].grammar_mask: too far back"));
  grammar.rollback_status = absl::OkStatus();
  EXPECT_THAT(chain->history().output(), ElementsAre(0, 1, 2));
  EXPECT_EQ(SampleToken(*chain), 3);
}

// Two providers: what the first took note of is taken back when the second refuses.
TEST(ProviderErrorTest, AnAcceptThatTheSecondProviderRefusesIsTakenBackFromTheFirst) {
  FakeGrammar first = Counting();
  FakeGrammar second = Counting();
  Environment environment = {.vocab_size = 8};
  environment.mask_providers["first"] = std::make_shared<FakeMaskProvider>(first);
  environment.mask_providers["second"] = std::make_shared<FakeMaskProvider>(second);
  const auto chain = CreateChain(ParseChainText(R"pb(
                                                  processors { grammar_mask { provider: 'first' } }
                                                  processors { grammar_mask { provider: 'second' } }
                                                )pb",
                                                "chain.textproto")
                                     .value(),
                                 environment)
                         .value();
  SampleToken(*chain);
  second.accept_status = absl::InvalidArgumentError("no");
  first.calls.clear();
  EXPECT_THAT(chain->Commit(6),
              StatusIs(absl::StatusCode::kInvalidArgument, "processors[1].grammar_mask: no"));
  EXPECT_THAT(first.calls, ElementsAre("accept 6", "rollback 1"));
  second.accept_status = absl::OkStatus();
  EXPECT_EQ(SampleToken(*chain), 1);
}

// --- Vectors of XGrammar and outlines-core
// --------------------------------------------------------

class BitmaskVectorsTest : public testing::Test {
 protected:
  // A chain over `vocab_size` tokens with these words as its mask.
  static std::unique_ptr<Chain> WithWords(FakeGrammar& grammar, std::vector<int32_t> words,
                                          int32_t vocab_size) {
    grammar.fill = [words](absl::Span<const TokenId>, absl::Span<int32_t> mask) {
      ASSERT_EQ(mask.size(), words.size());
      std::copy(words.begin(), words.end(), mask.begin());
    };
    return Create(grammar, vocab_size).value();
  }

  static const nlohmann::json& Vectors() {
    static const auto* const vectors =
        new nlohmann::json(ReadGoldenJson("engine_vectors.json").at("bitmask"));
    return *vectors;
  }
};

TEST_F(BitmaskVectorsTest, ThereAreFour) { EXPECT_THAT(Vectors(), SizeIs(4)); }

TEST_F(BitmaskVectorsTest, OddTokensOfTen) {
  const nlohmann::json& vector = Vectors()[0];
  std::vector<double> expected;
  for (const auto& value : vector.at("expected")) {
    expected.push_back(value.is_string() ? kRemoved : value.get<double>());
  }
  FakeGrammar grammar;
  const auto chain = WithWords(grammar, vector.at("bitmask_words").get<std::vector<int32_t>>(),
                               static_cast<int32_t>(expected.size()));
  EXPECT_THAT(chain->Process(vector.at("logits").get<std::vector<float>>()),
              IsOkAndHolds(Eq(expected)));
}

TEST_F(BitmaskVectorsTest, EvenAndOddColumnsOfAHundred) {
  const nlohmann::json& vector = Vectors()[1];
  const auto columns = vector.at("cols").get<int32_t>();
  ASSERT_EQ(vector.at("expected_kept"), "row 0: even columns; row 1: odd columns");
  for (int row = 0; row < 2; ++row) {
    FakeGrammar grammar;
    const auto chain = WithWords(
        grammar, vector.at("bitmask_words_rows")[row].get<std::vector<int32_t>>(), columns);
    std::vector<TokenId> expected;
    for (TokenId id = row; id < columns; id += 2) expected.push_back(id);
    EXPECT_EQ(Kept(*chain), expected);
  }
}

TEST_F(BitmaskVectorsTest, AFreshMaskAllowsAll) {
  const nlohmann::json& vector = Vectors()[2];
  const auto vocab_size = vector.at("vocab").get<int32_t>();
  const std::vector<int32_t> words(vector.at("words").get<size_t>(),
                                   vector.at("initial_word").get<int32_t>());
  FakeGrammar grammar;
  EXPECT_THAT(Kept(*WithWords(grammar, words, vocab_size)), SizeIs(vocab_size));
}

TEST_F(BitmaskVectorsTest, TheWordsOfGpt2sVocabulary) {
  const nlohmann::json& vector = Vectors()[3];
  const std::vector<int32_t> words(vector.at("words").get<size_t>(), 1);
  FakeGrammar grammar;
  const auto kept = Kept(*WithWords(grammar, words, vector.at("vocab").get<int32_t>()));
  EXPECT_THAT(kept, SizeIs(words.size()));  // The first token of each word.
  EXPECT_EQ(kept.back(), 50240);
}

}  // namespace
}  // namespace logitchain
