#ifndef LOGITCHAIN_CORE_PROCESSOR_H_
#define LOGITCHAIN_CORE_PROCESSOR_H_

#include <memory>

#include "absl/status/status.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/random/uniform_source.h"
#include "logitchain/core/token_follower.h"
#include "logitchain/core/token_history.h"

namespace logitchain {

// What every rule and the terminal may read at a step, and the uniforms that they may take.
struct StepContext {
  const Dialect& dialect;
  const TokenHistory& history;
  // For a rule: of the generator of its own that it was built with (BuildContext::AddRandom); a
  // rule without one must take none. Every run of a step sees the same uniforms.
  UniformSource& uniforms;
  // Whether the sample is to have its probability.
  bool wants_probability = false;
};

// A rule at work in a chain. Every rule is one of two kinds, by what it is allowed to do: a
// Transform (transform.h) or a Filter (filter.h); derive from one of those.
//
// Rules that follow the tokens override the state functions of TokenFollower.
class Processor : public TokenFollower {
 public:
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
