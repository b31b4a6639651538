#include "logitchain/models/replay_model.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/cli/npy.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Two steps over a vocabulary of three.
std::unique_ptr<ReplayModel> TwoSteps() {
  TempFolder folder;
  auto writer = NpyWriter::Create(folder.Path("x.npy"), 3);
  EXPECT_TRUE(writer.ok()) << writer.status();
  EXPECT_TRUE(writer->WriteRow({1, 2, 3}).ok());
  EXPECT_TRUE(writer->WriteRow({4, 5, 6}).ok());
  EXPECT_TRUE(writer->Finish().ok());
  auto model = ReplayModel::Open(folder.Path("x.npy"));
  EXPECT_TRUE(model.ok()) << model.status();
  return *std::move(model);
}

TEST(ReplayModelTest, HasTheVocabularyOfTheFile) {
  const auto model = TwoSteps();
  EXPECT_EQ(model->vocab_size(), 3);
  EXPECT_EQ(model->steps(), 2);
  EXPECT_THAT(model->stop_ids(), IsEmpty());
  EXPECT_EQ(model->TokenBytes(2), " 2");
  EXPECT_EQ(model->TokenBytes(3), "");
  EXPECT_EQ(model->TokenBytes(-1), "");
}

TEST(ReplayModelTest, ReplaysARowAStep) {
  const auto model = TwoSteps();
  EXPECT_THAT(*model->NextLogits({}), ElementsAre(1, 2, 3));
  EXPECT_THAT(*model->NextLogits({0}), ElementsAre(4, 5, 6));
  EXPECT_THAT(*model->NextLogits({}), ElementsAre(1, 2, 3)) << "after a step back";
}

TEST(ReplayModelTest, CountsStepsFromThePrompt) {
  const auto model = TwoSteps();
  model->set_prompt_length(2);
  EXPECT_THAT(*model->NextLogits({0, 1}), ElementsAre(1, 2, 3));
  EXPECT_THAT(*model->NextLogits({0, 1, 2}), ElementsAre(4, 5, 6));
  EXPECT_EQ(model->NextLogits({0}).status(),
            absl::InvalidArgumentError("1 tokens are fewer than the prompt's 2"));
}

TEST(ReplayModelTest, EndsWithTheFile) {
  const auto model = TwoSteps();
  EXPECT_EQ(model->NextLogits({0, 1}).status(),
            absl::OutOfRangeError(
                "step 2 (counted from 0) has no logits; the replayed file holds 2 rows"));
  EXPECT_THAT(*model->NextLogits({0}), ElementsAre(4, 5, 6));
}

TEST(ReplayModelTest, TokenizesIds) {
  const auto model = TwoSteps();
  EXPECT_THAT(*model->Tokenize(" 0 2\n1 "), ElementsAre(0, 2, 1));
  EXPECT_THAT(*model->Tokenize(""), IsEmpty());
  for (const char* word : {"3", "-1", "x", "1.0", "99999999999", "1,2"}) {
    EXPECT_EQ(model->Tokenize(std::string("0 ") + word).status(),
              absl::InvalidArgumentError(std::string("word 2, \"") + word +
                                         "\", is not a token id; ids are 0 to 2"));
  }
}

TEST(ReplayModelTest, RefusesFilesWithoutLogits) {
  TempFolder folder;
  EXPECT_THAT(ReplayModel::Open(folder.Write("x.npy", "text")).status().ToString(),
              HasSubstr("x.npy: is not a .npy file"));
}

}  // namespace
}  // namespace logitchain
