#include "logitchain/grammar/source/grammar_source.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/json/json_parts.h"
#include "logitchain/grammar/json_schema/json_schema.h"
#include "logitchain/grammar/syntax/choice_syntax.h"
#include "logitchain/grammar/syntax/ebnf_syntax.h"
#include "logitchain/grammar/syntax/regex_syntax.h"

namespace logitchain {
namespace {

absl::StatusOr<Grammar> ParseNotation(const GrammarSource& source) {
  switch (source.notation) {
    case GrammarSource::Notation::kGbnf:
      return GbnfOrEbnfGrammar(source.text);
    case GrammarSource::Notation::kEbnf:
      return EbnfOrW3cGrammar(source.text);
    case GrammarSource::Notation::kRegex:
      return RegexGrammar(source.text);
    case GrammarSource::Notation::kChoice:
      return ChoiceGrammar(source.choices);
    default:
      return JsonGrammar({.max_white_space = source.max_white_space});
  }
}

}  // namespace

GrammarSource::Notation NotationOfFile(absl::string_view path) {
  return absl::EndsWith(path, ".ebnf") ? GrammarSource::Notation::kEbnf
                                       : GrammarSource::Notation::kGbnf;
}

absl::StatusOr<ParsedGrammar> ParseGrammar(const GrammarSource& source) {
  if (source.notation == GrammarSource::Notation::kJsonSchema) {
    absl::StatusOr<JsonSchemaGrammar> compiled =
        CompileJsonSchema(source.text, {.format = {.max_white_space = source.max_white_space},
                                        .property_order = source.property_order,
                                        .lenient = source.lenient});
    if (!compiled.ok()) return compiled.status();
    return ParsedGrammar{std::move(compiled->grammar), std::move(compiled->ignored)};
  }
  absl::StatusOr<Grammar> grammar = ParseNotation(source);
  if (!grammar.ok()) return grammar.status();
  return ParsedGrammar{*std::move(grammar)};
}

std::string ErrorBehind(absl::string_view name, const absl::Status& status) {
  const absl::string_view message = status.message();
  const bool has_place = !message.empty() && absl::ascii_isdigit(message[0]);
  return absl::StrCat(name, has_place ? ":" : ": ", message);
}

}  // namespace logitchain
