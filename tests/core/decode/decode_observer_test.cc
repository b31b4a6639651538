#include "logitchain/core/decode/decode_observer.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/core/decode/scripted_model.h"
#include "logitchain/tests/core/decode/step_to_end.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Tokens 0 to 2 are letters, and 3 is the model's stop token.
class DecodeObserverTest : public testing::Test {
 protected:
  static constexpr TokenId kStop = 3;

  ScriptedModel model_{{"a", "b", "c", ""}, {kStop}};
};

TEST_F(DecodeObserverTest, KeepsARecordForEachTokenOfTheOutput) {
  model_.Say({0, 1, kStop});
  const auto loop = MakeLoop(model_, {.keep_records = true}, {2}, "logprobs: RAW");
  StepToEnd(*loop);
  ASSERT_THAT(loop->records(), SizeIs(loop->tokens().size()));
  for (size_t i = 0; i < loop->records().size(); ++i) {
    const TokenRecord& record = loop->records()[i];
    EXPECT_EQ(record.step, static_cast<int>(i));
    EXPECT_EQ(record.sample.token, loop->tokens()[i]);
    EXPECT_TRUE(record.sample.raw_logprob.has_value());
    EXPECT_EQ(record.bytes, model_.TokenBytes(record.sample.token));
    EXPECT_FALSE(record.is_stop_token);
  }
}

TEST_F(DecodeObserverTest, RecordsOfCutTokensHaveAllOfTheirBytes) {
  ScriptedModel model({"one. two"});
  model.Say({0});
  const auto loop = MakeLoop(model, {.stop_strings = {"."}, .keep_records = true});
  StepToEnd(*loop);
  EXPECT_EQ(loop->text(), "one");
  EXPECT_EQ(loop->records().at(0).bytes, "one. two");
}

TEST_F(DecodeObserverTest, RecordsAreNotKeptUnasked) {
  model_.Say({0, kStop});
  const auto loop = MakeLoop(model_);
  StepToEnd(*loop);
  EXPECT_THAT(loop->records(), IsEmpty());
}

// Writes down what it sees.
class Recorder final : public DecodeObserver {
 public:
  void OnPart(absl::string_view name, int32_t kept, absl::Duration spent) override {
    EXPECT_GE(spent, absl::ZeroDuration());
    seen.push_back(absl::StrCat(name, " ", kept));
  }
  void OnToken(const TokenRecord& token, const StepTimes& times) override {
    EXPECT_GT(times.model, absl::ZeroDuration());
    EXPECT_GT(times.sampling, absl::ZeroDuration());
    seen.push_back(
        absl::StrCat(token.step, ": ", token.sample.token, token.is_stop_token ? " stops" : ""));
  }

  std::vector<std::string> seen;
};

TEST_F(DecodeObserverTest, ObserversSeeThePartsAndTheTokens) {
  model_.Say({0, kStop});
  Recorder one;
  Recorder two;
  const auto loop = MakeLoop(model_, {}, {}, "processors { top_k { k: 2 } } draw { greedy {} }");
  loop->AddObserver(&one);
  loop->AddObserver(&two);
  StepToEnd(*loop);
  EXPECT_THAT(one.seen, ElementsAre("logits 4", "processors[0].top_k 2", "draw 1", "0: 0",
                                    "logits 4", "processors[0].top_k 2", "draw 1", "1: 3 stops"));
  EXPECT_EQ(two.seen, one.seen);
}

TEST_F(DecodeObserverTest, WatchingChangesNoToken) {
  const auto decode = [](DecodeObserver* observer) {
    ScriptedModel model({"a", "b", "c", "d"});
    for (int i = 0; i < 50; ++i) model.Offer({1, 2, 3, 2});
    const auto loop = MakeLoop(model, {.max_tokens = 50}, {}, "draw { seed: 7 }");
    if (observer != nullptr) loop->AddObserver(observer);
    StepToEnd(*loop);
    return loop->text();
  };
  Recorder recorder;
  EXPECT_EQ(decode(&recorder), decode(nullptr));
}

}  // namespace
}  // namespace logitchain
