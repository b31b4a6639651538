// What must hold for several rules together, in every dialect.

#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/rule_testing.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

TokenId Argmax(const std::vector<float>& logits) {
  return static_cast<TokenId>(absl::c_max_element(logits) - logits.begin());
}

TEST(InteractionsTest, TopKOfOneIsTheArgmax) {
  for (const std::string& dialect : EveryDialect()) {
    for (const char* draw :
         {"categorical {}", "mirostat {}", "mirostat_v2 {}", "gumbel_max {}", "greedy {}"}) {
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

// Every filter at its harshest leaves a token, and one that the mask allows.
TEST(InteractionsTest, FiltersNeverEmptyTheSet) {
  const std::vector<std::string> rules = {"top_k { k: 1 }",
                                          "top_p { p: 0.01 }",
                                          "min_p { p: 1 }",
                                          "typical { p: 0.01 }",
                                          "top_n_sigma { n: 0.01 }",
                                          "xtc { probability: 1 threshold: 0 }",
                                          "dynamic_temperature { temperature: 1 range: 1 }"};
  for (const std::string& dialect : EveryDialect()) {
    for (const std::string& a : rules) {
      for (const std::string& b : rules) {
        const std::unique_ptr<Chain> chain = MakeChain(
            absl::StrCat(dialect,
                         "order: AS_LISTED processors { grammar_mask { allowed_ids: [2, 3, "
                         "5, 7, 11, 13, 17, 19, 23] } } processors { ",
                         a, " } processors { ", b, " }"),
            kStepVocabSize);
        const auto sample = chain->Sample(StepLogits(1));
        ASSERT_TRUE(sample.ok()) << dialect << a << b << sample.status();
        EXPECT_TRUE(absl::c_linear_search(std::vector<TokenId>{2, 3, 5, 7, 11, 13, 17, 19, 23},
                                          sample->token))
            << dialect << a << b;
      }
    }
  }
}

}  // namespace
}  // namespace logitchain
