#include "logitchain/grammar/regex/literal_set.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/grammar/regex/regex_arena.h"

namespace logitchain {
namespace {

size_t CommonPrefix(absl::string_view a, absl::string_view b) {
  return std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin();
}

// What follows the first `depth` bytes, which all texts share. The texts ascend and differ.
RegexId Tails(absl::Span<const std::string> texts, size_t depth, RegexArena& arena) {
  const size_t shared = CommonPrefix(texts.front(), texts.back());
  const RegexId prefix =
      arena.Literal(absl::string_view(texts.front()).substr(depth, shared - depth));
  std::vector<RegexId> branches;
  if (texts.front().size() == shared) {
    branches.push_back(RegexArena::kEmptyString);
    texts.remove_prefix(1);
  }
  while (!texts.empty()) {
    const char next = texts.front()[shared];
    const size_t count =
        absl::c_find_if(texts, [=](const std::string& text) { return text[shared] != next; }) -
        texts.begin();
    branches.push_back(Tails(texts.first(count), shared, arena));
    texts.remove_prefix(count);
  }
  return arena.Concat(prefix, arena.Either(branches));
}

}  // namespace

RegexId LiteralSet(std::vector<std::string> texts, RegexArena& arena) {
  absl::c_sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return texts.empty() ? RegexArena::kNothing : Tails(texts, 0, arena);
}

}  // namespace logitchain
