#include "logitchain/core/decode/decode_options.h"

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/limits.h"

namespace logitchain {
namespace {

absl::Status CheckUpTo(int32_t limit, absl::string_view name, int32_t value) {
  if (value >= 0 && value <= limit) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, " is ", value, "; it must be in [0, ", limit, "]"));
}

}  // namespace

absl::Status CheckDecodeOptions(const DecodeOptions& options, int32_t vocab_size) {
  if (options.stop_tokens) {
    for (size_t i = 0; i < options.stop_tokens->size(); ++i) {
      absl::Status status = CheckUpTo(vocab_size - 1, absl::StrCat("stop_tokens[", i, "]"),
                                      (*options.stop_tokens)[i]);
      if (!status.ok()) return status;
    }
  }
  absl::Status status = CheckUpTo(kMaxHistory, "max_tokens", options.max_tokens);
  if (!status.ok()) return status;
  return CheckUpTo(options.max_tokens, "min_tokens", options.min_tokens);
}

}  // namespace logitchain
