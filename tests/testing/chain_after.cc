#include "logitchain/tests/testing/chain_after.h"

#include <cstdint>
#include <memory>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {

std::unique_ptr<Chain> ChainAfter(absl::string_view textproto, int32_t vocab_size,
                                  const Past& past) {
  std::unique_ptr<Chain> chain = MakeChain(textproto, vocab_size);
  if (chain == nullptr) return nullptr;
  EXPECT_THAT(chain->Reset(past.prompt), IsOk());
  for (const TokenId id : past.output) EXPECT_THAT(chain->Commit(id), IsOk());
  return chain;
}

}  // namespace logitchain
