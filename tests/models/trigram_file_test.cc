#include "logitchain/models/trigram_file.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/models/trigram_model.h"
#include "logitchain/tests/models/tiny_trigram_file.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(CheckTrigramFileTest, AcceptsWholeModels) {
  EXPECT_EQ(CheckTrigramFile(kDefaultTrigramModelPath), absl::OkStatus());
  TempFolder folder;
  EXPECT_EQ(CheckTrigramFile(WriteTrigramFile(folder, TinyArpa("<s>", "</s>", ""))),
            absl::OkStatus());
}

TEST(CheckTrigramFileTest, RefusesWhatIsNoRegularFile) {
  EXPECT_EQ(CheckTrigramFile("/none"), absl::NotFoundError("/none: No such file or directory"));
  EXPECT_THAT(CheckTrigramFile("/dev").ToString(), HasSubstr("/dev: is a folder"));
  EXPECT_THAT(CheckTrigramFile("/dev/null").ToString(), HasSubstr("/dev/null: is a pipe or a"));
}

struct BadFile {
  std::string name;
  std::string bytes;
  std::string message;
};

// The header is 19 bytes of magic, the order, and three little-endian counts.
constexpr size_t kOrder = 19;
constexpr size_t kUnigrams = 20;
constexpr size_t kTrigrams = 28;
constexpr size_t kHeaderBytes = 32;

std::vector<BadFile> BadFiles(const std::string& good) {
  const auto with_byte = [&good](size_t at, char byte) {
    std::string bytes = good;
    bytes[at] = byte;
    return bytes;
  };
  const auto with_count = [&good](size_t at, const std::string& count) {
    return std::string(good).replace(at, 4, count);
  };
  const std::string other_size = "which are not those that its header asks for";
  return {
      {"empty", "", "is not a binary language model of sphinxbase; it does not begin with \"Trie"},
      {"text", TinyArpa("<s>", "</s>", ""), "is not a binary language model"},
      {"wrong magic", with_byte(18, 'L'), "is not a binary language model"},
      {"header cut", good.substr(0, kHeaderBytes - 1), "is not a binary language model"},
      {"bigram model", with_byte(kOrder, 2), "has n-grams up to order 2; it must be a trigram"},
      {"order 255", with_byte(kOrder, '\xff'), "has n-grams up to order 255; it must be"},
      {"no trigrams", with_byte(kTrigrams, 0), "has 0 n-grams of one order; it must be 1 to"},
      {"too many words", with_count(kUnigrams, std::string("\0\0\0\2", 4)),
       "has 33554432 n-grams of one order; it must be 1 to 33554431"},
      {"more words than listed", with_count(kUnigrams, std::string("\5\0\0\0", 4)), other_size},
      {"more trigrams than there are", with_count(kTrigrams, std::string("\0\1\0\0", 4)),
       other_size},
      {"nothing behind the header", good.substr(0, kHeaderBytes), other_size},
      {"cut in the tables", good.substr(0, 500000), other_size},
      {"cut before the list of words", good.substr(0, good.size() - 14), other_size},
      {"cut by a byte", good.substr(0, good.size() - 1), other_size},
      {"trailing byte", good + '\0', other_size},
      {"a word less", with_byte(good.size() - 3, 'x'), "lists 3 words; its header says 4"},
      {"a word more", with_byte(good.size() - 2, '\0'), "lists 5 words; its header says 4"},
      {"last word without end", std::string(good).replace(good.size() - 4, 4, "a\0\0b", 4),
       "lists 4 words; its header says 4"},
  };
}

TEST(CheckTrigramFileTest, RefusesMalformedFiles) {
  TempFolder folder;
  WriteTrigramFile(folder, TinyArpa("<s>", "</s>", ""));
  for (const BadFile& bad : BadFiles(folder.Read("model.lm.bin"))) {
    SCOPED_TRACE(bad.name);
    const std::string path = folder.Write("bad.lm.bin", bad.bytes);
    const absl::Status status = CheckTrigramFile(path);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), StartsWith(path + ": "));
    EXPECT_THAT(std::string(status.message()), HasSubstr(bad.message));
    EXPECT_EQ(TrigramModel::Load(path).status(), status);
  }
}

}  // namespace
}  // namespace logitchain
