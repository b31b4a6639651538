#include "logitchain/tests/core/decode/step_to_end.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "logitchain/core/decode/decode_loop.h"
#include "logitchain/core/decode/decode_options.h"
#include "logitchain/core/language_model.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {

std::unique_ptr<DecodeLoop> MakeLoop(LanguageModel& model, DecodeOptions options,
                                     const std::vector<TokenId>& prompt, const char* chain) {
  return DecodeLoop::Create(model, MakeChain(chain, model.vocab_size()), prompt, std::move(options))
      .value();
}

std::vector<std::string> StepToEnd(DecodeLoop& loop) {
  std::vector<std::string> shown;
  while (!loop.finished()) shown.emplace_back(loop.Step());
  return shown;
}

}  // namespace logitchain
