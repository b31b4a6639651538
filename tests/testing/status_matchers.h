#ifndef LOGITCHAIN_TESTS_TESTING_STATUS_MATCHERS_H_
#define LOGITCHAIN_TESTS_TESTING_STATUS_MATCHERS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"

namespace logitchain {
namespace internal {

inline const absl::Status& StatusOf(const absl::Status& status) { return status; }

template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& value) {
  return value.status();
}

}  // namespace internal

// Matchers for absl::Status and absl::StatusOr, as newer releases of Abseil have them.

// EXPECT_THAT(chain->Commit(3), IsOk());
MATCHER(IsOk, negation ? "is an error" : "is OK") {
  *result_listener << internal::StatusOf(arg).ToString();
  return internal::StatusOf(arg).ok();
}

// EXPECT_THAT(chain->Entropy(logits), IsOkAndHolds(DoubleNear(0.69, 0.01)));
MATCHER_P(IsOkAndHolds, inner, "is OK and holds a value that matches") {
  if (arg.ok()) return testing::ExplainMatchResult(inner, *arg, result_listener);
  *result_listener << arg.status().ToString();
  return false;
}

// EXPECT_THAT(chain->Commit(-1), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("-1")));
MATCHER_P2(StatusIs, code, message, "is an error of that code whose message matches") {
  const absl::Status& status = internal::StatusOf(arg);
  *result_listener << status.ToString();
  return status.code() == code &&
         testing::ExplainMatchResult(message, std::string(status.message()), result_listener);
}

MATCHER_P(StatusIs, code, "is an error of that code") {
  *result_listener << internal::StatusOf(arg).ToString();
  return internal::StatusOf(arg).code() == code;
}

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_STATUS_MATCHERS_H_
