#include "logitchain/registry/create_chain.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "google/protobuf/message.h"
#include "gtest/gtest.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/terminal.h"
#include "logitchain/core/transform.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/tests/registry/test_configs.pb.h"
#include "logitchain/tests/testing/scripted_rules.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::logitchain_test::OtherScripted;
using ::logitchain_test::Scripted;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

constexpr int32_t kVocabSize = 10;

// The rules that are linked in, and those that a test adds.
class TestRegistry {
 public:
  TestRegistry() {
    for (const std::string& name : ProcessorRegistry::Global().Names()) {
      EXPECT_THAT(registry_.Register(*ProcessorRegistry::Global().Find(name)), IsOk());
    }
  }

  template <typename Config>
  void Add(ProcessorInfo info, std::function<void(const Config&, BuildContext&)> build) {
    EXPECT_THAT(registry_.Register(
                    {.config = Config::descriptor(),
                     .info = info,
                     .build =
                         [build](const google::protobuf::Message& config, BuildContext& context) {
                           build(static_cast<const Config&>(config), context);
                         },
                     .source = "create_chain_test.cc"}),
                IsOk());
  }

  const ProcessorRegistry& get() const { return registry_; }

 private:
  ProcessorRegistry registry_;
};

// The chain of a text, or why there is none.
absl::StatusOr<std::unique_ptr<Chain>> Create(
    absl::string_view text, int32_t vocab_size = kVocabSize,
    const ProcessorRegistry& registry = ProcessorRegistry::Global()) {
  const absl::StatusOr<ChainText> parsed = ParseChainText(text, "chain.textproto");
  if (!parsed.ok()) return parsed.status();
  return CreateChain(*parsed, {.vocab_size = vocab_size}, registry);
}

auto IsRefusedWith(const std::string& message) {
  return StatusIs(absl::StatusCode::kInvalidArgument, message);
}

TEST(CreateChainTest, BuildsTheChainOfTheDesign) {
  const auto chain = Create(R"pb(
    dialect: SPEC
    processors { repetition_penalty { penalty: 1.1 } }
    processors { presence_frequency_penalty { presence: 0.2 frequency: 0.1 } }
    processors { temperature { temperature: 0.8 } }
    processors { top_k { k: 40 } }
    processors { top_p { p: 0.95 } }
    processors { min_p { p: 0.05 } }
    draw { seed: 42 }
  )pb");
  ASSERT_THAT(chain, IsOk());
  EXPECT_EQ((*chain)->vocab_size(), kVocabSize);
  EXPECT_EQ((*chain)->dialect().name, ChainConfig::SPEC);
  EXPECT_THAT((*chain)->history().all(), IsEmpty());
  EXPECT_THAT((*chain)->Sample(std::vector<float>(kVocabSize, 1)), IsOk());
}

TEST(CreateChainTest, AParameterOutOfItsRangeIsNamedWithItsPlace) {
  EXPECT_THAT(
      Create("# The chain of the design, with a slip.\n"
             "dialect: SPEC\n"
             "processors { repetition_penalty { penalty: 1.1 } }\n"
             "processors { presence_frequency_penalty { presence: 0.2 } }\n"
             "processors { temperature { temperature: 0.8 } }\n"
             "processors { top_k { k: 40 } }\n"
             "processors { top_p { p: 1.5 } }\n"),
      IsRefusedWith("chain.textproto:7:22: processors[4].top_p.p is 1.5; it must be in (0, 1]"));
}

TEST(CreateChainTest, WithoutATextTheErrorHasNoPlace) {
  ChainConfig config;
  config.add_processors()->mutable_top_p()->set_p(1.5);
  EXPECT_THAT(CreateChain(config, {.vocab_size = kVocabSize}),
              IsRefusedWith("processors[0].top_p.p is 1.5; it must be in (0, 1]"));
}

struct BadChain {
  std::string name;
  std::string text;
  std::string error;
};

class BadChainTest : public testing::TestWithParam<BadChain> {};

