#ifndef LOGITCHAIN_BENCH_SHAPES_H_
#define LOGITCHAIN_BENCH_SHAPES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace logitchain {

// The logits that targets are measured on: normally distributed, with peaks or without.
enum class Shape {
  kPeaked,  // N(0, 2.5) with eight peaks 22 … 15.
  kMid,     // N(0, 2.5) with eight peaks 17 … 13.5.
  kFlat,    // N(0, 0.05).
};

absl::string_view NameOf(Shape shape);

// As many rows of logits that together do not fit into the caches of a core, so that each is read
// from the shared cache, as after a real forward pass.
class LogitRows {
 public:
  static constexpr size_t kRows = 16;

  LogitRows(Shape shape, int32_t vocab_size);

  // The rows in turn.
  absl::Span<const float> Next() { return rows_[turn_++ % kRows]; }

 private:
  std::vector<std::vector<float>> rows_;
  size_t turn_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_SHAPES_H_
