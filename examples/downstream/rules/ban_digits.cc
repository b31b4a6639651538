// A rule that is not part of logitchain. Linked into a program or loaded by it, this makes the rule
// known there under the name of its config message, acme.BanDigits.

#include <cstddef>
#include <memory>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "core/token_history.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"
#include "rules/ban_digits.pb.h"

namespace acme {
namespace {

using ::logitchain::CandidateSelector;
using ::logitchain::StepContext;
using ::logitchain::TokenId;

// Removes the digits, except where the text ends in fewer than `longest_run` of them.
class DigitFilter final : public logitchain::Cloneable<logitchain::Filter, DigitFilter> {
 public:
  DigitFilter(const BanDigits& config, size_t longest_run)
      : digits_(config.digit_ids().begin(), config.digit_ids().end()), longest_run_(longest_run) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override {
    // The prompt, and what came since.
    if (TrailingRun(step.history.all(), digits_) < longest_run_) return absl::OkStatus();
    for (const TokenId id : digits_) selector.Remove(id);
    return absl::OkStatus();
  }

 private:
  absl::flat_hash_set<TokenId> digits_;
  size_t longest_run_;
};

void BuildBanDigits(const BanDigits& config, logitchain::BuildContext& context) {
  if (config.digit_ids().empty()) return context.AddError("digit_ids", "must name the digits");
  for (int i = 0; i < config.digit_ids_size(); ++i) {
    context.CheckTokenId(absl::StrCat("digit_ids[", i, "]"), config.digit_ids(i));
  }
  context.Add(std::make_unique<DigitFilter>(config, config.keep_years() ? 4 : 0));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildBanDigits, {.summary = "keeps numbers out of a text",
                                               .stage = logitchain::Stage::kMask});

}  // namespace
}  // namespace acme
