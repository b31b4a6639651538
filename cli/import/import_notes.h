#ifndef LOGITCHAIN_CLI_IMPORT_IMPORT_NOTES_H_
#define LOGITCHAIN_CLI_IMPORT_IMPORT_NOTES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {

// What became of the parameters of an imported file, for the comments of the chain.
struct ImportNotes {
  std::vector<std::string> generate_flags;  // "/max_tokens as --max_tokens=64"
  std::vector<std::string> others;          // Of no chain.
  std::vector<std::string> neutral;         // They do nothing by their value.
  std::vector<std::string> unused;          // Nor do these; with the reason.
  std::vector<std::string> ignored;         // Cannot be honoured.
  std::vector<std::string> draw;            // They made the draw.

  void AddGenerateFlag(const ParameterRow& row, const SourceParameter& parameter);
  void AddUnused(const SourceParameter& parameter, absl::string_view reason);

  // The paragraphs at the head of the chain.
  std::vector<std::string> Head(absl::string_view filename, const ImportTable& table) const;

  // What stands above a draw that is not greedy.
  std::string DrawComment(bool has_seed, const ImportTable& table) const;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_IMPORT_NOTES_H_
