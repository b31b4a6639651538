// Rules with randomness and terminals as plugins build them, in a registry of their own.

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/terminal.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

using testing::HasSubstr;

// Keeps the token at u · size, so that a test sees u.
class KeepRandom final : public Cloneable<Filter, KeepRandom> {
 public:
  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override {
    const auto chosen = static_cast<size_t>(step.uniforms.Next() * selector.size());
    selector.KeepIf([chosen](size_t position) { return position == chosen; });
    return absl::OkStatus();
  }
};

// Keeps the tenth that u falls in: of 1000 tokens three of these leave the one whose digits are the
// first digits of their uniforms.
class KeepTenth final : public Cloneable<Filter, KeepTenth> {
 public:
  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override {
    const auto chosen = static_cast<size_t>(step.uniforms.Next() * 10);
    const size_t size = selector.size() / 10;
    selector.KeepIf([=](size_t position) { return position / size == chosen; });
    return absl::OkStatus();
  }
};

void BuildTenth(const TopAConfig&, BuildContext& context) {
  context.AddRandom(std::make_unique<KeepTenth>(), context.seed());
}

void BuildRandom(const TopKConfig&, BuildContext& context) {
  context.AddRandom(std::make_unique<KeepRandom>(), context.seed());
}

void BuildTwo(const MinPConfig&, BuildContext& context) {
  context.AddRandom(std::make_unique<KeepRandom>(), context.seed());
  context.AddRandom(std::make_unique<KeepRandom>(), context.seed());
}

void BuildWithoutGenerator(const TopPConfig&, BuildContext& context) {
  context.Add(std::make_unique<KeepRandom>());
}

// Chooses what it must not.
class BadTerminal final : public Terminal {
 public:
  explicit BadTerminal(TokenId token) : token_(token) {}

  absl::Status Distribution(const StepContext& step, CandidateSelector& candidates,
                            std::vector<double>& q) const override {
    q.assign(candidates.size() + (token_ < 0 ? 1 : 0), step.uniforms.Next());
    return absl::OkStatus();
  }
  absl::StatusOr<Sample> Draw(const StepContext& step, CandidateSelector& candidates) override {
    const double u = step.uniforms.Next();
    return Sample{.token = token_, .kept = candidates.live(), .probability = 1, .uniform = u};
  }
  absl::Status SkipAhead(uint64_t, UniformGenerator&) override { return absl::OkStatus(); }
  std::unique_ptr<Terminal> Clone() const override { return std::make_unique<BadTerminal>(*this); }

 private:
  TokenId token_;
};

void BuildBadTerminal(const MirostatV2Config& config, BuildContext& context) {
  context.SetTerminal(std::make_unique<BadTerminal>(static_cast<TokenId>(config.tau()) - 1));
}

void BuildNoTerminal(const MirostatConfig&, BuildContext&) {}

class RandomRulesTest : public testing::Test {
 protected:
  RandomRulesTest() {
    EXPECT_TRUE(Register(MakeProcessorEntry(&BuildRandom, Info(Stage::kTopK), "test")));
    EXPECT_TRUE(Register(MakeProcessorEntry(&BuildTwo, Info(Stage::kMinP), "test")));
    EXPECT_TRUE(Register(MakeProcessorEntry(&BuildTenth, Info(Stage::kTopA), "test")));
    EXPECT_TRUE(Register(MakeProcessorEntry(&BuildWithoutGenerator, Info(Stage::kTopP), "test")));
    EXPECT_TRUE(Register(MakeProcessorEntry(&BuildBadTerminal, Info(Stage::kDraw), "test")));
    EXPECT_TRUE(Register(MakeProcessorEntry(&BuildNoTerminal, Info(Stage::kDraw), "test.cc:7")));
  }

  absl::StatusOr<std::unique_ptr<Chain>> Create(absl::string_view textproto) const {
    const absl::StatusOr<ChainText> text = ParseChainText(textproto, "chain.textproto");
    EXPECT_TRUE(text.ok()) << text.status();
    return CreateChain(text->config, {.vocab_size = 1000}, registry_);
  }

