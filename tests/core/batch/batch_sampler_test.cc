#include "logitchain/core/batch/batch_sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/batch/executor.h"
#include "logitchain/core/batch/thread_executor.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/executors.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/sample_text.h"
#include "logitchain/tests/testing/test_chain.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr int32_t kVocabSize = 257;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// Chains with nothing in common, of every dialect.
constexpr absl::string_view kConfigs[] = {
    R"pb(processors { repetition_penalty { penalty: 1.2 } }
         processors { presence_frequency_penalty { presence: 0.3 frequency: 0.1 } }
         processors { temperature { temperature: 0.8 } }
         processors { top_k { k: 40 } }
         processors { top_p { p: 0.95 } }
         processors { min_p { p: 0.05 } }
         draw { seed: 1 }
         logprobs: [ RAW, PENALISED, PROCESSED ])pb",
    R"pb(processors { temperature { temperature: 1.5 } }
         draw { seed: 1 })pb",
    R"pb(dialect: MINFER
         processors { presence_frequency_penalty { presence: 0.5 frequency: 0.5 } }
         processors { repetition_penalty { penalty: 1.3 } }
         processors { top_k { k: 20 } }
         processors { top_p { p: 0.9 } }
         processors { temperature { temperature: 0.7 } }
         draw { seed: 9 }
         logprobs: PROCESSED)pb",
    R"pb(dialect: LLAMA_CPP
         processors { repetition_penalty { penalty: 1.1 } }
         processors { top_k { k: 40 } }
         processors { top_p { p: 0.95 } }
         processors { min_p { p: 0.05 } }
         processors { temperature { temperature: 0.8 } }
         draw { seed: 1234 })pb",
    R"pb(dialect: HUGGING_FACE
         processors { repetition_penalty { penalty: 1.2 } }
         processors { temperature { temperature: 0.9 } }
         processors { top_k { k: 50 } }
         draw { seed: 7 })pb",
    R"pb(dialect: VLLM
         processors { temperature { temperature: 1.1 } }
         processors { min_p { p: 0.02 } }
         processors { top_p { p: 0.8 } }
         draw { seed: 7 })pb",
    R"pb(processors { grammar_mask { banned_ids: [ 3, 4, 5 ] } }
         processors { repetition_penalty { penalty: 1.5 } }
         draw { greedy {} })pb",
};
constexpr int kSequences = 14;
constexpr int kSteps = 12;

std::unique_ptr<Chain> ChainOfSequence(int sequence) {
  return MakeChain(kConfigs[sequence % std::size(kConfigs)], kVocabSize);
}

// What sequence `sequence` sees at its step `step`; every number is a bfloat16 and a float16 too.
std::vector<float> RowOf(int sequence, int step) {
  Pcg32 generator(1000 * sequence + step);
  std::vector<float> row(kVocabSize);
  for (float& logit : row) {
    logit = static_cast<float>(std::floor(generator.NextUniform() * 200 - 100) / 16);
  }
  return row;
}

// What the sequence gives when it is alone: Chain::Sample, step after step.
std::vector<std::string> Alone(int sequence) {
  const std::unique_ptr<Chain> chain = ChainOfSequence(sequence);
  std::vector<std::string> texts;
  for (int step = 0; step < kSteps; ++step) {
    texts.push_back(SampleText(chain->Sample(RowOf(sequence, step))));
  }
  return texts;
}

// Rows in the making: of any type, at any distance, at any address.
class Matrix {
 public:
  Matrix(LogitType type, size_t stride, size_t offset)
      : type_(type), stride_(stride), offset_(offset), bytes_(offset) {}

  void Add(absl::Span<const float> row) {
    columns_ = row.size();
    ++rows_;
    for (size_t i = 0; i < std::max(stride_, row.size()); ++i) {
      // Between the rows is what no one may read.
      Append(i < row.size() ? row[i] : kNan);
    }
  }

  LogitsMatrix view() const {
    return {.data = bytes_.data() + offset_,
            .type = type_,
            .rows = rows_,
            .columns = columns_,
            .stride = std::max(stride_, columns_)};
  }

 private:
  void Append(float logit) {
    const auto bits = std::bit_cast<uint32_t>(logit);
    if (type_ == LogitType::kFloat32) return AppendBytes(&bits, sizeof(bits));
    const uint16_t half = type_ == LogitType::kBfloat16 ? bits >> 16 : Float16Bits(logit);
    AppendBytes(&half, sizeof(half));
  }

