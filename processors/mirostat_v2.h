#ifndef LOGITCHAIN_PROCESSORS_MIROSTAT_V2_H_
#define LOGITCHAIN_PROCESSORS_MIROSTAT_V2_H_

#include <memory>

#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/terminal.h"
#include "logitchain/processors/mirostat_terminal.h"

namespace logitchain {

// Mirostat version 2: keeps the candidates with −log2 q ≤ mu, where q is softmax over the
// candidates, and always the largest logit (of several the lowest id). Mu, the draw, state and
// source: mirostat_terminal.h.
class MirostatV2 final : public MirostatTerminal {
 public:
  MirostatV2(double tau, double eta, const Dialect& dialect)
      : MirostatTerminal(tau, eta, dialect) {}

  std::unique_ptr<Terminal> Clone() const override { return std::make_unique<MirostatV2>(*this); }

 private:
  void Cut(double mu, CandidateSelector& candidates) const override;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_MIROSTAT_V2_H_
