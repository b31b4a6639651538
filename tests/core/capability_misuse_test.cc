// A plugin that calls its capability wrongly gets an error, and reads or writes nothing that it
// should not: run this under AddressSanitizer.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/tests/testing/scripted_rules.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr int32_t kVocabSize = 100;

Chain ChainOf(ChainConfig::Dialect dialect, std::unique_ptr<Processor> rule) {
  ChainParts parts = {.dialect = &GetDialect(dialect), .vocab_size = kVocabSize};
  parts.steps.push_back({"bad", Stage::kTopK, std::move(rule)});
  parts.generator = MakeGenerator(GeneratorKind::kPcg32SampleStream, 0).value();
  return Chain(std::move(parts));
}

void RemoveAll(CandidateSelector& selector) {
  for (TokenId id = 0; id < kVocabSize; ++id) selector.Remove(id);
}

struct Misuse {
  std::string name;
  std::function<void(CandidateSelector&)> script;
  std::string message;
};

class MisuseTest : public testing::TestWithParam<Misuse> {};

std::vector<Misuse> Misuses() {
  return {
      {"KeepAllowedWithTooFewWords",
       [](CandidateSelector& selector) {
         selector.KeepAllowed(std::vector<int32_t>{-1, -1, -1});
       },
       "4"},
      {"KeepAllowedWithoutWords", [](CandidateSelector& selector) { selector.KeepAllowed({}); },
       "4"},
      {"KeepPositionBehindTheLast",
       [](CandidateSelector& selector) {
         selector.KeepPositions(std::vector<int32_t>{0, kVocabSize});
       },
       "keeps position 100; there are 100, counted from 0"},
      {"KeepPositionBelowZero",
       [](CandidateSelector& selector) {
         selector.KeepPositions(std::vector<int32_t>{3, -4});
       },
       "keeps position -4; there are 100, counted from 0"},
      {"KeepAPositionTwice",
       [](CandidateSelector& selector) {
         selector.KeepPositions(std::vector<int32_t>{1, 2, 1});
       },
       "keeps position 1 more than once"},
      {"KeepAPositionOfNothing",
       [](CandidateSelector& selector) {
         RemoveAll(selector);
         selector.KeepIf([](size_t) { return false; });
         selector.KeepPositions(std::vector<int32_t>{0});
       },
       "keeps position 0; there are 0, counted from 0"},
      {"ArgMaxOfNothing",
       [](CandidateSelector& selector) {
         RemoveAll(selector);
         selector.ArgMax();
       },
       "removed all 100"},
      {"ArgMaxOfNoPositions",
       [](CandidateSelector& selector) {
         selector.KeepIf([](size_t) { return false; });
         selector.ArgMax();
       },
       "removed all 100"},
      {"KeepLargestZero",
       [](CandidateSelector& selector) { selector.KeepLargest(0, TopKConfig::EXACTLY_K); },
       "removed all 100"},
      {"KeepLargestZeroWithTies",
       [](CandidateSelector& selector) { selector.KeepLargest(0, TopKConfig::KEEP_TIES); },
       "removed all 100"},
      {"KeepLargestBelowZero",
       [](CandidateSelector& selector) { selector.KeepLargest(-1, TopKConfig::EXACTLY_K); },
       "removed all 100"},
      {"ProbabilitiesOfNothing",
       [](CandidateSelector& selector) {
         RemoveAll(selector);
         selector.Probabilities();
       },
       "removed all 100"},
      {"KeepLargestOfNothing",
       [](CandidateSelector& selector) {
         RemoveAll(selector);
         selector.KeepLargest(1, TopKConfig::KEEP_TIES);
       },
       "removed all 100"},
      {"KeepFirstMaximumOfNothing",
       [](CandidateSelector& selector) {
         RemoveAll(selector);
         selector.KeepFirstMaximum();
       },
       "removed all 100"},
      {"KeepNucleusOfNothing",
       [](CandidateSelector& selector) {
         RemoveAll(selector);
         selector.KeepNucleus(0.5, TopPConfig::REACHES, 1);
       },
       "removed all 100"},
      {"KeepLikelyOfNothing",
       [](CandidateSelector& selector) {
         RemoveAll(selector);
         selector.KeepLikely(0.5, 1);
       },
       "removed all 100"},
  };
}

INSTANTIATE_TEST_SUITE_P(, MisuseTest, testing::ValuesIn(Misuses()),
                         [](const auto& info) { return info.param.name; });

TEST_P(MisuseTest, IsAnErrorThatNamesTheRule) {
  for (const auto dialect : {ChainConfig::SPEC, ChainConfig::LLAMA_CPP}) {
    SCOPED_TRACE(ChainConfig::Dialect_Name(dialect));
    Chain chain = ChainOf(dialect, MakeFilter(GetParam().script));
    const auto sample = chain.Sample(std::vector<float>(kVocabSize, 0));
    ASSERT_FALSE(sample.ok());
    EXPECT_THAT(std::string(sample.status().message()),
                AllOf(StartsWith("bad: "), HasSubstr(GetParam().message)));
  }
}

TEST(MinKeepTest, BelowZeroIsAsZero) {
  std::vector<float> logits(kVocabSize, 0);
  logits[7] = 20;
  for (const auto dialect : {ChainConfig::SPEC, ChainConfig::LLAMA_CPP}) {
    SCOPED_TRACE(ChainConfig::Dialect_Name(dialect));
    Chain chain = ChainOf(dialect, MakeFilter([](CandidateSelector& selector) {
                            selector.KeepNucleus(0.5, TopPConfig::REACHES, /*min_keep=*/-5);
                          }));
    const auto sample = chain.Sample(logits);
    ASSERT_THAT(sample, IsOk());
    EXPECT_EQ(sample->kept, 1);
  }
}

TEST(DivideAllTest, TakesOnlyAPositiveNumber) {
  for (const auto& [divisor, text] : std::vector<std::pair<double, std::string>>{
           {0, "0"}, {-2, "-2"}, {std::numeric_limits<double>::quiet_NaN(), "nan"}}) {
    Chain chain =
        ChainOf(ChainConfig::SPEC, MakeTransform([divisor = divisor](LogitEditor& editor) {
                  editor.DivideAll(divisor, /*by_reciprocal=*/false);
                }));
    EXPECT_THAT(chain.Sample(std::vector<float>(kVocabSize, 1)),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         "bad: divides all logits by " + text + "; a divisor must be positive"));
  }
}

}  // namespace
}  // namespace logitchain
