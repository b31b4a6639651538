#include "logitchain/core/vocabulary.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/core/decode/scripted_model.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(VocabularyTest, HasTheBytesOfEachToken) {
  // One token is a part of a character, and one has a zero byte.
  const std::string zero("x\0y", 3);
  const auto vocabulary = Vocabulary::Create(
      {.token_bytes = {"a", "", "\xe2\x80", zero}, .special_ids = {1}, .stop_ids = {1, 3}});
  ASSERT_THAT(vocabulary, IsOk());
  EXPECT_EQ((*vocabulary)->size(), 4);
  EXPECT_EQ((*vocabulary)->bytes(0), "a");
  EXPECT_EQ((*vocabulary)->bytes(1), "");
  EXPECT_EQ((*vocabulary)->bytes(2), "\xe2\x80");
  EXPECT_EQ((*vocabulary)->bytes(3), zero);
  EXPECT_EQ((*vocabulary)->bytes(-1), "");
  EXPECT_EQ((*vocabulary)->bytes(4), "");
  EXPECT_THAT((*vocabulary)->special_ids(), ElementsAre(1));
  EXPECT_THAT((*vocabulary)->stop_ids(), ElementsAre(1, 3));
}

TEST(VocabularyTest, SpecialIdsAscendWhateverTheirOrderWas) {
  const auto vocabulary =
      Vocabulary::Create({.token_bytes = {"a", "b", "c"}, .special_ids = {2, 0, 1}});
  ASSERT_THAT(vocabulary, IsOk());
  EXPECT_THAT((*vocabulary)->special_ids(), ElementsAre(0, 1, 2));
}

TEST(VocabularyTest, RefusesIdsOutsideAndBadSizes) {
  const auto is_refused = [](const std::string& message) {
    return StatusIs(absl::StatusCode::kInvalidArgument, message);
  };
  EXPECT_THAT(Vocabulary::Create({.token_bytes = {"a"}, .special_ids = {1}}),
              is_refused("the special id 1 is not in the vocabulary, [0, 1)"));
  EXPECT_THAT(Vocabulary::Create({.token_bytes = {"a", "b"}, .stop_ids = {0, -1}}),
              is_refused("the stop id -1 is not in the vocabulary, [0, 2)"));
  EXPECT_THAT(Vocabulary::Create({}),
              is_refused("the vocabulary has 0 tokens; it must be in [1, 16777216]"));
}

TEST(VocabularyTest, OfAModel) {
  const ScriptedModel model({"<s>", " the", " end", ""}, {3});
  const std::shared_ptr<const Vocabulary> vocabulary = Vocabulary::Of(model).value();
  EXPECT_EQ(vocabulary->size(), 4);
  EXPECT_EQ(vocabulary->bytes(1), " the");
  EXPECT_THAT(vocabulary->stop_ids(), ElementsAre(3));
  EXPECT_THAT(vocabulary->special_ids(), ElementsAre(3));
  EXPECT_THAT(Vocabulary::Of(ScriptedModel({"a"})).value()->stop_ids(), IsEmpty());
}

}  // namespace
}  // namespace logitchain
