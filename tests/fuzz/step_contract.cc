#include "logitchain/tests/fuzz/step_contract.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/dense_logits.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/sample.h"
#include "logitchain/tests/fuzz/require.h"

namespace logitchain {
namespace {

void RequireRemovedOrFinite(absl::Span<const float> logits, absl::Span<const double> processed) {
  Require(processed.size() == logits.size(), "there is a processed logit for each token");
  for (size_t id = 0; id < logits.size(); ++id) {
    Require(processed[id] == kRemoved || std::isfinite(processed[id]),
            "a processed logit is finite or −∞");
    Require(std::isfinite(logits[id]) || processed[id] == kRemoved, "what is removed stays so");
  }
}

void RequireDistribution(const Dialect& dialect, absl::Span<const double> processed,
                         absl::Span<const double> distribution) {
  Require(distribution.size() == processed.size(), "there is a probability for each token");
  double sum = 0;
  for (size_t id = 0; id < distribution.size(); ++id) {
    Require(distribution[id] >= 0 && distribution[id] <= 1, "a probability is in [0, 1]");
    Require(processed[id] != kRemoved || distribution[id] == 0, "removed is improbable");
    sum += distribution[id];
  }
  const double tolerance = dialect.arithmetic == Arithmetic::kFloat64 ? 1e-9 : 1e-3;
  Require(std::abs(sum - 1) <= tolerance, "probabilities add up to 1");
}

void RequireLogprobs(Chain& chain, absl::Span<const float> logits) {
  const absl::StatusOr<std::vector<double>> logprobs = chain.TokenLogprobs(logits);
  Require(logprobs.ok(), "a step that can be drawn has log-probabilities");
  for (const double logprob : *logprobs) Require(logprob <= 1e-6, "a log-probability is below 0");
  const absl::StatusOr<double> entropy = chain.Entropy(logits);
  Require(entropy.ok() && *entropy >= -1e-6 && *entropy <= std::log(logits.size()) + 1e-3,
          "the entropy is one of a distribution");
}

void RequireSame(const Sample& expected, const absl::StatusOr<Sample>& actual) {
  Require(actual.ok(), "the same step succeeds again");
  Require(actual->token == expected.token && actual->kept == expected.kept &&
              actual->greedy == expected.greedy && actual->uniform == expected.uniform &&
              actual->probability == expected.probability,
          "the same step draws the same again");
}

void RequireNotChanged(const Chain& before, Chain& chain) {
  Require(chain.history().all() == before.history().all() && chain.draws() == before.draws(),
          "a step that fails changes nothing");
}

}  // namespace

absl::StatusOr<Sample> SampleByContract(Chain& chain, absl::Span<const float> logits,
                                        bool may_fall_back) {
  const std::unique_ptr<Chain> fork = chain.Fork();
  const absl::StatusOr<std::vector<double>> processed = chain.Process(logits);
  const absl::StatusOr<std::vector<double>> distribution = chain.Distribution(logits);
  const absl::StatusOr<Sample> sample = chain.Sample(logits);
  if (!sample.ok()) {
    RequireNotChanged(*fork, chain);
    Require(!fork->Sample(logits).ok(), "a step that fails fails again");
    return sample;
  }
  Require(processed.ok() && distribution.ok(), "a step that can be drawn can be looked at");
  RequireRemovedOrFinite(logits, *processed);
  RequireDistribution(chain.dialect(), *processed, *distribution);
  Require(sample->token >= 0 && sample->token < chain.vocab_size(),
          "the token is in the vocabulary");
  Require(may_fall_back || (*processed)[sample->token] != kRemoved, "no removed token is drawn");
  RequireLogprobs(*fork, logits);
  RequireSame(*sample, fork->Sample(logits));
  Require(chain.Rollback(1).ok(), "a token can be taken back");
  RequireSame(*sample, chain.Sample(logits));
  return sample;
}

}  // namespace logitchain