  // The tokens of five steps; each shows the last rule's uniform.
  std::vector<TokenId> Tokens(absl::string_view textproto) const {
    const std::unique_ptr<Chain> chain = Create(textproto).value();
    std::vector<TokenId> tokens;
    const std::vector<float> logits(1000, 1);
    for (int t = 0; t < 5; ++t) tokens.push_back(chain->Sample(logits)->token);
    return tokens;
  }

  ProcessorRegistry registry_;

 private:
  static ProcessorInfo Info(Stage stage) { return {.summary = "of a test", .stage = stage}; }
  bool Register(ProcessorEntry entry) { return registry_.Register(std::move(entry)).ok(); }
};

TEST_F(RandomRulesTest, EachRuleHasAStreamOfTheSeed) {
  const std::vector<TokenId> first = Tokens("processors { top_k {} }");
  EXPECT_EQ(Tokens("processors { top_k {} }"), first);
  EXPECT_NE(Tokens("processors { top_k {} } draw { seed: 1 }"), first);
  const std::unique_ptr<Chain> two =
      Create("processors { top_k {} } processors { top_k {} }").value();
  ASSERT_TRUE(two->Sample(std::vector<float>(1000, 1)).ok());
  EXPECT_EQ(two->draws(), 3) << "one of each rule and one of the draw";
  EXPECT_NE(Tokens("processors { min_p {} }"), first);
}

// By Python the first digits of the sub-streams' uniforms are
//   logitchain.TopAConfig#0/0   7 1 1 3 4
//   logitchain.TopAConfig#1/0   5 1 0 0 9
//   logitchain.TopAConfig#2/0   7 5 9 1 1
TEST_F(RandomRulesTest, RulesOfOneKindHaveStreamsOfTheirOwn) {
  EXPECT_EQ(Tokens("processors { top_a {} } processors { top_a {} } processors { top_a {} } "
                   "draw { seed: 42 }"),
            (std::vector<TokenId>{757, 115, 109, 301, 491}));
}

TEST_F(RandomRulesTest, OtherRulesMakeNoDifference) {
  EXPECT_EQ(Tokens("order: AS_LISTED processors { top_k {} } processors { min_p {} }"),
            Tokens("processors { top_k {} }"));
}

TEST_F(RandomRulesTest, ARuleWithoutAGeneratorMustNotTakeRandomness) {
  const std::unique_ptr<Chain> chain = Create("processors { top_p {} }").value();
  const absl::Status status = chain->Sample(std::vector<float>(1000, 1)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("processors[0].top_p: took a random number, but was built without"));
}

TEST_F(RandomRulesTest, ATerminalMustSetItself) {
  EXPECT_THAT(std::string(Create("draw { mirostat {} }").status().message()),
              HasSubstr("draw.mirostat set no terminal when it was built, in test.cc:7"));
}

TEST_F(RandomRulesTest, ATerminalCannotChooseWhatIsNotThere) {
  std::vector<float> logits(1000, 1);
  logits[5] = -std::numeric_limits<float>::infinity();
  for (const int token : {-1, 5, 1000}) {
    const std::unique_ptr<Chain> chain =
        Create(absl::StrCat("draw { mirostat_v2 { tau: ", token + 1, " } }")).value();
    EXPECT_EQ(std::string(chain->Sample(logits).status().message()),
              absl::StrCat("draw.mirostat_v2: chose token ", token,
                           ", which is removed or outside the vocabulary"));
    EXPECT_EQ(chain->draws(), 0) << "a failed draw takes nothing";
  }
}

TEST_F(RandomRulesTest, ATerminalsDistributionTakesNoRandomness) {
  for (const char* textproto : {"draw { mirostat_v2 { tau: 0 } }", "draw { mirostat_v2 {} }"}) {
    const absl::Status status =
        Create(textproto).value()->Distribution(std::vector<float>(1000, 1)).status();
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("draw.mirostat_v2: took a random number for its distribution"));
  }
}

TEST_F(RandomRulesTest, ATerminalMustBeLinked) {
  EXPECT_THAT(std::string(Create("draw { gumbel_max {} }").status().message()),
              HasSubstr("draw.gumbel_max is not linked into this program"));
}

}  // namespace
}  // namespace logitchain
