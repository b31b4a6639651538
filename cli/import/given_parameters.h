#ifndef LOGITCHAIN_CLI_IMPORT_GIVEN_PARAMETERS_H_
#define LOGITCHAIN_CLI_IMPORT_GIVEN_PARAMETERS_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {

// The parameters that a text gives, told apart.
struct GivenParameters {
  // The keys of all that are not null.
  absl::flat_hash_set<std::string> keys;
  // Those about sampling, by key. Of a flag that is given more than once the last one counts;
  // token biases and texts add up.
  absl::flat_hash_map<std::string, SourceParameter> known;
  // Those that are nothing to logitchain.
  std::vector<std::string> others;
  std::vector<SourceParameter> unknown;
};

// Reads a text as what the table says that it may be: a JSON object if it begins with a bracket and
// the system has requests, else a command line.
absl::StatusOr<GivenParameters> ReadParameters(absl::string_view text, absl::string_view filename,
                                               const ImportTable& table);

// "is \"x\"; OpenAI has no such parameter (did you mean …?)"
std::string DescribeUnknown(const SourceParameter& parameter, const ImportTable& table);

// The names of the parameters, or of the flags, that a chain can honour: "top_k, top_p".
std::string SupportedNames(bool is_flag, const ImportTable& table);

// "/top_k: 40", "--top-k 40", and of values that add up "-l 5+1, -l 7-2".
std::string Spelled(const SourceParameter& parameter);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_GIVEN_PARAMETERS_H_
