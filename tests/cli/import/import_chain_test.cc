#include "logitchain/cli/import/import_chain.h"

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/import_tables.h"
#include "logitchain/core/vocabulary.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/tests/testing/golden_file.h"
#include "logitchain/tests/testing/status_matchers.h"

namespace logitchain {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const ImportTable& Table(absl::string_view name) {
  const auto tables = ImportTables();
  return **absl::c_find_if(tables,
                           [name](const ImportTable* table) { return table->name == name; });
}

absl::StatusOr<ImportResult> Import(absl::string_view from, absl::string_view text) {
  return ImportChain(text, Table(from), {.filename = "f"});
}

absl::StatusOr<ImportResult> ImportIgnoring(absl::string_view from, absl::string_view text) {
  return ImportChain(text, Table(from), {.ignore_unknown = true, .filename = "f"});
}

ChainConfig Parse(absl::string_view text) {
  const absl::StatusOr<ChainText> chain = ParseChainText(text, "chain");
  EXPECT_THAT(chain, IsOk());
  return chain.ok() ? chain->config : ChainConfig();
}

// A vocabulary of a token for each byte.
std::shared_ptr<const Vocabulary> Bytes() {
  Vocabulary::Parts parts;
  for (int byte = 0; byte < 256; ++byte) {
    parts.token_bytes.emplace_back(1, static_cast<char>(byte));
  }
  return Vocabulary::Create(std::move(parts)).value();
}

// The chain that comes of a text, which must be sound and read back as it was written.
std::string ConfigOf(const absl::StatusOr<ImportResult>& result) {
  EXPECT_THAT(result, IsOk());
  if (!result.ok()) return "";
  EXPECT_THAT(CheckChain(result->config), IsEmpty());
  EXPECT_EQ(Parse(result->text).DebugString(), result->config.DebugString()) << result->text;
  EXPECT_THAT(CreateChain(result->config, {.vocab_size = 60000, .vocabulary = Bytes()}), IsOk());
  return result->config.DebugString();
}

// ----- Whole files, with what they mean, and their outputs byte for byte.

struct FileCase {
  std::string from;
  std::string input;  // In testdata; the output is beside it.
  std::string config;

  friend void PrintTo(const FileCase& param, std::ostream* out) { *out << param.input; }
};

class ImportFileTest : public testing::TestWithParam<FileCase> {
 protected:
  static std::string Read(absl::string_view name) {
    return ReadTestFile(absl::StrCat("tests/cli/import/testdata/", name));
  }

  static std::string OutputName() {
    const std::vector<std::string> parts = absl::StrSplit(GetParam().input, '.');
    return absl::StrCat(parts[0], ".textproto");
  }

  static absl::StatusOr<ImportResult> ImportInput() {
    return ImportChain(Read(GetParam().input), Table(GetParam().from),
                       {.filename = GetParam().input});
  }
};

TEST_P(ImportFileTest, HasTheFilesParameters) {
  EXPECT_EQ(ConfigOf(ImportInput()), Parse(GetParam().config).DebugString());
}

TEST_P(ImportFileTest, WritesTheExpectedText) {
  const absl::StatusOr<ImportResult> result = ImportInput();
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->text, Read(OutputName()))
      << "to accept it, in tests/cli/import/testdata: logitchain import --from=" << GetParam().from
      << " " << GetParam().input << " --out=" << OutputName();
}

