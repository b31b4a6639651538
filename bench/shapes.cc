#include "logitchain/bench/shapes.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/core/random/pcg32.h"

namespace logitchain {
namespace {

constexpr double kPi = 3.14159265358979323846;

// Box and Muller's transform.
double Normal(Pcg32& generator) {
  const double radius = std::sqrt(-2 * std::log(1 - generator.NextUniform()));
  return radius * std::cos(2 * kPi * generator.NextUniform());
}

std::vector<float> Row(Shape shape, int32_t vocab_size, uint64_t seed) {
  Pcg32 generator(seed);
  std::vector<float> logits(vocab_size);
  const double deviation = shape == Shape::kFlat ? 0.05 : 2.5;
  for (float& logit : logits) logit = static_cast<float>(deviation * Normal(generator));
  for (int j = 0; j < 8 && shape != Shape::kFlat; ++j) {
    const auto id = static_cast<size_t>(generator.NextUniform() * vocab_size);
    logits[id] = static_cast<float>(shape == Shape::kPeaked ? 22 - j : 17 - 0.5 * j);
  }
  return logits;
}

}  // namespace

absl::string_view NameOf(Shape shape) {
  switch (shape) {
    case Shape::kPeaked:
      return "peaked";
    case Shape::kMid:
      return "mid";
    case Shape::kFlat:
      return "flat";
  }
  return "";
}

LogitRows::LogitRows(Shape shape, int32_t vocab_size) {
  for (size_t i = 0; i < kRows; ++i) rows_.push_back(Row(shape, vocab_size, 1 + i));
}

}  // namespace logitchain