  // Of a number that is a float16.
  static uint16_t Float16Bits(float logit) {
    const uint16_t sign = std::signbit(logit) ? 0x8000 : 0;
    if (std::isnan(logit)) return 0x7E00;
    if (std::isinf(logit)) return sign | 0x7C00;
    if (logit == 0) return sign;
    const int exponent = std::ilogb(logit);
    const auto fraction = static_cast<int>(std::ldexp(std::abs(logit), 10 - exponent)) - 1024;
    return sign | static_cast<uint16_t>((exponent + 15) << 10) | static_cast<uint16_t>(fraction);
  }

  void AppendBytes(const void* from, size_t n) {
    const auto* begin = static_cast<const uint8_t*>(from);
    bytes_.insert(bytes_.end(), begin, begin + n);
  }

  LogitType type_;
  size_t stride_;
  size_t offset_;
  size_t rows_ = 0;
  size_t columns_ = 0;
  std::vector<uint8_t> bytes_;
};

std::vector<std::string> Texts(absl::Span<const absl::StatusOr<Sample>> samples) {
  std::vector<std::string> texts;
  for (const absl::StatusOr<Sample>& sample : samples) texts.push_back(SampleText(sample));
  return texts;
}

// All sequences in one BatchSampler.
class Batch {
 public:
  explicit Batch(std::shared_ptr<Executor> executor) : sampler_(std::move(executor)) {
    for (int i = 0; i < kSequences; ++i) slots_.push_back(*sampler_.Add(ChainOfSequence(i)));
  }

  // One step of these sequences.
  std::vector<std::string> Sample(absl::Span<const int> sequences,
                                  LogitType type = LogitType::kFloat32, size_t stride = 0,
                                  size_t offset = 0) {
    Matrix matrix(type, stride, offset);
    std::vector<SlotId> slots;
    for (const int sequence : sequences) {
      matrix.Add(RowOf(sequence, steps_[sequence]++));
      slots.push_back(slots_[sequence]);
    }
    return Texts(sampler_.Sample(matrix.view(), slots));
  }

 private:
  BatchSampler sampler_;
  std::vector<SlotId> slots_;
  std::vector<int> steps_ = std::vector<int>(kSequences);
};

std::vector<int> AllSequences() {
  std::vector<int> all(kSequences);
  for (int i = 0; i < kSequences; ++i) all[i] = i;
  return all;
}

void Shuffle(std::vector<int>& sequences, Pcg32& dice) {
  for (size_t i = sequences.size(); i > 1; --i) {
    std::swap(sequences[i - 1], sequences[dice.Next() % i]);
  }
}

// Drives all sequences to their end in batches of random sequences in random order.
void ExpectSameAsAlone(std::shared_ptr<Executor> executor, uint64_t seed) {
  Batch batch(std::move(executor));
  Pcg32 dice(seed);
  std::vector<std::vector<std::string>> texts(kSequences);
  for (std::vector<int> left = AllSequences(); !left.empty();) {
    Shuffle(left, dice);
    const auto chosen = absl::MakeConstSpan(left).first(1 + dice.Next() % left.size());
    const std::vector<std::string> samples = batch.Sample(chosen);
    for (size_t i = 0; i < chosen.size(); ++i) texts[chosen[i]].push_back(samples[i]);
    left.erase(std::remove_if(left.begin(), left.end(),
                              [&](int sequence) { return texts[sequence].size() == kSteps; }),
               left.end());
  }
  for (int i = 0; i < kSequences; ++i) EXPECT_EQ(texts[i], Alone(i)) << "sequence " << i;
}

TEST(BatchSamplerTest, AloneIsAsInAnyBatchInAnyOrderOnAnyNumberOfThreads) {
  for (int threads = 1; threads <= 8; ++threads) {
    SCOPED_TRACE(threads);
    for (const ExecutorKind& kind : ExecutorKinds()) {
      SCOPED_TRACE(kind.name);
      ExpectSameAsAlone(kind.make(threads), threads);
    }
  }
}

TEST(BatchSamplerTest, SequencesOfOneSeedDoNotShareAnything) {
  // Sequences 0 and 7 are of one config: alike given the same logits, and not by taking turns.
  const std::unique_ptr<Chain> alone = ChainOfSequence(0);
  BatchSampler sampler(std::make_shared<ThreadExecutor>(2));
  const SlotId slots[] = {*sampler.Add(ChainOfSequence(0)), *sampler.Add(ChainOfSequence(7))};
  for (int step = 0; step < kSteps; ++step) {
    Matrix matrix(LogitType::kFloat32, 0, 0);
    for (int i = 0; i < 2; ++i) matrix.Add(RowOf(0, step));
    const std::string expected = SampleText(alone->Sample(RowOf(0, step)));
    EXPECT_THAT(Texts(sampler.Sample(matrix.view(), slots)), ElementsAre(expected, expected));
  }
}

