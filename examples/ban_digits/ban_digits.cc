// A rule that is not part of logitchain. This file is all of its code: linked into a program, it
// makes the rule known there under the name of its config message, acme.BanDigits.

#include <algorithm>
#include <memory>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "examples/ban_digits/ban_digits.pb.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace acme {
namespace {

using ::logitchain::CandidateSelector;
using ::logitchain::StepContext;
using ::logitchain::TokenId;

// Removes the digits, except where the text ends in fewer than `longest_run` of them.
class DigitFilter final : public logitchain::Cloneable<logitchain::Filter, DigitFilter> {
 public:
  DigitFilter(const BanDigits& config, int longest_run)
      : digits_(config.digit_ids().begin(), config.digit_ids().end()), longest_run_(longest_run) {}

  absl::Status Apply(const StepContext& step, CandidateSelector& selector) const override {
    const auto text = step.history.all();  // The prompt, and what came since.
    const auto is_digit = [this](TokenId id) { return digits_.contains(id); };
    const auto run = std::find_if_not(text.rbegin(), text.rend(), is_digit) - text.rbegin();
    if (run < longest_run_) return absl::OkStatus();
    for (const TokenId id : digits_) selector.Remove(id);
    return absl::OkStatus();
  }

 private:
  absl::flat_hash_set<TokenId> digits_;
  int longest_run_;
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