INSTANTIATE_TEST_SUITE_P(
    , BadChainTest,
    testing::Values(
        BadChain{"AnEmptyEntry", "processors { top_k { k: 1 } }\nprocessors {}",
                 "chain.textproto:2:1: processors[1] is empty; it must name a rule"},
        BadChain{"AnElementOfAList", "processors { grammar_mask {\n  banned_ids: [1, -2, 3] } }",
                 "chain.textproto:2:19: processors[0].grammar_mask.banned_ids[1] is -2; it must be "
                 "in [0, inf)"},
        BadChain{
            "AnIdOutsideTheVocabulary",
            "processors { grammar_mask { allowed_ids: 9 allowed_ids: 10 } }",
            "chain.textproto:1:44: processors[0].grammar_mask.allowed_ids[1] is 10; it must be "
            "in the vocabulary, [0, 10)"},
        BadChain{"AMaskOfNothing", "processors {\n  grammar_mask {} }",
                 "chain.textproto:2:3: processors[0].grammar_mask masks nothing; it must have "
                 "allowed_ids, banned_ids, provider, or a grammar: gbnf, regex, json_schema, json "
                 "or choice"},
        BadChain{"AnUnknownProvider", "processors { grammar_mask { provider: 'json' } }",
                 "chain.textproto:1:29: processors[0].grammar_mask.provider is \"json\"; the "
                 "environment has no providers"},
        BadChain{"AWrongOrder",
                 "processors { top_k { k: 40 } }\n"
                 "processors { temperature { temperature: 0.8 } }\n"
                 "processors { repetition_penalty { penalty: 1.1 } }",
                 "chain.textproto:2:14: processors[1].temperature must come before "
                 "processors[0].top_k in dialect SPEC; the right order is repetition_penalty, "
                 "temperature, top_k (`logitchain lint --fix` writes it, `order: AS_LISTED` keeps "
                 "yours)"},
        BadChain{"AnOrderThatAnotherDialectHas",
                 "dialect: LLAMA_CPP\n"
                 "processors { temperature { temperature: 0.8 } }\n"
                 "processors { top_k { k: 40 } }",
                 "chain.textproto:3:14: processors[1].top_k must come before "
                 "processors[0].temperature in dialect LLAMA_CPP; the right order is top_k, "
                 "temperature (`logitchain lint --fix` writes it, `order: AS_LISTED` keeps yours)"},
        BadChain{"AMaskAfterAFilterAsListed",
                 "order: AS_LISTED\n"
                 "processors { top_k { k: 40 } }\n"
                 "processors { grammar_mask { banned_ids: 1 } }",
                 "chain.textproto:3:14: processors[1].grammar_mask must come before "
                 "processors[0].top_k; masks come before every filter in any order"},
        BadChain{"AMaskAfterAFilterAndATransformAsListed",
                 "order: AS_LISTED\n"
                 "processors { top_k { k: 40 } }\n"
                 "processors { temperature { temperature: 0.8 } }\n"
                 "processors { repetition_penalty { penalty: 1.1 } }\n"
                 "processors { grammar_mask { banned_ids: 1 } }",
                 "chain.textproto:5:14: processors[3].grammar_mask must come before "
                 "processors[0].top_k; masks come before every filter in any order"},
        // There temperature's place is behind the filters'.
        BadChain{"AMaskAfterAFilterAndATemperatureOfLlamaCppAsListed",
                 "dialect: LLAMA_CPP order: AS_LISTED\n"
                 "processors { top_k { k: 40 } }\n"
                 "processors { temperature { temperature: 0.8 } }\n"
                 "processors { grammar_mask { banned_ids: 1 } }",
                 "chain.textproto:4:14: processors[2].grammar_mask must come before "
                 "processors[0].top_k; masks come before every filter in any order"},
        BadChain{"ASeedTooLargeForMt19937", "dialect: LLAMA_CPP draw {\n  seed: 4294967296 }",
                 "chain.textproto:2:3: draw.seed is 4294967296; the generator mt19937 takes one in "
                 "[0, 4294967295]"},
        BadChain{"ASeedTooLargeForMt19937ByName",
                 "draw { seed: 18446744073709551615 generator: MT19937 }",
                 "chain.textproto:1:8: draw.seed is 18446744073709551615; the generator mt19937 "
                 "takes one in [0, 4294967295]"},
        BadChain{"MinfersFallbackInAnotherDialect",
                 "dialect: LLAMA_CPP\ndraw { minfer_last_id_fallback: true }",
                 "chain.textproto:2:8: draw.minfer_last_id_fallback is true; that means something "
                 "in dialect MINFER only"},
        BadChain{"MinfersFallbackWithoutACategoricalDraw",
                 "dialect: MINFER draw { minfer_last_id_fallback: true greedy {} }",
                 "chain.textproto:1:24: draw.minfer_last_id_fallback is for a categorical draw "
                 "only"},
        BadChain{"VllmsSmallTemperatureInAnotherDialect",
                 "dialect: SPEC\n"
                 "processors { temperature { temperature: 0.5 allow_small_temperature: true } }",
                 "chain.textproto:2:45: processors[0].temperature.allow_small_temperature is true; "
                 "that means something in dialect VLLM only"},
        BadChain{"AParameterOfABuiltInTerminal", "draw { mirostat { tau: -1 } }",
                 "chain.textproto:1:19: draw.mirostat.tau is -1; it must be in [0, inf)\n"
                 "chain.textproto:1:8: draw.mirostat is not linked into this program; "
                 "//processors:all has every built-in rule"},
        BadChain{"ATemperatureThatVllmWouldRaise",
                 "dialect: VLLM processors { temperature { temperature: 0.005 } }",
                 "chain.textproto:1:42: processors[0].temperature.temperature is 0.005; this "
                 "dialect raises a temperature in [1e-05, 0.01) to 0.01: say so with "
                 "allow_small_temperature: true, or give another"},
        BadChain{
            "AMessageThatIsNoRule",
            "processors { plugin { [type.googleapis.com/logitchain_test.Unregistered] {} } }",
            "chain.textproto:1:23: processors[0].plugin[logitchain_test.Unregistered] is not a "
            "registered rule; link the target that registers it into this program, or have "
            "`logitchain` load it with --plugin; there are no plugins"},
        BadChain{"SeveralErrors",
                 "processors { temperature { temperature: -1 } }\n"
                 "processors { top_k { k: -1 min_keep: 0 } }\n"
                 "processors {}\n"
                 "processors { grammar_mask { banned_ids: 99 } }\n"
                 "draw { minfer_last_id_fallback: true }",
                 "chain.textproto:1:28: processors[0].temperature.temperature is -1; it must be in "
                 "[0, inf)\n"
                 "chain.textproto:2:22: processors[1].top_k.k is -1; it must be in [0, inf)\n"
                 "chain.textproto:2:28: processors[1].top_k.min_keep is 0; it must be in [1, inf)\n"
                 "chain.textproto:3:1: processors[2] is empty; it must name a rule\n"
                 "chain.textproto:4:29: processors[3].grammar_mask.banned_ids[0] is 99; it must be "
                 "in the vocabulary, [0, 10)\n"
                 "chain.textproto:4:14: processors[3].grammar_mask must come before "
                 "processors[1].top_k in dialect SPEC; the right order is grammar_mask, "
                 "temperature, top_k (`logitchain lint --fix` writes it, `order: AS_LISTED` keeps "
                 "yours)\n"
                 "chain.textproto:5:8: draw.minfer_last_id_fallback is true; that means something "
                 "in dialect MINFER only"}),
    [](const auto& info) { return info.param.name; });

