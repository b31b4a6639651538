// A chain as textproto, a line "---", and bytes of bitmasks and logits. Behind a mask the chain
// must do what it does over logits from which the masked tokens are removed.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/environment.h"
#include "logitchain/tests/fuzz/fuzz_environment.h"
#include "logitchain/tests/fuzz/fuzz_logits.h"
#include "logitchain/tests/fuzz/input_reader.h"
#include "logitchain/tests/fuzz/require.h"
#include "logitchain/tests/fuzz/step_contract.h"

namespace logitchain {
namespace {

constexpr int kMaxSteps = 8;

// Fills each mask with the words that it is told to.
class ToldMask final : public TokenMaskProvider {
 public:
  explicit ToldMask(const std::vector<int32_t>& words) : words_(words) {}

  absl::Status FillMask(absl::Span<int32_t> mask) override {
    Require(mask.size() == words_.size(), "a mask has a bit for each token, in whole words");
    for (size_t i = 0; i < mask.size(); ++i) mask[i] = words_[i];
    return absl::OkStatus();
  }
  absl::Status Accept(TokenId) override { return absl::OkStatus(); }
  absl::Status Rollback(int32_t) override { return absl::OkStatus(); }
  void Reset() override {}
  std::unique_ptr<TokenMaskProvider> Clone() const override {
    return std::make_unique<ToldMask>(words_);
  }

 private:
  const std::vector<int32_t>& words_;
};

ChainConfig BehindMask(const ChainConfig& config) {
  ChainConfig masked;
  masked.add_processors()->mutable_grammar_mask()->set_provider("told");
  masked.MergeFrom(config);
  return masked;
}

std::vector<float> Masked(absl::Span<const int32_t> words, std::vector<float> logits) {
  for (size_t id = 0; id < logits.size(); ++id) {
    const bool is_allowed = (static_cast<uint32_t>(words[id / 32]) >> (id % 32)) & 1;
    if (!is_allowed) logits[id] = -std::numeric_limits<float>::infinity();
  }
  return logits;
}

bool HasBad(absl::Span<const float> logits) {
  for (const float logit : logits) {
    if (!(logit < std::numeric_limits<float>::infinity())) return true;
  }
  return false;
}

void Run(const ChainConfig& config, InputReader& input) {
  const int32_t vocab_size = 1 + input.Below(200);
  std::vector<int32_t> words((vocab_size + 31) / 32);
  Environment environment = FuzzEnvironment(vocab_size);
  environment.mask_providers["told"] = std::make_shared<ToldMask>(words);
  const auto plain = CreateChain(config, environment);
  const auto masked = CreateChain(BehindMask(config), environment);
  if (!plain.ok() || !masked.ok()) return;
  const bool may_fall_back = config.draw().minfer_last_id_fallback();
  int steps = 0;
  do {
    for (int32_t& word : words) word = static_cast<int32_t>(input.Word());
    const std::vector<float> logits = LogitsFrom(input, vocab_size);
    if (HasBad(logits) && config.on_bad_logits() == ChainConfig::ERROR) continue;
    const auto expected = (*plain)->Sample(Masked(words, logits));
    const auto sample = SampleByContract(**masked, logits, may_fall_back);
    Require(expected.ok() == sample.ok(), "a mask fails where removed logits do");
    Require(!sample.ok() || (expected->token == sample->token && expected->kept == sample->kept &&
                             expected->uniform == sample->uniform),
            "a mask does what removed logits do");
  } while (!input.empty() && ++steps < kMaxSteps);
}

}  // namespace
}  // namespace logitchain

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace logitchain;
  InputReader input(data, size);
  const absl::StatusOr<ChainText> text = ParseChainText(input.Part(), "chain.textproto");
  if (text.ok()) Run(text->config, input);
  return 0;
}
