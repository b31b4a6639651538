#include "logitchain/registry/did_you_mean.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace logitchain {
namespace {

// Optimal string alignment: insertions, deletions and replacements of one character, and swaps of
// two neighbours.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  // Of the beginnings of `a` that are one shorter and two shorter, to each beginning of `b`.
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> last_but_one;
  std::iota(last.begin(), last.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    std::vector<size_t> row(b.size() + 1, i);
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], last_but_one[j - 2] + 1);
      }
    }
    last_but_one = std::exchange(last, std::move(row));
  }
  return last[b.size()];
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
