// Dialect LLAMA_CPP against the ids, survivors and probabilities that llama.cpp's samplers printed.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/logit_recipe.h"
#include "logitchain/tests/testing/test_chain.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;

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

std::string Bits(double value) {
  return absl::StrCat(
      absl::Hex(std::bit_cast<uint32_t>(static_cast<float>(value)), absl::kZeroPad8));
}

// The tokens with a positive probability, with its bits; ids ascending.
std::map<int, std::string> Survivors(const std::vector<double>& q) {
  std::map<int, std::string> survivors;
  for (size_t id = 0; id < q.size(); ++id) {
    if (q[id] > 0) survivors[id] = Bits(q[id]);
  }
  return survivors;
}

std::map<int, std::string> Survivors(const json& golden) {
  std::map<int, std::string> survivors;
  for (size_t i = 0; i < golden.at("ids").size(); ++i) {
    survivors[golden.at("ids")[i].get<int>()] = golden.at("p")[i].get<std::string>();
  }
  return survivors;
}

class Stream {
 public:
  Stream(const json& golden, const ChainConfig& config)
      : golden_(golden),
        vocab_size_(golden.at("vocab_size").get<int32_t>()),
        chain_(MakeChain(config, vocab_size_)) {
    EXPECT_TRUE(chain_->Reset(GoldenPrompt(golden.at("prompt"), vocab_size_)).ok());
  }

  // Returns whether there were survivors to check.
  bool CheckStep(size_t t) {
    const std::vector<float> logits =
        RecipeLogits(golden_.at("shape").get<std::string>(), vocab_size_,
                     golden_.at("logits_seed").get<uint64_t>(), t);
    const bool has_survivors = golden_.contains("survivors") &&
                               t < golden_.at("survivors").size() &&
                               !golden_.at("survivors")[t].is_null();
    if (has_survivors) {
      EXPECT_EQ(Survivors(chain_->Distribution(logits).value()),
                Survivors(golden_.at("survivors")[t]));
    }
    const auto sample = chain_->Sample(logits);
    EXPECT_TRUE(sample.ok()) << sample.status();
    if (sample.ok()) {
      EXPECT_EQ(sample->token, golden_.at("ids")[t].get<TokenId>());
    }
    return has_survivors;
  }

 private:
  const json& golden_;
  int32_t vocab_size_;
  std::unique_ptr<Chain> chain_;
};

TEST(LlamaCppGoldenTest, Streams) {
  const json cases = ReadGoldenJson("llama_golden.json").at("cases");
  int ids = 0;
  int survivors = 0;
  for (const json& golden : cases) {
    ChainConfig config;
    config.set_dialect(ChainConfig::LLAMA_CPP);
    config.set_order(ChainConfig::AS_LISTED);
    for (const json& stage : golden.at("chain")) AddStage(stage, config);
    Stream stream(golden, config);
    for (size_t t = 0; t < golden.at("ids").size(); ++t, ++ids) {
      SCOPED_TRACE(absl::StrCat(golden.at("name").get<std::string>(), ", step ", t));
      survivors += stream.CheckStep(t);
    }
  }
  EXPECT_EQ(cases.size(), 66);
  EXPECT_EQ(ids, 3648);
  EXPECT_EQ(survivors, 382);
}

}  // namespace
}  // namespace logitchain
