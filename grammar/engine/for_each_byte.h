#ifndef LOGITCHAIN_GRAMMAR_ENGINE_FOR_EACH_BYTE_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_FOR_EACH_BYTE_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "logitchain/grammar/regex/byte_set.h"

namespace logitchain {

// Calls `visit` for each byte of the set, ascending.
template <typename Visit>
void ForEachByte(const ByteSet& set, Visit visit) {
  for (size_t i = 0; i < set.words().size(); ++i) {
    for (uint64_t word = set.words()[i]; word != 0; word &= word - 1) {
      visit(static_cast<uint8_t>(64 * i + std::countr_zero(word)));
    }
  }
}

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_FOR_EACH_BYTE_H_
