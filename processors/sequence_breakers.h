#ifndef LOGITCHAIN_PROCESSORS_SEQUENCE_BREAKERS_H_
#define LOGITCHAIN_PROCESSORS_SEQUENCE_BREAKERS_H_

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// A set of token sequences, made to be asked at every token of a text whether one ends there. A
// text such as a line break is thousands of sequences of one token in a large vocabulary.
class SequenceBreakers {
 public:
  // `sequence` is not empty.
  void Add(std::vector<TokenId> sequence);

  // Whether `tokens` end with one of the sequences. Costs O(ids of the sequences with that end).
  bool AtEndOf(absl::Span<const TokenId> tokens) const;

  // Whether the sequence of just this token is one of them.
  bool IsOne(TokenId id) const { return single_.contains(id); }

 private:
  absl::flat_hash_set<TokenId> single_;
  // Those of several tokens, by the last one.
  absl::flat_hash_map<TokenId, std::vector<std::vector<TokenId>>> longer_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_SEQUENCE_BREAKERS_H_
