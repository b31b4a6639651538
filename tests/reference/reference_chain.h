#ifndef LOGITCHAIN_TESTS_REFERENCE_REFERENCE_CHAIN_H_
#define LOGITCHAIN_TESTS_REFERENCE_REFERENCE_CHAIN_H_

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

// The judge: every rule as the obvious loop over all tokens, each dialect as the prose describes
// it, with nothing of the chain's own code but the generators and the scalar exp and log. Slow.
//
// It takes configs that are valid, in the dialect's order or as listed. It knows the rules whose
// results the chain finds by shortcuts; typical and top_n_sigma in the dialect SPEC alone.
class ReferenceChain {
 public:
  struct Step {
    TokenId token = 0;
    int32_t kept = 0;
    double raw_logprob = 0;
    double penalised_logprob = 0;
    double processed_logprob = 0;
    std::vector<double> processed;     // By token; −∞ where removed.
    std::vector<double> distribution;  // By token.
  };

  ReferenceChain(const ChainConfig& config, int32_t vocab_size, absl::Span<const TokenId> prompt);

  // One step, with its token committed. Nothing if the step is an error.
  std::optional<Step> Sample(absl::Span<const float> logits);

 private:
  struct Candidate {
    TokenId id;
    double logit;
  };

  bool is(ChainConfig::Dialect dialect) const { return config_.dialect() == dialect; }
  bool is_float() const { return !is(ChainConfig::SPEC); }
  double Round(double value) const { return is_float() ? static_cast<float>(value) : value; }

  bool Load(absl::Span<const float> logits);
  bool Apply(const ProcessorConfig& rule);
  bool ApplyMask(const GrammarMaskConfig& rule);
  bool ApplyRepetition(const RepetitionPenaltyConfig& rule);
  bool ApplyPresenceFrequency(const PresenceFrequencyPenaltyConfig& rule);
  bool ApplyTemperature(double temperature);
  void ApplyTopK(const TopKConfig& rule);
  void ApplyTopP(const TopPConfig& rule);
  void ApplyMinP(const MinPConfig& rule);
  void ApplyTypical(const TypicalConfig& rule);
  void ApplyTopNSigma(const TopNSigmaConfig& rule);

  std::map<TokenId, int> Counts(bool output_only, std::optional<int32_t> window) const;
  std::vector<double> Probabilities() const;
  // Positions by (logit descending, id ascending), or as they are where they are sorted.
  std::vector<size_t> Ranked() const;
  void KeepRanked(const std::vector<size_t>& ranked, size_t n);
  // Keeps these, or the first `min_keep` of the rank if they are fewer.
  void KeepAtLeast(int64_t min_keep, const std::vector<Candidate>& kept);
  double Maximum() const;
  int32_t Live() const;
  std::vector<double> Spread(const std::vector<double>& values, double missing) const;

  void Draw(Step& step);
  void FillLogprobs(absl::Span<const float> logits, Step& step) const;
  // The token's place in the log-softmax over `logits`, one per token or per candidate.
  static double Logprob(const std::vector<double>& logits, double logit);

  ChainConfig config_;
  int32_t vocab_size_;
  std::unique_ptr<UniformGenerator> generator_;
  std::vector<TokenId> history_;
  size_t prompt_size_;
  bool greedy_ = false;

  std::vector<Candidate> candidates_;  // In array order.
  bool sorted_ = false;
  std::vector<double> penalised_;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_REFERENCE_REFERENCE_CHAIN_H_
