// Dialect LLAMA_CPP against the ids, survivors and probabilities that llama.cpp's samplers printed.
// Streams with a rule that logitchain does not have are counted by that rule.

#include <bit>
#include <cstdint>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
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

void AddTopP(const json& stage, ChainConfig& config) {
  auto* top_p = config.add_processors()->mutable_top_p();
  top_p->set_p(stage.at("p").get<double>());
  top_p->set_min_keep(MinKeep(stage));
}

void AddMinP(const json& stage, ChainConfig& config) {
  auto* min_p = config.add_processors()->mutable_min_p();
  min_p->set_p(stage.at("p").get<double>());
  min_p->set_min_keep(MinKeep(stage));
}

// Adds what one of llama.cpp's samplers is here; false if there is no such rule.
bool AddStage(const json& stage, ChainConfig& config) {
  const auto type = stage.at("type").get<std::string>();
  if (type == "penalties") {
    AddPenalties(stage, config);
  } else if (type == "top_k") {
    config.add_processors()->mutable_top_k()->set_k(stage.at("k").get<int64_t>());
  } else if (type == "top_p") {
    AddTopP(stage, config);
  } else if (type == "min_p") {
    AddMinP(stage, config);
  } else if (type == "temp") {
    config.add_processors()->mutable_temperature()->set_temperature(stage.at("temp").get<double>());
  } else if (type == "dist") {
    config.mutable_draw()->set_seed(stage.at("seed").get<uint64_t>());
  } else if (type == "greedy") {
    config.mutable_draw()->mutable_greedy();
  } else {
    return false;
  }
  return true;
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

  void CheckStep(size_t t) {
    const std::vector<float> logits =
        RecipeLogits(golden_.at("shape").get<std::string>(), vocab_size_,
                     golden_.at("logits_seed").get<uint64_t>(), t);
    if (golden_.contains("survivors") && t < golden_.at("survivors").size() &&
        !golden_.at("survivors")[t].is_null()) {
      EXPECT_EQ(Survivors(chain_->Distribution(logits).value()),
                Survivors(golden_.at("survivors")[t]));
    }
    const auto sample = chain_->Sample(logits);
    ASSERT_TRUE(sample.ok()) << sample.status();
    EXPECT_EQ(sample->token, golden_.at("ids")[t].get<TokenId>());
  }

 private:
  const json& golden_;
  int32_t vocab_size_;
  std::unique_ptr<Chain> chain_;
};

TEST(LlamaCppGoldenTest, Streams) {
  const json cases = ReadGoldenJson("llama_golden.json").at("cases");
  EXPECT_EQ(cases.size(), 66);
  int streams = 0;
  int ids = 0;
  std::map<std::string, std::vector<std::string>> skipped;
  for (const json& golden : cases) {
    const auto name = golden.at("name").get<std::string>();
    ChainConfig config;
    config.set_dialect(ChainConfig::LLAMA_CPP);
    config.set_order(ChainConfig::AS_LISTED);
    std::string missing;
    for (const json& stage : golden.at("chain")) {
      if (!AddStage(stage, config)) missing = stage.at("type").get<std::string>();
    }
    if (!missing.empty()) {
      skipped[missing].push_back(name);
      continue;
    }
    ++streams;
    Stream stream(golden, config);
    for (size_t t = 0; t < golden.at("ids").size(); ++t) {
      SCOPED_TRACE(absl::StrCat(name, ", step ", t));
      stream.CheckStep(t);
      ++ids;
    }
  }
  std::cout << streams << " streams with " << ids << " ids checked\n";
  for (const auto& [rule, names] : skipped) {
    std::cout << names.size() << " skipped for want of the rule " << rule << "\n";
    for (const std::string& name : names) std::cout << "  " << name << "\n";
  }
  EXPECT_GE(streams, 30);
}

}  // namespace
}  // namespace logitchain
