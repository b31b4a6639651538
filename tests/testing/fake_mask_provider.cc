#include "logitchain/tests/testing/fake_mask_provider.h"

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"

namespace logitchain {

absl::Status FakeMaskProvider::FillMask(absl::Span<int32_t> mask) {
  grammar_.calls.push_back("fill");
  if (grammar_.fill_status.ok()) grammar_.fill(accepted_, mask);
  return grammar_.fill_status;
}

absl::Status FakeMaskProvider::Accept(TokenId id) {
  grammar_.calls.push_back(absl::StrCat("accept ", id));
  if (grammar_.accept_status.ok()) accepted_.push_back(id);
  return grammar_.accept_status;
}

absl::Status FakeMaskProvider::Rollback(int32_t n) {
  grammar_.calls.push_back(absl::StrCat("rollback ", n));
  if (grammar_.rollback_status.ok()) accepted_.resize(accepted_.size() - n);
  return grammar_.rollback_status;
}

void FakeMaskProvider::Reset() {
  grammar_.calls.push_back("reset");
  accepted_.clear();
}

std::unique_ptr<TokenMaskProvider> FakeMaskProvider::Clone() const {
  grammar_.calls.push_back("clone");
  return std::make_unique<FakeMaskProvider>(*this);
}

void AllowToken(absl::Span<int32_t> mask, TokenId id) {
  mask[id / 32] = static_cast<int32_t>(static_cast<uint32_t>(mask[id / 32]) | 1u << (id % 32));
}

}  // namespace logitchain
