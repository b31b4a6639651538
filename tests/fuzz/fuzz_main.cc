// What runs a fuzz test where there is no libFuzzer: each file of a corpus goes to the function,
// and then random changes of them. An input must not end the program, take long or much memory, or
// leave memory behind.
//
//   chain_fuzz_test --runs=5000 tests/fuzz/corpus/chain
//
// With a sanitizer there are fewer changes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "logitchain/testing/conformance/heap_counter.h"
#include "logitchain/tests/fuzz/failed_input.h"
#include "logitchain/tests/fuzz/mutator.h"
#include "logitchain/tests/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// What a fuzz test may have beside.
extern "C" __attribute__((weak)) int LLVMFuzzerInitialize(int* argc, char*** argv);
extern "C" __attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                                                size_t max_size, unsigned int seed);

namespace logitchain {
namespace {

using Corpus = std::vector<std::string>;

// For one input.
constexpr int64_t kMaxBytes = int64_t{512} << 20;
constexpr int kMaxSeconds = 20;

constexpr size_t kMaxInputSize = 1 << 16;
constexpr uint64_t kSeed = 1;

class Runner {
 public:
  void Run(const std::string& input) {
    // A buffer of just this size, so that AddressSanitizer sees what is read behind it.
    const std::vector<uint8_t> bytes(input.begin(), input.end());
    const absl::Time start = absl::Now();
    const int64_t held = HeapBytes();
    ResetHeapPeak();
    StartInput(bytes, SanitizerSlowdown() * kMaxSeconds);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    most_bytes_ = std::max(most_bytes_, HeapPeak() - held);
    Require(most_bytes_ <= kMaxBytes, "an input takes at most 512 MiB");
    EndInput();
    ++runs_;
    longest_ = std::max(longest_, absl::Now() - start);
  }

  void RunAll(const Corpus& corpus) {
    for (const std::string& input : corpus) Run(input);
  }

  std::string Summary() const {
    return absl::StrCat(runs_, " inputs, of which none took more than ",
                        absl::FormatDuration(absl::Ceil(longest_, absl::Milliseconds(1))), " or ",
                        most_bytes_ >> 20, " MiB");
  }

 private:
  int64_t runs_ = 0;
  absl::Duration longest_;
  int64_t most_bytes_ = 0;
};

Corpus ReadCorpus(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  Corpus corpus;
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

// Caches may keep what is new to them, but not the same again.
void RequireNoLeak(const Corpus& corpus, Runner& runner) {
  runner.RunAll(corpus);
  const int64_t held = HeapBytes();
  runner.RunAll(corpus);
  Require(HeapBytes() <= held, "no input leaves memory behind");
}

// An input with changes, most often also one that the fuzz test knows itself.
std::string Changed(Mutator& mutator) {
  std::string input = mutator.Next();
  if (LLVMFuzzerCustomMutator == nullptr || mutator.Below(4) == 0) return input;
  const size_t size = std::min(input.size(), kMaxInputSize);
  input.resize(kMaxInputSize);
  input.resize(LLVMFuzzerCustomMutator(reinterpret_cast<uint8_t*>(input.data()), size,
                                       kMaxInputSize,
                                       static_cast<unsigned int>(mutator.Below(1u << 31))));
  return input;
}

void FuzzFrom(const Corpus& corpus, int64_t runs) {
  Runner runner;
  runner.RunAll(corpus);
  RequireNoLeak(corpus, runner);
  Mutator mutator(corpus, kSeed);
  for (int64_t i = 0; i < runs; ++i) runner.Run(Changed(mutator));
  std::cout << runner.Summary() << "\n";
}

}  // namespace
}  // namespace logitchain

int main(int argc, char** argv) {
  absl::string_view runs = argc == 3 ? argv[1] : "";
  int64_t count = 0;
  if (!absl::ConsumePrefix(&runs, "--runs=") || !absl::SimpleAtoi(runs, &count)) {
    std::cerr << "usage: " << argv[0] << " --runs=N FOLDER\n";
    return 2;
  }
  if (LLVMFuzzerInitialize != nullptr) LLVMFuzzerInitialize(&argc, &argv);
  const logitchain::Corpus corpus = logitchain::ReadCorpus(argv[2]);
  logitchain::Require(!corpus.empty(), "there is a corpus");
  logitchain::KeepFailedInput();
  logitchain::FuzzFrom(corpus, count / logitchain::SanitizerSlowdown());
}
