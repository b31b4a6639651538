#include "logitchain/tests/fuzz/input_reader.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace logitchain {
namespace {

// Cuts `rest` at the first `separator`, which goes, and returns what stood before.
absl::string_view TakeUntil(absl::string_view separator, absl::string_view& rest) {
  const size_t end = rest.find(separator);
  const absl::string_view taken = rest.substr(0, end);
  rest.remove_prefix(taken.size());
  absl::ConsumePrefix(&rest, separator);
  return taken;
}

}  // namespace

absl::string_view InputReader::Part() { return TakeUntil("\n---\n", rest_); }

absl::string_view InputReader::Line() { return TakeUntil("\n", rest_); }

absl::string_view InputReader::Rest() { return std::exchange(rest_, ""); }

uint8_t InputReader::Byte() {
  if (rest_.empty()) return 0;
  const uint8_t byte = static_cast<uint8_t>(rest_.front());
  rest_.remove_prefix(1);
  return byte;
}

uint32_t InputReader::Word() {
  uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word |= uint32_t{Byte()} << (8 * i);
  return word;
}

}  // namespace logitchain
