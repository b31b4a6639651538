#ifndef LOGITCHAIN_CLI_RULE_ORDER_H_
#define LOGITCHAIN_CLI_RULE_ORDER_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/registry/chain_text.h"

namespace logitchain {

// The text of a chain with its `processors { … }` entries in another order: entry order[i] stands
// where entry i stood. With an entry go the comment lines directly above it, the comment behind it
// on its last line, and the lines that go on with that comment below it, their # in one column.
// Every other byte stays where it is; so do the file's own comments "# proto-file: …" and
// "# proto-message: …".
//
// `chain` is ParseChainText of `text`; `order` has each index of its processors once.
// FailedPrecondition if the entries cannot be told apart in the text, as in `processors [ … ]`, or
// if an entry shares a line with another or with another field while there are comments outside the
// entries.
absl::StatusOr<std::string> ReorderRules(absl::string_view text, const ChainText& chain,
                                         absl::Span<const int> order);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_RULE_ORDER_H_
