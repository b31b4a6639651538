// Checks of what a rule makes of one step's logits.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/testing/conformance/checks.h"
#include "logitchain/testing/conformance/parameters.h"
#include "logitchain/testing/conformance/steps.h"
#include "logitchain/testing/conformance/subject.h"

namespace logitchain {
namespace {

Rows Joined(Rows a, const Rows& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Runs a new chain over each row, and hands what it makes of it to `judge`.
template <typename Judge>
absl::Status JudgeEach(const Subject& subject, const Rows& rows, Judge judge) {
  absl::StatusOr<std::unique_ptr<Chain>> chain = subject.NewChain();
  if (!chain.ok()) return chain.status();
  for (size_t i = 0; i < rows.size(); ++i) {
    const absl::Status status = judge(rows[i], TakeStep(**chain, rows[i]));
    if (!status.ok()) return At(absl::StrCat("row ", i), status);
  }
  return absl::OkStatus();
}

// Removes every third token in one of two ways that must come to the same.
class EveryThird final : public Cloneable<Filter, EveryThird> {
 public:
  explicit EveryThird(bool by_position) : by_position_(by_position) {}

  absl::Status Apply(const StepContext&, CandidateSelector& selector) const override {
    if (by_position_) {
      selector.RemoveIf([&](size_t position) { return selector.ids()[position] % 3 == 0; });
    } else {
      for (TokenId id = 0; id < selector.vocab_size(); id += 3) selector.Remove(id);
    }
    return absl::OkStatus();
  }

 private:
  bool by_position_;
};

absl::StatusOr<std::vector<Step>> StepsBehindMask(const Subject& subject, bool by_position,
                                                  const Rows& rows) {
  absl::StatusOr<std::unique_ptr<Chain>> chain = subject.NewChain();
  if (!chain.ok()) return chain.status();
  (*chain)->PrependMask("every third", std::make_unique<EveryThird>(by_position));
  return TakeSteps(**chain, rows);
}

// A terminal that is off draws the tokens of a categorical draw. It may know more of them, and
// round the probabilities in its own way.
void KeepTokens(const std::vector<Step>& expected, std::vector<Step>& steps) {
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i].distribution = expected[i].distribution;
    steps[i].sample.probability = expected[i].sample.probability;
  }
}

// The new id of each token, at random.
std::vector<TokenId> Renumbering() {
  std::vector<TokenId> ids(kSampleVocabSize);
  std::iota(ids.begin(), ids.end(), 0);
  Pcg32 random(11);
  for (size_t i = ids.size() - 1; i > 0; --i) std::swap(ids[i], ids[random.Next() % (i + 1)]);
  return ids;
}

// Whether values are the same but for the rounding of sums that run in another order.
bool IsClose(double a, double b, const Dialect& dialect) {
  const double tolerance = dialect.arithmetic == Arithmetic::kFloat64 ? 1e-9 : 1e-4;
  return a == b || std::abs(a - b) <= tolerance * std::max(1.0, std::abs(a));
}

absl::Status ExpectRenumbered(absl::string_view what, const std::vector<TokenId>& new_id,
                              const std::vector<double>& values,
                              const std::vector<double>& renumbered, const Dialect& dialect) {
  for (size_t id = 0; id < values.size(); ++id) {
    if (IsClose(values[id], renumbered[new_id[id]], dialect)) continue;
    return Failure(absl::StrCat("the ", what, " of token ", id, " is ", values[id], "; as token ",
                                new_id[id], " it has ", renumbered[new_id[id]],
                                "; if the rule is about certain ids, let its sample say so with "
                                "knows_ids: true"));
  }
  return absl::OkStatus();
}

// A step over both numberings. The token of the first is committed in both.
absl::Status StepInBoth(const std::vector<TokenId>& new_id, const std::vector<float>& row,
                        Chain& chain, Chain& other) {
  std::vector<float> renumbered(row.size());
  for (size_t id = 0; id < row.size(); ++id) renumbered[new_id[id]] = row[id];
  const auto step = TakeStep(chain, row);
  if (!step.ok()) return step.status();
  const auto processed = other.Process(renumbered);
  if (!processed.ok()) return processed.status();
  const auto distribution = other.Distribution(renumbered);
  if (!distribution.ok()) return distribution.status();
  absl::Status status = other.Draw(renumbered).status();
  status.Update(other.Commit(new_id[step->sample.token]));
  status.Update(ExpectRenumbered("logit", new_id, step->processed, *processed, chain.dialect()));
  status.Update(
      ExpectRenumbered("probability", new_id, step->distribution, *distribution, chain.dialect()));
  return status;
}

// Whether the rule makes a difference at one of these steps.
absl::StatusOr<bool> ChangesAnything(const Subject& subject, const std::vector<TokenId>& prompt,
                                     const Rows& rows) {
  const auto with = subject.NewChain(subject.config(), kSampleVocabSize, prompt);
  if (!with.ok()) return with.status();
  const auto without = subject.NewChain(subject.ConfigWithout(), kSampleVocabSize, prompt);
  if (!without.ok()) return without.status();
  for (const std::vector<float>& row : rows) {
    const auto expected = TakeStep(**without, row);
    if (!expected.ok()) return expected.status();
    const auto actual = TakeStep(**with, row);
    if (!actual.ok()) return actual.status();
    std::vector<Step> step = {*actual};
    if (subject.is_terminal()) KeepTokens({*expected}, step);
    if (!ExpectSame("", {*expected}, step).ok()) return true;
  }
  return false;
}

}  // namespace

