#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_history.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/environment.h"
#include "logitchain/tests/testing/logit_checks.h"
#include "logitchain/tests/testing/process_logits.h"

namespace logitchain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<float> kLogits(5, 1);

Environment With(PrefixConstraint constraint) {
  Environment environment;
  environment.prefix_constraints["mine"] = std::move(constraint);
  return environment;
}

absl::StatusOr<std::vector<double>> Process(const std::string& rules, Environment environment,
                                            const SeenTokens& seen = {}) {
  return ProcessLogits(rules, kLogits, seen, std::move(environment));
}

const char kRule[] = "processors { prefix_constraint { name: 'mine' } }";

PrefixConstraint Always(std::vector<TokenId> ids) {
  return [ids](const TokenHistory&) -> absl::StatusOr<std::vector<TokenId>> { return ids; };
}

TEST(PrefixConstraintTest, KeepsWhatTheFunctionAllows) {
  const auto next = [](const TokenHistory& history) -> absl::StatusOr<std::vector<TokenId>> {
    return std::vector<TokenId>{static_cast<TokenId>(history.prompt().size()), history.all().back(),
                                history.all().back()};
  };
  EXPECT_THAT(KeptIds(Process(kRule, With(next), {.prompt = {3}}).value()), ElementsAre(1, 3));
  EXPECT_THAT(KeptIds(Process(kRule, With(next), {.prompt = {3}, .output = {4}}).value()),
              ElementsAre(1, 4));
}

TEST(PrefixConstraintTest, NothingAllowedIsAnError) {
  const auto processed = Process(kRule, With(Always({})));
  EXPECT_EQ(processed.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(processed.status().message(),
              HasSubstr("processors[0].prefix_constraint: the constraint allows no token"));
}

TEST(PrefixConstraintTest, NothingLeftIsAnError) {
  EXPECT_THAT(
      Process(std::string("processors { suppress_tokens { ids: 2 } } ") + kRule, With(Always({2})))
          .status()
          .message(),
      HasSubstr("processors[1].prefix_constraint: removed all 4 candidates"));
}

TEST(PrefixConstraintTest, IdsOutsideAreErrors) {
  EXPECT_THAT(Process(kRule, With(Always({0, 5}))).status().message(),
              HasSubstr("allows token 5, which is outside the vocabulary, [0, 5)"));
  EXPECT_THAT(Process(kRule, With(Always({-1}))).status().message(), HasSubstr("allows token -1"));
}

TEST(PrefixConstraintTest, ErrorsOfTheFunctionAreThoseOfTheStep) {
  const auto fails = [](const TokenHistory&) -> absl::StatusOr<std::vector<TokenId>> {
    return absl::UnavailableError("no trie");
  };
  const auto processed = Process(kRule, With(fails));
  EXPECT_EQ(processed.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(processed.status().message(), HasSubstr("no trie"));
}

TEST(PrefixConstraintTest, Names) {
  EXPECT_THAT(Process("processors { prefix_constraint { name: 'other' } }", With(Always({1})))
                  .status()
                  .message(),
              HasSubstr("name is \"other\"; the environment has mine"));
  EXPECT_THAT(Process("processors { prefix_constraint { name: 'other' } }", {}).status().message(),
              HasSubstr("the environment has no constraints"));
  EXPECT_THAT(Process("processors { prefix_constraint {} }", {}).status().message(),
              HasSubstr("name is not set"));
}

}  // namespace
}  // namespace logitchain
