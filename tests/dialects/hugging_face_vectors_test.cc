// Dialect HUGGING_FACE against processed logits, kept sets and error cases of transformers' logits
// processors. Processors that logitchain does not have are counted by their name.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/environment.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/logit_checks.h"
#include "logitchain/tests/testing/vector_tally.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;

constexpr double kRemoved = -std::numeric_limits<double>::infinity();

// A processor of transformers as a rule of ours.
struct Peer {
  std::string rule;
  // Its parameters by the name of our field; "" is one that has no field.
  std::map<std::string, std::string> fields;
};

const std::map<std::string, Peer>& Peers() {
  static const auto* peers = new std::map<std::string, Peer>{
      {"temperature", {"temperature", {{"T", "temperature"}}}},
      {"top_k", {"top_k", {{"top_k", "k"}}}},
      {"top_p", {"top_p", {{"top_p", "p"}}}},
      {"min_p", {"min_p", {{"min_p", "p"}}}},
      {"repetition_penalty", {"repetition_penalty", {}}},
  };
  return *peers;
}

// Parameters of all processors. One that says how long the prompt is has no field, as the history
// knows it; `filter_value`, what "removed" means, and the vocabulary's size have none either.
std::string FieldName(const Peer& peer, const std::string& parameter) {
  static const auto* shared = new std::map<std::string, std::string>{
      {"min_tokens_to_keep", "min_keep"}, {"filter_value", ""}, {"vocab", ""}};
  const auto own = peer.fields.find(parameter);
  if (own != peer.fields.end()) return own->second;
  const auto common = shared->find(parameter);
  return common != shared->end() ? common->second : parameter;
}

std::string ChainTextOf(const Peer& peer, const json& params) {
  std::string rule;
  for (const auto& [parameter, value] : params.items()) {
    const std::string field = FieldName(peer, parameter);
    if (!field.empty()) absl::StrAppend(&rule, field, ": ", value.dump(), " ");
  }
  return absl::StrCat("dialect: HUGGING_FACE processors { ", peer.rule, " { ", rule, "} }");
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

absl::StatusOr<std::vector<double>> Process(const std::string& text, const Environment& environment,
                                            absl::Span<const TokenId> prompt,
                                            absl::Span<const TokenId> output,
                                            const std::vector<float>& logits) {
  const absl::StatusOr<ChainText> chain_text = ParseChainText(text, "vector");
  if (!chain_text.ok()) return chain_text.status();
  auto chain = CreateChain(*chain_text, environment);
  if (!chain.ok()) return chain.status();
  if (absl::Status status = (*chain)->Reset(prompt); !status.ok()) return status;
  for (const TokenId id : output) {
    if (absl::Status status = (*chain)->Commit(id); !status.ok()) return status;
  }
  return (*chain)->Process(logits);
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
  const std::vector<float> logits = PaddedLogits(InputLogits(golden), ids);
  const Environment environment = {.vocab_size = static_cast<int32_t>(logits.size())};
  const auto processed = Process(ChainTextOf(peer, params), environment, ids, {}, logits);
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
    const Environment environment = {.vocab_size = params.value("vocab", 200)};
    const std::vector<float> logits(environment.vocab_size, 0.5f);
    const auto processed = Process(ChainTextOf(peer->second, params), environment, {}, {}, logits);
    EXPECT_FALSE(processed.ok());
    std::cout << golden.at("processor") << ": " << processed.status().message() << "\n";
    tally.Check();
  }
  tally.Print("errors");
}

}  // namespace
}  // namespace logitchain