TEST_P(ImportFileTest, LinesAreNotTooLong) {
  const absl::StatusOr<ImportResult> result = ImportInput();
  ASSERT_THAT(result, IsOk());
  for (const absl::string_view line : absl::StrSplit(result->text, '\n')) {
    EXPECT_LE(line.size(), 100u) << line;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ImportFileTest,
    testing::ValuesIn<FileCase>({
        {"openai", "openai_defaults.json", "dialect: SPEC draw { seed: 0 }"},
        {"openai", "openai_full.json", R"(
           dialect: SPEC
           processors { presence_frequency_penalty { presence: 0.5 frequency: -0.25 } }
           processors { temperature { temperature: 0.1 } }
           processors { top_p { p: 0.30000000000000004 } }
           draw { seed: 9007199254740993 })"},
        {"huggingface", "huggingface_defaults.json", "dialect: HUGGING_FACE draw { greedy {} }"},
        {"huggingface", "huggingface_greedy.json", R"(
           dialect: HUGGING_FACE
           processors { repetition_penalty { penalty: 1.05 } }
           draw { greedy {} })"},
        {"huggingface", "huggingface_full.json", R"(
           dialect: HUGGING_FACE
           processors { repetition_penalty { penalty: 1.05 } }
           processors { suppress_tokens { ids: [1, 2, 50257] } }
           processors { temperature { temperature: 0.7 } }
           processors { top_k { k: 20 } }
           processors { top_p { p: 0.8 } }
           processors { min_p { p: 0.05 } }
           draw { seed: 0 })"},
        {"llama_cpp", "llama_cpp_defaults.txt", R"(
           dialect: LLAMA_CPP
           processors { top_k { k: 40 } }
           processors { top_p { p: 0.95 } }
           processors { min_p { p: 0.05 } }
           processors { temperature { temperature: 0.8 } }
           draw { seed: 0 })"},
        {"llama_cpp", "llama_cpp_full.txt", R"(
           dialect: LLAMA_CPP
           processors { repetition_penalty { penalty: 1.15 window: 256 } }
           processors { presence_frequency_penalty { presence: 0.1 frequency: 0.2 window: 256 } }
           processors { top_k { k: 50 } }
           processors { top_p { p: 0.9 } }
           processors { min_p { p: 0.02 } }
           processors { temperature { temperature: 0.65 } }
           draw { seed: 4294967294 })"},
        {"llama_cpp", "llama_cpp_order.txt", R"(
           dialect: LLAMA_CPP
           order: AS_LISTED
           processors { temperature { temperature: 0.8 } }
           processors { top_p { p: 0.95 } }
           processors { repetition_penalty { penalty: 1.2 } }
           processors { presence_frequency_penalty { presence: 0.3 } }
           processors { top_k { k: 40 } }
           draw { seed: 1 })"},
        {"llama_cpp", "llama_cpp_server.json", R"(
           dialect: LLAMA_CPP
           processors { repetition_penalty { penalty: 1.1 window: 0 } }
           processors { top_p { p: 0.95 min_keep: 2 } }
           processors { min_p { p: 0.05 min_keep: 2 } }
           processors { temperature { temperature: 0 } }
           draw { seed: 7 })"},
        {"vllm", "vllm_defaults.json", "dialect: VLLM draw { seed: 0 }"},
        {"vllm", "vllm_full.json", R"(
           dialect: VLLM
           processors { grammar_mask { allowed_ids: [5, 6, 7] } }
           processors { repetition_penalty { penalty: 1.3 } }
           processors { presence_frequency_penalty { presence: 0.1 frequency: 0.2 } }
           processors { temperature { temperature: 0.005 allow_small_temperature: true } }
           processors { min_p { p: 0.01 } }
           processors { top_k { k: 30 } }
           processors { top_p { p: 0.9 } }
           draw { seed: 18446744073709551615 })"},
        {"minfer", "minfer_defaults.txt", R"(
           dialect: MINFER
           processors { repetition_penalty { penalty: 1.1 } }
           processors { top_k { k: 40 } }
           processors { top_p { p: 0.95 } }
           processors { temperature { temperature: 0.8 } }
           draw { seed: 42 })"},
        {"minfer", "minfer_full.txt", R"(
           dialect: MINFER
           processors { presence_frequency_penalty { presence: 0.6 frequency: 0.4 } }
           processors { repetition_penalty { penalty: 1.25 } }
           processors { top_k { k: 10 } }
           processors { top_p { p: 0.5 } }
           processors { temperature { temperature: 0.3 } }
           draw { seed: 18446744073709551615 })"},
    }),
    [](const auto& info) {
      return std::string(info.param.input.substr(0, info.param.input.find('.')));
    });

// ----- Single facts.

struct ConfigCase {
  std::string name;
  std::string from;
  std::string text;
  std::string config;  // Without the dialect.

  friend void PrintTo(const ConfigCase& param, std::ostream* out) { *out << param.text; }
};

class ImportConfigTest : public testing::TestWithParam<ConfigCase> {};

TEST_P(ImportConfigTest, GivesTheChain) {
  const ConfigCase& param = GetParam();
  ChainConfig expected = Parse(param.config);
  expected.set_dialect(Table(param.from).dialect);
  const absl::StatusOr<ImportResult> result = Import(param.from, param.text);
  EXPECT_EQ(ConfigOf(result), expected.DebugString());
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(result->ignored, IsEmpty());
}

constexpr char kLlamaFilters[] =
    "processors { top_k { k: 40 } } processors { top_p { p: 0.95 } } "
    "processors { min_p { p: 0.05 } } ";
constexpr char kLlamaTemperature[] = "processors { temperature { temperature: 0.8 } } ";
constexpr char kSeed0[] = "draw { seed: 0 }";

std::string LlamaRules() { return absl::StrCat(kLlamaFilters, kLlamaTemperature); }

INSTANTIATE_TEST_SUITE_P(
    OpenAi, ImportConfigTest,
    testing::ValuesIn<ConfigCase>({
        {"NullIsAbsent", "openai", R"({"temperature": null, "seed": null})", kSeed0},
        {"NeutralIsNoRule", "openai",
         R"({"temperature": 1, "top_p": 1.0, "presence_penalty": 0, "logit_bias": null})", kSeed0},
        {"Zero", "openai", R"({"temperature": 0})",
         "processors { temperature { temperature: 0 } } draw { seed: 0 }"},
        {"LogitBias", "openai", R"({"logit_bias": {"50256": -100, "11": 2.5}})",
         "processors { logit_bias { token { id: 50256 bias: -100 } token { id: 11 bias: 2.5 } } } "
         "draw { seed: 0 }"},
        {"TinyNumber", "openai", R"({"top_p": 1e-5})",
         "processors { top_p { p: 1e-5 } } draw { seed: 0 }"},
    }),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    HuggingFace, ImportConfigTest,
    testing::ValuesIn<ConfigCase>({
        {"SamplingHasTopK50", "huggingface", R"({"do_sample": true})",
         "processors { top_k { k: 50 } } draw { seed: 0 }"},
        {"TopK0IsOff", "huggingface", R"({"do_sample": true, "top_k": 0})", kSeed0},
        {"NullIsOff", "huggingface",
         R"({"do_sample": true, "top_k": null, "top_p": null, "temperature": null})", kSeed0},
        {"NullSwitchIsGreedy", "huggingface", R"({"do_sample": null, "top_k": 5})",
         "draw { greedy {} }"},
        {"MoreFilters", "huggingface",
         R"({"do_sample": true, "top_k": 0, "typical_p": 0.9, "epsilon_cutoff": 3e-4,
             "eta_cutoff": 0.002, "top_h": 0.4})",
         "processors { top_h { h: 0.4 } } processors { typical { p: 0.9 } } "
         "processors { epsilon_cutoff { epsilon: 3e-4 } } "
         "processors { eta_cutoff { epsilon: 0.002 } } draw { seed: 0 }"},
        {"MoreMasks", "huggingface",
         R"({"no_repeat_ngram_size": 3, "begin_suppress_tokens": [220, 50257]})",
         "processors { no_repeat_ngram { size: 3 } } "
         "processors { begin_suppress { ids: [220, 50257] } } draw { greedy {} }"},
        {"BadWords", "huggingface", R"({"bad_words_ids": [[5, 6], [7], [2]], "eos_token_id": 2})",
         "processors { bad_words { sequences { ids: [5, 6] } sequences { ids: 7 } "
         "sequences { ids: 2 } stop_ids: 2 } } draw { greedy {} }"},
        {"SequenceBias", "huggingface", R"({"sequence_bias": [[[45], -0.6], [[12, 27], 1.2]]})",
         "processors { sequence_bias { sequences { ids: 45 bias: -0.6 } "
         "sequences { ids: [12, 27] bias: 1.2 } } } draw { greedy {} }"},
        {"ForcedTokens", "huggingface",
         R"({"forced_bos_token_id": 50004, "forced_eos_token_id": [2], "max_length": 200})",
         "processors { forced_tokens { first_id: 50004 last_id: 2 max_length: 200 } } "
         "draw { greedy {} }"},
        {"ForcedEndAtTheDefaultLength", "huggingface", R"({"forced_eos_token_id": 2})",
         "processors { forced_tokens { last_id: 2 max_length: 20 } } draw { greedy {} }"},
        {"MinNewTokens", "huggingface", R"({"eos_token_id": [2, 7], "min_new_tokens": 4})",
         "processors { min_tokens { count: 4 stop_ids: [2, 7] } } draw { greedy {} }"},
        {"MinLengthCountsThePrompt", "huggingface", R"({"eos_token_id": 2, "min_length": 4})",
         "processors { min_tokens { count: 4 count_prompt: true stop_ids: 2 } } "
         "draw { greedy {} }"},
        {"MinNewTokensCount", "huggingface",
         R"({"eos_token_id": 2, "min_length": 9, "min_new_tokens": 4})",
         "processors { min_tokens { count: 4 stop_ids: 2 } } draw { greedy {} }"},
        {"MinLengthWithoutEndDoesNothing", "huggingface",
         R"({"do_sample": true, "min_length": 5, "top_k": 0})", kSeed0},
        {"MinNewTokensWithoutEndDoNothing", "huggingface",
         R"({"min_new_tokens": 5, "eos_token_id": null})", "draw { greedy {} }"},
        {"NullDoesNotOverride", "huggingface",
         R"({"eos_token_id": 2, "min_length": 9, "min_new_tokens": null})",
         "processors { min_tokens { count: 9 count_prompt: true stop_ids: 2 } } "
         "draw { greedy {} }"},
        {"ExponentialDecay", "huggingface",
         R"({"exponential_decay_length_penalty": [15, 1.6], "eos_token_id": 2})",
         "processors { exponential_decay_length { start: 15 factor: 1.6 stop_ids: 2 } } "
         "draw { greedy {} }"},
        {"TopP0KeepsTheBest", "huggingface", R"({"do_sample": true, "top_k": 0, "top_p": 0.0})",
         "processors { top_p { p: 0 } } draw { seed: 0 }"},
        {"GreedyNeedsNoTypical", "huggingface", R"({"typical_p": 0.2, "eta_cutoff": 0.1})",
         "draw { greedy {} }"},
        {"MasksWorkWithoutSampling", "huggingface", R"({"suppress_tokens": [3]})",
         "processors { suppress_tokens { ids: [3] } } draw { greedy {} }"},
    }),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Vllm, ImportConfigTest,
    testing::ValuesIn<ConfigCase>({
        {"TopKMinus1IsOff", "vllm", R"({"top_k": -1})", kSeed0},
        {"TopK0IsOff", "vllm", R"({"top_k": 0})", kSeed0},
        {"Zero", "vllm", R"({"temperature": 0.0})",
         "processors { temperature { temperature: 0 } } draw { seed: 0 }"},
        {"GreedyIsNotRaised", "vllm", R"({"temperature": 0.000009})",
         "processors { temperature { temperature: 0.000009 } } draw { seed: 0 }"},
        {"SmallIsRaised", "vllm", R"({"temperature": 0.00001})",
         "processors { temperature { temperature: 0.00001 allow_small_temperature: true } } "
         "draw { seed: 0 }"},
        {"SmallestIsItself", "vllm", R"({"temperature": 0.01})",
         "processors { temperature { temperature: 0.01 } } draw { seed: 0 }"},
        {"ServerRequest", "vllm", R"({"model": "m", "prompt": "p", "min_p": 0.5})",
         "processors { min_p { p: 0.5 } } draw { seed: 0 }"},
    }),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    LlamaCpp, ImportConfigTest,
    testing::ValuesIn<ConfigCase>({
        {"NoFlagsAreTheDefaults", "llama_cpp", "llama-cli", LlamaRules() + kSeed0},
        {"AByteOrderMark", "llama_cpp", "\xEF\xBB\xBF--top-k 0 --top-p 1 --min-p 0 --temp 1",
         kSeed0},
        {"ResponseSchema", "openai",
         R"({"response_format": {"type": "json_schema", "json_schema": {
             "name": "x", "strict": true, "schema": {"type": "null", "title": "a\"b"}}}})",
         R"(processors { grammar_mask { json_schema: '{"type":"null","title":"a\\"b"}' } } draw { seed: 0 })"},
        {"ResponseJson", "openai", R"({"response_format": {"type": "json_object"}})",
         "processors { grammar_mask { json {} } } draw { seed: 0 }"},
        {"VllmResponseJson", "vllm", R"({"response_format": {"type": "json_object"}})",
         "processors { grammar_mask { json {} } } draw { seed: 0 }"},
        {"ServerResponseSchema", "llama_cpp",
         R"({"response_format": {"type": "json_object", "schema": {"const": 1.50}}})",
         R"(processors { grammar_mask { json_schema: '{"const":1.50}' } } )" + LlamaRules() +
             kSeed0},
        {"LlamaSchema", "llama_cpp", R"({"json_schema": {}})",
         "processors { grammar_mask { json_schema: '{}' } } " + LlamaRules() + kSeed0},
        {"LlamaSchemaFlag", "llama_cpp", "-j '{\"type\": \"null\"}'",
         "processors { grammar_mask { json_schema: '{\"type\": \"null\"}' } } " + LlamaRules() +
             kSeed0},
        {"LlamaGrammar", "llama_cpp", "--grammar 'root ::= \"a\"'",
         "processors { grammar_mask { gbnf: 'root ::= \"a\"' } } " + LlamaRules() + kSeed0},
        {"StructuredSchema", "vllm",
         R"({"structured_outputs": {"json": {"type": "null"}, "disable_fallback": false}})",
         R"(processors { grammar_mask { json_schema: '{"type":"null"}' } } draw { seed: 0 })"},
        {"StructuredSchemaAsText", "vllm", R"({"structured_outputs": {"json": "{}"}})",
         "processors { grammar_mask { json_schema: '{}' } } draw { seed: 0 }"},
        {"StructuredJson", "vllm", R"({"structured_outputs": {"json_object": true, "json": null}})",
         "processors { grammar_mask { json {} } } draw { seed: 0 }"},
        {"StructuredRegex", "vllm", R"({"structured_outputs": {"regex": "a+"}})",
         "processors { grammar_mask { regex: 'a+' } } draw { seed: 0 }"},
        {"StructuredChoice", "vllm", R"({"structured_outputs": {"choice": ["a", "b"]}})",
         "processors { grammar_mask { choice: 'a' choice: 'b' } } draw { seed: 0 }"},
        {"GuidedDecodingGrammar", "vllm", R"({"guided_decoding": {"grammar": "root ::= [a]"}})",
         "processors { grammar_mask { gbnf: 'root ::= [a]' } } draw { seed: 0 }"},
        {"GuidedJson", "vllm", R"({"guided_json": {"type": "null"}})",
         R"(processors { grammar_mask { json_schema: '{"type":"null"}' } } draw { seed: 0 })"},
        {"GuidedRegex", "vllm", R"({"guided_regex": "a+", "guided_decoding_backend": "xgrammar"})",
         "processors { grammar_mask { regex: 'a+' } } draw { seed: 0 }"},
        {"GuidedChoice", "vllm", R"({"guided_choice": ["a", "b"]})",
         "processors { grammar_mask { choice: 'a' choice: 'b' } } draw { seed: 0 }"},
        {"GuidedGrammar", "vllm", R"({"guided_grammar": "root ::= [a]"})",
         "processors { grammar_mask { gbnf: 'root ::= [a]' } } draw { seed: 0 }"},
        {"JsonNothingIsTheDefaults", "llama_cpp", " \n {}", LlamaRules() + kSeed0},
        {"JsonNullIsAbsent", "llama_cpp", R"({"top_k": null, "samplers": null})",
         LlamaRules() + kSeed0},
        {"AllOff", "llama_cpp", "--top-k 0 --top-p 1 --min-p 0 --temp 1", kSeed0},
        {"OffByOddValues", "llama_cpp", "--top-k -1 --top-p 1.5 --min-p -0.5 --temp 1", kSeed0},
        {"LastOneCounts", "llama_cpp", "--top-k 3 --temp 0.1 --top-k 7 --temperature 1",
         "processors { top_k { k: 7 } } processors { top_p { p: 0.95 } } "
         "processors { min_p { p: 0.05 } } draw { seed: 0 }"},
        {"EqualsSign", "llama_cpp", "--temp=1 --top-k=0 --min_p=0 --top-p=0.5",
         "processors { top_p { p: 0.5 } } draw { seed: 0 }"},
        {"NegativeTemperature", "llama_cpp", "--temp -1",
         std::string(kLlamaFilters) +
             "processors { temperature { temperature: -1 } } draw { seed: 0 }"},
        {"WindowWithoutPenaltyDoesNothing", "llama_cpp", "--repeat-last-n 5",
         LlamaRules() + kSeed0},
        {"WindowOfOnePenalty", "llama_cpp", "--repeat-last-n 5 --presence-penalty 0.5",
         "processors { presence_frequency_penalty { presence: 0.5 window: 5 } } " + LlamaRules() +
             kSeed0},
        {"MinKeepOfNothing", "llama_cpp", R"({"min_keep": 3, "top_p": 1, "min_p": 0})",
         "processors { top_k { k: 40 } } " + std::string(kLlamaTemperature) + kSeed0},
        {"MinKeepOfOne", "llama_cpp", R"({"min_keep": 3, "top_p": 1})",
         "processors { top_k { k: 40 } } processors { min_p { p: 0.05 min_keep: 3 } } " +
             std::string(kLlamaTemperature) + kSeed0},
        {"NeutralFuture", "llama_cpp",
         "--mirostat 0 --mirostat-ent 3 --adaptive-target -1 --xtc-probability 0 --xtc-threshold "
         "0.3 --typical 1 "
         "--top-nsigma -1 --dry-multiplier 0 --dry-base 9 --dynatemp-range 0 --grammar ''",
         LlamaRules() + kSeed0},
        {"MoreFilters", "llama_cpp",
         R"({"top_n_sigma": 1.5, "typical_p": 0.9, "xtc_probability": 0.5, "xtc_threshold": 0.2,
             "min_keep": 4, "top_p": 1})",
         "processors { top_n_sigma { n: 1.5 } } processors { top_k { k: 40 } } "
         "processors { typical { p: 0.9 min_keep: 4 } } "
         "processors { min_p { p: 0.05 min_keep: 4 } } "
         "processors { xtc { probability: 0.5 threshold: 0.2 min_keep: 4 } } " +
             std::string(kLlamaTemperature) + kSeed0},
        {"DynamicTemperature", "llama_cpp", "--temp 0.7 --dynatemp-range 0.5 --dynatemp-exp 2",
         std::string(kLlamaFilters) +
             "processors { dynamic_temperature { temperature: 0.7 range: 0.5 exponent: 2 } } "
             "draw { seed: 0 }"},
        {"DynamicTemperatureOf1", "llama_cpp", "--temp 1 --dynatemp-range 0.5",
         std::string(kLlamaFilters) +
             "processors { dynamic_temperature { range: 0.5 } } draw { seed: 0 }"},
        {"LogitBiasFlagsAddUp", "llama_cpp", "-l 15043+1.5 --logit-bias 2-3",
         "processors { logit_bias { token { id: 15043 bias: 1.5 } token { id: 2 bias: -3 } } } " +
             LlamaRules() + kSeed0},
        {"LogitBiasFlagsOfInfinity", "llama_cpp", "-l 29905-inf --logit-bias 15043-INFINITY",
         "processors { logit_bias { token { id: 29905 bias: -inf } token { id: 15043 bias: -inf } "
         "} "
         "} " +
             LlamaRules() + kSeed0},
        {"LogitBiasPairs", "llama_cpp", R"({"logit_bias": [[15043, 1], [7, false]]})",
         "processors { logit_bias { token { id: 15043 bias: 1 } token { id: 7 bias: -inf } } } " +
             LlamaRules() + kSeed0},
        {"LogitBiasIsNoSampler", "llama_cpp", "--sampler-seq t -l 5+1",
         "processors { logit_bias { token { id: 5 bias: 1 } } } " + std::string(kLlamaTemperature) +
             kSeed0},
        {"Mirostat2", "llama_cpp", "--mirostat 2 --mirostat-ent 4 --mirostat-lr 0.2 -s 3",
         std::string(kLlamaTemperature) + "draw { seed: 3 mirostat_v2 { tau: 4 eta: 0.2 } }"},
        {"Mirostat1", "llama_cpp", R"({"mirostat": 1, "mirostat_tau": 3.5, "temperature": 1})",
         "draw { seed: 0 mirostat { tau: 3.5 } }"},
        {"MirostatNeedsNoParameters", "llama_cpp", "--mirostat 2 --temp 1",
         "draw { seed: 0 mirostat_v2 {} }"},
        {"BesideMirostatOnlyTheTemperature", "llama_cpp",
         "--mirostat 1 --samplers top_k --top-k 5 --repeat-penalty 1.1 --dry-multiplier 1 "
         "--xtc-probability 0.5 --dynatemp-range 0.3 --adaptive-target 0.5 -l 7-2",
         "processors { logit_bias { token { id: 7 bias: -2 } } } " +
             std::string(kLlamaTemperature) + "draw { seed: 0 mirostat {} }"},
        {"AdaptiveP", "llama_cpp",
         "--samplers 'adaptive_p;min_p' --adaptive-target 0.4 --adaptive-decay 0.8",
         "processors { min_p { p: 0.05 } } draw { seed: 0 adaptive_p { target: 0.4 decay: 0.8 } }"},
        {"AdaptivePMustBeListed", "llama_cpp", "--adaptive-target 0.4 --adaptive-decay 0.8",
         LlamaRules() + kSeed0},
        {"LogitBiasIsNoSamplerNorLeftOut", "llama_cpp",
         "--sampler-seq ma --adaptive-target 0 -l 5+1",
         "processors { logit_bias { token { id: 5 bias: 1 } } } processors { min_p { p: 0.05 } } "
         "draw { seed: 0 adaptive_p { target: 0 } }"},
        {"FalseDoesNothing", "llama_cpp", R"({"ignore_eos": false})", LlamaRules() + kSeed0},
        {"LargestSeed", "llama_cpp", "-s 4294967294", LlamaRules() + "draw { seed: 4294967294 }"},
        {"DefaultOrderIsNotListed", "llama_cpp",
         "--samplers penalties;dry;top_n_sigma;top_k;typ_p;top_p;min_p;xtc;temperature",
         LlamaRules() + kSeed0},
        {"DefaultLettersAreNotListed", "llama_cpp", "--sampling-seq edskypmxt",
         LlamaRules() + kSeed0},
        {"FewSamplersInOrder", "llama_cpp", "--samplers 'top_k;temperature'",
         "processors { top_k { k: 40 } } processors { temperature { temperature: 0.8 } } "
         "draw { seed: 0 }"},
        {"NoSamplers", "llama_cpp", "--samplers ''", kSeed0},
        {"LettersInOrder", "llama_cpp", "--sampler-seq tk",
         "order: AS_LISTED processors { temperature { temperature: 0.8 } } "
         "processors { top_k { k: 40 } } draw { seed: 0 }"},
        {"SamplerTwice", "llama_cpp", "--sampler-seq ktk",
         "order: AS_LISTED processors { top_k { k: 40 } } "
         "processors { temperature { temperature: 0.8 } } processors { top_k { k: 40 } } "
         "draw { seed: 0 }"},
        {"LaterSamplersCount", "llama_cpp", "--sampler-seq tk --samplers temperature",
         std::string(kLlamaTemperature) + kSeed0},
        {"JsonSamplerList", "llama_cpp", R"({"samplers": ["min_p", "top_k"]})",
         "order: AS_LISTED processors { min_p { p: 0.05 } } processors { top_k { k: 40 } } "
         "draw { seed: 0 }"},
        {"LeftOutSamplersDoNothing", "llama_cpp", "--sampler-seq t --xtc-probability 0.5 --top-k 3",
         std::string(kLlamaTemperature) + kSeed0},
        {"OtherFlagsKeepTheirValues", "llama_cpp",
         "llama-server -fa --temp 1 -fa auto -v -m --top-k --control-vector-layer-range 1 2",
         std::string(kLlamaFilters) + kSeed0},
    }),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(Minfer, ImportConfigTest,
                         testing::ValuesIn<ConfigCase>({
                             {"Greedy", "minfer", "--greedy --repeat-penalty 1 --top-k 0 --top-p 1",
                              "processors { temperature { temperature: 0 } } draw { seed: 42 }"},
                             {"TemperatureAfterGreedy", "minfer",
                              "--greedy -t 0.5 --repeat-penalty 1 --top-k 0 --top-p 1",
                              "processors { temperature { temperature: 0.5 } } draw { seed: 42 }"},
                             {"GreedyAfterTemperature", "minfer",
                              "-t 0.5 --greedy --repeat-penalty 1 --top-k 0 --top-p 1",
                              "processors { temperature { temperature: 0 } } draw { seed: 42 }"},
                         }),
                         [](const auto& info) { return info.param.name; });

