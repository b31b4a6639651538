#ifndef LOGITCHAIN_TESTS_FUZZ_INPUT_READER_H_
#define LOGITCHAIN_TESTS_FUZZ_INPUT_READER_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "absl/strings/string_view.h"

namespace logitchain {

// Takes what a case is made of from the front of a fuzzed input. Behind its end there are zeros, so
// that every input is a case.
class InputReader {
 public:
  // `data` may be null if there is none.
  InputReader(const uint8_t* data, size_t size)
      : rest_(size == 0 ? "" : absl::string_view(reinterpret_cast<const char*>(data), size)) {}

  bool empty() const { return rest_.empty(); }

  // The text before a line "---", or else all that is left.
  absl::string_view Part();

  // The text before a line break, or else all that is left.
  absl::string_view Line();

  absl::string_view Rest();

  uint8_t Byte();
  // Little-endian.
  uint32_t Word();
  int Below(int n) { return Byte() % n; }

  template <typename T>
  T OneOf(std::initializer_list<T> values) {
    return values.begin()[Below(static_cast<int>(values.size()))];
  }

 private:
  absl::string_view rest_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_FUZZ_INPUT_READER_H_
