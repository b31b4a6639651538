#include "logitchain/core/chain.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/chain_observer.h"
#include "logitchain/core/draw.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/softmax.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

constexpr uint64_t kMaxSkip = uint64_t{1} << 32;

absl::Status WithName(absl::string_view name, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(name, ": ", status.message()));
}

// A logit that on_bad_logits lets pass counts as removed.
std::vector<double> Widen(absl::Span<const float> logits) {
  std::vector<double> wide(logits.begin(), logits.end());
  for (double& logit : wide) {
    if (!(logit < std::numeric_limits<double>::infinity())) logit = kRemoved;
  }
  return wide;
}

// Reports one part of a draw to an observer, if there is one.
class PartTimer {
 public:
  explicit PartTimer(ChainObserver* observer)
      : observer_(observer), start_(observer == nullptr ? absl::Time() : absl::Now()) {}

  void Report(absl::string_view name, int32_t kept) const {
    if (observer_ != nullptr) observer_->OnPart(name, kept, absl::Now() - start_);
  }

 private:
  ChainObserver* observer_;
  absl::Time start_;
};

// How many steps at the beginning have a stage for which the predicate holds.
template <typename Predicate>
size_t CountLeading(absl::Span<const ChainStep> steps, Predicate holds) {
  const auto first =
      absl::c_find_if(steps, [&](const ChainStep& step) { return !holds(step.stage); });
  return first - steps.begin();
}

bool IsMask(Stage stage) { return stage == Stage::kMask; }

}  // namespace

Chain::Chain(ChainParts parts)
    : dialect_(parts.dialect),
      vocab_size_(parts.vocab_size),
      steps_(std::move(parts.steps)),
      leading_masks_(CountLeading(steps_, IsMask)),
      shaping_begin_(CountLeading(steps_, IsBeforeShaping)),
      terminal_(parts.terminal),
      generator_(std::move(parts.generator)),
      history_(std::move(parts.history)),
      on_bad_logits_(parts.on_bad_logits),
      wants_raw_logprob_(parts.wants_raw_logprob),
      wants_penalised_logprob_(parts.wants_penalised_logprob),
      wants_processed_logprob_(parts.wants_processed_logprob),
      candidates_(*dialect_) {}

Chain::Chain(const Chain& other)
    : dialect_(other.dialect_),
      vocab_size_(other.vocab_size_),
      leading_masks_(other.leading_masks_),
      shaping_begin_(other.shaping_begin_),
      terminal_(other.terminal_),
      generator_(other.generator_->Clone()),
      history_(other.history_),
      on_bad_logits_(other.on_bad_logits_),
      wants_raw_logprob_(other.wants_raw_logprob_),
      wants_penalised_logprob_(other.wants_penalised_logprob_),
      wants_processed_logprob_(other.wants_processed_logprob_),
      draw_pending_(other.draw_pending_),
      step_start_(other.step_start_),
      step_starts_(other.step_starts_),
      candidates_(*dialect_) {
  for (const ChainStep& step : other.steps_) {
    steps_.push_back({step.name, step.stage, step.processor->Clone()});
  }
}

absl::Status Chain::Reset(absl::Span<const TokenId> prompt) {
  if (prompt.size() > kMaxHistory) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the prompt has ", prompt.size(), " tokens; at most ", kMaxHistory, " are allowed"));
  }
  for (const TokenId id : prompt) {
    if (absl::Status status = CheckId(id, "prompt"); !status.ok()) return status;
  }
  history_.Reset(prompt);
  for (ChainStep& step : steps_) step.processor->Reset();
  generator_->Seek(0);
  draw_pending_ = false;
  step_start_ = 0;
  step_starts_.clear();
  return absl::OkStatus();
}

absl::StatusOr<std::vector<double>> Chain::Process(absl::Span<const float> logits) {
  if (absl::Status status = RunAll(logits); !status.ok()) return status;
  return Spread(candidates_.logits(), kRemoved);
}

absl::StatusOr<std::vector<double>> Chain::Distribution(absl::Span<const float> logits) {
  if (absl::Status status = RunAll(logits); !status.ok()) return status;
  if (terminal_.greedy) {
    q_.assign(candidates_.ids().size(), 0);
    q_[FirstMaximum(candidates_.logits())] = 1;
  } else {
    FinalDistribution(dialect_->draw, candidates_.logits(), q_);
  }
  return Spread(q_, 0);
}

absl::StatusOr<std::vector<double>> Chain::TokenLogprobs(absl::Span<const float> logits) {
  if (absl::Status status = RunPenalties(logits); !status.ok()) return status;
  std::vector<double> logprobs = Spread(candidates_.logits(), kRemoved);
  const LogNormaliser logprob = LogSoftmax(logprobs);
  absl::c_transform(logprobs, logprobs.begin(), logprob);
  return logprobs;
}

