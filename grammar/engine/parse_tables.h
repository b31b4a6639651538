#ifndef LOGITCHAIN_GRAMMAR_ENGINE_PARSE_TABLES_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_PARSE_TABLES_H_

#include <cstdint>
#include <mutex>

#include "logitchain/grammar/engine/look_ahead.h"
#include "logitchain/grammar/engine/mask_builder.h"
#include "logitchain/grammar/engine/network.h"
#include "logitchain/grammar/engine/parser.h"
#include "logitchain/grammar/engine/token_index.h"

namespace logitchain {

// What the matchers of a grammar have found so far: the parser's states and their masks, which they
// share under a lock.
struct ParseTables {
  // Both must outlive this.
  ParseTables(const Network& network, const TokenIndex& index, int64_t max_memory)
      : parser(network, max_memory), look_ahead(index, parser), masks(index, parser, look_ahead) {}

  std::mutex mutex;  // For what follows.
  Parser parser;
  LookAhead look_ahead;
  MaskBuilder masks;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_PARSE_TABLES_H_
