#include "logitchain/cli/flags.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "logitchain/cli/text_layout.h"
#include "logitchain/cli/usage_error.h"
#include "logitchain/registry/did_you_mean.h"

namespace logitchain {
namespace {

bool IsSwitch(const Flag& flag) { return std::holds_alternative<bool*>(flag.target); }

// "--chain=FILE", or "--json".
std::string Spelled(const Flag& flag) {
  return absl::StrCat("--", flag.name, IsSwitch(flag) ? "" : "=", flag.value_name);
}

absl::Status BadValue(const Flag& flag, absl::string_view value, absl::string_view expected) {
  return UsageError(absl::StrCat("--", flag.name, " is \"", value, "\"; it must be ", expected));
}

// Sets a flag's variable from the text of a value.
class ValueSetter {
 public:
  ValueSetter(const Flag& flag, absl::string_view text) : flag_(flag), text_(text) {}

  absl::Status operator()(bool* target) const {
    if (text_ != "true" && text_ != "false") return BadValue(flag_, text_, "true or false");
    *target = text_ == "true";
    return absl::OkStatus();
  }

  absl::Status operator()(std::string* target) const {
    *target = std::string(text_);
    return absl::OkStatus();
  }

  absl::Status operator()(std::optional<std::string>* target) const {
    *target = std::string(text_);
    return absl::OkStatus();
  }

  absl::Status operator()(std::vector<std::string>* target) const {
    target->emplace_back(text_);
    return absl::OkStatus();
  }

  absl::Status operator()(int64_t* target) const {
    int64_t value;
    if (!absl::SimpleAtoi(text_, &value) || value < flag_.min || value > flag_.max) {
      return BadValue(flag_, text_,
                      absl::StrCat("a whole number from ", flag_.min, " to ", flag_.max));
    }
    *target = value;
    return absl::OkStatus();
  }

  absl::Status operator()(std::optional<int64_t>* target) const {
    return (*this)(&target->emplace());
  }

  absl::Status operator()(std::optional<uint64_t>* target) const {
    if (absl::SimpleAtoi(text_, &target->emplace())) return absl::OkStatus();
    return BadValue(flag_, text_, absl::StrCat("a whole number from 0 to ", UINT64_MAX));
  }

 private:
  const Flag& flag_;
  absl::string_view text_;
};

class FlagParser {
 public:
  FlagParser(absl::Span<const std::string> arguments, absl::Span<const Flag> flags)
      : rest_(arguments), flags_(flags) {}

  absl::Status Parse() {
    while (!rest_.empty()) {
      const absl::string_view argument = rest_.front();
      rest_.remove_prefix(1);
      if (argument == "--") {
        positional_.insert(positional_.end(), rest_.begin(), rest_.end());
        break;
      }
      if (argument.size() < 2 || argument[0] != '-') {
        positional_.emplace_back(argument);
      } else if (absl::Status status = ParseFlag(argument); !status.ok()) {
        return status;
      }
    }
    return CheckRequired();
  }

  std::vector<std::string> TakePositional() { return std::move(positional_); }

 private:
  absl::Status ParseFlag(absl::string_view argument) {
    const size_t equals = argument.find('=');
    const absl::string_view dashed_name = argument.substr(0, equals);
    const auto flag = absl::c_find_if(
        flags_, [&](const Flag& flag) { return dashed_name == absl::StrCat("--", flag.name); });
    if (dashed_name == "--help") return UsageError("--help takes no value");
    if (flag == flags_.end()) return UnknownFlag(dashed_name);
    const bool repeats = std::holds_alternative<std::vector<std::string>*>(flag->target);
    if (!given_.insert(flag->name).second && !repeats) {
      return UsageError(absl::StrCat(dashed_name, " is given twice"));
    }
    std::optional<absl::string_view> value;
    if (equals != argument.npos) {
      value = argument.substr(equals + 1);
    } else {
      value = IsSwitch(*flag) ? "true" : NextValue();
    }
    if (!value) {
      return UsageError(absl::StrCat(dashed_name, " needs a value, as in ", Spelled(*flag)));
    }
    if (absl::StartsWith(flag->value_name, "FILE")) {
      if (absl::Status status = CheckFileName(dashed_name, *value); !status.ok()) return status;
    }
    return std::visit(ValueSetter(*flag, *value), flag->target);
  }

  std::optional<absl::string_view> NextValue() {
    if (rest_.empty() || absl::StartsWith(rest_.front(), "--")) return std::nullopt;
    const absl::string_view value = rest_.front();
    rest_.remove_prefix(1);
    return value;
  }

  absl::Status UnknownFlag(absl::string_view dashed_name) const {
    std::vector<std::string> known = {"--help"};
    for (const Flag& flag : flags_) known.push_back(absl::StrCat("--", flag.name));
    return UsageError(
        absl::StrCat("there is no flag ", dashed_name, DidYouMean(dashed_name, known)));
  }

  absl::Status CheckRequired() const {
    std::vector<std::string> missing;
    for (const Flag& flag : flags_) {
      if (flag.required && !given_.contains(flag.name)) missing.push_back(Spelled(flag));
    }
    if (missing.empty()) return absl::OkStatus();
    return UsageError(absl::StrCat(absl::StrJoin(missing, " and "),
                                   missing.size() == 1 ? " is" : " are", " missing"));
  }

  absl::Span<const std::string> rest_;
  absl::Span<const Flag> flags_;
  absl::flat_hash_set<std::string> given_;
  std::vector<std::string> positional_;
};

// What the help says of a flag's default, from the variable; nothing where the flag's own text is
// to say what is done without it.
struct DefaultText {
  std::string operator()(const bool* target) const { return *target ? " (default: true)" : ""; }
  std::string operator()(const std::string* target) const {
    return target->empty() ? "" : absl::StrCat(" (default: ", *target, ")");
  }
  std::string operator()(const int64_t* target) const {
    return absl::StrCat(" (default: ", *target, ")");
  }
  template <typename Other>
  std::string operator()(const Other*) const {
    return "";
  }
};

}  // namespace

absl::Status CheckFileName(absl::string_view name, absl::string_view value) {
  if (value.empty()) {
    return UsageError(absl::StrCat(name, " is \"\"; it must be the name of a file"));
  }
  if (value != "-") return absl::OkStatus();
  return UsageError(absl::StrCat(name,
                                 " is \"-\"; write ./- for a file of that name: only import takes "
                                 "- for a standard stream"));
}

absl::StatusOr<std::vector<std::string>> ParseFlags(absl::Span<const std::string> arguments,
                                                    absl::Span<const Flag> flags) {
  FlagParser parser(arguments, flags);
  if (absl::Status status = parser.Parse(); !status.ok()) return status;
  return parser.TakePositional();
}

std::string FlagsHelp(absl::Span<const Flag> flags) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const Flag& flag : flags) {
    const std::string addition =
        flag.required ? " (required)" : std::visit(DefaultText(), flag.target);
    entries.emplace_back(Spelled(flag), absl::StrCat(flag.help, addition));
  }
  entries.emplace_back("--help", "show this text");
  return DefinitionList(entries);
}

}  // namespace logitchain
