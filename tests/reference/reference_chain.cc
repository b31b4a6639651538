#include "logitchain/tests/reference/reference_chain.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/numerics/float_exp.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

constexpr double kOut = -std::numeric_limits<double>::infinity();

GeneratorKind GeneratorOf(ChainConfig::Dialect dialect) {
  if (dialect == ChainConfig::MINFER) return GeneratorKind::kChaCha12;
  if (dialect == ChainConfig::LLAMA_CPP) return GeneratorKind::kMt19937;
  return GeneratorKind::kPcg32SampleStream;
}

bool IsGreedyTemperature(ChainConfig::Dialect dialect, double temperature) {
  if (dialect == ChainConfig::MINFER) return temperature < 1e-6;
  if (dialect == ChainConfig::VLLM) return temperature < 1e-5;
  return dialect == ChainConfig::SPEC && temperature == 0;
}

bool ComesBeforeShaping(const ProcessorConfig& rule) {
  return rule.has_grammar_mask() || rule.has_repetition_penalty() ||
         rule.has_presence_frequency_penalty();
}

bool IsFilter(const ProcessorConfig& rule) {
  return rule.has_top_k() || rule.has_top_p() || rule.has_min_p() || rule.has_typical() ||
         rule.has_top_n_sigma();
}

// A rule that does nothing is as good as not there.
bool IsOff(const ProcessorConfig& rule, ChainConfig::Dialect dialect) {
  return (rule.has_temperature() && rule.temperature().temperature() == 1) ||
         (rule.has_top_k() && rule.top_k().k() <= 0) ||
         (rule.has_top_p() && rule.top_p().p() >= 1) ||
         (rule.has_top_p() && dialect == ChainConfig::MINFER && rule.top_p().p() <= 0) ||
         (rule.has_min_p() && rule.min_p().p() <= 0) ||
         (rule.has_typical() && rule.typical().p() >= 1) ||
         (rule.has_top_n_sigma() && rule.top_n_sigma().n() <= 0);
}

}  // namespace

ReferenceChain::ReferenceChain(const ChainConfig& config, int32_t vocab_size,
                               absl::Span<const TokenId> prompt)
    : config_(config),
      vocab_size_(vocab_size),
      generator_(MakeGenerator(GeneratorOf(config.dialect()), config.draw().seed()).value()),
      history_(prompt.begin(), prompt.end()),
      prompt_size_(prompt.size()),
      greedy_(config.draw().has_greedy()) {}

std::optional<ReferenceChain::Step> ReferenceChain::Sample(absl::Span<const float> logits) {
  if (!Load(logits)) return std::nullopt;
  bool shaping = false;
  bool filters_run = true;  // Until a greedy temperature is met.
  for (const ProcessorConfig& rule : config_.processors()) {
    if (IsOff(rule, config_.dialect())) continue;
    if (rule.has_temperature() &&
        IsGreedyTemperature(config_.dialect(), rule.temperature().temperature())) {
      greedy_ = true;
      filters_run = false;
      continue;
    }
    if (IsFilter(rule) && !filters_run) continue;
    if (!shaping && !ComesBeforeShaping(rule)) {
      shaping = true;
      penalised_ = Spread({}, kOut);
    }
    if (!Apply(rule)) return std::nullopt;
    if (Live() == 0) return std::nullopt;
  }
  if (!shaping) penalised_ = Spread({}, kOut);
  Step step;
  step.processed = Spread({}, kOut);
  Draw(step);
  FillLogprobs(logits, step);
  history_.push_back(step.token);
  return step;
}

bool ReferenceChain::Load(absl::Span<const float> logits) {
  candidates_.clear();
  sorted_ = false;
  for (TokenId id = 0; id < vocab_size_; ++id) {
    double logit = logits[id];
    if (std::isnan(logit) || logit > std::numeric_limits<float>::max()) {
      if (config_.on_bad_logits() == ChainConfig::ERROR) return false;
      logit = kOut;
    }
    // Only llama.cpp's candidates keep their places.
    if (logit != kOut || is(ChainConfig::LLAMA_CPP)) candidates_.push_back({id, logit});
  }
  return Live() > 0;
}

bool ReferenceChain::Apply(const ProcessorConfig& rule) {
  switch (rule.rule_case()) {
    case ProcessorConfig::kGrammarMask:
      return ApplyMask(rule.grammar_mask());
    case ProcessorConfig::kRepetitionPenalty:
      return ApplyRepetition(rule.repetition_penalty());
    case ProcessorConfig::kPresenceFrequencyPenalty:
      return ApplyPresenceFrequency(rule.presence_frequency_penalty());
    case ProcessorConfig::kTemperature:
      return ApplyTemperature(rule.temperature().temperature());
    case ProcessorConfig::kTopK:
      ApplyTopK(rule.top_k());
      return true;
    case ProcessorConfig::kTopP:
      ApplyTopP(rule.top_p());
      return true;
    case ProcessorConfig::kMinP:
      ApplyMinP(rule.min_p());
      return true;
    case ProcessorConfig::kTypical:
      ApplyTypical(rule.typical());
      return true;
    case ProcessorConfig::kTopNSigma:
      ApplyTopNSigma(rule.top_n_sigma());
      return true;
    default:
      return false;
  }
}

