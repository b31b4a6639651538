// Candidates have two forms, dense and sparse, and it must make no difference which of them a rule
// meets. Random chains run twice: as they are, and with a filter before each rule that removes
// nothing but reads the arrays, which makes the candidates sparse.

#include "logitchain/core/candidates.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/chain_observer.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/terminal.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/tests/testing/logit_recipe.h"
#include "logitchain/tests/testing/scripted_rules.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;

constexpr int32_t kVocabSize = 1675;  // Not a multiple of 32.

struct Rule {
  bool is_filter;
  std::function<std::unique_ptr<Processor>()> make;  // May be called again.
};

class RandomRules {
 public:
  explicit RandomRules(uint64_t seed) : random_(seed) {}

  Rule Next() {
    switch (Below(8)) {
      case 0:
        return Transform([ids = Ids(60)](LogitEditor& editor) {
          for (const TokenId id : ids) {
            if (editor.Find(id)) editor.Set(id, id % 64 * 0.125 - 3);
          }
        });
      case 1:
        return Transform([ids = Ids(200)](LogitEditor& editor) {
          for (const TokenId id : ids) {
            editor.Rewrite(id, [](auto logit) { return logit > 0 ? logit / 3 : logit * 3; });
          }
        });
      case 2:
        return Transform([](LogitEditor& editor) {
          editor.RewriteAll([](auto logit) { return logit / 2; }, /*keeps_order=*/true);
        });
      case 3:
        return Filter([ids = Ids(100)](CandidateSelector& selector) {
          for (const TokenId id : ids) selector.Remove(id);
        });
      case 4:
        return Filter(
            [words = Words()](CandidateSelector& selector) { selector.KeepAllowed(words); });
      case 5:
        return Filter([k = 1 + Below(1600), ties = Ties()](CandidateSelector& selector) {
          selector.KeepLargest(k, ties);
        });
      case 6:
        return Filter([p = 1 - Below(100) / 100.0 - 1e-6](CandidateSelector& selector) {
          selector.KeepNucleus(p, TopPConfig::REACHES, /*min_keep=*/1);
        });
      default:
        return Filter([p = Below(100) / 100.0](CandidateSelector& selector) {
          selector.KeepLikely(p, /*min_keep=*/1);
        });
    }
  }

  uint32_t Below(uint32_t n) { return random_.Next() % n; }

 private:
  template <typename Script>
  static Rule Transform(Script script) {
    return {.is_filter = false, .make = [script] { return MakeTransform(script); }};
  }
  template <typename Script>
  static Rule Filter(Script script) {
    return {.is_filter = true, .make = [script] { return MakeFilter(script); }};
  }

  // Some of them outside the vocabulary.
  std::vector<TokenId> Ids(uint32_t most) {
    std::vector<TokenId> ids(1 + Below(most));
    for (TokenId& id : ids) id = static_cast<TokenId>(Below(kVocabSize + 4)) - 2;
    return ids;
  }
  // About one bit in eight is 0.
  std::vector<int32_t> Words() {
    std::vector<int32_t> words((kVocabSize + 31) / 32);
    for (int32_t& word : words) {
      word = static_cast<int32_t>(random_.Next() | random_.Next() | random_.Next());
    }
    return words;
  }
  TopKConfig::Ties Ties() { return Below(2) == 0 ? TopKConfig::EXACTLY_K : TopKConfig::KEEP_TIES; }

  Pcg32 random_;
};

enum class Form { kAsItIs, kSparse };

