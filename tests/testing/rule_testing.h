#ifndef LOGITCHAIN_TESTS_TESTING_RULE_TESTING_H_
#define LOGITCHAIN_TESTS_TESTING_RULE_TESTING_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"

namespace logitchain {

// The tokens that the rules leave at this step, ids ascending. An error fails the test.
std::vector<TokenId> Survivors(Chain& chain, absl::Span<const float> logits);

// The same for a new chain of this textproto.
std::vector<TokenId> Survivors(absl::string_view textproto, absl::Span<const float> logits);

// The logits that the rules of a new chain leave.
std::vector<double> Processed(absl::string_view textproto, absl::Span<const float> logits);

// Logits whose softmax these probabilities are; −∞ for 0.
std::vector<float> LogitsOf(absl::Span<const double> probabilities);

// Why this chain is refused; a chain that is not fails the test.
std::string Refusal(absl::string_view textproto, int32_t vocab_size);

// One rule, by its name in chains, with fields as textproto. `head` are other fields of the chain.
class OneRule {
 public:
  explicit OneRule(std::string name) : name_(std::move(name)) {}

  // What the rule keeps of tokens with these probabilities.
  std::vector<TokenId> Kept(const std::string& fields, absl::Span<const double> probabilities,
                            const std::string& head = "") const;

  // Why the rule is refused.
  std::string Refusal(const std::string& fields, const std::string& head = "") const;

 private:
  std::string Text(const std::string& fields, const std::string& head) const;

  std::string name_;
};

// "dialect: SPEC " and so on, one each.
std::vector<std::string> EveryDialect();

// Samples `count` tokens over synthetic logits of a vocabulary of 48, step after step from that of
// the present history.
std::vector<TokenId> SampleTokens(Chain& chain, int count);

// The logits of one of those steps.
std::vector<float> StepLogits(uint64_t step);
inline constexpr int32_t kStepVocabSize = 48;

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_TESTING_RULE_TESTING_H_
