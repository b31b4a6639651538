#include "logitchain/core/decode/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace logitchain {
namespace {

struct ByteRange {
  uint8_t min = 0x80;
  uint8_t max = 0xBF;

  bool Contains(uint8_t byte) const { return byte >= min && byte <= max; }
};

// What a character's first byte says about it.
struct Lead {
  size_t size;  // In bytes; 0 if no character begins with this byte.
  ByteRange second = {};
};

Lead ReadLead(uint8_t byte) {
  if (byte < 0x80) return {1};
  if (byte < 0xC2) return {0};
  if (byte < 0xE0) return {2};
  if (byte == 0xE0) return {3, {.min = 0xA0}};
  if (byte == 0xED) return {3, {.max = 0x9F}};
  if (byte < 0xF0) return {3};
  if (byte == 0xF0) return {4, {.min = 0x90}};
  if (byte < 0xF4) return {4};
  if (byte == 0xF4) return {4, {.max = 0x8F}};
  return {0};
}

// Whether the bytes behind the first one, as far as they are there, can follow it.
bool ContinuesWell(const Lead& lead, absl::string_view bytes) {
  for (size_t i = 1; i < bytes.size(); ++i) {
    const ByteRange allowed = i == 1 ? lead.second : ByteRange();
    if (!allowed.Contains(bytes[i])) return false;
  }
  return true;
}

}  // namespace

size_t IncompleteUtf8Tail(absl::string_view bytes) {
  for (size_t size = 1; size <= std::min<size_t>(3, bytes.size()); ++size) {
    const absl::string_view tail = bytes.substr(bytes.size() - size);
    const Lead lead = ReadLead(tail[0]);
    if (lead.size > size && ContinuesWell(lead, tail)) return size;
  }
  return 0;
}

bool IsUtf8(absl::string_view bytes) {
  while (!bytes.empty()) {
    const Lead lead = ReadLead(bytes[0]);
    if (lead.size == 0 || lead.size > bytes.size()) return false;
    if (!ContinuesWell(lead, bytes.substr(0, lead.size))) return false;
    bytes.remove_prefix(lead.size);
  }
  return true;
}

}  // namespace logitchain