TEST_P(BadChainTest, IsRefusedWithEveryReason) {
  EXPECT_THAT(Create(GetParam().text), IsRefusedWith(GetParam().error));
}

TEST(CreateChainTest, TheLongestChain) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "processors { top_k { k: 5 } }\n";
  EXPECT_THAT(Create(text), IsOk());
  text += "processors { top_k { k: 5 } }\n";
  EXPECT_THAT(
      Create(text),
      IsRefusedWith("chain.textproto: processors has 1001 rules; at most 1000 are allowed"));
}

TEST(CreateChainTest, AVocabularyHasLimits) {
  for (const int32_t size : {0, -5, (1 << 24) + 1, std::numeric_limits<int32_t>::max(),
                             std::numeric_limits<int32_t>::min()}) {
    EXPECT_THAT(Create("processors { grammar_mask { banned_ids: 0 } }", size),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         StartsWith(absl::StrCat("chain.textproto: the vocabulary has ", size,
                                                 " tokens; it must be in [1, 16777216]"))));
  }
  EXPECT_THAT(Create("", 1), IsOk());
  EXPECT_THAT(Create("", 1 << 24), IsOk());
}

TEST(CreateChainTest, AVocabularysTextsMayBeOfFewerTokensThanTheLogits) {
  const auto vocabulary = Vocabulary::Create({.token_bytes = {"a", "b", "c"}}).value();
  const auto create = [&](int32_t vocab_size) {
    return CreateChain(ChainConfig(), {.vocab_size = vocab_size, .vocabulary = vocabulary});
  };
  EXPECT_THAT(create(4), IsOk());
  EXPECT_THAT(create(3), IsOk());
  EXPECT_THAT(create(2), IsRefusedWith("the vocabulary's texts are of 3 tokens, more than the 2 of "
                                       "the logits"));
}

