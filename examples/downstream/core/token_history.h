// A header of this project. That logitchain has a folder and a header of the same name does not
// matter: its own begin with logitchain/.

#ifndef ACME_CORE_TOKEN_HISTORY_H_
#define ACME_CORE_TOKEN_HISTORY_H_

#include <algorithm>
#include <cstddef>

namespace acme {

// How many tokens at the end of a text, an array of ids, are in a set.
template <typename Text, typename Set>
size_t TrailingRun(const Text& text, const Set& set) {
  const auto is_in_set = [&set](auto id) { return set.contains(id); };
  return std::find_if_not(text.rbegin(), text.rend(), is_in_set) - text.rbegin();
}

}  // namespace acme

#endif  // ACME_CORE_TOKEN_HISTORY_H_
