// What every one of these rules promises in every dialect: values are finite, a removed token stays
// removed, a token stays in, forks and rollback repeat what was, and the off value changes nothing.

#include <algorithm>
#include <cmath>
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
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/testing/process_logits.h"

namespace logitchain {
namespace {

constexpr int32_t kVocabSize = 40;
constexpr double kRemoved = -std::numeric_limits<double>::infinity();

const char* const kRules[] = {
    "bad_words { sequences { ids: [1, 2] } sequences { ids: 7 } }",
    "min_tokens { count: 5 stop_ids: [3, 4] }",
    "suppress_tokens { ids: [8, 9] }",
    "begin_suppress { ids: [8, 9] }",
    "forced_tokens { first_id: 11 last_id: 13 max_length: 8 }",
    "no_repeat_ngram { size: 2 }",
    "no_repeat_ngram { size: 2 text_ids: [1, 2, 3, 4, 5, 6] }",
    "sequence_bias { sequences { ids: [1, 2] bias: 3 } sequences { ids: 7 bias: -inf } }",
    "exponential_decay_length { start: 2 factor: 1.5 stop_ids: [3, 4] }",
    "encoder_repetition_penalty { penalty: 1.5 text_ids: [1, 2, 3] }",
    "repetition_penalty { penalty: 1.5 prompt_ignore_length: 2 }",
    "dry { multiplier: 0.8 allowed_length: 1 sequence_breakers { ids: 5 } }",
    "green_list_watermark { delta: 2 key: 9 }",
    "quadratic_smoothing { smoothing_factor: 0.3 smoothing_curve: 1.5 }",
    "top_a { a: 0.3 }",
    "top_h { h: 0.5 top_n: 20 }",
    "tail_free { z: 0.9 }",
    "epsilon_cutoff { epsilon: 0.02 }",
    "eta_cutoff { epsilon: 0.02 }",
};

const char* const kOff[] = {
    "min_tokens { count: 0 }",
    "no_repeat_ngram { size: 0 }",
    "exponential_decay_length { factor: 1 stop_ids: 1 }",
    "encoder_repetition_penalty { penalty: 1 text_ids: 1 }",
    "repetition_penalty { penalty: 1 prompt_ignore_length: 1 }",
    "dry { multiplier: 0 }",
    "green_list_watermark { delta: 0 }",
    "quadratic_smoothing { smoothing_factor: 0 }",
    "top_a { a: 0 }",
    "tail_free { z: 1 }",
    "epsilon_cutoff { epsilon: 0 }",
    "eta_cutoff { epsilon: 0 }",
};

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
  auto chain = ParseChain(text, {.vocab_size = kVocabSize});
  EXPECT_TRUE(chain.ok()) << chain.status();
  if (!chain.ok()) return nullptr;
  EXPECT_TRUE((*chain)->Reset({1, 2, 1}).ok());
  return *std::move(chain);
}

void ExpectSound(const std::vector<double>& processed, const std::vector<float>& logits) {
  int kept = 0;
  for (int32_t id = 0; id < kVocabSize; ++id) {
    if (processed[id] == kRemoved) continue;
    ++kept;
    EXPECT_TRUE(std::isfinite(processed[id])) << id << ": " << processed[id];
    EXPECT_NE(logits[id], kRemoved) << id;
  }
  EXPECT_GT(kept, 0);
}

class RulesInDialectsTest : public testing::TestWithParam<int> {
 protected:
  std::string Text(const std::string& rule) const {
    const auto dialect = static_cast<ChainConfig::Dialect>(GetParam());
    return absl::StrCat("dialect: ", ChainConfig::Dialect_Name(dialect), " processors { ", rule,
                        " } draw { seed: 3 }");
  }
};

TEST_P(RulesInDialectsTest, ValuesAreSound) {
  for (const std::string rule : kRules) {
    SCOPED_TRACE(rule);
    Pcg32 random(1);
    const auto chain = MustParse(Text(rule));
    ASSERT_NE(chain, nullptr);
    for (int t = 0; t < 12; ++t) {
      const std::vector<float> logits = RandomLogits(random);
      const auto processed = chain->Process(logits);
      ASSERT_TRUE(processed.ok()) << processed.status();
      ExpectSound(*processed, logits);
      const auto sample = chain->Sample(logits);
      ASSERT_TRUE(sample.ok()) << sample.status();
      EXPECT_NE((*processed)[sample->token], kRemoved);
    }
  }
}

TEST_P(RulesInDialectsTest, ForkAndRollbackRepeat) {
  for (const std::string rule : kRules) {
    SCOPED_TRACE(rule);
    Pcg32 random(2);
    const auto chain = MustParse(Text(rule));
    ASSERT_NE(chain, nullptr);
    std::vector<std::vector<float>> rows;
    std::vector<std::vector<double>> processed;
    const auto fork = chain->Fork();
    for (int t = 0; t < 8; ++t) {
      rows.push_back(RandomLogits(random));
      processed.push_back(chain->Process(rows.back()).value());
      EXPECT_EQ(fork->Process(rows.back()).value(), processed.back());
      EXPECT_EQ(chain->Sample(rows.back())->token, fork->Sample(rows.back())->token);
    }
    for (int t = 7; t >= 0; --t) {
      ASSERT_TRUE(chain->Rollback(1).ok());
      EXPECT_EQ(chain->Process(rows[t]).value(), processed[t]) << t;
    }
  }
}

TEST_P(RulesInDialectsTest, OffChangesNothing) {
  const bool is_hugging_face = GetParam() == ChainConfig::HUGGING_FACE;
  for (const std::string rule : kOff) {
    // Its own ranges leave these values out.
    const bool refuses_off = rule.find("cutoff") != std::string::npos ||
                             rule.find("no_repeat_ngram") != std::string::npos;
    if (is_hugging_face && refuses_off) continue;
    SCOPED_TRACE(rule);
    Pcg32 random(3);
    const std::vector<float> logits = RandomLogits(random);
    const auto chain = MustParse(Text(rule));
    ASSERT_NE(chain, nullptr);
    EXPECT_EQ(chain->Process(logits).value(), std::vector<double>(logits.begin(), logits.end()));
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
