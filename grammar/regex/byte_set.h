#ifndef LOGITCHAIN_GRAMMAR_REGEX_BYTE_SET_H_
#define LOGITCHAIN_GRAMMAR_REGEX_BYTE_SET_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace logitchain {

// A set of bytes, 0 to 255.
class ByteSet {
 public:
  constexpr ByteSet() = default;

  static constexpr ByteSet Of(uint8_t byte) {
    ByteSet set;
    set.Insert(byte);
    return set;
  }

  // The bytes from `first` to `last`, both included; none if `last` < `first`.
  static constexpr ByteSet Range(uint8_t first, uint8_t last) {
    ByteSet set;
    for (int byte = first; byte <= last; ++byte) set.Insert(static_cast<uint8_t>(byte));
    return set;
  }

  static constexpr ByteSet All() { return ~ByteSet(); }

  constexpr void Insert(uint8_t byte) { words_[byte / 64] |= uint64_t{1} << (byte % 64); }

  constexpr bool Contains(uint8_t byte) const { return (words_[byte / 64] >> (byte % 64)) & 1; }

  constexpr bool empty() const { return *this == ByteSet(); }

  constexpr int size() const {
    int size = 0;
    for (const uint64_t word : words_) size += std::popcount(word);
    return size;
  }

  // The smallest byte in it; there must be one.
  constexpr uint8_t Smallest() const {
    size_t i = 0;
    while (words_[i] == 0) ++i;
    return static_cast<uint8_t>(64 * i + std::countr_zero(words_[i]));
  }

  // Bit i of word w is byte 64·w + i.
  constexpr const std::array<uint64_t, 4>& words() const { return words_; }

  constexpr ByteSet& operator|=(const ByteSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    return *this;
  }

  constexpr ByteSet& operator&=(const ByteSet& other) {
    for (size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    return *this;
  }

  friend constexpr ByteSet operator|(ByteSet a, const ByteSet& b) { return a |= b; }
  friend constexpr ByteSet operator&(ByteSet a, const ByteSet& b) { return a &= b; }

  constexpr ByteSet operator~() const {
    ByteSet complement;
    for (size_t i = 0; i < words_.size(); ++i) complement.words_[i] = ~words_[i];
    return complement;
  }

  friend constexpr bool operator==(const ByteSet&, const ByteSet&) = default;

  template <typename H>
  friend H AbslHashValue(H state, const ByteSet& set) {
    return H::combine(std::move(state), set.words_);
  }

 private:
  std::array<uint64_t, 4> words_ = {};
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_REGEX_BYTE_SET_H_
