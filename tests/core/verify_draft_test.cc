#include "logitchain/core/verify_draft.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/filter.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/processor.h"
#include "logitchain/core/random/pcg32.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/sample_text.h"
#include "logitchain/tests/testing/test_chain.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<TokenId> Tokens(const VerifiedDraft& verified) {
  std::vector<TokenId> tokens;
  for (const Sample& sample : verified.samples) tokens.push_back(sample.token);
  return tokens;
}

// Rows with one finite logit each, so that the target has no choice.
std::vector<float> OneHotLogits(absl::Span<const TokenId> tokens, int32_t vocab_size) {
  std::vector<float> logits(tokens.size() * vocab_size, -kInfinity);
  for (size_t i = 0; i < tokens.size(); ++i) logits[i * vocab_size + tokens[i]] = 0;
  return logits;
}

// ---- Greedy.

// Takes the rows of the target that belong to this draft off `argmaxes`.
std::vector<TokenId> VerifyGreedily(const std::vector<TokenId>& draft,
                                    absl::Span<const TokenId>& argmaxes) {
  constexpr int32_t kVocabSize = 16;
  const std::unique_ptr<Chain> chain = MakeChain("draw { greedy {} }", kVocabSize);
  std::vector<float> logits((draft.size() + 1) * kVocabSize);
  for (size_t i = 0; i <= draft.size(); ++i) logits[i * kVocabSize + argmaxes[i]] = 1;
  argmaxes.remove_prefix(draft.size() + 1);
  const absl::StatusOr<VerifiedDraft> verified =
      VerifyDraft(*chain, {.tokens = draft, .target_logits = LogitsMatrix::Of(logits, kVocabSize)});
  EXPECT_TRUE(verified.ok()) << verified.status();
  EXPECT_EQ(chain->draws(), 0);
  EXPECT_THAT(chain->history().output(), ElementsAreArray(Tokens(*verified)));
  return Tokens(*verified);
}

TEST(VerifyDraftGreedyTest, GivesTheTokensOfVllm) {
  const nlohmann::json golden = ReadGoldenJson("engine_vectors.json")["greedy_rejection_vllm"];
  ASSERT_THAT(golden["vectors"], SizeIs(8));
  for (const nlohmann::json& batch : golden["vectors"]) {
    const std::vector<TokenId> argmaxes = batch["target_argmax"];
    absl::Span<const TokenId> left = argmaxes;
    std::vector<std::vector<TokenId>> results;
    for (const std::vector<TokenId> draft : batch["draft"]) {
      std::vector<TokenId> tokens = VerifyGreedily(draft, left);
      // -1 fills up what a request did not get.
      tokens.resize(batch["expected"][results.size()].size(), -1);
      results.push_back(tokens);
    }
    EXPECT_EQ(results, batch["expected"].get<std::vector<std::vector<TokenId>>>()) << batch;
    EXPECT_TRUE(left.empty());
  }
}

TEST(VerifyDraftGreedyTest, DoesNotLookAtQ) {
  const std::unique_ptr<Chain> chain = MakeChain("draw { greedy {} }", 3);
  const float q[] = {0.999f, 0.001f, 0};
  const float logits[] = {0, 1, 0, 0, 0, 1};
  const auto verified =
      VerifyDraft(*chain, {.tokens = {1}, .q = q, .target_logits = LogitsMatrix::Of(logits, 3)});
  ASSERT_TRUE(verified.ok()) << verified.status();
  EXPECT_EQ(verified->accepted, 1);
  EXPECT_THAT(Tokens(*verified), ElementsAre(1, 2));
}

// ---- The distribution.

constexpr int32_t kFive = 5;

// Two bigram models: what follows token i, or begins (row 5).
constexpr float kTarget[6][kFive] = {{2, 1, 0, 0.5f, -1},    {0, 2, 1, -0.5f, 0},
                                     {-1, 0, 0, 1, 1},       {1, 1, 1, 1, 1},
                                     {0.5f, -2, 2, 0, 0.3f}, {0, 1, 0.5f, 0, 0}};
constexpr float kDrafter[6][kFive] = {{1, 1, 1, 1, 1},    {0, 1, 0, 2, 0},     {-1, 0, 1, 1, -2},
                                      {2, 0, 0, 0, 0.5f}, {0, 0, 3, 0, -0.5f}, {1, 0, 0, 0.5f, 1}};

