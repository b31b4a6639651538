// The chains in examples/chains must be what they say.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/cli/dialect_name.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/environment.h"
#include "logitchain/tests/cli/command_result.h"
#include "logitchain/tests/testing/fake_mask_provider.h"

namespace logitchain {
namespace {

using ::testing::IsSupersetOf;

std::string Folder() {
  return absl::StrCat(std::getenv("TEST_SRCDIR"), "/", std::getenv("TEST_WORKSPACE"),
                      "/examples/chains/");
}

std::vector<std::string> ChainFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(Folder())) {
    if (entry.path().extension() == ".textproto") files.push_back(entry.path());
  }
  absl::c_sort(files);
  return files;
}

ChainConfig Config(const std::string& path) {
  const absl::StatusOr<ChainText> chain = ReadChainFile(path);
  EXPECT_TRUE(chain.ok()) << chain.status();
  return chain.ok() ? chain->config : ChainConfig();
}

TEST(ChainFilesTest, AllPassLint) {
  std::vector<std::string> arguments = ChainFiles();
  ASSERT_GE(arguments.size(), 11u);
  arguments.insert(arguments.begin(), "lint");
  const CommandResult result = Call(arguments);
  EXPECT_EQ(result.exit_code, 0) << result;
}

TEST(ChainFilesTest, ThereIsOneForEachDialect) {
  std::vector<std::string> dialects;
  for (const std::string& path : ChainFiles()) {
    dialects.push_back(ChainConfig::Dialect_Name(Config(path).dialect()));
  }
  EXPECT_THAT(dialects, IsSupersetOf(DialectNames()));
}

TEST(ChainFilesTest, AllTellEditorsWhatTheyAre) {
  for (const std::string& path : ChainFiles()) {
    std::string start(80, '\0');
    std::ifstream(path).read(start.data(), start.size());
    EXPECT_TRUE(absl::StartsWith(start,
                                 "# proto-file: proto/chain.proto\n"
                                 "# proto-message: logitchain.ChainConfig\n"))
        << path;
  }
}

constexpr TokenId kStop = 99;

// What the chains' comments say that the program gives them.
Environment EnvironmentOfChains(FakeGrammar& grammar) {
  grammar.fill = [](absl::Span<const TokenId>, absl::Span<int32_t> mask) {
    AllowToken(mask, 3);
    AllowToken(mask, 4);
  };
  Environment environment = {.vocab_size = 100};
  environment.mask_providers["json"] = std::make_shared<FakeMaskProvider>(grammar);
  std::vector<std::string> token_bytes(100, "\n\n");
  for (int i = 0; i < 95; ++i) token_bytes[i] = static_cast<char>(' ' + i);
  environment.vocabulary =
      Vocabulary::Create({.token_bytes = std::move(token_bytes), .stop_ids = {kStop}}).value();
  return environment;
}

TEST(ChainFilesTest, AllSample) {
  FakeGrammar grammar;
  const Environment environment = EnvironmentOfChains(grammar);
  for (const std::string& path : ChainFiles()) {
    const auto chain = CreateChain(Config(path), environment);
    ASSERT_TRUE(chain.ok()) << path << ": " << chain.status();
    for (int t = 0; t < 20; ++t) {
      std::vector<float> logits(100);
      for (int id = 0; id < 100; ++id) logits[id] = static_cast<float>((id * 7 + t) % 100) / 20;
      const auto sample = (*chain)->Sample(logits);
      ASSERT_TRUE(sample.ok()) << path << ": " << sample.status();
      if (sample->token == kStop) break;
    }
  }
  EXPECT_TRUE(absl::c_linear_search(grammar.calls, "fill"));
}

TEST(ChainFilesTest, EachHasAReasonForEachRule) {
  for (const std::string& path : ChainFiles()) {
    std::ifstream file(path);
    std::string previous;
    for (std::string line; std::getline(file, line); previous = line) {
      if (absl::StartsWith(line, "processors {")) {
        EXPECT_TRUE(absl::StartsWith(previous, "#")) << path << ": " << line;
      }
    }
  }
}

TEST(ChainFilesTest, SpecIsTheChainOfTheDesign) {
  const ChainConfig config = Config(Folder() + "spec.textproto");
  ASSERT_EQ(config.processors_size(), 6);
  EXPECT_EQ(config.processors(0).repetition_penalty().penalty(), 1.1);
  EXPECT_EQ(config.processors(1).presence_frequency_penalty().presence(), 0.2);
  EXPECT_EQ(config.processors(1).presence_frequency_penalty().frequency(), 0.1);
  EXPECT_EQ(config.processors(2).temperature().temperature(), 0.8);
  EXPECT_EQ(config.processors(3).top_k().k(), 40);
  EXPECT_EQ(config.processors(4).top_p().p(), 0.95);
  EXPECT_EQ(config.processors(5).min_p().p(), 0.05);
  EXPECT_EQ(config.draw().seed(), 42u);
}

}  // namespace
}  // namespace logitchain
