#ifndef LOGITCHAIN_GRAMMAR_ENGINE_COMPILED_GRAMMAR_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_COMPILED_GRAMMAR_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/status/statusor.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/engine/parse_tables.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/grammar.h"

namespace logitchain {

// A grammar ready for masks over a vocabulary. It never changes, as far as anyone can see, and may
// be shared by any number of matchers and threads: what one of them finds, the others need not
// find again.
class CompiledGrammar {
 public:
  // What the parser's tables may take, in bytes, about. Tables that become larger are begun anew;
  // only what a single text needs must fit.
  static constexpr int64_t kDefaultMaxMemory = int64_t{128} << 20;

  // InvalidArgument if the grammar derives no text, ResourceExhausted if it is too large.
  static absl::StatusOr<std::shared_ptr<const CompiledGrammar>> Compile(
      const Grammar& grammar, std::shared_ptr<const TokenIndex> index,
      int64_t max_memory = kDefaultMaxMemory);

  CompiledGrammar(const CompiledGrammar&) = delete;
  CompiledGrammar& operator=(const CompiledGrammar&) = delete;

  const TokenIndex& index() const { return *index_; }

 private:
  friend class Matcher;

  CompiledGrammar(Network network, std::shared_ptr<const TokenIndex> index, int64_t max_memory)
      : network_(std::move(network)), index_(std::move(index)), max_memory_(max_memory) {}

  // The tables for new matchers.
  std::shared_ptr<ParseTables> tables() const;

  // Tables in place of these, which became too large.
  std::shared_ptr<ParseTables> TablesAfter(const std::shared_ptr<ParseTables>& full) const;

  std::shared_ptr<ParseTables> MakeTables() const {
    return std::make_shared<ParseTables>(network_, *index_, max_memory_);
  }

  const Network network_;
  const std::shared_ptr<const TokenIndex> index_;
  const int64_t max_memory_;
  mutable std::mutex mutex_;  // For what follows.
  mutable std::shared_ptr<ParseTables> tables_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_COMPILED_GRAMMAR_H_
