#include "logitchain/processors/mirostat.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/types/span.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

template <typename Real>
Real ZipfExponent(absl::Span<const double> q, absl::Span<const int32_t> rank, size_t m) {
  Real sum_tb = 0;
  Real sum_tt = 0;
  for (size_t i = 0; i + 1 < std::min(m, rank.size()); ++i) {
    const Real t = Log(static_cast<Real>(i + 2) / static_cast<Real>(i + 1));
    const Real b = Log(static_cast<Real>(q[rank[i]]) / static_cast<Real>(q[rank[i + 1]]));
    sum_tb += t * b;
    sum_tt += t * t;
  }
  return sum_tb / sum_tt;
}

template <typename Real>
Real Count(Real exponent, Real mu, Real vocab_size) {
  const Real e = exponent - 1;
  return Pow((e * Pow(Real{2}, mu)) / (1 - Pow(vocab_size, -e)), 1 / exponent);
}

}  // namespace

void Mirostat::Cut(double mu, CandidateSelector& candidates) const {
  const double k = InArithmetic(dialect().arithmetic, [&](auto zero) -> double {
    using Real = decltype(zero);
    const Real exponent =
        ZipfExponent<Real>(candidates.Probabilities(), candidates.Rank(), static_cast<size_t>(m_));
    return Count(exponent, static_cast<Real>(mu), static_cast<Real>(candidates.vocab_size()));
  });
  const double size = candidates.size();
  // A NaN compares as false.
  candidates.KeepLargest(k >= 1 ? static_cast<int64_t>(std::min(k, size)) : 1,
                         TopKConfig::EXACTLY_K);
}

namespace {

void BuildMirostat(const MirostatConfig& config, BuildContext& context) {
  context.SetTerminal(
      std::make_unique<Mirostat>(config.tau(), config.eta(), config.m(), context.dialect()));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildMirostat, {.summary = "draws, and keeps the tokens' surprise near tau bits by Zipf's law",
                    .stage = Stage::kDraw});

}  // namespace
}  // namespace logitchain
