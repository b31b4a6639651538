#include "logitchain/core/chain.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "logitchain/core/candidates.h"
#include "logitchain/core/chain_observer.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/limits.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/random_streams.h"
#include "logitchain/core/random/uniform_source.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/softmax.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/terminal.h"
#include "logitchain/core/token_follower.h"
#include "logitchain/core/token_id.h"

namespace logitchain {
namespace {

constexpr uint64_t kMaxSkip = uint64_t{1} << 32;

absl::Status WithName(absl::string_view name, const absl::Status& status) {
  absl::Status named(status.code(), absl::StrCat(name, ": ", status.message()));
  status.ForEachPayload([&named](absl::string_view type, const absl::Cord& payload) {
    named.SetPayload(type, payload);
  });
  return named;
}

absl::Status NoGeneratorError() {
  return absl::InternalError(
      "took a random number, but was built without a generator of its own (see "
      "BuildContext::AddRandom)");
}

absl::Status BadDistributionError() {
  return absl::InternalError(
      "took a random number for its distribution, or gave not one probability for each candidate");
}

absl::Status BadTokenError(TokenId token) {
  return absl::InternalError(
      absl::StrCat("chose token ", token, ", which is removed or outside the vocabulary"));
}

// Reports one part of a draw to an observer, if there is one.
class PartTimer {
 public:
  // `before` was spent on the part earlier.
  explicit PartTimer(ChainObserver* observer, absl::Duration before = absl::ZeroDuration())
      : observer_(observer), before_(before), start_(Now()) {}

  absl::Duration Spent() const { return before_ + absl::FromChrono(Now() - start_); }

  void Report(absl::string_view name, int32_t kept) const {
    if (observer_ != nullptr) observer_->OnPart(name, kept, Spent());
  }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point Now() const {
    return observer_ == nullptr ? Clock::time_point() : Clock::now();
  }

