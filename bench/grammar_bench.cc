// What grammar masks cost on a real vocabulary: the table "Grammar masks" of bench/README.md.
//
//   grammar_bench --vocab=tokenizer.json --schemas=FOLDER
//
// The vocabulary is a tiktoken file or a Hugging Face tokenizer.json, the folder one of MaskBench's
// files (guidance-ai/jsonschemabench, maskbench/data); neither is part of this project.

#include <sys/resource.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "logitchain/bench/grammar_runs.h"
#include "logitchain/bench/schema_suite.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/core/vocabulary_files/vocabulary_file.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/source/grammar_source.h"
#include "logitchain/grammar/vocab/longest_tokens.h"

ABSL_FLAG(std::string, vocab, "", "file of the vocabulary; without it nothing is measured");
ABSL_FLAG(std::string, schemas, "", "folder of MaskBench's files; without it schemas are left out");
ABSL_FLAG(int, every, 15, "take every n-th of the files in the order of their names");
ABSL_FLAG(bool, verbose, false, "say which documents are judged wrongly, and what is slow");

namespace logitchain {
namespace {

struct NotationCase {
  absl::string_view name;
  GrammarSource source;
  std::string text;
};

std::string Repeated(absl::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) absl::StrAppend(&all, text);
  return all;
}

std::vector<NotationCase> NotationCases() {
  using Notation = GrammarSource::Notation;
  const std::string person =
      "{\"id\": 17, \"name\": \"Jos\u00e9 M\u00fcller\", \"tags\": [\"a\", \"long text of "
      "words\"], "
      "\"nested\": {\"x\": [1, 2.5, -3e4, null, true], \"y\": \"a \\\"quote\\\"\"}}";
  return {
      {"any JSON", {.notation = Notation::kJson}, "[" + Repeated(person + ", ", 40) + "0]"},
      {"arithmetic with optional white space",
       {.notation = Notation::kGbnf,
        .text =
            "root ::= sum\nsum ::= product (ws [-+] ws product)*\n"
            "product ::= factor (ws [*/] ws factor)*\n"
            "factor ::= [0-9]+ (\".\" [0-9]+)? | [a-z]+ | \"(\" ws sum ws \")\" | \"-\" factor\n"
            "ws ::= [ \\t\\n]*"},
       Repeated("(12 + x) * 3.5 - (alpha/beta - 7)* -2 + ", 20) + "1"},
      {"ambiguous (char+ ([ws] char+)*)",
       {.notation = Notation::kGbnf, .text = "root ::= ([a-z.,]+ ([ ]? [a-z.,]+)*)"},
       Repeated("it was the best of times, it was the worst of times. ", 20) + "end"},
  };
}

// The most that the process has had so far.
double MemoryInMebibytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void PrintTimes(absl::string_view name, const Times& times) {
  std::cout << absl::StrFormat("%-44s %9.2f %9.2f %9.2f %9.2f %9.2f\n", name, times.Percentile(0.5),
                               times.Mean(), times.Percentile(0.95), times.Percentile(0.99),
                               times.Percentile(0.999));
}

absl::Status RunNotations(const std::shared_ptr<const TokenIndex>& index,
                          const LongestTokens& tokens) {
  for (const NotationCase& notation : NotationCases()) {
    const absl::StatusOr<ParsedGrammar> parsed = ParseGrammar(notation.source);
    if (!parsed.ok()) return parsed.status();
    const auto grammar = CompiledGrammar::Compile(parsed->grammar, index);
    if (!grammar.ok()) return grammar.status();
    MaskTimes times;
    if (!FollowText(*grammar, tokens.Split(notation.text), times)) {
      return absl::InternalError(absl::StrCat(notation.name, ": the text was refused"));
    }
    PrintTimes(absl::StrCat(notation.name, ": mask"), times.mask);
    PrintTimes(absl::StrCat(notation.name, ": accept"), times.accept);
  }
  return absl::OkStatus();
}

absl::Status RunSuite(const std::shared_ptr<const TokenIndex>& index, const LongestTokens& tokens) {
  const absl::StatusOr<std::vector<SchemaCase>> cases =
      ReadSchemaSuite(absl::GetFlag(FLAGS_schemas), absl::GetFlag(FLAGS_every));
  if (!cases.ok()) return cases.status();
  const SuiteResult result = RunSchemas(*cases, index, tokens, absl::GetFlag(FLAGS_verbose));
  PrintTimes("schemas: compile", result.compile);
  PrintTimes("schemas: mask", result.steps.mask);
  PrintTimes("schemas: accept", result.steps.accept);
  std::cout << "schemas " << result.schemas << ", refused " << result.refused_schemas
            << ", fully right " << result.right_schemas << ", false accepts "
            << result.false_accepts << ", false rejects " << result.false_rejects << "\n";
  return absl::OkStatus();
}

absl::Status Run() {
  const std::string path = absl::GetFlag(FLAGS_vocab);
  if (path.empty()) {
    std::cout << "skipped: --vocab names no vocabulary\n";
    return absl::OkStatus();
  }
  const absl::StatusOr<std::shared_ptr<const Vocabulary>> vocabulary = ReadVocabularyFile(path);
  if (!vocabulary.ok()) return vocabulary.status();
  const int64_t begin = absl::GetCurrentTimeNanos();
  const auto index = std::make_shared<const TokenIndex>(*vocabulary);
  const double milliseconds = static_cast<double>(absl::GetCurrentTimeNanos() - begin) / 1e6;
  std::cout << absl::StrFormat("%d tokens, trie built in %.1f ms\n", (*vocabulary)->size(),
                               milliseconds);
  const double memory_before = MemoryInMebibytes();
  const LongestTokens tokens(**vocabulary);
  std::cout << absl::StrFormat("%-44s %9s %9s %9s %9s %9s\n", "in microseconds", "p50", "mean",
                               "p95", "p99", "p99.9");
  absl::Status status;
  if (!absl::GetFlag(FLAGS_schemas).empty()) status = RunSuite(index, tokens);
  if (status.ok()) status = RunNotations(index, tokens);
  std::cout << absl::StrFormat("memory, MiB: %.0f with the vocabulary and its trie, %.0f at most\n",
                               memory_before, MemoryInMebibytes());
  return status;
}

}  // namespace
}  // namespace logitchain

int main(int argc, char** argv) {
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = logitchain::Run();
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