absl::StatusOr<double> Chain::Entropy(absl::Span<const float> logits) {
  const absl::StatusOr<std::vector<double>> q = Distribution(logits);
  if (!q.ok()) return q.status();
  return EntropyOf(*q);
}

absl::StatusOr<Sample> Chain::Draw(absl::Span<const float> logits) {
  return Choose(logits, nullptr);
}

absl::StatusOr<Sample> Chain::DrawBy(absl::Span<const float> logits, Chooser choose) {
  return Choose(logits, &choose);
}

absl::StatusOr<Sample> Chain::Choose(absl::Span<const float> logits, const Chooser* choose) {
  if (draw_pending_) {
    return absl::FailedPreconditionError(
        "a token was drawn at this step already; commit one, or roll back by 0, to go on");
  }
  if (absl::Status status = RunPenalties(logits, observer_); !status.ok()) return status;
  if (wants_penalised_logprob_) penalised_ = Spread(candidates_.logits(), kRemoved);
  if (absl::Status status = RunShaping(observer_); !status.ok()) return status;
  const PartTimer timer(observer_);
  absl::StatusOr<logitchain::Sample> sample = Take(choose);
  if (!sample.ok()) return sample;
  timer.Report("draw", sample->kept);
  FillLogprobs(logits, *sample);
  draw_pending_ = true;
  return sample;
}

absl::Status Chain::Commit(TokenId token) {
  if (absl::Status status = CheckId(token, "output"); !status.ok()) return status;
  if (history_.all().size() >= kMaxHistory) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the history is full: prompt and output have ", kMaxHistory, " tokens"));
  }
  if (absl::Status status = AcceptEverywhere(token); !status.ok()) return status;
  history_.Append(token);
  step_starts_.push_back(step_start_);
  step_start_ = generator_->position();
  draw_pending_ = false;
  return absl::OkStatus();
}

absl::StatusOr<Sample> Chain::Sample(absl::Span<const float> logits) {
  absl::StatusOr<logitchain::Sample> sample = Draw(logits);
  if (!sample.ok()) return sample;
  if (absl::Status status = Commit(sample->token); !status.ok()) {
    generator_->Seek(step_start_);
    draw_pending_ = false;
    return status;
  }
  return sample;
}

std::unique_ptr<Chain> Chain::Fork() const { return absl::WrapUnique(new Chain(*this)); }

absl::Status Chain::Rollback(int32_t n) {
  const auto committed = static_cast<int32_t>(step_starts_.size());
  if (n < 0 || n > committed) {
    return absl::InvalidArgumentError(absl::StrCat("cannot roll back by ", n,
                                                   " tokens; it must be in [0, ", committed,
                                                   "], the number that were committed"));
  }
  if (absl::Status status = RollbackEverywhere(n); !status.ok()) return status;
  for (int32_t i = 0; i < n; ++i) {
    history_.DropLast();
    step_start_ = step_starts_.back();
    step_starts_.pop_back();
  }
  generator_->Seek(step_start_);
  draw_pending_ = false;
  return absl::OkStatus();
}

absl::Status Chain::SkipAhead(uint64_t n) {
  if (draw_pending_) {
    return absl::FailedPreconditionError(
        "cannot skip ahead between a draw and its commit; commit or roll back by 0 first");
  }
  if (n > kMaxSkip - std::min(draws(), kMaxSkip)) {
    return absl::InvalidArgumentError(absl::StrCat("cannot skip ", n, " tokens after ", draws(),
                                                   " draws; the sum may be at most ", kMaxSkip));
  }
  if (terminal_.greedy) return absl::OkStatus();
  generator_->Seek(generator_->position() + n);
  step_start_ = generator_->position();
  return absl::OkStatus();
}

void Chain::PrependMask(std::string name, std::unique_ptr<Filter> mask) {
  steps_.insert(steps_.begin(), {std::move(name), Stage::kMask, std::move(mask)});
  ++leading_masks_;
  ++shaping_begin_;
}

absl::Status Chain::RunPenalties(absl::Span<const float> logits, ChainObserver* observer) {
  if (logits.size() != static_cast<size_t>(vocab_size_)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there are ", logits.size(), " logits; the vocabulary has ", vocab_size_, " tokens"));
  }
  if (observer == nullptr && RunMasksUnread(logits)) {
    return RunSteps(leading_masks_, shaping_begin_, nullptr);
  }
  const PartTimer timer(observer);
  candidates_.Load(logits);
  if (absl::Status status = candidates_.Check(on_bad_logits_); !status.ok()) return status;
  timer.Report("logits", candidates_.live());
  return RunSteps(0, shaping_begin_, observer);
}

// Reading the logits once, with the masks that come first applied already, is what makes a mask
// cheap. If anything is wrong then, it takes another go, step by step, to say what.
bool Chain::RunMasksUnread(absl::Span<const float> logits) {
  if (leading_masks_ == 0) return false;
  candidates_.Load(logits);
  return RunSteps(0, leading_masks_, nullptr).ok() && candidates_.Check(on_bad_logits_).ok();
}

