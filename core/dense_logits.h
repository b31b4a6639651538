#ifndef LOGITCHAIN_CORE_DENSE_LOGITS_H_
#define LOGITCHAIN_CORE_DENSE_LOGITS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/edit_table.h"
#include "logitchain/core/kernels/scan.h"
#include "logitchain/core/scaling.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

inline constexpr double kRemoved = -std::numeric_limits<double>::infinity();

// One step's logits before anything needed to walk them: the caller's, read in place, beside the
// few that were edited, the set of tokens that were not removed, and a division that applies to
// all.
//
// The caller's logits are read once as a whole (the scan), which leaves the largest logit of every
// block; what follows opens only the blocks that can matter.
class DenseLogits {
 public:
  // Starts a step over these logits, shape [vocabulary]; they are read until the next Load.
  void Load(absl::Span<const float> raw);

  absl::Span<const float> raw() const { return raw_; }
  int32_t vocab_size() const { return static_cast<int32_t>(raw_.size()); }

  // Whether any of the caller's logits is NaN or +∞.
  bool HasBad();
  // Removes the tokens with such logits.
  void RemoveBad();

  // Number of tokens that are not removed, where there are no bad logits.
  int32_t Live();

  // The logit of a token, or nothing if it is removed or outside the vocabulary.
  std::optional<double> Find(TokenId id) const;

  // Rewrites the logit of a token that is not removed; `logit` is finite.
  void Set(TokenId id, double logit);

  // Removes a token that is not removed.
  void Remove(TokenId id);

  // Removes the tokens whose bit is 0; words as in TokenSet.
  void KeepAllowed(absl::Span<const int32_t> words);

  // Divides all logits, if no earlier division is pending and no quotient is too large to be
  // finite; otherwise does nothing and returns false.
  bool TryScale(const Scaling& scaling);

  // The token with the largest logit; of several the lowest id. At least one must not be removed.
  TokenId ArgMax();

  // Fills the arrays with the k ≥ 1 tokens that come first by (logit descending, id ascending), in
  // that order or by id; k is at most Live().
  void TakeLargest(size_t k, bool by_id, std::vector<TokenId>& ids, std::vector<double>& logits);

  // Fills the arrays with the tokens whose logit is at least `bound`, ids ascending.
  void TakeAtLeast(double bound, std::vector<TokenId>& ids, std::vector<double>& logits);

  // The largest logit; at least one token must not be removed.
  double Max();

  // About Σ exp(l − Max()) over the tokens of each block that are not removed, with the
  // error bound of ExpSums relative to their total. Valid until the next call.
  absl::Span<const double> ApproximateExpSums();

  // Appends the tokens of one block that are not removed, ids ascending.
  void TakeBlock(size_t block, std::vector<TokenId>& ids, std::vector<double>& logits) const;

  // Whether ApproximateExpSums keeps its bound: it computes in float32, with logits that are not
  // too large for that.
  bool CanApproximate();

  // Fills the arrays with all tokens that are not removed, ids ascending; with `keep_places` also
  // with the removed ones, whose logit is then kRemoved.
  void TakeAll(bool keep_places, std::vector<TokenId>& ids, std::vector<double>& logits);

 private:
  struct Ranked {
    double logit;
    TokenId id;

    bool operator<(const Ranked& other) const {
      return logit != other.logit ? logit > other.logit : id < other.id;
    }
    static bool ById(const Ranked& a, const Ranked& b) { return a.id < b.id; }
  };

  // Tokens that are not removed; with `unedited`, of those the ones without an edit.
  TokenSet live_set() const { return allowed_; }
  TokenSet unedited_set() const { return edits_.edits().empty() ? live_set() : unedited_; }

  void Scan();
  // Brings block_max_ up to date: the largest unedited logit of each block.
  void UpdateMaxima();
  double Scaled(float raw) const { return scaling_ ? (*scaling_)(raw) : raw; }
  // The smallest caller's logit whose scaled value is at least `bound`; +∞ if there is none.
  float SmallestRaw(double bound) const;
  // A bound on the caller's logits that at least k unedited tokens reach, and not many more.
  float BoundOfKth(size_t k);
  void CollectLargest(size_t k, float bound);
  // Appends to best_ the unedited tokens of a block with a caller's logit of at least `bound`.
  void CollectBlock(size_t block, float bound);
  void Unzip(std::vector<TokenId>& ids, std::vector<double>& logits) const;
  void KeepBest(size_t k);
  void AddEdits(size_t k);

  absl::Span<const float> raw_;
  std::vector<uint32_t> allowed_;   // Empty: all tokens.
  std::vector<uint32_t> unedited_;  // allowed_ without the edited tokens; only if there are edits.
  EditTable edits_;
  std::optional<Scaling> scaling_;

  bool scanned_ = false;
  bool has_bad_ = false;
  int32_t live_ = 0;
  std::vector<float> block_max_;
  std::vector<uint32_t> stale_blocks_;  // Blocks that were edited since their maximum was taken.

  // Scratch.
  std::vector<Ranked> best_;
  std::vector<float> raw_sums_;
  std::vector<double> sums_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DENSE_LOGITS_H_
