#ifndef LOGITCHAIN_BENCH_PACKED_MASK_H_
#define LOGITCHAIN_BENCH_PACKED_MASK_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"

namespace logitchain {

// A grammar engine without a grammar: it has the same bitmask for every step, so that only what a
// chain does with it takes time.
class PackedMask final : public TokenMaskProvider {
 public:
  // Allows this fraction of the tokens, at random; token 0 always.
  PackedMask(int32_t vocab_size, double allowed);

  absl::Status FillMask(absl::Span<int32_t> mask) override;
  absl::Status Accept(TokenId) override { return absl::OkStatus(); }
  absl::Status Rollback(int32_t) override { return absl::OkStatus(); }
  void Reset() override {}
  std::unique_ptr<TokenMaskProvider> Clone() const override;

 private:
  std::vector<int32_t> words_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_PACKED_MASK_H_
