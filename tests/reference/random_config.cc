#include "logitchain/tests/reference/random_config.h"

#include <algorithm>
#include <cstdint>

#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/reference/dice.h"

namespace logitchain {
namespace {

// Allows or bans a few tokens, or any part of the vocabulary.
void AddMask(Dice& dice, int32_t vocab_size, ChainConfig& config) {
  auto* mask = config.add_processors()->mutable_grammar_mask();
  if (dice.Chance(0.4)) {
    const double density = dice.OneOf({0.001, 0.1, 0.5, 0.99});
    for (TokenId id = 0; id < vocab_size; ++id) {
      if (dice.Chance(density)) mask->add_allowed_ids(id);
    }
  }
  const int n = 1 + dice.Below(std::min(vocab_size, 200));
  for (int i = 0; i < n; ++i) {
    const TokenId id = dice.Below(vocab_size);
    dice.Chance(0.5) ? mask->add_allowed_ids(id) : mask->add_banned_ids(id);
  }
}

void AddRepetition(Dice& dice, ChainConfig& config) {
  auto* rule = config.add_processors()->mutable_repetition_penalty();
  rule->set_penalty(dice.OneOf({1.0, 1.1, 1.5, 0.8}));
  if (dice.Chance(0.3)) rule->set_window(dice.Below(dice.OneOf({100, 20000})));
  if (dice.Chance(0.2)) rule->set_scope(OUTPUT_ONLY);
}

void AddPresenceFrequency(Dice& dice, ChainConfig& config) {
  auto* rule = config.add_processors()->mutable_presence_frequency_penalty();
  rule->set_presence(dice.OneOf({0.0, 0.3, -0.2, 2.0, -2.0}));
  rule->set_frequency(dice.OneOf({0.0, 0.1, -0.5}));
  if (dice.Chance(0.3)) rule->set_window(dice.Below(dice.OneOf({100, 20000})));
  if (dice.Chance(0.3)) rule->set_scope(PROMPT_AND_OUTPUT);
}

void AddPenalties(Dice& dice, ChainConfig& config) {
  const bool repetition_first = config.dialect() != ChainConfig::MINFER;
  if (repetition_first) AddRepetition(dice, config);
  AddPresenceFrequency(dice, config);
  if (!repetition_first) AddRepetition(dice, config);
}

void AddTemperature(Dice& dice, ChainConfig& config) {
  const bool may_be_zero = config.dialect() != ChainConfig::HUGGING_FACE;
  const double temperature =
      dice.OneOf({0.8, 0.8, 1.0, 0.3, 1.7, 30.0, 1e-4, 1e-30, 1e30, may_be_zero ? 0.0 : 0.5});
  auto* rule = config.add_processors()->mutable_temperature();
  rule->set_temperature(temperature);
  if (config.dialect() == ChainConfig::VLLM) rule->set_allow_small_temperature(true);
}

void AddTopK(Dice& dice, int32_t vocab_size, ChainConfig& config) {
  auto* rule = config.add_processors()->mutable_top_k();
  rule->set_k(dice.OneOf({1, 2, 5, 40, 40, 1000, vocab_size, vocab_size + 1, 1 + vocab_size / 2}));
  if (dice.Chance(0.2)) rule->set_ties(TopKConfig::KEEP_TIES);
  if (dice.Chance(0.2)) rule->set_ties(TopKConfig::EXACTLY_K);
  if (dice.Chance(0.1)) rule->set_min_keep(1 + dice.Below(10));
}

void AddTopP(Dice& dice, int32_t vocab_size, ChainConfig& config) {
  auto* rule = config.add_processors()->mutable_top_p();
  rule->set_p(dice.OneOf({0.95, 0.9, 0.5, 0.25, 0.1, 0.999, 0.9999, 1e-8, 0.9999999, 1.0}));
  if (dice.Chance(0.2)) rule->set_crossing(TopPConfig::EXCEEDS);
  if (dice.Chance(0.1)) rule->set_min_keep(1 + dice.Below(dice.OneOf({10, vocab_size})));
}

void AddMinP(Dice& dice, int32_t vocab_size, ChainConfig& config) {
  auto* rule = config.add_processors()->mutable_min_p();
  rule->set_p(dice.OneOf({0.05, 0.5, 0.9, 1.0, 0.0, 1e-3, 1e-12}));
  if (dice.Chance(0.1)) rule->set_min_keep(1 + dice.Below(dice.OneOf({10, vocab_size})));
}

// Not behind a temperature of 0, where it is an error.
void AddTypical(Dice& dice, int32_t vocab_size, ChainConfig& config) {
  for (const ProcessorConfig& rule : config.processors()) {
    if (rule.has_temperature() && rule.temperature().temperature() == 0) return;
  }
  auto* rule = config.add_processors()->mutable_typical();
  rule->set_p(dice.OneOf({0.95, 0.9, 0.5, 0.2, 0.05, 0.999, 1e-8, 0.9999999, 1.0}));
  if (dice.Chance(0.1)) rule->set_min_keep(1 + dice.Below(dice.OneOf({10, vocab_size})));
}

void AddTopNSigma(Dice& dice, int32_t vocab_size, ChainConfig& config) {
  auto* rule = config.add_processors()->mutable_top_n_sigma();
  rule->set_n(dice.OneOf({1.0, 0.5, 2.0, 3.0, 0.1, 1e-3, 1e-9, 0.0}));
  if (dice.Chance(0.1)) rule->set_min_keep(1 + dice.Below(dice.OneOf({10, vocab_size})));
}

void AddAnyRule(Dice& dice, int32_t vocab_size, ChainConfig& config) {
  switch (dice.Below(config.dialect() == ChainConfig::SPEC ? 12 : 9)) {
    case 0:
      return AddRepetition(dice, config);
    case 1:
      return AddPresenceFrequency(dice, config);
    case 2:
      return AddTemperature(dice, config);
    case 3:
      return AddTopK(dice, vocab_size, config);
    case 4:
    case 5:
      return AddMinP(dice, vocab_size, config);
    case 9:
    case 10:
      return AddTypical(dice, vocab_size, config);
    case 11:
      return AddTopNSigma(dice, vocab_size, config);
    default:
      return AddTopP(dice, vocab_size, config);
  }
}

void AddRulesAsListed(Dice& dice, int32_t vocab_size, ChainConfig& config) {
  config.set_order(ChainConfig::AS_LISTED);
  // Masks come before the first filter.
  if (dice.Chance(0.3)) AddMask(dice, vocab_size, config);
  const int rules = 1 + dice.Below(6);
  for (int i = 0; i < rules; ++i) AddAnyRule(dice, vocab_size, config);
}

void AddRulesInOrder(Dice& dice, int32_t vocab_size, ChainConfig& config) {
  const bool mask_late =
      config.dialect() == ChainConfig::MINFER || config.dialect() == ChainConfig::HUGGING_FACE;
  const bool has_mask = dice.Chance(0.3);
  const bool temperature_last =
      config.dialect() == ChainConfig::MINFER || config.dialect() == ChainConfig::LLAMA_CPP;
  const bool min_p_first = config.dialect() == ChainConfig::VLLM;
  if (has_mask && !mask_late) AddMask(dice, vocab_size, config);
  if (dice.Chance(0.7)) AddPenalties(dice, config);
  if (has_mask && mask_late) AddMask(dice, vocab_size, config);
  if (!temperature_last && dice.Chance(0.7)) AddTemperature(dice, config);
  if (min_p_first && dice.Chance(0.5)) AddMinP(dice, vocab_size, config);
  const bool is_spec = config.dialect() == ChainConfig::SPEC;
  if (is_spec && dice.Chance(0.2)) AddTopNSigma(dice, vocab_size, config);
  if (dice.Chance(0.4)) AddTopK(dice, vocab_size, config);
  if (is_spec && dice.Chance(0.3)) AddTypical(dice, vocab_size, config);
  if (dice.Chance(0.5)) AddTopP(dice, vocab_size, config);
  if (!min_p_first && dice.Chance(0.5)) AddMinP(dice, vocab_size, config);
  if (temperature_last && dice.Chance(0.7)) AddTemperature(dice, config);
}

}  // namespace

ChainConfig RandomConfig(Dice& dice, int32_t vocab_size) {
  ChainConfig config;
  // The dialect with the most shortcuts is half of all.
  config.set_dialect(dice.Chance(0.4) ? ChainConfig::SPEC
                                      : static_cast<ChainConfig::Dialect>(dice.Below(5)));
  if (dice.Chance(0.3)) {
    AddRulesAsListed(dice, vocab_size, config);
  } else {
    AddRulesInOrder(dice, vocab_size, config);
  }
  config.mutable_draw()->set_seed(dice.Below(1 << 30));
  if (dice.Chance(0.1)) config.mutable_draw()->mutable_greedy();
  if (dice.Chance(0.5)) config.set_on_bad_logits(ChainConfig::REMOVE);
  // None most of the time: those cost walks that would hide the shortcuts.
  if (dice.Chance(0.2)) config.add_logprobs(ChainConfig::RAW);
  if (dice.Chance(0.2)) config.add_logprobs(ChainConfig::PENALISED);
  if (dice.Chance(0.2)) config.add_logprobs(ChainConfig::PROCESSED);
  return config;
}

}  // namespace logitchain
