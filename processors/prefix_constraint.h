#ifndef LOGITCHAIN_PROCESSORS_PREFIX_CONSTRAINT_H_
#define LOGITCHAIN_PROCESSORS_PREFIX_CONSTRAINT_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/prefix_constraint.h"
#include "logitchain/core/processor.h"

namespace logitchain {

// Removes the tokens that a function of the history does not allow. Its error, an answer without
// any id, and an id outside the vocabulary are errors of the step. Costs O(vocabulary) and the
// call. Source: PrefixConstrainedLogitsProcessor of Hugging Face transformers.
class PrefixConstraintMask final : public Cloneable<Filter, PrefixConstraintMask> {
 public:
  explicit PrefixConstraintMask(PrefixConstraint constraint) : constraint_(std::move(constraint)) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  PrefixConstraint constraint_;
  mutable std::vector<int32_t> words_;  // Scratch.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_PREFIX_CONSTRAINT_H_
