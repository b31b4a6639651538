#include "logitchain/bench/packed_mask.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"

namespace logitchain {

PackedMask::PackedMask(int32_t vocab_size, double allowed) : words_((vocab_size + 31) / 32) {
  Pcg32 generator(3);
  for (TokenId id = 0; id < vocab_size; ++id) {
    const bool is_allowed = id == 0 || generator.NextUniform() < allowed;
    words_[id / 32] |= static_cast<int32_t>(uint32_t{is_allowed} << (id % 32));
  }
}

absl::Status PackedMask::FillMask(absl::Span<int32_t> mask) {
  std::copy(words_.begin(), words_.end(), mask.begin());
  return absl::OkStatus();
}

std::unique_ptr<TokenMaskProvider> PackedMask::Clone() const {
  return std::make_unique<PackedMask>(*this);
}

}  // namespace logitchain
