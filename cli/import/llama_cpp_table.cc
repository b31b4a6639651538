#include "logitchain/cli/import/llama_cpp_table.h"

#include "logitchain/cli/import/generate_rows.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

using enum ValueKind;

constexpr char kContextSize[] =
    "it means the size of the context in llama.cpp, which is not known here; give a number of "
    "tokens";
// common/common.h has the defaults, common/arg.cpp the flags, tools/server the requests.
constexpr ParameterRow kParameters[] = {
    {.key = "logit_bias", .kind = kBiases, .targets = "logit_bias.token"},
    {.key = "ignore_eos",
     .kind = kSwitch,
     .why = "it removes the model's end tokens, whose ids are not known here"},
    {.key = "repeat_penalty",
     .kind = kNumber,
     .neutral = "[1, 1]",
     .targets = "repetition_penalty.penalty",
     .group = "penalties"},
    {.key = "presence_penalty",
     .kind = kNumber,
     .neutral = "[0, 0]",
     .targets = "presence_frequency_penalty.presence",
     .group = "penalties"},
    {.key = "frequency_penalty",
     .kind = kNumber,
     .neutral = "[0, 0]",
     .targets = "presence_frequency_penalty.frequency",
     .group = "penalties"},
    {.key = "repeat_last_n",
     .kind = kWhole,
     .targets = "repetition_penalty.window presence_frequency_penalty.window",
     .masters = "repeat_penalty presence_penalty frequency_penalty",
     .group = "penalties",
     .refused = "[-1,-1]",
     .why = kContextSize},
    {.key = "dry_multiplier",
     .kind = kNumber,
     .neutral = "[0, 0]",
     .targets = "dry.multiplier",
     .group = "dry"},
    {.key = "dry_base",
     .kind = kNumber,
     .targets = "dry.base",
     .masters = "dry_multiplier",
     .group = "dry",
     .refused = "(-inf,1)",
     .why = "below 1 it turns DRY off in llama.cpp; leave out dry_multiplier for that"},
    {.key = "dry_allowed_length",
     .kind = kWhole,
     .targets = "dry.allowed_length",
     .masters = "dry_multiplier",
     .group = "dry"},
    {.key = "dry_penalty_last_n",
     .kind = kWhole,
     .targets = "dry.window",
     .default_value = "64",
     .masters = "dry_multiplier",
     .group = "dry",
     .refused = "[-1,-1]",
     .why = kContextSize},
    {.key = "dry_sequence_breakers",
     .kind = kTexts,
     .targets = "dry.sequence_breaker_texts",
     .default_value = "\n : \" *",
     .masters = "dry_multiplier",
     .group = "dry"},
    {.key = "top_n_sigma",
     .kind = kNumber,
     .neutral = "(-inf, 0]",
     .targets = "top_n_sigma.n",
     .group = "top_n_sigma"},
    {.key = "top_k",
     .kind = kWhole,
     .neutral = "(-inf, 0]",
     .targets = "top_k.k",
     .default_value = "40",
     .group = "top_k"},
    {.key = "typical_p",
     .kind = kNumber,
     .neutral = "[1, inf)",
     .targets = "typical.p",
     .group = "typ_p"},
    {.key = "top_p",
     .kind = kNumber,
     .neutral = "[1, inf)",
     .targets = "top_p.p",
     .default_value = "0.95",
     .group = "top_p"},
    {.key = "min_p",
     .kind = kNumber,
     .neutral = "(-inf, 0]",
     .targets = "min_p.p",
     .default_value = "0.05",
     .group = "min_p"},
    {.key = "xtc_probability",
     .kind = kNumber,
     .neutral = "(-inf, 0]",
     .targets = "xtc.probability",
     .group = "xtc"},
    {.key = "xtc_threshold",
     .kind = kNumber,
     .targets = "xtc.threshold",
     .masters = "xtc_probability",
     .group = "xtc"},
    {.key = "min_keep",
     .kind = kWhole,
     .neutral = "(-inf, 1]",
     .targets = "typical.min_keep top_p.min_keep min_p.min_keep xtc.min_keep",
     .masters = "typical_p top_p min_p xtc_probability"},
    {.key = "temperature",
     .kind = kNumber,
     .neutral = "[1, 1]",
     .targets = "temperature.temperature",
     .default_value = "0.8",
     .group = "temperature"},
    {.key = "dynatemp_range",
     .kind = kNumber,
     .neutral = "(-inf, 0]",
     .targets = "dynamic_temperature.range",
     .group = "temperature"},
    {.key = "dynatemp_exponent",
     .kind = kNumber,
     .targets = "dynamic_temperature.exponent",
     .masters = "dynatemp_range",
     .group = "temperature"},
    {.key = "mirostat", .kind = kWhole, .neutral = "[0, 0]"},
    {.key = "mirostat_tau",
     .kind = kNumber,
     .targets = "draw.mirostat.tau draw.mirostat_v2.tau",
     .masters = "mirostat"},
    {.key = "mirostat_eta",
     .kind = kNumber,
     .targets = "draw.mirostat.eta draw.mirostat_v2.eta",
     .masters = "mirostat"},
    {.key = "adaptive_target",
     .kind = kNumber,
     .neutral = "(-inf, 0)",
     .targets = "draw.adaptive_p.target",
     .group = "adaptive_p"},
    {.key = "adaptive_decay",
     .kind = kNumber,
     .targets = "draw.adaptive_p.decay",
     .masters = "adaptive_target",
     .group = "adaptive_p"},
    {.key = "grammar", .kind = kText, .targets = "grammar_mask.gbnf"},
    {.key = "grammar_file",
     .kind = kText,
     .targets = "grammar_mask.gbnf_file",
     .empty_counts = true},
    {.key = "json_schema",
     .kind = kJson,
     .targets = "grammar_mask.json_schema",
     .empty_counts = true},
    {.key = "json_schema_file",
     .kind = kText,
     .targets = "grammar_mask.json_schema_file",
     .empty_counts = true},
    {.key = "response_format", .kind = kAny, .neutral = R"({"type":"text"})"},
    ResponseSchemaRow(),
    ResponseJsonRow(),
    {.key = "reasoning_budget_tokens", .kind = kWhole, .neutral = "[-1, -1]"},
    {.key = "samplers", .kind = kSamplers},
    {.key = "seed",
     .kind = kWhole,
     .targets = "draw.seed",
     .refused = "[-1,-1] [4294967295,4294967295]",
     .why = "it means a random seed in llama.cpp; a chain's seed is always a given one"},
    ToolChoiceRow("tool_choice"),
    // -1: without end; -2: as many as the context holds.
    {.key = "n_predict",
     .kind = kWhole,
     .neutral = "[-2, -1]",
     .range = "[-2, 1048576]",
     .generate_flag = "--max_tokens="},
    {.key = "max_tokens",
     .kind = kWhole,
     .neutral = "[-2, -1]",
     .range = "[-2, 1048576]",
     .generate_flag = "--max_tokens="},
    MaxTokensRow("max_completion_tokens", "[0, 1048576]"),
    StopRow("stop"),
    CompletionsRow("n_cmpl"),
    CompletionsRow("n"),
    TopLogprobsRow("n_probs"),
    LogprobsRow("logprobs"),
    TopLogprobsRow("top_logprobs"),
    PromptRow("prompt"),
};

