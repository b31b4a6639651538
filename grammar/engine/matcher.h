#ifndef LOGITCHAIN_GRAMMAR_ENGINE_MATCHER_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_MATCHER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/parse_tables.h"
#include "logitchain/grammar/regex/byte_set.h"

namespace logitchain {

// Follows a text token by token and says which tokens may come next, so that a grammar's text can
// still be completed. Tokens are bytes: they may begin and end within characters. Stop tokens may
// come exactly where the text may end, and nothing may come behind one; other special tokens and
// tokens without bytes never may.
//
// A vocabulary that has a token for each byte can complete every text. With any other one, such as
// one of words, tokens behind which its tokens could not complete the text may not come either, as
// far as LookAhead sees; where it does not see far enough, and at the beginning, it may be that no
// token may come at all.
//
// Belongs to one thread at a time; its grammar may be shared. Functions return ResourceExhausted
// where the text has too many readings for the grammar's memory.
class Matcher final : public TokenMaskProvider {
 public:
  explicit Matcher(std::shared_ptr<const CompiledGrammar> grammar);

  // Whatever is in the mask. InvalidArgument if it is too short for the vocabulary.
  absl::Status FillMask(absl::Span<int32_t> mask) override;

  std::string WhyNone() override;
  bool MayEnd() override { return IsAccepting().value_or(false); }

  // InvalidArgument if the token may not come; the message is that of Explain.
  absl::Status Accept(TokenId id) override;

  // Also after a stop token. InvalidArgument if there are fewer tokens.
  absl::Status Rollback(int32_t n) override;

  void Reset() override;

  // Number of tokens since the beginning.
  size_t token_count() const { return tokens_.size(); }

  std::unique_ptr<Matcher> Fork() const { return std::make_unique<Matcher>(*this); }
  std::unique_ptr<TokenMaskProvider> Clone() const override { return Fork(); }

  // Whether the text may end here; so it may behind a stop token.
  absl::StatusOr<bool> IsAccepting();

  // Bytes that must come next, whatever the text, at most kMaxForcedBytes: a model need not be
  // asked for them. Empty where there is a choice, and where the text may end.
  absl::StatusOr<std::string> ForcedBytes();
  static constexpr size_t kMaxForcedBytes = 4096;

  // The bytes of which one may come next.
  absl::StatusOr<ByteSet> AllowedBytes();

  // Whether a token may come next, and why not.
  struct Explanation {
    bool is_allowed = false;
    // What is wrong with it, whatever its id and bytes are: "there may come [0-9,}], not "b"", say;
    // empty if it is allowed.
    std::string cause;
    // The same with the token: "token 5, "ab", is refused at its byte 1: there may …".
    std::string reason;
  };
  absl::StatusOr<Explanation> Explain(TokenId id);

 private:
  // In place of a parser's state, behind a stop token.
  static constexpr int32_t kStopped = -2;

  // Calls `work` with tables that are locked; once more, with new ones, if they became too large.
  absl::Status With(absl::FunctionRef<void(ParseTables&)> work);
  absl::Status MoveToTablesAfter();

  // The state behind a token, kStopped behind a stop token; kDeadState if it may not come.
  int32_t StateBehind(int32_t from, TokenId id, ParseTables& tables) const;

  const Vocabulary& vocabulary() const { return grammar_->index().vocabulary(); }
  bool IsStop(TokenId id) const;
  // Why a token can never come, such as "is special"; empty if it may.
  std::string NeverCause(TokenId id) const;
  // The end of the text so far, for messages: "behind "ab" "; empty at the beginning.
  std::string LastText() const;
  int32_t state() const { return states_.back(); }

  std::shared_ptr<const CompiledGrammar> grammar_;
  std::shared_ptr<ParseTables> tables_;
  std::vector<TokenId> tokens_;
  std::vector<int32_t> states_;  // Before each token, and behind the last one.
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_MATCHER_H_
