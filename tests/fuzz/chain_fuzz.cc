// A chain as textproto, a line "---", and bytes that say over which vocabulary, histories and
// logits it runs, and what is asked of it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/verify_draft.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/tests/fuzz/fuzz_environment.h"
#include "logitchain/tests/fuzz/fuzz_logits.h"
#include "logitchain/tests/fuzz/input_reader.h"
#include "logitchain/tests/fuzz/require.h"
#include "logitchain/tests/fuzz/step_contract.h"

namespace logitchain {
namespace {

constexpr int kMaxActions = 16;

// Drives a chain, and beside it one that differs in the log-probabilities that it reports.
class Session {
 public:
  Session(std::unique_ptr<Chain> chain, std::unique_ptr<Chain> other, bool may_fall_back)
      : chain_(std::move(chain)), other_(std::move(other)), may_fall_back_(may_fall_back) {}

  // Does what the next byte says.
  void Act(InputReader& input) {
    switch (input.Below(8)) {
      case 1:
        return CommitAny(input);
      case 2:
        return InBoth(
            [n = static_cast<int8_t>(input.Byte())](Chain& chain) { return chain.Rollback(n); });
      case 3:
        return InBoth([prompt = Ids(input)](Chain& chain) { return chain.Reset(prompt); });
      case 4:
        return InBoth([n = input.Byte()](Chain& chain) { return chain.SkipAhead(n); });
      case 5:
        return Verify(input);
      case 6:
        chain_ = chain_->Fork();
        return;
      default:
        return Sample(input);
    }
  }

 private:
  template <typename F>
  void InBoth(F act) {
    const absl::Status status = act(*chain_);
    Require(act(*other_) == status, "log-probabilities make no difference");
  }

  void Sample(InputReader& input) {
    const std::vector<float> logits = LogitsFrom(input, chain_->vocab_size());
    const auto sample = SampleByContract(*chain_, logits, may_fall_back_);
    const auto other = other_->Sample(logits);
    Require(sample.ok() == other.ok(), "log-probabilities make no step fail");
    Require(!sample.ok() || sample->token == other->token, "log-probabilities change no token");
  }

  // A token that need not be the one that was drawn, nor be in the vocabulary.
  void CommitAny(InputReader& input) {
    const std::vector<float> logits = LogitsFrom(input, chain_->vocab_size());
    const TokenId id = static_cast<int8_t>(input.Byte());
    InBoth([&](Chain& chain) {
      const bool is_drawn = chain.Draw(logits).ok();
      Require(!is_drawn || !chain.Draw(logits).ok(), "a step has one draw");
      return chain.Commit(id);
    });
    // Where that failed, the draw still waits.
    InBoth([](Chain& chain) { return chain.Rollback(0); });
  }

  void Verify(InputReader& input) {
    const int32_t vocab_size = chain_->vocab_size();
    const std::vector<TokenId> tokens = Ids(input);
    std::vector<float> logits;
    for (size_t i = 0; i <= tokens.size(); ++i) {
      const std::vector<float> row = LogitsFrom(input, vocab_size);
      logits.insert(logits.end(), row.begin(), row.end());
    }
    InBoth([&](Chain& chain) {
      const auto verified = VerifyDraft(
          chain, {.tokens = tokens, .target_logits = LogitsMatrix::Of(logits, vocab_size)});
      Require(!verified.ok() || verified->samples.size() == size_t(verified->accepted) + 1,
              "a draft ends with one token more");
      return verified.status();
    });
  }

  static std::vector<TokenId> Ids(InputReader& input) {
    std::vector<TokenId> ids(input.Below(8));
    // Most of them in most vocabularies.
    for (TokenId& id : ids) id = input.Byte() - 1;
    return ids;
  }

  std::unique_ptr<Chain> chain_;
  std::unique_ptr<Chain> other_;
  bool may_fall_back_;
};

// The same chain with all log-probabilities, or without those that it asks for.
ChainConfig WithOtherLogprobs(ChainConfig config) {
  if (config.logprobs().empty()) {
    for (const auto logprob : {ChainConfig::RAW, ChainConfig::PENALISED, ChainConfig::PROCESSED}) {
      config.add_logprobs(logprob);
    }
  } else {
    config.clear_logprobs();
  }
  return config;
}

void Run(const ChainText& text, InputReader& input) {
  const int32_t vocab_size =
      input.OneOf({40, 1, 2, 3, 31, 32, 33, 63, 64, 65, 128, 257, 1000, 4099});
  const Environment environment = FuzzEnvironment(vocab_size);
  auto chain = CreateChain(text, environment);
  if (!chain.ok()) return;
  Require(CheckChain(text.config, vocab_size).empty(), "a chain that can be made has no problem");
  auto other = CreateChain(WithOtherLogprobs(text.config), environment);
  Require(other.ok(), "log-probabilities make no problem");
  Session session(*std::move(chain), *std::move(other),
                  text.config.draw().minfer_last_id_fallback());
  int actions = 0;
  do session.Act(input);
  while (!input.empty() && ++actions < kMaxActions);
}

}  // namespace
}  // namespace logitchain

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace logitchain;
  InputReader input(data, size);
  const absl::StatusOr<ChainText> text = ParseChainText(input.Part(), "chain.textproto");
  if (!text.ok()) return 0;
  CheckChain(text->config);
  DialectOrder(text->config);
  Run(*text, input);
  return 0;
}
