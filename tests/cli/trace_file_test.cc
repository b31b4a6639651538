#include "logitchain/cli/trace_file.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/tests/testing/status_matchers.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::EndsWith;

TEST(TraceFileTest, AppearsWhollyAtCommit) {
  const TempFolder folder;
  const std::string path = folder.Write("trace", "before");
  const std::string lines(200'000, 'x');  // More than is gathered at once.
  auto trace = TraceFile::Open(path).value();
  trace->lines() << lines << 1 << '\n' << std::flush;
  EXPECT_EQ(folder.Read("trace"), "before");
  EXPECT_THAT(trace->Commit(), IsOk());
  EXPECT_EQ(folder.Read("trace"), lines + "1\n");
}

TEST(TraceFileTest, IsNotWrittenWithoutCommit) {
  const TempFolder folder;
  const std::string path = folder.Write("trace", "before");
  TraceFile::Open(path).value()->lines() << "after\n";
  TraceFile::Open(folder.Path("new")).value()->lines() << "after\n";
  EXPECT_EQ(folder.Read("trace"), "before");
  EXPECT_THAT(folder.Names(), ElementsAre("trace"));
}

TEST(TraceFileTest, ADeviceHasTheLinesAsTheyCome) {
  auto trace = TraceFile::Open("/dev/full").value();
  trace->lines() << "a line\n" << std::flush;
  EXPECT_FALSE(trace->lines());
  EXPECT_THAT(trace->Commit(), StatusIs(absl::StatusCode::kDataLoss, "/dev/full: cannot write"));
}

TEST(TraceFileTest, CannotBeAFolder) {
  const TempFolder folder;
  EXPECT_THAT(TraceFile::Open(folder.Path("")).status().ToString(), EndsWith("Is a directory"));
}

}  // namespace
}  // namespace logitchain
