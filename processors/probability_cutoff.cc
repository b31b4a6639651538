#include "logitchain/processors/probability_cutoff.h"

#include <cstddef>
#include <cstdint>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"

namespace logitchain {

void KeepProbable(const Dialect& dialect, double cutoff, int32_t min_keep,
                  CandidateSelector& selector) {
  const double bound = InArithmetic(dialect.arithmetic, [cutoff](auto zero) -> double {
    return static_cast<decltype(zero)>(cutoff);
  });
  const absl::Span<const double> q = selector.Probabilities();
  const auto probable = absl::c_count_if(q, [bound](double value) { return value >= bound; });
  if (probable < min_keep) {
    selector.KeepLargest(min_keep, dialect.top_k_ties);
  } else {
    selector.KeepIf([&](size_t position) { return q[position] >= bound; });
  }
}

}  // namespace logitchain
