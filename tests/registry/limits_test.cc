// Limits on what may come from outside that no other test goes to: a step at the limit of the
// vocabulary, and the nesting of a config that did not come as text.

#include "logitchain/core/limits.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/tests/registry/test_configs.pb.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using testing::StartsWith;

// At the limit a step is as right as anywhere.
TEST(LimitsTest, AStepOverTheLargestVocabulary) {
  const auto chain = CreateChain(ChainConfig(), {.vocab_size = kMaxVocabSize});
  ASSERT_THAT(chain, IsOk());
  std::vector<float> logits(kMaxVocabSize, -1e30f);
  logits.back() = 1;
  const auto sample = (*chain)->Sample(logits);
  ASSERT_THAT(sample, IsOk());
  EXPECT_EQ(sample->token, kMaxVocabSize - 1);
}

void BuildNothing(const logitchain_test::Nested&, BuildContext&) {}

// Of a rule with this config.
const ProcessorRegistry& NestedRule() {
  static const auto* const registry = [] {
    auto* made = new ProcessorRegistry;
    EXPECT_THAT(made->Register(MakeProcessorEntry(
                    &BuildNothing, {.summary = "of a test", .stage = Stage::kTopK}, "test.cc")),
                IsOk());
    return made;
  }();
  return *registry;
}

TEST(LimitsTest, NestingOfBytes) {
  logitchain_test::Nested config;
  for (int i = 0; i < 200; ++i) {
    logitchain_test::Nested outer;
    outer.mutable_nested()->Swap(&config);
    config.Swap(&outer);
  }
  ChainConfig chain;
  chain.add_processors()->mutable_plugin()->PackFrom(config);
  EXPECT_THAT(CreateChain(chain, {.vocab_size = 5}, NestedRule()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       StartsWith("processors[0].plugin[logitchain_test.Nested] has a "
                                  "value that is not a valid logitchain_test.Nested")));
}

}  // namespace
}  // namespace logitchain
