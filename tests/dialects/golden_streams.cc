#include "logitchain/tests/dialects/golden_streams.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/logit_recipe.h"
#include "logitchain/tests/testing/test_chain.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;

ChainConfig MinferConfig(const json& params) {
  ChainConfig config;
  config.set_dialect(ChainConfig::MINFER);
  auto* penalty = config.add_processors()->mutable_presence_frequency_penalty();
  penalty->set_presence(params.at("presence_penalty").get<double>());
  penalty->set_frequency(params.at("frequency_penalty").get<double>());
  config.add_processors()->mutable_repetition_penalty()->set_penalty(
      params.at("repeat_penalty").get<double>());
  config.add_processors()->mutable_top_k()->set_k(params.at("top_k").get<int64_t>());
  config.add_processors()->mutable_top_p()->set_p(params.at("top_p").get<double>());
  config.add_processors()->mutable_temperature()->set_temperature(params.at("temp").get<double>());
  config.mutable_draw()->set_seed(params.at("seed").get<uint64_t>());
  config.mutable_draw()->set_minfer_last_id_fallback(true);
  config.add_logprobs(ChainConfig::PROCESSED);
  return config;
}

void AddPenalties(const json& stage, ChainConfig& config) {
  auto* repetition = config.add_processors()->mutable_repetition_penalty();
  repetition->set_penalty(stage.at("repeat").get<double>());
  repetition->set_window(stage.at("last_n").get<int32_t>());
  auto* penalty = config.add_processors()->mutable_presence_frequency_penalty();
  penalty->set_presence(stage.at("present").get<double>());
  penalty->set_frequency(stage.at("freq").get<double>());
  penalty->set_window(stage.at("last_n").get<int32_t>());
}

int32_t MinKeep(const json& stage) { return std::max(stage.at("min_keep").get<int32_t>(), 1); }

// Adds one of llama.cpp's filters or shapers; the others leave `config` as it is.
void AddRule(const std::string& type, const json& stage, ProcessorConfig& config) {
  const auto number = [&stage](const char* field) { return stage.at(field).get<double>(); };
  if (type == "top_k") {
    config.mutable_top_k()->set_k(stage.at("k").get<int64_t>());
  } else if (type == "top_p") {
    config.mutable_top_p()->set_p(number("p"));
    config.mutable_top_p()->set_min_keep(MinKeep(stage));
  } else if (type == "min_p") {
    config.mutable_min_p()->set_p(number("p"));
    config.mutable_min_p()->set_min_keep(MinKeep(stage));
  } else if (type == "typ_p") {
    config.mutable_typical()->set_p(number("p"));
    config.mutable_typical()->set_min_keep(MinKeep(stage));
  } else if (type == "top_n_sigma") {
    config.mutable_top_n_sigma()->set_n(number("n"));
  } else if (type == "temp") {
    config.mutable_temperature()->set_temperature(number("temp"));
  } else if (type == "temp_ext") {
    config.mutable_dynamic_temperature()->set_temperature(number("temp"));
    config.mutable_dynamic_temperature()->set_range(number("delta"));
    config.mutable_dynamic_temperature()->set_exponent(number("exponent"));
  } else if (type == "xtc") {
    config.mutable_xtc()->set_probability(number("probability"));
    config.mutable_xtc()->set_threshold(number("threshold"));
    config.mutable_xtc()->set_min_keep(MinKeep(stage));
    config.mutable_xtc()->set_seed(stage.at("seed").get<uint64_t>());
  } else if (type == "logit_bias") {
    for (const json& bias : stage.at("bias")) {
      auto* token = config.mutable_logit_bias()->add_token();
      token->set_id(bias[0].get<int32_t>());
      token->set_bias(bias[1].get<double>());
    }
  }
}

