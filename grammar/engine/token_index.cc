#include "logitchain/grammar/engine/token_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/grammar/engine/packed_tokens.h"
#include "logitchain/grammar/engine/regex_fingerprint.h"
#include "logitchain/grammar/engine/terminal_tokens.h"
#include "logitchain/grammar/engine/text_characters.h"
#include "logitchain/grammar/regex/byte_set.h"
#include "logitchain/grammar/vocab/byte_trie.h"

namespace logitchain {
namespace {

// What is kept for expressions; beyond that all of it is forgotten, and found again where needed.
constexpr int64_t kMaxFoundMemory = int64_t{256} << 20;

// The other bytes would begin an overlong form of a character, or one above U+10FFFF.
bool IsInUtf8(int byte) { return byte != 0xC0 && byte != 0xC1 && byte <= 0xF4; }

}  // namespace

TokenIndex::TokenIndex(std::shared_ptr<const Vocabulary> vocabulary)
    : vocabulary_(std::move(vocabulary)),
      text_masks_(kMaxCounted + 1, std::vector<int32_t>(mask_words())) {
  std::vector<bool> is_text(vocabulary_->size(), true);
  for (const TokenId id : vocabulary_->special_ids()) is_text[id] = false;
  for (const TokenId id : vocabulary_->stop_ids()) is_text[id] = false;
  std::vector<ByteTrie::Entry> texts;
  std::vector<ByteTrie::Entry> long_texts;
  std::vector<ByteTrie::Entry> rest;
  ByteSet spelled;
  for (TokenId id = 0; id < vocabulary_->size(); ++id) {
    const absl::string_view bytes = vocabulary_->bytes(id);
    if (!is_text[id] || bytes.empty()) continue;
    if (bytes.size() == 1) spelled.Insert(static_cast<uint8_t>(bytes[0]));
    longest_token_ = std::max(longest_token_, static_cast<int32_t>(bytes.size()));
    const int count = CountTextCharacters(bytes);
    if (count == 0) {
      rest.push_back({bytes, id});
    } else if (count > kMaxCounted) {
      long_texts.push_back({bytes, id});
    } else {
      texts.push_back({bytes, id});
      AllowToken(id, absl::MakeSpan(text_masks_[count]));
    }
  }
  for (int count = 1; count <= kMaxCounted; ++count) {
    for (size_t i = 0; i < mask_words(); ++i) text_masks_[count][i] |= text_masks_[count - 1][i];
  }
  text_tree_ = trie_.Add(std::move(texts));
  long_text_tree_ = trie_.Add(std::move(long_texts));
  rest_tree_ = trie_.Add(std::move(rest));
  spells_every_byte_ = true;
  for (int byte = 0; byte < 256; ++byte) {
    spells_every_byte_ &= spelled.Contains(static_cast<uint8_t>(byte)) || !IsInUtf8(byte);
  }
}

std::shared_ptr<const TerminalTokens> TokenIndex::Find(const RegexFingerprint& regex) const {
  const std::shared_lock<std::shared_mutex> lock(mutex_);
  const auto found = found_.find(regex);
  return found == found_.end() ? nullptr : found->second;
}

void TokenIndex::Insert(const RegexFingerprint& regex,
                        std::shared_ptr<const TerminalTokens> tokens) const {
  const std::lock_guard<std::shared_mutex> lock(mutex_);
  const int64_t memory = tokens->memory();
  if (found_memory_ + memory > kMaxFoundMemory) {
    found_.clear();
    found_memory_ = 0;
  }
  std::shared_ptr<const TerminalTokens>& entry = found_[regex];
  if (entry != nullptr) found_memory_ -= entry->memory();
  entry = std::move(tokens);
  found_memory_ += memory;
}

}  // namespace logitchain
