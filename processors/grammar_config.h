#ifndef LOGITCHAIN_PROCESSORS_GRAMMAR_CONFIG_H_
#define LOGITCHAIN_PROCESSORS_GRAMMAR_CONFIG_H_

#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "logitchain/grammar/source/grammar_source.h"
#include "logitchain/proto/masks.pb.h"

namespace logitchain {

// The grammar of a config.
struct GivenGrammar {
  // Whether there is one, be it right or wrong.
  bool is_given = false;
  // Nullopt if there is none, or it was refused.
  std::optional<GrammarSource> source;
  // Where it comes from: "gbnf_file".
  std::string field;
  std::string path;  // Of its file; empty if it is in the config itself.
};

// Takes an error: the field and what is wrong with it, as BuildContext::AddError does.
using GrammarErrors = absl::FunctionRef<void(absl::string_view field, absl::string_view message)>;

// Reads the grammar from the config, or from the file that it names. Adds an error if there is more
// than one, a file cannot be read, or a field is set that means nothing for it.
GivenGrammar ReadGrammarConfig(const GrammarMaskConfig& config, GrammarErrors add_error);

}  // namespace logitchain

#endif  // LOGITCHAIN_PROCESSORS_GRAMMAR_CONFIG_H_
