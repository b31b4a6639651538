#include "logitchain/processors/mirostat_v2.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "absl/algorithm/container.h"
#include "logitchain/core/arithmetic.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/stage.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/build_context.h"
#include "logitchain/registry/processor_registry.h"

namespace logitchain {

void MirostatV2::Cut(double mu, CandidateSelector& candidates) const {
  // Surprise grows along the rank, so that those that pass are its first ones.
  const int64_t passing = InArithmetic(dialect().arithmetic, [&](auto zero) -> int64_t {
    using Real = decltype(zero);
    return absl::c_count_if(candidates.Probabilities(), [mu](double q) {
      return !(-Log2(static_cast<Real>(q)) > static_cast<Real>(mu));
    });
  });
  candidates.KeepLargest(std::max<int64_t>(passing, 1), TopKConfig::EXACTLY_K);
}

namespace {

void BuildMirostatV2(const MirostatV2Config& config, BuildContext& context) {
  context.SetTerminal(std::make_unique<MirostatV2>(config.tau(), config.eta(), context.dialect()));
}

LOGITCHAIN_REGISTER_PROCESSOR(BuildMirostatV2,
                              {.summary = "draws, and keeps the tokens' surprise near tau bits",
                               .stage = Stage::kDraw});

}  // namespace
}  // namespace logitchain
