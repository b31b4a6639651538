#include "logitchain/core/decode/stop_string_matcher.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;

// What the matcher says behind each byte of the stream.
std::vector<std::optional<StopMatch>> Matches(const std::vector<std::string>& stop_strings,
                                              absl::string_view stream) {
  StopStringMatcher matcher = StopStringMatcher::Create(stop_strings).value();
  std::vector<std::optional<StopMatch>> matches;
  for (const char byte : stream) matches.push_back(matcher.Read(byte));
  return matches;
}

size_t PendingBehind(const std::vector<std::string>& stop_strings, absl::string_view stream) {
  StopStringMatcher matcher = StopStringMatcher::Create(stop_strings).value();
  for (const char byte : stream) matcher.Read(byte);
  return matcher.pending();
}

TEST(StopStringMatcherTest, MatchesWhereAStopStringEnds) {
  EXPECT_THAT(Matches({"bc"}, "abcd"),
              ElementsAre(std::nullopt, std::nullopt, StopMatch{0, 2}, std::nullopt));
}

TEST(StopStringMatcherTest, OfSeveralThatEndAtAByteTheEarliestStartWins) {
  EXPECT_EQ(Matches({"c", "abc", "bc"}, "abc").back(), (StopMatch{1, 3}));
  EXPECT_EQ(Matches({"c", "abc", "bc"}, "xbc").back(), (StopMatch{2, 2}));
  EXPECT_EQ(Matches({"c", "abc", "bc"}, "xxc").back(), (StopMatch{0, 1}));
}

TEST(StopStringMatcherTest, TheOneThatEndsFirstIsSeenInsideALongerOne) {
  EXPECT_THAT(Matches({"abcd", "bc"}, "abcd"),
              ElementsAre(std::nullopt, std::nullopt, StopMatch{1, 2}, StopMatch{0, 4}));
}

TEST(StopStringMatcherTest, OfEqualOnesTheFirstMatches) {
  EXPECT_EQ(Matches({"ab", "ab"}, "ab").back(), (StopMatch{0, 2}));
}

TEST(StopStringMatcherTest, AFalseStartMayHideARealOne) {
  EXPECT_EQ(Matches({"aab"}, "aaab").back(), (StopMatch{0, 3}));
  EXPECT_EQ(Matches({"abac", "bab"}, "abab").back(), (StopMatch{1, 3}));
}

TEST(StopStringMatcherTest, ZeroAndHighBytesAreBytesLikeOthers) {
  const std::string zero("\0\xFF", 2);
  EXPECT_EQ(Matches({zero}, zero).back(), (StopMatch{0, 2}));
}

TEST(StopStringMatcherTest, PendingIsTheLongestTailThatBeginsAStopString) {
  const std::vector<std::string> stop_strings = {"abac", "bab!"};
  EXPECT_EQ(PendingBehind(stop_strings, ""), 0u);
  EXPECT_EQ(PendingBehind(stop_strings, "xa"), 1u);
  EXPECT_EQ(PendingBehind(stop_strings, "xaba"), 3u);
  EXPECT_EQ(PendingBehind(stop_strings, "xabab"), 3u) << "bab is longer than ab";
  EXPECT_EQ(PendingBehind(stop_strings, "xababx"), 0u);
}

TEST(StopStringMatcherTest, WithoutStopStringsNothingMatches) {
  EXPECT_THAT(Matches({}, "ab"), ElementsAre(std::nullopt, std::nullopt));
  EXPECT_EQ(PendingBehind({}, "ab"), 0u);
}

TEST(StopStringMatcherTest, RefusesAnEmptyStopString) {
  EXPECT_EQ(StopStringMatcher::Create({"a", ""}).status(),
            absl::InvalidArgumentError("stop_strings[1] is empty; it would stop everywhere"));
}

TEST(StopStringMatcherTest, RefusesTooMuch) {
  const std::string half(kMaxStopStringBytes / 2, 'a');
  EXPECT_TRUE(StopStringMatcher::Create({half, half}).ok());
  EXPECT_EQ(StopStringMatcher::Create({half, half, "a"}).status(),
            absl::InvalidArgumentError("stop_strings have more than 65536 bytes together"));
}

// The matcher's definition, by search over the whole stream.
std::optional<StopMatch> FindAtEnd(const std::vector<std::string>& stop_strings,
                                   absl::string_view stream) {
  std::optional<StopMatch> longest;
  for (size_t i = 0; i < stop_strings.size(); ++i) {
    const size_t length = stop_strings[i].size();
    if (!absl::EndsWith(stream, stop_strings[i])) continue;
    if (!longest || length > longest->length) longest = {static_cast<int>(i), length};
  }
  return longest;
}

size_t CountPending(const std::vector<std::string>& stop_strings, absl::string_view stream) {
  size_t pending = 0;
  for (const std::string& stop_string : stop_strings) {
    for (size_t size = 1; size <= stop_string.size(); ++size) {
      if (absl::EndsWith(stream, stop_string.substr(0, size))) pending = std::max(pending, size);
    }
  }
  return pending;
}

std::string RandomString(std::mt19937& random, size_t size) {
  std::string string(size, '\0');
  for (char& byte : string) byte = "ab\xE4"[random() % 3];
  return string;
}

TEST(StopStringMatcherTest, AgreesWithASearchOverTheWholeStream) {
  std::mt19937 random(3);
  int matches = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> stop_strings(random() % 6);
    for (std::string& stop_string : stop_strings) {
      stop_string = RandomString(random, 1 + random() % 7);
    }
    SCOPED_TRACE(absl::StrJoin(stop_strings, ", "));
    StopStringMatcher matcher = StopStringMatcher::Create(stop_strings).value();
    const std::string stream = RandomString(random, 60);
    for (size_t size = 1; size <= stream.size(); ++size) {
      const absl::string_view read = absl::string_view(stream).substr(0, size);
      const std::optional<StopMatch> match = matcher.Read(read.back());
      ASSERT_EQ(match, FindAtEnd(stop_strings, read)) << read;
      ASSERT_EQ(matcher.pending(), CountPending(stop_strings, read)) << read;
      matches += match.has_value();
    }
  }
  EXPECT_GT(matches, 10000) << "the strings are too rare to test anything";
}

// At O(stream), or at O(longest stop string) for every byte, this would take minutes.
TEST(StopStringMatcherTest, LongStreamsAndLongStopStringsCostNoMorePerByte) {
  const std::string longest = std::string(kMaxStopStringBytes - 1, 'a') + "b";
  StopStringMatcher matcher = StopStringMatcher::Create({longest}).value();
  for (int i = 0; i < 1'000'000; ++i) ASSERT_FALSE(matcher.Read('a'));
  EXPECT_EQ(matcher.Read('b'), (StopMatch{0, longest.size()}));
}

}  // namespace
}  // namespace logitchain
