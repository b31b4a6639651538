#include "logitchain/bench/chain_cases.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/bench/packed_mask.h"
#include "logitchain/bench/shapes.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/environment.h"

namespace logitchain {
namespace {

constexpr double kAllowed = 0.1;

const char kPenalties[] =
    "processors { repetition_penalty {"
    "  penalty: 1.1 window: 64 scope: PROMPT_AND_OUTPUT } } "
    "processors { presence_frequency_penalty {"
    "  presence: 0.2 frequency: 0.1 window: 64 scope: PROMPT_AND_OUTPUT } } ";

// Masks, biases and penalties.
const char* const kRulesBeforeShaping[] = {
    "grammar_mask { provider: 'grammar' }",
    "bad_words { sequences { ids: [1, 2] } sequences { ids: 7 } }",
    "min_tokens { count: 1048576 stop_ids: [3, 4] }",
    "suppress_tokens { ids: [8, 9] }",
    "begin_suppress { ids: [8, 9] }",
    "forced_tokens { first_id: 11 last_id: 13 max_length: 1048576 }",
    "no_repeat_ngram { size: 3 }",
    "prefix_constraint { name: 'even' }",
    "logit_bias { token { id: 7 bias: 2 } token { id: 9 bias: -inf } }",
    "sequence_bias { sequences { ids: [1, 2] bias: 3 } sequences { ids: 7 bias: -inf } }",
    "exponential_decay_length { start: 2 factor: 1.01 stop_ids: [3, 4] }",
    "green_list_watermark { delta: 2 key: 9 }",
    "repetition_penalty { penalty: 1.1 }",
    "presence_frequency_penalty { presence: 0.2 frequency: 0.1 scope: PROMPT_AND_OUTPUT }",
    "encoder_repetition_penalty { penalty: 1.1 text_ids: [1, 2, 3] }",
    "dry { multiplier: 0.8 sequence_breakers { ids: 5 } }",
};

// Temperatures and filters.
const char* const kRulesThatShape[] = {
    "quadratic_smoothing { smoothing_factor: 0.3 smoothing_curve: 1.5 }",
    "temperature { temperature: 0.8 }",
    "dynamic_temperature { temperature: 1 range: 0.5 }",
    "top_n_sigma { n: 1 }",
    "top_k { k: 40 }",
    "typical { p: 0.95 }",
    "top_p { p: 0.95 }",
    "min_p { p: 0.05 }",
    "top_a { a: 0.2 }",
    "top_h { h: 0.4 }",
    "tail_free { z: 0.95 }",
    "epsilon_cutoff { epsilon: 3e-4 }",
    "eta_cutoff { epsilon: 3e-4 }",
    "xtc { probability: 0.5 threshold: 0.1 }",
};

const char* const kTerminals[] = {
    "greedy {}",
    "categorical {}",
    "mirostat { tau: 5 eta: 0.1 m: 100 }",
    "mirostat_v2 { tau: 5 eta: 0.1 }",
    "gumbel_max {}",
    "adaptive_p { target: 0.3 decay: 0.9 }",
};

std::string NameOf(const std::string& rule) { return rule.substr(0, rule.find(' ')); }

ChainCase RuleCase(const std::string& rule, const char* draw) {
  return {NameOf(rule),
          absl::StrCat("processors { ", rule, " } draw { ", draw, " }"),
          {Shape::kPeaked, Shape::kFlat}};
}

ChainCase TerminalCase(const std::string& terminal) {
  return {NameOf(terminal),
          absl::StrCat("draw { seed: 42 ", terminal, " }"),
          {Shape::kPeaked, Shape::kFlat}};
}

// Every second token.
absl::StatusOr<std::vector<TokenId>> EvenTokens(int32_t vocab_size) {
  std::vector<TokenId> ids;
  for (TokenId id = 0; id < vocab_size; id += 2) ids.push_back(id);
  return ids;
}

}  // namespace

std::string DefaultChain() {
  return absl::StrCat(
      kPenalties,
      "processors { temperature { temperature: 0.8 } } processors { top_k { k: 40 } } "
      "processors { top_p { p: 0.95 } } processors { min_p { p: 0.05 } } draw { seed: 42 }");
}

std::vector<ChainCase> TargetCases() {
  return {
      {"greedy", absl::StrCat(kPenalties, "draw { greedy {} }"), {Shape::kPeaked}},
      {"default", DefaultChain(), {Shape::kPeaked}},
      {"top_p",
       "processors { top_p { p: 0.95 } } draw { seed: 42 }",
       {Shape::kPeaked, Shape::kMid, Shape::kFlat}},
      {"min_p",
       "processors { temperature { temperature: 0.8 } } processors { min_p { p: 0.05 } } "
       "draw { seed: 42 }",
       {Shape::kPeaked, Shape::kFlat}},
      {"temperature",
       "processors { temperature { temperature: 0.8 } } draw { seed: 42 }",
       {Shape::kPeaked, Shape::kFlat}},
      {"typical",
       "processors { typical { p: 0.95 } } draw { seed: 42 }",
       {Shape::kPeaked, Shape::kFlat}},
      {"top_n_sigma",
       "processors { top_n_sigma { n: 1 } } draw { seed: 42 }",
       {Shape::kPeaked, Shape::kFlat}},
      {"bitmask",
       "processors { grammar_mask { provider: 'grammar' } } draw { greedy {} }",
       {Shape::kPeaked}},
  };
}

std::vector<ChainCase> RuleCases() {
  std::vector<ChainCase> cases;
  for (const char* rule : kRulesBeforeShaping) cases.push_back(RuleCase(rule, "greedy {}"));
  for (const char* rule : kRulesThatShape) cases.push_back(RuleCase(rule, "seed: 42"));
  for (const char* terminal : kTerminals) cases.push_back(TerminalCase(terminal));
  return cases;
}

Environment BenchEnvironment(int32_t vocab_size) {
  Environment environment = {.vocab_size = vocab_size};
  environment.mask_providers["grammar"] = std::make_shared<PackedMask>(vocab_size, kAllowed);
  environment.prefix_constraints["even"] = [vocab_size](const TokenHistory&) {
    return EvenTokens(vocab_size);
  };
  return environment;
}

}  // namespace logitchain
