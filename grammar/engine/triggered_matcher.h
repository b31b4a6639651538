#ifndef LOGITCHAIN_GRAMMAR_ENGINE_TRIGGERED_MATCHER_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_TRIGGERED_MATCHER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/matcher.h"

namespace logitchain {

// What a grammar may wait for.
struct GrammarTriggers {
  std::vector<TokenId> ids;
  std::vector<std::string> texts;
};

// Lets every token come until a trigger has come, and from then on follows the grammar, whose text
// begins behind it. A trigger is looked for in the tokens that are accepted, not in a prompt. A
// token that would complete a trigger's text and go on behind it may not come, so that the
// grammar's text begins with a token.
class TriggeredMatcher final : public TokenMaskProvider {
 public:
  // InvalidArgument if there is no trigger, a text is empty, the texts have more than
  // kMaxTriggerBytes together, or an id is not in the vocabulary.
  static absl::StatusOr<std::unique_ptr<TriggeredMatcher>> Create(
      std::shared_ptr<const CompiledGrammar> grammar, GrammarTriggers triggers);

  static constexpr size_t kMaxTriggerBytes = size_t{1} << 12;

  absl::Status FillMask(absl::Span<int32_t> mask) override;
  std::string WhyNone() override { return has_begun_ ? matcher_.WhyNone() : ""; }
  bool MayEnd() override { return !has_begun_ || matcher_.MayEnd(); }
  absl::Status Accept(TokenId id) override;
  absl::Status Rollback(int32_t n) override;
  void Reset() override;
  std::unique_ptr<TokenMaskProvider> Clone() const override;

 private:
  // What never changes.
  struct Plan {
    std::shared_ptr<const CompiledGrammar> grammar;
    GrammarTriggers triggers;
    size_t longest_text = 0;
    // Tokens with a trigger's text in them and something behind it.
    std::vector<TokenId> beyond_text;
  };

  explicit TriggeredMatcher(std::shared_ptr<const Plan> plan);

  // The last bytes of the text, in which a trigger's text may have begun.
  std::string Tail() const;
  bool IsTrigger(TokenId id) const;
  void BanBeyond(const std::string& text, const std::string& tail, absl::Span<int32_t> mask) const;

  std::shared_ptr<const Plan> plan_;
  Matcher matcher_;
  std::vector<TokenId> tokens_;  // Before the grammar's text.
  bool has_begun_ = false;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_TRIGGERED_MATCHER_H_
