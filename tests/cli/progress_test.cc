#include "logitchain/cli/progress.h"

#include <sstream>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace logitchain {
namespace {

constexpr absl::Time kStart = absl::UnixEpoch();

TEST(ProgressTest, IsSilentWithoutATerminal) {
  Progress progress(nullptr, "rows", 100, kStart);
  progress.Update(50, kStart + absl::Seconds(60));
  progress.Clear();
}

TEST(ProgressTest, ShowsCountAndRateAfterASecond) {
  std::ostringstream terminal;
  {
    Progress progress(&terminal, "rows", 3000, kStart);
    progress.Update(10, kStart + absl::Milliseconds(999));
    EXPECT_EQ(terminal.str(), "");
    progress.Update(300, kStart + absl::Seconds(2));
    EXPECT_EQ(terminal.str(), "\r\x1b[K300 / 3000 rows (10%), 150 rows/s, 18 s left");
  }
  EXPECT_EQ(terminal.str(), "\r\x1b[K300 / 3000 rows (10%), 150 rows/s, 18 s left\r\x1b[K");
}

TEST(ProgressTest, ShowsSlowRatesWithADecimal) {
  std::ostringstream terminal;
  Progress progress(&terminal, "rows", 8, kStart);
  progress.Update(3, kStart + absl::Seconds(2));
  EXPECT_EQ(terminal.str(), "\r\x1b[K3 / 8 rows (37%), 1.5 rows/s, 4 s left");
}

TEST(ProgressTest, DoesNotFlicker) {
  std::ostringstream terminal;
  Progress progress(&terminal, "rows", 1000, kStart);
  progress.Update(100, kStart + absl::Seconds(1));
  terminal.str("");
  progress.Update(110, kStart + absl::Milliseconds(1199));
  EXPECT_EQ(terminal.str(), "");
  progress.Update(120, kStart + absl::Milliseconds(1200));
  EXPECT_NE(terminal.str(), "");
}

TEST(ProgressTest, ErasesNothingThatItDidNotShow) {
  std::ostringstream terminal;
  Progress(&terminal, "rows", 10, kStart).Update(10, kStart + absl::Milliseconds(5));
  EXPECT_EQ(terminal.str(), "");
}

}  // namespace
}  // namespace logitchain
