#include "logitchain/grammar/source/grammar_source.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/json/json_parts.h"
#include "logitchain/grammar/syntax/choice_syntax.h"
#include "logitchain/grammar/syntax/ebnf_syntax.h"
#include "logitchain/grammar/syntax/regex_syntax.h"

namespace logitchain {

absl::StatusOr<Grammar> ParseGrammar(const GrammarSource& source) {
  switch (source.notation) {
    case GrammarSource::Notation::kGbnf:
      return GbnfOrEbnfGrammar(source.text);
    case GrammarSource::Notation::kRegex:
      return RegexGrammar(source.text);
    case GrammarSource::Notation::kJsonSchema:
      break;
    case GrammarSource::Notation::kJson:
      return JsonGrammar({.max_white_space = source.max_white_space});
    case GrammarSource::Notation::kChoice:
      return ChoiceGrammar(source.choices);
  }
  return absl::UnimplementedError("there is no such notation");
}

}  // namespace logitchain
