#ifndef LOGITCHAIN_CORE_DECODE_DECODE_OBSERVER_H_
#define LOGITCHAIN_CORE_DECODE_DECODE_OBSERVER_H_

#include <cstdint>
#include <string>

#include "absl/time/time.h"
#include "logitchain/core/chain_observer.h"
#include "logitchain/core/sample.h"

namespace logitchain {

// One token that a decode loop drew.
struct TokenRecord {
  // Number of the token in the output, from 0.
  int32_t step = 0;
  Sample sample;
  // What the model says that the token adds to a text, uncut: of a token that completes a stop
  // string, or is a stop token, some or all of it is not in the text.
  std::string bytes;
  // Whether the token ended the text and is therefore no part of the output.
  bool is_stop_token = false;
};

// What one token took.
struct StepTimes {
  // The model's: its logits.
  absl::Duration model;
  // The chain's: draw and commit.
  absl::Duration sampling;
};

// Watches a decode loop. OnPart, for the parts of the chain's draw, is called before the OnToken
// that they lead to; a step that fails has no OnToken.
class DecodeObserver : public ChainObserver {
 public:
  virtual void OnToken(const TokenRecord& token, const StepTimes& times) = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_DECODE_OBSERVER_H_