int RowAfter(absl::Span<const TokenId> history) { return history.empty() ? 5 : history.back(); }

std::vector<float> SoftmaxOf(const float (&logits)[kFive]) {
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit);
  std::vector<float> q;
  for (const float logit : logits) q.push_back(static_cast<float>(std::exp(logit) / sum));
  return q;
}

struct DistributionCase {
  std::string name;
  absl::string_view config;
  // What drafts are drawn from, after this history.
  std::vector<float> (*q)(absl::Span<const TokenId> history);
  // Whether q is told, or is to be taken for certain.
  bool tells_q = true;
};

class VerifyDraftDistributionTest : public ::testing::TestWithParam<DistributionCase> {
 protected:
  static constexpr int kLength = 3;       // Of the outputs that are counted.
  static constexpr int kDraftTokens = 2;  // At a time.
  static constexpr int kTrials = 20'000;
  static constexpr int kCells = kFive * kFive * kFive;

  VerifyDraftDistributionTest() : chain_(MakeChain(GetParam().config, kFive)), dice_(77) {}

  // Verifies draft after draft until the output is long enough.
  std::vector<TokenId> SampleByDrafts(int trial) {
    EXPECT_TRUE(chain_->Reset({}).ok());
    EXPECT_TRUE(chain_->SkipAhead(uint64_t{8} * trial).ok());
    std::vector<TokenId> output;
    while (output.size() < kLength && !HasFailure()) VerifyOne(output);
    output.resize(kLength);
    return output;
  }

  int accepted_ = 0;
  int rejected_ = 0;
  std::unique_ptr<Chain> chain_;

 private:
  void VerifyOne(std::vector<TokenId>& output) {
    std::vector<TokenId> ahead = output;
    std::vector<float> q;
    std::vector<float> logits;
    for (int i = 0; i <= kDraftTokens; ++i) {
      const float(&row)[kFive] = kTarget[RowAfter(ahead)];
      logits.insert(logits.end(), row, row + kFive);
      if (i < kDraftTokens) DraftOne(ahead, q);
    }
    const auto drafted = absl::MakeConstSpan(ahead).subspan(output.size());
    const uint64_t draws = chain_->draws();
    const auto verified = VerifyDraft(
        *chain_, {.tokens = drafted, .q = q, .target_logits = LogitsMatrix::Of(logits, kFive)});
    ASSERT_TRUE(verified.ok()) << verified.status();
    Note(*verified, drafted, draws);
    for (const TokenId token : Tokens(*verified)) output.push_back(token);
    ASSERT_THAT(chain_->history().output(), ElementsAreArray(output));
  }

  void DraftOne(std::vector<TokenId>& ahead, std::vector<float>& q) {
    const std::vector<float> row = GetParam().q(ahead);
    if (GetParam().tells_q) q.insert(q.end(), row.begin(), row.end());
    double left = dice_.NextUniform();
    TokenId token = 0;
    while (token < kFive - 1 && (left -= row[token]) >= 0) ++token;
    ahead.push_back(token);
  }

  void Note(const VerifiedDraft& verified, absl::Span<const TokenId> drafted, uint64_t draws) {
    const std::vector<TokenId> tokens = Tokens(verified);
    ASSERT_EQ(tokens.size(), verified.accepted + 1);
    ASSERT_EQ(absl::MakeConstSpan(tokens).first(verified.accepted),
              drafted.first(verified.accepted));
    ASSERT_EQ(chain_->draws(), draws + tokens.size());
    accepted_ += verified.accepted;
    rejected_ += verified.accepted < kDraftTokens;
  }

  Pcg32 dice_;
};

int CellOf(absl::Span<const TokenId> output) {
  return (output[0] * kFive + output[1]) * kFive + output[2];
}

// Probabilities of all outputs when sampling token by token.
std::vector<double> PlainDistribution(Chain& chain) {
  std::vector<double> cells(kFive * kFive * kFive);
  const auto follow = [&](auto& self, std::vector<TokenId> output, double probability) -> void {
    if (probability == 0) return;
    if (output.size() == 3) {
      cells[CellOf(output)] = probability;
      return;
    }
    EXPECT_TRUE(chain.Reset({}).ok());
    for (const TokenId token : output) EXPECT_TRUE(chain.Commit(token).ok());
    const std::vector<double> p = *chain.Distribution(kTarget[RowAfter(output)]);
    for (TokenId token = 0; token < kFive; ++token) {
      std::vector<TokenId> longer = output;
      longer.push_back(token);
      self(self, longer, probability * p[token]);
    }
  };
  follow(follow, {}, 1);
  return cells;
}

