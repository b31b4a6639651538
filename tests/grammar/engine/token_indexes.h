#ifndef LOGITCHAIN_TESTS_GRAMMAR_ENGINE_TOKEN_INDEXES_H_
#define LOGITCHAIN_TESTS_GRAMMAR_ENGINE_TOKEN_INDEXES_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/grammar/engine/token_index.h"

namespace logitchain {

// An index of tokens with these bytes, and behind them a token that ends the text.
inline std::shared_ptr<const TokenIndex> IndexOf(std::vector<std::string> tokens) {
  const TokenId stop = static_cast<TokenId>(tokens.size());
  tokens.push_back("</s>");
  return std::make_shared<const TokenIndex>(
      Vocabulary::Create({.token_bytes = std::move(tokens), .stop_ids = {stop}}).value());
}

// Tokens 0 to 255 are the single bytes; then those given, and the stop token.
inline std::shared_ptr<const TokenIndex> ByteIndex(const std::vector<std::string>& more = {}) {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  tokens.insert(tokens.end(), more.begin(), more.end());
  return IndexOf(std::move(tokens));
}

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_GRAMMAR_ENGINE_TOKEN_INDEXES_H_
