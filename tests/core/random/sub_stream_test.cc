#include "logitchain/core/random/sub_stream.h"

#include <cstdint>
#include <limits>
#include <set>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/numbers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/tests/testing/golden_file.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using ::testing::SizeIs;

// The golden file's three seeds, its five purposes by name, and a visit for each pair.
class SubStreamGoldenTest : public testing::Test {
 protected:
  using Check = absl::FunctionRef<void(uint64_t, Purpose, const nlohmann::json&)>;

  void ForEachSeedAndPurpose(const char* table, Check check) {
    ASSERT_THAT(golden_.at(table), SizeIs(3));
    for (const auto& [seed_text, by_purpose] : golden_.at(table).items()) {
      ASSERT_THAT(by_purpose, SizeIs(5));
      uint64_t seed = 0;
      ASSERT_TRUE(absl::SimpleAtoi(seed_text, &seed)) << seed_text;
      for (const auto& [name, expected] : by_purpose.items()) {
        SCOPED_TRACE("seed " + seed_text + ", purpose " + name);
        check(seed, Purpose{golden_.at("purposes").at(name).get<uint64_t>()}, expected);
      }
    }
  }

  const nlohmann::json golden_ = ReadGoldenJson("pcg32_vectors.json");
};

TEST_F(SubStreamGoldenTest, PurposesHaveTheirIds) {
  const nlohmann::json expected = {{"init", Purpose::kInit},
                                   {"dropout", Purpose::kDropout},
                                   {"shuffle", Purpose::kShuffle},
                                   {"sample", Purpose::kSample},
                                   {"mutation", Purpose::kMutation}};
  EXPECT_EQ(golden_.at("purposes"), expected);
}

TEST_F(SubStreamGoldenTest, EveryChildSeed) {
  ForEachSeedAndPurpose("child_seed",
                        [](uint64_t seed, Purpose purpose, const nlohmann::json& expected) {
                          EXPECT_EQ(ChildSeed(seed, purpose), expected.get<uint64_t>());
                        });
}

TEST_F(SubStreamGoldenTest, EveryWordOfEverySubStream) {
  ForEachSeedAndPurpose("stream_next_u32",
                        [](uint64_t seed, Purpose purpose, const nlohmann::json& words) {
                          ASSERT_THAT(words, SizeIs(4));
                          Pcg32 stream = SubStream(seed, purpose);
                          for (const nlohmann::json& word : words)
                            EXPECT_EQ(stream.Next(), word.get<uint32_t>());
                        });
}

TEST(SubStreamTest, SampleOfSeedZero) {
  EXPECT_EQ(ChildSeed(0, Purpose::kSample), 0xF88BB8A8724C81ECu);
  EXPECT_EQ(SubStream(0, Purpose::kSample).NextUniform(), 0x1.9aac30ff7d566p-1);
}

TEST(SubStreamTest, MixIsTheFinaliserAlone) {
  EXPECT_EQ(Mix64(0), 0u);
  // The first output of SplitMix64 from state 0, which adds the golden constant itself.
  EXPECT_EQ(Mix64(0x9E3779B97F4A7C15), 0xE220A8397B1DCDAFu);
}

TEST(SubStreamTest, AnyIdIsAPurpose) {
  constexpr uint64_t kSeed = 42;
  std::set<uint64_t> child_seeds;
  std::set<uint32_t> first_words;
  for (uint64_t id : {uint64_t{0}, uint64_t{1}, uint64_t{4}, uint64_t{6}, uint64_t{1} << 63,
                      std::numeric_limits<uint64_t>::max()}) {
    child_seeds.insert(ChildSeed(kSeed, Purpose{id}));
    first_words.insert(SubStream(kSeed, Purpose{id}).Next());
  }
  EXPECT_THAT(child_seeds, SizeIs(6));
  EXPECT_THAT(first_words, SizeIs(6));
}

TEST(SubStreamTest, NamesArePurposes) {
  // From a Python transcription of FNV-1a.
  EXPECT_EQ(PurposeNamed(""), Purpose{0xf52a15e9a9b5e89b});
  EXPECT_EQ(PurposeNamed("gumbel_max"), Purpose{0xd48c23a573848fe1});
  EXPECT_EQ(PurposeNamed("logitchain.XtcConfig#0/0"), Purpose{0xc29eeddc229ebfe4});
}

TEST(SubStreamTest, IsThePcg32OfTheChildSeedInThePurposesSequence) {
  constexpr Purpose kPurpose{0x6d7972756c65};
  EXPECT_EQ(SubStream(9, kPurpose), Pcg32(ChildSeed(9, kPurpose), 0x6d7972756c65));
}

}  // namespace
}  // namespace logitchain
