#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/token_id.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"

namespace acme {
namespace {

using ::logitchain::Chain;
using ::logitchain::TokenId;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A vocabulary of two digits and one word.
constexpr TokenId kZero = 0;
constexpr TokenId kOne = 1;
constexpr TokenId kWord = 2;
constexpr int32_t kVocabSize = 3;

absl::StatusOr<std::unique_ptr<Chain>> Create(absl::string_view fields) {
  const std::string text = absl::StrCat(
      "processors { plugin { [type.googleapis.com/acme.BanDigits] { ", fields, " } } }");
  return CreateChain(logitchain::ParseChainText(text, "chain.textproto").value(),
                     {.vocab_size = kVocabSize});
}

// Whether each token may come next.
std::vector<bool> MayCome(Chain& chain) {
  const std::vector<double> q = chain.Distribution(std::vector<float>(kVocabSize, 0)).value();
  return {q[kZero] > 0, q[kOne] > 0, q[kWord] > 0};
}

TEST(BanDigitsTest, NoDigitComes) {
  const auto chain = Create("digit_ids: [0, 1]").value();
  EXPECT_THAT(MayCome(*chain), ElementsAre(false, false, true));
  ASSERT_TRUE(chain->Commit(kWord).ok());
  EXPECT_THAT(MayCome(*chain), ElementsAre(false, false, true));
}

TEST(BanDigitsTest, AYearComesButNoFifthDigit) {
  const auto chain = Create("digit_ids: [0, 1] keep_years: true").value();
  for (const TokenId digit : {kOne, kZero, kZero, kOne}) {
    EXPECT_THAT(MayCome(*chain), ElementsAre(true, true, true));
    ASSERT_TRUE(chain->Commit(digit).ok());
  }
  EXPECT_THAT(MayCome(*chain), ElementsAre(false, false, true));
  // Behind a word another year may begin.
  ASSERT_TRUE(chain->Commit(kWord).ok());
  EXPECT_THAT(MayCome(*chain), ElementsAre(true, true, true));
}

TEST(BanDigitsTest, DigitsOfThePromptCount) {
  const auto chain = Create("digit_ids: [0, 1] keep_years: true").value();
  ASSERT_TRUE(chain->Reset(std::vector<TokenId>{kOne, kOne, kOne}).ok());
  ASSERT_TRUE(chain->Commit(kOne).ok());
  EXPECT_THAT(MayCome(*chain), ElementsAre(false, false, true));
  ASSERT_TRUE(chain->Rollback(1).ok());
  EXPECT_THAT(MayCome(*chain), ElementsAre(true, true, true));
}

TEST(BanDigitsTest, ADigitOutsideTheVocabularyIsRefused) {
  EXPECT_THAT(
      std::string(Create("digit_ids: [0, 7]").status().message()),
      HasSubstr(
          "processors[0].plugin[acme.BanDigits].digit_ids[1] is 7; it must be in the vocabulary, "
          "[0, 3)"));
}

TEST(BanDigitsTest, NoDigitsAtAllAreRefused) {
  EXPECT_EQ(
      Create("keep_years: true").status().message(),
      "chain.textproto:1:23: processors[0].plugin[acme.BanDigits].digit_ids must name the digits");
}

TEST(BanDigitsTest, NothingButDigitsIsAnError) {
  const auto chain = Create("digit_ids: [0, 1]").value();
  constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();
  EXPECT_THAT(
      std::string(chain->Sample(std::vector<float>{1, 2, kMinusInfinity}).status().message()),
      HasSubstr("processors[0].plugin[acme.BanDigits]: removed all 2 candidates"));
}

}  // namespace
}  // namespace acme
