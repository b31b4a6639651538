#ifndef LOGITCHAIN_TESTS_REFERENCE_RANDOM_CASE_H_
#define LOGITCHAIN_TESTS_REFERENCE_RANDOM_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/reference/dice.h"
#include "logitchain/tests/reference/random_logits.h"

namespace logitchain {

// A random chain and a few steps for it. The same dice give the same case with every compiler.
struct RandomCase {
  explicit RandomCase(Dice& dice);

  // The config, without most of the ids of its masks.
  std::string Description() const;

  int32_t vocab_size;
  ChainConfig config;
  std::vector<RandomLogits> logits;  // One for each step.
  std::vector<TokenId> prompt;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_REFERENCE_RANDOM_CASE_H_
