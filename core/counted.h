#ifndef LOGITCHAIN_CORE_COUNTED_H_
#define LOGITCHAIN_CORE_COUNTED_H_

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace logitchain {

// "1 token", "2 tokens".
inline std::string Counted(int64_t count, absl::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_COUNTED_H_
