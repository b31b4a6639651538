#ifndef LOGITCHAIN_CORE_SAMPLE_H_
#define LOGITCHAIN_CORE_SAMPLE_H_

#include <cstdint>
#include <optional>

#include "logitchain/core/token_id.h"

namespace logitchain {

// What one step of a chain gave.
struct Sample {
  TokenId token = 0;

  // How many candidates were not removed when the draw began; 1 when greedy.
  int32_t kept = 0;

  // Whether the token was the most likely one by rule, without a draw.
  bool greedy = false;

  // The probability with which the token was drawn, 1 when greedy. Always there where the chain
  // asks for PROCESSED log-probabilities; otherwise only where the draw came to know it.
  std::optional<double> probability;

  // The uniform in [0, 1) that was used; nothing when greedy.
  std::optional<double> uniform;

  // Natural logarithms of the token's probability, where the chain asks for them (see
  // ChainConfig.Logprob); −∞ is possible for none of them but raw.
  std::optional<double> raw_logprob;
  std::optional<double> penalised_logprob;
  std::optional<double> processed_logprob;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_SAMPLE_H_