// Log-probabilities make candidates sparse, too: `wants_logprobs` says whether.
std::unique_ptr<Chain> Make(ChainConfig::Dialect dialect, const std::vector<Rule>& rules, Form form,
                            bool wants_logprobs = true) {
  ChainParts parts = {.dialect = &GetDialect(dialect),
                      .vocab_size = kVocabSize,
                      .on_bad_logits = ChainConfig::REMOVE,
                      .wants_penalised_logprob = wants_logprobs,
                      .wants_processed_logprob = wants_logprobs};
  for (size_t i = 0; i < rules.size(); ++i) {
    // Half of the rules come before the penalised log-probabilities, as masks and biases.
    const Stage early = rules[i].is_filter ? Stage::kMask : Stage::kBias;
    const Stage stage = i < rules.size() / 2 ? early : Stage::kTopK;
    if (form == Form::kSparse) {
      parts.steps.push_back({"look", stage, MakeFilter([](CandidateSelector& selector) {
                               EXPECT_EQ(selector.ids().size(), selector.logits().size());
                             })});
    }
    parts.steps.push_back({absl::StrCat("rule ", i), stage, rules[i].make()});
  }
  parts.generator = MakeGenerator(GeneratorKind::kPcg32SampleStream, 0).value();
  return std::make_unique<Chain>(std::move(parts));
}

// Some are −∞, and in one of four rows some are NaN or +∞.
std::vector<float> RandomLogits(RandomRules& random, uint64_t seed) {
  const char* shape = random.Below(2) == 0 ? "masked" : "quantised";
  std::vector<float> logits = RecipeLogits(shape, kVocabSize, seed, /*step=*/0);
  // Flat ones keep much of the vocabulary in.
  const float spread = random.Below(2) == 0 ? 1 : 0.0625;
  for (float& logit : logits) logit *= spread;
  if (random.Below(4) > 0) return logits;
  for (int i = 0; i < 10; ++i) {
    logits[random.Below(kVocabSize)] = std::numeric_limits<float>::quiet_NaN();
    logits[random.Below(kVocabSize)] = std::numeric_limits<float>::infinity();
  }
  return logits;
}

template <typename T>
void ExpectSame(const absl::StatusOr<T>& a, const absl::StatusOr<T>& b) {
  EXPECT_EQ(a.status(), b.status());
  if (a.ok() && b.ok()) {
    EXPECT_EQ(*a, *b);
  }
}

void ExpectSameSample(const absl::StatusOr<Sample>& a, const absl::StatusOr<Sample>& b) {
  ASSERT_EQ(a.status(), b.status());
  if (!a.ok()) return;
  EXPECT_EQ(a->token, b->token);
  EXPECT_EQ(a->kept, b->kept);
  EXPECT_EQ(a->probability, b->probability);
  EXPECT_EQ(a->penalised_logprob, b->penalised_logprob);
  EXPECT_EQ(a->processed_logprob, b->processed_logprob);
}

class DenseAndSparseTest : public testing::TestWithParam<ChainConfig::Dialect> {};

INSTANTIATE_TEST_SUITE_P(, DenseAndSparseTest,
                         testing::Values(ChainConfig::SPEC, ChainConfig::MINFER,
                                         ChainConfig::LLAMA_CPP, ChainConfig::VLLM),
                         [](const auto& info) { return ChainConfig::Dialect_Name(info.param); });

TEST_P(DenseAndSparseTest, GiveTheSameResults) {
  int sampled = 0;
  for (int seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomRules random(seed);
    std::vector<Rule> rules(1 + random.Below(6));
    for (Rule& rule : rules) rule = random.Next();
    const std::vector<float> logits = RandomLogits(random, seed);
    const bool wants_logprobs = seed % 2 == 0;
    const auto chain = Make(GetParam(), rules, Form::kAsItIs, wants_logprobs);
    const auto looked_at = Make(GetParam(), rules, Form::kSparse, wants_logprobs);
    ExpectSame(chain->Process(logits), looked_at->Process(logits));
    ExpectSame(chain->Distribution(logits), looked_at->Distribution(logits));
    ExpectSame(chain->TokenLogprobs(logits), looked_at->TokenLogprobs(logits));
    const auto sample = chain->Sample(logits);
    ExpectSameSample(sample, looked_at->Sample(logits));
    sampled += sample.ok();
  }
  EXPECT_GT(sampled, 280);
}

// A chain that is watched goes step by step; one that is not may apply its masks before it reads
// the logits.
class Watcher : public ChainObserver {
 public:
  void OnPart(absl::string_view, int32_t, absl::Duration) override {}
};