// DRY's breakers are texts, for which a chain needs a vocabulary.
TEST(ImportChainTest, Dry) {
  const auto dry = [](absl::string_view text) {
    const absl::StatusOr<ImportResult> result = Import("llama_cpp", text);
    EXPECT_THAT(result, IsOk());
    if (!result.ok()) return DryConfig();
    EXPECT_THAT(CheckChain(result->config), IsEmpty());
    EXPECT_EQ(Parse(result->text).DebugString(), result->config.DebugString()) << result->text;
    return result->config.processors(0).dry();
  };
  const auto expect = [&dry](absl::string_view text, absl::string_view expected) {
    EXPECT_EQ(dry(text).DebugString(), Parse(absl::StrCat("processors { dry { ", expected, " } }"))
                                           .processors(0)
                                           .dry()
                                           .DebugString())
        << text;
  };
  expect("--dry-multiplier 0.8",
         R"(multiplier: 0.8 window: 64 sequence_breaker_texts: ["\n", ":", "\"", "*"])");
  expect("--dry-multiplier 1 --dry-base 2 --dry-allowed-length 3 --dry-penalty-last-n 500",
         R"(multiplier: 1 base: 2 allowed_length: 3 window: 500
            sequence_breaker_texts: ["\n", ":", "\"", "*"])");
  expect(R"(--dry-multiplier 1 --dry-sequence-breaker '\n' --dry-sequence-breaker "a b")",
         R"(multiplier: 1 window: 64 sequence_breaker_texts: ["\n", "a b"])");
  expect("--dry-multiplier 1 --dry-sequence-breaker none", "multiplier: 1 window: 64");
  expect(
      "--dry-multiplier 1 --dry-sequence-breaker x --dry-sequence-breaker none "
      "--dry-sequence-breaker y",
      "multiplier: 1 window: 64 sequence_breaker_texts: 'y'");
  expect(R"({"dry_multiplier": 1, "dry_sequence_breakers": ["\n", "\\n"]})",
         R"(multiplier: 1 window: 64 sequence_breaker_texts: ["\n", "\\n"])");
}