TEST(CreateChainTest, AGeneratorTakesItsLargestSeed) {
  EXPECT_THAT(Create("draw { seed: 4294967295 generator: MT19937 }"), IsOk());
  EXPECT_THAT(Create("draw { seed: 18446744073709551615 generator: CHACHA12 }"), IsOk());
  EXPECT_THAT(Create("dialect: LLAMA_CPP draw { seed: 18446744073709551615 generator: PCG32 }"),
              IsOk());
}

// A seed of 2^32 draws as 0 would where it is cut.
TEST(CreateChainTest, TheGeneratorIsTheOneThatIsNamed) {
  const std::vector<float> logits(kVocabSize, 0);
  const auto uniform = [&](absl::string_view text) {
    return Create(text).value()->Sample(logits).value().uniform.value();
  };
  EXPECT_EQ(uniform("draw { seed: 0 }"), 0x1.9aac30ff7d566p-1);
  EXPECT_EQ(uniform("draw { seed: 0 generator: PCG32 }"), 0x1.9aac30ff7d566p-1);
  EXPECT_EQ(uniform("dialect: LLAMA_CPP draw { generator: PCG32 }"), 0x1.9aac30ff7d566p-1);
  EXPECT_EQ(uniform("dialect: LLAMA_CPP draw { seed: 5 }"),
            uniform("draw { seed: 5 generator: MT19937 }"));
  EXPECT_EQ(uniform("dialect: MINFER draw { seed: 5 }"),
            uniform("draw { seed: 5 generator: CHACHA12 }"));
}

TEST(CreateChainTest, RulesRunInTheOrderOfTheDialectOrAsListed) {
  // Before the temperature, min-p sees a ratio of e^-2; after it, one of e^-1.
  constexpr absl::string_view kRules = R"pb(
    processors { min_p { p: 0.2 } }
    processors { temperature { temperature: 2 } }
  )pb";
  std::vector<float> logits(kVocabSize, -100);
  logits[0] = 2;
  logits[1] = 0;
  EXPECT_THAT(Create(kRules), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_EQ(Create(absl::StrCat("order: AS_LISTED", kRules)).value()->Sample(logits).value().kept,
            1);
  EXPECT_EQ(Create(R"pb(
              processors { temperature { temperature: 2 } }
              processors { min_p { p: 0.2 } }
            )pb")
                .value()
                ->Sample(logits)
                .value()
                .kept,
            2);
}

TEST(CreateChainTest, RulesOfOneStageRunInTheOrderOfTheList) {
  std::vector<float> logits(kVocabSize, 1);
  EXPECT_EQ(Create("processors { top_k { k: 5 } } processors { top_k { k: 3 } }")
                .value()
                ->Sample(logits)
                .value()
                .kept,
            3);
}

