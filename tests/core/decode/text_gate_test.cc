#include "logitchain/core/decode/text_gate.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/decode/stop_string_matcher.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;

TextGate MakeGate(const std::vector<std::string>& stop_strings, bool emit_eagerly = false) {
  return TextGate(StopStringMatcher::Create(stop_strings).value(), emit_eagerly);
}

// What may be shown behind each of these pieces, and behind the end.
std::vector<std::string> Shown(TextGate& gate, const std::vector<std::string>& pieces) {
  std::vector<std::string> shown;
  for (const std::string& piece : pieces) {
    gate.Append(piece);
    shown.emplace_back(gate.Take());
  }
  gate.Close();
  shown.emplace_back(gate.Take());
  return shown;
}

TEST(TextGateTest, WithoutStopStringsAllIsShownAtOnce) {
  TextGate gate = MakeGate({});
  EXPECT_THAT(Shown(gate, {"Hello", "", " world"}), ElementsAre("Hello", "", " world", ""));
  EXPECT_EQ(gate.text(), "Hello world");
  EXPECT_EQ(gate.stop(), std::nullopt);
}

TEST(TextGateTest, AStopStringOverSeveralPiecesIsNeverSeen) {
  TextGate gate = MakeGate({"</end>"});
  EXPECT_THAT(Shown(gate, {"good <", "/", "end> and more"}), ElementsAre("good ", "", "", ""));
  EXPECT_EQ(gate.text(), "good ");
  EXPECT_EQ(gate.stop(), (StopMatch{0, 6}));
}

TEST(TextGateTest, WithheldBytesAreReleasedWhenTheyTurnOutToBeText) {
  TextGate gate = MakeGate({"</end>"});
  EXPECT_THAT(Shown(gate, {"a</", "en", "t>", "!"}), ElementsAre("a", "", "</ent>", "!", ""));
  EXPECT_EQ(gate.text(), "a</ent>!");
}

TEST(TextGateTest, OnlyWhatMayStillBecomeAStopStringStaysWithheld) {
  TextGate gate = MakeGate({"aab"});
  EXPECT_THAT(Shown(gate, {"a", "a", "a", "a", "b"}), ElementsAre("", "", "a", "a", "", ""));
  EXPECT_EQ(gate.text(), "aa");
}

TEST(TextGateTest, WhatIsWithheldAtTheEndIsFlushed) {
  TextGate gate = MakeGate({"</end>"});
  EXPECT_THAT(Shown(gate, {"a</en"}), ElementsAre("a", "</en"));
  EXPECT_EQ(gate.text(), "a</en");
}

TEST(TextGateTest, OfOverlappingStopStringsTheOneThatEndsFirstCuts) {
  TextGate gate = MakeGate({"abcd", "bc"});
  EXPECT_THAT(Shown(gate, {"xab", "cd"}), ElementsAre("x", "a", ""));
  EXPECT_EQ(gate.text(), "xa");
  EXPECT_EQ(gate.stop(), (StopMatch{1, 2}));
}

TEST(TextGateTest, OfSeveralThatEndAtAByteTheEarliestStartCuts) {
  TextGate gate = MakeGate({"c", "bc", "abc"});
  EXPECT_THAT(Shown(gate, {"xa", "b", "c"}), ElementsAre("x", "", "", ""));
  EXPECT_EQ(gate.text(), "x");
  EXPECT_EQ(gate.stop(), (StopMatch{2, 3}));
}

TEST(TextGateTest, NothingIsAddedBehindAStopString) {
  TextGate gate = MakeGate({"."});
  gate.Append("one. two");
  gate.Append("");
  gate.Append(" three");
  EXPECT_EQ(gate.text(), "one");
  EXPECT_EQ(gate.Take(), "one");
  EXPECT_EQ(gate.Take(), "");
}

// U+4E2D, E4 B8 AD in UTF-8.
TEST(TextGateTest, ACharacterIsHeldUntilItIsComplete) {
  TextGate gate = MakeGate({});
  EXPECT_THAT(Shown(gate, {"a\xE4", "\xB8", "\xADz"}), ElementsAre("a", "", "\xE4\xB8\xADz", ""));
  EXPECT_EQ(gate.text(), "a\xE4\xB8\xADz");
}

TEST(TextGateTest, AStopStringOfOneCharacterOverThreePieces) {
  TextGate gate = MakeGate({"\xE4\xB8\xAD"});
  EXPECT_THAT(Shown(gate, {"a\xE4", "\xB8", "\xADz"}), ElementsAre("a", "", "", ""));
  EXPECT_EQ(gate.text(), "a");
  EXPECT_EQ(gate.stop(), (StopMatch{0, 3}));
}

TEST(TextGateTest, ACharacterThatBeginsLikeTheStopStringIsReleasedWhole) {
  TextGate gate = MakeGate({"\xE4\xB8\xAD"});
  EXPECT_THAT(Shown(gate, {"\xE4\xB8", "\x80"}), ElementsAre("", "\xE4\xB8\x80", ""));
}

TEST(TextGateTest, AStopStringMayBeAPartOfACharacter) {
  TextGate gate = MakeGate({"\xB8"});
  EXPECT_THAT(Shown(gate, {"a\xE4", "\xB8\xAD"}), ElementsAre("a", "\xE4", ""));
  EXPECT_EQ(gate.text(), "a\xE4") << "bytes are bytes: the text ends inside of the character";
}

