// What must hold for several rules together, in every dialect.

#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/testing/conformance/sample_environment.h"
#include "logitchain/tests/testing/process_logits.h"
#include "logitchain/tests/testing/rule_testing.h"
#include "logitchain/tests/testing/sample_rules.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using testing::HasSubstr;

TokenId Argmax(const std::vector<float>& logits) {
  return static_cast<TokenId>(absl::c_max_element(logits) - logits.begin());
}

TEST(InteractionsTest, TopKOfOneIsTheArgmax) {
  for (const std::string& dialect : EveryDialect()) {
    for (const char* draw : {"categorical {}", "mirostat {}", "mirostat_v2 {}", "gumbel_max {}",
                             "greedy {}", "adaptive_p { target: 0.1 }"}) {
      const std::unique_ptr<Chain> chain =
          MakeChain(absl::StrCat(dialect, "processors { top_k { k: 1 } } draw { ", draw, " }"),
                    kStepVocabSize);
      for (int t = 0; t < 50; ++t) {
        const std::vector<float> logits = StepLogits(t);
        EXPECT_EQ(chain->Sample(logits)->token, Argmax(logits)) << dialect << draw << t;
      }
    }
  }
}

// The tokens that the mask of these tests allows.
const std::vector<TokenId>& Primes() {
  static const auto* const primes = new std::vector<TokenId>{2, 3, 5, 7, 11, 13, 17, 19};
  return *primes;
}

std::string WithPrimes(const std::string& rules) {
  return absl::StrCat("processors { grammar_mask { allowed_ids: [", absl::StrJoin(Primes(), ", "),
                      "] } } ", rules);
}

// Any two rules after a mask, in either order: a token that the mask allows is drawn, or the step
// says which rule removed all.
TEST(InteractionsTest, MasksAndFiltersNeverEmptyTheSetSilently) {
  const std::vector<std::string> rules = SampleRules();
  for (const std::string& dialect : EveryDialect()) {
    int sampled = 0;
    for (const std::string& a : rules) {
      for (const std::string& b : rules) {
        const std::string text =
            absl::StrCat(dialect, "order: AS_LISTED ",
                         WithPrimes(absl::StrCat("processors { ", a, " } processors { ", b, " }")));
        const auto chain = ParseChain(text, SampleEnvironment());
        if (!chain.ok()) {
          EXPECT_THAT(std::string(chain.status().message()),
                      HasSubstr("masks come before every filter"));
          continue;
        }
        ASSERT_TRUE((*chain)->Reset({1, 2, 1}).ok());
        std::vector<float> logits = StepLogits(1);
        logits.resize(kSampleVocabSize);
        const auto sample = (*chain)->Sample(logits);
        if (sample.ok()) {
          EXPECT_TRUE(absl::c_linear_search(Primes(), sample->token)) << text << sample->token;
          ++sampled;
        } else {
          EXPECT_THAT(std::string(sample.status().message()), HasSubstr("at least one must stay"))
              << text;
        }
      }
    }
    EXPECT_GT(sampled, 700) << dialect;
  }
}

// The end of a text has no way around the mask: not by a bias, nor as the token that is due.
TEST(InteractionsTest, AStopIdObeysTheMask) {
  const std::vector<float> logits(kSampleVocabSize, 1);
  for (const std::string& dialect : EveryDialect()) {
    for (const std::string rule : {"exponential_decay_length { start: 0 factor: 100 stop_ids: 4 }",
                                   "logit_bias { token { id: 4 bias: 100 } }",
                                   "sequence_bias { sequences { ids: 4 bias: 100 } }"}) {
      const auto chain =
          ParseChain(absl::StrCat(dialect, "order: AS_LISTED ",
                                  WithPrimes(absl::StrCat("processors { ", rule, " }"))),
                     SampleEnvironment());
      ASSERT_TRUE(chain.ok()) << chain.status();
      for (int t = 0; t < 20; ++t) {
        EXPECT_TRUE(absl::c_linear_search(Primes(), (*chain)->Sample(logits)->token)) << rule;
      }
    }
    const auto forced = ParseChain(
        absl::StrCat(dialect, "order: AS_LISTED ",
                     WithPrimes("processors { forced_tokens { last_id: 4 max_length: 1 } }")),
        SampleEnvironment());
    EXPECT_THAT(std::string((*forced)->Sample(logits).status().message()),
                HasSubstr("forced_tokens: removed all"))
        << dialect;
  }
}

// A rule's random numbers are its own: the other rule and the draw see the same ones without it.
TEST(InteractionsTest, RulesDoNotShareDraws) {
  for (const std::string& dialect : EveryDialect()) {
    // This one never acts, but takes its random number at every step.
    const std::string idle = "processors { xtc { probability: 0.5 threshold: 0.49 seed: 77 } } ";
    std::vector<float> logits(kSampleVocabSize, 1);
    const auto alone = MakeChain(absl::StrCat(dialect, "draw { seed: 9 }"), kSampleVocabSize);
    const auto beside =
        MakeChain(absl::StrCat(dialect, idle, idle, "draw { seed: 9 }"), kSampleVocabSize);
    for (int t = 0; t < 50; ++t) {
      EXPECT_EQ(beside->Sample(logits)->token, alone->Sample(logits)->token) << dialect << t;
    }
    EXPECT_EQ(beside->draws(), 3 * alone->draws());
  }
}

}  // namespace
}  // namespace logitchain