TEST(BatchSamplerTest, TypeStrideAndAddressOfTheLogitsDoNotMatter) {
  for (const LogitType type : {LogitType::kFloat32, LogitType::kFloat16, LogitType::kBfloat16}) {
    for (const size_t stride : {kVocabSize, kVocabSize + 1, kVocabSize + 63, 2 * kVocabSize}) {
      for (const size_t offset : {0, 1, 2, 4, 12}) {
        Batch batch(std::make_shared<ThreadExecutor>(2));
        const std::vector<std::string> samples = batch.Sample(AllSequences(), type, stride, offset);
        for (int i = 0; i < kSequences; ++i) {
          ASSERT_EQ(samples[i], Alone(i)[0])
              << static_cast<int>(type) << " " << stride << " " << offset;
        }
      }
    }
  }
}

TEST(BatchSamplerTest, InfinityAndNanOfEveryTypeAreWhatTheyAre) {
  std::vector<float> masked(kVocabSize, -kInfinity);
  masked[11] = 1;
  std::vector<float> bad = masked;
  bad[12] = kNan;
  for (const LogitType type : {LogitType::kFloat32, LogitType::kFloat16, LogitType::kBfloat16}) {
    BatchSampler sampler(std::make_shared<ThreadExecutor>(2));
    const SlotId slots[] = {*sampler.Add(ChainOfSequence(0)), *sampler.Add(ChainOfSequence(1))};
    Matrix matrix(type, 0, 0);
    matrix.Add(masked);
    matrix.Add(bad);
    const auto samples = sampler.Sample(matrix.view(), slots);
    ASSERT_TRUE(samples[0].ok()) << samples[0].status();
    EXPECT_EQ(samples[0]->token, 11);
    EXPECT_THAT(samples[1].status().message(), HasSubstr("token 12 is nan"));
  }
}

TEST(BatchSamplerTest, DefaultExecutorServes) {
  if (kUnderThreadSanitizer) GTEST_SKIP() << "it is oneTBB, which is not instrumented";
  BatchSampler sampler;
  const SlotId slots[] = {*sampler.Add(ChainOfSequence(0))};
  const std::vector<float> row = RowOf(0, 0);
  EXPECT_THAT(Texts(sampler.Sample(LogitsMatrix::Of(row, kVocabSize), slots)),
              ElementsAre(Alone(0)[0]));
  EXPECT_THAT(sampler.Sample(LogitsMatrix::Of({}, kVocabSize), {}), IsEmpty());
}

TEST(BatchSamplerTest, RemovedSlotsAreNeverNamedAgain) {
  BatchSampler sampler(std::make_shared<ThreadExecutor>(1));
  EXPECT_EQ(sampler.Add(nullptr).status().code(), absl::StatusCode::kInvalidArgument);
  const SlotId first = *sampler.Add(ChainOfSequence(0));
  const SlotId second = *sampler.Add(ChainOfSequence(1));
  EXPECT_THAT(sampler, SizeIs(2));
  EXPECT_TRUE(sampler.Remove(first).ok());
  EXPECT_THAT(sampler, SizeIs(1));
  const SlotId third = *sampler.Add(ChainOfSequence(2));
  EXPECT_NE(third, first);
  EXPECT_NE(third, second);
  EXPECT_EQ(sampler.Find(first), nullptr);
  EXPECT_EQ(sampler.Remove(first), absl::NotFoundError("there is no sequence in slot 1"));
  EXPECT_EQ(sampler.Find(third)->dialect().name, ChainConfig::MINFER);
}

TEST(BatchSamplerTest, OthersGoOnWhileSequencesComeAndGo) {
  BatchSampler sampler(std::make_shared<ThreadExecutor>(2));
  const SlotId kept = *sampler.Add(ChainOfSequence(0));
  std::vector<std::string> texts;
  for (int step = 0; step < kSteps; ++step) {
    std::vector<SlotId> passing;
    for (int i = 1; i <= 5; ++i) passing.push_back(*sampler.Add(ChainOfSequence(i)));
    Matrix matrix(LogitType::kFloat32, 0, 0);
    matrix.Add(RowOf(1, 0));
    matrix.Add(RowOf(0, step));
    const SlotId slots[] = {passing[0], kept};
    const auto samples = sampler.Sample(matrix.view(), slots);
    EXPECT_EQ(SampleText(samples[0]), Alone(1)[0]);
    texts.push_back(SampleText(samples[1]));
    for (const SlotId slot : passing) EXPECT_TRUE(sampler.Remove(slot).ok());
  }
  EXPECT_EQ(texts, Alone(0));
}

