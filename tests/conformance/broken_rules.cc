#include "logitchain/tests/conformance/broken_rules.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/transform.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/tests/conformance/broken_rules.pb.h"
#include "logitchain/tests/testing/scripted_rules.h"

namespace logitchain {
namespace {

using broken::Broken;

// Removes a token that depends on how many were accepted. What it forgets of that is its fault.
class CountingFilter final : public Filter {
 public:
  CountingFilter(Broken::Fault fault, std::shared_ptr<int32_t> accepted)
      : fault_(fault), accepted_(std::move(accepted)) {}

  absl::Status Apply(const StepContext&, CandidateSelector& selector) const override {
    if (fault_ == Broken::COUNTS_CALLS) ++*accepted_;
    const absl::Span<const int32_t> rank = selector.Rank();
    const bool by_parity = fault_ == Broken::SHARES_PARITY_WITH_CLONES;
    const size_t n = by_parity ? *accepted_ % 2 : *accepted_;
    const auto position = static_cast<size_t>(rank[n % rank.size()]);
    if (rank.size() > 1) selector.RemoveIf([=](size_t i) { return i == position; });
    return absl::OkStatus();
  }

  absl::Status Accept(TokenId) override {
    ++*accepted_;
    return absl::OkStatus();
  }

  absl::Status Rollback(int32_t n) override {
    if (fault_ != Broken::FORGETS_ROLLBACK) *accepted_ -= n;
    return absl::OkStatus();
  }

  void Reset() override {
    if (fault_ != Broken::FORGETS_RESET) *accepted_ = 0;
  }

  std::unique_ptr<Processor> Clone() const override {
    const bool shares = fault_ == Broken::SHARES_STATE_WITH_CLONES ||
                        fault_ == Broken::SHARES_STATE_WITH_ALL ||
                        fault_ == Broken::SHARES_PARITY_WITH_CLONES;
    return std::make_unique<CountingFilter>(
        fault_, shares ? accepted_ : std::make_shared<int32_t>(*accepted_));
  }

