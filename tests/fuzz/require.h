#ifndef LOGITCHAIN_TESTS_FUZZ_REQUIRE_H_
#define LOGITCHAIN_TESTS_FUZZ_REQUIRE_H_

#include <cstdlib>
#include <iostream>

#include "absl/strings/string_view.h"

namespace logitchain {

// Ends the program, which is how a fuzz test fails, unless what `promise` says holds.
inline void Require(bool holds, absl::string_view promise) {
  if (holds) return;
  std::cerr << "this does not hold: " << promise << std::endl;
  std::abort();
}

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_FUZZ_REQUIRE_H_
