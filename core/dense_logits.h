#ifndef LOGITCHAIN_CORE_DENSE_LOGITS_H_
#define LOGITCHAIN_CORE_DENSE_LOGITS_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/edit_table.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/kernels/scan.h"
#include "logitchain/core/ranked_token.h"
#include "logitchain/core/scaling.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

inline constexpr double kRemoved = -std::numeric_limits<double>::infinity();

// Sums of exp(l − max) over the tokens that are not removed.
struct ExpSums {
  absl::Span<const double> blocks;  // Of each block.
  double total;                     // Of all.
  double max;
  ExpPrecision precision;
  ExpError error;
};

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

  // The largest caller's logit without an edit; −∞ if there is none.
  float RawMax();
  // The same for each block of kBlockSize tokens.
  absl::Span<const float> block_maxima();

  // The larger of |Max()| and the same of unedited tokens alone.
  double LargestMaximum();

  // In this precision or a finer one. Valid until the next call. At least one token must not be
  // removed, and CanApproximate hold.
  ExpSums BlockExpSums(ExpPrecision precision);

  // How the caller's logits count in BlockExpSums, and the tokens that do: those without an edit.
  // Terms over `max`, the largest of them; 0 where there are none.
  ExpScale RawScale(ExpPrecision precision);
  TokenSet unedited_set();
  // What brings such terms to terms over Max(), to which the edits' terms belong.
  double RawTermFactor();

  absl::Span<const EditTable::Edit> edits() const { return edits_.edits(); }

  // How far BlockExpSums are off where they sum to this.
  ExpError ErrorOfSums(ExpPrecision precision, double total);

  // How many tokens without an edit have a caller's logit of at least these.
  CountsAtLeast CountUnedited(float low, float high);

  // Removes the tokens without an edit whose caller's logit is less than `raw`, which leaves `live`
  // tokens, edited ones included, and the largest logit among them.
  void KeepAtLeast(float raw, int32_t live);

  // The same for those that are not among `kept`, a part of unedited_set(), of which the largest
  // caller's logit is `raw_max`; nothing if that is not known.
  void KeepUnedited(TokenSet kept, std::optional<float> raw_max, int32_t live);

  // Takes what another computed for what BlockExpSums gives, over a maximum that may be gone.
  void AssumeSums(const ExpSums& sums);

  // The logit that a caller's logit stands for.
  double Scaled(float raw) const { return scaling_ ? (*scaling_)(raw) : raw; }

  // The smallest caller's logit whose scaled value is at least `bound`; +∞ if there is none.
  float SmallestRaw(double bound) const;

  // Fills the arrays with the tokens of one block that are not removed, ids ascending, and their
  // terms, of which BlockExpSums gives the sum.
  void TakeBlockTerms(size_t block, ExpPrecision precision, std::vector<TokenId>& ids,
                      std::vector<double>& terms);

  // Whether so many tokens may have a caller's logit of at least `raw` that most blocks have some.
  bool ReachMostBlocks(float raw);

  // Whether BlockExpSums keeps its bound: the logits are not too large for that.
  bool CanApproximate();

  // Fills `logits`, shape [vocabulary]; removed tokens have kRemoved.
  void CopyAll(std::vector<double>& logits);

  // Fills the arrays with all tokens that are not removed, ids ascending; with `keep_places` also
  // with the removed ones, whose logit is then kRemoved.
  void TakeAll(bool keep_places, std::vector<TokenId>& ids, std::vector<double>& logits);

 private:
  // Notes that a token, by an edit or its removal, no longer counts for its block's maximum.
  void NoteLoss(TokenId id);
  void Scan();
  // Takes the tokens below floor_ out of allowed_.
  void ApplyFloor();
  // Brings block_max_ up to date: the largest unedited logit of each block.
  void UpdateMaxima();
  // A bound on the caller's logits that at least k unedited tokens reach, and not many more.
  float BoundOfKth(size_t k);
  void CollectLargest(size_t k, float bound);
  // Appends to best_ the unedited tokens of a block with a caller's logit of at least `bound`.
  void CollectBlock(size_t block, float bound);
  void Unzip(std::vector<TokenId>& ids, std::vector<double>& logits) const;
  void KeepBest(size_t k);
  void AddEdits(size_t k);

  // Forgets what was computed from the tokens that were in.
  void Forget();

  absl::Span<const float> raw_;
  std::vector<uint32_t> allowed_;   // Empty: all tokens.
  float floor_;                     // Unedited tokens with a caller's logit below are removed, too.
  std::vector<uint32_t> unedited_;  // allowed_ without the edited tokens,
  bool unedited_known_ = false;     // if this says so.
  EditTable edits_;
  std::optional<Scaling> scaling_;

  bool scanned_ = false;
  bool has_bad_ = false;
  int32_t live_ = 0;
  std::vector<float> block_max_;
  std::vector<uint32_t> stale_blocks_;  // Blocks that lost their largest token since,
  bool all_stale_ = false;              // or if this says so, all.
  std::optional<float> raw_max_;
  std::optional<double> max_;
  std::vector<double> sums_;
  std::optional<ExpSums> sums_found_;  // Over sums_; nothing if they are not known.

  // Scratch.
  std::vector<RankedToken> best_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DENSE_LOGITS_H_