// By how many standard deviations the chi-square statistic is above its mean. Cells that are
// expected less than five times are taken together.
double ChiSquareExcess(absl::Span<const int> counts, absl::Span<const double> p, int trials) {
  double statistic = 0;
  double rest_expected = 0;
  double rest_count = 0;
  int cells = 0;
  const auto add = [&](double count, double expected) {
    statistic += (count - expected) * (count - expected) / expected;
    ++cells;
  };
  for (size_t i = 0; i < counts.size(); ++i) {
    if (p[i] * trials >= 5) {
      add(counts[i], p[i] * trials);
    } else {
      rest_expected += p[i] * trials;
      rest_count += counts[i];
    }
  }
  if (rest_expected > 0) add(rest_count, rest_expected);
  const int degrees = cells - 1;
  return (statistic - degrees) / std::sqrt(2.0 * degrees);
}

TEST_P(VerifyDraftDistributionTest, IsThatOfSamplingTokenByToken) {
  std::vector<int> counts(kCells);
  for (int trial = 0; trial < kTrials && !HasFailure(); ++trial) {
    ++counts[CellOf(SampleByDrafts(trial))];
  }
  const std::vector<double> p = PlainDistribution(*chain_);
  for (int cell = 0; cell < kCells; ++cell) {
    if (p[cell] == 0) {
      EXPECT_EQ(counts[cell], 0) << cell;
    }
  }
  EXPECT_LT(ChiSquareExcess(counts, p, kTrials), 3.5);
  EXPECT_GT(accepted_, kTrials / 20);
  EXPECT_GT(rejected_, kTrials / 20);
}

constexpr absl::string_view kSpecChain =
    R"pb(processors { grammar_mask { banned_ids: [ 4 ] } }
         processors { presence_frequency_penalty { presence: 0.7 frequency: 0.4 } }
         processors { temperature { temperature: 0.9 } }
         processors { top_p { p: 0.9 } }
         draw { seed: 3 })pb";
constexpr absl::string_view kPlainChain = "draw { seed: 4 }";
constexpr absl::string_view kMinferChain =
    R"pb(dialect: MINFER
         processors { presence_frequency_penalty { presence: 0.7 frequency: 0.4 } }
         processors { top_k { k: 4 } }
         processors { temperature { temperature: 0.9 } }
         draw { seed: 3 })pb";
// mt19937 would skip ahead slowly.
constexpr absl::string_view kLlamaCppChain =
    R"pb(dialect: LLAMA_CPP
         processors { repetition_penalty { penalty: 1.3 } }
         processors { top_k { k: 4 } }
         processors { temperature { temperature: 1.2 } }
         draw { seed: 3 generator: PCG32 })pb";
constexpr absl::string_view kHuggingFaceChain =
    R"pb(dialect: HUGGING_FACE
         processors { repetition_penalty { penalty: 1.4 } }
         processors { top_k { k: 4 } }
         draw { seed: 3 })pb";
constexpr absl::string_view kVllmChain =
    R"pb(dialect: VLLM
         processors { temperature { temperature: 1.1 } }
         processors { min_p { p: 0.1 } }
         draw { seed: 3 })pb";

std::vector<float> OfDrafter(absl::Span<const TokenId> history) {
  return SoftmaxOf(kDrafter[RowAfter(history)]);
}

std::vector<float> OfTarget(absl::Span<const TokenId> history) {
  return SoftmaxOf(kTarget[RowAfter(history)]);
}

std::vector<float> Certain(absl::Span<const TokenId> history) {
  std::vector<float> q(kFive);
  q[(RowAfter(history) + 1) % kFive] = 1;
  return q;
}

// Most of what it drafts is banned in kSpecChain, and it never drafts what is likely.
std::vector<float> Hostile(absl::Span<const TokenId>) { return {0, 0, 0.1f, 0.3f, 0.6f}; }

std::vector<float> SumOff(absl::Span<const TokenId> history) {
  std::vector<float> q = OfDrafter(history);
  for (float& value : q) value *= 0.9992f;
  return q;
}

