#include "logitchain/tests/fuzz/fuzz_logits.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "logitchain/core/random/pcg32.h"
#include "logitchain/tests/fuzz/input_reader.h"

namespace logitchain {
namespace {

using Limits = std::numeric_limits<float>;

enum class Kind { kUsual, kTies, kHoles, kLarge, kTiny, kNotable, kMostlyRemoved, kAnyBits };

float Notable(InputReader& input) {
  return input.OneOf({0.0f, -0.0f, 1.0f, -1.0f, 88.0f, -104.0f, 1e-30f, Limits::denorm_min(),
                      -Limits::denorm_min(), Limits::max(), Limits::lowest(), -Limits::infinity()});
}

float LogitOf(Kind kind, Pcg32& random, InputReader& input) {
  const auto usual = static_cast<float>(random.NextUniform() * 16 - 8);
  switch (kind) {
    case Kind::kUsual:
      return usual;
    case Kind::kTies:
      return std::round(usual / 4);
    case Kind::kHoles:
      return random.Next() % 3 == 0 ? -Limits::infinity() : usual;
    case Kind::kLarge:
      return usual * 4e37f;
    case Kind::kTiny:
      return usual * 1e-44f;
    case Kind::kNotable:
      return Notable(input);
    case Kind::kMostlyRemoved:
      return random.Next() % 16 == 0 ? usual : -Limits::infinity();
    case Kind::kAnyBits:
      return std::bit_cast<float>(input.Word());
  }
  return 0;
}

}  // namespace

std::vector<float> LogitsFrom(InputReader& input, int32_t vocab_size) {
  const auto kind = static_cast<Kind>(input.Below(8));
  Pcg32 random(input.Byte());
  std::vector<float> logits(vocab_size);
  for (float& logit : logits) logit = LogitOf(kind, random, input);
  return logits;
}

}  // namespace logitchain