TEST(ImportChainTest, TellsWhatALengthIsWithoutAnEnd) {
  const absl::StatusOr<ImportResult> result =
      Import("huggingface", R"({"do_sample": true, "min_length": 5})");
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(result->text,
              HasSubstr("Without effect: /min_length: 5 (nothing to do without eos_token_id)."));
}

// Where rules do not go together, the message is about parameters too.
TEST(ImportChainTest, NoErrorHasPathsOfTheChain) {
  for (const absl::string_view text :
       {"--mirostat 2 --temp 0", "--mirostat 1 --mirostat-ent -1", "--temp 0 --xtc-probability 1",
        "--adaptive-target 0.5 --sampler-seq ta --temp 0"}) {
    const absl::StatusOr<ImportResult> result = Import("llama_cpp", text);
    if (!result.ok()) {
      EXPECT_THAT(std::string(result.status().message()),
                  AllOf(StartsWith("f:1:"), Not(HasSubstr("processors["))))
          << text;
    }
  }
  for (const absl::string_view text :
       {R"({"forced_eos_token_id": 2, "max_new_tokens": 50})", R"({"min_new_tokens": -5})",
        R"({"exponential_decay_length_penalty": [5, 1.6]})", R"({"min_length": 5})",
        R"({"eos_token_id": -1, "min_length": 5})", R"({"bad_words_ids": [[-1]]})",
        R"({"forced_eos_token_id": 2, "max_length": 0})", R"({"forced_bos_token_id": -2})",
        R"({"eos_token_id": 1, "exponential_decay_length_penalty": [-5, 1.6]})"}) {
    const absl::StatusOr<ImportResult> result = Import("huggingface", text);
    if (!result.ok()) {
      EXPECT_THAT(std::string(result.status().message()),
                  AllOf(StartsWith("f:1:"), Not(HasSubstr("processors["))))
          << text;
    }
  }
}

