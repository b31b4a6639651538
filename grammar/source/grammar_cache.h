#ifndef LOGITCHAIN_GRAMMAR_SOURCE_GRAMMAR_CACHE_H_
#define LOGITCHAIN_GRAMMAR_SOURCE_GRAMMAR_CACHE_H_

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/statusor.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/source/grammar_source.h"

namespace logitchain {

// Compiled grammars by what they are made of, so that chains that are built again and again with
// the same grammar share one, and what its matchers have found. Keeps the ones that were used last,
// and their vocabularies. Safe for threads.
class GrammarCache {
 public:
  static constexpr size_t kMaxGrammars = 128;
  static constexpr size_t kMaxIndexes = 4;

  // The process's own.
  static GrammarCache& Shared();

  // Errors of ParseGrammar and CompiledGrammar::Compile.
  absl::StatusOr<std::shared_ptr<const CompiledGrammar>> Compile(
      const GrammarSource& source, const std::shared_ptr<const Vocabulary>& vocabulary);

 private:
  std::shared_ptr<const TokenIndex> IndexOf(const std::shared_ptr<const Vocabulary>& vocabulary);

  std::mutex mutex_;  // For what follows.
  // Used last comes first.
  std::list<std::shared_ptr<const TokenIndex>> indexes_;
  std::list<std::pair<GrammarSource, std::shared_ptr<const CompiledGrammar>>> grammars_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_SOURCE_GRAMMAR_CACHE_H_
