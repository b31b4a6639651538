// Chain::DrawBy.

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/terminal.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/sample_text.h"
#include "logitchain/tests/testing/test_chain.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;

constexpr float kLogits[] = {1, 2, 0, 3, -1};

std::unique_ptr<Chain> TopThree() {
  return MakeChain("processors { top_k { k: 3 } } draw { seed: 5 } logprobs: PROCESSED", 5);
}

size_t First(const DrawBasis&) { return 0; }

TEST(DrawByTest, ShowsWhatADrawGoesBy) {
  const std::unique_ptr<Chain> chain = TopThree();
  const std::vector<double> q = *chain->Distribution(kLogits);
  const absl::StatusOr<Sample> drawn = chain->Fork()->Draw(kLogits);
  int asked = 0;
  const absl::StatusOr<Sample> chosen = chain->DrawBy(kLogits, [&](const DrawBasis& basis) {
    ++asked;
    EXPECT_THAT(basis.ids, ElementsAre(0, 1, 3));
    EXPECT_THAT(basis.q, ElementsAre(q[0], q[1], q[3]));
    EXPECT_EQ(basis.uniform, drawn->uniform);
    return size_t{1};
  });
  ASSERT_TRUE(chosen.ok()) << chosen.status();
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(chosen->token, 1);
  EXPECT_EQ(chosen->kept, 3);
  EXPECT_EQ(chosen->probability, q[1]);
  EXPECT_EQ(chosen->uniform, drawn->uniform);
  EXPECT_EQ(chain->draws(), 1);
}

TEST(DrawByTest, IsTheOneDrawOfItsStep) {
  const std::unique_ptr<Chain> chain = TopThree();
  ASSERT_TRUE(chain->DrawBy(kLogits, First).ok());
  EXPECT_EQ(chain->Draw(kLogits).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(chain->DrawBy(kLogits, First).status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(chain->Commit(0).ok());
  EXPECT_TRUE(chain->Rollback(1).ok());
  EXPECT_EQ(chain->draws(), 0);
}

TEST(DrawByTest, RefusesATokenThatCannotBeDrawnAndLeavesTheChain) {
  const std::unique_ptr<Chain> chain = TopThree();
  const std::unique_ptr<Chain> untouched = chain->Fork();
  EXPECT_EQ(chain->DrawBy(kLogits, [](const DrawBasis&) { return size_t{3}; }).status(),
            absl::InternalError("draw: the token that was chosen is not one that could be drawn"));
  EXPECT_EQ(chain->draws(), 0);
  EXPECT_EQ(SampleText(chain->Sample(kLogits)), SampleText(untouched->Sample(kLogits)));
}

// There a removed token may keep its place.
TEST(DrawByTest, RefusesARemovedPlace) {
  const std::unique_ptr<Chain> chain = MakeChain(
      R"pb(dialect: LLAMA_CPP
           processors { temperature { temperature: 0 } })pb",
      5);
  EXPECT_EQ(chain->DrawBy(kLogits, First).status().code(), absl::StatusCode::kInternal);
  EXPECT_EQ(chain->DrawBy(kLogits, [](const DrawBasis&) { return size_t{3}; })->token, 3);
}

TEST(DrawByTest, GreedyChainDoesNotAsk) {
  const std::unique_ptr<Chain> chain = MakeChain("draw { greedy {} }", 5);
  const absl::StatusOr<Sample> sample = chain->DrawBy(kLogits, [](const DrawBasis&) {
    ADD_FAILURE();
    return size_t{0};
  });
  EXPECT_EQ(sample->token, 3);
  EXPECT_TRUE(sample->greedy);
  EXPECT_EQ(chain->draws(), 0);
}

}  // namespace
}  // namespace logitchain