// --- Plugins
// --------------------------------------------------------------------------------------

constexpr absl::string_view kPlugin =
    "processors { plugin { [type.googleapis.com/logitchain_test.Scripted] { strength: 0.5 } } }";

TEST(PluginTest, RunsAtItsStage) {
  TestRegistry registry;
  registry.Add<Scripted>(
      {.stage = Stage::kBias}, [](const Scripted& config, BuildContext& context) {
        context.Add(MakeTransform(
            [strength = config.strength()](LogitEditor& editor) { editor.Set(0, strength); }));
      });
  const auto chain = Create(absl::StrCat(kPlugin, "processors { temperature { temperature: 2 } }"),
                            2, registry.get());
  ASSERT_THAT(chain, IsOk());
  EXPECT_THAT((*chain)->Process(std::vector<float>{3, 4}), IsOkAndHolds(ElementsAre(0.25, 2)));
  EXPECT_THAT(Create(absl::StrCat("processors { temperature { temperature: 2 } }", kPlugin), 2,
                     registry.get()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("processors[1].plugin[logitchain_test.Scripted] must come before "
                                 "processors[0].temperature "
                                 "in dialect SPEC; the right order is logitchain_test.Scripted, "
                                 "temperature")));
}

TEST(PluginTest, ItsFieldsAreCheckedBeforeItIsBuilt) {
  TestRegistry registry;
  registry.Add<Scripted>({.stage = Stage::kBias}, [](const Scripted&, BuildContext&) {
    ADD_FAILURE() << "built from a config that was refused";
  });
  EXPECT_THAT(
      Create("processors { plugin { [type.googleapis.com/logitchain_test.Scripted] "
             "{ strength: 2 nested { nested { x: -1 } } } } }",
             2, registry.get()),
      IsRefusedWith("chain.textproto:1:72: processors[0].plugin[logitchain_test.Scripted].strength "
                    "is 2; it must be "
                    "in [0, 1]\n"
                    "chain.textproto:1:102: "
                    "processors[0].plugin[logitchain_test.Scripted].nested.nested.x is -1; it "
                    "must be in [0, 1]"));
}

TEST(PluginTest, ItsOwnErrorsHaveAPlaceToo) {
  TestRegistry registry;
  registry.Add<Scripted>({.stage = Stage::kBias}, [](const Scripted&, BuildContext& context) {
    context.AddError("strength", "is not to the rule's taste");
    context.AddError("", "is of no use");
  });
  EXPECT_THAT(
      Create(kPlugin, 2, registry.get()),
      IsRefusedWith(
          "chain.textproto:1:72: processors[0].plugin[logitchain_test.Scripted].strength is not to "
          "the rule's taste\n"
          "chain.textproto:1:23: processors[0].plugin[logitchain_test.Scripted] is of no use"));
}

TEST(PluginTest, MayHaveSeveralPartsAtSeveralStages) {
  TestRegistry registry;
  registry.Add<Scripted>({.stage = Stage::kTopK}, [](const Scripted&, BuildContext& context) {
    context.Add(Stage::kBias, MakeTransform([](LogitEditor& editor) { editor.Set(0, 5); }));
    context.Add(MakeFilter([](CandidateSelector& selector) { selector.Remove(1); }));
  });
  const auto chain = Create(absl::StrCat("processors { temperature { temperature: 2 } }", kPlugin),
                            3, registry.get());
  ASSERT_THAT(chain, IsOk());
  EXPECT_THAT((*chain)->Process(std::vector<float>{3, 4, 4}),
              IsOkAndHolds(ElementsAre(2.5, kRemoved, 2)));
  EXPECT_GT((*chain)->TokenLogprobs(std::vector<float>{3, 4, 4}).value()[0], -1);
}