bool ReferenceChain::ApplyMask(const GrammarMaskConfig& rule) {
  std::vector<bool> allowed(vocab_size_, rule.allowed_ids().empty());
  for (const TokenId id : rule.allowed_ids()) allowed[id] = true;
  for (const TokenId id : rule.banned_ids()) allowed[id] = false;
  std::vector<Candidate> kept;
  for (Candidate candidate : candidates_) {
    const bool removed = !allowed[candidate.id];
    if (removed && !is(ChainConfig::LLAMA_CPP)) continue;
    if (removed) candidate.logit = kOut;
    kept.push_back(candidate);
  }
  candidates_ = kept;
  return Live() > 0;
}

std::map<TokenId, int> ReferenceChain::Counts(bool output_only,
                                              std::optional<int32_t> window) const {
  const size_t begin = output_only ? prompt_size_ : 0;
  size_t first = begin;
  if (window && history_.size() - begin > static_cast<size_t>(*window)) {
    first = history_.size() - *window;
  }
  std::map<TokenId, int> counts;
  for (size_t i = first; i < history_.size(); ++i) ++counts[history_[i]];
  return counts;
}

bool ReferenceChain::ApplyRepetition(const RepetitionPenaltyConfig& rule) {
  const double r = Round(rule.penalty());
  if (r == 1 || (is(ChainConfig::MINFER) && r < 1 + 1e-6)) return true;
  const bool windowed = is(ChainConfig::MINFER) || is(ChainConfig::LLAMA_CPP);
  std::optional<int32_t> window = windowed ? std::optional<int32_t>(64) : std::nullopt;
  if (rule.has_window()) window = rule.window();
  const auto counts = Counts(rule.scope() == OUTPUT_ONLY && rule.has_scope(), window);
  for (Candidate& candidate : candidates_) {
    if (candidate.logit == kOut || !counts.contains(candidate.id)) continue;
    candidate.logit = Round(candidate.logit > 0 ? candidate.logit / r : candidate.logit * r);
    if (!std::isfinite(candidate.logit)) return false;
    sorted_ = false;
  }
  return true;
}

bool ReferenceChain::ApplyPresenceFrequency(const PresenceFrequencyPenaltyConfig& rule) {
  double p = Round(rule.presence());
  double f = Round(rule.frequency());
  if (is(ChainConfig::MINFER) && std::abs(p) < 1e-6) p = 0;
  if (is(ChainConfig::MINFER) && std::abs(f) < 1e-6) f = 0;
  if (p == 0 && f == 0) return true;
  const bool windowed = is(ChainConfig::MINFER) || is(ChainConfig::LLAMA_CPP);
  std::optional<int32_t> window = windowed ? std::optional<int32_t>(64) : std::nullopt;
  if (rule.has_window()) window = rule.window();
  const bool output_only = rule.has_scope() ? rule.scope() == OUTPUT_ONLY : !windowed;
  const auto counts = Counts(output_only, window);
  for (Candidate& candidate : candidates_) {
    const auto seen = counts.find(candidate.id);
    if (candidate.logit == kOut || seen == counts.end()) continue;
    const double by_count = Round(f * seen->second);
    candidate.logit = is(ChainConfig::LLAMA_CPP) ? Round(candidate.logit - Round(by_count + p))
                                                 : Round(Round(candidate.logit - by_count) - p);
    if (!std::isfinite(candidate.logit)) return false;
    sorted_ = false;
  }
  return true;
}

bool ReferenceChain::ApplyTemperature(double temperature) {
  if (is(ChainConfig::LLAMA_CPP) && temperature <= 0) {
    const auto first =
        std::max_element(candidates_.begin(), candidates_.end(),
                         [](const Candidate& a, const Candidate& b) { return a.logit < b.logit; });
    for (auto it = candidates_.begin(); it != candidates_.end(); ++it) {
      if (it != first) it->logit = kOut;
    }
    return true;
  }
  if (is(ChainConfig::VLLM)) temperature = std::max(temperature, 0.01);
  const double t = Round(temperature);
  const double inverse = Round(1 / t);
  for (Candidate& candidate : candidates_) {
    if (candidate.logit == kOut) continue;
    candidate.logit =
        Round(is(ChainConfig::MINFER) ? candidate.logit * inverse : candidate.logit / t);
    if (!std::isfinite(candidate.logit)) return false;
  }
  return true;
}

