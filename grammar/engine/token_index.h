#ifndef LOGITCHAIN_GRAMMAR_ENGINE_TOKEN_INDEX_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_TOKEN_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/grammar/engine/regex_fingerprint.h"
#include "logitchain/grammar/engine/terminal_tokens.h"
#include "logitchain/grammar/vocab/byte_trie.h"

namespace logitchain {

// A vocabulary arranged for masks, built once and shared by all grammars and threads. Tokens that
// are special, that end a text or that have no bytes are in no tree: no grammar has a place
// for them but the end.
class TokenIndex {
 public:
  // Characters of a token for which there is a mask of their number.
  static constexpr int kMaxCounted = 32;

  explicit TokenIndex(std::shared_ptr<const Vocabulary> vocabulary);

  const Vocabulary& vocabulary() const { return *vocabulary_; }

  // Number of words in a mask.
  size_t mask_words() const { return (static_cast<size_t>(vocabulary_->size()) + 31) / 32; }

  // Of all tokens in the trees; in bytes.
  int32_t longest_token() const { return longest_token_; }

  // Whether each byte of UTF-8 is a token, so that every text can be spelled.
  bool spells_every_byte() const { return spells_every_byte_; }

  const ByteTrie& trie() const { return trie_; }
  // Tokens that consist of at most kMaxCounted text characters (text_characters.h), the last one of
  // which may lack bytes.
  const ByteTrie::Tree& text_tree() const { return text_tree_; }
  // Those of more.
  const ByteTrie::Tree& long_text_tree() const { return long_text_tree_; }
  // The other tokens.
  const ByteTrie::Tree& rest_tree() const { return rest_tree_; }

  // The tokens of text_tree that have at most `count` characters, in [0, kMaxCounted].
  absl::Span<const int32_t> text_mask(int count) const { return text_masks_[count]; }

  // What was found for an expression before, by any grammar; null if nothing was. Safe for threads.
  std::shared_ptr<const TerminalTokens> Find(const RegexFingerprint& regex) const;
  void Insert(const RegexFingerprint& regex, std::shared_ptr<const TerminalTokens> tokens) const;

 private:
  std::shared_ptr<const Vocabulary> vocabulary_;
  int32_t longest_token_ = 0;
  bool spells_every_byte_ = false;
  ByteTrie trie_;
  ByteTrie::Tree text_tree_;
  ByteTrie::Tree long_text_tree_;
  ByteTrie::Tree rest_tree_;
  std::vector<std::vector<int32_t>> text_masks_;

  mutable std::shared_mutex mutex_;  // For what follows.
  mutable absl::flat_hash_map<RegexFingerprint, std::shared_ptr<const TerminalTokens>> found_;
  mutable int64_t found_memory_ = 0;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_TOKEN_INDEX_H_
