#ifndef LOGITCHAIN_PROCESSORS_GRAMMAR_MASK_H_
#define LOGITCHAIN_PROCESSORS_GRAMMAR_MASK_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"

namespace logitchain {

// Removes the tokens outside a fixed set. Costs O(vocabulary).
class FixedMask final : public Cloneable<Filter, FixedMask> {
 public:
  // `words` as CandidateSelector::KeepAllowed takes them.
  explicit FixedMask(std::vector<int32_t> words) : words_(std::move(words)) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;

 private:
  std::vector<int32_t> words_;
};

// Removes the tokens that a TokenMaskProvider does not allow at this step, and keeps the provider
// in step with the chain.
class ProvidedMask final : public Filter {
 public:
  explicit ProvidedMask(std::unique_ptr<TokenMaskProvider> provider)
      : provider_(std::move(provider)) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override;
  absl::Status Accept(TokenId id) override { return provider_->Accept(id); }
  absl::Status Rollback(int32_t n) override { return provider_->Rollback(n); }
  void Reset() override { provider_->Reset(); }
  std::unique_ptr<Processor> Clone() const override {
    return std::make_unique<ProvidedMask>(provider_->Clone());
  }

 private:
  std::unique_ptr<TokenMaskProvider> provider_;
  mutable std::vector<int32_t> words_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_GRAMMAR_MASK_H_
