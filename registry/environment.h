#ifndef LOGITCHAIN_REGISTRY_ENVIRONMENT_H_
#define LOGITCHAIN_REGISTRY_ENVIRONMENT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/container/btree_map.h"
#include "logitchain/core/prefix_constraint.h"
#include "logitchain/core/token_mask_provider.h"
#include "logitchain/core/vocabulary.h"

namespace logitchain {

// What a chain needs beside its config.
struct Environment {
  // Number of tokens, in [1, kMaxVocabSize].
  int32_t vocab_size = 0;

  // What the tokens stand for; null if nothing in the chain is about texts. It may have fewer
  // tokens than `vocab_size`, as models pad their logits, but not more.
  std::shared_ptr<const Vocabulary> vocabulary;

  // Grammar engines by the name that grammar_mask { provider: … } uses. Each chain works with its
  // own clone.
  absl::btree_map<std::string, std::shared_ptr<const TokenMaskProvider>> mask_providers;

  // Functions by the name that prefix_constraint { name: … } uses. Chains share them.
  absl::btree_map<std::string, PrefixConstraint> prefix_constraints;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_REGISTRY_ENVIRONMENT_H_
