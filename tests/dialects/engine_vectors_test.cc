// Vectors of vLLM and its relatives, and what users of several engines reported: penalties, bit
// masks, bad words, and one case for each report. Those about what is not a rule are counted by
// what they are about.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/core/batch/batch_sampler.h"
#include "logitchain/core/batch/thread_executor.h"
#include "logitchain/core/chain.h"
#include "logitchain/core/logits_matrix.h"
#include "logitchain/core/sample.h"
#include "logitchain/core/token_id.h"
#include "logitchain/core/token_mask_provider.h"
#include "logitchain/registry/environment.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/logit_checks.h"
#include "logitchain/tests/testing/process_logits.h"
#include "logitchain/tests/testing/rule_testing.h"
#include "logitchain/tests/testing/vector_tally.h"
#include "nlohmann/json.hpp"

namespace logitchain {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr double kRemoved = -std::numeric_limits<double>::infinity();

double Number(const json& value) { return value.is_string() ? kRemoved : value.get<double>(); }

std::vector<double> Numbers(const json& values) {
  std::vector<double> numbers;
  for (const json& value : values) numbers.push_back(Number(value));
  return numbers;
}

std::vector<float> Logits(const json& values) {
  const std::vector<double> wide = Numbers(values);
  return std::vector<float>(wide.begin(), wide.end());
}

void ExpectClose(const std::vector<double>& actual, const std::vector<double>& expected) {
  ExpectLogits(actual, expected, 1e-5);
}

std::unique_ptr<Chain> MustCreate(absl::string_view text, size_t vocab_size) {
  auto chain = ParseChain(text, {.vocab_size = static_cast<int32_t>(vocab_size)});
  EXPECT_TRUE(chain.ok()) << text << ": " << chain.status();
  return chain.ok() ? *std::move(chain) : nullptr;
}

void Start(Chain& chain, absl::Span<const TokenId> prompt, absl::Span<const TokenId> output = {}) {
  EXPECT_TRUE(chain.Reset(prompt).ok());
  for (const TokenId id : output) EXPECT_TRUE(chain.Commit(id).ok());
}

std::vector<double> Process(absl::string_view text, const std::vector<float>& logits,
                            absl::Span<const TokenId> prompt = {}) {
  const auto chain = MustCreate(text, logits.size());
  Start(*chain, prompt);
  return chain->Process(logits).value();
}

std::string Field(const json& object, absl::string_view key) {
  return object.at(std::string(key)).dump();
}

TEST(EngineVectorsTest, Penalties) {
  const json vectors = ReadGoldenJson("engine_vectors.json").at("penalties_vllm").at("vectors");
  EXPECT_EQ(vectors.size(), 7);
  for (const json& golden : vectors) {
    SCOPED_TRACE(golden.dump());
    const std::vector<float> logits = Logits(golden.at("logits"));
    const auto chain =
        MustCreate(absl::StrCat("dialect: VLLM processors { repetition_penalty { penalty: ",
                                Field(golden, "repetition_penalty"),
                                " } } processors { presence_frequency_penalty { presence: ",
                                Field(golden, "presence_penalty"),
                                " frequency: ", Field(golden, "frequency_penalty"), " } }"),
                   logits.size());
    Start(*chain, golden.at("prompt_ids").get<std::vector<TokenId>>(),
          golden.at("output_ids").get<std::vector<TokenId>>());
    ExpectClose(chain->Process(logits).value(), Numbers(golden.at("expected")));
  }
}

// Fills in the words of a vector, and counts those that it was asked for.
class WordsMask final : public TokenMaskProvider {
 public:
  WordsMask(std::vector<int32_t> words, size_t* asked) : words_(std::move(words)), asked_(asked) {}

  absl::Status FillMask(absl::Span<int32_t> mask) override {
    *asked_ = mask.size();
    for (size_t i = 0; i < mask.size(); ++i) mask[i] = words_[std::min(i, words_.size() - 1)];
    return absl::OkStatus();
  }
  absl::Status Accept(TokenId) override { return absl::OkStatus(); }
  absl::Status Rollback(int32_t) override { return absl::OkStatus(); }
  void Reset() override {}
  std::unique_ptr<TokenMaskProvider> Clone() const override {
    return std::make_unique<WordsMask>(*this);
  }

