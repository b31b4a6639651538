#include "logitchain/processors/prefix_constraint.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/token_bitmask.h"
#include "logitchain/proto/masks.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/environment.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status PrefixConstraintMask::Apply(const StepContext& step,
                                         CandidateSelector& selector) const {
  const absl::StatusOr<std::vector<TokenId>> allowed = constraint_(step.history);
  if (!allowed.ok()) return allowed.status();
  if (allowed->empty()) {
    return absl::FailedPreconditionError(
        "the constraint allows no token after these; it must allow at least one");
  }
  const int32_t vocab_size = selector.vocab_size();
  const auto outside =
      absl::c_find_if(*allowed, [vocab_size](TokenId id) { return id < 0 || id >= vocab_size; });
  if (outside != allowed->end()) {
    return absl::OutOfRangeError(absl::StrCat("the constraint allows token ", *outside,
                                              ", which is outside the vocabulary, [0, ", vocab_size,
                                              ")"));
  }
  AllowOnly(*allowed, vocab_size, words_);
  selector.KeepAllowed(words_);
  return absl::OkStatus();
}

namespace {

void BuildPrefixConstraint(const PrefixConstraintConfig& config, BuildContext& context) {
  if (!config.has_name()) return context.AddError("name", "is not set; it must name a constraint");
  if (context.environment() == nullptr) return;
  const auto& constraints = context.environment()->prefix_constraints;
  const auto found = constraints.find(config.name());
  if (found != constraints.end()) {
    return context.Add(std::make_unique<PrefixConstraintMask>(found->second));
  }
  const std::string known = absl::StrJoin(
      constraints, ", ", [](std::string* out, const auto& entry) { out->append(entry.first); });
  context.AddError("name", absl::StrCat("is \"", config.name(), "\"; the environment has ",
                                        known.empty() ? "no constraints" : known));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildPrefixConstraint,
    {.summary = "leaves only the tokens that a C++ function of the history allows",
     .stage = Stage::kMask});

}  // namespace
}  // namespace logitchain
