#include "logitchain/core/random/random_streams.h"

#include <cstdint>
#include <memory>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/random/generator.h"

namespace logitchain {
namespace {

using testing::ElementsAre;

// Two generators; step i takes i uniforms of the first and 2 of the second.
class RandomStreamsTest : public testing::Test {
 protected:
  RandomStreamsTest() {
    streams_.Add(MakeGenerator(GeneratorKind::kMt19937Floats, 42).value());
    streams_.Add(MakeGenerator(GeneratorKind::kPcg32SampleStream, 42).value());
    for (int step = 1; step <= 4; ++step) {
      Take(step, 2);
      streams_.EndStep();
    }
  }

  void Take(int first, int second) {
    for (int i = 0; i < first; ++i) streams_.generators()[0]->NextUniform();
    for (int i = 0; i < second; ++i) streams_.generators()[1]->NextUniform();
  }

  static std::vector<uint64_t> Positions(const RandomStreams::Generators& generators) {
    return {generators[0]->position(), generators[1]->position()};
  }
  std::vector<uint64_t> Positions() const { return Positions(streams_.generators()); }

  RandomStreams streams_;
};

TEST_F(RandomStreamsTest, CountsWhatWasTaken) { EXPECT_EQ(streams_.taken(), 10 + 8); }

TEST_F(RandomStreamsTest, RestartsTheStep) {
  Take(3, 1);
  EXPECT_THAT(Positions(), ElementsAre(13, 9));
  streams_.RestartStep();
  EXPECT_THAT(Positions(), ElementsAre(10, 8));
}

TEST_F(RandomStreamsTest, CopiesStandAtTheBeginOfTheStep) {
  const double next = streams_.CopiesAtStepBegin()[0]->NextUniform();
  Take(3, 1);
  const RandomStreams::Generators copies = streams_.CopiesAtStepBegin();
  EXPECT_THAT(Positions(copies), ElementsAre(10, 8));
  EXPECT_EQ(copies[0]->NextUniform(), next);
  EXPECT_THAT(Positions(), ElementsAre(13, 9));
}

TEST_F(RandomStreamsTest, RollsBackSteps) {
  Take(3, 1);
  streams_.Rollback(2);
  EXPECT_THAT(Positions(), ElementsAre(3, 4));
  streams_.Rollback(0);
  EXPECT_THAT(Positions(), ElementsAre(3, 4));
  Take(5, 5);
  streams_.EndStep();
  EXPECT_THAT(Positions(), ElementsAre(8, 9));
  streams_.Rollback(3);
  EXPECT_THAT(Positions(), ElementsAre(0, 0));
}

TEST_F(RandomStreamsTest, BeginStepIsUndoneWithTheStepBefore) {
  Take(1, 1);
  streams_.BeginStep();
  streams_.RestartStep();
  EXPECT_THAT(Positions(), ElementsAre(11, 9));
  streams_.EndStep();
  streams_.Rollback(1);
  EXPECT_THAT(Positions(), ElementsAre(11, 9));
  streams_.Rollback(1);
  EXPECT_THAT(Positions(), ElementsAre(6, 6));
}

TEST_F(RandomStreamsTest, ResetsToTheFirstStep) {
  streams_.Reset();
  EXPECT_THAT(Positions(), ElementsAre(0, 0));
  Take(1, 1);
  streams_.EndStep();
  streams_.Rollback(1);
  EXPECT_THAT(Positions(), ElementsAre(0, 0));
}

TEST_F(RandomStreamsTest, CopiesAreIndependent) {
  RandomStreams copy = streams_;
  Take(1, 1);
  EXPECT_THAT(Positions(copy.generators()), ElementsAre(10, 8));
  copy.Rollback(1);
  EXPECT_THAT(Positions(copy.generators()), ElementsAre(6, 6));
  EXPECT_THAT(Positions(), ElementsAre(11, 9));
}

TEST(RandomStreamsOfNoneTest, DoNothing) {
  RandomStreams none;
  none.EndStep();
  none.EndStep();
  none.Rollback(1);
  none.Reset();
  EXPECT_EQ(none.taken(), 0);
  EXPECT_TRUE(none.CopiesAtStepBegin().empty());
}

}  // namespace
}  // namespace logitchain
