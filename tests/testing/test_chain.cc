#include "logitchain/tests/testing/test_chain.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"

namespace logitchain {

std::unique_ptr<Chain> MakeChain(const ChainConfig& config, int32_t vocab_size) {
  absl::StatusOr<std::unique_ptr<Chain>> chain = CreateChain(config, {.vocab_size = vocab_size});
  if (chain.ok()) return *std::move(chain);
  ADD_FAILURE() << chain.status();
  return nullptr;
}

std::unique_ptr<Chain> MakeChain(absl::string_view textproto, int32_t vocab_size) {
  const absl::StatusOr<ChainText> text = ParseChainText(textproto, "chain.textproto");
  if (text.ok()) return MakeChain(text->config, vocab_size);
  ADD_FAILURE() << text.status();
  return nullptr;
}

}  // namespace logitchain
