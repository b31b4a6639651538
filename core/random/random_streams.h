#ifndef LOGITCHAIN_CORE_RANDOM_RANDOM_STREAMS_H_
#define LOGITCHAIN_CORE_RANDOM_RANDOM_STREAMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "logitchain/core/random/generator.h"

namespace logitchain {

// Generators that stay in step with a sequence of tokens: they know where each of them stood when
// each step began, so that a step can be restarted, and steps can be taken back. Copies are
// independent.
class RandomStreams {
 public:
  using Generators = std::vector<std::unique_ptr<UniformGenerator>>;

  RandomStreams() = default;
  RandomStreams(const RandomStreams& other);
  RandomStreams(RandomStreams&&) = default;
  RandomStreams& operator=(RandomStreams&&) = default;

  // Adds a generator and returns its index. Only before the first step ends.
  size_t Add(std::unique_ptr<UniformGenerator> generator);

  const Generators& generators() const { return generators_; }

  // Copies of the generators as they stood when this step began.
  Generators CopiesAtStepBegin() const;

  // How many uniforms were taken, by all together.
  uint64_t taken() const;

  // Back to where this step began.
  void RestartStep();

  // This step begins here.
  void BeginStep();

  // This step is done, and the next one begins.
  void EndStep();

  // Back to where the n-th last step that is done began; 0 restarts the present one.
  void Rollback(int32_t n);

  // Back to the begin of the first step, at position 0.
  void Reset();

 private:
  Generators generators_;
  std::vector<uint64_t> begin_;    // Of this step, by generator.
  std::vector<uint64_t> earlier_;  // The same of each step that is done, one after the other.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_RANDOM_RANDOM_STREAMS_H_
