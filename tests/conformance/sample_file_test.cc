#include "logitchain/testing/conformance/sample_file.h"

#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using testing::HasSubstr;

TEST(SampleFileTest, IsTextproto) {
  const TempFolder folder;
  const std::string path =
      folder.Write("samples.textproto", "samples { processor { top_k { k: 3 } } uniforms: 2 }");
  const auto samples = ReadSampleFile(path);
  ASSERT_THAT(samples, IsOk());
  ASSERT_EQ(samples->samples_size(), 1);
  EXPECT_EQ(samples->samples(0).processor().top_k().k(), 3);
  EXPECT_EQ(samples->samples(0).uniforms(), 2);
}

TEST(SampleFileTest, ErrorsSayWhere) {
  const TempFolder folder;
  const std::string path = folder.Write("samples.textproto", "samples {\n  rule: 1 }");
  EXPECT_THAT(ReadSampleFile(path),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("samples.textproto:2:7: Message type \"logitchain.SampleConfig\" "
                                 "has no field named \"rule\"")));
  EXPECT_THAT(ReadSampleFile(folder.Path("none")),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("none: cannot open: No such file or directory")));
}

}  // namespace
}  // namespace logitchain