void ReferenceChain::ApplyTopK(const TopKConfig& rule) {
  const std::vector<size_t> ranked = Ranked();
  size_t n = std::min<size_t>(std::max<int64_t>(rule.k(), rule.min_keep()), ranked.size());
  const bool default_ties = !is(ChainConfig::SPEC) && !is(ChainConfig::LLAMA_CPP);
  if (rule.has_ties() ? rule.ties() == TopKConfig::KEEP_TIES : default_ties) {
    const double kth = candidates_[ranked[n - 1]].logit;
    while (n < ranked.size() && candidates_[ranked[n]].logit == kth) ++n;
  }
  KeepRanked(ranked, n);
}

void ReferenceChain::ApplyTopP(const TopPConfig& rule) {
  const std::vector<double> q = Probabilities();
  const std::vector<size_t> ranked = Ranked();
  const bool has_tolerance = is(ChainConfig::HUGGING_FACE) || is(ChainConfig::VLLM);
  const double p = Round(Round(rule.p()) - (has_tolerance ? Round(1e-6) : 0));
  const bool exceeds =
      rule.has_crossing() ? rule.crossing() == TopPConfig::EXCEEDS : is(ChainConfig::MINFER);
  double sum = 0;
  size_t n = 0;
  while (n < ranked.size()) {
    sum = Round(sum + q[ranked[n]]);
    ++n;
    if ((exceeds ? sum > p : sum >= p) && n >= static_cast<size_t>(rule.min_keep())) break;
  }
  KeepRanked(ranked, n);
}

void ReferenceChain::ApplyMinP(const MinPConfig& rule) {
  std::vector<double> measure = Probabilities();
  double limit = 0;
  if (is(ChainConfig::LLAMA_CPP)) {
    for (size_t i = 0; i < measure.size(); ++i) measure[i] = candidates_[i].logit;
    limit = Round(Maximum() + RoundedLogf(static_cast<float>(rule.p())));
  } else {
    limit = Round(Round(rule.p()) * *std::max_element(measure.begin(), measure.end()));
  }
  std::vector<Candidate> kept;
  for (size_t i = 0; i < measure.size(); ++i) {
    if (measure[i] >= limit) kept.push_back(candidates_[i]);
  }
  KeepAtLeast(rule.min_keep(), kept);
}

void ReferenceChain::ApplyTypical(const TypicalConfig& rule) {
  const std::vector<double> q = Probabilities();
  double entropy = 0;
  for (const double value : q) {
    if (value > 0) entropy -= value * ExactLog(value);
  }
  std::vector<double> scores;
  for (const double value : q) {
    scores.push_back(std::abs((value > 0 ? -ExactLog(value) : -kOut) - entropy));
  }
  std::vector<size_t> order = Ranked();
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return scores[a] < scores[b]; });
  double sum = 0;
  size_t n = 0;
  while (n < order.size()) {
    sum += q[order[n]];
    ++n;
    if (sum >= rule.p() && n >= static_cast<size_t>(rule.min_keep())) break;
  }
  KeepRanked(order, n);
}

void ReferenceChain::ApplyTopNSigma(const TopNSigmaConfig& rule) {
  double sum = 0;
  for (const Candidate& candidate : candidates_) sum += candidate.logit;
  const double mean = sum / static_cast<double>(candidates_.size());
  double squares = 0;
  for (const Candidate& candidate : candidates_) {
    squares += (candidate.logit - mean) * (candidate.logit - mean);
  }
  const double sigma = std::sqrt(squares / static_cast<double>(candidates_.size()));
  const double limit = Maximum() - rule.n() * sigma;
  std::vector<Candidate> kept;
  for (const Candidate& candidate : candidates_) {
    // All stay where the limit is NaN.
    if (!(candidate.logit < limit)) kept.push_back(candidate);
  }
  KeepAtLeast(rule.min_keep(), kept);
}

void ReferenceChain::KeepAtLeast(int64_t min_keep, const std::vector<Candidate>& kept) {
  if (kept.size() >= static_cast<size_t>(min_keep)) {
    candidates_ = kept;
    return;
  }
  const std::vector<size_t> ranked = Ranked();
  KeepRanked(ranked, std::min<size_t>(min_keep, ranked.size()));
}

