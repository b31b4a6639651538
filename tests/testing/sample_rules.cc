#include "logitchain/tests/testing/sample_rules.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/registry/environment.h"

namespace logitchain {

std::vector<std::string> SampleRules() {
  return {
      "grammar_mask { allowed_ids: [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37] }",
      "bad_words { sequences { ids: [1, 2] } sequences { ids: 7 } }",
      "min_tokens { count: 5 stop_ids: [3, 4] }",
      "suppress_tokens { ids: [8, 9] }",
      "begin_suppress { ids: [8, 9] }",
      "forced_tokens { first_id: 11 last_id: 13 max_length: 8 }",
      "no_repeat_ngram { size: 2 }",
      "no_repeat_ngram { size: 2 text_ids: [1, 2, 3, 4, 5, 6] }",
      "prefix_constraint { name: 'primes' }",
      "logit_bias { token { id: 7 bias: 2 } token { id: 9 bias: -inf } }",
      "sequence_bias { sequences { ids: [1, 2] bias: 3 } sequences { ids: 7 bias: -inf } }",
      "exponential_decay_length { start: 2 factor: 1.5 stop_ids: [3, 4] }",
      "green_list_watermark { delta: 2 key: 9 }",
      "repetition_penalty { penalty: 1.5 }",
      "repetition_penalty { penalty: 1.5 prompt_ignore_length: 2 }",
      "presence_frequency_penalty { presence: 0.5 frequency: 0.25 }",
      "encoder_repetition_penalty { penalty: 1.5 text_ids: [1, 2, 3] }",
      "dry { multiplier: 0.8 allowed_length: 1 sequence_breakers { ids: 5 } }",
      "dry { multiplier: 0.8 allowed_length: 1 sequence_breaker_texts: '7' }",
      "quadratic_smoothing { smoothing_factor: 0.3 smoothing_curve: 1.5 }",
      "temperature { temperature: 0.7 }",
      "dynamic_temperature { temperature: 1 range: 1 }",
      "top_n_sigma { n: 0.01 }",
      "top_k { k: 1 }",
      "typical { p: 0.01 }",
      "top_p { p: 0.01 }",
      "min_p { p: 1 }",
      "top_a { a: 1 }",
      "top_h { h: 0.01 }",
      "tail_free { z: 0.01 }",
      "epsilon_cutoff { epsilon: 0.9 }",
      "eta_cutoff { epsilon: 0.9 }",
      "xtc { probability: 0.5 threshold: 0.01 }",
  };
}

std::vector<std::string> SampleTerminals() {
  return {"greedy {}",
          "categorical {}",
          "mirostat { tau: 2 eta: 0.5 m: 20 }",
          "mirostat_v2 { tau: 2 eta: 0.5 }",
          "gumbel_max {}",
          "adaptive_p { target: 0.3 decay: 0.5 }"};
}

Environment SampleEnvironment() {
  Environment environment = {.vocab_size = kSampleVocabSize};
  environment.prefix_constraints["primes"] =
      [](const TokenHistory&) -> absl::StatusOr<std::vector<TokenId>> {
    return std::vector<TokenId>{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  };
  Vocabulary::Parts parts;
  for (TokenId id = 0; id < kSampleVocabSize; ++id) parts.token_bytes.push_back(absl::StrCat(id));
  environment.vocabulary = Vocabulary::Create(parts).value();
  return environment;
}

}  // namespace logitchain
