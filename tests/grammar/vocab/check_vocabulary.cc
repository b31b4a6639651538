// check_vocabulary FILE SIZE
//
// Reads a vocabulary, which must have so many tokens, and follows texts of a few grammars through
// its masks. At each step the mask is compared with what the parser says of tokens one by one: of
// the one that comes, and of a share of all.

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/core/vocabulary_files/vocabulary_file.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/source/grammar_source.h"
#include "logitchain/grammar/vocab/longest_tokens.h"

namespace logitchain {
namespace {

// One of so many tokens is tried at a step.
constexpr TokenId kShare = 17;

struct TextCase {
  GrammarSource source;
  std::string text;
};

std::vector<TextCase> TextCases() {
  using Notation = GrammarSource::Notation;
  return {
      {{.notation = Notation::kJson},
       "{\"id\": -12.5e+3, \"name\": \"Jos\u00e9 \\\"\\u00e9\\\" \u65e5\u672c\",\n  \"tags\": "
       "[true, {}]}"},
      {{.notation = Notation::kJsonSchema, .text = R"({"type": "object", "required": ["url"],
                    "properties": {"url": {"type": "string", "format": "uri", "maxLength": 300},
                                   "word": {"type": "string", "pattern": "^[a-z]+$"},
                                   "few": {"type": "string", "maxLength": 9}}})"},
       R"({"word": "masks", "url": "https://example.org/a%20b?q=1", "few": "naïve", "more": [1]})"},
      {{.notation = Notation::kGbnf,
        .text = "root ::= sum\nsum ::= factor (ws [-+*/] ws factor)*\n"
                "factor ::= [0-9]+ | [a-z]+ | \"(\" ws sum ws \")\"\nws ::= [ \\n]*"},
       "(12 + alpha)*  (x-3)"},
  };
}

absl::Status CheckStep(Matcher& matcher, TokenId next, int32_t size, TokenId first) {
  std::vector<int32_t> mask((size + 31) / 32);
  if (absl::Status status = matcher.FillMask(absl::MakeSpan(mask)); !status.ok()) return status;
  const auto check = [&](TokenId id) {
    const absl::StatusOr<Matcher::Explanation> explanation = matcher.Explain(id);
    if (!explanation.ok()) return explanation.status();
    const bool is_allowed = (mask[id / 32] >> (id % 32)) & 1;
    if (explanation->is_allowed == is_allowed) return absl::OkStatus();
    return absl::InternalError(absl::StrCat("the mask ", is_allowed ? "allows" : "bans", " token ",
                                            id, "; ", explanation->reason));
  };
  for (TokenId id = first; id < size; id += kShare) {
    if (absl::Status status = check(id); !status.ok()) return status;
  }
  if (absl::Status status = check(next); !status.ok()) return status;
  return matcher.Accept(next);
}

absl::Status CheckText(const TextCase& text_case, const std::shared_ptr<const TokenIndex>& index) {
  const absl::StatusOr<ParsedGrammar> parsed = ParseGrammar(text_case.source);
  if (!parsed.ok()) return parsed.status();
  const auto grammar = CompiledGrammar::Compile(parsed->grammar, index);
  if (!grammar.ok()) return grammar.status();
  const Vocabulary& vocabulary = index->vocabulary();
  Matcher matcher(*grammar);
  TokenId step = 0;
  for (const TokenId id : LongestTokens(vocabulary).Split(text_case.text)) {
    const absl::Status status = CheckStep(matcher, id, vocabulary.size(), step++ % kShare);
    if (!status.ok()) return status;
  }
  const absl::StatusOr<bool> accepts = matcher.IsAccepting();
  if (!accepts.ok()) return accepts.status();
  if (!*accepts)
    return absl::InternalError(absl::StrCat("the text lacks an end: ", text_case.text));
  return absl::OkStatus();
}

absl::Status Check(const std::string& path, int32_t size) {
  const absl::StatusOr<std::shared_ptr<const Vocabulary>> vocabulary = ReadVocabularyFile(path);
  if (!vocabulary.ok()) return vocabulary.status();
  if ((*vocabulary)->size() != size) {
    return absl::InternalError(absl::StrCat("it has ", (*vocabulary)->size(), " tokens"));
  }
  const auto index = std::make_shared<const TokenIndex>(*vocabulary);
  for (const TextCase& text_case : TextCases()) {
    if (absl::Status status = CheckText(text_case, index); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace logitchain

int main(int argc, char** argv) {
  int32_t size = 0;
  if (argc != 3 || !absl::SimpleAtoi(argv[2], &size)) {
    std::cerr << "usage: check_vocabulary FILE SIZE\n";
    return 2;
  }
  const absl::Status status = logitchain::Check(argv[1], size);
  if (!status.ok()) std::cerr << argv[1] << ": " << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
