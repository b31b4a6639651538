// A program in which a rule could not be registered says so, whatever it is asked. A program of its
// own, since the registry is one for all.

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/tests/cli/command_result.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

void BuildNothing(const TopKConfig&, BuildContext&) {}

// Registers a second rule for the config, and returns the error.
std::string TwoRules() {
  static const auto* const error =
      new absl::Status(ProcessorRegistry::Global().Register(MakeProcessorEntry(
          &BuildNothing, {.summary = "does nothing", .stage = Stage::kTopK}, "mine.cc:1")));
  return std::string(error->message());
}

TEST(DuplicateRuleTest, ListSaysSo) {
  const std::string error = TwoRules();
  const CommandResult result = Call({"list"});
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "logitchain list: " + error + "\n");
}

TEST(DuplicateRuleTest, LintSaysSoInTheSameWords) {
  const std::string error = TwoRules();
  const TempFolder folder;
  const std::string path = folder.Write("chain.textproto", "");
  const CommandResult result = Call({"lint", path});
  EXPECT_EQ(result.exit_code, 1) << result;
  EXPECT_EQ(result.out, path + ": " + error + "\n");
}

}  // namespace
}  // namespace logitchain