TEST_P(DenseAndSparseTest, GiveTheSameResultsToAWatchedChain) {
  for (int seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    RandomRules random(seed);
    std::vector<Rule> rules(1 + random.Below(6));
    for (Rule& rule : rules) rule = random.Next();
    const std::vector<float> logits = RandomLogits(random, seed);
    const auto chain = Make(GetParam(), rules, seed % 2 == 0 ? Form::kAsItIs : Form::kSparse);
    const auto watched = chain->Fork();
    Watcher watcher;
    watched->set_observer(&watcher);
    ExpectSameSample(chain->Sample(logits), watched->Sample(logits));
  }
}

// Where removed candidates lose their places, ids ascend whatever came before.
TEST(CandidatesTest, IdsAscend) {
  ChainParts parts = {.dialect = &GetDialect(ChainConfig::SPEC), .vocab_size = 5};
  parts.steps.push_back({"top-k", Stage::kTopK, MakeFilter([](CandidateSelector& selector) {
                           selector.KeepLargest(3, TopKConfig::EXACTLY_K);
                           EXPECT_THAT(selector.ids(), ElementsAre(0, 2, 4));
                           EXPECT_THAT(selector.logits(), ElementsAre(3, 5, 4));
                         })});
  parts.generator = MakeGenerator(GeneratorKind::kPcg32SampleStream, 0).value();
  EXPECT_THAT(Chain(std::move(parts)).Process(std::vector<float>{3, 1, 5, 2, 4}), IsOk());
}

// Where all tokens that are in were edited, no logit is left to go by, and those behind the span
// are not looked at.
TEST(CandidatesTest, GreedyAmongEditedTokensOnly) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const int32_t vocab_size : {3, 40, 300}) {
    ChainParts parts = {.dialect = &GetDialect(ChainConfig::SPEC), .vocab_size = vocab_size};
    parts.steps.push_back(
        {"edit", Stage::kBias, MakeTransform([](LogitEditor& editor) { editor.Set(1, -2); })});
    parts.terminal = std::make_unique<GreedyTerminal>();
    parts.generator = MakeGenerator(GeneratorKind::kPcg32SampleStream, 0).value();
    std::vector<float> storage(vocab_size + 64, 1e30f);
    std::fill_n(storage.begin(), vocab_size, -kInfinity);
    storage[1] = 1;
    const auto sample =
        Chain(std::move(parts)).Sample(absl::MakeConstSpan(storage).first(vocab_size));
    ASSERT_THAT(sample, IsOk());
    EXPECT_EQ(sample->token, 1);
  }
}

// In llama.cpp's order a mask leaves the places, and a sort their order.
TEST(CandidatesTest, LlamaCppKeepsPlaces) {
  ChainParts parts = {.dialect = &GetDialect(ChainConfig::LLAMA_CPP), .vocab_size = 5};
  parts.steps.push_back({"mask", Stage::kMask, MakeFilter([](CandidateSelector& selector) {
                           selector.Remove(3);
                           EXPECT_EQ(selector.size(), 5);
                           EXPECT_THAT(selector.ids(), ElementsAre(0, 1, 2, 3, 4));
                           EXPECT_THAT(selector.logits(), ElementsAre(3, 1, 5, kRemoved, 4));
                         })});
  parts.steps.push_back({"top-k", Stage::kTopK, MakeFilter([](CandidateSelector& selector) {
                           selector.KeepLargest(3, TopKConfig::EXACTLY_K);
                           EXPECT_THAT(selector.ids(), ElementsAre(2, 4, 0));
                           EXPECT_THAT(selector.logits(), ElementsAre(5, 4, 3));
                         })});
  parts.generator = MakeGenerator(GeneratorKind::kPcg32SampleStream, 0).value();
  EXPECT_THAT(Chain(std::move(parts)).Process(std::vector<float>{3, 1, 5, 2, 4}), IsOk());
}

}  // namespace
}  // namespace logitchain
