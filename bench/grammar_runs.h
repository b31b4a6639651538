#ifndef LOGITCHAIN_BENCH_GRAMMAR_RUNS_H_
#define LOGITCHAIN_BENCH_GRAMMAR_RUNS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/bench/schema_suite.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/vocab/longest_tokens.h"

namespace logitchain {

// Times in microseconds, and what they come to.
struct Times {
  std::vector<double> values;

  double Mean() const;
  // For a share of 0.5 the median; 0 without values.
  double Percentile(double share) const;
};

// What a run over texts took.
struct MaskTimes {
  Times mask;
  Times accept;
};

// Follows the tokens and adds what each step took; whether the grammar took the whole text. A mask
// that disagrees with what is accepted ends the process: it would be no mask.
bool FollowText(const std::shared_ptr<const CompiledGrammar>& grammar,
                absl::Span<const TokenId> tokens, MaskTimes& times);

// What a run over the schemas came to.
struct SuiteResult {
  Times compile;  // Of schemas that were compiled.
  MaskTimes steps;
  size_t schemas = 0;
  size_t refused_schemas = 0;
  size_t right_schemas = 0;  // Compiled, and every document judged rightly.
  size_t false_accepts = 0;  // Documents.
  size_t false_rejects = 0;
};

// Runs each schema with its documents, every one from the beginning. With `verbose`, what is wrong
// goes to the standard error.
SuiteResult RunSchemas(absl::Span<const SchemaCase> cases,
                       const std::shared_ptr<const TokenIndex>& index, const LongestTokens& tokens,
                       bool verbose);

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_GRAMMAR_RUNS_H_