TEST(TextGateTest, ACharacterBeforeWithheldBytesIsHeldToo) {
  TextGate gate = MakeGate({"\xB8!"});
  EXPECT_THAT(Shown(gate, {"\xE4\xB8", "\xAD"}), ElementsAre("", "\xE4\xB8\xAD", ""));
}

TEST(TextGateTest, InvalidBytesAreNotHeld) {
  TextGate gate = MakeGate({});
  EXPECT_THAT(Shown(gate, {"\xFF", "\x80", "\xE4", "!", "\xC0"}),
              ElementsAre("\xFF", "\x80", "", "\xE4!", "\xC0", ""));
}

TEST(TextGateTest, AnIncompleteCharacterAtTheEndIsFlushed) {
  TextGate gate = MakeGate({});
  EXPECT_THAT(Shown(gate, {"a\xF0\x9F\x98"}), ElementsAre("a", "\xF0\x9F\x98"));
}

TEST(TextGateTest, EagerlyTheBeginOfAStopStringIsShownAndTheTextCut) {
  TextGate gate = MakeGate({"</end>"}, /*emit_eagerly=*/true);
  EXPECT_THAT(Shown(gate, {"good <", "/", "end> and more"}), ElementsAre("good <", "/", "", ""));
  EXPECT_EQ(gate.text(), "good ") << "what was shown stays shown, but is no part of the text";
}

TEST(TextGateTest, EagerlyTextBeforeAStopStringInTheSamePieceIsShown) {
  TextGate gate = MakeGate({"."}, /*emit_eagerly=*/true);
  EXPECT_THAT(Shown(gate, {"one", " two. three"}), ElementsAre("one", " two", ""));
}

TEST(TextGateTest, EagerlyCharactersAreStillHeld) {
  TextGate gate = MakeGate({"\xE4\xB8\xAD!"}, /*emit_eagerly=*/true);
  EXPECT_THAT(Shown(gate, {"\xE4", "\xB8", "\xAD"}), ElementsAre("", "", "\xE4\xB8\xAD", ""));
}

// Random texts of bytes that often form stop strings and characters, in random pieces.
class RandomTextGateTest : public testing::Test {
 protected:
  std::string RandomString(size_t size) {
    std::string string(size, '\0');
    for (char& byte : string) byte = "ab\xE4\xB8\xAD"[random_() % 5];
    return string;
  }

  std::vector<std::string> RandomStrings(size_t count, size_t max_size) {
    std::vector<std::string> strings(count);
    for (std::string& string : strings) string = RandomString(1 + random_() % max_size);
    return strings;
  }

  std::mt19937 random_{5};
};

// The text up to the first byte at which a stop string ends, without the longest of those.
std::string Cut(const std::string& stream, const std::vector<std::string>& stop_strings) {
  for (size_t end = 1; end <= stream.size(); ++end) {
    const absl::string_view read = absl::string_view(stream).substr(0, end);
    size_t longest = 0;
    for (const std::string& stop_string : stop_strings) {
      if (absl::EndsWith(read, stop_string)) longest = std::max(longest, stop_string.size());
    }
    if (longest > 0) return stream.substr(0, end - longest);
  }
  return stream;
}

TEST_F(RandomTextGateTest, WhatIsShownIsTheTextAndNothingElse) {
  int stopped = 0;
  for (int round = 0; round < 5000; ++round) {
    const std::vector<std::string> stop_strings = RandomStrings(random_() % 4, 6);
    const std::vector<std::string> pieces = RandomStrings(12, 4);
    SCOPED_TRACE(absl::StrJoin(stop_strings, ", ") + ": " + absl::StrJoin(pieces, "|"));
    const std::string expected = Cut(absl::StrJoin(pieces, ""), stop_strings);

    TextGate gate = MakeGate(stop_strings);
    std::string shown;
    for (const std::string& piece : Shown(gate, pieces)) {
      shown += piece;
      ASSERT_TRUE(absl::StartsWith(expected, shown)) << "a part of the stop string was shown";
    }
    ASSERT_EQ(shown, expected);
    ASSERT_EQ(gate.text(), expected);
    stopped += gate.stop().has_value();
  }
  EXPECT_GT(stopped, 1000);
}

TEST_F(RandomTextGateTest, EagerlyTheTextIsTheSame) {
  for (int round = 0; round < 5000; ++round) {
    const std::vector<std::string> stop_strings = RandomStrings(random_() % 4, 6);
    const std::vector<std::string> pieces = RandomStrings(12, 4);
    const std::string stream = absl::StrJoin(pieces, "");
    SCOPED_TRACE(absl::StrJoin(stop_strings, ", ") + ": " + absl::StrJoin(pieces, "|"));

    TextGate gate = MakeGate(stop_strings, /*emit_eagerly=*/true);
    const std::string shown = absl::StrJoin(Shown(gate, pieces), "");
    ASSERT_EQ(gate.text(), Cut(stream, stop_strings));
    ASSERT_TRUE(absl::StartsWith(shown, gate.text())) << "all of the text is shown";
    ASSERT_TRUE(absl::StartsWith(stream, shown));
  }
}

}  // namespace
}  // namespace logitchain
