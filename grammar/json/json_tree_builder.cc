#include "logitchain/grammar/json/json_tree_builder.h"

#include <cstddef>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace logitchain {

std::string JsonErrorReason(const nlohmann::json::exception& error) {
  absl::string_view what = error.what();
  what.remove_prefix(what.find(']') + 1);  // "[json.exception.parse_error.101]"; npos + 1 is 0.
  what = absl::StripLeadingAsciiWhitespace(what);
  const size_t place_end = what.find(": ");
  if (absl::StartsWith(what, "parse error at ") && place_end != what.npos) {
    what.remove_prefix(place_end + 2);
  }
  // Quotes are escaped as well, which a message has no need of.
  return absl::StrReplaceAll(absl::Utf8SafeCEscape(what), {{"\\'", "'"}, {"\\\"", "\""}});
}

}  // namespace logitchain
