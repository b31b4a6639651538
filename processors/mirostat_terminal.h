#ifndef LOGITCHAIN_PROCESSORS_MIROSTAT_TERMINAL_H_
#define LOGITCHAIN_PROCESSORS_MIROSTAT_TERMINAL_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/terminal.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/steered_draw.h"

namespace logitchain {

// What the two versions of mirostat share. A number mu, 2·tau at first, steers how many candidates
// a draw has; the surprise s = −log2 p of the tokens steers mu:
//
//   cut      keeps the most likely candidates, as many as the version says for mu
//   draw     of softmax over those; p is the probability there
//   commit   mu ← mu − eta·(s − tau), the product first
//
// In the dialect's arithmetic: softmax is the dialect's for filters, and how the draw walks is
// Dialect::mirostat_draw. LLAMA_CPP draws as that system's mirostat does, and takes no uniform
// where one place is left; the other dialects draw as their categorical draw does, one uniform a
// token.
//
// Mu moves with what is committed:
//   a token that this step's draw could have given moves mu by its own probability in that draw,
//     whether it is the one that was drawn or not;
//   any other token (forced although it was cut off or removed, or without a draw) leaves mu alone.
// Rollback brings the earlier mu back, Reset the first one, and copies go on from the same.
//
// Source: Basu et al. 2021, "Mirostat: A Neural Text Decoding Algorithm that Directly Controls
// Perplexity".
class MirostatTerminal : public Terminal {
 public:
  absl::Status Distribution(const StepContext& step, CandidateSelector& candidates,
                            std::vector<double>& q) const final;
  absl::StatusOr<Sample> Draw(const StepContext& step, CandidateSelector& candidates) final;
  absl::Status Accept(TokenId id) final;
  absl::Status Rollback(int32_t n) final;
  void Reset() final;
  absl::Status SkipAhead(uint64_t n, UniformGenerator& generator) final;

  double mu() const { return mu_; }

 protected:
  MirostatTerminal(double tau, double eta, const Dialect& dialect);
  MirostatTerminal(const MirostatTerminal&) = default;

  // Cuts the candidates, which are sorted where the dialect keeps an order, for this mu; at least
  // one stays.
  virtual void Cut(double mu, CandidateSelector& candidates) const = 0;

  const Dialect& dialect() const { return dialect_; }

 private:
  double FirstMu() const;
  // Mu after a token that had this probability.
  double Moved(double probability) const;

  double tau_;
  double eta_;
  const Dialect& dialect_;
  double mu_;
  std::vector<double> earlier_mus_;  // Before each accepted token.
  DrawnTokens drawn_;                // With their probabilities.
  // Scratch.
  std::vector<double> q_;
  std::vector<double> scratch_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_MIROSTAT_TERMINAL_H_
