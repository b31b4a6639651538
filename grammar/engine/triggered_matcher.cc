#include "logitchain/grammar/engine/triggered_matcher.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/packed_tokens.h"
#include "logitchain/grammar/vocab/byte_trie.h"

namespace logitchain {
namespace {

absl::Status CheckTriggers(const GrammarTriggers& triggers, int32_t vocab_size) {
  if (triggers.ids.empty() && triggers.texts.empty()) {
    return absl::InvalidArgumentError("there is no trigger");
  }
  size_t bytes = 0;
  for (const std::string& text : triggers.texts) {
    if (text.empty()) return absl::InvalidArgumentError("a trigger's text is empty");
    bytes += text.size();
  }
  if (bytes > TriggeredMatcher::kMaxTriggerBytes) {
    return absl::InvalidArgumentError(absl::StrCat("the triggers' texts have ", bytes,
                                                   " bytes together; they may have at most ",
                                                   TriggeredMatcher::kMaxTriggerBytes));
  }
  for (const TokenId id : triggers.ids) {
    if (id >= 0 && id < vocab_size) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the trigger ", id, " is not in the vocabulary, [0, ", vocab_size, ")"));
  }
  return absl::OkStatus();
}

// Whether something follows the first place where `text` is in `bytes`.
bool GoesBeyond(absl::string_view bytes, absl::string_view text) {
  const size_t found = bytes.find(text);
  return found != bytes.npos && found + text.size() < bytes.size();
}

// Bans the tokens that begin with `bytes` and go on.
void BanLonger(const ByteTrie& trie, const ByteTrie::Tree& tree, absl::string_view bytes,
               MaskSpan mask) {
  ByteTrie::NodeIndex node = tree.child[static_cast<uint8_t>(bytes[0])];
  if (node == tree.end) return;
  for (const char byte : bytes.substr(1)) {
    const ByteTrie::NodeIndex end = trie.end(node);
    for (++node; node < end && trie.byte(node) != static_cast<uint8_t>(byte);) {
      node = trie.end(node);
    }
    if (node == end) return;
  }
  for (const TokenId id : trie.tokens(node + 1, trie.end(node))) BanToken(id, mask);
}

}  // namespace

absl::StatusOr<std::unique_ptr<TriggeredMatcher>> TriggeredMatcher::Create(
    std::shared_ptr<const CompiledGrammar> grammar, GrammarTriggers triggers) {
  const Vocabulary& vocabulary = grammar->index().vocabulary();
  if (absl::Status status = CheckTriggers(triggers, vocabulary.size()); !status.ok()) return status;
  Plan plan = {.grammar = std::move(grammar), .triggers = std::move(triggers)};
  for (const std::string& text : plan.triggers.texts) {
    plan.longest_text = std::max(plan.longest_text, text.size());
  }
  for (TokenId id = 0; id < vocabulary.size(); ++id) {
    const auto goes_beyond = [&](const std::string& text) {
      return GoesBeyond(vocabulary.bytes(id), text);
    };
    if (absl::c_any_of(plan.triggers.texts, goes_beyond)) plan.beyond_text.push_back(id);
  }
  return absl::WrapUnique(new TriggeredMatcher(std::make_shared<const Plan>(std::move(plan))));
}

TriggeredMatcher::TriggeredMatcher(std::shared_ptr<const Plan> plan)
    : plan_(std::move(plan)), matcher_(plan_->grammar) {}

absl::Status TriggeredMatcher::FillMask(absl::Span<int32_t> mask) {
  if (has_begun_) return matcher_.FillMask(mask);
  const size_t words = plan_->grammar->index().mask_words();
  if (mask.size() < words) {
    return absl::InvalidArgumentError(
        absl::StrCat("the mask has ", mask.size(), " words; the vocabulary needs ", words));
  }
  absl::c_fill(mask, -1);
  for (const TokenId id : plan_->beyond_text) BanToken(id, mask);
  const std::string tail = Tail();
  for (const std::string& text : plan_->triggers.texts) BanBeyond(text, tail, mask);
  for (const TokenId id : plan_->triggers.ids) AllowToken(id, mask);
  return absl::OkStatus();
}

void TriggeredMatcher::BanBeyond(const std::string& text, const std::string& tail,
                                 absl::Span<int32_t> mask) const {
  const TokenIndex& index = plan_->grammar->index();
  for (size_t begun = std::min(tail.size(), text.size() - 1); begun > 0; --begun) {
    if (!absl::EndsWith(tail, absl::string_view(text).substr(0, begun))) continue;
    const absl::string_view missing = absl::string_view(text).substr(begun);
    for (const ByteTrie::Tree* tree :
         {&index.text_tree(), &index.long_text_tree(), &index.rest_tree()}) {
      BanLonger(index.trie(), *tree, missing, mask);
    }
  }
}

absl::Status TriggeredMatcher::Accept(TokenId id) {
  if (has_begun_) return matcher_.Accept(id);
  bool begins = IsTrigger(id);
  if (!begins) {
    const std::string text = absl::StrCat(Tail(), plan_->grammar->index().vocabulary().bytes(id));
    for (const std::string& trigger : plan_->triggers.texts) {
      if (GoesBeyond(text, trigger)) {
        return absl::InvalidArgumentError(
            absl::StrCat("token ", id, " goes on behind the trigger \"", absl::CHexEscape(trigger),
                         "\", where the grammar's text begins"));
      }
      begins = begins || absl::EndsWith(text, trigger);
    }
  }
  tokens_.push_back(id);
  has_begun_ = begins;
  return absl::OkStatus();
}

bool TriggeredMatcher::IsTrigger(TokenId id) const {
  return absl::c_linear_search(plan_->triggers.ids, id);
}

std::string TriggeredMatcher::Tail() const {
  const Vocabulary& vocabulary = plan_->grammar->index().vocabulary();
  const size_t wanted = std::max<size_t>(plan_->longest_text, 1) - 1;
  std::string tail;
  for (size_t i = tokens_.size(); i > 0 && tail.size() < wanted; --i) {
    tail = absl::StrCat(vocabulary.bytes(tokens_[i - 1]), tail);
  }
  return tail.substr(tail.size() - std::min(tail.size(), wanted));
}

absl::Status TriggeredMatcher::Rollback(int32_t n) {
  const int64_t followed = static_cast<int64_t>(matcher_.token_count());
  const int64_t total = static_cast<int64_t>(tokens_.size()) + followed;
  if (n < 0 || n > total) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot roll back ", n, " tokens; there are ", total));
  }
  const int32_t of_grammar = static_cast<int32_t>(std::min<int64_t>(n, followed));
  if (absl::Status status = matcher_.Rollback(of_grammar); !status.ok()) return status;
  if (n > of_grammar) {
    tokens_.resize(tokens_.size() - (n - of_grammar));
    has_begun_ = false;
  }
  return absl::OkStatus();
}

void TriggeredMatcher::Reset() {
  matcher_.Reset();
  tokens_.clear();
  has_begun_ = false;
}

std::unique_ptr<TokenMaskProvider> TriggeredMatcher::Clone() const {
  return absl::WrapUnique(new TriggeredMatcher(*this));
}

}  // namespace logitchain
