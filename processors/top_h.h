#ifndef LOGITCHAIN_PROCESSORS_TOP_H_H_
#define LOGITCHAIN_PROCESSORS_TOP_H_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"

namespace logitchain {

// Of the top_n largest logits, ties to the lowest ids, with q softmax over them and H = −Σ q·log q:
// keeps the most likely tokens as long as the running sum of −q·log q is at most h · H. The token
// with which it would exceed that goes, unlike in top-p; the most likely one always stays, and a
// token whose probability underflows to 0 goes. Costs as much as finding the top_n. Source:
// Potraghloo et al. 2025, "Top-H Decoding"; TopHLogitsWarper of Hugging Face transformers, which
// looks at 100 tokens.
class TopH final : public Cloneable<Filter, TopH> {
 public:
  TopH(double h, int32_t top_n, int32_t min_keep) : h_(h), top_n_(top_n), min_keep_(min_keep) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  double h_;
  int32_t top_n_;
  int32_t min_keep_;
  mutable std::vector<double> sums_;  // Scratch.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_TOP_H_H_
