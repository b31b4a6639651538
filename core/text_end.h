#ifndef LOGITCHAIN_CORE_TEXT_END_H_
#define LOGITCHAIN_CORE_TEXT_END_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace logitchain {

// The error of a step at which no token may come because the text is complete, and no stop token
// could say so: a grammar has ended over a vocabulary without stop tokens, say. A loop that makes
// texts takes it for a regular end.
absl::Status TextEndError(absl::string_view message);

// Whether a status is such an error.
bool IsTextEnd(const absl::Status& status);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_TEXT_END_H_
