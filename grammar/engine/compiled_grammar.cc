#include "logitchain/grammar/engine/compiled_grammar.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logitchain/grammar/engine/build_network.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/engine/parse_tables.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/grammar.h"

namespace logitchain {

absl::StatusOr<std::shared_ptr<const CompiledGrammar>> CompiledGrammar::Compile(
    const Grammar& grammar, std::shared_ptr<const TokenIndex> index, int64_t max_memory) {
  absl::StatusOr<Network> network = BuildNetwork(grammar);
  if (!network.ok()) return network.status();
  std::shared_ptr<const CompiledGrammar> compiled =
      absl::WrapUnique(new CompiledGrammar(*std::move(network), std::move(index), max_memory));
  const std::shared_ptr<ParseTables> tables = compiled->tables();
  const std::lock_guard<std::mutex> lock(tables->mutex);
  if (!tables->parser.status().ok()) return tables->parser.status();
  return compiled;
}

std::shared_ptr<ParseTables> CompiledGrammar::tables() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (tables_ == nullptr) tables_ = MakeTables();
  return tables_;
}

std::shared_ptr<ParseTables> CompiledGrammar::TablesAfter(
    const std::shared_ptr<ParseTables>& full) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (tables_ == full) tables_ = MakeTables();
  return tables_;
}

}  // namespace logitchain
