#ifndef LOGITCHAIN_CORE_RANDOM_UNIFORM_SOURCE_H_
#define LOGITCHAIN_CORE_RANDOM_UNIFORM_SOURCE_H_

#include "logitchain/core/random/generator.h"

namespace logitchain {

// The uniforms that a rule or a terminal may take at a step. It can take them and do nothing else:
// where its generator stands is the chain's affair.
class UniformSource {
 public:
  // A null generator is for those who have none; the chain refuses the step if one is asked for.
  explicit UniformSource(UniformGenerator* generator) : generator_(generator) {}
  UniformSource(const UniformSource&) = delete;
  UniformSource& operator=(const UniformSource&) = delete;

  // The next uniform, in [0, 1).
  double Next() {
    if (generator_ != nullptr) return generator_->NextUniform();
    misused_ = true;
    return 0;
  }

  // Whether one was asked for although there is no generator.
  bool misused() const { return misused_; }

 private:
  UniformGenerator* generator_;
  bool misused_ = false;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_RANDOM_UNIFORM_SOURCE_H_
