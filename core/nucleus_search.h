#ifndef LOGITCHAIN_CORE_NUCLEUS_SEARCH_H_
#define LOGITCHAIN_CORE_NUCLEUS_SEARCH_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/dense_logits.h"
#include "logitchain/core/kernels/exp_sums.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Finds a large nucleus without sorting the vocabulary: the tokens that come first by (logit
// descending, id ascending), up to and including the one with which their probabilities reach a
// given mass.
//
// A sample of the logits tells roughly at which logit the nucleus ends: somewhere in [low, high).
// One walk over all logits then sums the terms of those ≥ high and picks out the few in between,
// among which the end is found. All sums are within bounds, not exact; where they do not settle the
// end, none is found. Divisions of the logits must keep different ones different, as in float64.
class NucleusSearch {
 public:
  // Roughly Σ exp(l − max) over all tokens, from a few of them.
  double EstimateTotal(DenseLogits& dense);

  // Removes all tokens outside the nucleus from `dense`. False, and nothing is removed, if the end
  // is not settled or the nucleus has fewer than `min_keep` tokens.
  bool TryKeep(DenseLogits& dense, double mass, int32_t min_keep);

 private:
  enum class Outcome { kFound, kUnsettled, kMissed };

  // A token that may be the last of the nucleus.
  struct Contender {
    double logit;
    TokenId id;

    bool operator<(const Contender& other) const {
      return logit != other.logit ? logit > other.logit : id < other.id;
    }
  };

  // What is known after a walk over all logits. Sums are of exp(l − Max()).
  struct Walked {
    ExpPrecision precision;
    double factor;  // From terms of the caller's logits to such.
    double total;
    double above;   // The tokens that are ≥ high,
    int32_t count;  // and their number.
    double margin;  // How far a sum can be from its share of the mass, which is below.
    double end;

    // Counts one more token in.
    void Add(double term, double& block_sum) {
      above += term;
      block_sum += term;
      ++count;
    }
  };

  // A token of the sample.
  struct Weighted {
    float logit;
    float weight;
  };
  static constexpr size_t kRanked = 64;

  void TakeSample(DenseLogits& dense, size_t size);
  void RankSome();
  // A logit such that the weights from there on, in the sample, sum to `target` or a little more;
  // the smallest float if they do not.
  float BoundReaching(double target) const;
  float Interpolate(double target, float low, float high) const;
  // Sets low_ and high_ from a sample of this size; false if it tells too little.
  bool Guess(DenseLogits& dense, size_t sample_size, double mass);
  double SumEditsAbove(DenseLogits& dense, float raw) const;
  double SumEditsBetween(DenseLogits& dense, float low, float high) const;

  Outcome Search(DenseLogits& dense, ExpPrecision precision, double mass, int32_t min_keep);
  Walked Walk(DenseLogits& dense, ExpPrecision precision, double mass);
  static double MarginAt(DenseLogits& dense, const Walked& walked, double mass, double recomputed);
  void CollectBetween(DenseLogits& dense);
  // Narrows [low_, high_) down to a few tokens; adds the terms of those above to the walk.
  void Narrow(DenseLogits& dense, Walked& walked);
  void AddAbove(DenseLogits& dense, float first_high, Walked& walked);
  // Ranks the tokens in [low_, high_) and finds the last one of the nucleus among them.
  Outcome FindEnd(DenseLogits& dense, Walked& walked, size_t& end);
  void Keep(DenseLogits& dense, Walked& walked, size_t end);

  float low_ = 0;
  float high_ = 0;

  // Scratch.
  std::vector<float> sample_;
  std::vector<float> sample_weights_;
  WeightSums sample_sums_ = {};
  std::array<Weighted, kRanked> ranked_;
  std::vector<double> sums_;
  std::vector<uint32_t> between_;
  std::vector<TokenId> between_ids_;
  std::vector<float> between_logits_;
  std::vector<float> between_weights_;
  std::vector<Contender> contenders_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_NUCLEUS_SEARCH_H_
