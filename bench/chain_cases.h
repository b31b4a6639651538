#ifndef LOGITCHAIN_BENCH_CHAIN_CASES_H_
#define LOGITCHAIN_BENCH_CHAIN_CASES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "logitchain/bench/shapes.h"
#include "logitchain/registry/environment.h"

namespace logitchain {

// A chain to be measured, and on what.
struct ChainCase {
  std::string name;
  std::string chain;  // As textproto.
  std::vector<Shape> shapes;
};

// Penalties over 64 tokens, top-k, top-p, min-p, temperature and a draw: what most callers have.
std::string DefaultChain();

// The chains for which there are targets.
std::vector<ChainCase> TargetCases();

// Each rule and each terminal alone, named as in a config. Masks, biases and penalties with a
// greedy draw, which costs one pass; other rules with a categorical one, since a greedy draw passes
// over rules that keep the most likely token.
std::vector<ChainCase> RuleCases();

// What the chains need: a mask provider "grammar" that allows a tenth of the tokens, and a prefix
// constraint "even".
Environment BenchEnvironment(int32_t vocab_size);

}  // namespace logitchain

#endif  // LOGITCHAIN_BENCH_CHAIN_CASES_H_
