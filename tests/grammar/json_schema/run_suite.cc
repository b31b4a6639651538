// run_suite FOLDER
//
// Judges the documents of the JSON Schema Test Suite by the grammars of their schemas. FOLDER is
// the suite's tests/draft2020-12. Prints, by file, how many documents are judged rightly, how many
// have a schema that is refused with an error, and how many are judged wrongly; and a line about
// each wrong one. Exits with 1 if there is one that kLimits does not explain.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "logitchain/core/files/read_text_file.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/json/json_value.h"
#include "logitchain/grammar/json_schema/json_schema.h"
#include "logitchain/tests/grammar/engine/token_indexes.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

constexpr int64_t kMaxFileSize = int64_t{1} << 24;

// Valid documents that are refused, as json_schema.h says.
struct Limit {
  absl::string_view file;
  absl::string_view why;
};
constexpr Limit kLimits[] = {
    {"format.json", "formats are asserted, where the suite's default is that they say nothing"},
    {"optional/format/hostname.json", "no label of a hostname has hyphens third and fourth"},
    {"optional/float-overflow.json", "numbers with a divisor have no exponent"},
};

enum Judgement { kRight, kRefusedSchema, kWithinLimits, kWrong };
using Counts = std::array<int, 4>;

std::string Quoted(absl::string_view text) { return nlohmann::json(std::string(text)).dump(); }

// Numbers as they were written, and no white space.
std::string TextOf(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::kNull:
      return "null";
    case JsonValue::Kind::kBool:
      return value.boolean ? "true" : "false";
    case JsonValue::Kind::kNumber:
      return value.text;
    case JsonValue::Kind::kString:
      return Quoted(value.text);
    case JsonValue::Kind::kArray:
    case JsonValue::Kind::kObject:
      break;
  }
  std::string text;
  for (size_t i = 0; i < value.elements.size(); ++i) {
    const std::string name = value.is_object() ? Quoted(value.keys[i]) + ":" : "";
    absl::StrAppend(&text, i == 0 ? "" : ",", name, TextOf(value.elements[i]));
  }
  return value.is_object() ? absl::StrCat("{", text, "}") : absl::StrCat("[", text, "]");
}

bool IsGroup(const JsonValue& group) {
  const JsonValue* tests = group.Find("tests");
  return group.Find("schema") != nullptr && tests != nullptr &&
         absl::c_all_of(tests->elements, [](const JsonValue& test) {
           return test.Find("data") != nullptr && test.Find("valid") != nullptr;
         });
}

class Suite {
 public:
  // Prints what is wrong with the file's documents. An error if it is no file of the suite.
  absl::StatusOr<Counts> JudgeFile(const std::filesystem::path& path, absl::string_view name) {
    const absl::StatusOr<std::string> content = ReadTextFile(path.string(), kMaxFileSize);
    if (!content.ok()) return content.status();
    const absl::StatusOr<JsonValue> groups = ParseJson(*content);
    if (!groups.ok()) return groups.status();
    Counts counts = {};
    for (const JsonValue& group : groups->elements) {
      if (!IsGroup(group)) {
        return absl::InvalidArgumentError("has a group without schema, tests, data or valid");
      }
      JudgeGroup(name, *group.Find("schema"), *group.Find("tests"), counts);
    }
    return counts;
  }

 private:
  void JudgeGroup(absl::string_view name, const JsonValue& schema, const JsonValue& tests,
                  Counts& counts) const {
    const std::string text = TextOf(schema);
    const absl::StatusOr<JsonSchemaGrammar> parsed = CompileJsonSchema(text, {});
    // That no value satisfies a schema is known as an error.
    const bool is_empty = absl::IsInvalidArgument(parsed.status()) &&
                          absl::StrContains(parsed.status().message(), "no value satisfies");
    if (!parsed.ok() && !is_empty) {
      counts[kRefusedSchema] += static_cast<int>(tests.elements.size());
      return;
    }
    const auto grammar =
        is_empty ? nullptr : CompiledGrammar::Compile(parsed->grammar, index_).value();
    for (const JsonValue& test : tests.elements) {
      const std::string document = TextOf(*test.Find("data"));
      const bool is_valid = test.Find("valid")->boolean;
      const bool may_come = grammar != nullptr && MayCome(grammar, document);
      if (may_come == is_valid) {
        ++counts[kRight];
        continue;
      }
      const absl::string_view limit = is_valid ? LimitOf(name) : "";
      ++counts[limit.empty() ? kWrong : kWithinLimits];
      std::cout << name << ": " << (is_valid ? "refuses the valid " : "accepts the invalid ")
                << document << " of " << text << (limit.empty() ? "" : ": ") << limit << "\n";
    }
  }

  // Empty if there is none.
  static absl::string_view LimitOf(absl::string_view file) {
    for (const Limit& limit : kLimits) {
      if (limit.file == file) return limit.why;
    }
    return "";
  }

  static bool MayCome(const std::shared_ptr<const CompiledGrammar>& grammar,
                      const std::string& text) {
    Matcher matcher(grammar);
    for (const char byte : text) {
      if (!matcher.Accept(static_cast<uint8_t>(byte)).ok()) return false;
    }
    return matcher.IsAccepting().value();
  }

  const std::shared_ptr<const TokenIndex> index_ = ByteIndex();
};

void PrintRow(absl::string_view name, const Counts& counts) {
  std::cout << absl::StreamFormat("%-44s %6d %8d %8d %6d\n", name, counts[kRight],
                                  counts[kRefusedSchema], counts[kWithinLimits], counts[kWrong]);
}

absl::StatusOr<Counts> JudgeFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() != ".json") continue;
    names.push_back(entry.path().lexically_relative(folder).string());
  }
  if (error) return absl::NotFoundError(absl::StrCat(folder.string(), ": ", error.message()));
  absl::c_sort(names);
  Suite suite;
  Counts all = {};
  std::vector<std::pair<std::string, Counts>> rows;
  for (const std::string& name : names) {
    const absl::StatusOr<Counts> counts = suite.JudgeFile(folder / name, name);
    if (!counts.ok()) {
      return absl::Status(counts.status().code(),
                          absl::StrCat((folder / name).string(), ": ", counts.status().message()));
    }
    for (size_t i = 0; i < all.size(); ++i) all[i] += (*counts)[i];
    rows.emplace_back(name, *counts);
  }
  std::cout << absl::StreamFormat("%-44s %6s %8s %8s %6s\n", "file", "right", "refused", "limits",
                                  "wrong");
  for (const auto& [name, counts] : rows) PrintRow(name, counts);
  PrintRow("all", all);
  return all;
}

}  // namespace
}  // namespace logitchain

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: run_suite FOLDER\n";
    return 2;
  }
  const absl::StatusOr<logitchain::Counts> counts = logitchain::JudgeFolder(argv[1]);
  if (!counts.ok()) {
    std::cerr << counts.status().message() << "\n";
    return 2;
  }
  return (*counts)[logitchain::kWrong] == 0 ? 0 : 1;
}
