#include "logitchain/models/trigram_model.h"

#include <sphinxbase/err.h>
#include <sphinxbase/logmath.h>
#include <sphinxbase/ngram_model.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/models/tiny_trigram_file.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pointwise;

constexpr float kInf = std::numeric_limits<float>::infinity();

// Debian's model, loaded once.
TrigramModel& English() {
  static const absl::StatusOr<std::unique_ptr<TrigramModel>>& model =
      *new absl::StatusOr<std::unique_ptr<TrigramModel>>(TrigramModel::Load());
  return **model;
}

std::vector<TokenId> Ids(absl::string_view text) {
  const auto ids = English().Tokenize(text);
  EXPECT_TRUE(ids.ok()) << ids.status();
  return ids.value_or(std::vector<TokenId>());
}

TokenId Id(absl::string_view word) {
  const std::vector<TokenId> ids = Ids(word);
  return ids.size() == 1 ? ids[0] : -1;
}

std::vector<float> Logits(TrigramModel& model, absl::Span<const TokenId> tokens) {
  const auto logits = model.NextLogits(tokens);
  EXPECT_TRUE(logits.ok()) << logits.status();
  if (!logits.ok()) return {};
  return std::vector<float>(logits->begin(), logits->end());
}

TEST(TrigramModelTest, KnowsDebiansWords) {
  EXPECT_EQ(English().vocab_size(), 72547);
  EXPECT_EQ(English().TokenBytes(0), " 'bout");
  EXPECT_EQ(English().TokenBytes(72546), " zyuganov's");
  EXPECT_EQ(English().TokenBytes(Id("don't")), " don't");
  EXPECT_EQ(English().TokenBytes(-1), "");
  EXPECT_EQ(English().TokenBytes(72547), "");
}

TEST(TrigramModelTest, MarksAreNoWords) {
  EXPECT_THAT(English().stop_ids(), ElementsAre(6));
  for (const TokenId mark : {6, 7}) EXPECT_EQ(English().TokenBytes(mark), "");
  EXPECT_EQ(English().TokenBytes(8), " a");
}

TEST(TrigramModelTest, TokenizesWordsOfEitherCase) {
  EXPECT_THAT(Ids("i want to"), ElementsAre(31018, 69966, 65718));
  EXPECT_THAT(Ids("\tI  WANT\nTo "), ElementsAre(31018, 69966, 65718));
  EXPECT_THAT(Ids(""), IsEmpty());
  EXPECT_THAT(Ids(" \n"), IsEmpty());
}

TEST(TrigramModelTest, EveryWordIsItsOwnToken) {
  for (TokenId id = 0; id < English().vocab_size(); ++id) {
    if (id == 6 || id == 7) continue;  // The marks.
    const auto ids = English().Tokenize(English().TokenBytes(id));
    ASSERT_TRUE(ids.ok()) << ids.status();
    ASSERT_THAT(*ids, ElementsAre(id));
  }
}

TEST(TrigramModelTest, NamesTheWordThatItDoesNotKnow) {
  EXPECT_EQ(English().Tokenize("i Wnat to").status(),
            absl::InvalidArgumentError("word 2, \"Wnat\", is not in the model's vocabulary"));
  for (const char* text : {"<s>", "</s>", "<UNK>", "to."}) {
    EXPECT_THAT(English().Tokenize(text).status().ToString(), HasSubstr(text));
  }
  const absl::string_view with_zero_byte("to\0day", 6);
  EXPECT_FALSE(English().Tokenize(with_zero_byte).ok());
}

// What the library itself says, with the history as it wants it: the latest word first.
class LibraryModel {
 public:
  LibraryModel()
      : log_base_(logmath_init(1.0001, 0, 0)),
        model_(ngram_model_read(nullptr, kDefaultTrigramModelPath, NGRAM_BIN, log_base_)) {}
  ~LibraryModel() {
    ngram_model_free(model_);
    logmath_free(log_base_);
  }

  std::vector<float> Logits(std::vector<int32_t> history) {
    std::vector<float> logits(ngram_model_get_counts(model_)[0]);
    for (size_t id = 0; id < logits.size(); ++id) {
      int used;
      const int score = ngram_ng_score(model_, static_cast<int32_t>(id), history.data(),
                                       static_cast<int32_t>(history.size()), &used);
      logits[id] = static_cast<float>(logmath_log_to_ln(log_base_, score));
    }
    logits[ngram_wid(model_, "<s>")] = -kInf;
    return logits;
  }

 private:
  logmath_t* log_base_;
  ngram_model_t* model_;
};

