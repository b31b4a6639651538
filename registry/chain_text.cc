#include "logitchain/registry/chain_text.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/did_you_mean.h"
#include "logitchain/registry/error_lines.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/registry/rule_config.h"
#include "logitchain/registry/text_places.h"
#include "logitchain/registry/text_range.h"

namespace logitchain {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::Message;
using google::protobuf::TextFormat;

// Deeper nesting than any chain has is refused before it can exhaust the stack.
constexpr int kMaxNesting = 32;

// Further ones are only counted.
// That UTF-8 needs none, some editors write it.
constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Where the parser is when it finds an error, and what it says.
struct ParserError {
  TextLocation location;
  std::string text;
};

// Keeps what the parser says. It stops at the first error, but goes on after a warning.
class ErrorList : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    errors_.push_back({{line + 1, column + 1}, message});
  }
  void AddWarning(int line, int column, const std::string& message) override {
    AddError(line, column, message);
  }

  const std::vector<ParserError>& errors() const { return errors_; }

 private:
  std::vector<ParserError> errors_;
};

// Remembers the type of an expanded Any that could not be found.
class PluginFinder : public TextFormat::Finder {
 public:
  const Descriptor* FindAnyType(const Message&, const std::string&,
                                const std::string& name) const override {
    // The parser does not count an Any in an Any as nesting, and would exhaust the stack.
    const Descriptor* found = name == "google.protobuf.Any"
                                  ? nullptr
                                  : DescriptorPool::generated_pool()->FindMessageTypeByName(name);
    if (found == nullptr) unknown_ = name;
    return found;
  }

  const std::string& unknown() const { return unknown_; }

 private:
  mutable std::string unknown_;
};

// "Message type "logitchain.TopKConfig" has no field named "n"." → a suggestion.
std::string SuggestField(absl::string_view error) {
  const std::vector<absl::string_view> quoted = absl::StrSplit(error, '"');
  if (quoted.size() != 5 || !absl::StrContains(quoted[2], "has no field named")) return "";
  const Descriptor* message =
      DescriptorPool::generated_pool()->FindMessageTypeByName(std::string(quoted[1]));
  if (message == nullptr) return "";
  std::vector<std::string> fields;
  for (int i = 0; i < message->field_count(); ++i) fields.push_back(message->field(i)->name());
  return absl::StrCat(DidYouMean(quoted[3], fields), "; it has ",
                      fields.empty() ? "no fields" : absl::StrJoin(fields, ", "));
}

// Whether the parser finds this error only behind the name or value that it is about.
bool IsBehindItsPlace(absl::string_view error) {
  constexpr absl::string_view kParts[] = {
      "has no field named",
      "is not defined or is not an extension of",
      "Could not find type",
      "is specified multiple times",
      "is specified along with field",
      "Unknown enumeration value",
      "Invalid value for boolean field",
  };
  return absl::c_any_of(kParts,
                        [error](absl::string_view part) { return absl::StrContains(error, part); });
}

// Whether nothing is wrong with the text but one value.
bool IsOfValue(absl::string_view error) {
  constexpr absl::string_view kParts[] = {
      "Unknown enumeration value", "Invalid value for boolean field",
      "Expected integer, got",     "Expected double, got",
      "Integer out of range",      "Expected integer or identifier",
  };
  return absl::c_any_of(kParts,
                        [error](absl::string_view part) { return absl::StartsWith(error, part); });
}

// Writes a number that the field takes over the value at this place, and keeps the rest where it
// is. False if no value is there, or if it is that already.
bool OverwriteValue(TextLocation location, absl::string_view number, std::string& text) {
  size_t begin = 0;
  for (int line = 1; line < location.line; ++line) begin = text.find('\n', begin) + 1;
  begin += OffsetInLine(absl::string_view(text).substr(begin), location.column);
  size_t end = begin;
  if (end < text.size() && text[end] == '-') end = text.find_first_not_of(" \t", end + 1);
  if (end >= text.size()) return false;
  if (text[end] == '"' || text[end] == '\'') {
    for (const char quote = text[end++]; end < text.size() && text[end] != quote; ++end) {
      if (text[end] == '\\') ++end;
    }
    end = std::min(end + 1, text.size());
  } else {
    while (end < text.size() &&
           (absl::ascii_isalnum(text[end]) || text[end] == '_' || text[end] == '.')) {
      ++end;
    }
  }
  if (end - begin < number.size() || text.substr(begin, end - begin) == number) return false;
  std::replace_if(
      text.begin() + begin, text.begin() + end, [](char c) { return c != '\n'; }, ' ');
  text.replace(begin, number.size(), std::string(number));
  return true;
}

// Finds all that keeps a text from being a chain.
class ErrorFinder {
 public:
  explicit ErrorFinder(const std::string& text)
      : text_(text), can_go_on_(DeepestNesting(text) <= kMaxNesting) {
    if (can_go_on_) enum_values_ = EnumValuePlaces(text, *ChainConfig::descriptor());
  }

  // By place.
  std::map<TextLocation, std::string> Find() {
    std::string rest = text_;
    while (errors_.size() <= kMaxErrorLines) {
      const std::optional<ParserError> last = Parse(rest);
      if (!last || !can_go_on_ || !IsOfValue(last->text)) break;
      const auto of_enum = enum_values_.find(last->location);
      const int number =
          of_enum == enum_values_.end() ? 0 : of_enum->second->enum_type()->value(0)->number();
      if (!OverwriteValue(last->location, absl::StrCat(number), rest)) break;
    }
    return std::move(errors_);
  }

