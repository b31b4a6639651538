#ifndef LOGITCHAIN_TESTS_CORE_DECODE_SCRIPTED_GRAMMAR_H_
#define LOGITCHAIN_TESTS_CORE_DECODE_SCRIPTED_GRAMMAR_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"

namespace logitchain {

// A grammar that allows these tokens and no others behind 0, 1, 2, … tokens; none behind the last.
// It accepts nothing that it does not allow.
class ScriptedGrammar final : public TokenMaskProvider {
 public:
  explicit ScriptedGrammar(std::vector<std::vector<TokenId>> allowed)
      : allowed_(std::move(allowed)) {}

  absl::Status FillMask(absl::Span<int32_t> mask) override {
    for (const TokenId id : Allowed()) mask[id / 32] |= int32_t{1} << (id % 32);
    return absl::OkStatus();
  }

  absl::Status Accept(TokenId id) override {
    for (const TokenId allowed : Allowed()) {
      if (id != allowed) continue;
      ++accepted_;
      return absl::OkStatus();
    }
    return absl::InvalidArgumentError("not in the grammar");
  }

  absl::Status Rollback(int32_t n) override {
    accepted_ -= n;
    return absl::OkStatus();
  }

  void Reset() override { accepted_ = 0; }

  std::unique_ptr<TokenMaskProvider> Clone() const override {
    return std::make_unique<ScriptedGrammar>(*this);
  }

 private:
  absl::Span<const TokenId> Allowed() const {
    return accepted_ < allowed_.size() ? allowed_[accepted_] : absl::Span<const TokenId>();
  }

  std::vector<std::vector<TokenId>> allowed_;
  size_t accepted_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_CORE_DECODE_SCRIPTED_GRAMMAR_H_