TEST(CreateChainTest, ManyProblemsAreCut) {
  std::string text;
  for (int i = 0; i < 130; ++i) text += "processors { top_p { p: 2 } }\n";
  const absl::Status status = Create(text).status();
  const std::vector<std::string> lines = absl::StrSplit(status.message(), '\n');
  ASSERT_EQ(lines.size(), 101u);
  EXPECT_THAT(lines[99], StartsWith("chain.textproto:100:22: processors[99].top_p.p is 2; "));
  EXPECT_EQ(lines[100], "… and 30 more");
}

TEST(PluginTest, AnErrorOfAStepNamesItsConfig) {
  TestRegistry registry;
  registry.Add<Scripted>({.stage = Stage::kBias}, [](const Scripted&, BuildContext& context) {
    context.Add(MakeFilter([](CandidateSelector& selector) { selector.Remove(0); }));
  });
  const auto chain = Create(kPlugin, 1, registry.get());
  ASSERT_THAT(chain, IsOk());
  EXPECT_THAT((*chain)->Sample(std::vector<float>{1}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       StartsWith("processors[0].plugin[logitchain_test.Scripted]: removed")));
}

TEST(PluginTest, OneThatIsNotRegisteredIsToldWhichAre) {
  TestRegistry registry;
  const auto build = [](const auto&, BuildContext&) {};
  registry.Add<OtherScripted>({.stage = Stage::kBias}, build);
  registry.Add<MirostatConfig>({.stage = Stage::kDraw}, build);
  EXPECT_THAT(
      Create("draw { plugin { [type.googleapis.com/logitchain_test.Unregistered] {} } }", 2,
             registry.get()),
      IsRefusedWith("chain.textproto:1:17: draw.plugin[logitchain_test.Unregistered] is not "
                    "a registered rule (did you mean logitchain_test.OtherScripted?); link the "
                    "target that registers it into this program, or have `logitchain` load it with "
                    "--plugin; the plugins are logitchain_test.OtherScripted"));
}

TEST(CreateChainTest, ABuiltInRuleThatIsNotLinkedIn) {
  const ProcessorRegistry empty;
  EXPECT_THAT(Create("processors { top_k { k: 1 } }", 2, empty),
              IsRefusedWith("chain.textproto:1:14: processors[0].top_k is not linked into this "
                            "program; //processors:all has every built-in rule"));
}

TEST(PluginTest, ATypeUrlThatIsNoneIsRefused) {
  ChainConfig config;
  config.add_processors()->mutable_plugin()->set_type_url("nonsense");
  EXPECT_THAT(CreateChain(config, {.vocab_size = 2}),
              IsRefusedWith("processors[0].plugin has the type URL \"nonsense\"; it must be like "
                            "type.googleapis.com/acme.BanDigits"));
}

TEST(PluginTest, BytesThatAreNoMessageAreRefused) {
  ChainConfig config;
  config.add_processors()->mutable_plugin()->set_type_url(
      "type.googleapis.com/logitchain.TopKConfig");
  config.mutable_processors(0)->mutable_plugin()->set_value("\xff\xff");
  EXPECT_THAT(
      CreateChain(config, {.vocab_size = 2}),
      IsRefusedWith("processors[0].plugin[logitchain.TopKConfig] has a value that is not a valid "
                    "logitchain.TopKConfig"));
}

TEST(PluginTest, ABuiltInRuleMayBeWrittenAsAPlugin) {
  const auto chain =
      Create("processors { plugin { [type.googleapis.com/logitchain.TopKConfig] { k: 1 } } }", 3);
  ASSERT_THAT(chain, IsOk());
  EXPECT_EQ((*chain)->Sample(std::vector<float>{1, 3, 2}).value().kept, 1);
}

TEST(PluginTest, APartThatIsNullIsAnError) {
  TestRegistry registry;
  registry.Add<Scripted>({.stage = Stage::kBias}, [](const Scripted&, BuildContext& context) {
    context.Add(std::unique_ptr<Processor>());
  });
  EXPECT_THAT(Create(kPlugin, 2, registry.get()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("processors[0].plugin[logitchain_test.Scripted]")));
}

