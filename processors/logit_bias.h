#ifndef LOGITCHAIN_PROCESSORS_LOGIT_BIAS_H_
#define LOGITCHAIN_PROCESSORS_LOGIT_BIAS_H_

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"

namespace logitchain {

// For each entry, in the listed order: l + bias, in the dialect's arithmetic; a token that is
// listed twice gets both sums, each rounded. A removed token stays removed. A sum that overflows is
// an error. Costs O(entries). Source: the parameter logit_bias of OpenAI's API.
class LogitBias final : public Cloneable<Transform, LogitBias> {
 public:
  struct Entry {
    TokenId id;
    double bias;  // Finite.
  };

  explicit LogitBias(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override;

 private:
  std::vector<Entry> entries_;
};

// What a bias of −∞ is: removes the tokens. It stands with the masks, before every filter.
class TokenBan final : public Cloneable<Filter, TokenBan> {
 public:
  explicit TokenBan(std::vector<TokenId> ids) : ids_(std::move(ids)) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  std::vector<TokenId> ids_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_LOGIT_BIAS_H_
