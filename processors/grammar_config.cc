#include "logitchain/processors/grammar_config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "logitchain/core/files/read_text_file.h"
#include "logitchain/grammar/json_schema/json_schema.h"
#include "logitchain/grammar/source/grammar_source.h"
#include "logitchain/proto/masks.pb.h"

namespace logitchain {
namespace {

using Notation = GrammarSource::Notation;

constexpr int64_t kMaxFileSize = int64_t{1} << 24;

// A field that gives a grammar.
struct Given {
  std::string field;
  Notation notation;
  std::string text;  // Or a path.
  bool is_file = false;
};

std::vector<Given> FindGiven(const GrammarMaskConfig& config) {
  std::vector<Given> given;
  const auto add = [&](absl::string_view field, Notation notation, bool has_text,
                       const std::string& text, bool has_file, const std::string& file) {
    if (has_text) given.push_back({std::string(field), notation, text});
    if (has_file) given.push_back({absl::StrCat(field, "_file"), notation, file, true});
  };
  add("gbnf", Notation::kGbnf, config.has_gbnf(), config.gbnf(), config.has_gbnf_file(),
      config.gbnf_file());
  add("regex", Notation::kRegex, config.has_regex(), config.regex(), config.has_regex_file(),
      config.regex_file());
  add("json_schema", Notation::kJsonSchema, config.has_json_schema(), config.json_schema(),
      config.has_json_schema_file(), config.json_schema_file());
  add("json", Notation::kJson, config.has_json(), "", false, "");
  add("choice", Notation::kChoice, !config.choice().empty(), "", config.has_choice_file(),
      config.choice_file());
  return given;
}

// The lines, without the empty one behind a last line break; an empty text has none.
std::vector<std::string> Lines(absl::string_view text) {
  std::vector<std::string> lines;
  if (text.empty()) return lines;
  for (const absl::string_view line : absl::StrSplit(absl::StripSuffix(text, "\n"), '\n')) {
    lines.emplace_back(absl::StripSuffix(line, "\r"));
  }
  return lines;
}

// Refuses what means nothing for the grammar.
void CheckOtherFields(const GrammarMaskConfig& config, const Given* given,
                      GrammarErrors add_error) {
  const bool is_schema = given != nullptr && given->notation == Notation::kJsonSchema;
  const bool is_json = is_schema || (given != nullptr && given->notation == Notation::kJson);
  if (config.has_max_white_space() && !is_json) {
    add_error("max_white_space", "is set; only json_schema and json have it");
  }
  if (config.has_property_order() && !is_schema) {
    add_error("property_order", "is set; only json_schema has it");
  }
  if (config.has_lenient() && !is_schema) {
    add_error("lenient", "is set; only json_schema has it");
  }
  if (!config.triggers().empty() && given == nullptr) {
    add_error("triggers", "are set; there is no grammar that they could begin");
  }
}

std::optional<GrammarSource> MakeSource(const GrammarMaskConfig& config, const Given& given,
                                        GrammarErrors add_error) {
  GrammarSource source = {.notation = given.notation,
                          .text = given.text,
                          .choices = {config.choice().begin(), config.choice().end()},
                          .max_white_space = config.max_white_space(),
                          .property_order = config.property_order() == GrammarMaskConfig::DECLARED
                                                ? PropertyOrder::kDeclared
                                                : PropertyOrder::kAny,
                          .lenient = config.lenient()};
  if (!given.is_file) return source;
  absl::StatusOr<std::string> content = ReadTextFile(given.text, kMaxFileSize);
  if (!content.ok()) {
    add_error(given.field, absl::StrCat("cannot be read: ", content.status().message()));
    return std::nullopt;
  }
  source.text.clear();
  if (given.notation == Notation::kChoice) {
    source.choices = Lines(*content);
  } else if (given.notation == Notation::kRegex) {
    source.text = std::string(absl::StripSuffix(absl::StripSuffix(*content, "\n"), "\r"));
  } else {
    source.text = *std::move(content);
    if (given.notation == Notation::kGbnf) source.notation = NotationOfFile(given.text);
  }
  return source;
}

}  // namespace

GivenGrammar ReadGrammarConfig(const GrammarMaskConfig& config, GrammarErrors add_error) {
  const std::vector<Given> given = FindGiven(config);
  CheckOtherFields(config, given.empty() ? nullptr : &given.front(), add_error);
  if (given.empty()) return {};
  if (given.size() > 1) {
    const std::string names = absl::StrJoin(
        given, ", ", [](std::string* out, const Given& one) { out->append(one.field); });
    add_error("",
              absl::StrCat("has more than one grammar: ", names, "; use a grammar_mask for each"));
    return {.is_given = true};
  }
  return {.is_given = true,
          .source = MakeSource(config, given.front(), add_error),
          .field = given.front().field,
          .path = given.front().is_file ? given.front().text : ""};
}

}  // namespace logitchain
