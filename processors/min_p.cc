#include "logitchain/processors/min_p.h"

#include <memory>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status MinP::Apply(const StepContext&, CandidateSelector& selector) const {
  selector.KeepLikely(p_, min_keep_);
  return absl::OkStatus();
}

namespace {

void BuildMinP(const MinPConfig& config, BuildContext& context) {
  if (config.p() <= 0) return;
  context.Add(std::make_unique<MinP>(config.p(), config.min_keep()));
}

LOGITCHAIN_REGISTER_PROCESSOR(
    BuildMinP, {.summary = "keeps the tokens at least p times as likely as the most likely one",
                .stage = Stage::kMinP,
                .keeps_argmax = true});

}  // namespace
}  // namespace logitchain
