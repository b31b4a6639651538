#ifndef LOGITCHAIN_CORE_STAGE_H_
#define LOGITCHAIN_CORE_STAGE_H_

#include "absl/strings/string_view.h"

namespace logitchain {

// The places that a rule can have in a chain, in the order of dialect SPEC. Every rule registers
// one; a dialect arranges them (see dialect.h).
enum class Stage {
  kMask,
  kBias,
  kRepetition,
  kPresenceFrequency,
  kDry,
  kSmoothing,
  kTemperature,  // And dynamic temperature.
  kTopNSigma,
  kTopK,
  kTypical,
  kTopP,
  kMinP,
  kTopA,
  kTopH,
  kTailFree,
  kEpsilon,
  kEta,
  kXtc,
  kDraw,
};

inline constexpr int kStageCount = static_cast<int>(Stage::kDraw) + 1;

// The stage's name as users read it, for example "top-k".
absl::string_view StageName(Stage stage);

// Whether rules of this stage come before the point where the `penalised` log-probabilities are
// taken: masks, bias and penalties.
bool IsBeforeShaping(Stage stage);

// Whether rules of this stage remove unlikely tokens.
bool IsFilterStage(Stage stage);

}  // namespace logitchain

#endif  // LOGITCHAIN_CORE_STAGE_H_
