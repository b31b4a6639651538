#ifndef LOGITCHAIN_CORE_VERIFY_DRAFT_H_
#define LOGITCHAIN_CORE_VERIFY_DRAFT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Tokens that a cheaper model drafted for a sequence, and what the target model says of them.
struct Draft {
  // The n draft tokens, in their order; there may be none.
  absl::Span<const TokenId> tokens;

  // Shape [n][vocabulary]: row i is the distribution that tokens[i] was drawn from, after whatever
  // the drafting side does to it. Each row is divided by its sum, which must be within 1e-3 of 1.
  // Empty: each token was drafted with certainty, as from an n-gram or by a greedy draft model.
  absl::Span<const float> q;

  // Shape [n + 1][vocabulary]: row i is the target model's, before any rule, after the history and
  // the first i draft tokens.
  LogitsMatrix target_logits;
};

// What became of a draft.
struct VerifiedDraft {
  // How many draft tokens, from the first on, were accepted.
  int32_t accepted = 0;
  // What was committed: a sample for each accepted token, and one for the token after them. Each is
  // of the target's distribution, `probability` and log-probabilities too.
  std::vector<Sample> samples;
};

// Speculative decoding (Leviathan et al. 2023, arXiv:2211.17192; Chen et al. 2023,
// arXiv:2302.01318): commits the longest acceptable beginning of the draft and one more token.
//
//   absl::StatusOr<VerifiedDraft> verified = VerifyDraft(
//       *chain, {.tokens = drafted, .q = q, .target_logits = LogitsMatrix::Of(logits,
//       vocab_size)});
//
// At each position p is the chain's own distribution there: all rules apply, and the history holds
// the draft tokens that were accepted so far. Draft token x is accepted with probability
// min(1, p(x) / q(x)); else a token is drawn from the normalised max(p − q, 0), and that is the
// last one. If all are accepted, one more is drawn from p. So the output has the distribution that
// sampling token by token has, whatever the draft.
//
// A chain whose draw is not categorical (greedy, Gumbel-max, mirostat) chooses at each position as
// it ever does, without a look at q, and accepts a draft token that is its choice. It commits the
// very tokens that it would without drafts.
//
// Randomness is as in sampling token by token: the categorical draw takes one uniform for each
// token that is committed, a greedy one none, and rules take theirs. One is enough for both
// questions at a position: u < min(1, p / q) =: a accepts, and (u − a) / (1 − a), which is uniform
// again, picks from the remainder, candidates in the dialect's order. Rollback(n) takes back the
// last n tokens with their uniforms, as ever. The draft must be drawn from other randomness than
// the chain's generator: a drafting chain needs a seed of its own, or the two go hand in hand.
//
// Where p and q are the same but for rounding, a rejection may find no remainder; the token is then
// drawn from p, and counts as accepted if it is the drafted one.
//
// Cost: that of sampling each committed token, plus O(n · vocabulary) for checking q, plus two
// passes over the candidates after a rejection.
//
// InvalidArgument if sizes do not match, a draft token is outside the vocabulary, a row of q is not
// a distribution, or q of a draft token is 0; otherwise what Chain::Sample says, and at which
// position. After an error the chain is as it was.
absl::StatusOr<VerifiedDraft> VerifyDraft(Chain& chain, const Draft& draft);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_VERIFY_DRAFT_H_
