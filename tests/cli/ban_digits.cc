#include "logitchain/core/stage.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/tests/cli/acme.pb.h"

namespace acme {
namespace {

// Adds nothing: the tests only look at what the rule says of itself.
void BuildBanDigits(const BanDigits&, logitchain::BuildContext&) {}

LOGITCHAIN_REGISTER_PROCESSOR(BuildBanDigits, {.summary = "bans the tokens that are digits",
                                               .stage = logitchain::Stage::kMask});

}  // namespace
}  // namespace acme