// The rows of vLLM's batch. A sequence can only give the token of its letter.
class LetteredBatch {
 public:
  explicit LetteredBatch(const std::vector<std::string>& letters)
      : sampler_(std::make_shared<ThreadExecutor>(2)) {
    for (const std::string& letter : letters) Add(rows_.size(), letter);
  }

  void Remove(size_t row) {
    EXPECT_TRUE(sampler_.Remove(rows_[row]).ok());
    rows_[row] = kNone;
  }

  // In place of the row's sequence, if it has one.
  void Add(size_t row, const std::string& letter) {
    if (row == rows_.size()) rows_.push_back(kNone);
    if (rows_[row] != kNone) Remove(row);
    rows_[row] = *sampler_.Add(MakeChain(
        absl::StrCat("processors { grammar_mask { allowed_ids: ", letter[0] - 'A', " } }"), 26));
  }

  // One of the rows may be empty.
  void Swap(size_t row, size_t other) { std::swap(rows_[row], rows_[other]); }

  // The letters that the rows give, and how many each of their sequences has given by now.
  std::vector<std::string> Sample() {
    rows_.erase(std::remove(rows_.begin(), rows_.end(), kNone), rows_.end());
    const std::vector<float> logits(rows_.size() * 26);
    std::vector<std::string> given;
    for (const auto& sample : sampler_.Sample(LogitsMatrix::Of(logits, 26), rows_)) {
      const size_t count = sampler_.Find(rows_[given.size()])->history().output().size();
      given.push_back(absl::StrCat(std::string(1, static_cast<char>('A' + sample->token)), count));
    }
    return given;
  }

 private:
  static constexpr SlotId kNone = {};

  BatchSampler sampler_;
  std::vector<SlotId> rows_;
};

// vLLM tells its processors of rows that were removed, added and moved; here a slot stays what it
// is, and the caller says whose each row is.
TEST(BatchSamplerTest, SequencesKeepWhatIsTheirsThroughTheBatchUpdatesOfVllm) {
  const nlohmann::json vectors = ReadGoldenJson("engine_vectors.json")["batch_update_vllm"];
  ASSERT_THAT(vectors["vectors"], SizeIs(2));
  for (const nlohmann::json& vector : vectors["vectors"]) {
    SCOPED_TRACE(vector.dump());
    const std::vector<std::string> before = vector["batch"];
    LetteredBatch batch(before);
    EXPECT_THAT(batch.Sample(), SizeIs(before.size()));
    for (const size_t row : vector["removed"]) batch.Remove(row);
    for (const nlohmann::json& added : vector["added"]) batch.Add(added[0], added[1]);
    for (const nlohmann::json& moved : vector["moved"]) batch.Swap(moved[0], moved[1]);
    std::vector<std::string> expected = vector["expected"];
    for (std::string& letter : expected) {
      letter += absl::c_linear_search(before, letter) ? "2" : "1";
    }
    EXPECT_EQ(batch.Sample(), expected);
  }
}

// Each in a batch with two rows that are right.
class FailingRowTest : public ::testing::Test {
 protected:
  FailingRowTest() : sampler_(std::make_shared<ThreadExecutor>(2)) {
    for (int i = 0; i < 2; ++i) right_.push_back(*sampler_.Add(ChainOfSequence(i)));
  }

  // The status of the row between them.
  absl::Status StatusOf(absl::Span<const float> row, SlotId slot) {
    Matrix matrix(LogitType::kFloat32, 0, 0);
    matrix.Add(RowOf(0, 0));
    matrix.Add(row);
    matrix.Add(RowOf(1, 0));
    const SlotId slots[] = {right_[0], slot, right_[1]};
    const auto samples = sampler_.Sample(matrix.view(), slots);
    EXPECT_EQ(SampleText(samples[0]), Alone(0)[0]);
    EXPECT_EQ(SampleText(samples[2]), Alone(1)[0]);
    return samples[1].status();
  }

  BatchSampler sampler_;
  std::vector<SlotId> right_;
};

TEST_F(FailingRowTest, NanIsTheErrorOfItsRowAndLeavesItsChain) {
  const SlotId slot = *sampler_.Add(ChainOfSequence(3));
  std::vector<float> row = RowOf(3, 0);
  row[200] = kNan;
  EXPECT_THAT(StatusOf(row, slot).message(), HasSubstr("the logit of token 200 is nan"));
  EXPECT_EQ(sampler_.Find(slot)->draws(), 0);
  const std::vector<float> mended = RowOf(3, 0);
  EXPECT_THAT(Texts(sampler_.Sample(LogitsMatrix::Of(mended, kVocabSize), {slot})),
              ElementsAre(Alone(3)[0]));
}

