#ifndef LOGITCHAIN_CLI_COMPLETION_REPORT_H_
#define LOGITCHAIN_CLI_COMPLETION_REPORT_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "logitchain/core/decode/decode_loop.h"
#include "nlohmann/json.hpp"

namespace logitchain {

// A completion of a prompt that is finished.
struct Completion {
  uint32_t index;
  uint64_t seed;
  const DecodeLoop& loop;
  absl::Duration time;
};

// A line: "[stop_string "\n"; 12 tokens in 0.25 s; seed 42]".
std::string SummaryText(const Completion& completion);

// The completion with all that is known of its tokens; the loop has kept its records.
nlohmann::ordered_json CompletionAsJson(const Completion& completion, absl::string_view prompt);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_COMPLETION_REPORT_H_
