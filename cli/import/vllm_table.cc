#include "logitchain/cli/import/vllm_table.h"

#include "logitchain/cli/import/generate_rows.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

using enum ValueKind;

constexpr char kSchema[] = "grammar_mask.json_schema";
constexpr char kRegex[] = "grammar_mask.regex";
constexpr char kChoice[] = "grammar_mask.choice";
constexpr char kGbnf[] = "grammar_mask.gbnf";
constexpr char kWhiteSpace[] =
    "of white space a grammar_mask has the largest number of characters only, max_white_space";

// vllm/sampling_params.py. What older releases had is here too.
constexpr ParameterRow kParameters[] = {
    {.key = "allowed_token_ids", .kind = kIds, .targets = "grammar_mask.allowed_ids"},
    {.key = "repetition_penalty",
     .kind = kNumber,
     .neutral = "[1, 1]",
     .targets = "repetition_penalty.penalty"},
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
    {.key = "min_p", .kind = kNumber, .neutral = "[0, 0]", .targets = "min_p.p"},
    {.key = "top_k", .kind = kWhole, .neutral = "[-1, 0]", .targets = "top_k.k"},
    {.key = "top_p", .kind = kNumber, .neutral = "[1, 1]", .targets = "top_p.p"},
    {.key = "seed",
     .kind = kWhole,
     .targets = "draw.seed",
     .refused = "[-1,-1]",
     .why = "it means a random seed in vLLM; a chain's seed is always a given one"},
    {.key = "logit_bias", .kind = kBiases, .targets = "logit_bias.token"},
    {.key = "bad_words",
     .kind = kAny,
     .why = "words need vLLM's tokenizer; a chain has token ids only"},
    {.key = "min_tokens",
     .kind = kWhole,
     .neutral = "[0, 0]",
     .why = "`logitchain generate` does the same by its flag --min_tokens"},
    {.key = "structured_outputs", .kind = kAny, .empty_counts = true},
    {.key = "structured_outputs.json", .kind = kJson, .targets = kSchema, .empty_counts = true},
    {.key = "structured_outputs.json_object", .kind = kSwitch, .targets = "grammar_mask.json"},
    {.key = "structured_outputs.regex", .kind = kText, .targets = kRegex, .empty_counts = true},
    {.key = "structured_outputs.choice", .kind = kTexts, .targets = kChoice, .empty_counts = true},
    {.key = "structured_outputs.grammar", .kind = kText, .targets = kGbnf, .empty_counts = true},
    {.key = "structured_outputs.disable_fallback", .kind = kSwitch},
    {.key = "structured_outputs.disable_any_whitespace", .kind = kSwitch, .why = kWhiteSpace},
    {.key = "structured_outputs.disable_additional_properties", .kind = kSwitch},
    {.key = "structured_outputs.whitespace_pattern", .kind = kText, .why = kWhiteSpace},
    {.key = "structured_outputs.structural_tag", .kind = kAny},
    {.key = "guided_decoding", .kind = kAny, .empty_counts = true},
    {.key = "guided_decoding.json", .kind = kJson, .targets = kSchema, .empty_counts = true},
    {.key = "guided_decoding.json_object", .kind = kSwitch, .targets = "grammar_mask.json"},
    {.key = "guided_decoding.regex", .kind = kText, .targets = kRegex, .empty_counts = true},
    {.key = "guided_decoding.choice", .kind = kTexts, .targets = kChoice, .empty_counts = true},
    {.key = "guided_decoding.grammar", .kind = kText, .targets = kGbnf, .empty_counts = true},
    {.key = "guided_decoding.disable_fallback", .kind = kSwitch},
    {.key = "guided_decoding.disable_any_whitespace", .kind = kSwitch, .why = kWhiteSpace},
    {.key = "guided_decoding.disable_additional_properties", .kind = kSwitch},
    {.key = "guided_decoding.whitespace_pattern", .kind = kText, .why = kWhiteSpace},
    {.key = "guided_decoding.structural_tag", .kind = kAny},
    {.key = "guided_json", .kind = kJson, .targets = kSchema, .empty_counts = true},
    {.key = "guided_regex", .kind = kText, .targets = kRegex, .empty_counts = true},
    {.key = "guided_choice", .kind = kTexts, .targets = kChoice, .empty_counts = true},
    {.key = "guided_grammar", .kind = kText, .targets = kGbnf, .empty_counts = true},
    {.key = "guided_whitespace_pattern", .kind = kText, .why = kWhiteSpace},
    {.key = "response_format", .kind = kAny, .neutral = R"({"type":"text"})", .empty_counts = true},
    ResponseSchemaRow(),
    ResponseJsonRow(),
    {.key = "thinking_token_budget", .kind = kWhole, .neutral = "[-1, -1]"},
    {.key = "repetition_detection", .kind = kAny},
    {.key = "trace_decode_token_ids", .kind = kIds},
    {.key = "logits_processors", .kind = kAny},
    {.key = "extra_args", .kind = kAny},
    {.key = "use_beam_search", .kind = kSwitch},
    {.key = "best_of", .kind = kWhole, .neutral = "[1, 1]"},
    ToolChoiceRow("tool_choice"),
    MaxTokensRow("max_tokens"),
    MaxTokensRow("max_completion_tokens"),
    StopRow("stop"),
    CompletionsRow("n"),
    LogprobsRow("logprobs"),
    TopLogprobsRow("top_logprobs"),
    PromptRow("prompt"),
};

constexpr OtherRow kOthers[] = {
    {"stop_token_ids include_stop_str_in_output ignore_eos early_stopping length_penalty"},
    {"prompt_logprobs prompt_logprob_token_ids prompt_logprob_start logprob_token_ids"},
    {"flat_logprobs detokenize skip_special_tokens spaces_between_special_tokens"},
    {"output_kind stream_interval skip_clone output_text_buffer_length truncate_prompt_tokens"},
    {"skip_reading_prefix_cache routed_experts_prompt_start add_special_tokens echo"},
    {"model messages stream stream_options user priority request_id return_tokens_as_token_ids"},
    {"add_generation_prompt chat_template chat_template_kwargs tools guided_decoding_backend"},
    {"guided_decoding.backend structured_outputs.backend"},
};

constexpr ImportTable kTable = {
    .name = "vllm",
    .system = "vLLM",
    .input = "vLLM's SamplingParams",
    .dialect = ChainConfig::VLLM,
    .dialect_comment = "Float32, in the order of vLLM's V1 sampler.",
    .draw_comment = "A seed gives other tokens than in vLLM: its generator is PyTorch's.",
    .parameters = kParameters,
    .others = kOthers,
    .reads_json = true,
};

}  // namespace

const ImportTable& VllmTable() { return kTable; }

}  // namespace logitchain
