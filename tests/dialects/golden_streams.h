#ifndef LOGITCHAIN_TESTS_DIALECTS_GOLDEN_STREAMS_H_
#define LOGITCHAIN_TESTS_DIALECTS_GOLDEN_STREAMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "nlohmann/json.hpp"

namespace logitchain {

// A sequence that another system sampled, as tests/golden has it.
struct GoldenStream {
  std::string name;
  ChainConfig config;
  int32_t vocab_size;
  std::vector<TokenId> prompt;
  nlohmann::json golden;  // The whole case, with what came out.

  size_t steps() const { return golden.at("ids").size(); }
  TokenId token(size_t step) const { return golden.at("ids")[step].get<TokenId>(); }
  std::vector<float> Logits(size_t step) const;

  // After the prompt.
  std::unique_ptr<Chain> MakeChain() const;
};

std::vector<GoldenStream> SpecStreams();
std::vector<GoldenStream> MinferStreams();
std::vector<GoldenStream> LlamaCppStreams();

// The specification's chain with these parameters.
ChainConfig SpecConfig(const nlohmann::json& params, uint64_t seed);

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_DIALECTS_GOLDEN_STREAMS_H_
