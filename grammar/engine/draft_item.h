#ifndef LOGITCHAIN_GRAMMAR_ENGINE_DRAFT_ITEM_H_
#define LOGITCHAIN_GRAMMAR_ENGINE_DRAFT_ITEM_H_

#include <cstdint>
#include <vector>

#include "logitchain/grammar/engine/network.h"

namespace logitchain {

// An item whose edges may take no byte, or lead nowhere.
struct DraftItem {
  std::vector<TerminalEdge> terminals;
  std::vector<CallEdge> calls;
  std::vector<int32_t> skips;  // Items that may come without a byte.
  bool ends = false;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_GRAMMAR_ENGINE_DRAFT_ITEM_H_
