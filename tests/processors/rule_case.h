#ifndef LOGITCHAIN_TESTS_PROCESSORS_RULE_CASE_H_
#define LOGITCHAIN_TESTS_PROCESSORS_RULE_CASE_H_

#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/tests/testing/chain_after.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {

// Processed logits in tables, short: a removed token.
inline constexpr double kOut = -std::numeric_limits<double>::infinity();

// A chain, usually of one rule, and what it makes of some logits.
struct RuleCase {
  std::string name;
  std::string chain;  // In textproto.
  std::vector<float> logits;
  std::vector<double> expected;  // To the bit.
  Past past;

  friend void PrintTo(const RuleCase& c, std::ostream* os) { *os << c.chain; }
};

inline std::string NameOf(const testing::TestParamInfo<RuleCase>& info) { return info.param.name; }

inline void ExpectProcessed(const RuleCase& c) {
  const auto chain = ChainAfter(c.chain, static_cast<int32_t>(c.logits.size()), c.past);
  ASSERT_NE(chain, nullptr);
  EXPECT_THAT(chain->Process(c.logits), IsOkAndHolds(testing::ElementsAreArray(c.expected)));
}

}  // namespace logitchain

#endif  // LOGITCHAIN_TESTS_PROCESSORS_RULE_CASE_H_
