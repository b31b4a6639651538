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

  // The probability with which the token was drawn: 1 when greedy, 0 where minfer_last_id_fallback
  // put it in the place of another. There where the chain asks for PROCESSED log-probabilities, and
  // from mirostat and gumbel_max, which know it anyway, always.
  std::optional<double> probability;

  // The uniform in [0, 1) that the draw used; nothing if it took none: when greedy, with
  // gumbel_max, and where mirostat left one place in LLAMA_CPP.
  std::optional<double> uniform;

  // Natural logarithms of the token's probability, where the chain asks for them (see
  // ChainConfig.Logprob). −∞ only for a removed token that minfer_last_id_fallback returned.
  std::optional<double> raw_logprob;
  std::optional<double> penalised_logprob;
  std::optional<double> processed_logprob;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_SAMPLE_H_
