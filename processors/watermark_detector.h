#ifndef LOGITCHAIN_PROCESSORS_WATERMARK_DETECTOR_H_
#define LOGITCHAIN_PROCESSORS_WATERMARK_DETECTOR_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/bias.pb.h"

namespace logitchain {

// What a text says about a watermark.
struct WatermarkEvidence {
  // Number of distinct pairs of neighbouring tokens.
  int64_t scored = 0;
  // How many of them have a second token that is green after the first.
  int64_t green = 0;
  // By how many standard deviations `green` is above what chance gives: about 0 without the mark; 4
  // is reached by chance in 3 of 100,000 texts.
  double z = 0;
};

// Looks for the mark that green_list_watermark with this config (its gamma and key) leaves in
// tokens:
//   z = (green − γ·scored) / √(scored · γ · (1 − γ))
// Each distinct pair counts once, as its repetitions say nothing new: without that, text that
// repeats itself would get a large z by chance. InvalidArgument unless 0 < gamma < 1 and there are
// at least two tokens. Costs O(tokens). Source: Kirchenbauer et al. 2023, equation 3, and the
// repository lm-watermarking of its authors for the distinct pairs.
absl::StatusOr<WatermarkEvidence> DetectWatermark(const GreenListWatermarkConfig& config,
                                                  absl::Span<const TokenId> tokens);

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_WATERMARK_DETECTOR_H_