constexpr SamplerRow kSamplerRows[] = {
    {"e", "penalties", "penalties"},
    {"d", "dry", "dry"},
    {"s", "top_n_sigma top-n-sigma", "top_n_sigma"},
    {"k", "top_k top-k", "top_k"},
    {"y", "typ_p typical typical_p typical-p typ-p typ", "typ_p"},
    {"p", "top_p top-p nucleus", "top_p"},
    {"m", "min_p min-p", "min_p"},
    {"x", "xtc", "xtc"},
    {"t", "temperature temp", "temperature"},
    {.letter = "a", .names = "adaptive_p adaptive-p", .group = "adaptive_p", .is_extra = true},
    {"i", "infill", ""},
};

// With mirostat only the temperature, without a range, comes before the draw.
constexpr char kNotBesideMirostat[] =
    "samplers penalties dry top_n_sigma top_k typ_p top_p min_p xtc adaptive_p dynatemp_range";

constexpr TerminalRow kTerminals[] = {
    {"mirostat", "1", "mirostat", kNotBesideMirostat},
    {"mirostat", "2", "mirostat_v2", kNotBesideMirostat},
};

constexpr OtherRow kOthers[] = {
    {"model messages stream stream_options user tools"},
    {"n_indent n_keep n_discard n_cache_reuse cache_prompt id_slot t_max_predict_ms"},
    {"t_max_prompt_ms return_tokens return_progress response_fields timings_per_token"},
    {"post_sampling_probs backend_sampling lora speculative.n_max speculative.n_min"},
    {"speculative.p_min speculative.type grammar_lazy grammar_triggers preserved_tokens"},
    {"chat_format reasoning_format reasoning_in_content thinking_forced_open parse_tool_calls"},
    {"chat_parser chat_template_kwargs reasoning_budget_start_tag reasoning_budget_end_tag"},
    {"reasoning_budget_message add_generation_prompt input_prefix input_suffix input_extra"},
};