  ChainObserver* observer_;
  absl::Duration before_;
  Clock::time_point start_;
};

// How many steps at the beginning satisfy the predicate.
template <typename Predicate>
size_t CountLeading(absl::Span<const ChainStep> steps, Predicate holds) {
  return std::find_if_not(steps.begin(), steps.end(), holds) - steps.begin();
}

// Whether a step is a mask that can be run again with the same result. Only a filter may go without
// having the logits checked: a transform would meet bad ones.
bool IsPlainMask(const ChainStep& step) {
  return step.stage == Stage::kMask && !step.stream &&
         dynamic_cast<const Filter*>(step.processor.get()) != nullptr;
}

bool ComesBeforeShaping(const ChainStep& step) { return IsBeforeShaping(step.stage); }

}  // namespace

Chain::Chain(ChainParts parts)
    : dialect_(parts.dialect),
      vocab_size_(parts.vocab_size),
      steps_(std::move(parts.steps)),
      leading_masks_(CountLeading(steps_, IsPlainMask)),
      shaping_begin_(CountLeading(steps_, ComesBeforeShaping)),
      terminal_name_(std::move(parts.terminal_name)),
      terminal_(parts.terminal != nullptr ? std::move(parts.terminal)
                                          : std::make_unique<CategoricalTerminal>(false)),
      rule_streams_(std::move(parts.rule_streams)),
      history_(std::move(parts.history)),
      on_bad_logits_(parts.on_bad_logits),
      wants_raw_logprob_(parts.wants_raw_logprob),
      wants_penalised_logprob_(parts.wants_penalised_logprob),
      wants_processed_logprob_(parts.wants_processed_logprob),
      candidates_(*dialect_) {
  draw_stream_.Add(std::move(parts.generator));
}

Chain::Chain(const Chain& other)
    : dialect_(other.dialect_),
      vocab_size_(other.vocab_size_),
      leading_masks_(other.leading_masks_),
      shaping_begin_(other.shaping_begin_),
      terminal_name_(other.terminal_name_),
      terminal_(other.terminal_->Clone()),
      draw_stream_(other.draw_stream_),
      rule_streams_(other.rule_streams_),
      history_(other.history_),
      on_bad_logits_(other.on_bad_logits_),
      wants_raw_logprob_(other.wants_raw_logprob_),
      wants_penalised_logprob_(other.wants_penalised_logprob_),
      wants_processed_logprob_(other.wants_processed_logprob_),
      draw_pending_(other.draw_pending_),
      candidates_(*dialect_) {
  for (const ChainStep& step : other.steps_) {
    steps_.push_back({step.name, step.stage, step.processor->Clone(), step.stream});
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
  for (size_t i = 0; i < follower_count(); ++i) follower(i).Reset();
  draw_stream_.Reset();
  rule_streams_.Reset();
  draw_pending_ = false;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<double>> Chain::Process(absl::Span<const float> logits) {
  if (absl::Status status = RunAside(logits); !status.ok()) return status;
  std::vector<double> processed;
  candidates_.CopyLogits(processed);
  return processed;
}

absl::StatusOr<std::vector<double>> Chain::Distribution(absl::Span<const float> logits) {
  if (absl::Status status = RunAside(logits); !status.ok()) return status;
  UniformSource none(nullptr);
  CandidateSelector selector(candidates_);
  const absl::Status status = terminal_->Distribution(Context(none), selector, q_);
  if (!status.ok()) return WithName(terminal_name_, status);
  if (none.misused() || q_.size() != candidates_.ids().size()) {
    return WithName(terminal_name_, BadDistributionError());
  }
  std::vector<double> q(vocab_size_);
  const absl::Span<const TokenId> ids = candidates_.ids();
  for (size_t i = 0; i < ids.size(); ++i) q[ids[i]] = q_[i];
  return q;
}

absl::StatusOr<std::vector<double>> Chain::TokenLogprobs(absl::Span<const float> logits) {
  const absl::Status status = RunPenalties(logits, rule_streams_.CopiesAtStepBegin());
  if (!status.ok()) return status;
  std::vector<double> logprobs;
  candidates_.CopyLogits(logprobs);
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
  absl::StatusOr<logitchain::Sample> sample = RunDraw(logits, choose);
  if (!sample.ok()) {
    DropDraw();
    return sample;
  }
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
  draw_stream_.EndStep();
  rule_streams_.EndStep();
  draw_pending_ = false;
  return absl::OkStatus();
}

absl::StatusOr<Sample> Chain::Sample(absl::Span<const float> logits) {
  absl::StatusOr<logitchain::Sample> sample = Draw(logits);
  if (!sample.ok()) return sample;
  if (absl::Status status = Commit(sample->token); !status.ok()) {
    DropDraw();
    return status;
  }
  return sample;
}

std::unique_ptr<Chain> Chain::Fork() const { return absl::WrapUnique(new Chain(*this)); }

absl::Status Chain::Rollback(int32_t n) {
  const auto committed = static_cast<int32_t>(history_.output().size());
  if (n < 0 || n > committed) {
    return absl::InvalidArgumentError(absl::StrCat("cannot roll back by ", n,
                                                   " tokens; it must be in [0, ", committed,
                                                   "], the number that were committed"));
  }
  if (absl::Status status = RollbackEverywhere(n); !status.ok()) return status;
  for (int32_t i = 0; i < n; ++i) history_.DropLast();
  draw_stream_.Rollback(n);
  rule_streams_.Rollback(n);
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
  for (const ChainStep& step : steps_) {
    if (!step.stream) continue;
    return absl::FailedPreconditionError(
        absl::StrCat(step.name,
                     ": how many random numbers it takes depends on the logits; such a chain "
                     "cannot skip ahead"));
  }
  const absl::Status status = terminal_->SkipAhead(n, *draw_stream_.generators().front());
  if (!status.ok()) return WithName(terminal_name_, status);
  draw_stream_.BeginStep();
  return absl::OkStatus();
}

void Chain::PrependMask(std::string name, std::unique_ptr<Filter> mask) {
  steps_.insert(steps_.begin(), {std::move(name), Stage::kMask, std::move(mask)});
  ++leading_masks_;
  ++shaping_begin_;
}

absl::Status Chain::RunPenalties(absl::Span<const float> logits, const Generators& generators,
                                 ChainObserver* observer) {
  if (logits.size() != static_cast<size_t>(vocab_size_)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "there are ", logits.size(), " logits; the vocabulary has ", vocab_size_, " tokens"));
  }
  if (observer == nullptr && RunMasksUnread(logits, generators)) {
    return RunSteps(leading_masks_, shaping_begin_, generators, nullptr);
  }
  const PartTimer timer(observer);
  candidates_.Load(logits);
  if (absl::Status status = candidates_.Check(on_bad_logits_); !status.ok()) return status;
  timer.Report("logits", candidates_.live());
  return RunSteps(0, shaping_begin_, generators, observer);
}

// Reading the logits once, with the masks that come first applied already, is what makes a mask
// cheap. If anything is wrong then, it takes another go, step by step, to say what.
bool Chain::RunMasksUnread(absl::Span<const float> logits, const Generators& generators) {
  if (leading_masks_ == 0) return false;
  candidates_.Load(logits);
  return RunSteps(0, leading_masks_, generators, nullptr).ok() &&
         candidates_.Check(on_bad_logits_).ok();
}

absl::Status Chain::RunShaping(const Generators& generators, ChainObserver* observer) {
  return RunSteps(shaping_begin_, steps_.size(), generators, observer);
}

absl::Status Chain::RunAside(absl::Span<const float> logits) {
  const Generators generators = rule_streams_.CopiesAtStepBegin();
  if (absl::Status status = RunPenalties(logits, generators); !status.ok()) return status;
  return RunShaping(generators);
}

StepContext Chain::Context(UniformSource& uniforms) const {
  return {*dialect_, history_, uniforms, wants_processed_logprob_};
}

absl::Status Chain::RunSteps(size_t begin, size_t end, const Generators& generators,
                             ChainObserver* observer) {
  for (ChainStep& step : absl::MakeSpan(steps_).subspan(begin, end - begin)) {
    const PartTimer timer(observer);
    UniformSource uniforms(step.stream ? generators[*step.stream].get() : nullptr);
    absl::Status status = step.processor->Run(Context(uniforms), candidates_);
    if (status.ok() && uniforms.misused()) status = NoGeneratorError();
    if (!status.ok()) return WithName(step.name, status);
    timer.Report(step.name, candidates_.live());
  }
  return absl::OkStatus();
}

absl::StatusOr<Sample> Chain::RunDraw(absl::Span<const float> logits, const Chooser* choose) {
  const Generators& generators = rule_streams_.generators();
  absl::Status status = RunPenalties(logits, generators, observer_);
  if (!status.ok()) return status;
  const PartTimer penalised(observer_);
  if (wants_penalised_logprob_) candidates_.CopyLogits(penalised_);
  const absl::Duration logprobs_so_far = penalised.Spent();
  status = RunShaping(generators, observer_);
  if (!status.ok()) return status;
  absl::StatusOr<logitchain::Sample> sample = RunTerminal(choose);
  if (!sample.ok() || !WantsLogprobs()) return sample;
  const PartTimer timer(observer_, logprobs_so_far);
  FillLogprobs(logits, *sample);
  timer.Report("logprobs", sample->kept);
  return sample;
}

bool Chain::WantsLogprobs() const {
  return wants_raw_logprob_ || wants_penalised_logprob_ || wants_processed_logprob_;
}

absl::StatusOr<Sample> Chain::RunTerminal(const Chooser* choose) {
  const PartTimer timer(observer_);
  UniformSource uniforms(draw_stream_.generators().front().get());
  CandidateSelector selector(candidates_);
  const StepContext context = Context(uniforms);
  const absl::StatusOr<logitchain::Sample> sample =
      choose == nullptr ? terminal_->Draw(context, selector)
                        : terminal_->DrawBy(context, selector, *choose);
  if (!sample.ok()) return WithName(terminal_name_, sample.status());
  if (!IsPossible(*sample)) return WithName(terminal_name_, BadTokenError(sample->token));
  timer.Report("draw", sample->kept);
  return sample;
}

bool Chain::IsPossible(const logitchain::Sample& sample) const {
  // The last-id fallback may return a removed token, with a probability of 0.
  const bool in_vocabulary = sample.token >= 0 && sample.token < vocab_size_;
  return in_vocabulary && (sample.probability == 0 || candidates_.Find(sample.token).has_value());
}

void Chain::DropDraw() {
  draw_stream_.RestartStep();
  rule_streams_.RestartStep();
  terminal_->Rollback(0).IgnoreError();
  draw_pending_ = false;
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
    sample.raw_logprob = LogSoftmaxOfRaw(logits)(WithoutBad(logits[sample.token]));
  }
}

