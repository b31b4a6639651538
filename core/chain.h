#ifndef LOGITCHAIN_CORE_CHAIN_H_
#define LOGITCHAIN_CORE_CHAIN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
#include "logitchain/core/random/random_streams.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/terminal.h"
#include "logitchain/core/token_follower.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

// A rule in its place.
struct ChainStep {
  std::string name;  // As errors name it: "processors[3].top_k".
  Stage stage;
  std::unique_ptr<Processor> processor;
  // The index in ChainParts.rule_streams of the generator that is this rule's own, if it has one.
  std::optional<size_t> stream;
};

// Everything that a chain consists of; the registry makes one from a ChainConfig.
struct ChainParts {
  const Dialect* dialect = nullptr;
  int32_t vocab_size = 0;
  std::vector<ChainStep> steps;
  RandomStreams rule_streams;
  std::string terminal_name = "draw";           // As errors name it: "draw.mirostat".
  std::unique_ptr<Terminal> terminal;           // Null: a categorical draw.
  std::unique_ptr<UniformGenerator> generator;  // The terminal's.
  TokenHistory history;
  ChainConfig::BadLogits on_bad_logits = ChainConfig::ERROR;
  bool wants_raw_logprob = false;
  bool wants_penalised_logprob = false;
  bool wants_processed_logprob = false;
};

// Turns one step's logits into one token id, step after step, for one sequence.
//
//   for (;;) {
//     absl::StatusOr<Sample> sample = chain.Sample(logits);  // = Draw + Commit
//     …
//   }
//
// `logits` has shape [vocab_size] and is only read. The functions from Process to Entropy are
// by-products: they may be called at any time, take no randomness and change no token. Rules with
// randomness see in them what the draw of this step sees, also between Draw and Commit. After an
// error the chain is as it was before the call.
//
// A chain is used by one thread at a time; different chains are independent.
class Chain {
 public:
  explicit Chain(ChainParts parts);

  // Starts a new sequence after this prompt: history, rules, terminal and generators as at first.
  // InvalidArgument if an id is outside the vocabulary (where the dialect forbids that), or if the
  // prompt is longer than kMaxHistory.
  absl::Status Reset(absl::Span<const TokenId> prompt);

  // The logits that the terminal would see, shape [vocab_size]; a removed token has −∞. At a greedy
  // temperature that is what the rules before it leave.
  absl::StatusOr<std::vector<double>> Process(absl::Span<const float> logits);

  // The probabilities that the draw would go by, shape [vocab_size]; exactly 0 for tokens that are
  // removed, or cut by the terminal. One-hot when greedy.
  absl::StatusOr<std::vector<double>> Distribution(absl::Span<const float> logits);

  // Natural-log softmax after masks, bias and penalties and before temperature and filters, shape
  // [vocab_size]; −∞ for removed tokens.
  absl::StatusOr<std::vector<double>> TokenLogprobs(absl::Span<const float> logits);

  // Entropy of Distribution, in nats.
  absl::StatusOr<double> Entropy(absl::Span<const float> logits);

  // Chooses a token. A categorical draw takes one uniform, a greedy one none; rules with randomness
  // take theirs, each from a generator of its own. Once a step: FailedPrecondition until the step
  // is committed or rolled back.
  absl::StatusOr<logitchain::Sample> Draw(absl::Span<const float> logits);

  // Draw, except that `choose` says where the uniform falls: for samplers that are more than a draw
  // from one distribution, such as VerifyDraft. Only a chain whose draw is categorical asks it; any
  // other draws as ever. Internal if it chooses a token that cannot be drawn.
  absl::StatusOr<logitchain::Sample> DrawBy(absl::Span<const float> logits, Chooser choose);

  // Appends a token, drawn or not, to the output, and ends the step.
  absl::Status Commit(TokenId token);

  // Draw and Commit.
  absl::StatusOr<logitchain::Sample> Sample(absl::Span<const float> logits);

  // An independent chain in the same state: driven alike, it gives the same tokens.
  std::unique_ptr<Chain> Fork() const;

