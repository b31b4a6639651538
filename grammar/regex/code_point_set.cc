#include "logitchain/grammar/regex/code_point_set.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/cleanup/cleanup.h"
#include "absl/strings/string_view.h"
#include "unicode/uset.h"
#include "unicode/utypes.h"

namespace logitchain {
namespace {

constexpr char32_t kMaxCodePoint = 0x10FFFF;
constexpr CodePointRange kSurrogates = {0xD800, 0xDFFF};

// The parts of a range that are characters.
void AddCharacters(const CodePointRange& range, std::vector<CodePointRange>& characters) {
  const CodePointRange below = {range.first, std::min<char32_t>(range.last, kSurrogates.first - 1)};
  const CodePointRange above = {std::max<char32_t>(range.first, kSurrogates.last + 1),
                                std::min(range.last, kMaxCodePoint)};
  for (const CodePointRange& part : {below, above}) {
    if (part.first <= part.last) characters.push_back(part);
  }
}

std::u16string Utf16OfAscii(absl::string_view ascii) {
  return std::u16string(ascii.begin(), ascii.end());
}

}  // namespace

CodePointSet::CodePointSet(std::vector<CodePointRange> ranges) {
  std::vector<CodePointRange> characters;
  for (const CodePointRange& range : ranges) AddCharacters(range, characters);
  absl::c_sort(characters,
               [](const CodePointRange& a, const CodePointRange& b) { return a.first < b.first; });
  for (const CodePointRange& range : characters) {
    if (!ranges_.empty() && range.first <= ranges_.back().last + 1) {
      ranges_.back().last = std::max(ranges_.back().last, range.last);
    } else {
      ranges_.push_back(range);
    }
  }
}

CodePointSet CodePointSet::All() { return Range(0, kMaxCodePoint); }

std::optional<CodePointSet> CodePointSet::WithProperty(absl::string_view name,
                                                       absl::string_view value) {
  USet* set = uset_openEmpty();
  const absl::Cleanup close = [set] { uset_close(set); };
  const std::u16string property = Utf16OfAscii(name);
  const std::u16string alias = Utf16OfAscii(value);
  UErrorCode error = U_ZERO_ERROR;
  uset_applyPropertyAlias(set, property.data(), static_cast<int32_t>(property.size()), alias.data(),
                          static_cast<int32_t>(alias.size()), &error);
  if (U_FAILURE(error)) return std::nullopt;
  std::vector<CodePointRange> ranges;
  for (int32_t i = 0; i < uset_getItemCount(set); ++i) {
    UChar32 first = 0;
    UChar32 last = 0;
    UErrorCode item_error = U_ZERO_ERROR;
    uset_getItem(set, i, &first, &last, nullptr, 0, &item_error);
    ranges.push_back({static_cast<char32_t>(first), static_cast<char32_t>(last)});
  }
  return CodePointSet(std::move(ranges));
}

CodePointSet CodePointSet::operator|(const CodePointSet& other) const {
  std::vector<CodePointRange> ranges = ranges_;
  ranges.insert(ranges.end(), other.ranges_.begin(), other.ranges_.end());
  return CodePointSet(std::move(ranges));
}

CodePointSet CodePointSet::operator&(const CodePointSet& other) const {
  CodePointSet both;
  for (auto a = ranges_.begin(), b = other.ranges_.begin();
       a != ranges_.end() && b != other.ranges_.end(); a->last < b->last ? ++a : ++b) {
    const CodePointRange part = {std::max(a->first, b->first), std::min(a->last, b->last)};
    if (part.first <= part.last) both.ranges_.push_back(part);
  }
  return both;
}

CodePointSet CodePointSet::operator~() const {
  std::vector<CodePointRange> gaps;
  char32_t next = 0;
  for (const CodePointRange& range : ranges_) {
    if (next < range.first) gaps.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kMaxCodePoint) gaps.push_back({next, kMaxCodePoint});
  return CodePointSet(std::move(gaps));
}

}  // namespace logitchain
