#include "logitchain/tests/reference/random_case.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/reference/dice.h"
#include "logitchain/tests/reference/random_config.h"
#include "logitchain/tests/reference/random_logits.h"

namespace logitchain {
namespace {

constexpr int kSteps = 3;

// One in twenty is so large that shortcuts for whole vocabularies are worth it.
int32_t RandomVocabSize(Dice& dice) {
  if (dice.Chance(0.02)) return 1 + dice.Below(300'000);
  if (dice.Chance(0.02)) return dice.OneOf({4096, 32'000, 65'537, 128'256, 151'936, 300'000});
  if (dice.Chance(0.05)) return 4096 + dice.Below(20'000);
  if (dice.Chance(0.15)) return 1 + dice.Below(6000);
  if (dice.Chance(0.2)) return dice.OneOf({31, 32, 33, 255, 256, 257, 511, 513, 1023, 1025});
  return 1 + dice.Below(dice.OneOf({3, 40, 700}));
}

std::vector<RandomLogits> RandomSteps(Dice& dice, int32_t vocab_size) {
  std::vector<RandomLogits> steps;
  for (int t = 0; t < kSteps; ++t) steps.emplace_back(dice, vocab_size);
  return steps;
}

// Any tokens, and some of the likely ones, which are then edited.
std::vector<TokenId> RandomPrompt(Dice& dice, int32_t vocab_size, const RandomLogits& logits) {
  std::vector<TokenId> prompt(dice.OneOf({0, 5, 70, 3000, 32'000}));
  for (TokenId& id : prompt) id = dice.Below(vocab_size);
  if (dice.Chance(0.5)) {
    const std::vector<TokenId> top = logits.Top(dice.OneOf({3, 30, 300}));
    prompt.insert(prompt.end(), top.begin(), top.end());
  }
  return prompt;
}

}  // namespace

RandomCase::RandomCase(Dice& dice)
    : vocab_size(RandomVocabSize(dice)),
      config(RandomConfig(dice, vocab_size)),
      logits(RandomSteps(dice, vocab_size)),
      prompt(RandomPrompt(dice, vocab_size, logits.front())) {}

std::string RandomCase::Description() const {
  ChainConfig short_config = config;
  for (ProcessorConfig& rule : *short_config.mutable_processors()) {
    if (!rule.has_grammar_mask()) continue;
    for (auto* ids : {rule.mutable_grammar_mask()->mutable_allowed_ids(),
                      rule.mutable_grammar_mask()->mutable_banned_ids()}) {
      ids->Truncate(std::min(ids->size(), 10));
    }
  }
  return short_config.DebugString();
}

}  // namespace logitchain
