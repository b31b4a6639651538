#ifndef LOGITCHAIN_CORE_DECODE_COMPLETION_SEED_H_
#define LOGITCHAIN_CORE_DECODE_COMPLETION_SEED_H_

#include <cstdint>

namespace logitchain {

// The seed of completion number `index` (from 0) of several for one prompt: draw.seed of its chain.
//
// Completion 0 has `seed` itself, so that it is the text that a single completion gives, and asking
// for more never changes those that one had. The others have
//
//   ChildSeed(ChildSeed(seed, Purpose{"complete" in ASCII}), Purpose{index})
//
// (see sub_stream.h), which is a bijection of `seed` for each index, and of index for each seed:
// two completions from 1 on have different seeds. Both levels mix, so that neither neighbouring
// seeds nor seeds at SplitMix64's distance have completions in common, but by a chance of 2^-64.
//
// Where a chain takes 32-bit seeds (see NeedsSmallSeed), use the low 32 bits.
uint64_t CompletionSeed(uint64_t seed, uint32_t index);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_COMPLETION_SEED_H_
