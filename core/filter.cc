#include "logitchain/core/filter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/draw.h"
#include "logitchain/core/kernels/scan.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/softmax.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

// How many of the probabilities, taken in rank order, it needs to cross `mass`.
template <typename Real>
size_t NucleusSize(absl::Span<const double> q, absl::Span<const int32_t> rank, double mass,
                   double tolerance, TopPConfig::Crossing crossing, size_t min_keep) {
  const Real bound = static_cast<Real>(mass) - static_cast<Real>(tolerance);
  Real sum = 0;
  for (size_t i = 0; i < rank.size(); ++i) {
    sum += static_cast<Real>(q[rank[i]]);
    const bool crosses = crossing == TopPConfig::REACHES ? sum >= bound : sum > bound;
    if (crosses && i + 1 >= min_keep) return i + 1;
  }
  return rank.size();
}

}  // namespace

TokenId CandidateSelector::ArgMax() {
  // Of no candidates any id will do: the step is refused.
  return candidates_.live() == 0 ? 0 : candidates_.ArgMax();
}

absl::Span<const double> CandidateSelector::Probabilities() {
  if (candidates_.live() == 0) return {};
  return candidates_.Probabilities();
}

bool CandidateSelector::TryKeepTypical(double mass, int32_t min_keep) {
  return candidates_.live() > 0 && candidates_.TryKeepTypical(mass, std::max(min_keep, 0));
}

bool CandidateSelector::TryKeepTopSigma(double n, int32_t min_keep) {
  return candidates_.live() > 0 && candidates_.TryKeepTopSigma(n, min_keep);
}

void CandidateSelector::KeepAllowed(absl::Span<const int32_t> words) {
  const size_t needed = WordCount(vocab_size());
  if (words.size() >= needed) return candidates_.KeepAllowed(words);
  fault_ = absl::InvalidArgumentError(
      absl::StrCat("gives a mask of ", words.size(), " words; the vocabulary needs ", needed));
}

void CandidateSelector::KeepPositions(absl::Span<const int32_t> positions) {
  const int32_t size = this->size();
  const std::optional<int32_t> bad = candidates_.KeepPositions(positions, /*sorted=*/false);
  if (!bad) return;
  const bool is_one = *bad >= 0 && *bad < size;
  fault_ = absl::InvalidArgumentError(absl::StrCat(
      "keeps position ", *bad,
      is_one ? " more than once" : absl::StrCat("; there are ", size, ", counted from 0")));
}

void CandidateSelector::KeepLargest(int64_t k, TopKConfig::Ties ties) {
  if (k < 1) return candidates_.KeepIf([](size_t) { return false; });
  candidates_.KeepLargest(k, ties == TopKConfig::KEEP_TIES);
}

void CandidateSelector::KeepFirstMaximum() {
  if (candidates_.live() == 0) return;
  candidates_.RemoveOthers(FirstMaximum(candidates_.logits()));
}

void CandidateSelector::KeepNucleus(double mass, TopPConfig::Crossing crossing, int32_t min_keep) {
  if (candidates_.live() == 0) return;
  min_keep = std::max(min_keep, 0);  // Without a sign, one below 0 would keep all.
  if (candidates_.TryKeepNucleus(mass, min_keep)) return;
  const absl::Span<const double> q = Probabilities();
  const absl::Span<const int32_t> rank = candidates_.Rank();
  const Dialect& dialect = candidates_.dialect();
  const auto size =
      dialect.arithmetic == Arithmetic::kFloat64 ? NucleusSize<double> : NucleusSize<float>;
  KeepFirstOf(rank, size(q, rank, mass, dialect.nucleus.tolerance, crossing, min_keep));
}

void CandidateSelector::KeepLikely(double ratio, int32_t min_keep) {
  if (candidates_.live() == 0) return;
  if (candidates_.TryKeepLikely(ratio, min_keep)) return;
  const bool by_logit = candidates_.dialect().min_p == MinPRule::kLogit;
  const absl::Span<const double> measure = by_logit ? candidates_.logits() : Probabilities();
  const double max = *absl::c_max_element(measure);
  double limit = by_logit ? LikelyLogit(max, ratio) : ratio * max;
  if (!by_logit && candidates_.dialect().arithmetic == Arithmetic::kFloat32) {
    limit = static_cast<float>(static_cast<float>(ratio) * max);
  }
  const auto is_likely = [&](size_t position) { return measure[position] >= limit; };
  const auto likely = absl::c_count_if(measure, [&](double value) { return value >= limit; });
  if (likely >= min_keep) {
    candidates_.KeepIf(is_likely);
  } else {
    const absl::Span<const int32_t> rank = candidates_.Rank();
    KeepFirstOf(rank, std::min<size_t>(min_keep, rank.size()));
  }
}

absl::Status Filter::Run(const StepContext& step, Candidates& candidates) {
  CandidateSelector selector(candidates);
  if (!candidates.is_checked()) {
    const absl::Status status = Apply(step, selector);
    return status.ok() ? selector.fault_ : status;
  }
  const int32_t given = candidates.live();
  if (absl::Status status = Apply(step, selector); !status.ok()) return status;
  if (!selector.fault_.ok()) return selector.fault_;
  if (candidates.live() > 0) return absl::OkStatus();
  const std::string what =
      given == 1 ? "the only candidate" : absl::StrCat("all ", given, " candidates");
  return absl::FailedPreconditionError(
      absl::StrCat("removed ", what, " that it was given; at least one must stay"));
}

}  // namespace logitchain
