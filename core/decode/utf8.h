#ifndef LOGITCHAIN_CORE_DECODE_UTF8_H_
#define LOGITCHAIN_CORE_DECODE_UTF8_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace logitchain {

// UTF-8 is what table 3-7 of the Unicode standard allows: no overlong forms, no surrogates, nothing
// above U+10FFFF.

// How many bytes at the end begin a character that further bytes could still complete: 0 to 3.
// Bytes that cannot become a character any more, whatever follows, do not count.
size_t IncompleteUtf8Tail(absl::string_view bytes);

// Whether `bytes` is a sequence of complete characters; so is an empty one.
bool IsUtf8(absl::string_view bytes);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_UTF8_H_
