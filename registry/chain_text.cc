#include "logitchain/registry/chain_text.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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

// Keeps the first error; the parser stops there.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (!text_.empty()) return;
    location_ = {line + 1, column + 1};
    text_ = message;
  }
  void AddWarning(int line, int column, const std::string& message) override {
    AddError(line, column, message);
  }

  bool empty() const { return text_.empty(); }
  TextLocation location() const { return location_; }
  const std::string& text() const { return text_; }

 private:
  TextLocation location_;
  std::string text_;
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
  return absl::StrCat(DidYouMean(quoted[3], fields), "; it has ", absl::StrJoin(fields, ", "));
}

std::string Explain(const FirstError& error, const PluginFinder& finder) {
  if (!finder.unknown().empty()) {
    return absl::StrCat(finder.unknown(), " ",
                        NotRegistered(finder.unknown(), ProcessorRegistry::Global()));
  }
  absl::string_view text = error.text();
  absl::ConsumeSuffix(&text, ".");
  return absl::StrCat(text, SuggestField(error.text()));
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

std::string Located(absl::string_view filename, TextLocation location, absl::string_view message) {
  return absl::StrCat(filename, ":", location.line, ":", location.column, ": ", message);
}

}  // namespace

std::string ChainText::Describe(const ConfigProblem& problem) const {
  const std::string text =
      problem.path.empty() ? problem.message : absl::StrCat(problem.path, " ", problem.message);
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
  const std::string input(text);
  FirstError error;
  PluginFinder finder;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.SetFinder(&finder);
  parser.SetRecursionLimit(kMaxNesting);
  const bool parsed = parser.ParseFromString(input, &chain.config);
  if (!parsed || !error.empty()) {
    const TextLocation location =
        IsBehindItsPlace(error.text()) ? PlaceBefore(input, error.location()) : error.location();
    return absl::InvalidArgumentError(Located(filename, location, Explain(error, finder)));
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