TEST(ImportChainTest, NamesWhatIsSupportedOnce) {
  EXPECT_EQ(Import("openai", R"({"temprature": 1, "foo": 2})").status().message(),
            "f:1:2: /temprature is 1; OpenAI has no such parameter (did you mean /temperature?)\n"
            "f:1:19: /foo is 2; OpenAI has no such parameter\n"
            "f: supported are presence_penalty, frequency_penalty, temperature, top_p, seed, "
            "logit_bias, response_format");
  const absl::StatusOr<ImportResult> ignoring = ImportIgnoring("openai", R"({"foo": 2})");
  ASSERT_THAT(ignoring, IsOk());
  EXPECT_THAT(ignoring->text, HasSubstr("# Ignored: /foo is 2; OpenAI has no such parameter.\n"));
  EXPECT_THAT(ignoring->ignored, ElementsAre("f:1:2: /foo is 2; OpenAI has no such parameter"));
}

TEST(ImportChainTest, WhispersOwnParametersAreNotOfAChain) {
  const absl::StatusOr<ImportResult> result = Import("huggingface", R"({
    "alignment_heads": [[5, 3]], "is_multilingual": true, "lang_to_id": {"<|en|>": 50259},
    "task_to_id": {"transcribe": 50359}, "no_timestamps_token_id": 50363,
    "prev_sot_token_id": 50361, "return_timestamps": false, "max_initial_timestamp_index": 50,
    "language": "en", "task": "transcribe"})");
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(result->text,
              HasSubstr("Not of the chain: /alignment_heads, /is_multilingual, /lang_to_id, "));
}

TEST(ImportChainTest, TellsWhatIsForGenerate) {
  const auto head = [](absl::string_view from, absl::string_view text) {
    const absl::StatusOr<ImportResult> result = Import(from, text);
    EXPECT_THAT(result, IsOk()) << text;
    return result.ok() ? result->text : "";
  };
  constexpr char kFor[] = "Not of the chain, but for `logitchain generate`: ";
  EXPECT_THAT(head("openai", R"({"stop": "\n"})"),
              HasSubstr(absl::StrCat(kFor, R"(/stop as --stop="\n".)")));
  EXPECT_THAT(head("vllm", R"({"stop": ["END", "#"], "n": 2})"),
              HasSubstr(R"(/n as --n=2, /stop as --stop="END")"));
  EXPECT_THAT(head("llama_cpp", R"(-r '\n' -r User: -n 5)"),
              HasSubstr(absl::StrCat(kFor, R"(-n as --max_tokens=5, -r as)")));
  EXPECT_THAT(head("llama_cpp", R"(-r '\n' -r User:)"), HasSubstr(R"(-r as --stop="\n")"));
  EXPECT_THAT(head("openai", R"({"logprobs": true})"), HasSubstr("/logprobs as --logprobs=raw."));
  EXPECT_THAT(head("openai", R"({"logprobs": false, "top_logprobs": 0, "tool_choice": "auto"})"),
              Not(HasSubstr(kFor)));
  EXPECT_THAT(head("llama_cpp", "-n -1"), Not(HasSubstr(kFor)));
}

TEST(ImportChainTest, ValuesThatAddUpAreNamedAsTheyAreGiven) {
  const absl::StatusOr<ImportResult> result = Import(
      "llama_cpp", R"(-l 15043+1.5 --logit-bias 2-inf --samplers 'top_k;temp' --mirostat 1)");
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(result->text, AllOf(HasSubstr("\n# -l 15043+1.5, --logit-bias 2-inf.\n"),
                                  HasSubstr("Without effect: --samplers top_k;temp (")));
}

TEST(ImportChainTest, ARuleThatIsTooLongForALineHasSeveral) {
  const absl::StatusOr<ImportResult> result =
      Import("llama_cpp", "--dry-multiplier 0.8 --samplers dry --dry-base 1.5");
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(result->text, HasSubstr(R"(
# --dry-multiplier 0.8, --dry-base 1.5, llama.cpp's default of dry_penalty_last_n: 64, llama.cpp's
# default of dry_sequence_breakers: ["\n",":","\"","*"].
processors {
  dry {
    multiplier: 0.8
    base: 1.5
    window: 64
    sequence_breaker_texts: "\n"
    sequence_breaker_texts: ":"
    sequence_breaker_texts: "\""
    sequence_breaker_texts: "*"
  }
}

# No seed)"));
}

// ----- Errors.

struct ErrorCase {
  std::string name;
  std::string from;
  std::string text;
  std::string message;

  friend void PrintTo(const ErrorCase& param, std::ostream* out) { *out << param.text; }
};

class ImportErrorTest : public testing::TestWithParam<ErrorCase> {};

TEST_P(ImportErrorTest, NamesTheParameter) {
  EXPECT_THAT(Import(GetParam().from, GetParam().text),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(GetParam().message)));
}

// What is wrong in itself is not helped by ignoring what is unknown.
TEST_P(ImportErrorTest, IsNotIgnored) {
  EXPECT_THAT(ImportIgnoring(GetParam().from, GetParam().text),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(GetParam().message)));
}

class RefusedTest : public testing::TestWithParam<ErrorCase> {};

TEST_P(RefusedTest, NamesTheParameter) {
  EXPECT_THAT(Import(GetParam().from, GetParam().text),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(GetParam().message)));
}

