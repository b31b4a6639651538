#include "logitchain/core/decode/completion_seed.h"

#include <cstdint>

#include "logitchain/core/random/sub_stream.h"

namespace logitchain {
namespace {

constexpr Purpose kCompletion{0x636f6d706c657465};

}  // namespace

uint64_t CompletionSeed(uint64_t seed, uint32_t index) {
  if (index == 0) return seed;
  return ChildSeed(ChildSeed(seed, kCompletion), Purpose{index});
}

}  // namespace logitchain
