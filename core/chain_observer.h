#ifndef LOGITCHAIN_CORE_CHAIN_OBSERVER_H_
#define LOGITCHAIN_CORE_CHAIN_OBSERVER_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace logitchain {

// Watches the draws of a chain, for timing and traces. Without one the chain reads no clock, and it
// reads the logits once, with the masks that come first applied already; to tell an observer what
// each part left it reads them before the masks as well.
class ChainObserver {
 public:
  virtual ~ChainObserver() = default;

  // A part of a draw is done: "logits" (reading them), a rule by its name in the config, "draw", or
  // "logprobs" where the chain asks for any. `kept` candidates are left.
  virtual void OnPart(absl::string_view name, int32_t kept, absl::Duration spent) = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_CHAIN_OBSERVER_H_
