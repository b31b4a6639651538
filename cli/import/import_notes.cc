#include "logitchain/cli/import/import_notes.h"

#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/import/given_parameters.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {
namespace {

void AddList(absl::string_view title, std::vector<std::string> items,
             std::vector<std::string>& paragraphs) {
  if (items.empty()) return;
  absl::c_sort(items);
  paragraphs.push_back(absl::StrCat(title, ": ", absl::StrJoin(items, ", "), "."));
}

}  // namespace

void ImportNotes::AddGenerateFlag(const ParameterRow& row, const SourceParameter& parameter) {
  std::string flags(row.generate_flag);
  if (absl::EndsWith(flags, "=")) {
    const SourceValue& value = parameter.value;
    const bool is_list = value.kind == SourceValue::Kind::kList;
    flags = absl::StrJoin(is_list ? value.elements : std::vector<SourceValue>{value}, " ",
                          [&row](std::string* out, const SourceValue& element) {
                            absl::StrAppend(out, row.generate_flag, Shown(element));
                          });
  }
  generate_flags.push_back(absl::StrCat(parameter.name, " as ", flags));
}

void ImportNotes::AddUnused(const SourceParameter& parameter, absl::string_view reason) {
  unused.push_back(absl::StrCat(Spelled(parameter), " (", reason, ")"));
}

std::vector<std::string> ImportNotes::Head(absl::string_view filename,
                                           const ImportTable& table) const {
  std::vector<std::string> head = {
      absl::StrCat("Imported from ", Shown(filename), ", ", table.input,
                   ", by `logitchain import --from=", table.name, "`.")};
  AddList("Not of the chain, but for `logitchain generate`", generate_flags, head);
  AddList("Not of the chain", others, head);
  AddList("Off, and so without a rule", neutral, head);
  AddList("Without effect", unused, head);
  for (const std::string& text : ignored) head.push_back(absl::StrCat("Ignored: ", text, "."));
  return head;
}

std::string ImportNotes::DrawComment(bool has_seed, const ImportTable& table) const {
  std::string comment = absl::StrJoin(draw, ", ");
  if (!has_seed) {
    absl::StrAppend(&comment, comment.empty() ? "" : ". ", "No seed is given: ", table.system,
                    " takes a random one, this chain 0");
  }
  return absl::StrCat(comment, ". ", table.draw_comment);
}

}  // namespace logitchain
