// Counts what a chain allocates.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/environment.h"
#include "logitchain/testing/conformance/heap_counter.h"
#include "logitchain/testing/conformance/thirds_mask.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

constexpr int kRows = 6;

enum class Shape { kPeaked, kMid, kFlat };

std::vector<std::vector<float>> Rows(Shape shape, int32_t vocab_size) {
  Pcg32 random(3);
  const double spread = shape == Shape::kMid ? 3 : 0.05;
  std::vector<std::vector<float>> rows(kRows, std::vector<float>(vocab_size));
  for (std::vector<float>& row : rows) {
    for (float& logit : row) {
      double normal = -6;
      for (int i = 0; i < 12; ++i) normal += random.NextUniform();
      logit = static_cast<float>(spread * normal);
    }
    if (shape != Shape::kPeaked) continue;
    for (int i = 0; i < 8; ++i) row[random.Next() % vocab_size] = static_cast<float>(16 - i);
  }
  return rows;
}

// A chain of such rules after a prompt with some of the likely tokens.
std::unique_ptr<Chain> MakeChainAfterPrompt(const std::string& rules, int32_t vocab_size) {
  const ThirdsMask thirds;
  std::unique_ptr<Chain> chain = MakeChain(
      rules, Environment{.vocab_size = vocab_size, .mask_providers = {{"thirds", thirds.Clone()}}});
  std::vector<TokenId> prompt;
  for (TokenId id = 0; id < 700; ++id) prompt.push_back(id * 13 % 500);
  EXPECT_TRUE(chain->Reset(prompt).ok());
  return chain;
}

// Samples each row, and takes that back: histories grow by whatever a vector grows by, which is not
// what is measured here.
void SampleAll(Chain& chain, const std::vector<std::vector<float>>& rows) {
  for (const std::vector<float>& row : rows) {
    ASSERT_TRUE(chain.Sample(row).ok());
    ASSERT_TRUE(chain.Rollback(1).ok());
  }
}

struct AllocationCase {
  const char* name;
  std::string rules;
};

const std::string kDefaultRules =
    "processors { repetition_penalty { penalty: 1.1 } }"
    "processors { presence_frequency_penalty { presence: 0.2 frequency: 0.1 } }"
    "processors { temperature { temperature: 0.8 } }"
    "processors { top_k { k: 40 } } processors { top_p { p: 0.95 } }"
    "processors { min_p { p: 0.05 } }";

const AllocationCase kCases[] = {
    {"Default", kDefaultRules},
    {"Empty", ""},
    {"Greedy", "draw { greedy {} }"},
    {"GreedyTemperature", "processors { temperature { temperature: 0 } }"},
    {"Temperature", "processors { temperature { temperature: 0.7 } }"},
    {"TopK", "processors { top_k { k: 40 } }"},
    {"TopKWithTies", "processors { top_k { k: 40 ties: KEEP_TIES } }"},
    {"TopP", "processors { top_p { p: 0.95 } }"},
    {"SmallTopP", "processors { top_p { p: 0.2 } }"},
    {"MinP", "processors { min_p { p: 0.05 } }"},
    {"TopPThenMinP", "processors { top_p { p: 0.9 } } processors { min_p { p: 0.9 } }"},
    {"Penalties",
     "processors { repetition_penalty { penalty: 1.1 window: 64 } }"
     "processors { presence_frequency_penalty { presence: 0.2 frequency: 0.1"
     " scope: PROMPT_AND_OUTPUT } }"},
    {"PenaltiesAndTopP",
     "processors { repetition_penalty { penalty: 1.1 } } processors { top_p { p: 0.95 } }"},
    {"FixedMask", "processors { grammar_mask { banned_ids: [3, 5, 8] } }"},
    {"ProvidedMask",
     "processors { grammar_mask { provider: \"thirds\" } } processors { top_p { p: 0.9 } }"},
    {"ProvidedMaskAndDefault",
     "processors { grammar_mask { provider: \"thirds\" } }"
     "processors { repetition_penalty { penalty: 1.1 } }"
     "processors { temperature { temperature: 0.8 } } processors { top_k { k: 40 } }"},
    {"Logprobs", kDefaultRules + "logprobs: RAW logprobs: PENALISED logprobs: PROCESSED"},
    {"LogprobsOfAll", "processors { temperature { temperature: 0.7 } } logprobs: PROCESSED"},
    {"LlamaCpp",
     "dialect: LLAMA_CPP processors { top_k { k: 40 } } processors { top_p { p: 0.95 } }"
     "processors { min_p { p: 0.05 } } processors { temperature { temperature: 0.8 } }"},
    {"Minfer", "dialect: MINFER processors { top_k { k: 40 } } processors { top_p { p: 0.95 } }"},
    {"HuggingFace",
     "dialect: HUGGING_FACE processors { temperature { temperature: 0.8 } }"
     "processors { top_k { k: 40 } } processors { top_p { p: 0.95 } }"},
    {"Vllm",
     "dialect: VLLM processors { min_p { p: 0.05 } } processors { top_k { k: 40 } }"
     "processors { top_p { p: 0.95 } }"},
};

class AllocationTest : public testing::TestWithParam<AllocationCase> {};

TEST_P(AllocationTest, ASampleAllocatesNothingInSteadyState) {
  constexpr int32_t kVocabSize = 20'011;
  for (const Shape shape : {Shape::kPeaked, Shape::kMid, Shape::kFlat}) {
    const auto rows = Rows(shape, kVocabSize);
    const std::unique_ptr<Chain> chain = MakeChainAfterPrompt(GetParam().rules, kVocabSize);
    SampleAll(*chain, rows);
    SampleAll(*chain, rows);
    const int64_t before = HeapAllocations();
    SampleAll(*chain, rows);
    EXPECT_EQ(HeapAllocations() - before, 0) << "shape " << static_cast<int>(shape);
  }
}

INSTANTIATE_TEST_SUITE_P(, AllocationTest, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

// What a chain with a top-k holds beside the caller's logits, from its making on.
TEST(ScratchTest, IsSmallBehindATopK) {
  constexpr int32_t kVocabSize = 151'936;
  constexpr int64_t kLimit = 128 << 10;
  constexpr int kSamples = 50;
  const std::string mask = "processors { grammar_mask { provider: \"thirds\" } }";
  for (const Shape shape : {Shape::kPeaked, Shape::kMid, Shape::kFlat}) {
    const auto rows = Rows(shape, kVocabSize);
    for (const std::string& rules : {kDefaultRules, mask + kDefaultRules}) {
      // Once before, for what is made once for all chains.
      MakeChainAfterPrompt(rules, kVocabSize);
      ResetHeapPeak();
      const int64_t before = HeapBytes();
      const std::unique_ptr<Chain> chain = MakeChainAfterPrompt(rules, kVocabSize);
      for (int i = 0; i < kSamples; ++i) ASSERT_TRUE(chain->Sample(rows[i % kRows]).ok());
      EXPECT_LE(HeapPeak() - before, kLimit) << rules;
      RecordProperty("held", std::to_string(HeapBytes() - before));
    }
  }
}

}  // namespace
}  // namespace logitchain