constexpr FlagRow kFlags[] = {
    {"-l --logit-bias", "logit_bias"},
    {.names = "--ignore-eos", .key = "ignore_eos", .values = 0},
    {"--repeat-penalty", "repeat_penalty"},
    {"--presence-penalty", "presence_penalty"},
    {"--frequency-penalty", "frequency_penalty"},
    {"--repeat-last-n", "repeat_last_n"},
    {"--dry-multiplier", "dry_multiplier"},
    {"--dry-base", "dry_base"},
    {"--dry-allowed-length", "dry_allowed_length"},
    {"--dry-penalty-last-n", "dry_penalty_last_n"},
    {"--dry-sequence-breaker", "dry_sequence_breakers"},
    {"--top-nsigma --top-n-sigma", "top_n_sigma"},
    {"--top-k", "top_k"},
    {"--typical --typical-p", "typical_p"},
    {"--top-p", "top_p"},
    {"--min-p", "min_p"},
    {"--xtc-probability", "xtc_probability"},
    {"--xtc-threshold", "xtc_threshold"},
    {"--temp --temperature", "temperature"},
    {"--dynatemp-range", "dynatemp_range"},
    {"--dynatemp-exp", "dynatemp_exponent"},
    {"--mirostat", "mirostat"},
    {"--mirostat-ent", "mirostat_tau"},
    {"--mirostat-lr", "mirostat_eta"},
    {"--adaptive-target", "adaptive_target"},
    {"--adaptive-decay", "adaptive_decay"},
    {"--grammar", "grammar"},
    {"--grammar-file", "grammar_file"},
    {"-j --json-schema", "json_schema"},
    {"-jf --json-schema-file", "json_schema_file"},
    {"--reasoning-budget", "reasoning_budget_tokens"},
    {.names = "--samplers", .key = "samplers", .is_list = true},
    {"--sampler-seq --sampling-seq", "samplers"},
    {"-s --seed", "seed"},

    {"-n --predict --n-predict", "n_predict"},
    {.names = "-r --reverse-prompt", .key = "stop", .is_escaped = true},
    {"-p --prompt", "prompt"},

    // Of the model, the machine, the server and the terminal.
    {.names = "-m --model -mu --model-url -dr --docker-repo -hf -hfr --hf-repo -hff --hf-file -hft "
              "--hf-token -hfd -hfrd --hf-repo-draft -hfv -hfrv --hf-repo-v -hffv --hf-file-v -t "
              "--threads -tb --threads-batch -C --cpu-mask -Cr --cpu-range --cpu-strict --prio "
              "--poll -Cb --cpu-mask-batch -Crb --cpu-range-batch --cpu-strict-batch --prio-batch "
              "--poll-batch -c --ctx-size -b --batch-size -ub --ubatch-size --keep --rope-scaling "
              "--rope-scale --rope-freq-base --rope-freq-scale --yarn-orig-ctx --yarn-ext-factor "
              "--yarn-attn-factor --yarn-beta-slow --yarn-beta-fast -ctk --cache-type-k -ctv "
              "--cache-type-v -dt --defrag-thold -np --parallel --rpc -lm --load-mode -lzm "
              "--lazy-mode --numa -dev --device -ot --override-tensor -ncmoe --n-cpu-moe "
              "--moe-cache-mib -ncffn --n-cpu-ffn -ngl --gpu-layers --n-gpu-layers -sm "
              "--split-mode -ts --tensor-split -mg --main-gpu -fitt --fit-target -fitc --fit-ctx "
              "--override-kv --lora --lora-scaled --control-vector --control-vector-scaled "
              "--log-file -lv --verbosity --log-verbosity -f --file -bf --binary-file -sys "
              "--system-prompt -sysf --system-prompt-file -ptc --print-token-count --prompt-cache "
              "--in-prefix --in-suffix -gan --grp-attn-n -gaw --grp-attn-w --reasoning-format "
              "--reasoning-effort --reasoning-budget-message --chat-template "
              "--chat-template-file --chat-template-kwargs",
     .key = ""},
    {.names =
         "-lcs --lookup-cache-static -lcd --lookup-cache-dynamic --kv-unified-per-slot -ctxcp "
         "--ctx-checkpoints --swa-checkpoints -cms --checkpoint-min-step -cram --cache-ram "
         "--pooling -mm --mmproj -mmu --mmproj-url -mmdev --mmproj-device --image "
         "--image-min-tokens --image-max-tokens --mtmd-batch-max-tokens --video-fps "
         "--video-timestamp-interval --video-ffmpeg-dir -a --alias --tags --embd-normalize "
         "--host --port --path --cors-origins --cors-methods --cors-headers --api-prefix "
         "--ui-config --webui-config --ui-config-file --webui-config-file --tools "
         "--tools-runtime --mcp-servers-config --mcp-servers-json --api-key --api-key-file "
         "--ssl-key-file --ssl-cert-file -to --timeout --sse-ping-interval --threads-http "
         "--cache-reuse --slot-save-path --media-path --models-dir --models-preset "
         "--models-max -md --model-draft -ngld --gpu-layers-draft --n-gpu-layers-draft --draft "
         "--draft-n --draft-max --draft-min --draft-n-min --draft-p-min --draft-p-split -cd "
         "--ctx-size-draft -devd --device-draft -td --threads-draft -tbd "
         "--threads-batch-draft -ctkd --cache-type-k-draft -ctvd --cache-type-v-draft -sps "
         "--slot-prompt-similarity --sleep-idle-seconds",
     .key = ""},
    {.names =
         "--verbose-prompt --swa-full --perf --no-perf -e --escape --no-escape -kvo "
         "--kv-offload -nkvo --no-kv-offload --repack -nr --no-repack --no-host --mlock --mmap "
         "--no-mmap -dio --direct-io -ndio --no-direct-io -cmoe --cpu-moe --check-tensors "
         "--op-offload --no-op-offload --log-disable --log-jsonl --no-log-jsonl -v --verbose "
         "--log-verbose --offline --log-prefix --no-log-prefix --log-timestamps "
         "--no-log-timestamps --display-prompt --no-display-prompt --context-shift "
         "--no-context-shift --prompt-cache-all --prompt-cache-ro -sp --special -cnv "
         "--conversation -no-cnv --no-conversation -st --single-turn -i --interactive -if "
         "--interactive-first -mli --multiline-input --in-prefix-bos --warmup --no-warmup "
         "--jinja --no-jinja --skip-chat-parsing --no-skip-chat-parsing --simple-io "
         "-bs --backend-sampling",
     .key = "",
     .values = 0},
    {.names = "-h --help --usage --version --license -cl --cache-list --completion-bash "
              "--list-devices -kvu --kv-unified -no-kvu --no-kv-unified --cache-idle-slots "
              "--no-cache-idle-slots --spm-infill -cb --cont-batching -nocb --no-cont-batching "
              "--mmproj-auto --no-mmproj --no-mmproj-auto --mmproj-offload --no-mmproj-offload "
              "--reuse-port --cors-credentials --no-cors-credentials --ui-mcp-proxy "
              "--webui-mcp-proxy --no-ui-mcp-proxy --no-webui-mcp-proxy -ag --agent -no-ag "
              "--no-agent --ui --webui --no-ui --no-webui --embedding --embeddings --rerank "
              "--reranking --cache-prompt --no-cache-prompt --metrics --props --slots --no-slots "
              "--models-autoload --no-models-autoload --reasoning-preserve --no-reasoning-preserve "
              "--lora-init-without-apply --prefill-assistant --no-prefill-assistant",
     .key = "",
     .values = 0},
    // Older releases had these without a value.
    {.names = "-fa --flash-attn -fit --fit --log-colors -co --color -rea --reasoning",
     .key = "",
     .values = FlagRow::kOptionalWord},
    {.names = "--control-vector-layer-range", .key = "", .values = 2},
};

constexpr ImportTable kTable = {
    .name = "llama_cpp",
    .system = "llama.cpp",
    .input = "a llama.cpp command line or server request",
    .dialect = ChainConfig::LLAMA_CPP,
    .dialect_comment =
        "Float32; sums and the draw run over the candidates as llama.cpp's rules "
        "leave them.",
    .draw_comment = "The same seed and logits give llama.cpp's tokens.",
    .parameters = kParameters,
    .others = kOthers,
    .reads_json = true,
    .flags = kFlags,
    .samplers = kSamplerRows,
    .terminals = kTerminals,
    .flags_take_underscores = true,
    .variable_prefix = "LLAMA_ARG_",
};

}  // namespace

const ImportTable& LlamaCppTable() { return kTable; }

}  // namespace logitchain
