#include "logitchain/processors/top_k.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/filters.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

absl::Status TopK::Apply(const StepContext&, CandidateSelector& selector) const {
  selector.KeepLargest(k_, ties_);
  return absl::OkStatus();
}

namespace {

void BuildTopK(const TopKConfig& config, BuildContext& context) {
  if (config.k() <= 0) return;
  const int64_t k = std::max<int64_t>(config.k(), config.min_keep());
  context.Add(
      std::make_unique<TopK>(k, config.has_ties() ? config.ties() : context.dialect().top_k_ties));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildTopK, {.summary = "keeps the k most likely tokens",
                                          .stage = Stage::kTopK,
                                          .keeps_argmax = true});

}  // namespace
}  // namespace logitchain
