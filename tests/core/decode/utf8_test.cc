#include "logitchain/core/decode/utf8.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace logitchain {
namespace {

// UTF-8 by its definition: the bytes of every character, all 1,112,064 of them, in a row.
std::string Encode(uint32_t c) {
  const auto tail = [c](int shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0 | (c >> 6)), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xE0 | (c >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (c >> 18)), tail(12), tail(6), tail(0)};
}

bool IsSurrogate(uint32_t c) { return c >= 0xD800 && c <= 0xDFFF; }

template <typename Visitor>
void ForEachCharacter(Visitor visit) {
  for (uint32_t c = 0; c <= 0x10FFFF; ++c) {
    if (!IsSurrogate(c)) visit(Encode(c));
  }
}

TEST(Utf8Test, EveryCharacterIsHeldUntilItIsComplete) {
  ForEachCharacter([](absl::string_view character) {
    for (size_t size = 1; size < character.size(); ++size) {
      const absl::string_view part = character.substr(0, size);
      ASSERT_EQ(IncompleteUtf8Tail(part), size) << absl::BytesToHexString(character);
      ASSERT_FALSE(IsUtf8(part)) << absl::BytesToHexString(character);
    }
    ASSERT_EQ(IncompleteUtf8Tail(character), 0u) << absl::BytesToHexString(character);
    ASSERT_TRUE(IsUtf8(character)) << absl::BytesToHexString(character);
  });
}

// Whether the two bytes begin any character: as many bits as there are pairs.
class Pairs {
 public:
  Pairs() {
    ForEachCharacter([this](absl::string_view character) {
      if (character.size() > 2) begins_[Index(character)] = true;
    });
  }
  bool Begin(absl::string_view pair) const { return begins_[Index(pair)]; }

 private:
  static size_t Index(absl::string_view bytes) {
    return static_cast<uint8_t>(bytes[0]) * 256 + static_cast<uint8_t>(bytes[1]);
  }
  bool begins_[256 * 256] = {};
};

TEST(Utf8Test, TwoBytesThatBeginNoCharacterAreNotHeld) {
  const Pairs pairs;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string pair = {static_cast<char>(a), static_cast<char>(b)};
      const size_t held_of_last = IncompleteUtf8Tail(pair.substr(1));
      EXPECT_EQ(IncompleteUtf8Tail(pair), pairs.Begin(pair) ? 2 : held_of_last)
          << absl::BytesToHexString(pair);
    }
  }
}

struct Case {
  const char* what;
  absl::string_view bytes;
  size_t held;
};

class Utf8TailTest : public testing::TestWithParam<Case> {};

TEST_P(Utf8TailTest, HoldsThatMany) {
  EXPECT_EQ(IncompleteUtf8Tail(GetParam().bytes), GetParam().held) << GetParam().what;
}

INSTANTIATE_TEST_SUITE_P(
    Tails, Utf8TailTest,
    testing::Values(Case{"nothing", "", 0},
                    Case{"a complete character before it", "\xE4\xB8\xAD\xE6", 1},
                    Case{"only the last character counts", "\xE6\xE4\xB8", 2},
                    Case{"a lone continuation byte", "a\x80", 0},
                    Case{"a character broken off by another byte", "\xE4\xB8!", 0},
                    Case{"three bytes of four", "\xF0\x9F\x98", 3},
                    Case{"a third byte that cannot follow", "\xF0\x9F!", 0},
                    Case{"an overlong form", "\xC0", 0}, Case{"an overlong form", "\xE0\x9F", 0},
                    Case{"a surrogate", "\xED\xA0", 0}, Case{"beyond U+10FFFF", "\xF4\x90", 0},
                    Case{"no first byte at all", "\xFF", 0}));

TEST(Utf8Test, SequencesOfCharacters) {
  EXPECT_TRUE(IsUtf8(""));
  EXPECT_TRUE(IsUtf8("a\xE4\xB8\xAD\xF0\x9F\x98\x80"));
  EXPECT_FALSE(IsUtf8("a\xE4\xB8"));
  EXPECT_FALSE(IsUtf8("\xE4\xB8!"));
  EXPECT_FALSE(IsUtf8("\xAD"));
}

}  // namespace
}  // namespace logitchain
