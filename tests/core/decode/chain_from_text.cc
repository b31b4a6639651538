#include "logitchain/tests/core/decode/chain_from_text.h"

#include <memory>

#include "absl/strings/string_view.h"
#include "logitchain/core/chain.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/environment.h"

namespace logitchain {

std::unique_ptr<Chain> ChainFromText(absl::string_view text, const Environment& environment) {
  return CreateChain(ParseChainText(text, "test").value(), environment).value();
}

std::unique_ptr<Chain> ChainFromText(absl::string_view text, int vocab_size) {
  return ChainFromText(text, Environment{.vocab_size = vocab_size});
}

}  // namespace logitchain
