#include "logitchain/core/stage.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/tests/plugins/shared.pb.h"
#include "tests/plugins/shares_one.pb.h"

namespace plugins {
namespace {

void BuildSharesOne(const SharesOne&, logitchain::BuildContext& context) {
  if (Shared().refuses()) context.AddError("", "is refused");
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildSharesOne, {.summary = "does nothing",
                                               .stage = logitchain::Stage::kTemperature});

}  // namespace
}  // namespace plugins
