#ifndef LOGITCHAIN_TESTS_DETERMINISM_DIGEST_H_
#define LOGITCHAIN_TESTS_DETERMINISM_DIGEST_H_

#include <bit>
#include <cstdint>
#include <optional>

#include "absl/types/span.h"

namespace logitchain {

// A number that differs, as good as certainly, if any bit of what was added does: FNV-1a, a word at
// a time, from http://www.isthe.com/chongo/tech/comp/fnv/.
class Digest {
 public:
  void Add(uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3; }
  void Add(double value) { Add(std::bit_cast<uint64_t>(value)); }
  void Add(absl::Span<const double> values) {
    for (const double value : values) Add(value);
  }
  void Add(std::optional<double> value) {
    Add(uint64_t{value.has_value()});
    if (value) Add(*value);
  }

  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_DETERMINISM_DIGEST_H_