TEST_P(RefusedTest, CanBeIgnored) {
  const absl::StatusOr<ImportResult> result = ImportIgnoring(GetParam().from, GetParam().text);
  ConfigOf(result);
  ASSERT_THAT(result, IsOk());
  ASSERT_THAT(result->ignored, testing::SizeIs(1));
  EXPECT_THAT(result->ignored[0], HasSubstr(GetParam().message));
  EXPECT_THAT(result->text, HasSubstr("# Ignored: "));
}

INSTANTIATE_TEST_SUITE_P(
    All, ImportErrorTest,
    testing::ValuesIn<ErrorCase>({
        {"NotJson", "openai", "temperature: 1", "f:1:2: is not JSON: "},
        {"TypeNumber", "openai", R"({"temperature": "0.7"})",
         "f:1:2: /temperature is \"0.7\"; it must be a finite number"},
        {"TypeBool", "openai", R"({"temperature": true})",
         "/temperature is true; it must be a finite number"},
        {"TypeWhole", "vllm", R"({"top_k": 4.5})", "/top_k is 4.5; it must be a whole number"},
        {"TypeSwitch", "huggingface", R"({"do_sample": "yes"})",
         "/do_sample is \"yes\"; it must be true or false"},
        {"TypeIds", "vllm", R"({"allowed_token_ids": [1, "a"]})",
         "/allowed_token_ids is [1,\"a\"]; it must be a list of token ids"},
        {"TypeSamplers", "llama_cpp", R"({"samplers": 5})",
         "/samplers is 5; it must be a list of samplers"},
        {"BiasOfText", "llama_cpp", R"({"logit_bias": {"Hello": 1}})",
         "/logit_bias is {\"Hello\":1}; it must be token ids with numbers"},
        {"BiasWithoutNumber", "openai", R"({"logit_bias": {"5": true}})",
         "/logit_bias is {\"5\":true}; it must be token ids with numbers"},
        {"BiasOfInfinityAsText", "llama_cpp", R"({"logit_bias": {"5": "-inf"}})",
         "/logit_bias is {\"5\":\"-inf\"}; it must be token ids with numbers"},
        {"BiasOfThree", "llama_cpp", R"({"logit_bias": [[1, 2, 3]]})",
         "/logit_bias is [[1,2,3]]; it must be token ids with numbers"},
        {"BiasFlag", "llama_cpp", "-l Hello+1",
         "f:1:1: -l is Hello+1; it must be a token id with a signed number, as 15043+1 or "
         "15043-inf"},
        {"BiasFlagWithoutSign", "llama_cpp", "-l 5",
         "-l is 5; it must be a token id with a signed"},
        {"EarlierBiasFlag", "llama_cpp", "-l x --logit-bias 5+1",
         "f:1:1: -l is x; it must be a token"},
        {"LaterBiasFlag", "llama_cpp", "-l 5+1 --logit-bias 7",
         "f:1:8: --logit-bias is 7; it must"},
        {"BiasFlagNaN", "llama_cpp", "-l 5-nan", "f:1:1: -l is 5-nan; it must be a token id with"},
        {"BiasFlagOverflow", "llama_cpp", "-l 5-1e999",
         "-l is 5-1e999; it must be a token id with"},
        {"BiasFlagInfinite", "llama_cpp", "-l 5+1 -l 15043+inf -l 6+1",
         "f:1:8: -l is 15043+inf; its bias is inf; it must be in [-inf, inf)"},
        {"BiasFlagIdTooLarge", "llama_cpp", "-l 5+1 -l 4294967296+1",
         "f:1:8: -l has 4294967296; it must be a whole number from"},
        {"BiasIdTooLarge", "openai", R"({"logit_bias": {"5": 1, "99999999999": 5}})",
         "/logit_bias has 99999999999; it must be a whole number from -2147483648 to 2147483647"},
        {"IdTooLarge", "vllm", R"({"allowed_token_ids": [4294967296]})",
         "/allowed_token_ids has 4294967296; it must be a whole number from -2147483648 to "
         "2147483647"},
        {"NegativeId", "vllm", R"({"allowed_token_ids": [3, -5]})",
         "f:1:2: /allowed_token_ids is -5; it must be in [0, inf)"},
        {"TopKTooLarge", "llama_cpp", "--top-k 9223372036854775808",
         "--top-k is 9223372036854775808; it must be a whole number from "},
        {"NegativeSeed", "openai", R"({"seed": -5})",
         "/seed is -5; it must be a whole number from 0 to 18446744073709551615"},
        {"SeedTooLarge", "vllm", R"({"seed": 18446744073709551616})",
         "/seed is 18446744073709551616; it must be a whole number from 0 to "},
        {"SeedBeyondMt19937", "llama_cpp", "\n --seed 4294967296", "f:2:2: --seed "},
        {"OutOfRange", "openai", "{\n\"top_p\": 1.5}",
         "f:2:1: /top_p is 1.5; it must be in (0, 1]"},
        {"RangeOfTheDialect", "vllm", R"({"presence_penalty": 2.5})",
         "/presence_penalty is 2.5; it must be in [-2, 2]"},
        {"TemperatureZeroWhileSampling", "huggingface", R"({"do_sample": true, "temperature": 0})",
         "/temperature is 0; it must be in (0, inf)"},
        {"WindowTooLarge", "llama_cpp", "--repeat-penalty 1.5 --repeat-last-n 1048577",
         "f:1:22: --repeat-last-n is 1048577; it must be in [0, 1048576]"},
        {"FlagNaN", "llama_cpp", "--temp nan", "--temp is nan; it must be a finite number"},
        {"FlagInfinite", "minfer", "--temp 1e999", "--temp is 1e999; it must be a finite number"},
        {"FlagNoNumber", "minfer", "--temp 1x", "--temp is 1x; it must be a finite number"},
        {"FlagWithoutValue", "llama_cpp", "--top-k 4 --temp", "f:1:11: --temp needs a value"},
        {"FlagWithoutSecondValue", "llama_cpp", "--control-vector-layer-range 1",
         "f:1:1: --control-vector-layer-range needs a value"},
        {"SwitchWithValue", "minfer", "--greedy=1", "f:1:1: --greedy takes no value"},
        {"StrayWord", "llama_cpp", "llama-cli --temp 1 stray", "f:1:20: \"stray\" belongs to no"},
        {"TypeSequences", "huggingface", R"({"bad_words_ids": [5, 6]})",
         "/bad_words_ids is [5,6]; it must be lists of token ids, as [[5, 6], [7]]"},
        {"TypeBiasedSequences", "huggingface", R"({"sequence_bias": [[5, 1.5]]})",
         "/sequence_bias is [[5,1.5]]; it must be lists of token ids with numbers"},
        {"TypePair", "huggingface", R"({"exponential_decay_length_penalty": [5]})",
         "/exponential_decay_length_penalty is [5]; it must be a list of two numbers"},
        {"TypeTexts", "llama_cpp", R"({"dry_multiplier": 1, "dry_sequence_breakers": [5]})",
         "/dry_sequence_breakers is [5]; it must be a list of strings"},
        {"TypeId", "huggingface", R"({"forced_eos_token_id": "x"})",
         "/forced_eos_token_id is \"x\"; it must be a token id or a list of them"},
        {"TwoForcedEnds", "huggingface", R"({"forced_eos_token_id": [2, 3]})",
         "/forced_eos_token_id is [2,3]; it must be a single one"},
        {"LongBreaker", "llama_cpp",
         "--dry-multiplier 1 --dry-sequence-breaker aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         "--dry-sequence-breaker has 41 bytes; it must have 1 to 40"},
        {"EarlierLongBreaker", "llama_cpp",
         "--dry-multiplier 1 --dry-sequence-breaker aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "
         "--dry-sequence-breaker b",
         "f:1:20: --dry-sequence-breaker has 41 bytes; it must have 1 to 40"},
        {"AdaptiveTarget", "llama_cpp", "--sampler-seq a --adaptive-target 1.5",
         "--adaptive-target is 1.5; it must be in [-1, 1]"},
        {"StopOfNumber", "openai", R"({"stop": 5})",
         "/stop is 5; it must be a string or a list of strings, none of which is empty"},
        {"StopOfNothing", "vllm", R"({"stop": ["a", ""]})", "/stop is [\"a\",\"\"]; it must be a"},
        {"StopFlagOfNothing", "minfer", "--stop a --stop ''",
         "f:1:10: --stop is ; it must be a string"},
        {"StopStrings", "huggingface", R"({"stop_strings": {"a": 1}})",
         "/stop_strings is {\"a\":1}; it"},
        {"CompletionsOfText", "openai", R"({"n": "2"})", "/n is \"2\"; it must be a whole number"},
        {"NoCompletions", "llama_cpp", R"({"n": 0})", "/n is 0; it must be in [1, 10000]"},
        {"HalfACompletion", "vllm", R"({"n": 1.5})", "/n is 1.5; it must be a whole number"},
        {"TooManyCompletions", "huggingface", R"({"num_return_sequences": 10001})",
         "/num_return_sequences is 10001; it must be in [1, 10000]"},
        {"MaxTokensOfText", "openai", R"({"max_tokens": "many"})",
         "/max_tokens is \"many\"; it must be a whole number"},
        {"NegativeMaxTokens", "vllm", R"({"max_tokens": -1})",
         "/max_tokens is -1; it must be in [1, 1048576]"},
        {"NoMaxTokens", "openai", R"({"max_completion_tokens": 0})",
         "/max_completion_tokens is 0; it must be in [1, 1048576]"},
        {"MaxNewTokens", "huggingface", R"({"max_new_tokens": true})",
         "/max_new_tokens is true; it must be a whole number"},
        {"PredictX", "llama_cpp", "-n x", "-n is x; it must be a whole number"},
        {"PredictTooFew", "llama_cpp", "-n -3", "-n is -3; it must be in [-2, 1048576]"},
        {"PredictTooMany", "minfer", "-n 1048577", "-n is 1048577; it must be in [0, 1048576]"},
        {"LogprobsOfText", "openai", R"({"logprobs": "yes"})",
         "/logprobs is \"yes\"; it must be true, false or a whole number"},
        {"TopLogprobsOfText", "openai", R"({"top_logprobs": "5"})",
         "/top_logprobs is \"5\"; it must be a whole number"},
        {"SeedOfText", "openai", R"({"seed": "5"})", "/seed is \"5\"; it must be a whole number"},
        {"UnbalancedQuote", "llama_cpp", "-p 'it", "f:1:4: a ' that begins here does not end"},
        {"JsonList", "llama_cpp", "[1]", "f: is [1]; it must be a JSON object"},
    }),
    [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(
    All, RefusedTest,
    testing::ValuesIn<ErrorCase>({
        {"Unknown", "openai", "{\n  \"temprature\": 0.5}",
         "f:2:3: /temprature is 0.5; OpenAI has no such parameter (did you mean /temperature?)"},
        {"UnknownFlag", "llama_cpp", "--topk 5",
         "f:1:1: --topk is \"5\"; llama.cpp has no such flag (did you mean --top-k?)"},
        {"UnknownFlagBeforeFlag", "llama_cpp", "--no-such-thing --temp 0.5",
         "--no-such-thing is true; llama.cpp has no such flag"},
        {"UnknownFlagEquals", "minfer", "--min-p=0.05", "--min-p is \"0.05\"; minfer has no such"},
        {"Variable", "llama_cpp", "X=1 LLAMA_ARG_TOP_K=5 llama-cli --temp 1",
         "f:1:5: LLAMA_ARG_TOP_K is \"5\"; variables are not read: write it as a flag"},
        {"ControlCharacters", "openai", "{\"a\\nprocessors {}\": \"\\u0007\"}",
         R"(/a\nprocessors {} is "\007"; OpenAI has no such)"},
        {"BestOf", "openai", R"({"best_of": 4})",
         "/best_of is 4; a chain cannot honour that: `import` does not translate it; supported is "
         "only 1"},
        {"Guidance", "huggingface", R"({"guidance_scale": 1.5})",
         "it needs logits of a second prompt; supported is only 1 or less"},
        {"ReasoningBudget", "llama_cpp", "--reasoning-budget 0", "; supported is only -1"},
        {"Watermark", "huggingface", R"({"watermarking_config": {"bias": 2.0}})",
         "its green lists come from PyTorch's generator"},
        {"ForcedEndAtAnUnknownLength", "huggingface",
         R"({"forced_eos_token_id": 2, "max_new_tokens": 50})",
         "f:1:2: /forced_eos_token_id is 2; it needs max_length (max_new_tokens takes its place)"},
        {"ForcedEndWithoutLength", "huggingface",
         R"({"forced_eos_token_id": 2, "max_length": null})",
         "f:1:2: /forced_eos_token_id is 2; it needs max_length, which is not given"},
        {"DecayWithoutEnd", "huggingface", R"({"exponential_decay_length_penalty": [5, 1.6]})",
         "f:1:2: /exponential_decay_length_penalty is [5,1.6]; it needs eos_token_id, which is not "
         "given"},
        {"DecayWithoutAnyEnd", "huggingface",
         R"({"eos_token_id": [], "exponential_decay_length_penalty": [5, 1.6]})",
         "f:1:22: /exponential_decay_length_penalty is [5,1.6]; it needs eos_token_id, which is "
         "not "
         "given"},
        {"EmptyWatermark", "huggingface", R"({"watermarking_config": {}})",
         "/watermarking_config is {}; a chain cannot honour that: its green lists come"},
        {"EmptyForcedIds", "huggingface", R"({"forced_decoder_ids": []})",
         "/forced_decoder_ids is []; a chain cannot honour that"},
        {"EmptyResponseFormat", "openai", R"({"response_format": {}})",
         "/response_format is {}; a"},
        {"StructuralTag", "vllm", R"({"structured_outputs": {"structural_tag": "x"}})",
         "f:1:2: /structured_outputs/structural_tag is \"x\"; a chain cannot honour that"},
        {"WhiteSpace", "vllm",
         R"({"structured_outputs": {"json_object": true, "disable_any_whitespace": true}})",
         "of white space a grammar_mask has the largest number of characters only"},
        {"EmptyStructuredOutputs", "vllm", R"({"structured_outputs": {}})",
         "/structured_outputs is {}; a chain cannot honour that"},
        {"DryOfTheContext", "llama_cpp",
         "--dry-multiplier 0.8 --dry-sequence-breaker none --dry-penalty-last-n -1",
         "--dry-penalty-last-n is -1; it means the size of the context in llama.cpp"},
        {"DryBaseBelow1", "llama_cpp",
         "--dry-multiplier 0.8 --dry-base 0.5 --dry-sequence-breaker none",
         "--dry-base is 0.5; below 1 it turns DRY off in llama.cpp; leave out dry_multiplier"},
        {"MirostatOfAnotherVersion", "llama_cpp", "--mirostat 3",
         "--mirostat is 3; a chain cannot honour that: `import` does not translate it; supported "
         "is only 0, 1 or 2"},
        {"UnknownFlagBeforeNegativeNumber", "llama_cpp", "--no-such-thing -1 --temp 0.5",
         "--no-such-thing is \"-1\"; llama.cpp has no such flag"},
        {"TopLogprobs", "openai", R"({"logprobs": true, "top_logprobs": 5})",
         "f:1:20: /top_logprobs is 5; a chain cannot honour that: it asks for the "
         "log-probabilities of other tokens than the one that is drawn"},
        {"LogprobsOfMore", "vllm", R"({"logprobs": 1})", "/logprobs is 1; it asks for the"},
        {"Probs", "llama_cpp", R"({"n_probs": 10})", "/n_probs is 10; a chain cannot honour that"},
        {"ToolChoice", "openai", R"({"tool_choice": "required"})",
         "/tool_choice is \"required\"; a chain cannot honour that: a call of a tool would be "
         "forced "
         "by a grammar, which `import` does not translate; supported is only \"none\" or \"auto\""},
        {"ToolChoiceOfOne", "llama_cpp", R"({"tool_choice": {"type": "function"}})",
         "/tool_choice is {\"type\":\"function\"}; a chain cannot honour that"},
        {"ServerResponseFormat", "llama_cpp", R"({"response_format": {"type": "json_schema"}})",
         "/response_format is {\"type\":\"json_schema\"}; a chain cannot"},
        {"WhisperTimestamps", "huggingface", R"({"return_timestamps": true})",
         "/return_timestamps is true; a chain cannot honour that: there is no rule"},
        {"WhisperForcedTokens", "huggingface", R"({"forced_decoder_ids": [[1, null], [2, 50359]]})",
         "forced_tokens forces the first and the last token only"},
        {"Beams", "huggingface", R"({"num_beams": 4})", "a chain has no beams"},
        {"MinTokens", "vllm", R"({"min_tokens": 4})", "its flag --min_tokens"},
        {"BadWords", "vllm", R"({"bad_words": ["x"]})", "words need vLLM's tokenizer"},
        {"VllmRandomSeed", "vllm", R"({"seed": -1})",
         "/seed is -1; it means a random seed in vLLM"},
        {"RandomSeed", "llama_cpp", "--seed -1", "--seed is -1; it means a random seed in"},
        {"RandomSeedAsUnsigned", "llama_cpp", R"({"seed": 4294967295})",
         "/seed is 4294967295; it means a random seed in"},
        {"WholeContext", "llama_cpp", "--repeat-penalty 1.5 --repeat-last-n -1",
         "--repeat-last-n is -1; it means the size of the context"},
        {"IgnoreEos", "llama_cpp", "--ignore-eos", "--ignore-eos is true; a chain cannot honour"},
        {"UnknownSampler", "llama_cpp", "--samplers 'top_k;topq;temp'",
         "f:1:1: --samplers has topq; supported are e (penalties), d (dry), "},
        {"UnknownLetter", "llama_cpp", "--sampler-seq kzt", "--sampler-seq has z; supported are"},
        {"Infill", "llama_cpp", R"({"samplers": ["infill"]})", "/samplers has infill; supported"},
    }),
    [](const auto& info) { return info.param.name; });

TEST(ImportChainTest, ReportsEveryError) {
  EXPECT_THAT(Import("llama_cpp", "--bogus 1 --temp x --seed -1 --top-p 0.5"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("f:1:1: --bogus "), HasSubstr("\nf:1:20: --seed "),
                             HasSubstr("\nf:1:11: --temp "), Not(HasSubstr("--top-p is")))));
}

TEST(ImportChainTest, RefusesLargeInputs) {
  const std::string text = absl::StrCat("{}", std::string(kMaxConfigBytes - 2, ' '));
  EXPECT_THAT(Import("openai", text), IsOk());
  EXPECT_THAT(Import("openai", absl::StrCat(text, " ")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "f: has more than 1048576 bytes, the most allowed"));
}

TEST(ImportChainTest, IgnoredSeedIsZero) {
  const absl::StatusOr<ImportResult> result = ImportIgnoring("llama_cpp", "--seed -1 --foo 3");
  ASSERT_THAT(result, IsOk());
  EXPECT_TRUE(result->config.draw().has_seed());
  EXPECT_EQ(result->config.draw().seed(), 0u);
  EXPECT_THAT(result->ignored, ElementsAre(StartsWith("f:1:11: --foo is \"3\"; "),
                                           StartsWith("f:1:1: --seed is -1; ")));
}

TEST(ImportChainTest, IgnoredWindowIsTheDefault) {
  const absl::StatusOr<ImportResult> result =
      ImportIgnoring("llama_cpp", "--repeat-penalty 1.5 --repeat-last-n -1");
  ASSERT_THAT(result, IsOk());
  ASSERT_TRUE(result->config.processors(0).has_repetition_penalty());
  EXPECT_FALSE(result->config.processors(0).repetition_penalty().has_window());
}

TEST(ImportChainTest, IgnoredRulesLeaveTheOthers) {
  const absl::StatusOr<ImportResult> result =
      ImportIgnoring("llama_cpp", "--mirostat 3 --mirostat-lr 0.2 --temp 0.5");
  ASSERT_THAT(result, IsOk());
  EXPECT_EQ(result->config.processors(3).temperature().temperature(), 0.5);
  EXPECT_THAT(result->text, HasSubstr("--mirostat-lr 0.2 (nothing to do without mirostat)"));
}

// A name or value must not get out of its comment.
TEST(ImportChainTest, CommentsStayComments) {
  const absl::StatusOr<ImportResult> result = ImportChain(
      R"({"x\nprocessors { top_k { k: 1 } }": "y\r\nz", "model": 1, "stop": "\ndraw {}"})",
      Table("openai"), {.ignore_unknown = true, .filename = "a\nprocessors { top_k { k: 1 } }"});
  EXPECT_EQ(ConfigOf(result), Parse("dialect: SPEC draw { seed: 0 }").DebugString());
}

TEST(ImportChainTest, LongValuesAreCut) {
  const std::string text = absl::StrCat(R"({"response_format": ")", std::string(5000, 'x'), "\"}");
  const absl::StatusOr<ImportResult> result = Import("llama_cpp", text);
  ASSERT_THAT(result, StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_LT(result.status().message().size(), 300u);
}

TEST(ImportChainTest, AParameterWithTwoFieldsIsNamedOnce) {
  const absl::StatusOr<ImportResult> result =
      Import("huggingface", R"({"min_length": 4, "eos_token_id": 2})");
  ASSERT_THAT(result, IsOk());
  EXPECT_THAT(result->text, HasSubstr("\n# /min_length: 4, /eos_token_id: 2.\n"));
}

TEST(ImportChainTest, EmptyTextIsAnError) {
  for (const absl::string_view text : {"", " \n\t", "\xEF\xBB\xBF\n"}) {
    EXPECT_THAT(Import("llama_cpp", text),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         "f: is empty; it must be a llama.cpp command line or server request"));
    EXPECT_THAT(Import("minfer", text), StatusIs(absl::StatusCode::kInvalidArgument,
                                                 "f: is empty; it must be a minfer command line"));
  }
}

TEST(ImportChainTest, EmptyTextIsNoJson) {
  EXPECT_THAT(Import("openai", ""), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(Import("vllm", " \n"), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace logitchain
