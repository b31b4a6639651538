#include "logitchain/core/verify_draft.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/terminal.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

constexpr double kSumTolerance = 1e-3;

// A draft token and the distribution that it was drawn from.
struct Proposal {
  TokenId token;
  absl::Span<const float> q;  // Empty: it was certain.
  double sum;                 // Of q.

  double Probability(TokenId id) const {
    if (q.empty()) return id == token ? 1 : 0;
    return q[id] / sum;
  }
};

// Where share `u` of the weights of positions 0 … n − 1 falls; nothing if all weights are 0.
template <typename Weight>
std::optional<size_t> Land(size_t n, double u, Weight weight) {
  double total = 0;
  for (size_t i = 0; i < n; ++i) total += weight(i);
  std::optional<size_t> last;
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    const double w = weight(i);
    if (w == 0) continue;
    last = i;
    sum += w;
    if (u * total < sum) break;
  }
  return last;
}

// Accepts the proposal, or picks from what p has more of than q.
size_t Judge(const DrawBasis& basis, const Proposal& proposal) {
  const size_t drafted = absl::c_find(basis.ids, proposal.token) - basis.ids.begin();
  const double p = drafted < basis.ids.size() ? basis.q[drafted] : 0;
  const double acceptance = p / proposal.Probability(proposal.token);
  if (basis.uniform < acceptance) return drafted;
  const double u = (basis.uniform - acceptance) / (1 - acceptance);
  const size_t n = basis.ids.size();
  const std::optional<size_t> remainder = Land(n, u, [&](size_t i) {
    const double excess = basis.q[i] - proposal.Probability(basis.ids[i]);
    return excess > 0 ? excess : 0;
  });
  // Some candidate always has a probability.
  return remainder ? *remainder : *Land(n, u, [&](size_t i) { return basis.q[i]; });
}

absl::Status QError(size_t i, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("q[", i, "]: ", problem));
}

// The sum of a row of q, which is then a distribution.
absl::StatusOr<double> SumOfRow(size_t i, absl::Span<const float> q, TokenId token) {
  double sum = 0;
  for (size_t id = 0; id < q.size(); ++id) {
    if (!(q[id] >= 0)) {
      return QError(i, absl::StrCat("the probability of token ", id, " is ", q[id],
                                    "; it must be at least 0"));
    }
    sum += q[id];
  }
  if (!(std::abs(sum - 1) <= kSumTolerance)) {
    return QError(i,
                  absl::StrCat("the sum is ", sum, "; it must be within ", kSumTolerance, " of 1"));
  }
  if (q[token] == 0) {
    return QError(i, absl::StrCat("the probability of the draft token ", token,
                                  " is 0; it cannot have been drawn"));
  }
  return sum;
}

absl::Status CheckTokens(absl::Span<const TokenId> tokens, int32_t vocab_size) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] >= 0 && tokens[i] < vocab_size) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "tokens[", i, "] is ", tokens[i], "; it must be in the vocabulary, [0, ", vocab_size, ")"));
  }
  return absl::OkStatus();
}

absl::Status CheckTarget(const LogitsMatrix& logits, size_t draft_tokens, size_t vocab_size) {
  if (absl::Status status = logits.Check(); !status.ok()) return status;
  if (logits.rows == draft_tokens + 1 && logits.columns == vocab_size) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "target_logits has ", logits.rows, " rows of ", logits.columns, "; for ", draft_tokens,
      " draft tokens it must have ", draft_tokens + 1, " of ", vocab_size, ", the vocabulary"));
}

// Each draft token with its distribution, checked.
absl::StatusOr<std::vector<Proposal>> Proposals(const Draft& draft, int32_t vocab_size) {
  if (absl::Status status = CheckTokens(draft.tokens, vocab_size); !status.ok()) return status;
  const size_t n = draft.tokens.size();
  const size_t columns = draft.q.empty() ? 0 : vocab_size;
  if (draft.q.size() != n * columns) {
    return absl::InvalidArgumentError(absl::StrCat(
        "q has ", draft.q.size(), " values; it must have ", n, " x ", vocab_size, ", or none"));
  }
  std::vector<Proposal> proposals;
  proposals.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    Proposal proposal = {draft.tokens[i], draft.q.subspan(i * columns, columns), 1};
    if (!proposal.q.empty()) {
      const absl::StatusOr<double> sum = SumOfRow(i, proposal.q, proposal.token);
      if (!sum.ok()) return sum.status();
      proposal.sum = *sum;
    }
    proposals.push_back(proposal);
  }
  return proposals;
}

// Samples position after position, and takes all of it back if one fails.
class Verifier {
 public:
  explicit Verifier(Chain& chain) : chain_(chain) {}

  absl::StatusOr<VerifiedDraft> Run(absl::Span<const Proposal> proposals,
                                    const LogitsMatrix& target) {
    for (const Proposal& proposal : proposals) {
      const absl::Status status = Commit(chain_.DrawBy(
          NextRow(target), [&](const DrawBasis& basis) { return Judge(basis, proposal); }));
      if (!status.ok()) return status;
      if (verified_.samples.back().token != proposal.token) return std::move(verified_);
      ++verified_.accepted;
    }
    const absl::Status status = Commit(chain_.Draw(NextRow(target)));
    if (!status.ok()) return status;
    return std::move(verified_);
  }

 private:
  absl::Span<const float> NextRow(const LogitsMatrix& target) {
    return target.Row(verified_.samples.size(), scratch_);
  }

  // Keeps what was drawn. If that is an error, or the chain does not take it, nothing is kept.
  absl::Status Commit(const absl::StatusOr<Sample>& sample) {
    if (!sample.ok()) {
      // By 0 it would drop a draw that is not ours.
      if (!verified_.samples.empty()) RollBack();
      return AtPosition(sample.status());
    }
    if (absl::Status status = chain_.Commit(sample->token); !status.ok()) {
      RollBack();
      return AtPosition(status);
    }
    verified_.samples.push_back(*sample);
    return absl::OkStatus();
  }

  void RollBack() { chain_.Rollback(static_cast<int32_t>(verified_.samples.size())).IgnoreError(); }

  absl::Status AtPosition(const absl::Status& status) const {
    return absl::Status(
        status.code(), absl::StrCat("position ", verified_.samples.size(), ": ", status.message()));
  }

  Chain& chain_;
  VerifiedDraft verified_;
  std::vector<float> scratch_;
};

}  // namespace

absl::StatusOr<VerifiedDraft> VerifyDraft(Chain& chain, const Draft& draft) {
  absl::Status status = CheckTarget(draft.target_logits, draft.tokens.size(), chain.vocab_size());
  if (!status.ok()) return status;
  const absl::StatusOr<std::vector<Proposal>> proposals = Proposals(draft, chain.vocab_size());
  if (!proposals.ok()) return proposals.status();
  return Verifier(chain).Run(*proposals, draft.target_logits);
}

}  // namespace logitchain
