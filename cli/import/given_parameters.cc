#include "logitchain/cli/import/given_parameters.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "logitchain/cli/import/flag_parameters.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/json_parameters.h"
#include "logitchain/cli/import/source_value.h"
#include "logitchain/cli/import/structured_output.h"
#include "logitchain/registry/did_you_mean.h"

namespace logitchain {
namespace {

std::vector<std::string> Words(absl::string_view text) {
  return absl::StrSplit(text, ' ', absl::SkipEmpty());
}

bool IsFlag(const SourceParameter& parameter) { return absl::StartsWith(parameter.name, "-"); }

bool LooksLikeJson(absl::string_view text, const ImportTable& table) {
  if (table.flags.empty()) return true;
  if (!table.reads_json) return false;
  absl::ConsumePrefix(&text, "\xEF\xBB\xBF");
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != text.npos && (text[first] == '{' || text[first] == '[');
}

const OtherRow* FindOther(absl::string_view key, const ImportTable& table) {
  const auto* row = absl::c_find_if(table.others, [key](const OtherRow& row) {
    return absl::c_linear_search(Words(row.keys), key);
  });
  return row == table.others.end() ? nullptr : row;
}

// The names that a parameter of this spelling could have meant.
std::vector<std::string> KnownNames(bool is_flag, const ImportTable& table) {
  std::vector<std::string> names;
  for (const FlagRow& row : table.flags) {
    if (is_flag) absl::c_move(Words(row.names), std::back_inserter(names));
  }
  for (const ParameterRow& row : table.parameters) {
    if (!is_flag) names.push_back(absl::StrCat("/", absl::StrReplaceAll(row.key, {{".", "/"}})));
  }
  for (const OtherRow& row : table.others) {
    for (const std::string& key : Words(row.keys)) {
      if (!is_flag) names.push_back(absl::StrCat("/", key));
    }
  }
  return names;
}

// Of a parameter that is given again the later value counts, but biases add up, and so do texts
// until a value says that there are none.
void AddKnown(const ParameterRow& row, SourceParameter parameter, GivenParameters& given) {
  const bool adds_up = row.kind == ValueKind::kBiases || row.kind == ValueKind::kTexts ||
                       row.kind == ValueKind::kTextOrTexts;
  const bool starts_anew = row.kind == ValueKind::kTexts && parameter.value.elements.empty();
  if (adds_up) {
    SourceParameter part = parameter;
    const auto earlier = given.known.find(row.key);
    if (earlier != given.known.end() && !starts_anew) {
      parameter.parts = earlier->second.parts;
      const std::vector<SourceValue>& values = earlier->second.value.elements;
      parameter.value.elements.insert(parameter.value.elements.begin(), values.begin(),
                                      values.end());
    }
    parameter.parts.push_back(std::move(part));
  }
  given.known.insert_or_assign(std::string(row.key), std::move(parameter));
}

void AddParameter(const ImportTable& table, SourceParameter parameter, GivenParameters& given) {
  const std::string key = parameter.key;
  const auto* row =
      absl::c_find_if(table.parameters, [&key](const ParameterRow& row) { return row.key == key; });
  if (row != table.parameters.end()) return AddKnown(*row, std::move(parameter), given);
  const OtherRow* other = FindOther(key, table);
  if (other == nullptr) {
    given.unknown.push_back(std::move(parameter));
  } else {
    given.others.push_back(parameter.name);
  }
}

bool IsSupported(absl::string_view key, const ImportTable& table) {
  return absl::c_any_of(table.parameters, [key](const ParameterRow& row) {
    return row.key == key && !row.targets.empty();
  });
}

}  // namespace

absl::StatusOr<GivenParameters> ReadParameters(absl::string_view text, absl::string_view filename,
                                               const ImportTable& table) {
  absl::StatusOr<std::vector<SourceParameter>> parameters =
      LooksLikeJson(text, table) ? ParseJsonParameters(text, filename)
                                 : ParseFlagParameters(text, filename, table);
  if (!parameters.ok()) return parameters.status();
  GivenParameters given;
  for (SourceParameter& whole : *parameters) {
    if (whole.value.kind != SourceValue::Kind::kNull) given.keys.insert(whole.key);
    for (SourceParameter& part : PartsOfStructuredOutput(std::move(whole), table)) {
      AddParameter(table, std::move(part), given);
    }
  }
  return given;
}

std::string DescribeUnknown(const SourceParameter& parameter, const ImportTable& table) {
  if (!table.variable_prefix.empty() && absl::StartsWith(parameter.name, table.variable_prefix)) {
    return absl::StrCat("is ", Shown(parameter.value),
                        "; variables are not read: write it as a flag");
  }
  const bool is_flag = IsFlag(parameter);
  return absl::StrCat("is ", Shown(parameter.value), "; ", table.system, " has no such ",
                      is_flag ? "flag" : "parameter",
                      DidYouMean(parameter.name, KnownNames(is_flag, table)));
}

std::string SupportedNames(bool is_flag, const ImportTable& table) {
  std::vector<std::string> names;
  for (const FlagRow& row : table.flags) {
    if (is_flag && IsSupported(row.key, table)) names.push_back(Words(row.names).front());
  }
  for (const ParameterRow& row : table.parameters) {
    if (is_flag || row.targets.empty()) continue;
    const std::string key(row.key.substr(0, row.key.find('.')));  // Of a part, the whole.
    if (!absl::c_linear_search(names, key)) names.push_back(key);
  }
  return absl::StrJoin(names, ", ");
}

std::string Spelled(const SourceParameter& parameter) {
  if (!parameter.parts.empty()) {
    return absl::StrJoin(parameter.parts, ", ", [](std::string* out, const SourceParameter& part) {
      absl::StrAppend(out, Spelled(part));
    });
  }
  if (!IsFlag(parameter)) return absl::StrCat(parameter.name, ": ", ShownValue(parameter));
  if (parameter.is_switch) return parameter.name;
  return absl::StrCat(parameter.name, " ", ShownValue(parameter));
}

}  // namespace logitchain
