#include "logitchain/cli/import/openai_table.h"

#include "logitchain/cli/import/generate_rows.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

using enum ValueKind;

// The API reference of "Create chat completion" and "Create completion".
constexpr ParameterRow kParameters[] = {
    {.key = "presence_penalty",
     .kind = kNumber,
     .neutral = "[0, 0]",
     .targets = "presence_frequency_penalty.presence"},
    {.key = "frequency_penalty",
     .kind = kNumber,
     .neutral = "[0, 0]",
     .targets = "presence_frequency_penalty.frequency"},
    {.key = "temperature",
     .kind = kNumber,
     .neutral = "[1, 1]",
     .targets = "temperature.temperature"},
    {.key = "top_p", .kind = kNumber, .neutral = "[1, 1]", .targets = "top_p.p"},
    {.key = "seed", .kind = kWhole, .targets = "draw.seed"},
    {.key = "logit_bias", .kind = kBiases, .targets = "logit_bias.token"},
    {.key = "best_of", .kind = kWhole, .neutral = "[1, 1]"},
    {.key = "response_format", .kind = kAny, .neutral = R"({"type":"text"})", .empty_counts = true},
    ResponseSchemaRow(),
    ResponseJsonRow(),
    ToolChoiceRow("tool_choice"),
    ToolChoiceRow("function_call"),
    MaxTokensRow("max_tokens"),
    MaxTokensRow("max_completion_tokens"),
    StopRow("stop"),
    CompletionsRow("n"),
    LogprobsRow("logprobs"),
    TopLogprobsRow("top_logprobs"),
    PromptRow("prompt"),
};

constexpr OtherRow kOthers[] = {
    {"model messages suffix echo stream stream_options user metadata store service_tier"},
    {"tools parallel_tool_calls functions web_search_options"},
    {"modalities audio prediction reasoning_effort verbosity moderation"},
    {"safety_identifier prompt_cache_key prompt_cache_retention"},
};

constexpr ImportTable kTable = {
    .name = "openai",
    .system = "OpenAI",
    .input = "an OpenAI request",
    .dialect = ChainConfig::SPEC,
    .dialect_comment =
        "OpenAI does not publish its arithmetic. SPEC does what the API reference says of the "
        "parameters: the penalties count the tokens of the output and are subtracted from the "
        "logits, temperature 0 is greedy, and top_p keeps the tokens that make up that mass.",
    .draw_comment = "OpenAI's own draws cannot be repeated: its generator is not published.",
    .parameters = kParameters,
    .others = kOthers,
    .reads_json = true,
};

}  // namespace

const ImportTable& OpenAiTable() { return kTable; }

}  // namespace logitchain
