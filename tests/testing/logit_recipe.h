#ifndef LOGITCHAIN_TESTS_TESTING_LOGIT_RECIPE_H_
#define LOGITCHAIN_TESTS_TESTING_LOGIT_RECIPE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/core/token_id.h"
#include "nlohmann/json.hpp"

namespace logitchain {

// Synthetic logits of the golden streams: one row of the named shape (uniform8, peaked, masked,
// bf16, quantised; of the fixture also two_valued, all_equal, tied_top), from a generator that is
// seeded with logits_seed + step.
std::vector<float> RecipeLogits(absl::string_view shape, int32_t vocab_size, uint64_t logits_seed,
                                uint64_t step);

// `length` token ids.
std::vector<TokenId> RecipePrompt(int32_t vocab_size, uint64_t prompt_seed, int32_t length);

// The prompt of a golden case: a list of ids, or an object with prompt_seed and prompt_len. Ids are
// unsigned 32-bit there.
std::vector<TokenId> GoldenPrompt(const nlohmann::json& prompt, int32_t vocab_size);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_LOGIT_RECIPE_H_