  // Takes the last n commits back, with the uniforms that draws and rules took since, and drops a
  // draw that was not committed. InvalidArgument unless 0 ≤ n ≤ size of the output.
  absl::Status Rollback(int32_t n);

  // Moves the generator on as n sampled tokens would, in O(log n) for PCG32, O(1) for ChaCha12 and
  // O(n) for mt19937. FailedPrecondition between Draw and Commit, and where how many uniforms are
  // taken depends on the logits: with a rule that has randomness (XTC), and with mirostat.
  absl::Status SkipAhead(uint64_t n);

  // Adds a mask before every other rule: a gate of whoever drives the chain, such as a ban on stop
  // tokens until enough were sampled. Errors call it `name`.
  void PrependMask(std::string name, std::unique_ptr<Filter> mask);

  // Has `observer` watch the draws from now on; null: nobody. It is not copied by Fork.
  void set_observer(ChainObserver* observer) { observer_ = observer; }

  // Number of uniforms taken since the sequence began, by draws and by rules; those that SkipAhead
  // passed over count.
  uint64_t draws() const { return draw_stream_.taken() + rule_streams_.taken(); }

  const TokenHistory& history() const { return history_; }
  const Dialect& dialect() const { return *dialect_; }
  int32_t vocab_size() const { return vocab_size_; }

 private:
  Chain(const Chain& other);

  using Generators = RandomStreams::Generators;

  // Loads the logits and runs the steps before shaping, with these generators for the rules that
  // have randomness; a null observer is none.
  absl::Status RunPenalties(absl::Span<const float> logits, const Generators& generators,
                            ChainObserver* observer = nullptr);
  // Loads the logits and applies the leading masks before reading them; false if there is none, or
  // if something is wrong.
  bool RunMasksUnread(absl::Span<const float> logits, const Generators& generators);
  // Runs the others.
  absl::Status RunShaping(const Generators& generators, ChainObserver* observer = nullptr);
  absl::Status RunSteps(size_t begin, size_t end, const Generators& generators,
                        ChainObserver* observer);
  // Runs all for a by-product.
  absl::Status RunAside(absl::Span<const float> logits);

  StepContext Context(UniformSource& uniforms) const;
  // Draw, with a null chooser, or DrawBy.
  absl::StatusOr<logitchain::Sample> Choose(absl::Span<const float> logits, const Chooser* choose);
  absl::StatusOr<logitchain::Sample> RunDraw(absl::Span<const float> logits, const Chooser* choose);
  absl::StatusOr<logitchain::Sample> RunTerminal(const Chooser* choose);
  // Whether a terminal may return this.
  bool IsPossible(const logitchain::Sample& sample) const;
  void DropDraw();
  bool WantsLogprobs() const;
  void FillLogprobs(absl::Span<const float> logits, logitchain::Sample& sample);

  absl::Status CheckId(TokenId id, absl::string_view what) const;
  // The rules in their order, and last the terminal.
  size_t follower_count() const { return steps_.size() + 1; }
  TokenFollower& follower(size_t index);
  absl::string_view follower_name(size_t index) const;
  absl::Status AcceptEverywhere(TokenId id);
  absl::Status RollbackEverywhere(int32_t n);

  const Dialect* dialect_;
  int32_t vocab_size_;
  std::vector<ChainStep> steps_;
  size_t leading_masks_;  // Steps before this one are masks.
  size_t shaping_begin_;  // Steps from here on come after the penalised log-probabilities.
  std::string terminal_name_;
  std::unique_ptr<Terminal> terminal_;
  RandomStreams draw_stream_;  // One generator, the terminal's.
  RandomStreams rule_streams_;
  TokenHistory history_;
  ChainConfig::BadLogits on_bad_logits_;
  bool wants_raw_logprob_;
  bool wants_penalised_logprob_;
  bool wants_processed_logprob_;
  ChainObserver* observer_ = nullptr;

  bool draw_pending_ = false;

  Candidates candidates_;
  std::vector<double> q_;
  std::vector<double> penalised_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_CHAIN_H_