absl::Status Chain::RunShaping(ChainObserver* observer) {
  return RunSteps(shaping_begin_, steps_.size(), observer);
}

absl::Status Chain::RunAll(absl::Span<const float> logits) {
  if (absl::Status status = RunPenalties(logits); !status.ok()) return status;
  return RunShaping();
}

absl::Status Chain::RunSteps(size_t begin, size_t end, ChainObserver* observer) {
  const StepContext context = {*dialect_, history_};
  for (ChainStep& step : absl::MakeSpan(steps_).subspan(begin, end - begin)) {
    const PartTimer timer(observer);
    absl::Status status = step.processor->Run(context, candidates_);
    if (!status.ok()) return WithName(step.name, status);
    timer.Report(step.name, candidates_.live());
  }
  return absl::OkStatus();
}

absl::StatusOr<Sample> Chain::Take(const Chooser* choose) {
  if (terminal_.greedy) return TakeGreedy();
  if (choose != nullptr) return TakeChosen(*choose);
  return TakeDart();
}

absl::StatusOr<Sample> Chain::TakeChosen(Chooser choose) {
  FinalDistribution(dialect_->draw, candidates_.logits(), q_);
  const double u = generator_->NextUniform();
  const size_t position = choose({.ids = candidates_.ids(), .q = q_, .uniform = u});
  if (position >= q_.size() || !(q_[position] > 0)) {
    generator_->Seek(step_start_);
    return absl::InternalError("the token that was chosen is not one that could be drawn");
  }
  return logitchain::Sample{.token = candidates_.ids()[position],
                            .kept = candidates_.live(),
                            .probability = q_[position],
                            .uniform = u};
}

Sample Chain::TakeGreedy() {
  const TokenId token = candidates_.ArgMax();
  return {.token = token, .kept = 1, .greedy = true, .probability = 1};
}

Sample Chain::TakeDart() {
  const double u = generator_->NextUniform();
  const Dart dart = ThrowDart(dialect_->draw, candidates_.logits(), u, q_);
  logitchain::Sample sample = {.token = candidates_.ids()[dart.position],
                               .kept = candidates_.live(),
                               .probability = dart.probability,
                               .uniform = u};
  const TokenId last_id = vocab_size_ - 1;
  if (dart.past_end && terminal_.last_id_fallback && sample.token != last_id) {
    sample.token = last_id;
    sample.probability = 0;
  }
  return sample;
}

void Chain::FillLogprobs(absl::Span<const float> logits, logitchain::Sample& sample) {
  // A token that only the last-id fallback returns may be removed.
  if (wants_processed_logprob_) {
    sample.processed_logprob =
        sample.greedy
            ? 0
            : LogSoftmax(candidates_.logits())(candidates_.Find(sample.token).value_or(kRemoved));
  }
  if (wants_penalised_logprob_) {
    sample.penalised_logprob = LogSoftmax(penalised_)(penalised_[sample.token]);
  }
  if (wants_raw_logprob_) {
    const std::vector<double> raw = Widen(logits);
    sample.raw_logprob = LogSoftmax(raw)(raw[sample.token]);
  }
}

absl::Status Chain::CheckId(TokenId id, absl::string_view what) const {
  if (!dialect_->ids_must_be_in_vocabulary || (id >= 0 && id < vocab_size_)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(what, " token id ", id, " is outside the vocabulary, [0, ", vocab_size_, ")"));
}

absl::Status Chain::AcceptEverywhere(TokenId id) {
  for (size_t i = 0; i < steps_.size(); ++i) {
    absl::Status status = steps_[i].processor->Accept(id);
    if (status.ok()) continue;
    const absl::Status named = WithName(steps_[i].name, status);
    while (i-- > 0) steps_[i].processor->Rollback(1).IgnoreError();
    return named;
  }
  return absl::OkStatus();
}

absl::Status Chain::RollbackEverywhere(int32_t n) {
  for (size_t i = 0; i < steps_.size(); ++i) {
    absl::Status status = steps_[i].processor->Rollback(n);
    if (status.ok()) continue;
    const absl::Status named = WithName(steps_[i].name, status);
    while (i-- > 0) {
      for (const TokenId id : history_.output().last(n)) {
        steps_[i].processor->Accept(id).IgnoreError();
      }
    }
    return named;
  }
  return absl::OkStatus();
}

std::vector<double> Chain::Spread(absl::Span<const double> values, double removed) {
  std::vector<double> spread(vocab_size_, removed);
  const absl::Span<const TokenId> ids = candidates_.ids();
  for (size_t i = 0; i < ids.size(); ++i) spread[ids[i]] = values[i];
  return spread;
}

}  // namespace logitchain
