#ifndef LOGITCHAIN_CLI_NPY_DICT_H_
#define LOGITCHAIN_CLI_NPY_DICT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace logitchain {

// What the header of a .npy file says, as written.
struct NpyDict {
  std::string descr;
  bool fortran_order = false;
  std::vector<int64_t> shape;
};

// Parses the header of a .npy file, a Python dict literal such as
//
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
//
// It must have exactly these keys, each once, in any order, with strings in either kind of quotes,
// any whitespace between the parts and nothing but whitespace behind. Strings have no escapes and
// sizes are plain decimal numbers. Everything else is an InvalidArgument that says at which byte of
// `text` something else must be. Nothing is ever evaluated.
absl::StatusOr<NpyDict> ParseNpyDict(absl::string_view text);

// The first bytes of something in a .npy file, printable and in quotes, for an error message.
std::string QuoteNpyBytes(absl::string_view bytes);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_NPY_DICT_H_
