// What rules and terminals promise together in every dialect: log-probabilities are by-products,
// forks and rollback repeat what was; and what masks do in any order. tests/conformance has what
// each promises alone.

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/testing/conformance/sample_environment.h"
#include "logitchain/tests/testing/process_logits.h"
#include "logitchain/tests/testing/sample_rules.h"

namespace logitchain {
namespace {

constexpr int32_t kVocabSize = kSampleVocabSize;
constexpr double kRemoved = -std::numeric_limits<double>::infinity();

// Random logits of which every fifth is −∞.
std::vector<float> RandomLogits(Pcg32& random) {
  std::vector<float> logits(kVocabSize);
  for (int32_t id = 0; id < kVocabSize; ++id) {
    const auto logit = static_cast<float>(random.NextUniform() * 16 - 8);
    logits[id] = id % 5 == 0 ? static_cast<float>(kRemoved) : logit;
  }
  return logits;
}

std::unique_ptr<Chain> MustParse(const std::string& text) {
  auto chain = ParseChain(text, SampleEnvironment());
  EXPECT_TRUE(chain.ok()) << chain.status();
  if (!chain.ok()) return nullptr;
  EXPECT_TRUE((*chain)->Reset({1, 2, 1}).ok());
  return *std::move(chain);
}

class RulesInDialectsTest : public testing::TestWithParam<int> {
 protected:
  std::string Text(const std::string& rule, const std::string& terminal = "categorical {}") const {
    const auto dialect = static_cast<ChainConfig::Dialect>(GetParam());
    return absl::StrCat("dialect: ", ChainConfig::Dialect_Name(dialect), " processors { ", rule,
                        " } draw { seed: 3 ", terminal, " } ");
  }
};

TEST_P(RulesInDialectsTest, AskingForLogprobsChangesNothing) {
  for (const std::string& rule : SampleRules()) {
    for (const std::string& terminal : SampleTerminals()) {
      const std::string text = Text(rule, terminal);
      SCOPED_TRACE(text);
      Pcg32 random(4);
      const auto plain = MustParse(text);
      const auto asked = MustParse(text + " logprobs: RAW logprobs: PENALISED logprobs: PROCESSED");
      for (int t = 0; t < 6; ++t) {
        const std::vector<float> logits = RandomLogits(random);
        const auto sample = plain->Sample(logits);
        ASSERT_TRUE(sample.ok()) << sample.status();
        EXPECT_EQ(asked->Sample(logits)->token, sample->token);
      }
      EXPECT_EQ(asked->draws(), plain->draws());
    }
  }
}

TEST_P(RulesInDialectsTest, ForkAndRollbackRepeatWhateverTheTerminal) {
  for (const std::string& terminal : SampleTerminals()) {
    const auto chain = MustParse(Text("xtc { probability: 0.5 threshold: 0.01 }", terminal));
    SCOPED_TRACE(terminal);
    Pcg32 random(5);
    std::vector<std::vector<float>> rows;
    std::vector<TokenId> tokens;
    for (int t = 0; t < 8; ++t) {
      rows.push_back(RandomLogits(random));
      tokens.push_back(chain->Sample(rows.back())->token);
    }
    ASSERT_TRUE(chain->Rollback(5).ok());
    const auto fork = chain->Fork();
    for (int t = 3; t < 8; ++t) {
      EXPECT_EQ(chain->Sample(rows[t])->token, tokens[t]) << t;
      EXPECT_EQ(fork->Sample(rows[t])->token, tokens[t]) << t;
    }
  }
}

// Quadratic work would take minutes. Of the tokens only those are touched that are in the history
// and in the vocabulary; MINFER lets others into it.
TEST(LongHistoryTest, RulesAreLinearAndLeaveIdsOutsideTheVocabularyAlone) {
  const std::vector<float> logits(kVocabSize, 1);
  std::vector<TokenId> history(1 << 17, 900);
  for (size_t i = 0; i < history.size(); i += 5) history[i] = i % 10 == 0 ? 3 : 5;
  for (const std::string rule :
       {"repetition_penalty { penalty: 1.5 window: 1048576 }",
        "presence_frequency_penalty { presence: 0.5 frequency: 1e-5 window: 1048576 }",
        "dry { multiplier: 0.8 allowed_length: 1 }", "no_repeat_ngram { size: 2 }"}) {
    SCOPED_TRACE(rule);
    const auto chain =
        ParseChain("dialect: MINFER processors { " + rule + " }", SampleEnvironment());
    ASSERT_TRUE(chain.ok()) << chain.status();
    ASSERT_TRUE((*chain)->Reset(history).ok());
    ASSERT_TRUE((*chain)->Commit(900).ok());
    const std::vector<double> processed = (*chain)->Process(logits).value();
    for (int32_t id = 0; id < kVocabSize; ++id) {
      EXPECT_EQ(processed[id] == 1, id != 3 && id != 5) << id << ": " << processed[id];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, RulesInDialectsTest, testing::Range(0, ChainConfig::Dialect_MAX + 1),
                         [](const testing::TestParamInfo<int>& info) {
                           return ChainConfig::Dialect_Name(
                               static_cast<ChainConfig::Dialect>(info.param));
                         });

// A mask that would empty the set says so, whatever stands before it; none returns a banned token.
TEST(MaskOrderTest, EmptySetsAreErrorsInEveryOrder) {
  const std::string masks[] = {
      "processors { grammar_mask { allowed_ids: [1, 2] } } ",
      "processors { suppress_tokens { ids: 1 } } ",
      "processors { bad_words { sequences { ids: [1, 2] } } } ",
  };
  int order[] = {0, 1, 2};
  do {
    std::string chain;
    for (const int i : order) chain += masks[i];
    const auto processed = ProcessLogits(chain, std::vector<float>(4, 1), {.output = {1}});
    EXPECT_EQ(processed.status().code(), absl::StatusCode::kFailedPrecondition) << chain;
  } while (std::next_permutation(std::begin(order), std::end(order)));
}

// The rules run after a temperature that made the candidates sparse, too.
TEST(MaskOrderTest, MasksAfterTemperatureAsListed) {
  const auto processed = ProcessLogits(
      "order: AS_LISTED processors { temperature { temperature: 0.5 } } "
      "processors { bad_words { sequences { ids: 2 } } } processors { suppress_tokens { ids: 0 } }",
      {1, 1, 1, 1});
  EXPECT_EQ(processed.value(), (std::vector<double>{kRemoved, 2, kRemoved, 2}));
}

}  // namespace
}  // namespace logitchain
