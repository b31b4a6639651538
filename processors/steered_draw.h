#ifndef LOGITCHAIN_PROCESSORS_STEERED_DRAW_H_
#define LOGITCHAIN_PROCESSORS_STEERED_DRAW_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/random/uniform_source.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// The draw of terminals that steer by what they drew (mirostat, adaptive-p): over logits by
// position, −∞ for removed ones, in the way of Dialect::mirostat_draw.

// Fills `q` with the probabilities that such a draw goes by.
void SteeredDistribution(const Dialect& dialect, absl::Span<const double> logits,
                         std::vector<double>& q);

struct SteeredChoice {
  size_t position;
  std::optional<double> uniform;  // Nothing if it took none.
};

// Draws one; `q` is as SteeredDistribution filled it.
SteeredChoice DrawSteered(const Dialect& dialect, absl::Span<const double> logits,
                          absl::Span<const double> q, UniformSource& uniforms,
                          std::vector<double>& scratch);

// A number for each token that a draw could have given, kept until one is committed.
class DrawnTokens {
 public:
  void Set(absl::Span<const TokenId> ids, absl::Span<const double> values);
  void Clear() { ids_.clear(); }

  // Nothing for a token that is not among them, or where no draw was.
  std::optional<double> Of(TokenId id) const;

 private:
  std::vector<TokenId> ids_;
  std::vector<double> values_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_STEERED_DRAW_H_
