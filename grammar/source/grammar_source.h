#ifndef LOGITCHAIN_GRAMMAR_SOURCE_GRAMMAR_SOURCE_H_
#define LOGITCHAIN_GRAMMAR_SOURCE_GRAMMAR_SOURCE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/grammar/json/json_parts.h"
#include "logitchain/grammar/json_schema/json_schema.h"

namespace logitchain {

// A grammar as a user gives it.
struct GrammarSource {
  enum class Notation {
    kGbnf,        // llama.cpp's GBNF, or EBNF of ISO 14977.
    kEbnf,        // EBNF, ISO's or the W3C's.
    kRegex,       // A regular expression that the whole text matches.
    kJsonSchema,  // JSON that a schema describes.
    kJson,        // Any JSON.
    kChoice,      // One of `choices`.
  };

  Notation notation = Notation::kJson;
  std::string text;                  // Of kGbnf, kEbnf, kRegex and kJsonSchema.
  std::vector<std::string> choices;  // Of kChoice.
  // Of kJson and kJsonSchema: see JsonFormat.
  int32_t max_white_space = JsonFormat().max_white_space;
  // Of kJsonSchema: see JsonSchemaOptions.
  PropertyOrder property_order = PropertyOrder::kAny;
  bool lenient = false;

  friend bool operator==(const GrammarSource&, const GrammarSource&) = default;

  template <typename H>
  friend H AbslHashValue(H state, const GrammarSource& source) {
    return H::combine(std::move(state), source.notation, source.text, source.choices,
                      source.max_white_space, source.property_order, source.lenient);
  }
};

// kEbnf if the path of a grammar's file ends in .ebnf, else kGbnf: in a text with the sign ::=,
// which both may be, #x41 is a character in the one and a comment in the other.
GrammarSource::Notation NotationOfFile(absl::string_view path);

struct ParsedGrammar {
  Grammar grammar;
  // What a schema says that the grammar does not honour; see JsonSchemaGrammar.
  std::vector<std::string> ignored = {};
};

// Errors say where in the text, as the notation's own parser does.
absl::StatusOr<ParsedGrammar> ParseGrammar(const GrammarSource& source);

// The message of such an error behind the name of its text: "NAME:1:3: …" with a place in the text,
// "NAME: …" without one.
std::string ErrorBehind(absl::string_view name, const absl::Status& status);

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_SOURCE_GRAMMAR_SOURCE_H_
