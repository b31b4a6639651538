#ifndef LOGITCHAIN_CORE_TOKEN_ID_H_
#define LOGITCHAIN_CORE_TOKEN_ID_H_

#include <cstdint>

namespace logitchain {

// The number of a token in a model's vocabulary, 0 to vocabulary size - 1, in the type that engines
// use for it. An unsigned id above 2^31 - 1 arrives as a negative number, which is outside every
// vocabulary as well, so one check against the vocabulary finds both.
using TokenId = int32_t;

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_TOKEN_ID_H_