// --- Greedy
// ---------------------------------------------------------------------------------------

TEST(GreedyConfigTest, AFilterThatMayDropTheArgmaxMayNotFollow) {
  TestRegistry registry;
  const auto build = [](const auto&, BuildContext& context) {
    context.Add(MakeFilter([](CandidateSelector& selector) { selector.Remove(1); }));
  };
  registry.Add<Scripted>({.stage = Stage::kTopK, .keeps_argmax = false}, build);
  registry.Add<OtherScripted>({.stage = Stage::kTopK, .keeps_argmax = true}, build);

  EXPECT_THAT(Create(absl::StrCat("processors { temperature { temperature: 0 } }\n", kPlugin), 3,
                     registry.get()),
              IsRefusedWith("chain.textproto:2:23: processors[1].plugin[logitchain_test.Scripted] "
                            "may remove the most likely "
                            "token, which processors[0].temperature makes the draw return; remove "
                            "one of the two"));
  // One that says it keeps it is not run, and at another temperature both are.
  const std::string other =
      "processors { plugin { [type.googleapis.com/logitchain_test.OtherScripted] {} } }";
  const auto chain = Create(absl::StrCat("processors { temperature { temperature: 0 } }", other), 3,
                            registry.get());
  ASSERT_THAT(chain, IsOk());
  EXPECT_THAT((*chain)->Process(std::vector<float>{1, 3, 2}), IsOkAndHolds(ElementsAre(1, 3, 2)));
  EXPECT_THAT(Create(absl::StrCat("processors { temperature { temperature: 0.1 } }", kPlugin), 3,
                     registry.get()),
              IsOk());
}

TEST(GreedyConfigTest, ATerminalThatDrawsMayNotFollow) {
  TestRegistry registry;
  registry.Add<MirostatConfig>(
      {.stage = Stage::kDraw}, [](const MirostatConfig&, BuildContext& context) {
        context.SetTerminal(std::make_unique<CategoricalTerminal>(/*last_id_fallback=*/false));
      });
  constexpr absl::string_view kDraw = "draw { mirostat {} }";
  EXPECT_THAT(Create(absl::StrCat("processors { temperature { temperature: 0 } }\n", kDraw), 3,
                     registry.get()),
              IsRefusedWith("chain.textproto:2:8: draw.mirostat does not draw greedily, as "
                            "processors[0].temperature demands; remove one of the two"));
  EXPECT_THAT(Create(absl::StrCat("processors { temperature { temperature: 0.1 } }\n", kDraw), 3,
                     registry.get()),
              IsOk());
}

TEST(GreedyConfigTest, AFilterThatMayDropTheArgmaxMayComeBefore) {
  TestRegistry registry;
  registry.Add<Scripted>({.stage = Stage::kTopK}, [](const auto&, BuildContext& context) {
    context.Add(MakeFilter([](CandidateSelector& selector) { selector.Remove(1); }));
  });
  const auto chain = Create(
      absl::StrCat("dialect: MINFER ", kPlugin, "processors { temperature { temperature: 0 } }"), 3,
      registry.get());
  ASSERT_THAT(chain, IsOk());
  EXPECT_EQ((*chain)->Sample(std::vector<float>{1, 3, 2}).value().token, 2);
  const auto greedy_draw = Create(absl::StrCat(kPlugin, "draw { greedy {} }"), 3, registry.get());
  ASSERT_THAT(greedy_draw, IsOk());
  EXPECT_EQ((*greedy_draw)->Sample(std::vector<float>{1, 3, 2}).value().token, 2);
}

// --- Checks and order without a chain
// -------------------------------------------------------------

std::vector<ConfigProblem> Check(absl::string_view text) {
  return CheckChain(ParseChainText(text, "chain.textproto").value().config);
}

TEST(CheckChainTest, NeedsNoVocabulary) {
  EXPECT_THAT(Check("processors { grammar_mask { banned_ids: 1000000 provider: 'json' } }"),
              IsEmpty());
}

