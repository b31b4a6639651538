#include "logitchain/cli/import/huggingface_table.h"

#include "logitchain/cli/import/import_table.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

using enum ValueKind;

constexpr char kNeedsPrompt[] = "a chain does not know the encoder's input";
constexpr char kBeams[] = "a chain has no beams";

// src/transformers/generation/configuration_utils.py and the making of its logits processors in
// utils.py. The group "sampling" is of those that are made only if do_sample is true.
constexpr ParameterRow kParameters[] = {
    {.key = "do_sample", .kind = kSwitch},
    {.key = "repetition_penalty",
     .kind = kNumber,
     .neutral = "[1, 1]",
     .targets = "repetition_penalty.penalty"},
    {.key = "suppress_tokens", .kind = kIds, .targets = "suppress_tokens.ids"},
    {.key = "temperature",
     .kind = kNumber,
     .neutral = "[1, 1]",
     .targets = "temperature.temperature",
     .group = "sampling"},
    {.key = "top_k",
     .kind = kWhole,
     .neutral = "[0, 0]",
     .targets = "top_k.k",
     .default_value = "50",
     .group = "sampling"},
    {.key = "top_p",
     .kind = kNumber,
     .neutral = "[1, 1]",
     .targets = "top_p.p",
     .group = "sampling"},
    {.key = "min_p",
     .kind = kNumber,
     .neutral = "[0, 0]",
     .targets = "min_p.p",
     .group = "sampling"},
    {.key = "typical_p",
     .kind = kNumber,
     .neutral = "[1, inf)",
     .targets = "typical.p",
     .group = "sampling"},
    {.key = "epsilon_cutoff",
     .kind = kNumber,
     .neutral = "[0, 0]",
     .targets = "epsilon_cutoff.epsilon",
     .group = "sampling"},
    {.key = "eta_cutoff",
     .kind = kNumber,
     .neutral = "[0, 0]",
     .targets = "eta_cutoff.epsilon",
     .group = "sampling"},
    {.key = "top_h",
     .kind = kNumber,
     .neutral = "[1, 1]",
     .targets = "top_h.h",
     .group = "sampling"},
    {.key = "no_repeat_ngram_size",
     .kind = kWhole,
     .neutral = "[0, 0]",
     .targets = "no_repeat_ngram.size"},
    {.key = "bad_words_ids", .kind = kAny},
    {.key = "sequence_bias", .kind = kAny},
    {.key = "begin_suppress_tokens", .kind = kIds, .targets = "begin_suppress.ids"},
    {.key = "forced_bos_token_id", .kind = kWhole},
    {.key = "forced_eos_token_id", .kind = kAny},
    {.key = "forced_decoder_ids", .kind = kAny},
    {.key = "min_length", .kind = kWhole, .neutral = "[0, 0]"},
    {.key = "min_new_tokens",
     .kind = kWhole,
     .neutral = "[0, 0]",
     .why = "`logitchain generate` does the same by its flag --min_tokens"},
    {.key = "exponential_decay_length_penalty", .kind = kAny},
    {.key = "watermarking_config", .kind = kAny},
    {.key = "encoder_repetition_penalty",
     .kind = kNumber,
     .neutral = "[1, 1]",
     .why = kNeedsPrompt},
    {.key = "encoder_no_repeat_ngram_size",
     .kind = kWhole,
     .neutral = "[0, 0]",
     .why = kNeedsPrompt},
    {.key = "remove_invalid_values",
     .kind = kSwitch,
     .why = "it replaces NaN by 0; a chain's `on_bad_logits: REMOVE` removes such tokens"},
    {.key = "guidance_scale",
     .kind = kNumber,
     .neutral = "(-inf, 1]",
     .why = "it needs logits of a second prompt"},
    {.key = "token_healing", .kind = kSwitch, .why = "it changes the prompt"},
    {.key = "num_beams", .kind = kWhole, .neutral = "[1, 1]", .why = kBeams},
    {.key = "num_beam_groups", .kind = kWhole, .neutral = "[1, 1]", .why = kBeams},
    {.key = "diversity_penalty", .kind = kNumber, .neutral = "[0, 0]", .why = kBeams},
    {.key = "constraints", .kind = kAny, .why = kBeams},
    {.key = "force_words_ids", .kind = kAny, .why = kBeams},
    {.key = "penalty_alpha",
     .kind = kNumber,
     .neutral = "[0, 0]",
     .why = "contrastive search needs the model's hidden states"},
    {.key = "dola_layers", .kind = kAny, .why = "it needs the logits of the model's other layers"},
};

constexpr OtherRow kOthers[] = {
    {"max_new_tokens", "--max_tokens="},
    {"stop_strings", "--stop"},
    {"num_return_sequences", "--n="},
    {"max_length max_time early_stopping length_penalty low_memory renormalize_logits"},
    {"pad_token_id bos_token_id eos_token_id decoder_start_token_id"},
    {"use_cache cache_implementation cache_config return_legacy_cache prefill_chunk_size"},
    {"output_attentions output_hidden_states output_scores output_logits return_dict_in_generate"},
    {"is_assistant num_assistant_tokens num_assistant_tokens_schedule assistant_early_exit"},
    {"assistant_confidence_threshold assistant_lookbehind target_lookbehind"},
    {"prompt_lookup_num_tokens max_matching_ngram_size use_model_defaults"},
    {"compile_config disable_compile transformers_version"},
    {"_from_model_config _commit_hash _original_object_hash trust_remote_code"},
};

constexpr ImportTable kTable = {
    .name = "huggingface",
    .system = "Hugging Face",
    .input = "a Hugging Face generation_config.json",
    .dialect = ChainConfig::HUGGING_FACE,
    .dialect_comment = "Float32, in the order of transformers' logits processors.",
    .draw_comment = "A seed gives other tokens than in transformers: its generator is PyTorch's.",
    .parameters = kParameters,
    .others = kOthers,
    .reads_json = true,
    .sampling_switch = "do_sample",
    .null_is_off = true,
};

}  // namespace

const ImportTable& HuggingFaceTable() { return kTable; }

}  // namespace logitchain
