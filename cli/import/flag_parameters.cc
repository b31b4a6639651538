#include "logitchain/cli/import/flag_parameters.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/shell_words.h"
#include "logitchain/cli/import/source_value.h"

namespace logitchain {
namespace {

// "-1" and "-.5" are values.
bool LooksLikeFlag(absl::string_view word) {
  return word.size() > 1 && word[0] == '-' && !absl::ascii_isdigit(word[1]) && word[1] != '.';
}

bool IsOneOf(absl::string_view word, absl::string_view names) {
  return absl::c_linear_search(std::vector<absl::string_view>(absl::StrSplit(names, ' ')), word);
}

// "15043+1.5" as [[15043,+1.5]], "15043-inf" likewise; what is no such text stays one.
SourceValue BiasOf(absl::string_view text) {
  const size_t sign = text.find_first_of("+-");
  if (sign == text.npos) return {.kind = SourceValue::Kind::kString, .text = std::string(text)};
  std::string bias = absl::AsciiStrToLower(text.substr(sign));
  if (absl::EndsWith(bias, "infinity")) bias.resize(bias.size() - std::strlen("inity"));
  SourceValue pair = {.kind = SourceValue::Kind::kList};
  for (const absl::string_view number : {text.substr(0, sign), absl::string_view(bias)}) {
    pair.elements.push_back({.kind = SourceValue::Kind::kNumber, .text = std::string(number)});
  }
  return {.kind = SourceValue::Kind::kList, .elements = {pair}};
}

// The list of a text.
SourceValue OneText(absl::string_view text, bool is_escaped) {
  std::string unescaped;
  if (!is_escaped || !absl::CUnescape(text, &unescaped)) unescaped = std::string(text);
  return {.kind = SourceValue::Kind::kList,
          .elements = {{.kind = SourceValue::Kind::kString, .text = unescaped}}};
}

// "\\n" as the list of a line break: a text that is one of a list, with the escapes of C; "none" as
// an empty list.
SourceValue TextOf(absl::string_view text) {
  SourceValue list = {.kind = SourceValue::Kind::kList};
  if (text == "none") return list;
  return OneText(text, /*is_escaped=*/true);
}

// What a value's text is where a parameter of this key must be of some kind, or else a text.
SourceValue ValueOf(const ImportTable& table, absl::string_view key, absl::string_view text,
                    bool is_escaped) {
  const auto* row =
      absl::c_find_if(table.parameters, [key](const ParameterRow& row) { return row.key == key; });
  SourceValue::Kind kind = SourceValue::Kind::kString;
  if (row != table.parameters.end()) {
    if (row->kind == ValueKind::kBiases) return BiasOf(text);
    if (row->kind == ValueKind::kTexts) return TextOf(text);
    if (row->kind == ValueKind::kTextOrTexts) return OneText(text, is_escaped);
    if (row->kind == ValueKind::kNumber || row->kind == ValueKind::kWhole) {
      kind = SourceValue::Kind::kNumber;
    } else if (row->kind == ValueKind::kSwitch) {
      kind = SourceValue::Kind::kBool;
    }
  }
  return {.kind = kind, .text = std::string(text)};
}

// Whether the command line has the values of this key in another way than JSON.
bool HasOwnSyntax(const ImportTable& table, absl::string_view key) {
  return absl::c_any_of(table.parameters, [key](const ParameterRow& row) {
    return row.key == key && (row.kind == ValueKind::kBiases || row.kind == ValueKind::kTexts ||
                              row.kind == ValueKind::kTextOrTexts);
  });
}

SourceValue ListOf(absl::string_view text) {
  SourceValue list = {.kind = SourceValue::Kind::kList};
  for (const absl::string_view part : absl::StrSplit(text, ';', absl::SkipEmpty())) {
    list.elements.push_back({.kind = SourceValue::Kind::kString, .text = std::string(part)});
  }
  return list;
}

class FlagReader {
 public:
  FlagReader(absl::Span<const ShellWord> words, absl::string_view filename,
             const ImportTable& table)
      : words_(words), filename_(filename), table_(table) {}

  absl::StatusOr<std::vector<SourceParameter>> Read() {
    ReadVariables();
    for (bool saw_flag = false; next_ < words_.size();) {
      const ShellWord& word = words_[next_++];
      if (LooksLikeFlag(word.text)) {
        saw_flag = true;
        if (absl::Status status = ReadFlag(word); !status.ok()) return status;
      } else if (saw_flag && !table_.takes_arguments) {
        return Error(word, absl::StrCat("\"", Shown(word.text), "\" belongs to no flag"));
      }
    }
    return std::move(parameters_);
  }