INSTANTIATE_TEST_SUITE_P(
    All, VerifyDraftDistributionTest,
    ::testing::Values(DistributionCase{"spec_drafter", kSpecChain, OfDrafter},
                      DistributionCase{"spec_target", kSpecChain, OfTarget},
                      DistributionCase{"spec_certain", kSpecChain, Certain},
                      DistributionCase{"spec_untold", kSpecChain, Certain, false},
                      DistributionCase{"spec_hostile", kSpecChain, Hostile},
                      DistributionCase{"spec_sum_off", kSpecChain, SumOff},
                      DistributionCase{"plain_drafter", kPlainChain, OfDrafter},
                      DistributionCase{"minfer_drafter", kMinferChain, OfDrafter},
                      DistributionCase{"llama_cpp_drafter", kLlamaCppChain, OfDrafter},
                      DistributionCase{"hugging_face_drafter", kHuggingFaceChain, OfDrafter},
                      DistributionCase{"vllm_drafter", kVllmChain, OfDrafter}),
    [](const auto& info) { return info.param.name; });

TEST(VerifyDraftTest, DividesQByItsSum) {
  const std::unique_ptr<Chain> chain = MakeChain(kPlainChain, 2);
  const float q[] = {0.50045f, 0.50045f};
  const float logits[] = {0, 0, 0, 0};
  for (int i = 0; i < 10'000; ++i) {
    const auto verified =
        VerifyDraft(*chain, {.tokens = {0}, .q = q, .target_logits = LogitsMatrix::Of(logits, 2)});
    ASSERT_TRUE(verified.ok()) << verified.status();
    ASSERT_EQ(verified->accepted, 1) << i;
  }
}

// The drafted token is unlikely beyond what a float can add to 1, so that p and q are the same in
// all others.
TEST(VerifyDraftTest, WithoutARemainderDrawsFromTheTargetAndNeverARemovedToken) {
  const float q[] = {1, 1e-30f};
  const float logits[] = {0, -kInfinity, 0, 0};
  for (int seed = 0; seed < 20; ++seed) {
    const std::unique_ptr<Chain> chain = MakeChain(absl::StrCat("draw { seed: ", seed, " }"), 2);
    const auto verified =
        VerifyDraft(*chain, {.tokens = {1}, .q = q, .target_logits = LogitsMatrix::Of(logits, 2)});
    ASSERT_TRUE(verified.ok()) << verified.status();
    EXPECT_THAT(Tokens(*verified), ElementsAre(0));
  }
}

TEST(VerifyDraftTest, WithoutADraftSamples) {
  const std::unique_ptr<Chain> chain = MakeChain(kSpecChain, kFive);
  const std::unique_ptr<Chain> plain = chain->Fork();
  for (int step = 0; step < 10; ++step) {
    const auto verified =
        VerifyDraft(*chain, {.target_logits = LogitsMatrix::Of(kTarget[step % 6], kFive)});
    ASSERT_TRUE(verified.ok()) << verified.status();
    ASSERT_THAT(verified->samples, SizeIs(1));
    EXPECT_EQ(SampleText(verified->samples[0]), SampleText(plain->Sample(kTarget[step % 6])));
  }
}

TEST(VerifyDraftTest, TakesLogitsOfAnyType) {
  constexpr uint16_t kZero = 0x0000;
  constexpr uint16_t kMinusInfinity = 0xFC00;  // As a float16.
  const uint16_t halves[] = {kMinusInfinity, kZero, 9, kZero, kMinusInfinity};
  const std::unique_ptr<Chain> chain = MakeChain(kPlainChain, 2);
  const auto verified = VerifyDraft(
      *chain,
      {.tokens = {1},
       .target_logits = {
           .data = halves, .type = LogitType::kFloat16, .rows = 2, .columns = 2, .stride = 3}});
  ASSERT_TRUE(verified.ok()) << verified.status();
  EXPECT_THAT(Tokens(*verified), ElementsAre(1, 0));
}

