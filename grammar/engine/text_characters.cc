#include "logitchain/grammar/engine/text_characters.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace logitchain {
namespace {

constexpr ByteInterval kTail = {0x80, 0xBF};

constexpr ByteInterval kSpaceAndMark[] = {{0x20, 0x21}};  // Up to the quote.
constexpr ByteInterval kToBackslash[] = {{0x23, 0x5B}};
constexpr ByteInterval kToTilde[] = {{0x5D, 0x7E}};
constexpr ByteInterval kTwoBytes[] = {{0xC2, 0xDF}, kTail};
constexpr ByteInterval kThreeBytesLow[] = {{0xE0, 0xE0}, {0xA0, 0xBF}, kTail};
constexpr ByteInterval kThreeBytes[] = {{0xE1, 0xEC}, kTail, kTail};
constexpr ByteInterval kBelowSurrogates[] = {{0xED, 0xED}, {0x80, 0x9F}, kTail};
constexpr ByteInterval kThreeBytesHigh[] = {{0xEE, 0xEF}, kTail, kTail};
constexpr ByteInterval kFourBytesLow[] = {{0xF0, 0xF0}, {0x90, 0xBF}, kTail, kTail};
constexpr ByteInterval kFourBytes[] = {{0xF1, 0xF3}, kTail, kTail, kTail};
constexpr ByteInterval kFourBytesHigh[] = {{0xF4, 0xF4}, {0x80, 0x8F}, kTail, kTail};

constexpr absl::Span<const ByteInterval> kForms[] = {
    kSpaceAndMark,    kToBackslash,    kToTilde,      kTwoBytes,  kThreeBytesLow, kThreeBytes,
    kBelowSurrogates, kThreeBytesHigh, kFourBytesLow, kFourBytes, kFourBytesHigh};

// How many bytes at the beginning are of the form.
size_t MatchForm(absl::Span<const ByteInterval> form, absl::string_view bytes) {
  const size_t limit = std::min(form.size(), bytes.size());
  size_t size = 0;
  while (size < limit) {
    const uint8_t byte = static_cast<uint8_t>(bytes[size]);
    if (byte < form[size].first || byte > form[size].last) return 0;
    ++size;
  }
  return size;
}

}  // namespace

absl::Span<const absl::Span<const ByteInterval>> TextCharacterForms() { return kForms; }

int CountTextCharacters(absl::string_view bytes) {
  int count = 0;
  while (!bytes.empty()) {
    size_t size = 0;
    for (const absl::Span<const ByteInterval> form : kForms) {
      size = std::max(size, MatchForm(form, bytes));
    }
    if (size == 0) return 0;
    bytes.remove_prefix(size);
    ++count;
  }
  return count;
}

}  // namespace logitchain
