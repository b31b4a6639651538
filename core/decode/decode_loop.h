#ifndef LOGITCHAIN_CORE_DECODE_DECODE_LOOP_H_
#define LOGITCHAIN_CORE_DECODE_DECODE_LOOP_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/decode/decode_observer.h"
#include "logitchain/core/decode/decode_options.h"
#include "logitchain/core/decode/finish.h"
#include "logitchain/core/decode/observer_list.h"
#include "logitchain/core/decode/stop_string_matcher.h"
#include "logitchain/core/decode/text_gate.h"
#include "logitchain/core/language_model.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// Generates one text: the model's logits, the chain's token, its bytes, until the text ends.
//
//   absl::StatusOr<std::unique_ptr<DecodeLoop>> loop =
//       DecodeLoop::Create(model, std::move(chain), prompt, {.stop_strings = {"\n\n"}});
//   …
//   absl::Status status = (*loop)->Run([](absl::string_view bytes) { std::cout << bytes; });
//
// or, one token at a time:
//
//   while (!loop->finished()) std::cout << loop->Step();
//   if (loop->finish()->reason == FinishReason::kError) …
//
// Every token that is drawn is committed to the chain's history and so enters the windows of its
// penalties, also one that completes a stop string; only the stop token that ends the text is not.
// Its step is undone, with its uniform: history and generator are as behind the last token of the
// text, and no grammar has accepted the stop token.
//
// What ends a text, where several things do at the same token: a stop token, or else a stop string,
// or else max_tokens. A text may be ended by its caller too, who just makes no more steps.
//
// An error of the model or the chain ends the text as well: nothing of it is lost, and the chain is
// as before the step that failed.
//
// Of several texts for one prompt each takes a loop and a chain of its own; completion_seed.h has
// their seeds.
//
// A loop is used by one thread at a time.
class DecodeLoop {
 public:
  // The chain starts anew behind `prompt`, whose tail is what its penalties see first. The model
  // must outlive the loop and have the chain's vocabulary. InvalidArgument for that, for options
  // out of range (see decode_options.h), and for a prompt that the chain refuses.
  static absl::StatusOr<std::unique_ptr<DecodeLoop>> Create(LanguageModel& model,
                                                            std::unique_ptr<Chain> chain,
                                                            absl::Span<const TokenId> prompt,
                                                            DecodeOptions options);

  // The chain knows the loop's address.
  DecodeLoop(const DecodeLoop&) = delete;
  DecodeLoop& operator=(const DecodeLoop&) = delete;

  // Has `observer`, which must outlive the loop, watch from the next step on. Without any, no clock
  // is read.
  void AddObserver(DecodeObserver* observer);

  // Draws the next token and returns the bytes that may be shown now, often none; at the end those
  // that were withheld are among them. They are valid until the next call. Does nothing once
  // finished.
  absl::string_view Step();

  // Makes steps until the text is finished, and passes on bytes when there are some. Returns the
  // finish's status.
  absl::Status Run(absl::FunctionRef<void(absl::string_view)> show);

  bool finished() const { return finish_.has_value(); }

  // How the text ended; nothing before it has.
  const std::optional<Finish>& finish() const { return finish_; }

  // The output: all tokens that were drawn, without the stop token.
  absl::Span<const TokenId> tokens() const { return chain_->history().output(); }

  // The text so far, withheld bytes too; it ends before the stop string. Not always what was shown:
  // see DecodeOptions::emit_eagerly.
  const std::string& text() const { return gate_.text(); }

  // A record for each of tokens(), if the options ask for them.
  absl::Span<const TokenRecord> records() const { return records_; }

  const Chain& chain() const { return *chain_; }

 private:
  DecodeLoop(LanguageModel& model, std::unique_ptr<Chain> chain, StopStringMatcher matcher,
             DecodeOptions options);

  // Draws a token and sees to what follows from it.
  absl::Status DrawToken();
  void EndAt(TokenId stop_token, absl::Span<const float> logits);
  void Add(TokenRecord record);

  bool IsStopToken(TokenId id) const;
  bool BansStopTokens() const;
  // Whether all that the chain's masks leave are stop tokens, though the model offers others.
  bool MasksLeaveOnlyStopTokens(absl::Span<const float> logits);
  // Adds to an error of the chain that stop tokens were banned, where that may be the cause.
  absl::Status ExplainBan(const absl::Status& status) const;

  LanguageModel& model_;
  std::unique_ptr<Chain> chain_;
  const DecodeOptions options_;  // With stop_tokens set and sorted.
  TextGate gate_;
  ObserverList observers_;
  std::vector<TokenRecord> records_;
  std::optional<Finish> finish_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_DECODE_DECODE_LOOP_H_
