#include "logitchain/core/vocabulary_files/vocabulary_file.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::shared_ptr<const Vocabulary> Parse(const std::string& content,
                                        const VocabularyFileOptions& options = {}) {
  return ParseVocabulary(content, options).value();
}

TEST(VocabularyFileTest, Tiktoken) {
  // base64 of "!", "\xE3\x81" and " a".
  const auto vocabulary = Parse("IQ== 0\n44E= 3\r\n\r\nIGE= 1\n", {.stop_ids = {5}});
  EXPECT_EQ(vocabulary->size(), 6);
  EXPECT_EQ(vocabulary->bytes(0), "!");
  EXPECT_EQ(vocabulary->bytes(1), " a");
  EXPECT_EQ(vocabulary->bytes(3), "\xE3\x81");
  EXPECT_THAT(vocabulary->special_ids(), ElementsAre(2, 4, 5));
  EXPECT_THAT(vocabulary->stop_ids(), ElementsAre(5));
}

TEST(VocabularyFileTest, BadTiktokenLinesAreNamed) {
  const auto is_refused = [](const std::string& message) {
    return StatusIs(absl::StatusCode::kInvalidArgument, message);
  };
  const std::string form = "must be a token in base64, a space, and its id";
  EXPECT_THAT(ParseVocabulary("IQ== 0\nIQ=="), is_refused("2: " + form));
  EXPECT_THAT(ParseVocabulary("I!== 0"), is_refused("1: " + form));
  EXPECT_THAT(ParseVocabulary("IQ== x"), is_refused("1: " + form));
  EXPECT_THAT(ParseVocabulary("IQ== -1"),
              is_refused("1: the id is -1; it must be in [0, 16777216)"));
  EXPECT_THAT(ParseVocabulary("IQ== 0\nIg== 65538"),
              is_refused("2: the id is 65538; a file may leave out at most 65536 ids"));
  EXPECT_THAT(ParseVocabulary(" 7"), is_refused("1: the token has no bytes"));
  EXPECT_THAT(ParseVocabulary("IQ== 7\nIg== 7"), is_refused("2: there is a token 7 before"));
  EXPECT_THAT(ParseVocabulary("IQ== 0", {.stop_ids = {-1}}),
              is_refused("the stop id -1 must be in [0, 16777216)"));
}

TEST(VocabularyFileTest, ByteLevelTokenizerJson) {
  // In GPT-2's table a space is U+0120, a line feed U+010A, and byte E3 U+00E3. Byte AD, the soft
  // hyphen, is the last of those that are not printable.
  const auto vocabulary = Parse(R"({
    "added_tokens": [{"id": 4, "content": "</s>", "special": true},
                     {"id": 5, "content": "<tool>", "special": false}],
    "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "ByteLevel"}]},
    "model": {"type": "BPE", "vocab": {"\u0120a": 0, "\u010a": 1, "\u00e3": 2, "!": 3,
                                         "\u0143": 6}}})");
  EXPECT_EQ(vocabulary->bytes(0), " a");
  EXPECT_EQ(vocabulary->bytes(1), "\n");
  EXPECT_EQ(vocabulary->bytes(2), "\xE3");
  EXPECT_EQ(vocabulary->bytes(3), "!");
  EXPECT_EQ(vocabulary->bytes(5), "<tool>");
  EXPECT_EQ(vocabulary->bytes(6), "\xAD");
  EXPECT_THAT(vocabulary->special_ids(), ElementsAre(4));
  EXPECT_THAT(vocabulary->stop_ids(), ElementsAre(4)) << "by its usual name";
}

TEST(VocabularyFileTest, ByteFallbackTokenizerJson) {
  const auto vocabulary = Parse(R"({
    "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}]},
    "model": {"byte_fallback": true,
              "vocab": {"\u2581the": 0, "<0xE3>": 1, "<0x>": 2, "\u00e9": 3}}})");
  EXPECT_EQ(vocabulary->bytes(0), " the");
  EXPECT_EQ(vocabulary->bytes(1), "\xE3");
  EXPECT_EQ(vocabulary->bytes(2), "<0x>");
  EXPECT_EQ(vocabulary->bytes(3), "\xC3\xA9");
  EXPECT_THAT(vocabulary->stop_ids(), IsEmpty());
}

TEST(VocabularyFileTest, StopTokensCanBeNamed) {
  const std::string file = R"({
    "added_tokens": [{"id": 0, "content": "<a>", "special": true},
                     {"id": 1, "content": "</s>", "special": true}],
    "model": {"byte_fallback": true, "vocab": {}}})";
  EXPECT_THAT(Parse(file, {.stop_tokens = {"<a>"}})->stop_ids(), ElementsAre(0));
  EXPECT_THAT(ParseVocabulary(file, {.stop_tokens = {"<b>"}}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "there is no special token \"<b>\", which is to end a text"));
}

TEST(VocabularyFileTest, BadTokenizerJsonIsNamedByItsPointer) {
  const auto message = [](const std::string& content) {
    return std::string(ParseVocabulary(content).status().message());
  };
  EXPECT_EQ(message("{"), "is no JSON object");
  EXPECT_EQ(message("{}"), "/model must be an object");
  EXPECT_EQ(message(R"({"model": {}})"), "/model/vocab must be an object of tokens and their ids");
  EXPECT_EQ(message(R"({"model": {"type": "Unigram", "vocab": {}}})"),
            "/model/type is \"Unigram\"; it must be \"BPE\"");
  EXPECT_THAT(message(R"({"model": {"vocab": {}}})"), HasSubstr("/model/byte_fallback"));
  const std::string byte_level = R"("decoder": {"type": "ByteLevel"}, )";
  EXPECT_EQ(message("{" + byte_level + R"("model": {"vocab": {"a/b": -1}}})"),
            "/model/vocab/a~1b is no id in [0, 16777216)");
  EXPECT_EQ(message("{" + byte_level + R"("model": {"vocab": {"a b": 1}}})"),
            "/model/vocab/a b has a character that stands for no byte");
  EXPECT_EQ(message(R"({"model": {"byte_fallback": true, "vocab": {}}, "added_tokens": [3]})"),
            "/added_tokens/0 must have a content and an id");
}

TEST(VocabularyFileTest, TokenizerJsonMayLeaveOutSomeIds) {
  const auto content = [](int id) {
    return absl::StrCat(R"({"model": {"byte_fallback": true, "vocab": {"a": )", id, "}}}");
  };
  EXPECT_EQ(Parse(content(65536))->size(), 65537);
  EXPECT_THAT(ParseVocabulary(content(65537)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "/model/vocab/a is 65537; a file may leave out at most 65536 ids"));
}

TEST(VocabularyFileTest, DeepTokenizerJsonIsRefused) {
  const int levels = 1'000'000;
  for (const absl::string_view key : {"model\": {\"vocab\": {}, \"type", "decoder\": {\"type"}) {
    const std::string content =
        absl::StrCat("{\"", key, "\": ", std::string(levels, '['), std::string(levels, ']'), "}}");
    EXPECT_THAT(ParseVocabulary(content),
                StatusIs(absl::StatusCode::kInvalidArgument, "is nested deeper than 64 levels"));
  }
}

TEST(VocabularyFileTest, FilesThatCannotBeReadAreNamed) {
  EXPECT_THAT(ReadVocabularyFile("/no/such/file"),
              StatusIs(absl::StatusCode::kNotFound, "/no/such/file: there is no such file"));
}

}  // namespace
}  // namespace logitchain
