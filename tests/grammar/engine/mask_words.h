#ifndef LOGITCHAIN_TESTS_GRAMMAR_ENGINE_MASK_WORDS_H_
#define LOGITCHAIN_TESTS_GRAMMAR_ENGINE_MASK_WORDS_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/grammar/engine/compiled_grammar.h"
#include "logitchain/grammar/engine/matcher.h"
#include "logitchain/grammar/engine/token_index.h"
#include "logitchain/grammar/grammar.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {

inline Matcher MatcherOf(const Grammar& grammar, std::shared_ptr<const TokenIndex> index) {
  return Matcher(CompiledGrammar::Compile(grammar, std::move(index)).value());
}

// The tokens that may come next, ascending.
inline std::vector<TokenId> Allowed(Matcher& matcher, int32_t vocab_size) {
  std::vector<int32_t> mask((vocab_size + 31) / 32);
  EXPECT_THAT(matcher.FillMask(absl::MakeSpan(mask)), IsOk());
  std::vector<TokenId> ids;
  for (TokenId id = 0; id < vocab_size; ++id) {
    if ((mask[id / 32] >> (id % 32)) & 1) ids.push_back(id);
  }
  return ids;
}

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_GRAMMAR_ENGINE_MASK_WORDS_H_
