// Vectors that vLLM's and others' tests and issue threads state: tests/golden/engine_vectors.json.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/chain_after.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/test_chain.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;
using ::testing::DoubleNear;
using ::testing::Pointwise;

const json& Vectors() {
  static const auto* const vectors = new json(ReadGoldenJson("engine_vectors.json"));
  return *vectors;
}

std::vector<double> Numbers(const json& values) {
  std::vector<double> numbers;
  for (const json& value : values) {
    numbers.push_back(value.is_string() ? kRemoved : value.get<double>());
  }
  return numbers;
}

std::vector<float> Logits(const json& values) {
  const std::vector<double> numbers = Numbers(values);
  return std::vector<float>(numbers.begin(), numbers.end());
}

MATCHER_P(IsWithin, tolerance, "") {
  const auto& [actual, expected] = arg;
  return actual == expected || std::abs(actual - expected) <= tolerance;
}

TEST(EngineVectorsTest, PenaltiesOfVllm) {
  const json& vectors = Vectors().at("penalties_vllm").at("vectors");
  EXPECT_EQ(vectors.size(), 7);
  for (const json& vector : vectors) {
    SCOPED_TRACE(vector.dump());
    const std::vector<float> logits = Logits(vector.at("logits"));
    const auto chain = ChainAfter(
        absl::StrCat("dialect: VLLM processors { repetition_penalty { penalty: ",
                     vector.at("repetition_penalty").get<double>(),
                     " } } processors { presence_frequency_penalty { presence: ",
                     vector.at("presence_penalty").get<double>(),
                     " frequency: ", vector.at("frequency_penalty").get<double>(), " } }"),
        static_cast<int32_t>(logits.size()),
        {.prompt = vector.at("prompt_ids").get<std::vector<TokenId>>(),
         .output = vector.at("output_ids").get<std::vector<TokenId>>()});
    EXPECT_THAT(chain->Process(logits),
                IsOkAndHolds(Pointwise(IsWithin(1e-6), Numbers(vector.at("expected")))));
  }
}

// The issue whose reference begins so.
const json& Issue(absl::string_view ref) {
  for (const json& issue : Vectors().at("issues")) {
    if (issue.at("ref").get<std::string>().starts_with(std::string(ref))) return issue;
  }
  ADD_FAILURE() << "no issue " << ref;
  return Vectors();
}

// The tokens that a chain leaves of the probabilities of an issue's input.
std::vector<TokenId> Kept(const std::string& text, const json& probabilities) {
  std::vector<float> logits;
  for (const json& probability : probabilities) {
    logits.push_back(std::log(probability.get<float>()));
  }
  const auto chain = MakeChain(text, static_cast<int32_t>(logits.size()));
  const std::vector<double> processed = chain->Process(logits).value();
  std::vector<TokenId> kept;
  for (size_t id = 0; id < processed.size(); ++id) {
    if (processed[id] != kRemoved) kept.push_back(static_cast<TokenId>(id));
  }
  return kept;
}

std::string TopKThenTopP(const json& input) {
  return absl::StrCat("processors { top_k { k: ", input.at("top_k").get<int>(),
                      " } } processors { top_p { p: ", input.at("top_p").get<double>(), " } }");
}

TEST(EngineIssuesTest, TopKComesBeforeTopP) {
  const json& issue = Issue("vllm-project/vllm#1885");
  const json& input = issue.at("input");
  EXPECT_EQ(Kept(TopKThenTopP(input), input.at("probs")),
            issue.at("expected").at("kept_topk_then_topp").get<std::vector<TokenId>>());
}

TEST(EngineIssuesTest, TopPSeesTheRenormalisedRest) {
  const json& issue = Issue("sgl-project/sglang#36173");
  const json& input = issue.at("input");
  EXPECT_EQ(Kept(TopKThenTopP(input), input.at("probs")),
            issue.at("expected").at("kept_sequential_renorm").get<std::vector<TokenId>>());
}

TEST(EngineIssuesTest, TheTokenThatCrossesPStays) {
  const json& issue = Issue("aws-neuron/transformers-neuronx#46");
  EXPECT_EQ(Kept("processors { top_p { p: 0.8 } }", issue.at("input").at("probs")),
            issue.at("expected").at("kept").get<std::vector<TokenId>>());
}

TEST(EngineIssuesTest, ReachingPIsEnough) {
  const json& issue = Issue("huggingface/transformers#18976");
  EXPECT_EQ(
      Kept("dialect: HUGGING_FACE processors { top_p { p: 0.8 } }", issue.at("input").at("probs")),
      issue.at("expected").at("kept").get<std::vector<TokenId>>());
}

void ExpectRepetition(const json& input, const json& expected) {
  const std::vector<float> logits = Logits(input.at("logits"));
  const json& penalty =
      input.contains("penalty") ? input.at("penalty") : input.at("repetition_penalty");
  const auto chain = ChainAfter(
      absl::StrCat("processors { repetition_penalty { penalty: ", penalty.get<double>(), " } }"),
      static_cast<int32_t>(logits.size()),
      {.output = input.at("seen").get<std::vector<TokenId>>()});
  EXPECT_THAT(chain->Process(logits), IsOkAndHolds(Pointwise(DoubleNear(1e-6), Numbers(expected))));
}

TEST(EngineIssuesTest, RepetitionMultipliesNegativeLogits) {
  const json& issue = Issue("huggingface/transformers#2302");
  ExpectRepetition(issue.at("input"), issue.at("expected").at("logits"));
}

TEST(EngineIssuesTest, RepetitionPenalisesOncePerDistinctToken) {
  const json& issue = Issue("huggingface/transformers.js#1062");
  ExpectRepetition(issue.at("input"), issue.at("expected").at("logits"));
}

TEST(EngineIssuesTest, RepetitionIsNotShiftInvariant) {
  const json& issue = Issue("huggingface/transformers#48642");
  ExpectRepetition(issue.at("input").at("case_a"), issue.at("expected").at("a"));
  ExpectRepetition(issue.at("input").at("case_b"), issue.at("expected").at("b"));
}

TEST(EngineIssuesTest, ASmallTemperatureGivesTheArgmaxAndNoNan) {
  const json& issue = Issue("vllm-project/vllm#1623");
  const auto chain = MakeChain("processors { temperature { temperature: 1e-4 } }", 2);
  EXPECT_THAT(chain->Distribution(Logits(issue.at("input").at("logits"))),
              IsOkAndHolds(Pointwise(DoubleNear(0), Numbers(issue.at("expected").at("probs")))));
}

}  // namespace
}  // namespace logitchain
