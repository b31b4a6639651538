#ifndef LOGITCHAIN_CORE_PROCESSOR_H_
#define LOGITCHAIN_CORE_PROCESSOR_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// What every rule may read at a step.
struct StepContext {
  const Dialect& dialect;
  const TokenHistory& history;
};

// A rule at work in a chain. Every rule is one of two kinds, by what it is allowed to do: a
// Transform (transform.h) or a Filter (filter.h); derive from one of those.
//
// Rules that follow the tokens override the state functions, which the chain calls in step with its
// history. Only output tokens are accepted; the prompt is in the history. A rule belongs to one
// chain and is never used by two threads at once.
class Processor {
 public:
  virtual ~Processor() = default;

  // Takes note that `id` was committed. On error the state must be as before; the chain then takes
  // the token back everywhere.
  virtual absl::Status Accept(TokenId id) {
    static_cast<void>(id);
    return absl::OkStatus();
  }

  // Goes back to the state before the last n accepted tokens; n is at most their number. On error
  // the state must be as before.
  virtual absl::Status Rollback(int32_t n) {
    static_cast<void>(n);
    return absl::OkStatus();
  }

  // Goes back to the state before the first token.
  virtual void Reset() {}

  // A copy in the same state that shares nothing mutable with this rule.
  virtual std::unique_ptr<Processor> Clone() const = 0;

 protected:
  Processor(const Processor&) = default;

 private:
  friend class Chain;
  friend class Filter;
  friend class Transform;

  // Rules reach the candidates only through the capability of their kind.
  Processor() = default;

  virtual absl::Status Run(const StepContext& step, Candidates& candidates) = 0;
};

// Gives Rule its Clone: class TopK final : public Cloneable<Filter, TopK> { … }.
template <typename Kind, typename Rule>
class Cloneable : public Kind {
 public:
  std::unique_ptr<Processor> Clone() const override {
    return std::make_unique<Rule>(static_cast<const Rule&>(*this));
  }
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_PROCESSOR_H_