// Chains whose draw is not categorical: whatever the draft, their tokens are those of plain
// sampling.
TEST(VerifyDraftTest, OtherDrawsChooseAsEver) {
  for (const absl::string_view config :
       {"draw { greedy {} }", "draw { seed: 3 gumbel_max {} }",
        "draw { seed: 3 mirostat_v2 { tau: 2 } }",
        "dialect: LLAMA_CPP draw { seed: 3 mirostat { tau: 2 } }"}) {
    SCOPED_TRACE(config);
    const std::unique_ptr<Chain> chain = MakeChain(config, kFive);
    const std::unique_ptr<Chain> plain = chain->Fork();
    for (int round = 0; round < 20; ++round) {
      std::vector<float> logits;
      for (const int row : {round % 6, (round + 1) % 6, (round + 2) % 6}) {
        logits.insert(logits.end(), kTarget[row], kTarget[row] + kFive);
      }
      const auto verified =
          VerifyDraft(*chain, {.tokens = {1, 2}, .target_logits = LogitsMatrix::Of(logits, kFive)});
      ASSERT_TRUE(verified.ok()) << verified.status();
      for (size_t i = 0; i < verified->samples.size(); ++i) {
        EXPECT_EQ(SampleText(verified->samples[i]),
                  SampleText(plain->Sample(absl::MakeConstSpan(logits).subspan(i * kFive, kFive))));
      }
      EXPECT_EQ(chain->draws(), plain->draws());
    }
  }
}

TEST(VerifyDraftTest, RollbackTakesBackTheRandomnessOfRules) {
  const std::unique_ptr<Chain> chain =
      MakeChain("processors { xtc { threshold: 0.1 probability: 0.5 } } draw { seed: 8 }", kFive);
  const std::unique_ptr<Chain> before = chain->Fork();
  std::vector<float> logits;
  for (int i = 0; i < 3; ++i) logits.insert(logits.end(), kTarget[0], kTarget[0] + kFive);
  for (int round = 0; round < 20; ++round) {
    const auto verified =
        VerifyDraft(*chain, {.tokens = {0, 1}, .target_logits = LogitsMatrix::Of(logits, kFive)});
    ASSERT_TRUE(verified.ok()) << verified.status();
    ASSERT_TRUE(chain->Rollback(static_cast<int32_t>(verified->samples.size())).ok());
    EXPECT_EQ(SampleText(chain->Sample(kTarget[0])), SampleText(before->Sample(kTarget[0])));
  }
}

// ---- Every rule, at every position.

TEST(VerifyDraftTest, PenaltiesApplyAtEveryPosition) {
  const nlohmann::json issues = ReadGoldenJson("engine_vectors.json")["issues"];
  const auto issue = absl::c_find_if(issues, [](const nlohmann::json& one) {
    return absl::string_view(one["ref"].get_ref<const std::string&>()).find("vllm#42744") !=
           absl::string_view::npos;
  });
  ASSERT_NE(issue, issues.end());
  const std::vector<TokenId> drafted = (*issue)["input"]["draft"];
  const std::vector<double> penalties = (*issue)["expected"]["penalty_at_positions"];
  const double frequency = (*issue)["input"]["frequency_penalty"];
  constexpr int32_t kVocabSize = 8;
  constexpr double kLogit = 9;
  const std::unique_ptr<Chain> chain =
      MakeChain(absl::StrCat("processors { presence_frequency_penalty { frequency: ", frequency,
                             " } } logprobs: PROCESSED"),
                kVocabSize);
  std::vector<float> logits((drafted.size() + 1) * kVocabSize);
  for (size_t i = 0; i <= drafted.size(); ++i) logits[i * kVocabSize + drafted[0]] = kLogit;
  // Less than p, so that all are accepted.
  const std::vector<float> q(drafted.size() * kVocabSize, 1.0f / kVocabSize);
  const auto verified = VerifyDraft(
      *chain, {.tokens = drafted, .q = q, .target_logits = LogitsMatrix::Of(logits, kVocabSize)});
  ASSERT_TRUE(verified.ok()) << verified.status();
  ASSERT_EQ(verified->accepted, 3);
  for (size_t i = 0; i < drafted.size(); ++i) {
    const double logit = kLogit - penalties[i];
    EXPECT_NEAR(*verified->samples[i].processed_logprob,
                logit - std::log(std::exp(logit) + kVocabSize - 1), 1e-14);
  }
}

TEST(VerifyDraftTest, PenaltiesApplyToGreedyChains) {
  const std::unique_ptr<Chain> chain =
      MakeChain("processors { presence_frequency_penalty { presence: 2 } } draw { greedy {} }", 3);
  const float logits[] = {0, 1, 0, 0, 1, 0};
  const auto verified =
      VerifyDraft(*chain, {.tokens = {1}, .target_logits = LogitsMatrix::Of(logits, 3)});
  ASSERT_TRUE(verified.ok()) << verified.status();
  EXPECT_THAT(Tokens(*verified), ElementsAre(1, 0));
}

