#ifndef LOGITCHAIN_GRAMMAR_REGEX_CHARACTER_CODING_H_
#define LOGITCHAIN_GRAMMAR_REGEX_CHARACTER_CODING_H_

#include <array>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/regex/code_point_set.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// How characters become bytes: regular expressions over characters turn into those over bytes with
// it.
class CharacterCoding {
 public:
  virtual ~CharacterCoding() = default;
  CharacterCoding(const CharacterCoding&) = delete;
  CharacterCoding& operator=(const CharacterCoding&) = delete;

  RegexArena& arena() { return arena_; }

  // One character of the set, in each way to write it.
  RegexId Character(const CodePointSet& set);
  // This one; what a text is made of, so that ASCII is kept at hand.
  RegexId Character(char32_t code_point);

  // Any number of characters.
  RegexId AnyText() { return arena_.Repeat(Character(CodePointSet::All()), 0, kUnbounded); }

 protected:
  // What `is_json` says is that the arena's texts are those of JSON strings, and characters such.
  CharacterCoding(RegexArena& arena, bool is_json) : arena_(arena), is_json_(is_json) {}

 private:
  virtual RegexId Encode(const CodePointSet& set) = 0;

  RegexArena& arena_;
  const bool is_json_;
  absl::flat_hash_map<CodePointSet, RegexId> encoded_;
  std::array<RegexId, 128> ascii_ = {};  // kNothing where it was not asked for.
};

// UTF-8, table 3-7 of the Unicode standard.
class Utf8Coding final : public CharacterCoding {
 public:
  explicit Utf8Coding(RegexArena& arena) : CharacterCoding(arena, /*is_json=*/false) {}

 private:
  RegexId Encode(const CodePointSet& set) override;
};

// What stands between the quotes of a JSON string in UTF-8 (RFC 8259): characters as they are, with
// \n and its kin, or as \uXXXX, two of them above U+FFFF. A lone surrogate is no character.
class JsonStringCoding final : public CharacterCoding {
 public:
  explicit JsonStringCoding(RegexArena& arena) : CharacterCoding(arena, /*is_json=*/true) {}

 private:
  RegexId Encode(const CodePointSet& set) override;
};

// The same as writers of JSON write it: ASCII that needs no escape has none, and quotes and
// backslashes have the short one. Other characters may be written in each way.
class CanonicalStringCoding final : public CharacterCoding {
 public:
  explicit CanonicalStringCoding(JsonStringCoding& any_form)
      : CharacterCoding(any_form.arena(), /*is_json=*/true), any_form_(any_form) {}

 private:
  RegexId Encode(const CodePointSet& set) override;

  JsonStringCoding& any_form_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_REGEX_CHARACTER_CODING_H_
