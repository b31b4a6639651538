// Prints digests of all that chains give for the golden streams and for random chains, to the bit,
// and compares them with those of digests.txt: on one thread, and on eight with each instruction
// set that the machine has.

#include "logitchain/tests/determinism/digest.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "hwy/highway.h"
#include "logitchain/core/batch/executor.h"
#include "logitchain/core/batch/thread_executor.h"
#include "logitchain/core/chain.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/dialects/golden_streams.h"
#include "logitchain/tests/reference/dice.h"
#include "logitchain/tests/reference/random_case.h"
#include "logitchain/tests/reference/random_logits.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/simd_target_test.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

constexpr size_t kRandomChains = 250;

// The by-products of a few steps are enough; they cost more than a draw.
constexpr size_t kStepsWithByProducts = 4;

void AddByProducts(Chain& chain, absl::Span<const float> logits, Digest& digest) {
  for (const auto& values :
       {chain.Process(logits), chain.Distribution(logits), chain.TokenLogprobs(logits)}) {
    digest.Add(static_cast<uint64_t>(values.status().code()));
    if (values.ok()) digest.Add(*values);
  }
}

void AddSample(Chain& chain, absl::Span<const float> logits, Digest& digest) {
  const auto sample = chain.Sample(logits);
  digest.Add(static_cast<uint64_t>(sample.status().code()));
  if (!sample.ok()) return;
  digest.Add(static_cast<uint64_t>(sample->token));
  digest.Add(static_cast<uint64_t>(sample->kept));
  digest.Add(uint64_t{sample->greedy});
  digest.Add(sample->raw_logprob);
  digest.Add(sample->penalised_logprob);
  digest.Add(sample->processed_logprob);
}

ChainConfig WithAllLogprobs(ChainConfig config) {
  config.clear_logprobs();
  config.add_logprobs(ChainConfig::RAW);
  config.add_logprobs(ChainConfig::PENALISED);
  config.add_logprobs(ChainConfig::PROCESSED);
  return config;
}

uint64_t DigestOf(GoldenStream stream) {
  stream.config = WithAllLogprobs(stream.config);
  const std::unique_ptr<Chain> chain = stream.MakeChain();
  Digest digest;
  for (size_t t = 0; t < stream.steps(); ++t) {
    const std::vector<float> logits = stream.Logits(t);
    if (t < kStepsWithByProducts) AddByProducts(*chain, logits, digest);
    AddSample(*chain, logits, digest);
  }
  return digest.value();
}

// Without the logprobs that the chain does not ask for: they cost walks that would hide shortcuts.
uint64_t DigestOfRandomChain(uint64_t seed) {
  Dice dice(seed);
  const RandomCase random(dice);
  const std::unique_ptr<Chain> chain = MakeChain(random.config, random.vocab_size);
  EXPECT_TRUE(chain->Reset(random.prompt).ok());
  Digest digest;
  for (const RandomLogits& logits : random.logits) AddSample(*chain, logits.span(), digest);
  AddByProducts(*chain, random.logits.front().span(), digest);
  return digest.value();
}

// "name 0123456789abcdef\n" for what the executor's threads compute for i < n.
std::string Line(absl::string_view name, Executor& executor, size_t n,
                 const std::function<uint64_t(size_t)>& digest_of) {
  std::vector<uint64_t> parts(n);
  executor.ParallelFor(n, [&](size_t i) { parts[i] = digest_of(i); });
  Digest digest;
  for (const uint64_t part : parts) digest.Add(part);
  return absl::StrCat(name, " ", absl::Hex(digest.value(), absl::kZeroPad16), "\n");
}

std::string LineOfStreams(absl::string_view name, Executor& executor,
                          const std::vector<GoldenStream>& streams) {
  return Line(name, executor, streams.size(), [&](size_t i) { return DigestOf(streams[i]); });
}

std::string AllLines(int threads) {
  ThreadExecutor executor(threads);
  return absl::StrCat(LineOfStreams("spec_streams", executor, SpecStreams()),
                      LineOfStreams("minfer_streams", executor, MinferStreams()),
                      LineOfStreams("llama_cpp_streams", executor, LlamaCppStreams()),
                      Line("random_chains", executor, kRandomChains, DigestOfRandomChain));
}

void ExpectRecordedDigests(absl::string_view heading, int threads) {
  const std::string digests = AllLines(threads);
  std::cout << heading << ":\n" << digests;
  EXPECT_EQ(digests, ReadTestFile("tests/determinism/digests.txt"));
}

TEST(DigestTest, OnOneThread) { ExpectRecordedDigests("one thread", 1); }

class DigestOfTargetTest : public SimdTargetTest {};

TEST_P(DigestOfTargetTest, OnEightThreads) {
  ExpectRecordedDigests(absl::StrCat("eight threads, ", hwy::TargetName(GetParam())), 8);
}

INSTANTIATE_TEST_SUITE_P(Targets, DigestOfTargetTest,
                         testing::ValuesIn(hwy::SupportedAndGeneratedTargets()),
                         SimdTargetTest::TargetName);

}  // namespace
}  // namespace logitchain
