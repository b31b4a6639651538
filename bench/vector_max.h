#ifndef LOGITCHAIN_BENCH_VECTOR_MAX_H_
#define LOGITCHAIN_BENCH_VECTOR_MAX_H_

#include "absl/types/span.h"

namespace logitchain {

// The largest logit, with as many independent maxima as it takes to be bound by memory: the unit in
// which costs are stated.
float VectorMax(absl::Span<const float> logits);

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_VECTOR_MAX_H_
