#include "logitchain/grammar/source/grammar_cache.h"

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/source/grammar_source.h"

namespace logitchain {
namespace {

// The entry for which the predicate holds, which comes first then; null if there is none.
template <typename T, typename Predicate>
const T* FindAndRenew(std::list<T>& entries, Predicate is_it) {
  const auto found = absl::c_find_if(entries, is_it);
  if (found == entries.end()) return nullptr;
  entries.splice(entries.begin(), entries, found);
  return &entries.front();
}

template <typename T>
void AddAsNewest(T entry, size_t limit, std::list<T>& entries) {
  entries.push_front(std::move(entry));
  if (entries.size() > limit) entries.pop_back();
}

}  // namespace

GrammarCache& GrammarCache::Shared() {
  static GrammarCache* const cache = new GrammarCache();
  return *cache;
}

absl::StatusOr<std::shared_ptr<const CompiledGrammar>> GrammarCache::Compile(
    const GrammarSource& source, const std::shared_ptr<const Vocabulary>& vocabulary) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto* known = FindAndRenew(grammars_, [&](const auto& entry) {
      return &entry.second->index().vocabulary() == vocabulary.get() && entry.first == source;
    });
    if (known != nullptr) return known->second;
  }
  const absl::StatusOr<ParsedGrammar> parsed = ParseGrammar(source);
  if (!parsed.ok()) return parsed.status();
  absl::StatusOr<std::shared_ptr<const CompiledGrammar>> compiled =
      CompiledGrammar::Compile(parsed->grammar, IndexOf(vocabulary));
  if (!compiled.ok()) return compiled.status();
  const std::lock_guard<std::mutex> lock(mutex_);
  AddAsNewest(std::make_pair(source, *compiled), kMaxGrammars, grammars_);
  return compiled;
}

std::shared_ptr<const TokenIndex> GrammarCache::IndexOf(
    const std::shared_ptr<const Vocabulary>& vocabulary) {
  // Held while an index is built: whoever waits would build the same.
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto* known = FindAndRenew(
      indexes_, [&](const auto& index) { return &index->vocabulary() == vocabulary.get(); });
  if (known != nullptr) return *known;
  auto index = std::make_shared<const TokenIndex>(vocabulary);
  AddAsNewest<std::shared_ptr<const TokenIndex>>(index, kMaxIndexes, indexes_);
  return index;
}

}  // namespace logitchain
