#include "logitchain/grammar/engine/matcher.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/describe_bytes.h"
#include "logitchain/grammar/engine/parse_tables.h"
#include "logitchain/grammar/engine/parser.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/vocab/trie_walk.h"

namespace logitchain {
namespace {

// What may come at a state.
std::string Expected(Parser& parser, int32_t state) {
  const ByteSet bytes = parser.live_bytes(state);
  if (bytes.empty()) return "the text must end";
  return absl::StrCat("there may come ", DescribeBytes(bytes),
                      parser.accepts(state) ? ", or the end" : "");
}

}  // namespace

Matcher::Matcher(std::shared_ptr<const CompiledGrammar> grammar)
    : grammar_(std::move(grammar)), tables_(grammar_->tables()) {
  Reset();
}

void Matcher::Reset() {
  const std::lock_guard<std::mutex> lock(tables_->mutex);
  tokens_.clear();
  states_ = {tables_->parser.start()};
}

absl::Status Matcher::FillMask(absl::Span<int32_t> mask) {
  const size_t words = grammar_->index().mask_words();
  if (mask.size() < words) {
    return absl::InvalidArgumentError(absl::StrCat("the mask has ", mask.size(),
                                                   " words; the grammar's vocabulary of ",
                                                   vocabulary().size(), " tokens needs ", words));
  }
  if (state() == kStopped) {
    absl::c_fill(mask, 0);
    return absl::OkStatus();
  }
  std::fill(mask.begin() + words, mask.end(), 0);
  absl::Status status =
      With([&](ParseTables& tables) { tables.masks.Fill(state(), mask.first(words)); });
  if (!status.ok()) absl::c_fill(mask, 0);
  return status;
}

absl::Status Matcher::Accept(TokenId id) {
  int32_t next = kDeadState;
  const absl::Status status =
      With([&](ParseTables& tables) { next = StateBehind(state(), id, tables); });
  if (!status.ok()) return status;
  if (next == kDeadState) {
    const absl::StatusOr<Explanation> explanation = Explain(id);
    return explanation.ok() ? absl::InvalidArgumentError(explanation->reason)
                            : explanation.status();
  }
  tokens_.push_back(id);
  states_.push_back(next);
  return absl::OkStatus();
}

int32_t Matcher::StateBehind(int32_t from, TokenId id, ParseTables& tables) const {
  if (from == kStopped) return kDeadState;
  std::optional<int32_t> next = tables.parser.Followed(from, id);
  if (!next) {
    if (!NeverCause(id).empty()) return kDeadState;
    if (IsStop(id)) return tables.parser.accepts(from) ? kStopped : kDeadState;
    next = tables.parser.Follow(from, id, vocabulary().bytes(id));
  }
  return *next != kDeadState && tables.look_ahead.CanEnd(*next) ? *next : kDeadState;
}

absl::Status Matcher::Rollback(int32_t n) {
  if (n < 0 || static_cast<size_t>(n) > tokens_.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot roll back ", n, " tokens; the grammar has followed ", tokens_.size()));
  }
  tokens_.resize(tokens_.size() - n);
  states_.resize(states_.size() - n);
  return absl::OkStatus();
}

absl::StatusOr<bool> Matcher::IsAccepting() {
  if (state() == kStopped) return true;
  bool accepts = false;
  absl::Status status =
      With([&](ParseTables& tables) { accepts = tables.parser.accepts(state()); });
  if (!status.ok()) return status;
  return accepts;
}

absl::StatusOr<std::string> Matcher::ForcedBytes() {
  std::string forced;
  if (state() == kStopped) return forced;
  absl::Status status = With([&](ParseTables& tables) {
    Parser& parser = tables.parser;
    forced.clear();
    int32_t at = state();
    while (forced.size() < kMaxForcedBytes && !parser.accepts(at)) {
      const ByteSet bytes = parser.live_bytes(at);
      if (bytes.size() != 1) return;
      const uint8_t byte = bytes.Smallest();
      at = parser.Next(at, byte);
      if (at == kDeadState) return;
      forced.push_back(static_cast<char>(byte));
    }
  });
  if (!status.ok()) return status;
  return forced;
}

absl::StatusOr<ByteSet> Matcher::AllowedBytes() {
  ByteSet bytes;
  if (state() == kStopped) return bytes;
  absl::Status status =
      With([&](ParseTables& tables) { bytes = tables.parser.live_bytes(state()); });
  if (!status.ok()) return status;
  return bytes;
}

std::string Matcher::WhyNone() {
  if (state() == kStopped) return "the text has ended";
  std::string expected;
  const absl::Status status =
      With([&](ParseTables& tables) { expected = Expected(tables.parser, state()); });
  if (!status.ok()) return std::string(status.message());
  return absl::StrCat(LastText(), expected, "; the vocabulary has no tokens for that");
}

std::string Matcher::LastText() const {
  std::string text;
  for (const TokenId id : tokens_) absl::StrAppend(&text, vocabulary().bytes(id));
  if (text.empty()) return "";
  constexpr size_t kMaxShown = 60;
  const bool is_cut = text.size() > kMaxShown;
  if (is_cut) text.erase(0, text.size() - kMaxShown);
  return absl::StrCat("behind \"", is_cut ? "…" : "", absl::Utf8SafeCHexEscape(text), "\" ");
}

absl::StatusOr<Matcher::Explanation> Matcher::Explain(TokenId id) {
  const auto refusal = [id](std::string cause) {
    std::string reason = absl::StrCat("token ", id, " ", cause);
    return Explanation{.cause = std::move(cause), .reason = std::move(reason)};
  };
  if (state() == kStopped) return refusal("is refused: the text has ended");
  if (std::string cause = NeverCause(id); !cause.empty()) return refusal(std::move(cause));
  Explanation explanation;
  absl::Status status = With([&](ParseTables& tables) {
    Parser& parser = tables.parser;
    explanation = {};
    if (IsStop(id)) {
      explanation = parser.accepts(state())
                        ? Explanation{.is_allowed = true}
                        : refusal(absl::StrCat("ends the text, which cannot end here: ",
                                               Expected(parser, state())));
      return;
    }
    const absl::string_view bytes = vocabulary().bytes(id);
    int32_t at = state();
    for (size_t i = 0; i < bytes.size(); ++i) {
      const int32_t next = parser.Next(at, static_cast<uint8_t>(bytes[i]));
      if (next == kDeadState) {
        explanation.cause = absl::StrCat(Expected(parser, at), ", not \"",
                                         absl::CHexEscape(bytes.substr(i, 1)), "\"");
        explanation.reason =
            absl::StrCat("token ", id, ", \"", absl::CHexEscape(bytes),
                         "\", is refused at its byte ", i, ": ", explanation.cause);
        return;
      }
      at = next;
    }
    if (!tables.look_ahead.CanEnd(at)) {
      explanation.cause = absl::StrCat("behind it ", Expected(parser, at),
                                       ", and no tokens of the vocabulary complete the text");
      explanation.reason = absl::StrCat("token ", id, ", \"", absl::CHexEscape(bytes),
                                        "\", is refused: ", explanation.cause);
      return;
    }
    explanation.is_allowed = true;
  });
  if (!status.ok()) return status;
  return explanation;
}

bool Matcher::IsStop(TokenId id) const {
  return absl::c_linear_search(vocabulary().stop_ids(), id);
}

std::string Matcher::NeverCause(TokenId id) const {
  if (id < 0 || id >= vocabulary().size()) {
    return absl::StrCat("is not in the grammar's vocabulary, [0, ", vocabulary().size(), ")");
  }
  if (IsStop(id)) return "";
  if (absl::c_binary_search(vocabulary().special_ids(), id)) {
    return "is special; it is no text that a grammar could allow";
  }
  if (vocabulary().bytes(id).empty()) return "has no bytes; a grammar allows only text";
  return "";
}

absl::Status Matcher::With(absl::FunctionRef<void(ParseTables&)> work) {
  for (bool is_renewed = false;; is_renewed = true) {
    absl::Status status;
    {
      const std::lock_guard<std::mutex> lock(tables_->mutex);
      work(*tables_);
      status = tables_->parser.status();
    }
    if (status.ok() || is_renewed) return status;
    if (absl::Status moved = MoveToTablesAfter(); !moved.ok()) return moved;
  }
}

absl::Status Matcher::MoveToTablesAfter() {
  std::shared_ptr<ParseTables> tables = grammar_->TablesAfter(tables_);
  std::vector<int32_t> states;
  {
    const std::lock_guard<std::mutex> lock(tables->mutex);
    states.push_back(tables->parser.start());
    for (const TokenId id : tokens_) {
      states.push_back(StateBehind(states.back(), id, *tables));
      if (!tables->parser.status().ok()) return tables->parser.status();
    }
  }
  tables_ = std::move(tables);
  states_ = std::move(states);
  return absl::OkStatus();
}

}  // namespace logitchain