TEST(TrigramModelTest, LogitsAreTheLibrarysScores) {
  LibraryModel library;
  const TokenId start = 7, i = Id("i"), want = Id("want"), to = Id("to");
  EXPECT_EQ(Logits(English(), {}), library.Logits({start}));
  EXPECT_EQ(Logits(English(), {i}), library.Logits({i, start}));
  EXPECT_EQ(Logits(English(), {i, want}), library.Logits({want, i}));
  EXPECT_EQ(Logits(English(), {i, want, to}), library.Logits({to, want}));
}

TEST(TrigramModelTest, LogitsAreNaturalLogarithmsOfProbabilities) {
  const std::vector<std::vector<TokenId>> histories = {{}, Ids("i"), Ids("i want"), Ids("of the")};
  for (const std::vector<TokenId>& history : histories) {
    double sum = 0;
    for (const float logit : Logits(English(), history)) sum += std::exp(logit);
    EXPECT_NEAR(sum, 1, 0.01) << history.size();
  }
  const std::vector<float> logits = Logits(English(), Ids("i want"));
  const auto best = std::max_element(logits.begin(), logits.end());
  EXPECT_EQ(best - logits.begin(), Id("to"));
  EXPECT_THAT(*best, FloatNear(-0.506375f, 1e-6f));
}

TEST(TrigramModelTest, TheStartMarkNeverComesOut) {
  for (const char* text : {"", "i", "i want", "i want to"}) {
    EXPECT_EQ(Logits(English(), Ids(text))[7], -kInf);
  }
}

TEST(TrigramModelTest, ASentenceStartsAfresh) {
  const TokenId end = 6, start = 7, i = Id("i"), want = Id("want");
  EXPECT_EQ(Logits(English(), {i, want, end}), Logits(English(), {}));
  EXPECT_EQ(Logits(English(), {want, end, i}), Logits(English(), {i}));
  EXPECT_EQ(Logits(English(), {want, start, i}), Logits(English(), {i}));
  EXPECT_NE(Logits(English(), {want, i}), Logits(English(), {i}));
}

TEST(TrigramModelTest, RefusesIdsOutsideTheVocabulary) {
  EXPECT_EQ(English().NextLogits({8, 72547, 8, 8}).status(),
            absl::InvalidArgumentError("tokens[1] is 72547; ids are 0 to 72546"));
  EXPECT_EQ(English().NextLogits({-1}).status(),
            absl::InvalidArgumentError("tokens[0] is -1; ids are 0 to 72546"));
}

// The log10 probabilities of TinyArpa, added up by hand where the model backs off. Ids follow its
// order: </s>, <s>, a, b.
TEST(TrigramModelTest, BacksOffAsTheFormatSays) {
  TempFolder folder;
  const auto model = TrigramModel::Load(WriteTrigramFile(folder, TinyArpa("<s>", "</s>", "<UNK>")));
  ASSERT_TRUE(model.ok()) << model.status();
  struct Case {
    std::vector<TokenId> tokens;
    float end, a, b;
  };
  const Case cases[] = {
      {{}, -0.3 - 0.7, -0.1, -0.3 - 0.6},
      {{2}, -0.4 - 0.9, -0.4 - 0.2 - 0.5, -0.05},
      {{2, 3}, -0.25 - 0.1 - 0.7, -0.15, -0.25 - 0.1 - 0.6},
      {{3, 2}, -0.15 - 0.9, -0.15 - 0.2 - 0.5, -0.15 - 0.8},
  };
  for (const Case& c : cases) {
    std::vector<float> expected = {c.end, -kInf, c.a, c.b, -kInf};
    for (float& logit : expected) logit *= std::log(10.0f);
    EXPECT_THAT(Logits(**model, c.tokens), Pointwise(FloatNear(4e-4f), expected))
        << c.tokens.size();
  }
}

TEST(TrigramModelTest, UnknownWordsStayUnknownToAModelWithAStandIn) {
  TempFolder folder;
  const auto model = TrigramModel::Load(WriteTrigramFile(folder, TinyArpa("<s>", "</s>", "<UNK>")));
  ASSERT_TRUE(model.ok()) << model.status();
  EXPECT_THAT(*(*model)->Tokenize("a B"), ElementsAre(2, 3));
  EXPECT_FALSE((*model)->Tokenize("c").ok());
  EXPECT_FALSE((*model)->Tokenize("<UNK>").ok());
}

TEST(TrigramModelTest, AModelNeedsBothMarks) {
  TempFolder folder;
  for (const std::string& arpa : {TinyArpa("<t>", "</s>", ""), TinyArpa("<s>", "</t>", "")}) {
    EXPECT_THAT(TrigramModel::Load(WriteTrigramFile(folder, arpa)).status().ToString(),
                HasSubstr("model.lm.bin: its words lack <s> or </s>"));
  }
}

TEST(TrigramModelTest, LoadingIsSilent) {
  err_set_callback(err_logfp_cb, nullptr);  // The library's own choice: standard error.
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  EXPECT_TRUE(TrigramModel::Load().ok());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace logitchain
