#ifndef LOGITCHAIN_TESTS_CORE_DECODE_STEP_TO_END_H_
#define LOGITCHAIN_TESTS_CORE_DECODE_STEP_TO_END_H_

#include <memory>
#include <string>
#include <vector>

#include "logitchain/core/decode/decode_loop.h"
#include "logitchain/core/decode/decode_options.h"
#include "logitchain/core/language_model.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// A loop with the chain of this textproto. Throws, and so fails the test, if there cannot be one.
std::unique_ptr<DecodeLoop> MakeLoop(LanguageModel& model, DecodeOptions options = {},
                                     const std::vector<TokenId>& prompt = {},
                                     const char* chain = "draw { greedy {} }");

// Runs a loop to its end; what each step showed.
std::vector<std::string> StepToEnd(DecodeLoop& loop);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_CORE_DECODE_STEP_TO_END_H_
