// Dialect HUGGING_FACE against processed logits, kept sets and error cases of transformers' logits
// processors. Those that are no rule of a chain are counted by their name.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/environment.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/logit_checks.h"
#include "logitchain/tests/testing/process_logits.h"
#include "logitchain/tests/testing/vector_tally.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;
using testing::IsSubsetOf;

constexpr double kRemoved = -std::numeric_limits<double>::infinity();

// A processor of transformers as a rule of ours.
struct Peer {
  std::string rule;
  // Its parameters by the name of our field; "" is one that the test deals with.
  std::map<std::string, std::string> fields = {};
  // Further fields.
  std::string extra = "";
  // How many of the vector's ids are the prompt, where no parameter says it; the others are output.
  size_t prompt_size = std::numeric_limits<size_t>::max();
};

const std::map<std::string, Peer>& Peers() {
  static const auto* peers = new std::map<std::string, Peer>{
      {"temperature", {"temperature", {{"T", "temperature"}}}},
      {"top_k", {"top_k", {{"top_k", "k"}}}},
      {"top_p", {"top_p", {{"top_p", "p"}}}},
      {"min_p", {"min_p", {{"min_p", "p"}}}},
      {"typical_p", {"typical", {{"mass", "p"}}}},
      {"top_h", {"top_h", {{"top_h", "h"}}}},
      {"epsilon_cutoff", {"epsilon_cutoff"}},
      {"eta_cutoff", {"eta_cutoff"}},
      {"repetition_penalty", {"repetition_penalty"}},
      {"encoder_repetition_penalty",
       {"encoder_repetition_penalty", {{"encoder_input_ids", "text_ids"}}}},
      {"no_repeat_ngram", {"no_repeat_ngram", {{"ngram_size", "size"}}}},
      {"encoder_no_repeat_ngram",
       {"no_repeat_ngram", {{"encoder_ngram_size", "size"}, {"encoder_input_ids", "text_ids"}}}},
      {"bad_words", {"bad_words", {{"bad_words_ids", "sequences"}}}},
      {"sequence_bias", {"sequence_bias", {{"sequence_bias", "sequences"}}}},
      {"min_length", {"min_tokens", {{"min_length", "count"}}, "count_prompt: true"}},
      {"min_new_tokens", {"min_tokens", {{"min_new_tokens", "count"}}}},
      {"prefix_constrained", {"prefix_constraint", {{"allowed_ids", ""}}, "name: \"allowed\""}},
      // The prompt of an encoder-decoder is the one token that its decoder starts with.
      {"forced_bos", {"forced_tokens", {{"bos_token_id", "first_id"}}, "", 1}},
      {"forced_eos", {"forced_tokens", {{"eos_token_id", "last_id"}}}},
      {"exponential_decay_length_penalty",
       {"exponential_decay_length", {{"start_index", "start"}, {"decay_factor", "factor"}}}},
      {"suppress_tokens", {"suppress_tokens", {{"suppress_tokens", "ids"}}}},
      {"begin_suppress_tokens", {"begin_suppress", {{"begin_suppress_tokens", "ids"}}}},
  };
  return *peers;
}

// The length of the prompt is a parameter there; here the history knows it.
bool IsPromptLength(const std::string& parameter) {
  return parameter == "prompt_length_to_skip" || parameter == "begin_index" ||
         parameter == "input_ids_seq_length";
}

size_t PromptLength(const Peer& peer, const json& params) {
  for (const auto& [parameter, value] : params.items()) {
    if (IsPromptLength(parameter)) return value.get<size_t>();
  }
  return peer.prompt_size;
}

// `filter_value` is what "removed" means there.
std::string FieldName(const Peer& peer, const std::string& parameter) {
  static const auto* shared =
      new std::map<std::string, std::string>{{"min_tokens_to_keep", "min_keep"},
                                             {"eos_token_id", "stop_ids"},
                                             {"filter_value", ""},
                                             {"vocab", ""}};
  const auto own = peer.fields.find(parameter);
  if (own != peer.fields.end()) return own->second;
  const auto common = shared->find(parameter);
  return common != shared->end() ? common->second : parameter;
}

// Sequences are lists of ids, or pairs of such a list and a bias.
std::string SequencesText(const json& sequences) {
  std::string text;
  for (const json& sequence : sequences) {
    const bool has_bias = !sequence.empty() && sequence[0].is_array();
    absl::StrAppend(&text, "sequences { ids: ", (has_bias ? sequence[0] : sequence).dump());
    if (has_bias) absl::StrAppend(&text, " bias: ", sequence[1].dump());
    absl::StrAppend(&text, " } ");
  }
  return text;
}

std::string FieldText(const Peer& peer, const std::string& parameter, const json& value) {
  const std::string field = FieldName(peer, parameter);
  if (field == "sequences") return SequencesText(value);
  // A prompt of negative length has no other place than a field that does not exist.
  if (field.empty() || (IsPromptLength(parameter) && value >= 0)) return "";
  return absl::StrCat(field, ": ", value.dump(), " ");
}

std::string ChainTextOf(const Peer& peer, const json& params) {
  std::string rule = peer.extra;
  for (const auto& [parameter, value] : params.items()) {
    absl::StrAppend(&rule, " ", FieldText(peer, parameter, value));
  }
  return absl::StrCat("dialect: HUGGING_FACE processors { ", peer.rule, " { ", rule, "} }");
}

