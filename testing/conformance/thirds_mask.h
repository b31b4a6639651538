#ifndef LOGITCHAIN_TESTING_CONFORMANCE_THIRDS_MASK_H_
#define LOGITCHAIN_TESTING_CONFORMANCE_THIRDS_MASK_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"

namespace logitchain {

// Allows two tokens of three, others at each step.
class ThirdsMask final : public TokenMaskProvider {
 public:
  absl::Status FillMask(absl::Span<int32_t> mask) override {
    constexpr uint32_t kPatterns[] = {0xB6DB6DB6, 0x6DB6DB6D, 0xDB6DB6DB};
    for (size_t w = 0; w < mask.size(); ++w) {
      mask[w] = static_cast<int32_t>(kPatterns[(w + step_) % 3]);
    }
    return absl::OkStatus();
  }

  absl::Status Accept(TokenId) override {
    ++step_;
    return absl::OkStatus();
  }

  absl::Status Rollback(int32_t n) override {
    step_ -= n;
    return absl::OkStatus();
  }

  void Reset() override { step_ = 0; }

  std::unique_ptr<TokenMaskProvider> Clone() const override {
    return std::make_unique<ThirdsMask>(*this);
  }

 private:
  int32_t step_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTING_CONFORMANCE_THIRDS_MASK_H_
