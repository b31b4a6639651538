#ifndef LOGITCHAIN_BENCH_REFERENCE_SECONDS_H_
#define LOGITCHAIN_BENCH_REFERENCE_SECONDS_H_

#include <cstdint>
#include <optional>

#include "absl/types/span.h"
#include "logitchain/bench/shapes.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

// Median time of a token in the plain reference, over `tokens` tokens, which must be odd; nothing
// if the reference does not have all of the chain's rules.
std::optional<double> ReferenceSeconds(const ChainConfig& config, LogitRows& rows,
                                       int32_t vocab_size, absl::Span<const TokenId> prompt,
                                       int tokens);

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_REFERENCE_SECONDS_H_
