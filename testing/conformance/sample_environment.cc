#include "logitchain/testing/conformance/sample_environment.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"
#include "logitchain/core/vocabulary.h"

namespace logitchain {
namespace {

// Allows two tokens of three, others at each step.
class Thirds final : public TokenMaskProvider {
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
    return std::make_unique<Thirds>(*this);
  }

 private:
  int32_t step_ = 0;
};

absl::StatusOr<std::vector<TokenId>> Primes(const TokenHistory&) {
  return std::vector<TokenId>{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
}

}  // namespace

Environment SampleEnvironment(int32_t vocab_size) {
  Vocabulary::Parts parts;
  for (TokenId id = 0; id < vocab_size; ++id) parts.token_bytes.push_back(absl::StrCat(id));
  return {.vocab_size = vocab_size,
          .vocabulary = Vocabulary::Create(parts).value(),
          .mask_providers = {{"thirds", std::make_shared<Thirds>()}},
          .prefix_constraints = {{"primes", Primes}}};
}

}  // namespace logitchain
