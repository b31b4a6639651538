#ifndef LOGITCHAIN_CORE_TOKEN_ORDER_H_
#define LOGITCHAIN_CORE_TOKEN_ORDER_H_

#include <cmath>
#include <cstddef>
#include <optional>

#include "absl/types/span.h"
#include "logitchain/core/kernels/exp_split.h"
#include "logitchain/core/ranked_token.h"

namespace logitchain {

// The order in which a filter takes tokens until they have the mass that it wants: the most likely
// first, or those first whose logit is closest to a mean that is known within bounds.
class TokenOrder {
 public:
  static TokenOrder ByLogit() { return TokenOrder(); }

  // By |l − mean|, where the rule's own distances may be off so far that two of them, of tokens on
  // both sides of the mean, compare otherwise if they differ by up to `doubt`. Caller's logits
  // count divided by `divisor`.
  static TokenOrder ByDistance(double mean, double doubt, double divisor);

  bool is_by_distance() const { return mean_.has_value(); }

  // Larger for caller's logits that come earlier. By distance that is certain only of keys that
  // differ by more than Slack(key).
  LogitKey key() const { return key_; }
  double Slack(float key) const;

  // The same for an edited logit, by distance.
  double KeyOfEdit(double logit) const;

  bool Before(const RankedToken& a, const RankedToken& b) const;

  // By distance: whether tokens that come after one with the logit `least` in the rank by logit
  // surely come after one with the logit `last`, which does not.
  bool IsBeforeThoseBehind(double last, double least) const;

  // Of tokens in this order, whether the rule surely has those up to ranked[end] and no others
  // before and at that token.
  bool IsCertain(absl::Span<const RankedToken> ranked, size_t end) const;

 private:
  TokenOrder() = default;

  double Distance(double logit) const { return std::abs(logit - *mean_); }

  std::optional<double> mean_;
  double doubt_ = 0;
  double divisor_ = 1;
  LogitKey key_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_TOKEN_ORDER_H_
