#ifndef LOGITCHAIN_CLI_IMPORT_IMPORT_TABLE_H_
#define LOGITCHAIN_CLI_IMPORT_IMPORT_TABLE_H_

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/proto/chain.pb.h"

namespace logitchain {

// What a parameter's value must be.
enum class ValueKind {
  kNumber,
  kWhole,
  kSwitch,
  kText,
  kIds,
  kIdOrIds,
  kSequences,        // Lists of token ids.
  kBiasedSequences,  // The same, each with what is added to the logit of its last one.
  kBiases,  // Token ids with what is added to their logits; false in place of a number bans one.
  kPair,    // Two numbers, one for each target.
  kTexts,
  kTextOrTexts,    // None of a list may be empty.
  kSwitchOrWhole,  // A switch, or a number.
  kSamplers,
  kJson,  // Any JSON, or a text of some; a field gets the text.
  kAny,
};

// A parameter of another system that is about sampling. When logitchain gets a rule for one that
// cannot be honoured, `targets` is what there is to add.
struct ParameterRow {
  absl::string_view key;  // As in JSON.
  ValueKind kind;
  // Where the parameter does nothing: an interval of numbers, or compact JSON texts, separated by
  // spaces. An empty list, object or string and false do nothing either, unless empty_counts.
  absl::string_view neutral;
  // The fields that it sets, separated by spaces: "top_k.k", "draw.seed"; with "=true" behind it
  // one that becomes true. Without one the parameter cannot be honoured unless it does nothing.
  absl::string_view targets;
  // What an absent parameter means, where that is not nothing; texts are separated by spaces.
  absl::string_view default_value;
  // Keys, separated by spaces, of parameters above: this one does nothing unless one of them does
  // something, and sets only fields of rules and terminals that they have made.
  absl::string_view masters;
  // Keys, separated by spaces, of parameters that take its place if they are given.
  absl::string_view overridden_by;
  // The part of the system's sampler that reads it; the file may say to leave that out.
  absl::string_view group;
  // Whether it is about more than a chain, and not worth a word where no master does something.
  bool is_shared = false;
  // Whether it does something by being there: an empty list, object or string is none of its
  // neutral values.
  bool empty_counts = false;
  // The key of a parameter that must be given too, or have a default.
  absl::string_view needs;
  // Whether it just does nothing without that one.
  bool is_idle_alone = false;
  // Intervals, separated by spaces, of numbers that cannot be honoured, and why; without intervals,
  // why the parameter cannot, unless `import` just has no translation for it.
  absl::string_view refused;
  absl::string_view why;
  // Where numbers must be, if no field's range says that.
  absl::string_view range;
  // For a parameter that is not of the chain: the flag of `logitchain generate` that does the same,
  // with = at its end if it takes the value.
  absl::string_view generate_flag;
};

// Parameters that are no part of a chain.
struct OtherRow {
  absl::string_view keys;  // Separated by spaces.
};

// Spellings of a parameter on a command line.
struct FlagRow {
  // The flag takes the word behind it only if that is on, off or auto.
  static constexpr int kOptionalWord = -1;

  absl::string_view names;  // Separated by spaces.
  absl::string_view key;    // Of a ParameterRow or OtherRow; "" is no part of a chain.
  int values = 1;           // The words behind it that belong to it.
  absl::string_view value;  // What a flag without values stands for; "" is true.
  bool is_list = false;     // The value is a list, separated by ;.
  bool is_escaped = false;  // The value is a text with the escapes of C.
};

// One rule of a system whose rules' order can be given.
struct SamplerRow {
  absl::string_view letter;
  absl::string_view names;  // Separated by spaces.
  absl::string_view group;  // Of ParameterRows; "" cannot be honoured.
  bool is_extra = false;    // It is not in the system's own order.
};

// A value of a whole parameter that puts its own end to the system's sampler.
struct TerminalRow {
  absl::string_view key;    // Of a ParameterRow.
  absl::string_view value;  // "2"
  absl::string_view field;  // Of DrawConfig: "mirostat_v2".
  // Groups and keys of ParameterRows, separated by spaces, that the system does not look at then.
  absl::string_view leaves_out;
};

// What there is to know about a system in order to import from it.
struct ImportTable {
  absl::string_view name;    // "llama_cpp", as in --from.
  absl::string_view system;  // "llama.cpp"
  absl::string_view input;   // "a llama.cpp command line or server request"
  ChainConfig::Dialect dialect;
  absl::string_view dialect_comment;
  absl::string_view draw_comment;  // What to know about its random numbers.
  absl::Span<const ParameterRow> parameters;
  absl::Span<const OtherRow> others;
  bool reads_json = false;
  // The key of a switch without which the draw is greedy and the group "sampling" is left out.
  absl::string_view sampling_switch;
  // A JSON null turns a parameter off; otherwise it is as if the parameter were absent.
  bool null_is_off = false;

  absl::Span<const FlagRow> flags;
  absl::Span<const SamplerRow> samplers;
  absl::Span<const TerminalRow> terminals;
  // Flags may be written with _ in place of -.
  bool flags_take_underscores = false;
  // Words that belong to no flag may stand anywhere, not only before the first flag.
  bool takes_arguments = false;
  // Environment variables with this prefix, set before the command, are parameters too.
  absl::string_view variable_prefix;
};

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_IMPORT_IMPORT_TABLE_H_
