#include "logitchain/tests/testing/logit_recipe.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/token_id.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

double ElementOf(absl::string_view shape, double u) {
  if (shape == "peaked") return (u * 2 - 1) * 4;
  if (shape == "quantised") return std::floor(u * 9) - 4;
  if (shape == "two_valued") return u < 0.5 ? 2.5 : -1.25;
  if (shape == "all_equal") return 0.75;
  if (shape == "tied_top") return std::min((u * 2 - 1) * 8, 4.0);
  EXPECT_TRUE(shape == "uniform8" || shape == "masked" || shape == "bf16") << shape;
  return (u * 2 - 1) * 8;
}

float TruncateToBfloat16(float value) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & 0xFFFF0000u);
}

}  // namespace

std::vector<float> RecipeLogits(absl::string_view shape, int32_t vocab_size, uint64_t logits_seed,
                                uint64_t step) {
  Pcg32 generator(logits_seed + step);
  std::vector<float> logits(vocab_size);
  for (float& logit : logits) {
    logit = static_cast<float>(ElementOf(shape, generator.NextUniform()));
  }
  if (shape == "peaked") {
    for (int j = 0; j < 8; ++j) {
      logits[static_cast<size_t>(generator.NextUniform() * vocab_size)] = 16 - j;
    }
  }
  for (int32_t id = 0; id < vocab_size; ++id) {
    if (shape == "masked" && id % 3 == 0) logits[id] = -std::numeric_limits<float>::infinity();
    if (shape == "bf16") logits[id] = TruncateToBfloat16(logits[id]);
  }
  return logits;
}

std::vector<TokenId> RecipePrompt(int32_t vocab_size, uint64_t prompt_seed, int32_t length) {
  Pcg32 generator(prompt_seed);
  std::vector<TokenId> prompt(length);
  for (TokenId& id : prompt) id = static_cast<TokenId>(generator.NextUniform() * vocab_size);
  return prompt;
}

std::vector<TokenId> GoldenPrompt(const nlohmann::json& prompt, int32_t vocab_size) {
  if (prompt.is_object()) {
    return RecipePrompt(vocab_size, prompt.at("prompt_seed").get<uint64_t>(),
                        prompt.at("prompt_len").get<int32_t>());
  }
  std::vector<TokenId> ids;
  for (const auto& id : prompt) ids.push_back(static_cast<TokenId>(id.get<uint32_t>()));
  return ids;
}

}  // namespace logitchain