std::vector<double> ReferenceChain::Probabilities() const {
  const double max = Maximum();
  std::vector<double> q;
  double sum = 0;
  for (const Candidate& candidate : candidates_) {
    const double x = Round(candidate.logit - max);
    double term = ExactExp(x);
    if (is(ChainConfig::MINFER)) term = GlibcExpf(static_cast<float>(x));
    q.push_back(Round(term));
    const double summand = is(ChainConfig::MINFER) ? ExactExp(x) : q.back();
    sum += summand;
    if (is(ChainConfig::LLAMA_CPP)) sum = static_cast<float>(sum);
  }
  if (is(ChainConfig::MINFER)) sum = static_cast<float>(sum);
  for (double& value : q) value = Round(value / sum);
  return q;
}

std::vector<size_t> ReferenceChain::Ranked() const {
  std::vector<size_t> ranked(candidates_.size());
  std::iota(ranked.begin(), ranked.end(), 0);
  if (sorted_) return ranked;
  std::sort(ranked.begin(), ranked.end(), [this](size_t a, size_t b) {
    const Candidate& left = candidates_[a];
    const Candidate& right = candidates_[b];
    return left.logit != right.logit ? left.logit > right.logit : left.id < right.id;
  });
  return ranked;
}

void ReferenceChain::KeepRanked(const std::vector<size_t>& ranked, size_t n) {
  std::vector<Candidate> kept;
  for (size_t i = 0; i < n; ++i) kept.push_back(candidates_[ranked[i]]);
  sorted_ = is(ChainConfig::LLAMA_CPP);
  if (!sorted_) {
    std::sort(kept.begin(), kept.end(),
              [](const Candidate& a, const Candidate& b) { return a.id < b.id; });
  }
  candidates_ = kept;
}

double ReferenceChain::Maximum() const {
  double max = kOut;
  for (const Candidate& candidate : candidates_) max = std::max(max, candidate.logit);
  return max;
}

int32_t ReferenceChain::Live() const {
  int32_t live = 0;
  for (const Candidate& candidate : candidates_) live += candidate.logit != kOut;
  return live;
}

std::vector<double> ReferenceChain::Spread(const std::vector<double>& values,
                                           double missing) const {
  std::vector<double> spread(vocab_size_, missing);
  for (size_t i = 0; i < candidates_.size(); ++i) {
    spread[candidates_[i].id] = values.empty() ? candidates_[i].logit : values[i];
  }
  return spread;
}

void ReferenceChain::Draw(Step& step) {
  const size_t size = candidates_.size();
  std::vector<double> q(size, 0);
  if (greedy_) {
    size_t best = 0;
    for (size_t i = 0; i < size; ++i) {
      if (candidates_[i].logit > candidates_[best].logit) best = i;
    }
    q[best] = 1;
    step.token = candidates_[best].id;
    step.kept = 1;
    step.distribution = Spread(q, 0);
    return;
  }
  step.kept = Live();
  const double max = Maximum();
  double sum = 0;
  for (size_t i = 0; i < size; ++i) {
    const double x = Round(candidates_[i].logit - max);
    q[i] = is(ChainConfig::MINFER) ? GlibcExpf(static_cast<float>(x)) : Round(ExactExp(x));
    sum += q[i];
  }
  const std::vector<double> terms = q;
  for (double& value : q) {
    value =
        is(ChainConfig::MINFER) ? Round(value * static_cast<float>(1 / sum)) : Round(value / sum);
  }
  step.distribution = Spread(q, 0);
  const double u = generator_->NextUniform();
  double run = 0;
  size_t found = size;
  for (size_t i = 0; i < size && found == size; ++i) {
    if (terms[i] == 0) continue;
    if (is(ChainConfig::LLAMA_CPP)) {
      run += terms[i];
      if (run >= sum * u) found = i;
    } else if (is(ChainConfig::MINFER)) {
      if (q[i] == 0) continue;
      run = static_cast<float>(run + q[i]);
      if (u <= run) found = i;
    } else {
      run += q[i];
      if (u < run) found = i;
    }
  }
  while (found == size || q[found] == 0) found = (found == size ? size : found) - 1;
  step.token = candidates_[found].id;
}

void ReferenceChain::FillLogprobs(absl::Span<const float> logits, Step& step) const {
  std::vector<double> raw;
  for (const float logit : logits) {
    raw.push_back(std::isnan(logit) || std::isinf(logit) ? kOut : logit);
  }
  std::vector<double> processed;
  for (const Candidate& candidate : candidates_) processed.push_back(candidate.logit);
  step.raw_logprob = Logprob(raw, raw[step.token]);
  step.penalised_logprob = Logprob(penalised_, penalised_[step.token]);
  step.processed_logprob = greedy_ ? 0 : Logprob(processed, step.processed[step.token]);
}

double ReferenceChain::Logprob(const std::vector<double>& logits, double logit) {
  double max = kOut;
  for (const double other : logits) max = std::max(max, other);
  double sum = 0;
  for (const double other : logits) sum += ExactExp(other - max);
  return (logit - max) - ExactLog(sum);
}

}  // namespace logitchain
