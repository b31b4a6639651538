#include "logitchain/core/text_end.h"

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"

namespace logitchain {
namespace {

constexpr char kPayload[] = "logitchain/text_end";

}  // namespace

absl::Status TextEndError(absl::string_view message) {
  absl::Status status = absl::OutOfRangeError(message);
  status.SetPayload(kPayload, absl::Cord());
  return status;
}

bool IsTextEnd(const absl::Status& status) { return status.GetPayload(kPayload).has_value(); }

}  // namespace logitchain
