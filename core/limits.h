#ifndef LOGITCHAIN_CORE_LIMITS_H_
#define LOGITCHAIN_CORE_LIMITS_H_

#include <cstdint>

namespace logitchain {

// Largest vocabulary, in tokens.
inline constexpr int32_t kMaxVocabSize = 1 << 24;

// Longest history, prompt and output together, in tokens.
inline constexpr int32_t kMaxHistory = 1 << 20;

// Longest chain, in rules.
inline constexpr int32_t kMaxProcessors = 1000;

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_LIMITS_H_
