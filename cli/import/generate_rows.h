#ifndef LOGITCHAIN_CLI_IMPORT_GENERATE_ROWS_H_
#define LOGITCHAIN_CLI_IMPORT_GENERATE_ROWS_H_

#include "absl/strings/string_view.h"
#include "logitchain/cli/import/import_table.h"

namespace logitchain {

// Parameters that several systems have and that are not of a chain, but of `logitchain generate`.
// Numbers must be what its flags take.

inline constexpr absl::string_view kOnlyTheDrawnToken =
    "it asks for the log-probabilities of other tokens than the one that is drawn, and `logitchain "
    "generate` prints that one's only";

constexpr ParameterRow MaxTokensRow(absl::string_view key,
                                    absl::string_view range = "[1, 1048576]") {
  return {.key = key, .kind = ValueKind::kWhole, .range = range, .generate_flag = "--max_tokens="};
}

constexpr ParameterRow StopRow(absl::string_view key) {
  return {.key = key, .kind = ValueKind::kTextOrTexts, .generate_flag = "--stop="};
}

constexpr ParameterRow CompletionsRow(absl::string_view key) {
  return {.key = key, .kind = ValueKind::kWhole, .range = "[1, 10000]", .generate_flag = "--n="};
}

constexpr ParameterRow PromptRow(absl::string_view key) {
  return {.key = key, .kind = ValueKind::kAny, .generate_flag = "--prompt"};
}

// Of response_format: a schema that it has, and that any JSON may come.
constexpr ParameterRow ResponseSchemaRow() {
  return {.key = "response_format.schema",
          .kind = ValueKind::kJson,
          .targets = "grammar_mask.json_schema",
          .empty_counts = true};
}

constexpr ParameterRow ResponseJsonRow() {
  return {.key = "response_format.json_object",
          .kind = ValueKind::kSwitch,
          .targets = "grammar_mask.json"};
}

// A switch, or how many tokens beside the drawn one.
constexpr ParameterRow LogprobsRow(absl::string_view key) {
  return {.key = key,
          .kind = ValueKind::kSwitchOrWhole,
          .refused = "(-inf,-1] [1,inf)",
          .why = kOnlyTheDrawnToken,
          .generate_flag = "--logprobs=raw"};
}

constexpr ParameterRow TopLogprobsRow(absl::string_view key) {
  return {.key = key, .kind = ValueKind::kWhole, .neutral = "[0, 0]", .why = kOnlyTheDrawnToken};
}

constexpr ParameterRow ToolChoiceRow(absl::string_view key) {
  return {
      .key = key,
      .kind = ValueKind::kAny,
      .neutral = R"("none" "auto")",
      .why = "a call of a tool would be forced by a grammar, which `import` does not translate"};
}

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_GENERATE_ROWS_H_