void AddDraw(const std::string& type, const json& stage, DrawConfig& draw) {
  if (stage.contains("seed")) draw.set_seed(stage.at("seed").get<uint64_t>());
  if (type == "greedy") {
    draw.mutable_greedy();
  } else if (type == "dist") {
    draw.mutable_categorical();
  } else if (type == "mirostat") {
    draw.mutable_mirostat()->set_tau(stage.at("tau").get<double>());
    draw.mutable_mirostat()->set_eta(stage.at("eta").get<double>());
    draw.mutable_mirostat()->set_m(stage.at("m").get<int32_t>());
  } else if (type == "mirostat_v2") {
    draw.mutable_mirostat_v2()->set_tau(stage.at("tau").get<double>());
    draw.mutable_mirostat_v2()->set_eta(stage.at("eta").get<double>());
  } else {
    ADD_FAILURE() << "unknown stage " << type;
  }
}

void AddStage(const json& stage, ChainConfig& config) {
  const auto type = stage.at("type").get<std::string>();
  if (type == "penalties") return AddPenalties(stage, config);
  ProcessorConfig rule;
  AddRule(type, stage, rule);
  if (rule.rule_case() == ProcessorConfig::RULE_NOT_SET) {
    AddDraw(type, stage, *config.mutable_draw());
  } else {
    *config.add_processors() = rule;
  }
}

ChainConfig LlamaCppConfig(const json& stages) {
  ChainConfig config;
  config.set_dialect(ChainConfig::LLAMA_CPP);
  config.set_order(ChainConfig::AS_LISTED);
  for (const json& stage : stages) AddStage(stage, config);
  return config;
}

// `prompt` is of the kinds that GoldenPrompt takes.
GoldenStream MakeStream(const json& golden, const ChainConfig& config, const json& prompt) {
  const auto vocab_size = golden.at("vocab_size").get<int32_t>();
  return {.name = golden.at("name").get<std::string>(),
          .config = config,
          .vocab_size = vocab_size,
          .prompt = GoldenPrompt(prompt, vocab_size),
          .golden = golden};
}

}  // namespace

std::vector<float> GoldenStream::Logits(size_t step) const {
  return RecipeLogits(golden.at("shape").get<std::string>(), vocab_size,
                      golden.at("logits_seed").get<uint64_t>(), step);
}

std::unique_ptr<Chain> GoldenStream::MakeChain() const {
  std::unique_ptr<Chain> chain = logitchain::MakeChain(config, vocab_size);
  EXPECT_TRUE(chain->Reset(prompt).ok());
  return chain;
}

std::vector<GoldenStream> SpecStreams() {
  std::vector<GoldenStream> streams;
  const json cases = ReadGoldenJson("spec_streams.json").at("cases");
  for (const json& golden : cases) {
    streams.push_back(MakeStream(
        golden, SpecConfig(golden.at("params"), golden.at("seed").get<uint64_t>()), golden));
  }
  return streams;
}

std::vector<GoldenStream> MinferStreams() {
  std::vector<GoldenStream> streams;
  const json cases = ReadGoldenJson("minfer_golden.json").at("cases");
  for (const json& golden : cases) {
    streams.push_back(MakeStream(golden, MinferConfig(golden.at("params")), golden.at("prompt")));
  }
  return streams;
}

std::vector<GoldenStream> LlamaCppStreams() {
  std::vector<GoldenStream> streams;
  const json cases = ReadGoldenJson("llama_golden.json").at("cases");
  for (const json& golden : cases) {
    streams.push_back(MakeStream(golden, LlamaCppConfig(golden.at("chain")), golden.at("prompt")));
  }
  return streams;
}

ChainConfig SpecConfig(const json& params, uint64_t seed) {
  ChainConfig config;
  config.add_processors()->mutable_repetition_penalty()->set_penalty(
      params.at("repetition_penalty").get<double>());
  auto* penalty = config.add_processors()->mutable_presence_frequency_penalty();
  penalty->set_presence(params.at("presence_penalty").get<double>());
  penalty->set_frequency(params.at("frequency_penalty").get<double>());
  config.add_processors()->mutable_temperature()->set_temperature(
      params.at("temperature").get<double>());
  config.add_processors()->mutable_top_k()->set_k(params.at("top_k").get<int64_t>());
  config.add_processors()->mutable_top_p()->set_p(params.at("top_p").get<double>());
  config.add_processors()->mutable_min_p()->set_p(params.at("min_p").get<double>());
  config.mutable_draw()->set_seed(seed);
  config.add_logprobs(ChainConfig::PENALISED);
  return config;
}

}  // namespace logitchain