// ---- State.

// Follows the tokens, and does not take one of them.
class Follower final : public Cloneable<Filter, Follower> {
 public:
  Follower(std::vector<TokenId>& seen, TokenId refused) : seen_(seen), refused_(refused) {}

  absl::Status Apply(const StepContext&, CandidateSelector&) const override {
    return absl::OkStatus();
  }
  absl::Status Accept(TokenId id) override {
    if (id == refused_) return absl::InternalError("refused");
    seen_.push_back(id);
    return absl::OkStatus();
  }
  absl::Status Rollback(int32_t n) override {
    seen_.resize(seen_.size() - n);
    return absl::OkStatus();
  }

 private:
  std::vector<TokenId>& seen_;
  TokenId refused_;
};

class VerifyDraftStateTest : public ::testing::Test {
 protected:
  static constexpr TokenId kRefused = 3;

  VerifyDraftStateTest() : chain_(MakeChain(kSpecChain, kFive)) {
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(chain_->Sample(kTarget[3 + i]).ok());
    before_ = chain_->Fork();
    chain_->PrependMask("follower", std::make_unique<Follower>(seen_, kRefused));
  }

  absl::StatusOr<VerifiedDraft> Verify(absl::Span<const TokenId> drafted,
                                       absl::Span<const float> logits) {
    return VerifyDraft(*chain_,
                       {.tokens = drafted, .target_logits = LogitsMatrix::Of(logits, kFive)});
  }

  // The chain is in the state that it was in before, and goes on as if nothing had happened.
  void ExpectAsBefore() {
    EXPECT_THAT(seen_, ElementsAre());
    EXPECT_EQ(chain_->history().output(), before_->history().output());
    EXPECT_EQ(chain_->draws(), before_->draws());
    for (int i = 0; i < 5; ++i) {
      const float logits[] = {1, 1.5f, 0.5f, -kInfinity, 0};
      EXPECT_EQ(SampleText(chain_->Sample(logits)), SampleText(before_->Sample(logits)));
    }
  }

  std::vector<TokenId> seen_;
  std::unique_ptr<Chain> chain_;
  std::unique_ptr<Chain> before_;
};

TEST_F(VerifyDraftStateTest, RulesAndHistoryFollowTheAcceptedTokensAndTheLastOne) {
  const auto verified = Verify({0, 1, 2}, OneHotLogits({0, 1, 0, 1}, kFive));
  ASSERT_TRUE(verified.ok()) << verified.status();
  EXPECT_EQ(verified->accepted, 2);
  EXPECT_THAT(seen_, ElementsAre(0, 1, 0));
  EXPECT_THAT(chain_->history().output().subspan(3), ElementsAre(0, 1, 0));
  EXPECT_EQ(chain_->draws(), 6);
}

TEST_F(VerifyDraftStateTest, RollbackTakesBackTokensAndUniforms) {
  const auto verified = Verify({0, 1}, OneHotLogits({0, 1, 2}, kFive));
  ASSERT_TRUE(verified.ok()) << verified.status();
  ASSERT_EQ(verified->accepted, 2);
  ASSERT_TRUE(chain_->Rollback(1).ok());
  EXPECT_EQ(chain_->draws(), 5);
  EXPECT_THAT(seen_, ElementsAre(0, 1));
  ASSERT_TRUE(chain_->Rollback(2).ok());
  ExpectAsBefore();
}

TEST_F(VerifyDraftStateTest, BadLogitsThatAreReachedUndoEverything) {
  std::vector<float> logits = OneHotLogits({0, 1, 2}, kFive);
  logits[2 * kFive + 1] = kNan;
  EXPECT_THAT(Verify({0, 1}, logits).status().message(),
              HasSubstr("position 2: the logit of token 1 is nan"));
  ExpectAsBefore();
}

TEST_F(VerifyDraftStateTest, BadLogitsAfterTheLastTokenDoNotMatter) {
  std::vector<float> logits = OneHotLogits({0, 1, 2}, kFive);
  logits[2 * kFive + 1] = kNan;
  const auto verified = Verify({0, 2}, logits);
  ASSERT_TRUE(verified.ok()) << verified.status();
  EXPECT_THAT(Tokens(*verified), ElementsAre(0, 1));
}

