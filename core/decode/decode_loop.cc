#include "logitchain/core/decode/decode_loop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/decode/decode_observer.h"
#include "logitchain/core/decode/decode_options.h"
#include "logitchain/core/decode/finish.h"
#include "logitchain/core/decode/stop_string_matcher.h"
#include "logitchain/core/decode/stop_token_ban.h"
#include "logitchain/core/language_model.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/text_end.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

// Reads the clock only when it is on.
class Stopwatch {
 public:
  explicit Stopwatch(bool on) : on_(on), lap_start_(Now()) {}

  // The time since the last lap.
  absl::Duration Lap() {
    const Clock::time_point start = std::exchange(lap_start_, Now());
    return absl::FromChrono(lap_start_ - start);
  }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point Now() const { return on_ ? Clock::now() : Clock::time_point(); }

  bool on_;
  Clock::time_point lap_start_;
};

absl::Status WithPrefix(absl::string_view prefix, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(prefix, ": ", status.message()));
}

// Without a commit the draw goes, so that the chain is as before the step.
absl::Status CommitOrDrop(Chain& chain, TokenId token) {
  absl::Status status = chain.Commit(token);
  if (!status.ok()) chain.Rollback(0).IgnoreError();
  return status;
}

void SortAndDropDuplicates(std::vector<TokenId>& ids) {
  absl::c_sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

absl::StatusOr<std::unique_ptr<DecodeLoop>> DecodeLoop::Create(LanguageModel& model,
                                                               std::unique_ptr<Chain> chain,
                                                               absl::Span<const TokenId> prompt,
                                                               DecodeOptions options) {
  if (model.vocab_size() != chain->vocab_size()) {
    return absl::InvalidArgumentError(absl::StrCat("the model has ", model.vocab_size(),
                                                   " tokens, the chain ", chain->vocab_size()));
  }
  if (!options.stop_tokens) {
    options.stop_tokens.emplace(model.stop_ids().begin(), model.stop_ids().end());
  }
  absl::Status status = CheckDecodeOptions(options, chain->vocab_size());
  if (!status.ok()) return status;
  absl::StatusOr<StopStringMatcher> matcher = StopStringMatcher::Create(options.stop_strings);
  if (!matcher.ok()) return matcher.status();
  SortAndDropDuplicates(*options.stop_tokens);
  if (options.min_tokens > 0) {
    chain->PrependMask("min_tokens",
                       std::make_unique<StopTokenBan>(*options.stop_tokens, options.min_tokens));
  }
  if (status = chain->Reset(prompt); !status.ok()) return status;
  return absl::WrapUnique(
      new DecodeLoop(model, std::move(chain), *std::move(matcher), std::move(options)));
}

DecodeLoop::DecodeLoop(LanguageModel& model, std::unique_ptr<Chain> chain,
                       StopStringMatcher matcher, DecodeOptions options)
    : model_(model),
      chain_(std::move(chain)),
      options_(std::move(options)),
      gate_(std::move(matcher), options_.emit_eagerly) {
  if (options_.max_tokens == 0) finish_ = {.reason = FinishReason::kLength};
}

void DecodeLoop::AddObserver(DecodeObserver* observer) {
  observers_.Add(observer);
  chain_->set_observer(&observers_);
}

absl::string_view DecodeLoop::Step() {
  if (finished()) return "";
  const size_t step = tokens().size();
  if (absl::Status status = DrawToken(); !status.ok()) {
    finish_ = {.reason = FinishReason::kError,
               .status = WithPrefix(absl::StrCat("step ", step), status)};
  }
  if (finished()) gate_.Close();
  return gate_.Take();
}

absl::Status DecodeLoop::Run(absl::FunctionRef<void(absl::string_view)> show) {
  while (!finished()) {
    const absl::string_view bytes = Step();
    if (!bytes.empty()) show(bytes);
  }
  return finish_->status;
}

absl::Status DecodeLoop::DrawToken() {
  Stopwatch watch(/*on=*/!observers_.empty());
  const absl::StatusOr<absl::Span<const float>> logits = model_.NextLogits(chain_->history().all());
  if (!logits.ok()) return WithPrefix("the model", logits.status());
  StepTimes times = {.model = watch.Lap()};

  const absl::StatusOr<Sample> sample = chain_->Draw(*logits);
  if (IsTextEnd(sample.status())) {
    finish_ = {.reason = FinishReason::kGrammarEnd};
    return absl::OkStatus();
  }
  if (!sample.ok()) return ExplainBan(sample.status());
  const TokenId token = sample->token;
  TokenRecord record = {.step = static_cast<int32_t>(tokens().size()),
                        .sample = *sample,
                        .bytes = model_.TokenBytes(token),
                        .is_stop_token = IsStopToken(token)};
  absl::Status status = record.is_stop_token ? chain_->Rollback(0) : CommitOrDrop(*chain_, token);
  if (!status.ok()) return status;
  times.sampling = watch.Lap();

  observers_.OnToken(record, times);
  if (record.is_stop_token) {
    EndAt(token, *logits);
  } else {
    Add(std::move(record));
  }
  return absl::OkStatus();
}

void DecodeLoop::EndAt(TokenId stop_token, absl::Span<const float> logits) {
  const bool grammar_ended = MasksLeaveOnlyStopTokens(logits);
  finish_ = {.reason = grammar_ended ? FinishReason::kGrammarEnd : FinishReason::kStopToken,
             .stop_token = stop_token};
}

void DecodeLoop::Add(TokenRecord record) {
  gate_.Append(record.bytes);
  if (options_.keep_records) records_.push_back(std::move(record));
  if (gate_.stop()) {
    finish_ = {.reason = FinishReason::kStopString,
               .stop_string = options_.stop_strings[gate_.stop()->index]};
  } else if (tokens().size() == static_cast<size_t>(options_.max_tokens)) {
    finish_ = {.reason = FinishReason::kLength};
  }
}

bool DecodeLoop::IsStopToken(TokenId id) const {
  return absl::c_binary_search(*options_.stop_tokens, id);
}

bool DecodeLoop::BansStopTokens() const {
  return !options_.stop_tokens->empty() &&
         tokens().size() < static_cast<size_t>(options_.min_tokens);
}

bool DecodeLoop::MasksLeaveOnlyStopTokens(absl::Span<const float> logits) {
  // These are taken behind masks, bias and penalties, of which only masks remove tokens.
  const absl::StatusOr<std::vector<double>> logprobs = chain_->TokenLogprobs(logits);
  if (!logprobs.ok()) return false;
  bool masked_another = false;
  for (TokenId id = 0; id < chain_->vocab_size(); ++id) {
    if (IsStopToken(id)) continue;
    if ((*logprobs)[id] != kRemoved) return false;
    masked_another |= std::isfinite(logits[id]);
  }
  return masked_another;
}

absl::Status DecodeLoop::ExplainBan(const absl::Status& status) const {
  if (!BansStopTokens() || status.code() != absl::StatusCode::kFailedPrecondition) return status;
  return absl::Status(status.code(),
                      absl::StrCat(status.message(), "; min_tokens is ", options_.min_tokens,
                                   " and bans the stop tokens at this step: ",
                                   absl::StrJoin(*options_.stop_tokens, ", ")));
}

}  // namespace logitchain
