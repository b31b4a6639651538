#include "logitchain/tests/testing/process_logits.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/environment.h"

namespace logitchain {

absl::StatusOr<std::unique_ptr<Chain>> ParseChain(absl::string_view textproto,
                                                  const Environment& environment) {
  const absl::StatusOr<ChainText> text = ParseChainText(textproto, "chain.textproto");
  if (!text.ok()) return text.status();
  return CreateChain(*text, environment);
}

absl::StatusOr<std::vector<double>> ProcessLogits(absl::string_view textproto,
                                                  const std::vector<float>& logits,
                                                  const SeenTokens& seen, Environment environment) {
  environment.vocab_size = static_cast<int32_t>(logits.size());
  const auto chain = ParseChain(textproto, environment);
  if (!chain.ok()) return chain.status();
  if (absl::Status status = (*chain)->Reset(seen.prompt); !status.ok()) return status;
  for (const TokenId id : seen.output) {
    if (absl::Status status = (*chain)->Commit(id); !status.ok()) return status;
  }
  return (*chain)->Process(logits);
}

}  // namespace logitchain
