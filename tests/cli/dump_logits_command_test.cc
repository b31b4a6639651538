#include "logitchain/cli/dump_logits_command.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/models/trigram_model.h"
#include "logitchain/tests/cli/command_result.h"
#include "logitchain/tests/cli/npy_file.h"
#include "logitchain/tests/models/tiny_trigram_file.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class DumpLogitsCommandTest : public testing::Test {
 protected:
  CommandResult Dump(const std::string& text) const {
    return Call({"dump-logits", "--text", text, "--out", out_, "--model", model_});
  }

  TempFolder folder_;
  const std::string model_ = WriteTrigramFile(folder_, TinyArpa("<s>", "</s>", ""));
  const std::string out_ = folder_.Path("out.npy");
};

TEST_F(DumpLogitsCommandTest, WritesTheLogitsBehindEachWord) {
  const CommandResult result = Dump("a b a");
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.out, out_ + ": shape [4, 4], float32\n");
  EXPECT_EQ(result.err, "");
  const auto model = TrigramModel::Load(model_);
  ASSERT_TRUE(model.ok()) << model.status();
  const std::vector<TokenId> tokens = *(*model)->Tokenize("a b a");
  const std::vector<std::vector<float>> rows = ReadNpy(out_);
  ASSERT_THAT(rows, SizeIs(4));
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_THAT(rows[i],
                ElementsAreArray(*(*model)->NextLogits(absl::MakeConstSpan(tokens).first(i))))
        << "row " << i;
  }
}

TEST_F(DumpLogitsCommandTest, AnEmptyTextHasOneStep) {
  EXPECT_EQ(Dump("").out, out_ + ": shape [1, 4], float32\n");
  EXPECT_THAT(ReadNpy(out_), SizeIs(1));
}

TEST_F(DumpLogitsCommandTest, NamesUnknownWordsAndWritesNothing) {
  const CommandResult result = Dump("a c");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err,
            "logitchain dump-logits: --text: word 2, \"c\", is not in the model's vocabulary\n");
  EXPECT_THAT(folder_.Names(), ::testing::Not(::testing::Contains("out.npy")));
}

TEST_F(DumpLogitsCommandTest, ReportsFiles) {
  const CommandResult no_model =
      Call({"dump-logits", "--text=a", "--out", out_, "--model", folder_.Path("none.lm.bin")});
  EXPECT_EQ(no_model.exit_code, 1);
  EXPECT_THAT(no_model.err,
              HasSubstr("none.lm.bin: No such file or directory; Debian's model comes with "
                        "`apt install pocketsphinx-en-us`\n"));
  const CommandResult bad_model = Call({"dump-logits", "--text=a", "--out", out_, "--model",
                                        folder_.Write("bad.lm.bin", "nonsense")});
  EXPECT_EQ(bad_model.exit_code, 1);
  EXPECT_THAT(bad_model.err, HasSubstr("bad.lm.bin: "));
  const CommandResult no_folder =
      Call({"dump-logits", "--text=a", "--out", folder_.Path("none/out.npy"), "--model", model_});
  EXPECT_EQ(no_folder.exit_code, 1);
  EXPECT_THAT(no_folder.err, HasSubstr("none/out.npy: No such file"));
}

TEST_F(DumpLogitsCommandTest, BadCallsAreUsageErrors) {
  const CommandResult result = Call({"dump-logits", "--out", out_});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "logitchain dump-logits: --text=TEXT is missing; see `logitchain dump-logits "
            "--help`\n");
}

}  // namespace
}  // namespace logitchain
