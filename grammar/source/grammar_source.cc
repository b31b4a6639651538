#include "logitchain/grammar/source/grammar_source.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
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
    case GrammarSource::Notation::kRegex:
      return RegexGrammar(source.text);
    case GrammarSource::Notation::kChoice:
      return ChoiceGrammar(source.choices);
    default:
      return JsonGrammar({.max_white_space = source.max_white_space});
  }
}

}  // namespace

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

}  // namespace logitchain
