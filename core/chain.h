#ifndef LOGITCHAIN_CORE_CHAIN_H_
#define LOGITCHAIN_CORE_CHAIN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/chain_observer.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

// A rule in its place.
struct ChainStep {
  std::string name;  // As errors name it: "processors[3].top_k".
  Stage stage;
  std::unique_ptr<Processor> processor;
};

// How the chain ends.
struct Terminal {
  bool greedy = false;
  // See DrawConfig.minfer_last_id_fallback.
  bool last_id_fallback = false;
};

// Everything that a chain consists of; the registry makes one from a ChainConfig.
struct ChainParts {
  const Dialect* dialect = nullptr;
  int32_t vocab_size = 0;
  std::vector<ChainStep> steps;
  Terminal terminal;
  std::unique_ptr<UniformGenerator> generator;
  TokenHistory history;
  ChainConfig::BadLogits on_bad_logits = ChainConfig::ERROR;
  bool wants_raw_logprob = false;
  bool wants_penalised_logprob = false;
  bool wants_processed_logprob = false;
};

// What a step's draw goes by.
struct DrawBasis {
  absl::Span<const TokenId> ids;  // The candidates, in the dialect's order.
  absl::Span<const double> q;     // Their probabilities, 0 for one that is removed.
  double uniform;                 // The step's uniform, in [0, 1).
};

// Says which of the candidates is the token: the position of one with a probability above 0.
using Chooser = absl::FunctionRef<size_t(const DrawBasis&)>;

// Turns one step's logits into one token id, step after step, for one sequence.
//
//   for (;;) {
//     absl::StatusOr<Sample> sample = chain.Sample(logits);  // = Draw + Commit
//     …
//   }
//
// `logits` has shape [vocab_size] and is only read. The functions from Process to Entropy are
// by-products: they may be called at any time, take no randomness and change no token. After an
// error the chain is as it was before the call.
//
// A chain is used by one thread at a time; different chains are independent.
class Chain {
 public:
  explicit Chain(ChainParts parts);

  // Starts a new sequence after this prompt: history, rules and generator as at first.
  // InvalidArgument if an id is outside the vocabulary (where the dialect forbids that), or if the
  // prompt is longer than kMaxHistory.
  absl::Status Reset(absl::Span<const TokenId> prompt);

  // The logits that the draw would see, shape [vocab_size]; a removed token has −∞. At a greedy
  // temperature that is what the rules before it leave.
  absl::StatusOr<std::vector<double>> Process(absl::Span<const float> logits);

  // The probabilities that the draw would go by, shape [vocab_size]; exactly 0 for removed tokens.
  // One-hot when greedy.
  absl::StatusOr<std::vector<double>> Distribution(absl::Span<const float> logits);

  // Natural-log softmax after masks, bias and penalties and before temperature and filters, shape
  // [vocab_size]; −∞ for removed tokens.
  absl::StatusOr<std::vector<double>> TokenLogprobs(absl::Span<const float> logits);

  // Entropy of Distribution, in nats.
  absl::StatusOr<double> Entropy(absl::Span<const float> logits);

  // Chooses a token. Takes one uniform unless greedy. Once a step: FailedPrecondition until the
  // step is committed or rolled back.
  absl::StatusOr<logitchain::Sample> Draw(absl::Span<const float> logits);

  // Draw, except that `choose` says where the uniform falls: for samplers that are more than a draw
  // from one distribution, such as VerifyDraft. A greedy chain does not ask it. Internal if it
  // chooses a token that cannot be drawn.
  absl::StatusOr<logitchain::Sample> DrawBy(absl::Span<const float> logits, Chooser choose);

  // Appends a token, drawn or not, to the output, and ends the step.
  absl::Status Commit(TokenId token);

  // Draw and Commit.
  absl::StatusOr<logitchain::Sample> Sample(absl::Span<const float> logits);

  // An independent chain in the same state: driven alike, it gives the same tokens.
  std::unique_ptr<Chain> Fork() const;

  // Takes the last n commits back, with the uniforms that were taken since, and drops a draw that
  // was not committed. InvalidArgument unless 0 ≤ n ≤ size of the output.
  absl::Status Rollback(int32_t n);

  // Moves the generator on as n sampled tokens would, in O(log n) for PCG32, O(1) for ChaCha12 and
  // O(n) for mt19937. FailedPrecondition between Draw and Commit.
  absl::Status SkipAhead(uint64_t n);

  // Adds a mask before every other rule: a gate of whoever drives the chain, such as a ban on stop
  // tokens until enough were sampled. Errors call it `name`.
  void PrependMask(std::string name, std::unique_ptr<Filter> mask);

  // Has `observer` watch the draws from now on; null: nobody. It is not copied by Fork.
  void set_observer(ChainObserver* observer) { observer_ = observer; }

  // Number of uniforms taken since the sequence began.
  uint64_t draws() const { return generator_->position(); }

  const TokenHistory& history() const { return history_; }
  const Dialect& dialect() const { return *dialect_; }
  int32_t vocab_size() const { return vocab_size_; }

 private:
  Chain(const Chain& other);

  // Loads the logits and runs the steps before shaping; a null observer is none.
  absl::Status RunPenalties(absl::Span<const float> logits, ChainObserver* observer = nullptr);
  // Loads the logits and applies the leading masks before reading them; false if there is none, or
  // if something is wrong.
  bool RunMasksUnread(absl::Span<const float> logits);
  // Runs the others.
  absl::Status RunShaping(ChainObserver* observer = nullptr);
  absl::Status RunAll(absl::Span<const float> logits);
  absl::Status RunSteps(size_t begin, size_t end, ChainObserver* observer);

  // Draw, with a null chooser, or DrawBy.
  absl::StatusOr<logitchain::Sample> Choose(absl::Span<const float> logits, const Chooser* choose);
  absl::StatusOr<logitchain::Sample> Take(const Chooser* choose);
  absl::StatusOr<logitchain::Sample> TakeChosen(Chooser choose);
  logitchain::Sample TakeGreedy();
  logitchain::Sample TakeDart();
  void FillLogprobs(absl::Span<const float> logits, logitchain::Sample& sample);

  absl::Status CheckId(TokenId id, absl::string_view what) const;
  absl::Status AcceptEverywhere(TokenId id);
  absl::Status RollbackEverywhere(int32_t n);
  std::vector<double> Spread(absl::Span<const double> values, double removed);

  const Dialect* dialect_;
  int32_t vocab_size_;
  std::vector<ChainStep> steps_;
  size_t leading_masks_;  // Steps before this one are masks.
  size_t shaping_begin_;  // Steps from here on come after the penalised log-probabilities.
  Terminal terminal_;
  std::unique_ptr<UniformGenerator> generator_;
  TokenHistory history_;
  ChainConfig::BadLogits on_bad_logits_;
  bool wants_raw_logprob_;
  bool wants_penalised_logprob_;
  bool wants_processed_logprob_;
  ChainObserver* observer_ = nullptr;

  bool draw_pending_ = false;
  uint64_t step_start_ = 0;            // The generator's position at the begin of this step.
  std::vector<uint64_t> step_starts_;  // The same for each token of the output.

  Candidates candidates_;
  std::vector<double> q_;
  std::vector<double> penalised_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_CHAIN_H_
