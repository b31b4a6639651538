#include "logitchain/core/transform.h"

#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/scaling.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

absl::Span<const double> LogitEditor::SortedProbabilities() {
  candidates_.Sort();
  return candidates_.Probabilities();
}

double LogitEditor::MaxLogit() const {
  const absl::Span<const double> logits = candidates_.logits();
  return *absl::c_max_element(logits);
}

void LogitEditor::Set(TokenId id, double logit) {
  if (!candidates_.Find(id)) {
    RecordRevival(id, logit);
    return;
  }
  const auto identity = [logit](auto old) { return static_cast<decltype(old)>(logit); };
  Rewrite(id, identity);
}

void LogitEditor::DivideAll(double divisor, bool by_reciprocal) {
  if (!(divisor > 0)) {
    return Record(0, absl::InvalidArgumentError(absl::StrCat("divides all logits by ", divisor,
                                                             "; a divisor must be positive")));
  }
  const Scaling scaling = {candidates_.dialect().arithmetic, divisor, by_reciprocal};
  if (candidates_.TryScale(scaling)) return;
  RewriteAll([&](auto logit) { return static_cast<decltype(logit)>(scaling(logit)); },
             /*keeps_order=*/true);
}

void LogitEditor::RecordBadValue(TokenId id, double logit) {
  Record(id,
         absl::InvalidArgumentError(absl::StrCat("the logit of token ", id, " would become ", logit,
                                                 "; a transform may write only finite logits")));
}

void LogitEditor::RecordRevival(TokenId id, double logit) {
  Record(id, absl::FailedPreconditionError(
                 absl::StrCat("token ", id,
                              " is removed or outside the vocabulary and cannot be "
                              "set to ",
                              logit, "; removed tokens stay removed")));
}

void LogitEditor::Record(TokenId id, absl::Status fault) {
  if (!fault_.ok() && fault_id_ <= id) return;
  fault_id_ = id;
  fault_ = std::move(fault);
}

absl::Status Transform::Run(const StepContext& step, Candidates& candidates) {
  LogitEditor editor(candidates);
  if (absl::Status status = Apply(step, editor); !status.ok()) return status;
  return editor.fault_;
}

}  // namespace logitchain