TEST_F(FailingRowTest, MaskThatLeavesNothingIsTheErrorOfItsRow) {
  const SlotId slot = *sampler_.Add(MakeChain(
      "processors { grammar_mask { allowed_ids: [ 5 ] banned_ids: [ 5 ] } }", kVocabSize));
  EXPECT_THAT(StatusOf(RowOf(3, 0), slot).message(), HasSubstr("processors[0].grammar_mask"));
}

TEST_F(FailingRowTest, AnotherVocabularyIsTheErrorOfItsRow) {
  const SlotId slot = *sampler_.Add(MakeChain("draw { seed: 1 }", kVocabSize + 1));
  EXPECT_EQ(StatusOf(RowOf(3, 0), slot),
            absl::InvalidArgumentError("there are 257 logits; the vocabulary has 258 tokens"));
}

TEST_F(FailingRowTest, RemovedSlotIsTheErrorOfItsRow) {
  const SlotId slot = *sampler_.Add(ChainOfSequence(3));
  ASSERT_TRUE(sampler_.Remove(slot).ok());
  EXPECT_EQ(StatusOf(RowOf(3, 0), slot), absl::NotFoundError("there is no sequence in slot 3"));
}

TEST_F(FailingRowTest, UnknownSlotIsTheErrorOfItsRow) {
  EXPECT_EQ(StatusOf(RowOf(3, 0), SlotId{}), absl::NotFoundError("there is no sequence in slot 0"));
}

TEST_F(FailingRowTest, SlotThatIsNamedTwiceIsAnErrorOfAllItsRows) {
  const SlotId twice = *sampler_.Add(ChainOfSequence(2));
  const SlotId slots[] = {twice, right_[0], twice, twice};
  Matrix matrix(LogitType::kFloat32, 0, 0);
  for (int i = 0; i < 4; ++i) matrix.Add(RowOf(i == 1 ? 0 : 2, 0));
  const auto samples = sampler_.Sample(matrix.view(), slots);
  EXPECT_EQ(SampleText(samples[1]), Alone(0)[0]);
  for (const int row : {0, 2, 3}) {
    EXPECT_EQ(samples[row].status(),
              absl::InvalidArgumentError("slot 3 is named by more than one row; a sequence gets "
                                         "one token a call"));
  }
  EXPECT_THAT(sampler_.Find(twice)->history().output(), IsEmpty());
  // Of this call only.
  const std::vector<float> row = RowOf(2, 0);
  EXPECT_THAT(Texts(sampler_.Sample(LogitsMatrix::Of(row, kVocabSize), {twice})),
              ElementsAre(Alone(2)[0]));
}

TEST_F(FailingRowTest, WhatIsNoMatrixIsAnErrorOfAllRows) {
  const std::vector<float> rows(3 * kVocabSize);
  const LogitsMatrix good = {
      .data = rows.data(), .rows = 2, .columns = kVocabSize, .stride = kVocabSize};
  LogitsMatrix null = good;
  null.data = nullptr;
  LogitsMatrix overlapping = good;
  overlapping.stride = kVocabSize - 1;
  LogitsMatrix backwards = good;
  backwards.stride = -kVocabSize;
  LogitsMatrix wide = good;
  wide.columns = size_t{1} << 40;
  wide.stride = wide.columns;
  LogitsMatrix typeless = good;
  typeless.type = static_cast<LogitType>(9);
  const std::pair<LogitsMatrix, absl::string_view> cases[] = {
      {null, "the logits' data is null"},
      {overlapping,
       "the logits' stride is 256; for 2 rows of 257 columns it must be in [257, "
       "576460752303423488]"},
      {backwards,
       "the logits' stride is 18446744073709551359; for 2 rows of 257 columns it must be in [257, "
       "576460752303423488]"},
      {wide, "the logits have 1099511627776 columns; a vocabulary has at most 16777216 tokens"},
      {typeless, "the logits' type is 9, which is none"},
      {LogitsMatrix::Of(rows, kVocabSize),
       "there are 3 rows of logits for 2 slots; each slot has a row"},
  };
  for (const auto& [matrix, message] : cases) {
    for (const absl::StatusOr<Sample>& sample : sampler_.Sample(matrix, right_)) {
      EXPECT_EQ(sample.status(), absl::InvalidArgumentError(message));
    }
  }
  EXPECT_THAT(sampler_.Find(right_[0])->history().output(), IsEmpty());
}

}  // namespace
}  // namespace logitchain