 private:
  // The variables that are set for the command.
  void ReadVariables() {
    if (table_.variable_prefix.empty()) return;
    for (const ShellWord& word : words_) {
      const std::pair<absl::string_view, absl::string_view> parts =
          absl::StrSplit(word.text, absl::MaxSplits('=', 1));
      if (LooksLikeFlag(word.text)) return;
      if (!absl::StartsWith(parts.first, table_.variable_prefix)) continue;
      Add("", word, parts.first,
          {.kind = SourceValue::Kind::kString, .text = std::string(parts.second)});
    }
  }

  absl::Status ReadFlag(const ShellWord& word) {
    const size_t equals = absl::StartsWith(word.text, "--") ? word.text.find('=') : word.text.npos;
    const absl::string_view name = absl::string_view(word.text).substr(0, equals);
    std::optional<absl::string_view> value;
    if (equals != word.text.npos) value = absl::string_view(word.text).substr(equals + 1);
    const FlagRow* row = Find(name);
    if (row == nullptr) {
      ReadUnknown(word, name, value);
      return absl::OkStatus();
    }
    if (row->values == 0 && value) {
      return Error(word, absl::StrCat(Shown(name), " takes no value"));
    }
    if (row->values == 0) value = row->value.empty() ? "true" : row->value;
    for (int i = value ? 1 : 0; i < row->values; ++i) {
      if (next_ == words_.size()) {
        return Error(word, absl::StrCat(Shown(name), " needs a value"));
      }
      value = words_[next_++].text;
    }
    if (row->values == FlagRow::kOptionalWord) SkipOptionalWord();
    if (row->key.empty()) return absl::OkStatus();
    Add(row->key, word, name,
        row->is_list ? ListOf(*value) : ValueOf(table_, row->key, *value, row->is_escaped));
    SourceParameter& added = parameters_.back();
    added.is_switch = row->values == 0;
    if (row->is_list || HasOwnSyntax(table_, row->key)) added.spelling = std::string(*value);
    return absl::OkStatus();
  }

  const FlagRow* Find(absl::string_view name) const {
    std::string spelled(name);
    if (table_.flags_take_underscores && absl::StartsWith(name, "--")) {
      absl::StrReplaceAll({{"_", "-"}}, &spelled);
    }
    const auto* row = absl::c_find_if(
        table_.flags, [&spelled](const FlagRow& row) { return IsOneOf(spelled, row.names); });
    return row == table_.flags.end() ? nullptr : row;
  }

  void ReadUnknown(const ShellWord& word, absl::string_view name,
                   std::optional<absl::string_view> value) {
    if (!value && next_ < words_.size() && !LooksLikeFlag(words_[next_].text)) {
      value = words_[next_++].text;
    }
    SourceValue source = {.kind = SourceValue::Kind::kBool, .text = "true"};
    if (value) source = {.kind = SourceValue::Kind::kString, .text = std::string(*value)};
    Add("", word, name, std::move(source));
  }

  void SkipOptionalWord() {
    if (next_ < words_.size() && IsOneOf(words_[next_].text, "on off auto")) ++next_;
  }

  void Add(absl::string_view key, const ShellWord& word, absl::string_view name,
           SourceValue value) {
    parameters_.push_back({.key = std::string(key),
                           .name = Shown(name),
                           .value = std::move(value),
                           .location = word.location});
  }

  absl::Status Error(const ShellWord& word, absl::string_view message) const {
    return absl::InvalidArgumentError(absl::StrCat(Prefix(filename_, word.location), message));
  }

  absl::Span<const ShellWord> words_;
  absl::string_view filename_;
  const ImportTable& table_;
  size_t next_ = 0;
  std::vector<SourceParameter> parameters_;
};

}  // namespace

absl::StatusOr<std::vector<SourceParameter>> ParseFlagParameters(absl::string_view text,
                                                                 absl::string_view filename,
                                                                 const ImportTable& table) {
  const absl::StatusOr<std::vector<ShellWord>> words = SplitShellWords(text, filename);
  if (!words.ok()) return words.status();
  return FlagReader(*words, filename, table).Read();
}

}  // namespace logitchain
