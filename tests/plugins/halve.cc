#include <memory>

#include "absl/status/status.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/stage.h"
#include "logitchain/core/transform.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"
#include "tests/plugins/halve.pb.h"

namespace plugins {
namespace {

using logitchain::LogitEditor;
using logitchain::StepContext;

class Halver final : public logitchain::Cloneable<logitchain::Transform, Halver> {
 public:
  explicit Halver(int times) : times_(times) {}

  absl::Status Apply(const StepContext&, LogitEditor& editor) const override {
    for (int i = 0; i < times_; ++i) {
      editor.RewriteAll([](auto logit) { return logit / 2; }, /*keeps_order=*/true);
    }
    return absl::OkStatus();
  }

 private:
  int times_;
};

void BuildHalve(const Halve& config, logitchain::BuildContext& context) {
  context.Add(std::make_unique<Halver>(config.times()));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildHalve, {.summary = "halves logits",
                                           .stage = logitchain::Stage::kTemperature});

}  // namespace
}  // namespace plugins
