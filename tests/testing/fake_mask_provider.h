#ifndef LOGITCHAIN_TESTS_TESTING_FAKE_MASK_PROVIDER_H_
#define LOGITCHAIN_TESTS_TESTING_FAKE_MASK_PROVIDER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"

namespace logitchain {

// What a FakeMaskProvider does and saw; all its clones share one.
struct FakeGrammar {
  // The mask behind these accepted tokens. `mask` comes as the chain gave it.
  std::function<void(absl::Span<const TokenId> accepted, absl::Span<int32_t> mask)> fill;

  // Whether the text may end, whatever was accepted.
  bool may_end = false;

  // What each call returns; after an error the provider is as before.
  absl::Status fill_status;
  absl::Status accept_status;
  absl::Status rollback_status;

  // "fill", "accept 3", "rollback 2", "reset", "clone", in the order of the calls.
  std::vector<std::string> calls;
};

// A grammar engine by script.
class FakeMaskProvider final : public TokenMaskProvider {
 public:
  explicit FakeMaskProvider(FakeGrammar& grammar) : grammar_(grammar) {}

  absl::Status FillMask(absl::Span<int32_t> mask) override;
  bool MayEnd() override { return grammar_.may_end; }
  absl::Status Accept(TokenId id) override;
  absl::Status Rollback(int32_t n) override;
  void Reset() override;
  std::unique_ptr<TokenMaskProvider> Clone() const override;

 private:
  FakeGrammar& grammar_;
  std::vector<TokenId> accepted_;
};

// Sets the bit of a token: bit id % 32 of word id / 32.
void AllowToken(absl::Span<int32_t> mask, TokenId id);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_FAKE_MASK_PROVIDER_H_
