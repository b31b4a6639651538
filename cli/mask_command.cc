#include "logitchain/cli/mask_command.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/cli/command.h"
#include "logitchain/cli/flags.h"
#include "logitchain/cli/load_model.h"
#include "logitchain/cli/mask_report.h"
#include "logitchain/cli/plugin.h"
#include "logitchain/cli/sample_json.h"
#include "logitchain/cli/text_layout.h"
#include "logitchain/cli/usage_error.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/counted.h"
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
#include "logitchain/processors/grammar_config.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/proto/masks.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"

namespace logitchain {
namespace {

constexpr int64_t kMaxGrammarFileSize = int64_t{1} << 24;

// What is followed.
struct Given {
  GrammarSource source;
  MaskIds ids = {};
};

// Of a chain that was created already.
void IgnoreError(absl::string_view, absl::string_view) {}

absl::StatusOr<Given> ReadGrammarFile(const std::string& path) {
  GrammarSource source;
  if (absl::EndsWith(path, ".gbnf") || absl::EndsWith(path, ".ebnf")) {
    source.notation = NotationOfFile(path);
  } else if (absl::EndsWith(path, ".json")) {
    source.notation = GrammarSource::Notation::kJsonSchema;
  } else {
    return UsageError(absl::StrCat("--grammar: \"", path,
                                   "\" must end in .gbnf, .ebnf or .json (a JSON Schema)"));
  }
  absl::StatusOr<std::string> text = ReadTextFile(path, kMaxGrammarFileSize);
  if (!text.ok()) return text.status();
  source.text = *std::move(text);
  return Given{std::move(source)};
}

class MaskCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.name = "mask",
            .summary = "print which tokens a grammar allows behind a text, and why not others",
            .usage = "--chain=FILE | --grammar=FILE | --regex=PATTERN | --any_json [flags]",
            .description =
                "Follows a text through a grammar and prints the tokens that may come next, and "
                "what is wrong with the others. The tokens are those of a vocabulary's file, or of "
                "the trigram model, whose words have a space before them.",
            .examples = {"logitchain mask --any_json --vocab=tokenizer.json --text='{\"a\": 1'",
                         "logitchain mask --chain=chain.textproto --text=' it is' --json",
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
            {.name = "any_json", .help = "any JSON, as a grammar", .target = &any_json_},
            {.name = "chain",
             .value_name = "FILE",
             .help = "the grammar of a chain's grammar_mask, with all that it says of it; behind a "
                     "trigger --text begins",
             .target = &chain_},
            PluginFlag(&plugins_),
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
             .target = &limit_},
            {.name = "json",
             .help = "print one line of JSON, with all causes of refusals",
             .target = &json_}};
  }

  absl::Status Run(absl::Span<const std::string>, Console& console) override {
    if (absl::Status status = CheckFlags(); !status.ok()) return status;
    const absl::StatusOr<std::shared_ptr<const Vocabulary>> vocabulary = LoadVocabulary();
    if (!vocabulary.ok()) return vocabulary.status();
    const absl::StatusOr<Given> given = FindGiven(*vocabulary);
    if (!given.ok()) return given.status();
    const absl::StatusOr<std::shared_ptr<const CompiledGrammar>> grammar =
        Compile(given->source, *vocabulary, console);
    if (!grammar.ok()) {
      const std::string where = grammar_ ? *grammar_ : regex_ ? "--regex" : "the grammar";
      return absl::Status(grammar.status().code(), ErrorBehind(where, grammar.status()));
    }
    Matcher matcher(*grammar);
    if (absl::Status status = Follow(**vocabulary, matcher); !status.ok()) return status;
    const absl::StatusOr<MaskReport> report = ReportMask(matcher, **vocabulary, given->ids, limit_);
    if (!report.ok()) return report.status();
    if (json_) {
      console.out << JsonLine(MaskReportAsJson(*report, **vocabulary)) << "\n";
    } else {
      PrintMaskReport(*report, **vocabulary, console.out);
    }
    return absl::OkStatus();
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

  absl::Status CheckFlags() const {
    const int given = chain_.has_value() + grammar_.has_value() + regex_.has_value() + any_json_;
    if (given != 1) {
      return UsageError("there must be one of --chain, --grammar, --regex and --any_json");
    }
    if (chain_ || plugins_.empty()) return absl::OkStatus();
    return UsageError("--plugin has rules for --chain, which is not given");
  }

  absl::StatusOr<Given> FindGiven(const std::shared_ptr<const Vocabulary>& vocabulary) const {
    if (chain_) return ReadChainsGrammar(vocabulary);
    if (grammar_) return ReadGrammarFile(*grammar_);
    if (regex_) {
      return Given{{.notation = GrammarSource::Notation::kRegex, .text = *regex_}};
    }
    return Given{{.notation = GrammarSource::Notation::kJson}};
  }

  absl::StatusOr<Given> ReadChainsGrammar(
      const std::shared_ptr<const Vocabulary>& vocabulary) const {
    if (absl::Status status = LoadPlugins(plugins_); !status.ok()) return status;
    const absl::StatusOr<ChainText> text = ReadChainFile(*chain_);
    if (!text.ok()) return text.status();
    // Whatever is wrong with the chain is said there.
    const absl::StatusOr<std::unique_ptr<Chain>> chain =
        CreateChain(*text, {.vocab_size = vocabulary->size(), .vocabulary = vocabulary});
    if (!chain.ok()) return chain.status();
    std::vector<Given> grammars;
    for (const ProcessorConfig& rule : text->config.processors()) {
      const GrammarMaskConfig& mask = rule.grammar_mask();
      GivenGrammar given = ReadGrammarConfig(mask, IgnoreError);
      if (!given.source) continue;
      grammars.push_back({*std::move(given.source),
                          {.allowed = {mask.allowed_ids().begin(), mask.allowed_ids().end()},
                           .banned = {mask.banned_ids().begin(), mask.banned_ids().end()}}});
    }
    if (grammars.size() == 1) return std::move(grammars[0]);
    return absl::InvalidArgumentError(
        absl::StrCat(*chain_, ": has ", Counted(grammars.size(), "grammar"),
                     "; `logitchain mask` follows the grammar of a chain that has one"));
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
                         ", ", QuotedBytes(rest.substr(0, 10))));
      }
      if (absl::Status status = matcher.Accept(*id); !status.ok()) {
        return absl::Status(status.code(),
                            absl::StrCat("--text: at byte ", offset, ": ", status.message()));
      }
      rest.remove_prefix(vocabulary.bytes(*id).size());
    }
    return absl::OkStatus();
  }

  std::optional<std::string> grammar_;
  std::optional<std::string> chain_;
  std::optional<std::string> regex_;
  bool any_json_ = false;
  std::vector<std::string> plugins_;
  std::optional<std::string> vocab_;
  std::string text_;
  int64_t limit_ = 20;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeMaskCommand() { return std::make_unique<MaskCommand>(); }

}  // namespace logitchain
