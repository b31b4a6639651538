// Locally typical sampling in dialect HUGGING_FACE against the vectors of transformers' own tests.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/rule_testing.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;
using testing::HasSubstr;

bool IsTypical(const json& vector) {
  return vector.at("processor").get<std::string>() == "typical_p";
}

std::string ChainOf(const json& params) {
  return absl::StrCat(
      "dialect: HUGGING_FACE processors { typical { p: ", params.at("mass").get<double>(),
      " min_keep: ", params.value("min_tokens_to_keep", 1), " } }");
}

std::vector<float> InputOf(const json& vector) {
  if (vector.contains("input_logits")) return vector.at("input_logits").get<std::vector<float>>();
  return LogitsOf(vector.at("input_probs").get<std::vector<double>>());
}

// −∞ is written as a string.
double Number(const json& value) {
  return value.is_string() ? -std::numeric_limits<double>::infinity() : value.get<double>();
}

void CheckLogits(const json& vector) {
  const std::vector<double> processed = Processed(ChainOf(vector.at("params")), InputOf(vector));
  for (size_t i = 0; i < processed.size(); ++i) {
    const double expected = Number(vector.at("expected_logits")[i]);
    if (std::isfinite(expected)) {
      EXPECT_NEAR(processed[i], expected, std::abs(expected) * 1e-5);
    } else {
      EXPECT_EQ(processed[i], expected);
    }
  }
}

TEST(HuggingFaceTypicalTest, Vectors) {
  const json vectors = ReadGoldenJson("hf_vectors.json").at("vectors");
  int checked = 0;
  for (const json& vector : vectors) {
    if (!IsTypical(vector)) continue;
    SCOPED_TRACE(vector.at("id").get<std::string>());
    EXPECT_EQ(Survivors(ChainOf(vector.at("params")), InputOf(vector)),
              vector.at("expected_kept").get<std::vector<TokenId>>());
    const bool removed_means_a_number = vector.at("params").contains("filter_value");
    if (vector.contains("expected_logits") && !removed_means_a_number) CheckLogits(vector);
    ++checked;
  }
  EXPECT_EQ(checked, 5);
}

TEST(HuggingFaceTypicalTest, Errors) {
  const json errors = ReadGoldenJson("hf_vectors.json").at("errors");
  int checked = 0;
  for (const json& error : errors) {
    if (!IsTypical(error)) continue;
    EXPECT_THAT(Refusal(ChainOf(error.at("params")), 4), HasSubstr("typical.p is ")) << error;
    ++checked;
  }
  EXPECT_EQ(checked, 2);
}

}  // namespace
}  // namespace logitchain
