#include "logitchain/processors/top_p.h"

#include <memory>

#include "absl/status/status.h"
#include "logitchain/core/dialect.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status TopP::Apply(const StepContext&, CandidateSelector& selector) const {
  selector.KeepNucleus(p_, crossing_, min_keep_);
  return absl::OkStatus();
}

namespace {

void BuildTopP(const TopPConfig& config, BuildContext& context) {
  const NucleusRule& rule = context.dialect().nucleus;
  if (config.p() >= 1 || config.p() <= rule.off_up_to) return;
  context.Add(std::make_unique<TopP>(
      config.p(), config.has_crossing() ? config.crossing() : rule.crossing, config.min_keep()));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildTopP, {.summary = "keeps the most likely tokens that together have probability p",
                .stage = Stage::kTopP,
                .keeps_argmax = true});

}  // namespace
}  // namespace logitchain
