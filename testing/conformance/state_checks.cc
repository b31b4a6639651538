// Checks of a rule's state and randomness.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/core/batch/batch_sampler.h"
#include "logitchain/core/batch/thread_executor.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/testing/conformance/checks.h"
#include "logitchain/testing/conformance/steps.h"
#include "logitchain/testing/conformance/subject.h"

namespace logitchain {
namespace {

// A prime: a state that is off by so many tokens shows also in a rule that counts in turns.
constexpr int kSteps = 7;

using ChainOr = absl::StatusOr<std::unique_ptr<Chain>>;

Rows Part(const Rows& rows, size_t begin, size_t end) {
  return Rows(rows.begin() + static_cast<ptrdiff_t>(begin),
              rows.begin() + static_cast<ptrdiff_t>(end));
}

// Drives both over the same rows and compares.
absl::Status ExpectAlike(absl::string_view what, Chain& expected, Chain& actual, const Rows& rows) {
  const auto expected_steps = TakeSteps(expected, rows);
  if (!expected_steps.ok()) return expected_steps.status();
  const auto steps = TakeSteps(actual, rows);
  if (!steps.ok()) return steps.status();
  return ExpectSame(what, *expected_steps, *steps);
}

// A chain that has taken these steps.
ChainOr ChainAfter(const Subject& subject, const Rows& rows) {
  ChainOr chain = subject.NewChain();
  if (!chain.ok()) return chain;
  if (auto steps = TakeSteps(**chain, rows); !steps.ok()) return steps.status();
  return chain;
}

// Asks before the draw, which must change nothing, and compares the answers.
absl::Status AskRepeatedly(Chain& chain, const std::vector<float>& row) {
  constexpr int kCalls = 5;
  std::optional<Step> first;
  for (int i = 0; i < kCalls; ++i) {
    auto processed = chain.Process(row);
    if (!processed.ok()) return processed.status();
    auto distribution = chain.Distribution(row);
    if (!distribution.ok()) return distribution.status();
    const Step step = {.processed = *std::move(processed),
                       .distribution = *std::move(distribution)};
    if (!first) first = step;
    const absl::Status status =
        ExpectSame("called again in the same step, it gives another answer", {*first}, {step});
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// What the chain is in after these rows, driven alone and then in a batch with others.
absl::Status ExpectAlikeInBatch(const std::vector<Rows>& rows, std::vector<ChainOr> alone,
                                std::vector<ChainOr> together) {
  BatchSampler batch(std::make_shared<ThreadExecutor>(2));
  std::vector<SlotId> slots;
  for (ChainOr& chain : together) slots.push_back(*batch.Add(*std::move(chain)));
  for (int t = 0; t < kSteps; ++t) {
    std::vector<float> matrix;
    for (const Rows& of_slot : rows) {
      matrix.insert(matrix.end(), of_slot[t].begin(), of_slot[t].end());
    }
    const auto samples = batch.Sample(LogitsMatrix::Of(matrix, kSampleVocabSize), slots);
    for (size_t slot = 0; slot < slots.size(); ++slot) {
      const auto expected = (*alone[slot])->Sample(rows[slot][t]);
      if (!expected.ok()) return expected.status();
      if (!samples[slot].ok()) return samples[slot].status();
      const absl::Status status = ExpectSame(absl::StrCat("in slot ", slot, " of a batch"),
                                             {{.sample = *expected}}, {{.sample = *samples[slot]}});
      if (!status.ok()) return status;
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ABatchChangesNothing(const Subject& subject) {
  constexpr int kSlots = 3;
  std::vector<Rows> rows;
  std::vector<ChainOr> alone;
  std::vector<ChainOr> together;
  for (int slot = 0; slot < kSlots; ++slot) {
    rows.push_back(RowsWithHoles(20 + slot, kSteps));
    for (std::vector<ChainOr>* chains : {&alone, &together}) {
      chains->push_back(subject.NewChain());
      if (!chains->back().ok()) return chains->back().status();
    }
  }
  return ExpectAlikeInBatch(rows, std::move(alone), std::move(together));
}

absl::Status ACloneIsIndependent(const Subject& subject) {
  const Rows before = RowsWithHoles(30, kSteps);
  const Rows others = RowsWithHoles(31, kSteps);
  const Rows after = RowsWithHoles(32, kSteps);
  for (const bool clone_goes_on : {true, false}) {
    const ChainOr expected = ChainAfter(subject, before);
    if (!expected.ok()) return expected.status();
    const ChainOr chain = ChainAfter(subject, before);
    if (!chain.ok()) return chain.status();
    const std::unique_ptr<Chain> clone = (*chain)->Fork();
    Chain& other = clone_goes_on ? **chain : *clone;
    if (auto steps = TakeSteps(other, others); !steps.ok()) return steps.status();
    const absl::Status status =
        ExpectAlike(clone_goes_on ? "a clone, after its original went elsewhere"
                                  : "the original, after its clone went elsewhere",
                    **expected, clone_goes_on ? *clone : **chain, after);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ResetStartsAnew(const Subject& subject) {
  const ChainOr chain = ChainAfter(subject, RowsWithHoles(40, kSteps));
  if (!chain.ok()) return chain.status();
  const ChainOr fresh = subject.NewChain();
  if (!fresh.ok()) return fresh.status();
  const std::vector<TokenId> prompt = {3, 1, 2};
  absl::Status status = (*chain)->Reset(prompt);
  status.Update((*fresh)->Reset(prompt));
  if (!status.ok()) return status;
  return ExpectAlike("after a reset", **fresh, **chain, RowsWithHoles(41, kSteps));
}

absl::Status RollbackTakesBack(const Subject& subject) {
  constexpr size_t kKept = 2;
  const Rows rows = RowsWithHoles(50, kSteps);
  const ChainOr chain = ChainAfter(subject, rows);
  if (!chain.ok()) return chain.status();
  const Rows others = RowsWithHoles(51, kSteps);
  for (const Rows& after : {Part(rows, kKept, rows.size()), others}) {
    const auto taken = static_cast<int32_t>((*chain)->history().output().size() - kKept);
    if (absl::Status status = (*chain)->Rollback(taken); !status.ok()) return status;
    const ChainOr expected = ChainAfter(subject, Part(rows, 0, kKept));
    if (!expected.ok()) return expected.status();
    const absl::Status status =
        ExpectAlike(absl::StrCat("after a rollback by ", taken), **expected, **chain, after);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ReplayRepeats(const Subject& subject) {
  const Rows rows = RowsWithHoles(60, kSteps);
  const ChainOr asked = subject.NewChain();
  if (!asked.ok()) return asked.status();
  const ChainOr plain = subject.NewChain();
  if (!plain.ok()) return plain.status();
  for (const std::vector<float>& row : rows) {
    if (absl::Status status = AskRepeatedly(**asked, row); !status.ok()) return status;
    const absl::StatusOr<Sample> expected = (*plain)->Sample(row);
    if (!expected.ok()) return expected.status();
    const absl::StatusOr<Sample> actual = (*asked)->Sample(row);
    if (!actual.ok()) return actual.status();
    const absl::Status status =
        ExpectSame("after Process", {{.sample = *expected}}, {{.sample = *actual}});
    if (!status.ok()) return status;
  }
  // Tokens that come from elsewhere must bring a rule without randomness to the same state.
  if (subject.is_terminal() || subject.uniforms() > 0) return absl::OkStatus();
  const ChainOr replayed = subject.NewChain();
  if (!replayed.ok()) return replayed.status();
  for (const TokenId id : (*plain)->history().output()) {
    if (absl::Status status = (*replayed)->Commit(id); !status.ok()) return status;
  }
  const std::vector<float> row = RowsWithHoles(61, 1).front();
  const auto expected = (*plain)->Process(row);
  if (!expected.ok()) return expected.status();
  const auto processed = (*replayed)->Process(row);
  if (!processed.ok()) return processed.status();
  return ExpectSame("with the tokens committed that it drew", {{.processed = *expected}},
                    {{.processed = *processed}});
}

absl::Status UniformsAreAsDeclared(const Subject& subject) {
  // A rule stands before a categorical draw, which takes one.
  const int64_t of_the_draw = subject.is_terminal() ? 0 : 1;
  const auto declared = static_cast<int64_t>(subject.uniforms());
  const ChainOr chain = subject.NewChain();
  if (!chain.ok()) return chain.status();
  for (const std::vector<float>& row : FullRows(70, 2 * kSteps)) {
    const uint64_t before = (*chain)->draws();
    const auto step = TakeStep(**chain, row);
    if (!step.ok()) return step.status();
    const int64_t taken = static_cast<int64_t>((*chain)->draws() - before) - of_the_draw;
    if (taken == declared || (taken < declared && step->sample.kept == 1)) continue;
    return Failure(absl::StrCat("a token took ", taken, " random numbers",
                                subject.is_terminal() ? "" : ", beside that of the draw",
                                "; declared are ", declared));
  }
  return absl::OkStatus();
}

}  // namespace logitchain
