// Checks of what a step costs.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/testing/conformance/checks.h"
#include "logitchain/testing/conformance/heap_counter.h"
#include "logitchain/testing/conformance/instruction_counter.h"
#include "logitchain/testing/conformance/steps.h"
#include "logitchain/testing/conformance/subject.h"

namespace logitchain {
namespace {

// Sizes that are far enough apart to tell n · log n from n².
constexpr int32_t kSmall = 64;
constexpr int32_t kLarge = 4 * kSmall;
constexpr int64_t kMostTimesTheWork = 7;

// Samples each row, and takes that back: histories grow by whatever a vector grows by, which is not
// what is counted.
absl::Status SampleAndTakeBack(Chain& chain, const Rows& rows) {
  for (const std::vector<float>& row : rows) {
    absl::Status status = chain.Sample(row).status();
    if (status.ok()) status = chain.Rollback(1);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kCountsOnlyOwnWork = false;
#else
constexpr bool kCountsOnlyOwnWork = true;
#endif

// Counting takes long; one dialect stands for all.
bool IsCounted(const Subject& subject) { return subject.dialect().name == ChainConfig::SPEC; }

// The instructions of one sample in steady state.
absl::StatusOr<int64_t> WorkOf(const Subject& subject, int32_t vocab_size, int32_t history) {
  if (!kCountsOnlyOwnWork) return absl::UnimplementedError("a sanitizer's work would be counted");
  std::vector<TokenId> prompt;
  for (int32_t i = 0; i < history; ++i) prompt.push_back(i * 13 % kSampleVocabSize);
  const auto chain = subject.NewChain(subject.config(), vocab_size, prompt);
  if (!chain.ok()) return chain.status();
  const Rows rows = FullRows(90, 3, vocab_size);
  absl::Status status = SampleAndTakeBack(**chain, rows);
  if (!status.ok()) return status;
  const std::optional<int64_t> count =
      CountInstructions([&] { status = (*chain)->Sample(rows.front()).status(); });
  if (!status.ok()) return status;
  if (!count) return absl::UnimplementedError("instructions cannot be counted here");
  return *count;
}

absl::Status ExpectLinear(absl::string_view of, const absl::StatusOr<int64_t>& small,
                          const absl::StatusOr<int64_t>& large) {
  if (!small.ok()) return small.status();
  if (!large.ok()) return large.status();
  if (*large <= kMostTimesTheWork * *small) return absl::OkStatus();
  return Failure(absl::StrCat("a ", of, " of ", kSmall, " takes ", *small,
                              " instructions, and one of ", kLarge, " takes ", *large));
}

}  // namespace

absl::Status NothingIsAllocatedInSteadyState(const Subject& subject) {
  // A history that repeats itself has the most to be found in it.
  const auto chain = subject.NewChain(subject.config(), kSampleVocabSize, {1, 2, 3, 1, 2, 3, 1, 2});
  if (!chain.ok()) return chain.status();
  const Rows rows = FullRows(91, 8);
  for (int warm_up = 0; warm_up < 2; ++warm_up) {
    if (absl::Status status = SampleAndTakeBack(**chain, rows); !status.ok()) return status;
  }
  const int64_t before = HeapAllocations();
  if (absl::Status status = SampleAndTakeBack(**chain, rows); !status.ok()) return status;
  const int64_t allocations = HeapAllocations() - before;
  const auto declared = subject.allocations() * static_cast<int64_t>(rows.size());
  if (allocations <= declared) return absl::OkStatus();
  return Failure(absl::StrCat(rows.size(), " steps allocate ", allocations, " times; declared are ",
                              declared));
}

absl::Status WorkIsLinearInTheVocabulary(const Subject& subject) {
  if (!IsCounted(subject)) return absl::OkStatus();
  return ExpectLinear("vocabulary", WorkOf(subject, kSmall, kSmall),
                      WorkOf(subject, kLarge, kSmall));
}

absl::Status WorkIsLinearInTheHistory(const Subject& subject) {
  if (!IsCounted(subject)) return absl::OkStatus();
  return ExpectLinear("history", WorkOf(subject, kSmall, kSmall), WorkOf(subject, kSmall, kLarge));
}

}  // namespace logitchain
