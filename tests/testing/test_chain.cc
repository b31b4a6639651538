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
#include "logitchain/registry/environment.h"

namespace logitchain {

namespace {

std::unique_ptr<Chain> MakeChain(const ChainConfig& config, const Environment& environment) {
  absl::StatusOr<std::unique_ptr<Chain>> chain = CreateChain(config, environment);
  if (chain.ok()) return *std::move(chain);
  ADD_FAILURE() << chain.status();
  return nullptr;
}

}  // namespace

std::unique_ptr<Chain> MakeChain(const ChainConfig& config, int32_t vocab_size) {
  return MakeChain(config, Environment{.vocab_size = vocab_size});
}

std::unique_ptr<Chain> MakeChain(absl::string_view textproto, int32_t vocab_size) {
  return MakeChain(textproto, Environment{.vocab_size = vocab_size});
}

std::unique_ptr<Chain> MakeChain(absl::string_view textproto, const Environment& environment) {
  const absl::StatusOr<ChainText> text = ParseChainText(textproto, "chain.textproto");
  if (text.ok()) return MakeChain(text->config, environment);
  ADD_FAILURE() << text.status();
  return nullptr;
}

}  // namespace logitchain