TEST_F(VerifyDraftStateTest, TokenThatARuleRefusesUndoesEverything) {
  EXPECT_EQ(Verify({0, 1}, OneHotLogits({0, kRefused, 2}, kFive)).status(),
            absl::InternalError("position 1: follower: refused"));
  ExpectAsBefore();
  EXPECT_EQ(Verify({}, OneHotLogits({kRefused}, kFive)).status(),
            absl::InternalError("position 0: follower: refused"));
}

TEST_F(VerifyDraftStateTest, LeavesADrawThatIsNotCommittedYet) {
  ASSERT_TRUE(chain_->Draw(kTarget[0]).ok());
  EXPECT_EQ(Verify({0}, OneHotLogits({0, 1}, kFive)).status().code(),
            absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(chain_->draws(), 4);
  EXPECT_TRUE(chain_->Commit(0).ok());
}

// ---- What is refused.

TEST(VerifyDraftErrorTest, NamesWhatIsWrong) {
  const std::unique_ptr<Chain> chain = MakeChain(kPlainChain, 3);
  const std::vector<float> logits(9);
  const std::vector<TokenId> tokens = {0, 1};
  const std::pair<std::vector<float>, absl::string_view> cases[] = {
      {{0.5f, 0.5f, 0}, "q has 3 values; it must have 2 x 3, or none"},
      {{0.5f, 0.5f, 0, 0.5f, -0.5f, 1},
       "q[1]: the probability of token 1 is -0.5; it must be at least 0"},
      {{kNan, 1, 0, 0, 1, 0}, "q[0]: the probability of token 0 is nan; it must be at least 0"},
      {{0.5f, 0.5f, 0, 0, 0.75f, 0.125f}, "q[1]: the sum is 0.875; it must be within 0.001 of 1"},
      {{kInfinity, 0, 0, 0, 1, 0}, "q[0]: the sum is inf; it must be within 0.001 of 1"},
      {{0.5f, 0.5f, 0, 0.5f, 0, 0.5f},
       "q[1]: the probability of the draft token 1 is 0; it cannot have been drawn"},
  };
  for (const auto& [q, message] : cases) {
    EXPECT_EQ(VerifyDraft(*chain,
                          {.tokens = tokens, .q = q, .target_logits = LogitsMatrix::Of(logits, 3)})
                  .status(),
              absl::InvalidArgumentError(message));
  }
  EXPECT_EQ(chain->draws(), 0);
}

TEST(VerifyDraftErrorTest, TokensAreInTheVocabulary) {
  // MINFER lets other ids into a history, but a draft token is one that was drawn.
  for (const absl::string_view config : {"", "dialect: MINFER"}) {
    const std::unique_ptr<Chain> chain = MakeChain(config, 3);
    const std::vector<float> logits(9);
    for (const TokenId bad : {-1, 3}) {
      EXPECT_EQ(
          VerifyDraft(*chain, {.tokens = {0, bad}, .target_logits = LogitsMatrix::Of(logits, 3)})
              .status(),
          absl::InvalidArgumentError(
              absl::StrCat("tokens[1] is ", bad, "; it must be in the vocabulary, [0, 3)")));
    }
  }
}

TEST(VerifyDraftErrorTest, TargetHasARowMoreThanTheDraftAndTheChainsVocabulary) {
  const std::unique_ptr<Chain> chain = MakeChain(kPlainChain, 3);
  const std::vector<float> logits(12);
  EXPECT_EQ(
      VerifyDraft(*chain, {.tokens = {0}, .target_logits = LogitsMatrix::Of(logits, 3)}).status(),
      absl::InvalidArgumentError("target_logits has 4 rows of 3; for 1 draft tokens it must have "
                                 "2 of 3, the vocabulary"));
  EXPECT_EQ(VerifyDraft(*chain, {.tokens = {0, 0}, .target_logits = LogitsMatrix::Of(logits, 4)})
                .status(),
            absl::InvalidArgumentError("target_logits has 3 rows of 4; for 2 draft tokens it must "
                                       "have 3 of 3, the vocabulary"));
  EXPECT_EQ(VerifyDraft(*chain, {.target_logits = {.rows = 1, .columns = 3, .stride = 3}}).status(),
            absl::InvalidArgumentError("the logits' data is null"));
}

}  // namespace
}  // namespace logitchain
