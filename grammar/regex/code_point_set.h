#ifndef LOGITCHAIN_GRAMMAR_REGEX_CODE_POINT_SET_H_
#define LOGITCHAIN_GRAMMAR_REGEX_CODE_POINT_SET_H_

#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace logitchain {

struct CodePointRange {
  char32_t first;
  char32_t last;  // Included.

  friend bool operator==(const CodePointRange&, const CodePointRange&) = default;

  template <typename H>
  friend H AbslHashValue(H state, const CodePointRange& range) {
    return H::combine(std::move(state), range.first, range.last);
  }
};

// A set of characters: Unicode code points without the surrogates, U+D800 to U+DFFF.
class CodePointSet {
 public:
  CodePointSet() = default;

  // Of ranges in any order, which may overlap. Surrogates, and what is above U+10FFFF, are left
  // out.
  explicit CodePointSet(std::vector<CodePointRange> ranges);

  static CodePointSet Of(char32_t code_point) { return Range(code_point, code_point); }
  static CodePointSet Range(char32_t first, char32_t last) { return CodePointSet({{first, last}}); }
  static CodePointSet All();

  // The characters with a property, as \p{name} or \p{name=value} in a regular expression has it: a
  // general category such as L or Lu, a script, or a binary property. Empty if there is none such.
  static std::optional<CodePointSet> WithProperty(absl::string_view name, absl::string_view value);

  bool empty() const { return ranges_.empty(); }

  // The only character in it; nullopt if there are others, or none.
  std::optional<char32_t> Only() const {
    const bool is_one = ranges_.size() == 1 && ranges_[0].first == ranges_[0].last;
    return is_one ? std::optional<char32_t>(ranges_[0].first) : std::nullopt;
  }

  // Ascending, with gaps between them.
  absl::Span<const CodePointRange> ranges() const { return ranges_; }

  CodePointSet operator|(const CodePointSet& other) const;
  CodePointSet operator&(const CodePointSet& other) const;
  // All characters that are not in it.
  CodePointSet operator~() const;

  friend bool operator==(const CodePointSet&, const CodePointSet&) = default;

  template <typename H>
  friend H AbslHashValue(H state, const CodePointSet& set) {
    return H::combine(std::move(state), set.ranges_);
  }

 private:
  std::vector<CodePointRange> ranges_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_REGEX_CODE_POINT_SET_H_
