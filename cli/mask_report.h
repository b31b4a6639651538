#ifndef LOGITCHAIN_CLI_MASK_REPORT_H_
#define LOGITCHAIN_CLI_MASK_REPORT_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/grammar/engine/matcher.h"
#include "nlohmann/json.hpp"

namespace logitchain {

// What may come behind the text that a matcher has followed, and what is wrong with the rest.
struct MaskReport {
  // Tokens that are refused for the same cause.
  struct Refusal {
    std::string cause;
    int64_t count;
    TokenId example;  // The first one.
  };

  bool may_end;
  std::string forced;            // What the text must go on with, as far as there is no choice.
  int64_t allowed_count;         // Of all tokens that may come.
  std::vector<TokenId> allowed;  // The first of them.
  std::vector<Refusal> refused;  // The most frequent cause first.
};

// The ids that a grammar_mask names besides its grammar. No `allowed` ids allow all.
struct MaskIds {
  absl::flat_hash_set<TokenId> allowed = {};
  absl::flat_hash_set<TokenId> banned = {};
};

// With at most `limit` allowed tokens.
absl::StatusOr<MaskReport> ReportMask(Matcher& matcher, const Vocabulary& vocabulary,
                                      const MaskIds& ids, int64_t limit);

// As tables for people.
void PrintMaskReport(const MaskReport& report, const Vocabulary& vocabulary, std::ostream& out);

nlohmann::ordered_json MaskReportAsJson(const MaskReport& report, const Vocabulary& vocabulary);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_MASK_REPORT_H_
