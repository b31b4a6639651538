#ifndef LOGITCHAIN_CORE_TRANSFORM_H_
#define LOGITCHAIN_CORE_TRANSFORM_H_

#include <cmath>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// What a Transform can do: rewrite the logits of candidates that are in. It cannot remove a token
// or bring one back. A value that is not finite, and an attempt on a removed token, is not stored;
// the runner then refuses the step with an error that names the rule and the token.
class LogitEditor {
 public:
  explicit LogitEditor(Candidates& candidates) : candidates_(candidates) {}
  LogitEditor(const LogitEditor&) = delete;
  LogitEditor& operator=(const LogitEditor&) = delete;

  int32_t vocab_size() const { return candidates_.vocab_size(); }

  // The logit of a token, or nothing if it is removed or outside the vocabulary.
  std::optional<double> Find(TokenId id) const { return candidates_.Find(id); }

  // Number of candidates that are not removed.
  int32_t live() { return candidates_.live(); }

  // The dialect's softmax over the candidates, which are first sorted where the dialect keeps an
  // order; by position (see CandidateSelector). Valid until the next change.
  absl::Span<const double> SortedProbabilities();

  // The largest logit of a candidate that is in.
  double MaxLogit() const;

  // Sets the logit of a candidate that is in; to set a removed one is an error.
  void Set(TokenId id, double logit);

  // Replaces a token's logit l by f(l), where f takes and returns the Real of the dialect's
  // arithmetic (float or double). Does nothing for a token that is removed or outside the
  // vocabulary.
  template <typename F>
  void Rewrite(TokenId id, F f) {
    const std::optional<double> logit = candidates_.Find(id);
    if (logit) Store(id, Compute(f, *logit));
  }

  // Replaces the logit l of every candidate by f(l), as above. `keeps_order` promises that f never
  // makes a smaller logit the larger one.
  template <typename F>
  void RewriteAll(F f, bool keeps_order) {
    candidates_.Map(
        [&](TokenId id, double logit) {
          const double changed = Compute(f, logit);
          return IsStorable(id, changed) ? changed : logit;
        },
        keeps_order);
  }

  // Divides the logits of all candidates by a positive number.
  void DivideAll(double divisor, bool by_reciprocal);

  // Replaces the logit l of every candidate by f(id, l), as above.
  template <typename F>
  void RewriteEach(F f) {
    candidates_.Map(
        [&](TokenId id, double logit) {
          const auto of_id = [&](auto l) { return f(id, l); };
          const double changed = Compute(of_id, logit);
          return IsStorable(id, changed) ? changed : logit;
        },
        /*keeps_order=*/false);
  }

 private:
  friend class Transform;

  template <typename F>
  double Compute(F& f, double logit) const {
    return candidates_.dialect().arithmetic == Arithmetic::kFloat64 ? f(logit)
                                                                    : f(static_cast<float>(logit));
  }

  void Store(TokenId id, double logit) {
    if (IsStorable(id, logit)) candidates_.Set(id, logit);
  }

  bool IsStorable(TokenId id, double logit) {
    if (std::isfinite(logit)) return true;
    RecordBadValue(id, logit);
    return false;
  }

  void RecordBadValue(TokenId id, double logit);
  void RecordRevival(TokenId id, double logit);
  // Of several faults the one of the lowest id is reported, whatever the order of a rule's work.
  void Record(TokenId id, absl::Status fault);

  Candidates& candidates_;
  TokenId fault_id_ = 0;
  absl::Status fault_;
};

// A rule that rewrites logits: penalties, bias, temperature.
class Transform : public Processor {
 public:
  // Rewrites logits for this step. May be called any number of times a step and must do the same
  // each time; state changes only in Accept, Rollback and Reset.
  virtual absl::Status Apply(const StepContext& step, LogitEditor& editor) const = 0;

 private:
  absl::Status Run(const StepContext& step, Candidates& candidates) final;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_TRANSFORM_H_
