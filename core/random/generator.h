#ifndef LOGITCHAIN_CORE_RANDOM_GENERATOR_H_
#define LOGITCHAIN_CORE_RANDOM_GENERATOR_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "logitchain/core/random/sub_stream.h"

namespace logitchain {

// A generator, and how its words become uniforms. n is the distance of a Seek(), in uniforms.
enum class GeneratorKind {
  // The sub-stream "sample" of PCG32: 53-bit doubles of two words each. Seeds: all 64-bit values.
  // Seek: O(log n).
  kPcg32SampleStream,
  // ChaCha12 as Rust's `rand` 0.8: 24-bit floats, widened, of one word each. Seeds: all 64-bit
  // values. Seek: O(1).
  kChaCha12,
  // std::mt19937 with llama.cpp's doubles of two words each. Seeds: 0 to 4294967295; the last is
  // a seed like any other here, though llama.cpp takes it to ask for a random one. Seek: O(n)
  // forwards and O(position sought) backwards, at some 8 ns each.
  kMt19937,
  // The same generator with llama.cpp's floats, widened, of one word each, as its XTC takes them.
  // Seeds and Seek as above.
  kMt19937Floats,
};

// A source of uniforms that knows its position and can return to any other, so that a chain can
// roll back, fork and skip ahead. It counts in uniforms, not in the generator's words.
//
// Not synchronised; clones may be used on different threads.
class UniformGenerator {
 public:
  virtual ~UniformGenerator() = default;

  // The next uniform, in [0, 1). Allocates nothing.
  virtual double NextUniform() = 0;

  // How many uniforms lie before the next one: 0 at first.
  virtual uint64_t position() const = 0;

  // Makes uniform number `position` (from 0) the next one, forwards or backwards.
  virtual void Seek(uint64_t position) = 0;

  // An independent copy at the same position.
  virtual std::unique_ptr<UniformGenerator> Clone() const = 0;
};

// The generator of `kind` for `seed`, at position 0. InvalidArgument if `kind` is none of the
// above or does not take `seed`; the message names the range it takes. A seed is never truncated.
absl::StatusOr<std::unique_ptr<UniformGenerator>> MakeGenerator(GeneratorKind kind, uint64_t seed);

// The sub-stream of `seed` for `purpose`, with uniforms and Seek as of kPcg32SampleStream, which is
// that for Purpose::kSample.
std::unique_ptr<UniformGenerator> MakeSubStreamGenerator(uint64_t seed, Purpose purpose);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_RANDOM_GENERATOR_H_