TEST(CheckChainTest, ChecksIdsIfItKnowsTheVocabulary) {
  const ChainConfig config =
      ParseChainText("processors { grammar_mask { banned_ids: [4, 5] provider: 'json' } }", "")
          .value()
          .config;
  EXPECT_THAT(CheckChain(config, 6), IsEmpty());
  const std::vector<ConfigProblem> problems = CheckChain(config, 5);
  ASSERT_EQ(problems.size(), 1);
  EXPECT_EQ(problems[0].path, "processors[0].grammar_mask.banned_ids[1]");
  EXPECT_EQ(problems[0].message, "is 5; it must be in the vocabulary, [0, 5)");
}

struct SeedCase {
  std::string chain;
  bool is_small;
};

TEST(NeedsSmallSeedTest, WhereAnythingTakesMt19937) {
  const std::vector<SeedCase> cases = {{"", false},
                                       {"dialect: MINFER", false},
                                       {"dialect: LLAMA_CPP", true},
                                       {"draw { generator: MT19937 }", true},
                                       {"dialect: LLAMA_CPP draw { generator: PCG32 }", true}};
  for (const auto& [chain, is_small] : cases) {
    EXPECT_EQ(NeedsSmallSeed(ParseChainText(chain, "").value().config), is_small) << chain;
  }
}

TEST(CheckChainTest, FindsAllThatIsWrong) {
  std::vector<std::string> paths;
  for (const ConfigProblem& problem : Check(R"pb(
         processors { grammar_mask {} }
         processors { top_p { p: 2 } }
         processors { temperature { temperature: 1 } }
         draw { seed: 99999999999 generator: MT19937 }
       )pb")) {
    paths.push_back(problem.path);
  }
  EXPECT_THAT(paths, UnorderedElementsAre("processors[1].top_p.p", "processors[2].temperature",
                                          "processors[0].grammar_mask", "draw.seed"));
}

struct Order {
  std::string name;
  std::string text;
  std::vector<int> order;
};

class DialectOrderTest : public testing::TestWithParam<Order> {};

constexpr char kAllRules[] = R"pb(
  processors { min_p {} }
  processors { top_p {} }
  processors { top_k {} }
  processors { temperature {} }
  processors { presence_frequency_penalty {} }
  processors { repetition_penalty {} }
  processors { grammar_mask {} }
)pb";

INSTANTIATE_TEST_SUITE_P(
    , DialectOrderTest,
    testing::Values(
        Order{"Nothing", "", {}},
        Order{"Spec", absl::StrCat("dialect: SPEC", kAllRules), {6, 5, 4, 3, 2, 1, 0}},
        Order{"Minfer", absl::StrCat("dialect: MINFER", kAllRules), {4, 5, 6, 2, 1, 0, 3}},
        Order{"LlamaCpp", absl::StrCat("dialect: LLAMA_CPP", kAllRules), {6, 5, 4, 2, 1, 0, 3}},
        Order{
            "HuggingFace", absl::StrCat("dialect: HUGGING_FACE", kAllRules), {5, 4, 6, 3, 2, 1, 0}},
        Order{"Vllm", absl::StrCat("dialect: VLLM", kAllRules), {6, 5, 4, 3, 0, 2, 1}},
        // What is in order stays, and so do rules of one stage.
        Order{"Stable",
              "processors { top_k { k: 5 } } processors { top_k { k: 3 } }"
              "processors { temperature {} } processors { top_k { k: 4 } }",
              {2, 0, 1, 3}},
        Order{"WhatNamesNoRuleGoesLast",
              "processors {} processors { top_k {} } processors { temperature {} }"
              "processors {"
              "  plugin { [type.googleapis.com/logitchain_test.Unregistered] {} }"
              "} processors { grammar_mask {} }",
              {4, 2, 1, 0, 3}}),
    [](const auto& info) { return info.param.name; });

TEST_P(DialectOrderTest, IsTheDialects) {
  EXPECT_EQ(DialectOrder(ParseChainText(GetParam().text, "chain.textproto").value().config),
            GetParam().order);
}

}  // namespace
}  // namespace logitchain