absl::Status Chain::CheckId(TokenId id, absl::string_view what) const {
  if (!dialect_->ids_must_be_in_vocabulary || (id >= 0 && id < vocab_size_)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(what, " token id ", id, " is outside the vocabulary, [0, ", vocab_size_, ")"));
}

TokenFollower& Chain::follower(size_t index) {
  if (index == steps_.size()) return *terminal_;
  return *steps_[index].processor;
}

absl::string_view Chain::follower_name(size_t index) const {
  return index == steps_.size() ? terminal_name_ : steps_[index].name;
}

absl::Status Chain::AcceptEverywhere(TokenId id) {
  for (size_t i = 0; i < follower_count(); ++i) {
    absl::Status status = follower(i).Accept(id);
    if (status.ok()) continue;
    const absl::Status named = WithName(follower_name(i), status);
    while (i-- > 0) follower(i).Rollback(1).IgnoreError();
    return named;
  }
  return absl::OkStatus();
}

// The terminal comes last: what it remembers of its draws could not be told to it again.
absl::Status Chain::RollbackEverywhere(int32_t n) {
  for (size_t i = 0; i < follower_count(); ++i) {
    absl::Status status = follower(i).Rollback(n);
    if (status.ok()) continue;
    const absl::Status named = WithName(follower_name(i), status);
    while (i-- > 0) {
      for (const TokenId id : history_.output().last(n)) follower(i).Accept(id).IgnoreError();
    }
    return named;
  }
  return absl::OkStatus();
}

}  // namespace logitchain