 private:
  // Adds the errors of a text; the one that ended its parsing, if one did, has its place corrected.
  std::optional<ParserError> Parse(const std::string& text) {
    ErrorList list;
    PluginFinder finder;
    TextFormat::Parser parser;
    parser.RecordErrorsTo(&list);
    parser.SetFinder(&finder);
    parser.SetRecursionLimit(kMaxNesting);
    // What is skipped is not limited in depth.
    parser.AllowUnknownField(can_go_on_);
    ChainConfig ignored;
    const bool parsed = parser.ParseFromString(text, &ignored);
    std::optional<ParserError> last;
    for (const ParserError& error : list.errors()) {
      last = error;
      if (IsBehindItsPlace(error.text)) last->location = PlaceBefore(text, error.location);
      errors_.emplace(last->location, Explain(*last, finder));
    }
    if (parsed) last.reset();
    return last;
  }

  std::string Explain(const ParserError& error, const PluginFinder& finder) const {
    if (absl::StrContains(error.text, "Could not find type") && !finder.unknown().empty()) {
      return absl::StrCat(finder.unknown(), " ",
                          NotRegistered(finder.unknown(), ProcessorRegistry::Global()));
    }
    // What a warning says of an extension is an error here.
    const std::string said = absl::StrReplaceAll(
        error.text,
        {{"Ignoring extension", "Extension"}, {"which is not defined", "is not defined"}});
    absl::string_view text = said;
    absl::ConsumeSuffix(&text, ".");
    return absl::StrCat(text, SuggestField(error.text), SuggestValue(error));
  }

  // "Unknown enumeration value of "FOO" for field "dialect"" → a suggestion.
  std::string SuggestValue(const ParserError& error) const {
    const auto found = enum_values_.find(error.location);
    if (found == enum_values_.end() || !IsOfValue(error.text)) return "";
    const google::protobuf::EnumDescriptor& type = *found->second->enum_type();
    std::vector<std::string> names;
    for (int i = 0; i < type.value_count(); ++i) names.push_back(type.value(i)->name());
    const std::vector<absl::string_view> quoted = absl::StrSplit(error.text, '"');
    const std::string value = quoted.size() == 5 ? absl::AsciiStrToUpper(quoted[1]) : "";
    return absl::StrCat(value.empty() ? "" : DidYouMean(value, names), "; it has ",
                        absl::StrJoin(names, ", "));
  }

  const std::string& text_;
  const bool can_go_on_;
  std::map<TextLocation, const google::protobuf::FieldDescriptor*> enum_values_;
  std::map<TextLocation, std::string> errors_;
};

std::string Located(absl::string_view filename, TextLocation location, absl::string_view message) {
  return absl::StrCat(filename, ":", location.line, ":", location.column, ": ", message);
}

// A line for each.
std::string Listed(absl::string_view filename, const std::map<TextLocation, std::string>& errors) {
  std::vector<std::string> lines;
  for (const auto& [location, text] : errors) lines.push_back(Located(filename, location, text));
  return ErrorLines(lines);
}

bool IsChain(const std::string& text, ChainConfig& config) {
  ErrorList errors;
  PluginFinder finder;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.SetFinder(&finder);
  parser.SetRecursionLimit(kMaxNesting);
  return parser.ParseFromString(text, &config) && errors.errors().empty();
}

}  // namespace

std::string ChainText::Describe(const ConfigProblem& problem) const {
  const std::string text =
      problem.path.empty() ? problem.message : absl::StrCat(problem.path, " ", problem.message);
  if (const auto giver = given.find(problem.path); giver != given.end()) {
    return absl::StrCat(giver->second, ": ", text);
  }
  for (absl::string_view path = problem.path; !path.empty();
       path = path.substr(0, path.find_last_of(".["))) {
    const auto found = ranges.find(path);
    if (found != ranges.end()) return Located(filename, found->second.begin, text);
    if (!absl::StrContains(path, '.') && !absl::StrContains(path, '[')) break;
  }
  return absl::StrCat(filename, ": ", text);
}

absl::StatusOr<ChainText> ParseChainText(absl::string_view text, absl::string_view filename) {
  if (text.size() > kMaxConfigBytes) {
    return absl::InvalidArgumentError(absl::StrCat(filename, ": the config has ", text.size(),
                                                   " bytes; at most ", kMaxConfigBytes,
                                                   " are allowed"));
  }
  ChainText chain = {.filename = std::string(filename)};
  absl::ConsumePrefix(&text, kByteOrderMark);
  const std::string input(text);
  if (!IsChain(input, chain.config)) {
    return absl::InvalidArgumentError(Listed(filename, ErrorFinder(input).Find()));
  }
  chain.ranges = FieldPlaces(input, *ChainConfig::descriptor());
  return chain;
}

absl::StatusOr<ChainText> ReadChainFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return absl::NotFoundError(absl::StrCat(path, ": cannot open: ", std::strerror(errno)));
  }
  // One byte more than allowed tells a file that is too long, however long it is.
  std::string text(kMaxConfigBytes + 1, '\0');
  file.read(text.data(), text.size());
  text.resize(file.gcount());
  if (file.bad() || (file.fail() && !file.eof())) {
    return absl::DataLossError(absl::StrCat(path, ": cannot read: ", std::strerror(errno)));
  }
  return ParseChainText(text, path);
}

}  // namespace logitchain