 private:
  Broken::Fault fault_;
  std::shared_ptr<int32_t> accepted_;
};

std::unique_ptr<Processor> MakeCountingFilter(Broken::Fault fault) {
  static const auto* const of_all = new auto(std::make_shared<int32_t>(0));
  return std::make_unique<CountingFilter>(
      fault, fault == Broken::SHARES_STATE_WITH_ALL ? *of_all : std::make_shared<int32_t>(0));
}

std::unique_ptr<Processor> MakeFilterOfStep(ScriptedFilter::Script script) {
  return std::make_unique<ScriptedFilter>(std::move(script));
}

// Sums over pairs, in a way that no compiler sees through.
void WasteTime(size_t n) {
  volatile size_t sum = 0;
  for (size_t i = 0; i < n * n; ++i) sum = sum + i;
}

void RemoveTheLast(CandidateSelector& selector) {
  if (selector.live() > 2) return;
  selector.KeepIf([](auto) { return false; });
}

void KeepLowIds(CandidateSelector& selector) {
  selector.RemoveIf([&](auto position) { return selector.ids()[position] > 20; });
}

void RemoveWhereTheDartLands(CandidateSelector& selector) {
  if (const auto id = selector.TryLandDart(0.5)) selector.Remove(*id);
}

void AllocateMemory(CandidateSelector& selector) {
  const std::vector<double> copy(selector.logits().begin(), selector.logits().end());
  selector.KeepIf([&](auto position) { return copy[position] >= copy.front() || position > 0; });
}

absl::Status DrawTwice(const StepContext& step, CandidateSelector&) {
  step.uniforms.Next();
  step.uniforms.Next();
  return absl::OkStatus();
}

absl::Status FailAtTheEnd(const StepContext& step, double strength) {
  if (strength == 0) step.uniforms.Next();
  return absl::OkStatus();
}

void BuildBroken(const Broken& config, BuildContext& context) {
  switch (config.fault()) {
    case Broken::NONE:
      if (config.strength() == 0) return;
      return context.Add(MakeTransform([](LogitEditor& editor) {
        editor.RewriteAll([](auto logit) { return logit / 2; }, /*keeps_order=*/true);
      }));
    case Broken::REMOVES_ALL:
      return context.Add(MakeFilter(RemoveTheLast));
    case Broken::REVIVES:
      return context.Add(MakeTransform([](LogitEditor& editor) { editor.Set(0, 1); }));
    case Broken::WRITES_NAN:
      return context.Add(MakeTransform([](LogitEditor& editor) {
        editor.RewriteAll([](auto logit) { return std::log(logit); }, /*keeps_order=*/true);
      }));
    case Broken::ACTS_WHEN_OFF:
      return context.Add(MakeTransform([](LogitEditor& editor) {
        editor.RewriteAll([](auto logit) { return logit * 2; }, /*keeps_order=*/true);
      }));
    case Broken::PREFERS_LOW_IDS:
      return context.Add(MakeFilter(KeepLowIds));
    case Broken::TAKES_A_SHORTCUT:
      return context.Add(MakeFilter(RemoveWhereTheDartLands));
    case Broken::SHARES_STATE_WITH_ALL:
    case Broken::SHARES_STATE_WITH_CLONES:
    case Broken::SHARES_PARITY_WITH_CLONES:
    case Broken::FORGETS_RESET:
    case Broken::FORGETS_ROLLBACK:
    case Broken::COUNTS_CALLS:
      return context.Add(MakeCountingFilter(config.fault()));
    case Broken::DRAWS_TWICE:
      return context.AddRandom(MakeFilterOfStep(DrawTwice), context.seed());
    case Broken::FAILS_AT_THE_END:
      return context.Add(
          MakeFilterOfStep([strength = config.strength()](const auto& step, CandidateSelector&) {
            return FailAtTheEnd(step, strength);
          }));
    case Broken::REFUSES_THE_END:
      if (config.strength() == 0) context.AddError("strength", "is 0; it must be more");
      return context.Add(MakeFilter([](CandidateSelector&) {}));
    case Broken::ALLOCATES:
      return context.Add(MakeFilter(AllocateMemory));
    case Broken::IS_QUADRATIC_IN_THE_VOCABULARY:
      return context.Add(
          MakeFilter([](CandidateSelector& selector) { WasteTime(selector.vocab_size()); }));
    case Broken::IS_QUADRATIC_IN_THE_HISTORY:
      return context.Add(MakeFilterOfStep([](const StepContext& step, CandidateSelector&) {
        WasteTime(step.history.all().size());
        return absl::OkStatus();
      }));
  }
}

// For configs that are wrong by themselves.
template <typename Config>
void BuildNothing(const Config&, BuildContext&) {}

template <typename Config>
void Register(void (*build)(const Config&, BuildContext&), ProcessorRegistry& registry) {
  registry
      .Register(MakeProcessorEntry(build, {.summary = "broken", .stage = Stage::kTopK},
                                   "tests/conformance/broken_rules.cc"))
      .IgnoreError();
}

}  // namespace

ProcessorRegistry BrokenRules() {
  ProcessorRegistry registry;
  Register(&BuildBroken, registry);
  Register(&BuildNothing<broken::AnyWithin>, registry);
  Register(&BuildNothing<broken::BadRange>, registry);
  Register(&BuildNothing<broken::RangeOfText>, registry);
  Register(&BuildNothing<broken::DefaultOutside>, registry);
  Register(&BuildNothing<broken::OffOutside>, registry);
  Register(&BuildNothing<broken::EmptyRange>, registry);
  Register(&BuildNothing<broken::EmptyRangeOfIntegers>, registry);
  Register(&BuildNothing<broken::UnsetOutside>, registry);
  Register(&BuildNothing<broken::UnreadableExample>, registry);
  Register(&BuildNothing<broken::ExampleOutside>, registry);
  return registry;
}

}  // namespace logitchain
