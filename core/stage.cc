#include "logitchain/core/stage.h"

#include <array>

#include "absl/strings/string_view.h"

namespace logitchain {

absl::string_view StageName(Stage stage) {
  static constexpr std::array<absl::string_view, kStageCount> kNames = {
      "masks", "bias",      "repetition",  "presence/frequency",
      "DRY",   "smoothing", "temperature", "top-n-sigma",
      "top-k", "typical",   "top-p",       "min-p",
      "top-a", "top-h",     "tail-free",   "epsilon",
      "eta",   "XTC",       "draw"};
  return kNames[static_cast<int>(stage)];
}

bool IsBeforeShaping(Stage stage) { return stage <= Stage::kDry; }

bool IsFilterStage(Stage stage) { return stage >= Stage::kTopNSigma && stage < Stage::kDraw; }

}  // namespace logitchain
