#ifndef LOGITCHAIN_CORE_NUCLEUS_SEARCH_H_
#define LOGITCHAIN_CORE_NUCLEUS_SEARCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "logitchain/core/dense_logits.h"
#include "logitchain/core/dense_moments.h"
#include "logitchain/core/edit_table.h"
#include "logitchain/core/kernels/exp_split.h"
#include "logitchain/core/kernels/exp_sums.h"
#include "logitchain/core/kernels/exp_terms.h"
#include "logitchain/core/ranked_token.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_order.h"

namespace logitchain {

// Finds a large nucleus without sorting the vocabulary: the tokens that come first in an order, up
// to and including the one with which their probabilities reach a given mass.
//
// A sample of the logits tells roughly at which key (TokenOrder::key) the nucleus ends: somewhere
// in [low, high). One walk over all logits then sums the terms of those with a key ≥ high and picks
// out the few in between, among which the end is found. Where the order is by the distance from the
// mean, the sample tells roughly what that is, too, and the walk more exactly. All sums are within
// bounds, not exact; where they do not settle the end, none is found. Divisions of the logits must
// keep different ones different, as in float64.
class NucleusSearch {
 public:
  // Roughly Σ exp(l − max) over all tokens, from a few of them.
  double EstimateTotal(DenseLogits& dense);

  // Removes all tokens outside the nucleus from `dense`: of the largest logits, or of those closest
  // to the mean. False, and nothing is removed, if the end is not settled or the nucleus has fewer
  // than `min_keep` tokens.
  bool TryKeepLargest(DenseLogits& dense, double mass, int32_t min_keep);
  bool TryKeepTypical(DenseLogits& dense, double mass, int32_t min_keep);

 private:
  enum class Outcome {
    kFound,
    kUnsettled,  // Finer sums may settle it.
    kMissed,     // It ends outside the range.
    kInDoubt,    // The order is not certain enough.
  };

  // What is known after a walk over all logits. Sums are of exp(l − Max()).
  struct Walked {
    ExpPrecision precision;
    float center;    // Of the walk's keys, by distance.
    KeyRange range;  // All tokens with a key in it were picked out, and maybe others.
    double factor;   // From terms of the caller's logits to such.
    double total;
    double above;   // The tokens with keys ≥ high that were not picked out,
    int32_t count;  // and their number.
    double margin;  // How far a sum can be from its share of the mass, which is below.
    double end;
    float max;  // Of the caller's logits above the center that were picked out and counted in.

    // Counts one more token in.
    void Add(double term, double& block_sum) {
      above += term;
      block_sum += term;
      ++count;
    }
  };

  // A token of the sample.
  struct Weighted {
    float key;
    float weight;
  };
  static constexpr size_t kRanked = 64;

  bool TryKeep(DenseLogits& dense, double mass, int32_t min_keep);
  bool Reaches(const DenseLogits& dense, double edit, float bound) const;
  // Whether an edited token, where there is one, has a key in a range.
  bool Contains(const DenseLogits& dense, const EditTable::Edit& edit, KeyRange range) const;
  // What the edited tokens in a range weigh.
  double SumEdits(DenseLogits& dense, KeyRange range) const;
  void TakeSample(DenseLogits& dense, size_t size);
  // Orders by the distance from what the mean is by the sample, and returns how far keys may be off
  // with that.
  double CenterOrder(DenseLogits& dense);
  void RankSome();
  // A key such that the weights from there on, in the sample, sum to `target` or a little more;
  // the smallest float if they do not.
  float BoundReaching(double target) const;
  float Interpolate(double target, float low, float high) const;
  // Where the nucleus may end, from a sample of this size; nothing if that tells too little, or if
  // the range is likely to hold more than the part `widest` of all tokens.
  std::optional<KeyRange> Guess(DenseLogits& dense, size_t sample_size, double mass, double widest);

  Outcome Search(DenseLogits& dense, KeyRange range, ExpPrecision precision, double mass,
                 int32_t min_keep);
  Walked Walk(DenseLogits& dense, KeyRange range, ExpPrecision precision, double mass);
  // Orders by the distance from the mean, and returns what is left of a range of the keys so far.
  KeyRange Recenter(DenseLogits& dense, const WeightedMean& mean, KeyRange range);
  static double MarginAt(DenseLogits& dense, const Walked& walked, double mass, double recomputed);
  void CollectBetween(DenseLogits& dense);
  // A part of the range with few tokens in which the nucleus ends if it ends in the range.
  KeyRange Narrow(DenseLogits& dense, const Walked& walked) const;
  // Adds the terms of the tokens with keys from range.high on, which are in the nucleus, and lists
  // those in the range.
  void AddBetween(DenseLogits& dense, KeyRange range, Walked& walked);
  KeyRange Widened(KeyRange part, KeyRange range) const;
  bool IsInside(KeyRange range, double logit) const;
  // Ranks the tokens in a range and finds the last one of the nucleus among them.
  Outcome FindEnd(DenseLogits& dense, KeyRange range, const Walked& walked, size_t& end);
  // The contenders from the first one to the last one of the nucleus stay, others go.
  void Keep(DenseLogits& dense, Walked& walked, size_t end);
  // Removes the tokens without an edit that come after the contender at `end`.
  void KeepUpTo(DenseLogits& dense, Walked& walked, size_t end);

  TokenOrder order_ = TokenOrder::ByLogit();

  // Scratch.
  std::vector<float> sample_;  // Keys.
  std::vector<float> sample_weights_;
  std::vector<float> sample_block_max_;
  WeightSums sample_sums_ = {};
  float sample_max_ = 0;  // No key of the sample is more.
  std::array<Weighted, kRanked> ranked_;
  std::vector<double> sums_;
  std::vector<uint32_t> high_;  // The tokens before the range, and those that were added.
  std::vector<uint32_t> between_;
  std::vector<TokenId> between_ids_;
  std::vector<float> between_logits_;
  std::vector<float> between_keys_;
  std::vector<float> between_weights_;
  std::vector<TokenId> contender_ids_;
  std::vector<RankedToken> contenders_;  // What may be the nucleus's last token.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_NUCLEUS_SEARCH_H_
