#include "logitchain/cli/import/minfer_table.h"

#include "logitchain/cli/import/generate_rows.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {
namespace {

using enum ValueKind;

// minfer, commit f9bc1e18, src/main.rs.
constexpr ParameterRow kParameters[] = {
    {.key = "presence_penalty",
     .kind = kNumber,
     .neutral = "[0, 0]",
     .targets = "presence_frequency_penalty.presence"},
    {.key = "frequency_penalty",
     .kind = kNumber,
     .neutral = "[0, 0]",
     .targets = "presence_frequency_penalty.frequency"},
    {.key = "repeat_penalty",
     .kind = kNumber,
     .neutral = "[1, 1]",
     .targets = "repetition_penalty.penalty",
     .default_value = "1.1"},
    {.key = "top_k",
     .kind = kWhole,
     .neutral = "[0, 0]",
     .targets = "top_k.k",
     .default_value = "40"},
    {.key = "top_p",
     .kind = kNumber,
     .neutral = "[1, inf)",
     .targets = "top_p.p",
     .default_value = "0.95"},
    {.key = "temperature",
     .kind = kNumber,
     .neutral = "[1, 1]",
     .targets = "temperature.temperature",
     .default_value = "0.8"},
    {.key = "seed", .kind = kWhole, .targets = "draw.seed", .default_value = "42"},
    MaxTokensRow("n_predict", "[0, 1048576]"),
    StopRow("stop"),
};

constexpr FlagRow kFlags[] = {
    {"--presence-penalty", "presence_penalty"},
    {"--frequency-penalty", "frequency_penalty"},
    {"--repeat-penalty", "repeat_penalty"},
    {"--top-k", "top_k"},
    {"--top-p", "top_p"},
    {"--temp -t", "temperature"},
    {.names = "--greedy", .key = "temperature", .values = 0, .value = "0"},
    {"--seed", "seed"},
    {"-n --n-predict", "n_predict"},
    {"--stop", "stop"},
    {"--system --session --color --port --n-ctx --n-slots --dump-graph", ""},
    {.names = "--meta --no-template --cnv --conversation -st --single-turn -mli --multiline-input "
              "--graph --server -h --help -V --version",
     .key = "",
     .values = 0},
};

constexpr ImportTable kTable = {
    .name = "minfer",
    .system = "minfer",
    .input = "a minfer command line",
    .dialect = ChainConfig::MINFER,
    .dialect_comment =
        "Float32, in minfer's order; the penalties see the last 64 tokens of prompt and output.",
    .draw_comment =
        "The same seed and logits give minfer's tokens, except where rounding leaves "
        "none: minfer then returns the last one of the vocabulary, which this chain "
        "does with minfer_last_id_fallback: true only.",
    .parameters = kParameters,
    .flags = kFlags,
    .takes_arguments = true,
};

}  // namespace

const ImportTable& MinferTable() { return kTable; }

}  // namespace logitchain
