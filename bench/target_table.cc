#include "logitchain/bench/target_table.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "logitchain/bench/chain_cases.h"
#include "logitchain/bench/register_cases.h"
#include "logitchain/bench/shapes.h"

namespace logitchain {
namespace {

struct Row {
  absl::string_view what;
  std::vector<absl::string_view> cases;  // Without the vocabulary.
  absl::string_view target;
  absl::string_view llama_cpp;  // In passes; bench/README.md says what was measured.
  absl::string_view others;     // As stated by others, at 7.2 µs a pass.
};

const std::vector<Row>& Rows() {
  static const auto* const kRows = new std::vector<Row>{
      {"greedy, penalties over 64", {"greedy/peaked"}, "1.3", "79", ""},
      {"default: penalties over 64, temperature 0.8, top-k 40, top-p 0.95, min-p 0.05, draw",
       {"default/peaked"},
       "2",
       "77",
       "ORT GenAI 129 µs (no min-p); exllamav2 197 µs (no penalties)"},
      {"top-p 0.95 over the full vocabulary, draw: peaked / mid / flat",
       {"top_p/peaked", "top_p/mid", "top_p/flat"},
       "6 / 6 / 8",
       "214 / 215 / 1970",
       "ORT GenAI 172 / 2968 / 41796 µs, exllamav2 152 / 215 / 21427 µs; neither exact"},
      {"temperature 0.8, min-p 0.05, draw: peaked / flat",
       {"min_p/peaked", "min_p/flat"},
       "2 / 6",
       "34 / 606",
       ""},
      {"temperature 0.8, draw, no filter: peaked / flat",
       {"temperature/peaked", "temperature/flat"},
       "6",
       "182 / 182",
       "exllamav2 151 µs"},
      {"typical 0.95, draw: peaked / flat",
       {"typical/peaked", "typical/flat"},
       "10 / 15",
       "1620 / 3890",
       ""},
      {"top-n-sigma 1, draw: peaked / flat",
       {"top_n_sigma/peaked", "top_n_sigma/flat"},
       "4",
       "265 / 266",
       ""},
      {"packed grammar bitmask, 10% allowed, greedy",
       {"bitmask/peaked"},
       "1.5",
       "–",
       "XGrammar 470 µs"},
  };
  return *kRows;
}

// The counter in each of these cases, "a / b / c".
std::string Cell(const std::vector<std::string>& cases, absl::string_view counter,
                 const CounterLookup& counters, absl::FunctionRef<std::string(double)> format) {
  return absl::StrJoin(cases, " / ", [&](std::string* out, const std::string& name) {
    const std::optional<double> value = counters(name, counter);
    absl::StrAppend(out, value ? format(*value) : "–");
  });
}

std::string Micros(double us) { return absl::StrFormat("%.1f", us); }
std::string Passes(double passes) { return absl::StrFormat("%.2f", passes); }
std::string Part(double of_reference) { return absl::StrFormat("1/%.0f", 1 / of_reference); }

std::string Line(const Row& row, const CounterLookup& counters) {
  std::vector<std::string> cases;
  for (const absl::string_view name : row.cases) {
    cases.push_back(absl::StrCat("target/", name, "/", kTargetVocabSize));
  }
  const std::vector<std::string> cells = {
      std::string(row.what),
      Cell({cases[0]}, "pass_us", counters, Micros),
      Cell(cases, "us", counters, Micros),
      absl::StrCat("**", Cell(cases, "x_pass", counters, Passes), "**"),
      std::string(row.target),
      Cell(cases, "x_reference", counters, Part),
      std::string(row.llama_cpp),
      std::string(row.others)};
  return absl::StrCat("| ", absl::StrJoin(cells, " | "), " |\n");
}

// How two threads do.
std::string BatchLines(const CounterLookup& counters) {
  const std::vector<std::string> cases = {absl::StrCat("batch/", kTargetVocabSize, "/64/2")};
  return absl::StrCat(
      "\n| case | µs | µs a row | × one thread | target: at least | the pass, × one thread |\n",
      "|---|---|---|---|---|---|\n", "| batch of 64 rows, default chain, 2 threads | ",
      Cell(cases, "us", counters, Micros), " | ", Cell(cases, "row_us", counters, Micros), " | **",
      Cell(cases, "x_one_thread", counters, Passes), "** | 1.9 | ",
      Cell(cases, "pass_x_one_thread", counters, Passes), " |\n");
}

// Each rule alone, on peaked and on flat logits.
std::string RuleLines(const CounterLookup& counters) {
  std::string lines =
      "\n| rule | µs: peaked / flat | × pass | of the reference |\n|---|---|---|---|\n";
  for (const ChainCase& rule : RuleCases()) {
    std::vector<std::string> cases;
    for (const Shape shape : rule.shapes) {
      cases.push_back(absl::StrCat("rule/", rule.name, "/", NameOf(shape), "/", kTargetVocabSize));
    }
    absl::StrAppend(&lines, "| `", rule.name, "` | ", Cell(cases, "us", counters, Micros), " | ",
                    Cell(cases, "x_pass", counters, Passes), " | ",
                    Cell(cases, "x_reference", counters, Part), " |\n");
  }
  return lines;
}

}  // namespace

std::string TargetTable(const CounterLookup& counters) {
  std::string table =
      "| case | pass, µs | µs | × pass | target: at most | of the reference | llama.cpp, × pass "
      "| others, as stated |\n|---|---|---|---|---|---|---|---|\n";
  for (const Row& row : Rows()) absl::StrAppend(&table, Line(row, counters));
  return absl::StrCat(table, BatchLines(counters), RuleLines(counters));
}

}  // namespace logitchain
