#include "logitchain/tests/testing/rule_testing.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/tests/testing/logit_recipe.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {

std::vector<TokenId> Survivors(Chain& chain, absl::Span<const float> logits) {
  const absl::StatusOr<std::vector<double>> processed = chain.Process(logits);
  EXPECT_TRUE(processed.ok()) << processed.status();
  std::vector<TokenId> survivors;
  if (!processed.ok()) return survivors;
  for (size_t id = 0; id < processed->size(); ++id) {
    if (std::isfinite((*processed)[id])) survivors.push_back(static_cast<TokenId>(id));
  }
  return survivors;
}

std::vector<TokenId> Survivors(absl::string_view textproto, absl::Span<const float> logits) {
  const std::unique_ptr<Chain> chain = MakeChain(textproto, static_cast<int32_t>(logits.size()));
  return chain == nullptr ? std::vector<TokenId>() : Survivors(*chain, logits);
}

std::vector<double> Processed(absl::string_view textproto, absl::Span<const float> logits) {
  const std::unique_ptr<Chain> chain = MakeChain(textproto, static_cast<int32_t>(logits.size()));
  if (chain == nullptr) return {};
  const absl::StatusOr<std::vector<double>> processed = chain->Process(logits);
  EXPECT_TRUE(processed.ok()) << processed.status();
  return processed.value_or(std::vector<double>());
}

std::vector<float> LogitsOf(absl::Span<const double> probabilities) {
  std::vector<float> logits;
  for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p)));
  return logits;
}

std::string Refusal(absl::string_view textproto, int32_t vocab_size) {
  const absl::StatusOr<ChainText> text = ParseChainText(textproto, "chain.textproto");
  if (!text.ok()) return std::string(text.status().message());
  const absl::Status status = CreateChain(text->config, {.vocab_size = vocab_size}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << textproto;
  return std::string(status.message());
}

std::vector<TokenId> OneRule::Kept(const std::string& fields,
                                   absl::Span<const double> probabilities,
                                   const std::string& head) const {
  return Survivors(Text(fields, head), LogitsOf(probabilities));
}

std::string OneRule::Refusal(const std::string& fields, const std::string& head) const {
  return logitchain::Refusal(Text(fields, head), /*vocab_size=*/2);
}

std::string OneRule::Text(const std::string& fields, const std::string& head) const {
  return absl::StrCat(head, " processors { ", name_, " { ", fields, " } }");
}

std::vector<std::string> EveryDialect() {
  std::vector<std::string> dialects;
  for (int i = 0; i < ChainConfig::Dialect_ARRAYSIZE; ++i) {
    dialects.push_back(absl::StrCat(
        "dialect: ", ChainConfig::Dialect_Name(static_cast<ChainConfig::Dialect>(i)), " "));
  }
  return dialects;
}

std::vector<TokenId> SampleTokens(Chain& chain, int count) {
  std::vector<TokenId> tokens;
  for (int i = 0; i < count; ++i) {
    const absl::StatusOr<Sample> sample = chain.Sample(StepLogits(chain.history().output().size()));
    EXPECT_TRUE(sample.ok()) << sample.status();
    if (sample.ok()) tokens.push_back(sample->token);
  }
  return tokens;
}

std::vector<float> StepLogits(uint64_t step) {
  return RecipeLogits("uniform8", kStepVocabSize, /*logits_seed=*/77, step);
}

}  // namespace logitchain