absl::Status ASampleDoesSomething(const Subject& subject) {
  const Rows rows = Joined(RowsWithHoles(9, 16), OddRows());
  // Some rules act only behind a repetition.
  for (const std::vector<TokenId>& prompt :
       {std::vector<TokenId>{1, 2, 1}, std::vector<TokenId>{1, 2, 1, 2, 1, 2, 1, 2}}) {
    const absl::StatusOr<bool> changes = ChangesAnything(subject, prompt, rows);
    if (!changes.ok()) return changes.status();
    if (*changes) return absl::OkStatus();
  }
  return Failure(
      absl::StrCat("over ", rows.size(),
                   " steps behind each of two prompts the rule changes nothing; a sample "
                   "must be a config at which it does something"));
}

absl::Status ATokenStays(const Subject& subject) {
  Rows rows = Joined(FullRows(1, 4), OddRows());
  // A mask, a bias or a penalty may ban the only token that is left, but no later rule.
  if (!IsBeforeShaping(subject.stage())) rows = Joined(std::move(rows), NarrowRows());
  return JudgeEach(subject, rows, [](const std::vector<float>&, const absl::StatusOr<Step>& step) {
    return step.status();
  });
}

absl::Status RemovedStaysRemoved(const Subject& subject) {
  return JudgeEach(
      subject, RowsWithHoles(2, 12),
      [](const std::vector<float>& row, const absl::StatusOr<Step>& step) -> absl::Status {
        if (!step.ok()) return step.status();
        for (size_t id = 0; id < row.size(); ++id) {
          if (row[id] == kRemoved && step->processed[id] != kRemoved) {
            return Failure(absl::StrCat("token ", id, " was removed and has a logit again"));
          }
        }
        if (row[step->sample.token] != kRemoved) return absl::OkStatus();
        return Failure(absl::StrCat("token ", step->sample.token, " was removed and is drawn"));
      });
}

absl::Status FiniteStaysFinite(const Subject& subject) {
  Rows large = FullRows(3, 4);
  for (std::vector<float>& row : large) {
    for (float& logit : row) logit *= 1000;
  }
  return JudgeEach(subject, Joined(Joined(FullRows(4, 4), OddRows()), large),
                   [](const std::vector<float>&, const absl::StatusOr<Step>& step) -> absl::Status {
                     if (!step.ok()) return step.status();
                     for (size_t id = 0; id < step->processed.size(); ++id) {
                       const double logit = step->processed[id];
                       if (logit == kRemoved || std::isfinite(logit)) continue;
                       return Failure(absl::StrCat("the logit of token ", id, " becomes ", logit));
                     }
                     return absl::OkStatus();
                   });
}

absl::Status OffIsTheIdentity(const Subject& subject) {
  const std::unique_ptr<google::protobuf::Message> off(subject.rule().New());
  off->CopyFrom(subject.rule());
  const absl::StatusOr<bool> has_off = SetOff(subject.dialect(), *off);
  if (!has_off.ok()) return has_off.status();
  if (!*has_off) return absl::OkStatus();
  const Rows rows = Joined(RowsWithHoles(5, 6), OddRows());
  const auto with = subject.NewChain(subject.ConfigWith(*off));
  if (!with.ok()) return with.status();
  const auto without = subject.NewChain(subject.ConfigWithout());
  if (!without.ok()) return without.status();
  const auto expected = TakeSteps(**without, rows);
  const auto actual = TakeSteps(**with, rows);
  if (!expected.ok()) return expected.status();
  if (!actual.ok()) return actual.status();
  std::vector<Step> steps = *actual;
  if (subject.is_terminal()) KeepTokens(*expected, steps);
  return ExpectSame(absl::StrCat("with ", off->ShortDebugString()), *expected, steps);
}

absl::Status NumbersOfTokensDoNotMatter(const Subject& subject) {
  if (subject.knows_ids()) return absl::OkStatus();
  const std::vector<TokenId> new_id = Renumbering();
  const auto chain = subject.NewChain();
  if (!chain.ok()) return chain.status();
  const auto other =
      subject.NewChain(subject.config(), kSampleVocabSize, {new_id[1], new_id[2], new_id[1]});
  if (!other.ok()) return other.status();
  for (const std::vector<float>& row : FullRows(6, 8)) {
    const absl::Status status = StepInBoth(new_id, row, **chain, **other);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status DenseAndSparseAgree(const Subject& subject) {
  const Rows rows = Joined(FullRows(7, 4), RowsWithHoles(8, 4));
  const auto dense = StepsBehindMask(subject, /*by_position=*/false, rows);
  if (!dense.ok()) return dense.status();
  const auto sparse = StepsBehindMask(subject, /*by_position=*/true, rows);
  if (!sparse.ok()) return sparse.status();
  return ExpectSame("of sparse candidates", *dense, *sparse);
}

}  // namespace logitchain
