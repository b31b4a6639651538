#ifndef LOGITCHAIN_PROCESSORS_MIROSTAT_H_
#define LOGITCHAIN_PROCESSORS_MIROSTAT_H_

#include <cstdint>
#include <memory>

#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/terminal.h"
#include "logitchain/processors/mirostat_terminal.h"

namespace logitchain {

// Mirostat version 1: keeps the k largest logits (of equal ones the lower ids). With q_0 ≥ q_1 ≥ …
// the softmax over the candidates, and the sums over 0 ≤ i < min(m − 1, size − 1):
//
//   t_i = log((i + 2) / (i + 1))      b_i = log(q_i / q_{i+1})
//   s = Σ t·b / Σ t²                  the exponent of Zipf's law
//   e = s − 1
//   k = (e · 2^mu / (1 − V^−e)) ^ (1 / s), rounded down, V the vocabulary's size
//
// At least one is kept, and just one where k is not a number, as with a single candidate, or where
// one of the m most likely has q = 0. A k beyond the number of candidates keeps all. Mu, the draw,
// state and source: mirostat_terminal.h.
class Mirostat final : public MirostatTerminal {
 public:
  Mirostat(double tau, double eta, int32_t m, const Dialect& dialect)
      : MirostatTerminal(tau, eta, dialect), m_(m) {}

  std::unique_ptr<Terminal> Clone() const override { return std::make_unique<Mirostat>(*this); }

 private:
  void Cut(double mu, CandidateSelector& candidates) const override;

  int32_t m_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_MIROSTAT_H_
