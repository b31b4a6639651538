#include "logitchain/core/stage.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/tests/plugins/shared.pb.h"
#include "tests/plugins/shares_two.pb.h"

namespace plugins {
namespace {

void BuildSharesTwo(const SharesTwo&, logitchain::BuildContext& context) {
  if (Shared().refuses()) context.AddError("", "is refused");
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildSharesTwo, {.summary = "does nothing",
                                               .stage = logitchain::Stage::kTemperature});

}  // namespace
}  // namespace plugins