 private:
  std::vector<int32_t> words_;
  size_t* asked_;
};

struct Masked {
  std::vector<double> logits;
  size_t words;  // Number of words that the provider was asked for.
};

Masked ApplyWords(std::vector<int32_t> words, const std::vector<float>& logits) {
  Masked masked = {};
  Environment environment = {.vocab_size = static_cast<int32_t>(logits.size())};
  environment.mask_providers["words"] =
      std::make_shared<WordsMask>(std::move(words), &masked.words);
  const auto chain =
      ParseChain("dialect: VLLM processors { grammar_mask { provider: \"words\" } }", environment);
  EXPECT_TRUE(chain.ok()) << chain.status();
  masked.logits = (*chain)->Process(logits).value();
  return masked;
}

TEST(EngineVectorsTest, Bitmasks) {
  const json vectors = ReadGoldenJson("engine_vectors.json").at("bitmask");
  ASSERT_EQ(vectors.size(), 4);

  const std::vector<float> logits = Logits(vectors[0].at("logits"));
  EXPECT_EQ(ApplyWords(vectors[0].at("bitmask_words").get<std::vector<int32_t>>(), logits).logits,
            Numbers(vectors[0].at("expected")));

  // Row 0 keeps the even columns, row 1 the odd ones.
  const auto columns = vectors[1].at("cols").get<size_t>();
  for (int row = 0; row < 2; ++row) {
    std::vector<int> expected;
    for (size_t id = row; id < columns; id += 2) expected.push_back(static_cast<int>(id));
    EXPECT_EQ(
        KeptIds(ApplyWords(vectors[1].at("bitmask_words_rows")[row].get<std::vector<int32_t>>(),
                           std::vector<float>(columns, 1))
                    .logits),
        expected);
  }

  for (const json& sizes : {vectors[2], vectors[3]}) {
    const std::vector<float> many(sizes.at("vocab").get<size_t>(), 1);
    const Masked masked = ApplyWords({sizes.value("initial_word", -1)}, many);
    EXPECT_EQ(masked.words, sizes.at("words").get<size_t>());
    EXPECT_EQ(KeptIds(masked.logits).size(), many.size());
  }
}

TEST(EngineVectorsTest, BadWords) {
  const json vectors = ReadGoldenJson("engine_vectors.json").at("bad_words_vllm");
  EXPECT_EQ(vectors.size(), 6);
  const std::vector<float> logits(10, 1);
  for (const json& golden : vectors) {
    SCOPED_TRACE(golden.dump());
    std::string sequences;
    for (const json& word : golden.at("bad_words")) {
      absl::StrAppend(&sequences, "sequences { ids: ", word.dump(), " } ");
    }
    const auto processed =
        ProcessLogits(absl::StrCat("dialect: VLLM processors { bad_words { ", sequences, "} }"),
                      logits, {.output = golden.at("past").get<std::vector<TokenId>>()});
    ASSERT_TRUE(processed.ok()) << processed.status();
    std::vector<double> expected(logits.begin(), logits.end());
    for (const json& id : golden.at("banned")) expected[id.get<size_t>()] = kRemoved;
    EXPECT_EQ(*processed, expected);
  }
}

void CheckTopKThenTopP(const json& input, const json& expected) {
  const std::string top_k =
      absl::StrCat("processors { top_k { k: ", Field(input, "top_k"), " } } ");
  const std::string top_p =
      absl::StrCat("processors { top_p { p: ", Field(input, "top_p"), " } } ");
  const std::vector<float> logits = LogitsOf(Numbers(input.at("probs")));
  EXPECT_EQ(KeptIds(Process(absl::StrCat("dialect: VLLM ", top_k, top_p), logits)),
            expected.at("kept_topk_then_topp").get<std::vector<int>>());
  EXPECT_EQ(KeptIds(Process(absl::StrCat("dialect: VLLM order: AS_LISTED ", top_p, top_k), logits)),
            expected.at("kept_topp_then_topk").get<std::vector<int>>());
}

void CheckSequentialFilters(const json& input, const json& expected) {
  EXPECT_EQ(
      KeptIds(Process(absl::StrCat("processors { top_k { k: ", Field(input, "top_k"),
                                   " } } processors { top_p { p: ", Field(input, "top_p"), " } }"),
                      LogitsOf(Numbers(input.at("probs"))))),
      expected.at("kept_sequential_renorm").get<std::vector<int>>());
}

void CheckTopP(const json& input, const json& expected) {
  EXPECT_EQ(KeptIds(Process(absl::StrCat("dialect: HUGGING_FACE processors { top_p { p: ",
                                         Field(input, "top_p"), " } }"),
                            LogitsOf(Numbers(input.at("probs"))))),
            expected.at("kept").get<std::vector<int>>());
}

std::vector<double> Repeat(const std::string& penalty, const json& logits, const json& seen) {
  return Process(absl::StrCat("dialect: HUGGING_FACE processors { repetition_penalty { penalty: ",
                              penalty, " } }"),
                 Logits(logits), seen.get<std::vector<TokenId>>());
}

void CheckRepetition(const json& input, const json& expected) {
  ExpectClose(Repeat(Field(input, "repetition_penalty"), input.at("logits"), input.at("seen")),
              Numbers(expected.at("logits")));
}

void CheckShiftedRepetition(const json& input, const json& expected) {
  for (const auto& [name, result] : {std::pair("case_a", "a"), std::pair("case_b", "b")}) {
    const json& one = input.at(name);
    ExpectClose(Repeat(Field(one, "penalty"), one.at("logits"), one.at("seen")),
                Numbers(expected.at(result)));
  }
}

void CheckRepetitionOfZero(const json& input, const json&) {
  const auto chain = ParseChain(absl::StrCat("processors { repetition_penalty { penalty: ",
                                             Field(input, "repetition_penalty"), " } }"),
                                {.vocab_size = 4});
  EXPECT_FALSE(chain.ok());
}

void CheckTinyTemperature(const json& input, const json& expected) {
  const std::vector<float> logits = Logits(input.at("logits"));
  const auto chain = MustCreate(
      absl::StrCat("processors { temperature { temperature: ", Field(input, "temperature"), " } }"),
      logits.size());
  EXPECT_EQ(chain->Distribution(logits).value(), Numbers(expected.at("probs")));
}

// A row's draw does not depend on what other rows do.
void CheckNeighbours(const json&, const json&) {
  const std::vector<float> logits = {1, 1.5, 2, 2.5, 3};
  const std::vector<float> rows = {1, 1.5, 2, 2.5, 3, 1, 1.5, 2, 2.5, 3};
  const auto alone = MustCreate("draw { seed: 7 }", 5);
  BatchSampler batch(std::make_shared<ThreadExecutor>(2));
  const SlotId slots[] = {
      *batch.Add(MustCreate("draw { seed: 7 }", 5)),
      *batch.Add(MustCreate("processors { top_k { k: 2 } } draw { seed: 7 }", 5))};
  for (int t = 0; t < 50; ++t) {
    const auto samples = batch.Sample(LogitsMatrix::Of(rows, 5), slots);
    EXPECT_TRUE(samples[1].ok());
    EXPECT_EQ(samples[0]->token, alone->Sample(logits)->token);
  }
}

void CheckSeeds(const json& input, const json&) {
  const std::vector<float> logits = {1, 1.5, 2, 2.5, 3};
  const std::string seeded =
      absl::StrCat("dialect: VLLM draw { seed: ", input.at("seeds")[0].dump(), " }");
  const auto first = MustCreate(seeded, logits.size());
  const auto again = MustCreate(seeded, logits.size());
  const auto unseeded = MustCreate("dialect: VLLM", logits.size());
  for (int t = 0; t < 50; ++t) {
    const TokenId token = first->Sample(logits)->token;
    EXPECT_TRUE(unseeded->Sample(logits).ok());
    EXPECT_EQ(again->Sample(logits)->token, token);
  }
}

// The penalty counts the draft up to each position.
void CheckDraft(const json& input, const json& expected) {
  const std::vector<float> logits(8, 4);
  const auto draft = input.at("draft").get<std::vector<TokenId>>();
  const auto chain =
      MustCreate(absl::StrCat("dialect: VLLM processors { presence_frequency_penalty { frequency: ",
                              Field(input, "frequency_penalty"), " } }"),
                 logits.size());
  std::vector<double> penalties;
  for (const TokenId id : draft) {
    penalties.push_back(logits[id] - chain->Process(logits).value()[id]);
    EXPECT_TRUE(chain->Commit(id).ok());
  }
  EXPECT_EQ(penalties, Numbers(expected.at("penalty_at_positions")));
}

void CheckLogprobs(const json& input, const json& expected) {
  const std::vector<float> logits = Logits(input.at("logits"));
  const auto chain = MustCreate(
      absl::StrCat("dialect: VLLM processors { temperature { temperature: ",
                   Field(input, "temperature"), " } } logprobs: RAW logprobs: PROCESSED"),
      logits.size());
  for (int t = 0; t < 100; ++t) {
    const auto sample = chain->Sample(logits);
    if (sample->token != 0) continue;
    EXPECT_NEAR(*sample->raw_logprob, expected.at("raw_logprob_0").get<double>(), 1e-6);
    EXPECT_NEAR(*sample->processed_logprob, expected.at("processed_logprob_0").get<double>(), 1e-6);
    return;
  }
  ADD_FAILURE() << "token 0 was never drawn";
}

// Nothing is left, which is an error: never token 0.
void CheckEmptySupport(const json& input, const json&) {
  const std::string grammar = absl::StrCat(
      "processors { grammar_mask { allowed_ids: ", Field(input, "grammar_allows"), " } } ");
  const std::string min_tokens =
      absl::StrCat("processors { min_tokens { count: ", Field(input, "min_tokens"),
                   " stop_ids: ", Field(input, "min_tokens_masks"), " } } ");
  const std::vector<float> logits(input.at("vocab").get<size_t>(), 1);
  const std::vector<TokenId> output(input.at("output_len").get<size_t>(), 0);
  for (const std::string& masks : {grammar + min_tokens, min_tokens + grammar}) {
    const auto processed = ProcessLogits("dialect: VLLM " + masks, logits, {.output = output});
    EXPECT_EQ(processed.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(processed.status().message()), HasSubstr("at least one must stay"));
  }
}

void CheckBadWordOutside(const json& input, const json&) {
  const auto width = input.at("logits_width").get<int32_t>();
  const std::string text = absl::StrCat("dialect: VLLM processors { bad_words { sequences { ids: ",
                                        input.at("bad_words")[0].dump(), " } } }");
  const auto chain = ParseChain(text, {.vocab_size = width});
  EXPECT_THAT(chain.status().message(), HasSubstr("bad_words.sequences[0].ids[0] is 105"));
}

// A bias for an id that the vocabulary does not have: the chain is refused, and the id is named.
void CheckBiasOutside(const json& input, const json& expected) {
  EXPECT_TRUE(expected.at("error").get<bool>());
  const auto vocab_size = input.at("vocab").get<int32_t>();
  for (const auto& [id, bias] : input.at("logit_bias").items()) {
    const std::string text =
        absl::StrCat("dialect: VLLM processors { logit_bias { token { id: ", id,
                     " bias: ", bias.dump(), " } } }");
    EXPECT_THAT(ParseChain(text, {.vocab_size = vocab_size}).status().message(),
                HasSubstr(absl::StrCat("logit_bias.token[0].id is ", id,
                                       "; it must be in the vocabulary, [0, ", vocab_size, ")")));
  }
}

using Check = void (*)(const json& input, const json& expected);

const std::map<std::string, Check>& Checks() {
  static const auto* checks = new std::map<std::string, Check>{
      {"vllm-project/vllm#1885 (PR)", CheckTopKThenTopP},
      {"sgl-project/sglang#36173 (PR)", CheckSequentialFilters},
      {"aws-neuron/transformers-neuronx#46", CheckTopP},
      {"huggingface/transformers#18976", CheckTopP},
      {"huggingface/transformers#2302", CheckRepetition},
      {"huggingface/transformers.js#1062 (PR)", CheckRepetition},
      {"sgl-project/sglang#21258 (review)", CheckRepetitionOfZero},
      {"huggingface/transformers#48642 (open PR)", CheckShiftedRepetition},
      {"vllm-project/vllm#1623", CheckTinyTemperature},
      {"vllm-project/vllm#53665", CheckEmptySupport},
      {"vllm-project/vllm#16529 (PR)", CheckBiasOutside},
      {"vllm-project/vllm#48824 (open PR)", CheckBadWordOutside},
      {"sgl-project/sglang#35697 (PR)", CheckNeighbours},
      {"vllm-project/vllm#51226", CheckSeeds},
      {"vllm-project/vllm#42744, #18902, sgl-project/sglang#26330", CheckDraft},
      {"vllm-project/vllm#9453", CheckLogprobs},
  };
  return *checks;
}

TEST(EngineVectorsTest, Issues) {
  const json issues = ReadGoldenJson("engine_vectors.json").at("issues");
  EXPECT_EQ(issues.size(), 16);
  for (const json& issue : issues) {
    const auto reference = issue.at("ref").get<std::string>();
    SCOPED_TRACE(reference);
    const auto check = Checks().find(reference);
    if (check == Checks().end()) {
      ADD_FAILURE() << "there is no check for this report";
      continue;
    }
    check->second(issue.at("input"), issue.at("expected"));
  }
}

}  // namespace
}  // namespace logitchain
