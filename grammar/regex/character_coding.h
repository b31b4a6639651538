#ifndef LOGITCHAIN_GRAMMAR_REGEX_CHARACTER_CODING_H_
#define LOGITCHAIN_GRAMMAR_REGEX_CHARACTER_CODING_H_

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/regex/code_point_set.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {

// How characters become bytes: regular expressions over characters turn into those over bytes with
// it.
class CharacterCoding {
 public:
  explicit CharacterCoding(RegexArena& arena) : arena_(arena) {}
  virtual ~CharacterCoding() = default;
  CharacterCoding(const CharacterCoding&) = delete;
  CharacterCoding& operator=(const CharacterCoding&) = delete;

  RegexArena& arena() { return arena_; }

  // One character of the set, in each way to write it.
  RegexId Character(const CodePointSet& set);

  // Any number of characters.
  RegexId AnyText() { return arena_.Repeat(Character(CodePointSet::All()), 0, kUnbounded); }

 private:
  virtual RegexId Encode(const CodePointSet& set) = 0;

  RegexArena& arena_;
  absl::flat_hash_map<CodePointSet, RegexId> encoded_;
};

// UTF-8, table 3-7 of the Unicode standard.
class Utf8Coding final : public CharacterCoding {
 public:
  using CharacterCoding::CharacterCoding;

 private:
  RegexId Encode(const CodePointSet& set) override;
};

// What stands between the quotes of a JSON string in UTF-8 (RFC 8259): characters as they are, with
// \n and its kin, or as \uXXXX, two of them above U+FFFF. A lone surrogate is no character.
class JsonStringCoding final : public CharacterCoding {
 public:
  using CharacterCoding::CharacterCoding;

 private:
  RegexId Encode(const CodePointSet& set) override;
};

// The same as writers of JSON write it: ASCII that needs no escape has none, and quotes and
// backslashes have the short one. Other characters may be written in each way.
class CanonicalStringCoding final : public CharacterCoding {
 public:
  explicit CanonicalStringCoding(JsonStringCoding& any_form)
      : CharacterCoding(any_form.arena()), any_form_(any_form) {}

 private:
  RegexId Encode(const CodePointSet& set) override;

  JsonStringCoding& any_form_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_REGEX_CHARACTER_CODING_H_
