#ifndef LOGITCHAIN_TESTS_TESTING_PROCESS_LOGITS_H_
#define LOGITCHAIN_TESTS_TESTING_PROCESS_LOGITS_H_

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/environment.h"

namespace logitchain {

// What a chain has seen.
struct SeenTokens {
  std::vector<TokenId> prompt;
  std::vector<TokenId> output;
};

// The chain that this textproto describes, or why it is none.
absl::StatusOr<std::unique_ptr<Chain>> ParseChain(absl::string_view textproto,
                                                  const Environment& environment);

// What the chain makes of the logits after these tokens; errors of config and step alike. The
// environment's vocabulary is that of the logits.
absl::StatusOr<std::vector<double>> ProcessLogits(absl::string_view textproto,
                                                  const std::vector<float>& logits,
                                                  const SeenTokens& seen = {},
                                                  Environment environment = {});

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_PROCESS_LOGITS_H_
