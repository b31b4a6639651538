#ifndef LOGITCHAIN_REGISTRY_ERROR_LINES_H_
#define LOGITCHAIN_REGISTRY_ERROR_LINES_H_

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"

namespace logitchain {

// So many errors are told of; the others are only counted.
inline constexpr size_t kMaxErrorLines = 100;

// A line for each error.
inline std::string ErrorLines(absl::Span<const std::string> errors) {
  const std::string lines =
      absl::StrJoin(errors.first(std::min(errors.size(), kMaxErrorLines)), "\n");
  if (errors.size() <= kMaxErrorLines) return lines;
  return absl::StrCat(lines, "\n… and ", errors.size() - kMaxErrorLines, " more");
}

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_ERROR_LINES_H_
