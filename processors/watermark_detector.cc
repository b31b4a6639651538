#include "logitchain/processors/watermark_detector.h"

#include <cmath>
#include <cstddef>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/processors/green_list.h"
#include "logitchain/proto/bias.pb.h"

namespace logitchain {

absl::StatusOr<WatermarkEvidence> DetectWatermark(const GreenListWatermarkConfig& config,
                                                  absl::Span<const TokenId> tokens) {
  const double gamma = config.gamma();
  if (!(gamma > 0 && gamma < 1)) {
    return absl::InvalidArgumentError(absl::StrCat("gamma is ", gamma, "; it must be in (0, 1)"));
  }
  if (tokens.size() < 2) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", tokens.size(), " tokens; a watermark shows in pairs of them"));
  }
  WatermarkEvidence evidence;
  absl::flat_hash_set<std::pair<TokenId, TokenId>> seen;
  for (size_t i = 1; i < tokens.size(); ++i) {
    if (!seen.insert({tokens[i - 1], tokens[i]}).second) continue;
    ++evidence.scored;
    evidence.green += GreenList(config.key(), gamma, tokens[i - 1]).IsGreen(tokens[i]);
  }
  const auto scored = static_cast<double>(evidence.scored);
  evidence.z = (static_cast<double>(evidence.green) - gamma * scored) /
               std::sqrt(scored * gamma * (1 - gamma));
  return evidence;
}

}  // namespace logitchain
