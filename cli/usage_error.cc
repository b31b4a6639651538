#include "logitchain/cli/usage_error.h"

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"

namespace logitchain {
namespace {

constexpr char kPayload[] = "logitchain/usage_error";

}  // namespace

absl::Status UsageError(absl::string_view message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(kPayload, absl::Cord());
  return status;
}

bool IsUsageError(const absl::Status& status) { return status.GetPayload(kPayload).has_value(); }

}  // namespace logitchain