Environment EnvironmentOf(const json& params) {
  Environment environment;
  const auto allowed = params.value("allowed_ids", std::vector<TokenId>());
  environment.prefix_constraints["allowed"] =
      [allowed](const TokenHistory&) -> absl::StatusOr<std::vector<TokenId>> { return allowed; };
  return environment;
}

double Number(const json& value) { return value.is_string() ? kRemoved : value.get<double>(); }

std::vector<double> InputLogits(const json& golden) {
  std::vector<double> logits;
  if (golden.contains("input_logits")) {
    for (const json& value : golden.at("input_logits")) logits.push_back(Number(value));
  } else {
    for (const json& q : golden.at("input_probs")) logits.push_back(std::log(q.get<double>()));
  }
  return logits;
}

std::vector<TokenId> InputIds(const json& golden) {
  return golden.value("input_ids", std::vector<TokenId>());
}

// The ids of a vector may lie outside of its vocabulary; here they become tokens that are removed.
std::vector<float> PaddedLogits(const std::vector<double>& logits,
                                const std::vector<TokenId>& ids) {
  size_t size = logits.size();
  for (const TokenId id : ids) size = std::max<size_t>(size, id + 1);
  std::vector<float> padded(logits.begin(), logits.end());
  padded.resize(size, -std::numeric_limits<float>::infinity());
  return padded;
}

// What to compare with: the logits where they are given, else those that came in.
std::vector<double> ExpectedLogits(const json& golden) {
  std::vector<double> expected;
  if (golden.contains("expected_logits")) {
    for (const json& value : golden.at("expected_logits")) expected.push_back(Number(value));
    return expected;
  }
  expected = InputLogits(golden);
  const auto kept = golden.at("expected_kept").get<std::vector<size_t>>();
  for (size_t id = 0; id < expected.size(); ++id) {
    if (std::find(kept.begin(), kept.end(), id) == kept.end()) expected[id] = kRemoved;
  }
  return expected;
}

void CheckVector(const Peer& peer, const json& golden) {
  const json& params = golden.at("params");
  const std::vector<TokenId> ids = InputIds(golden);
  const auto prompt_end = ids.begin() + std::min(PromptLength(peer, params), ids.size());
  const auto processed =
      ProcessLogits(ChainTextOf(peer, params), PaddedLogits(InputLogits(golden), ids),
                    {.prompt = {ids.begin(), prompt_end}, .output = {prompt_end, ids.end()}},
                    EnvironmentOf(params));
  ASSERT_TRUE(processed.ok()) << processed.status();
  const auto kept = golden.at("expected_kept").get<std::vector<int>>();
  if (golden.at("id") == "top_p/13") {
    // Of equal logits we keep the lowest ids.
    EXPECT_EQ(KeptIds(*processed).size(), kept.size());
    return;
  }
  EXPECT_EQ(KeptIds(*processed), kept);
  if (!params.contains("filter_value")) ExpectLogits(*processed, ExpectedLogits(golden), 1e-5);
}

// What is no rule of a chain: guidance needs the logits of a second prompt, Bark's stop rule
// belongs to one model, on_bad_logits deals with NaN and infinities, and a draw normalises by
// itself.
const std::vector<std::string> kNoRules = {"bark_eos_prioritizer", "cfg_batched", "cfg_unbatched",
                                           "inf_nan_remove", "logit_normalization"};

std::vector<std::string> Missing(const VectorTally& tally) {
  std::vector<std::string> names;
  for (const auto& [name, count] : tally.skipped()) names.push_back(name);
  return names;
}

TEST(HuggingFaceVectorsTest, ProcessedLogits) {
  const json vectors = ReadGoldenJson("hf_vectors.json").at("vectors");
  EXPECT_EQ(vectors.size(), 93);
  VectorTally tally;
  for (const json& golden : vectors) {
    SCOPED_TRACE(golden.at("id").get<std::string>());
    const auto peer = Peers().find(golden.at("processor").get<std::string>());
    if (peer == Peers().end()) {
      tally.Skip(golden.at("processor").get<std::string>());
      continue;
    }
    CheckVector(peer->second, golden);
    tally.Check();
  }
  tally.Print("vectors");
  EXPECT_THAT(Missing(tally), IsSubsetOf(kNoRules));
}

TEST(HuggingFaceVectorsTest, Errors) {
  const json errors = ReadGoldenJson("hf_vectors.json").at("errors");
  EXPECT_EQ(errors.size(), 33);
  VectorTally tally;
  for (const json& golden : errors) {
    SCOPED_TRACE(golden.dump());
    const auto peer = Peers().find(golden.at("processor").get<std::string>());
    if (peer == Peers().end()) {
      tally.Skip(golden.at("processor").get<std::string>());
      continue;
    }
    const json& params = golden.at("params");
    const std::vector<float> logits(params.value("vocab", 200), 0.5f);
    const auto processed =
        ProcessLogits(ChainTextOf(peer->second, params), logits, {}, EnvironmentOf(params));
    EXPECT_FALSE(processed.ok());
    std::cout << golden.at("processor") << ": " << processed.status().message() << "\n";
    tally.Check();
  }
  tally.Print("errors");
  EXPECT_THAT(Missing(tally), IsSubsetOf(kNoRules));
}

}  // namespace
}  // namespace logitchain
