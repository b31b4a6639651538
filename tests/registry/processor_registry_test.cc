#include "logitchain/registry/processor_registry.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/tests/registry/test_configs.pb.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::logitchain_test::OtherScripted;
using ::logitchain_test::Scripted;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

template <typename Config>
ProcessorEntry Entry(std::string source) {
  void (*build)(const Config&, BuildContext&) = [](const Config&, BuildContext&) {};
  return MakeProcessorEntry(build, {.summary = "does nothing", .stage = Stage::kBias},
                            std::move(source));
}

TEST(ProcessorRegistryTest, FindsByTheConfigsFullName) {
  ProcessorRegistry registry;
  ASSERT_THAT(registry.Register(Entry<Scripted>("a.cc:1")), IsOk());
  const ProcessorEntry* entry = registry.Find("logitchain_test.Scripted");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->config, Scripted::descriptor());
  EXPECT_EQ(entry->source, "a.cc:1");
  EXPECT_EQ(entry->info.stage, Stage::kBias);
  EXPECT_EQ(entry->info.summary, "does nothing");
  EXPECT_FALSE(entry->info.keeps_argmax);
  EXPECT_EQ(registry.Find("logitchain_test.OtherScripted"), nullptr);
  EXPECT_EQ(registry.Find("Scripted"), nullptr);
  EXPECT_EQ(registry.Find(""), nullptr);
}

TEST(ProcessorRegistryTest, NamesAreSortedWhateverTheOrderOfRegistration) {
  ProcessorRegistry registry;
  EXPECT_THAT(registry.Names(), IsEmpty());
  ASSERT_THAT(registry.Register(Entry<Scripted>("a.cc:1")), IsOk());
  ASSERT_THAT(registry.Register(Entry<OtherScripted>("b.cc:2")), IsOk());
  EXPECT_THAT(registry.Names(),
              ElementsAre("logitchain_test.OtherScripted", "logitchain_test.Scripted"));
  EXPECT_THAT(registry.status(), IsOk());
}

TEST(ProcessorRegistryTest, ADuplicateNamesBothFilesAndTheFirstStays) {
  ProcessorRegistry registry;
  ASSERT_THAT(registry.Register(Entry<Scripted>("a.cc:1")), IsOk());
  const auto error =
      StatusIs(absl::StatusCode::kAlreadyExists,
               "two rules are registered for logitchain_test.Scripted: in a.cc:1 and "
               "in b.cc:2");
  EXPECT_THAT(registry.Register(Entry<Scripted>("b.cc:2")), error);
  EXPECT_EQ(registry.Find("logitchain_test.Scripted")->source, "a.cc:1");
  EXPECT_THAT(registry.status(), error);
  // status() is the first error.
  EXPECT_THAT(registry.Register(Entry<Scripted>("c.cc:3")),
              StatusIs(absl::StatusCode::kAlreadyExists, EndsWith("in a.cc:1 and in c.cc:3")));
  EXPECT_THAT(registry.status(), error);
}

TEST(ProcessorRegistryTest, AStageOutsideTheEnumIsRefused) {
  for (const int stage : {-1, kStageCount, 99}) {
    ProcessorRegistry registry;
    ProcessorEntry entry = Entry<Scripted>("a.cc:1");
    entry.info.stage = static_cast<Stage>(stage);
    const auto error = StatusIs(absl::StatusCode::kInvalidArgument,
                                absl::StrCat("the rule for logitchain_test.Scripted is registered "
                                             "with the stage ",
                                             stage,
                                             ", in a.cc:1; it must be one of the enum Stage, 0 to "
                                             "18"));
    EXPECT_THAT(registry.Register(entry), error);
    EXPECT_THAT(registry.status(), error);
    EXPECT_EQ(registry.Find("logitchain_test.Scripted"), nullptr);
  }
}

TEST(ProcessorRegistryTest, NoChainIsBuiltFromARegistryWithADuplicate) {
  ProcessorRegistry registry;
  ASSERT_THAT(registry.Register(Entry<Scripted>("a.cc:1")), IsOk());
  registry.Register(Entry<Scripted>("b.cc:2")).IgnoreError();
  EXPECT_THAT(CreateChain(ChainConfig(), {.vocab_size = 4}, registry),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "two rules are registered for logitchain_test.Scripted: in a.cc:1 and in "
                       "b.cc:2"));
}

TEST(GlobalRegistryTest, HasTheBuiltInRules) {
  const ProcessorRegistry& registry = ProcessorRegistry::Global();
  EXPECT_THAT(registry.status(), IsOk());
  const auto* rule = ProcessorConfig::descriptor()->FindOneofByName("rule");
  for (int i = 0; i < rule->field_count(); ++i) {
    const std::string& name = rule->field(i)->message_type()->full_name();
    if (name == "google.protobuf.Any") continue;
    const ProcessorEntry* entry = registry.Find(name);
    ASSERT_NE(entry, nullptr) << name;
    EXPECT_THAT(entry->source, MatchesRegex("processors/[a-z_]+\\.cc:[0-9]+")) << name;
    EXPECT_THAT(std::string(entry->info.summary), MatchesRegex("[a-z].*[^.]")) << name;
  }
}

}  // namespace
}  // namespace logitchain
