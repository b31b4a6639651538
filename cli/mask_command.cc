#include "logitchain/cli/mask_command.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "logitchain/cli/command.h"
#include "logitchain/cli/flags.h"
#include "logitchain/cli/load_model.h"
#include "logitchain/cli/text_layout.h"
#include "logitchain/cli/usage_error.h"
#include "logitchain/core/files/read_text_file.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/core/vocabulary_files/vocabulary_file.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/source/grammar_source.h"
#include "logitchain/grammar/vocab/longest_tokens.h"
#include "logitchain/models/trigram_model.h"

namespace logitchain {
namespace {

constexpr int64_t kMaxGrammarFileSize = int64_t{1} << 24;

std::string Quoted(absl::string_view bytes) {
  return absl::StrCat("\"", absl::Utf8SafeCHexEscape(bytes), "\"");
}

absl::StatusOr<GrammarSource> ReadGrammarFile(const std::string& path) {
  GrammarSource source;
  if (absl::EndsWith(path, ".gbnf") || absl::EndsWith(path, ".ebnf")) {
    source.notation = GrammarSource::Notation::kGbnf;
  } else if (absl::EndsWith(path, ".json")) {
    source.notation = GrammarSource::Notation::kJsonSchema;
  } else {
    return UsageError(absl::StrCat("--grammar: \"", path,
                                   "\" must end in .gbnf, .ebnf or .json (a JSON Schema)"));
  }
  absl::StatusOr<std::string> text = ReadTextFile(path, kMaxGrammarFileSize);
  if (!text.ok()) return text.status();
  source.text = *std::move(text);
  return source;
}

class MaskCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.name = "mask",
            .summary = "print which tokens a grammar allows behind a text, and why not others",
            .usage = "--grammar=FILE | --regex=PATTERN | --json [flags]",
            .description =
                "Follows a text through a grammar and prints the tokens that may come next, and "
                "what is wrong with the others. The tokens are those of a vocabulary's file, or of "
                "the trigram model, whose words have a space before them.",
            .examples = {"logitchain mask --json --vocab=tokenizer.json --text='{\"a\": 1'",
                         "logitchain mask --regex=' (yes|no)' --text="}};
  }

  std::vector<Flag> flags() override {
    return {{.name = "grammar",
             .value_name = "FILE",
             .help = "a grammar in GBNF (.gbnf) or EBNF (.ebnf), or a JSON Schema (.json)",
             .target = &grammar_},
            {.name = "regex",
             .value_name = "PATTERN",
             .help = "a regular expression for the whole text, as a grammar",
             .target = &regex_},
            {.name = "json", .help = "any JSON, as a grammar", .target = &json_},
            {.name = "vocab",
             .value_name = "FILE",
             .help = "a tiktoken file or a Hugging Face tokenizer.json (default: the words of the "
                     "trigram model)",
             .target = &vocab_},
            {.name = "text",
             .value_name = "TEXT",
             .help = "what comes before the next token",
             .target = &text_},
            {.name = "limit",
             .value_name = "N",
             .help = "how many allowed tokens to print at most",
             .target = &limit_}};
  }

  absl::Status Run(absl::Span<const std::string>, Console& console) override {
    const absl::StatusOr<GrammarSource> source = FindSource();
    if (!source.ok()) return source.status();
    const absl::StatusOr<std::shared_ptr<const Vocabulary>> vocabulary = LoadVocabulary();
    if (!vocabulary.ok()) return vocabulary.status();
    const absl::StatusOr<std::shared_ptr<const CompiledGrammar>> grammar =
        Compile(*source, *vocabulary, console);
    if (!grammar.ok()) {
      return absl::Status(grammar.status().code(), absl::StrCat(grammar_.value_or("the grammar"),
                                                                ": ", grammar.status().message()));
    }
    Matcher matcher(*grammar);
    if (absl::Status status = Follow(**vocabulary, matcher); !status.ok()) return status;
    return Print(**vocabulary, matcher, console);
  }

 private:
  static absl::StatusOr<std::shared_ptr<const CompiledGrammar>> Compile(
      const GrammarSource& source, const std::shared_ptr<const Vocabulary>& vocabulary,
      Console& console) {
    const absl::StatusOr<ParsedGrammar> parsed = ParseGrammar(source);
    if (!parsed.ok()) return parsed.status();
    for (const std::string& ignored : parsed->ignored) {
      console.err << "not honoured: " << ignored << "\n";
    }
    return CompiledGrammar::Compile(parsed->grammar,
                                    std::make_shared<const TokenIndex>(vocabulary));
  }

  absl::StatusOr<GrammarSource> FindSource() const {
    if ((grammar_ ? 1 : 0) + (regex_ ? 1 : 0) + (json_ ? 1 : 0) != 1) {
      return UsageError("there must be one of --grammar, --regex and --json");
    }
    if (grammar_) return ReadGrammarFile(*grammar_);
    if (regex_) {
      return GrammarSource{.notation = GrammarSource::Notation::kRegex, .text = *regex_};
    }
    return GrammarSource{.notation = GrammarSource::Notation::kJson};
  }

  absl::StatusOr<std::shared_ptr<const Vocabulary>> LoadVocabulary() const {
    if (vocab_) return ReadVocabularyFile(*vocab_);
    const auto model = LoadTrigramModel(kDefaultTrigramModelPath);
    if (!model.ok()) return model.status();
    return Vocabulary::Of(**model);
  }

  absl::Status Follow(const Vocabulary& vocabulary, Matcher& matcher) const {
    const LongestTokens tokens(vocabulary);
    absl::string_view rest = text_;
    while (!rest.empty()) {
      const size_t offset = text_.size() - rest.size();
      const std::optional<TokenId> id = tokens.First(rest);
      if (!id) {
        return absl::InvalidArgumentError(
            absl::StrCat("--text: the vocabulary has no token for what begins at byte ", offset,
                         ", ", Quoted(rest.substr(0, 10))));
      }
      if (absl::Status status = matcher.Accept(*id); !status.ok()) {
        return absl::Status(status.code(),
                            absl::StrCat("--text: at byte ", offset, ": ", status.message()));
      }
      rest.remove_prefix(vocabulary.bytes(*id).size());
    }
    return absl::OkStatus();
  }

  absl::Status Print(const Vocabulary& vocabulary, Matcher& matcher, Console& console) const {
    std::vector<int32_t> mask((vocabulary.size() + 31) / 32);
    if (absl::Status status = matcher.FillMask(absl::MakeSpan(mask)); !status.ok()) return status;
    std::vector<Cells> allowed;
    int64_t count = 0;
    // By cause: how many tokens, and the first one.
    absl::btree_map<std::string, std::pair<int64_t, TokenId>> refused;
    for (TokenId id = 0; id < vocabulary.size(); ++id) {
      if ((mask[id / 32] >> (id % 32)) & 1) {
        if (++count <= limit_) allowed.push_back({absl::StrCat(id), TokenText(vocabulary, id)});
        continue;
      }
      const absl::StatusOr<Matcher::Explanation> explanation = matcher.Explain(id);
      if (!explanation.ok()) return explanation.status();
      ++refused.try_emplace(explanation->cause, 0, id).first->second.first;
    }
    const absl::StatusOr<std::string> forced = matcher.ForcedBytes();
    if (!forced.ok()) return forced.status();
    console.out << count << " of " << vocabulary.size() << " tokens may come";
    if (!forced->empty()) console.out << "; the text must go on with " << Quoted(*forced);
    console.out << "\n";
    PrintTable(allowed, console);
    if (count > limit_) console.out << "… and " << count - limit_ << " more\n";
    PrintRefused(vocabulary, refused, console);
    return absl::OkStatus();
  }

  static void PrintRefused(const Vocabulary& vocabulary,
                           const absl::btree_map<std::string, std::pair<int64_t, TokenId>>& refused,
                           Console& console) {
    std::vector<std::pair<std::string, std::pair<int64_t, TokenId>>> causes(refused.begin(),
                                                                            refused.end());
    std::stable_sort(causes.begin(), causes.end(),
                     [](const auto& a, const auto& b) { return a.second.first > b.second.first; });
    if (!causes.empty()) console.out << "\nrefused, the most frequent causes first:\n";
    std::vector<Cells> rows;
    for (const auto& [cause, tokens] : causes) {
      if (rows.size() == kMaxCauses) break;
      rows.push_back(
          {absl::StrCat(tokens.first), "such as", TokenText(vocabulary, tokens.second), cause});
    }
    PrintTable(rows, console);
    if (causes.size() > kMaxCauses) {
      console.out << "… and " << causes.size() - kMaxCauses << " more causes\n";
    }
  }

  static void PrintTable(absl::Span<const Cells> rows, Console& console) {
    if (rows.empty()) return;
    std::vector<Column> columns = ColumnsFor(rows);
    columns[0].right_aligned = true;
    for (const Cells& row : rows) console.out << AlignedRow(row, columns) << "\n";
  }

  static std::string TokenText(const Vocabulary& vocabulary, TokenId id) {
    for (const TokenId stop : vocabulary.stop_ids()) {
      if (stop == id) return "(the end)";
    }
    return Quoted(vocabulary.bytes(id));
  }

  static constexpr size_t kMaxCauses = 10;

  std::optional<std::string> grammar_;
  std::optional<std::string> regex_;
  bool json_ = false;
  std::optional<std::string> vocab_;
  std::string text_;
  int64_t limit_ = 20;
};

}  // namespace

std::unique_ptr<Command> MakeMaskCommand() { return std::make_unique<MaskCommand>(); }

}  // namespace logitchain
