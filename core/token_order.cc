#include "logitchain/core/token_order.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "absl/types/span.h"
#include "logitchain/core/kernels/exp_split.h"
#include "logitchain/core/ranked_token.h"

namespace logitchain {
namespace {

constexpr double kLargest = std::numeric_limits<float>::max();

}  // namespace

TokenOrder TokenOrder::ByDistance(double mean, double doubt, double divisor) {
  TokenOrder order;
  order.mean_ = mean;
  order.doubt_ = doubt;
  order.divisor_ = divisor;
  order.key_.center = static_cast<float>(std::clamp(mean * divisor, -kLargest, kLargest));
  return order;
}

// The center and the difference are rounded to float32, which at most doubles what a comparison
// can be off by.
double TokenOrder::Slack(float key) const {
  if (!mean_) return 0;
  const double rounding = 0x1p-23 * (std::abs(double{*key_.center}) + std::abs(double{key}));
  return 2 * rounding + 1.01 * doubt_ * divisor_ + std::numeric_limits<float>::min();
}

double TokenOrder::KeyOfEdit(double logit) const {
  return std::max(-kLargest, -Distance(logit) * divisor_);
}

bool TokenOrder::Before(const RankedToken& a, const RankedToken& b) const {
  if (!mean_) return a < b;
  const double a_distance = Distance(a.logit);
  const double b_distance = Distance(b.logit);
  return a_distance != b_distance ? a_distance < b_distance : a < b;
}

bool TokenOrder::IsBeforeThoseBehind(double last, double least) const {
  return last < *mean_ - doubt_ || *mean_ - least > Distance(last) + doubt_;
}

// On the far side of the mean from the largest logit, the rule's distances cannot fall where the
// logits do, and equal ones leave the larger logit first.
bool TokenOrder::IsCertain(absl::Span<const RankedToken> ranked, size_t end) const {
  if (!mean_) return true;
  const double last = ranked[end].logit;
  const double doubt = doubt_ + 0x1p-50 * std::abs(last);
  bool are_equal = true;
  bool are_below = true;
  for (const RankedToken& token : ranked) {
    if (std::abs(Distance(token.logit) - Distance(last)) > doubt) continue;
    are_equal = are_equal && token.logit == last;
    are_below = are_below && token.logit < *mean_ - doubt;
  }
  return are_equal || are_below;
}

}  // namespace logitchain
