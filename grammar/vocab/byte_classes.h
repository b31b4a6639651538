#ifndef LOGITCHAIN_GRAMMAR_VOCAB_BYTE_CLASSES_H_
#define LOGITCHAIN_GRAMMAR_VOCAB_BYTE_CLASSES_H_

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace logitchain {

// A set of classes of bytes, as bits. Grammars mostly treat the bytes of a class alike.
using ByteClasses = uint32_t;

// The class of the bytes from 0x80 on, of which all but ASCII consists.
inline constexpr ByteClasses kNoAscii = 1;

// The class of each byte. Controls are what is in no other.
inline constexpr std::array<ByteClasses, 256> kClassOfByte = [] {
  constexpr absl::string_view kClasses[] = {"abcdef",     "ghijklmnopqrstuvwxyz",
                                            "ABCDEF",     "GHIJKLMNOPQRSTUVWXYZ",
                                            "0123456789", "!$'()*;",
                                            "<>[]^`{|}",  "\"",
                                            "\\",         " ",
                                            "_",          "-",
                                            ".",          "/",
                                            ":",          "@",
                                            "+",          "=",
                                            "%",          "#",
                                            ",",          "?",
                                            "&",          "~"};
  std::array<ByteClasses, 256> classes;
  classes.fill(2);
  for (int byte = 0x80; byte <= 0xFF; ++byte) classes[byte] = kNoAscii;
  ByteClasses next = 4;
  for (const absl::string_view members : kClasses) {
    for (const char byte : members) classes[static_cast<uint8_t>(byte)] = next;
    next <<= 1;
  }
  return classes;
}();

inline constexpr ByteClasses kAllByteClasses = [] {
  ByteClasses all = 0;
  for (const ByteClasses one : kClassOfByte) all |= one;
  return all;
}();

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_VOCAB_BYTE_CLASSES_H_
