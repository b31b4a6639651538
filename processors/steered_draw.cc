#include "logitchain/processors/steered_draw.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/types/span.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/draw.h"
#include "logitchain/core/random/uniform_source.h"
#include "logitchain/core/softmax.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

// The first position whose running sum of p / z reaches u, where the last sum is 1.
size_t CumulativePosition(absl::Span<const double> q, double u) {
  double z = 0;
  for (const double p : q) z += p;
  double run = 0;
  for (size_t i = 0; i + 1 < q.size(); ++i) {
    run += q[i] / z;
    if (run >= u) return i;
  }
  return q.size() - 1;
}

}  // namespace

void SteeredDistribution(const Dialect& dialect, absl::Span<const double> logits,
                         std::vector<double>& q) {
  if (dialect.mirostat_draw == MirostatDraw::kDialect) {
    FinalDistribution(dialect.draw, logits, q);
  } else {
    Softmax(dialect.softmax, logits, q);
  }
}

SteeredChoice DrawSteered(const Dialect& dialect, absl::Span<const double> logits,
                          absl::Span<const double> q, UniformSource& uniforms,
                          std::vector<double>& scratch) {
  if (dialect.mirostat_draw == MirostatDraw::kDialect) {
    const double u = uniforms.Next();
    return {.position = ThrowDart(dialect.draw, logits, u, scratch).position, .uniform = u};
  }
  if (q.size() == 1) return {.position = 0};
  const double u = uniforms.Next();
  return {.position = CumulativePosition(q, u), .uniform = u};
}

void DrawnTokens::Set(absl::Span<const TokenId> ids, absl::Span<const double> values) {
  ids_.assign(ids.begin(), ids.end());
  values_.assign(values.begin(), values.end());
}

std::optional<double> DrawnTokens::Of(TokenId id) const {
  const auto found = absl::c_find(ids_, id);
  if (found == ids_.end()) return std::nullopt;
  return values_[found - ids_.begin()];
}

}  // namespace logitchain
