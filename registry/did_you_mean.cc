#include "logitchain/registry/did_you_mean.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace logitchain {
namespace {

// Levenshtein distance: insertions, deletions and replacements of one character.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string DidYouMean(absl::string_view name, absl::Span<const std::string> known) {
  // A third of the letters may be wrong before a suggestion would only confuse.
  return DidYouMean(name, known, name.size() / 3 + 1);
}

std::string DidYouMean(absl::string_view name, absl::Span<const std::string> known,
                       size_t max_wrong) {
  constexpr size_t kLongestName = 256;
  if (name.size() > kLongestName) return "";
  size_t best = max_wrong;
  absl::string_view closest;
  for (const std::string& candidate : known) {
    const size_t distance = EditDistance(name, candidate);
    if (distance >= best + closest.empty()) continue;
    best = distance;
    closest = candidate;
  }
  return closest.empty() ? "" : absl::StrCat(" (did you mean ", closest, "?)");
}

}  // namespace logitchain
