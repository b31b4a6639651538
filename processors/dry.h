#ifndef LOGITCHAIN_PROCESSORS_DRY_H_
#define LOGITCHAIN_PROCESSORS_DRY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/processors/sequence_breakers.h"

namespace logitchain {

// A repetition of so many tokens that this one would extend.
struct Repetition {
  TokenId id;
  size_t length;
};

// Don't Repeat Yourself. In the last `window` tokens of prompt and output, for a token t, let n be
// the length of the longest end of them that holds no part of a sequence breaker, also occurs
// earlier, and is followed there by t; the two may overlap. If n ≥ allowed_length, t gets
//   multiplier · base^(n − allowed_length)
// off its logit, at most 1e30, once however often it follows. A token that is itself a sequence
// breaker of one token gets nothing off. Costs O(window), times the length of the breakers that a
// token may end, and a sort of the repetitions.
//
// Sources: p-e-w, text-generation-webui pull request 5677 (the definition); pi6am, koboldcpp pull
// request 982, and from there llama.cpp's llama_sampler_dry (linear time, breakers of several
// tokens, and texts as breakers; see text_sequences.h). Where those differ this follows llama.cpp:
// repetitions are as long as they are, where 5677 stops at 50 tokens. One difference to llama.cpp:
// of several breakers it takes the one that begins last, this the one that ends last, which matters
// only if one lies inside of another.
class Dry final : public Cloneable<Transform, Dry> {
 public:
  struct Parameters {
    double multiplier;
    double base;
    size_t allowed_length;  // At least 1.
    int32_t window;
    std::shared_ptr<const SequenceBreakers> breakers;  // Forks share it; not null.
  };

  explicit Dry(Parameters parameters) : parameters_(std::move(parameters)) {}

  absl::Status Apply(const StepContext& step, LogitEditor& editor) const override;

 private:
  // Number of tokens after the last complete breaker; all of them without one.
  size_t TokensAfterBreaker(absl::Span<const TokenId> window) const;

  // Fills repetitions_ with the longest repetition that each token would extend, of those that are
  // long enough.
  void FindRepetitions(absl::Span<const TokenId> window) const;

  // What a repetition of this length takes off.
  template <typename Real>
  double Penalty(size_t repeated) const;

  Parameters parameters_;
  // Scratch.
  mutable std::vector<size_t> lengths_;
  mutable std::vector<Repetition> repetitions_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_DRY_H_
