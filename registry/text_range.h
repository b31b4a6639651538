#ifndef LOGITCHAIN_REGISTRY_TEXT_RANGE_H_
#define LOGITCHAIN_REGISTRY_TEXT_RANGE_H_

#include <compare>

namespace logitchain {

// Lines and columns count from 1.
struct TextLocation {
  int line = 0;
  int column = 0;

  friend auto operator<=>(const TextLocation&, const TextLocation&) = default;
};

// The part of a text that a field takes, from its name through its value's last character; of an
// element of a list [a, b] that element.
struct TextRange {
  TextLocation begin;
  TextLocation end;  // One past the last character.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_TEXT_RANGE_H_
