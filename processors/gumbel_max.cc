#include "logitchain/processors/gumbel_max.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/draw.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/numerics/exact_exp.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/generator.h"
#include "logitchain/core/random/sub_stream.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/terminals.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {
namespace {

constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;

// The position of the largest logit + noise.
size_t Winner(absl::Span<const TokenId> ids, absl::Span<const double> logits,
              const GumbelNoise& noise) {
  size_t winner = 0;
  double best = kRemoved;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (logits[i] + GumbelNoise::kLargest < best || logits[i] == kRemoved) continue;
    const double sum = logits[i] + noise(ids[i]);
    if (sum > best || (sum == best && ids[i] < ids[winner])) {
      winner = i;
      best = sum;
    }
  }
  return winner;
}

}  // namespace

GumbelNoise::GumbelNoise(uint64_t seed, uint64_t position) {
  static const Purpose kPurpose = PurposeNamed("gumbel_max");
  const uint64_t key = ChildSeed(seed, kPurpose);
  before_ = Mix64(key + (2 * position + 1) * kGolden);
  after_ = Mix64(key + (2 * position + 2) * kGolden);
}

double GumbelNoise::Uniform(TokenId id) const {
  const uint64_t word = Mix64(before_ + (static_cast<uint64_t>(id) + 1) * kGolden);
  const uint64_t hash = Mix64(word ^ after_);
  return (static_cast<double>(hash >> 12) + 0.5) * 0x1p-52;
}

double GumbelNoise::operator()(TokenId id) const { return -ExactLog(-ExactLog(Uniform(id))); }

absl::Status GumbelMax::Distribution(const StepContext& step, CandidateSelector& candidates,
                                     std::vector<double>& q) const {
  FinalDistribution(step.dialect.draw, candidates.logits(), q);
  return absl::OkStatus();
}

absl::StatusOr<Sample> GumbelMax::Draw(const StepContext& step, CandidateSelector& candidates) {
  const absl::Span<const TokenId> ids = candidates.ids();
  const size_t winner = Winner(ids, candidates.logits(), GumbelNoise(seed_, position_));
  FinalDistribution(step.dialect.draw, candidates.logits(), q_);
  return Sample{.token = ids[winner], .kept = candidates.live(), .probability = q_[winner]};
}

absl::Status GumbelMax::Accept(TokenId) {
  earlier_positions_.push_back(position_++);
  return absl::OkStatus();
}

absl::Status GumbelMax::Rollback(int32_t n) {
  if (n == 0) return absl::OkStatus();
  position_ = earlier_positions_[earlier_positions_.size() - n];
  earlier_positions_.resize(earlier_positions_.size() - n);
  return absl::OkStatus();
}

void GumbelMax::Reset() {
  position_ = 0;
  earlier_positions_.clear();
}

absl::Status GumbelMax::SkipAhead(uint64_t n, UniformGenerator&) {
  position_ += n;
  return absl::OkStatus();
}

namespace {

void BuildGumbelMax(const GumbelMaxConfig&, BuildContext& context) {
  context.SetTerminal(std::make_unique<GumbelMax>(context.seed()));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildGumbelMax, {.summary = "takes the largest logit + noise by seed, position and token",
                     .stage = Stage::kDraw});

}  // namespace
}  // namespace logitchain
