#include "logitchain/cli/lint_command.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "logitchain/cli/atomic_file.h"
#include "logitchain/cli/command.h"
#include "logitchain/cli/flags.h"
#include "logitchain/cli/plugin.h"
#include "logitchain/cli/rule_order.h"
#include "logitchain/cli/text_layout.h"
#include "logitchain/cli/usage_error.h"
#include "logitchain/core/counted.h"
#include "logitchain/core/files/regular_file.h"
#include "logitchain/core/limits.h"
#include "logitchain/proto/chain.pb.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/config_problem.h"
#include "logitchain/registry/create_chain.h"
#include "logitchain/registry/processor_registry.h"
#include "logitchain/registry/rule_config.h"

namespace logitchain {
namespace {

// The file's bytes, or a few more than a chain may have.
absl::StatusOr<std::string> ReadText(const std::string& path) {
  const absl::StatusOr<RegularFile> file = RegularFile::Open(path);
  if (!file.ok()) return file.status();
  std::string text(std::min<int64_t>(file->size(), kMaxConfigBytes + 1), '\0');
  absl::Status status = file->ReadAt(0, absl::MakeSpan(text.data(), text.size()));
  if (!status.ok()) return status;
  return text;
}

// "temperature, top_k": the rules' names in this order.
std::string RuleNames(const ChainConfig& config, absl::Span<const int> order) {
  return absl::StrJoin(order, ", ", [&config](std::string* out, int index) {
    std::vector<ConfigProblem> ignored;
    const auto rule = ResolveRule(config, index, ProcessorRegistry::Global(), ignored);
    absl::StrAppend(out, rule ? rule->label : "?");
  });
}

std::vector<int> ListedOrder(const ChainConfig& config) {
  std::vector<int> order(config.processors_size());
  for (int i = 0; i < config.processors_size(); ++i) order[i] = i;
  return order;
}

// Whether the order of its rules is all that is wrong with a chain.
bool OnlyOrderIsWrong(const ChainConfig& config, absl::Span<const int> order,
                      std::optional<int32_t> vocab_size) {
  ChainConfig reordered = config;
  reordered.clear_processors();
  for (const int index : order) *reordered.add_processors() = config.processors(index);
  return CheckChain(reordered, vocab_size).empty();
}

class LintCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {
        .name = "lint",
        .summary = "find what is wrong with chains; --fix puts their rules in order",
        .usage = "CHAIN... [flags]",
        .description =
            "Reads chains and prints all that is wrong with them, as "
            "file:line:column: message, or that they are ok. Whether token ids are in the "
            "vocabulary is checked if --vocab_size is given. Names and values that no chain can "
            "have are printed first and alone: ranges and the order are judged once all can be "
            "read. The exit code is 1 if anything "
            "is wrong.",
        .examples = {"logitchain lint examples/chains/*.textproto",
                     "logitchain lint --fix my_chain.textproto",
                     "logitchain lint --vocab_size=128256 my_chain.textproto"},
        .max_arguments = INT_MAX};
  }

  std::vector<Flag> flags() override {
    return {
        {.name = "fix",
         .help =
             "put the rules of chains that are otherwise right into their dialect's order; "
             "comments move with their rules, and the rest of the file stays as it is; where two "
             "rules share a line, or are in a list, a file with comments is refused",
         .target = &fix_},
        {.name = "vocab_size",
         .value_name = "N",
         .help = "number of tokens in the vocabulary, which token ids are checked against",
         .target = &vocab_size_,
         .min = 1,
         .max = kMaxVocabSize},
        PluginFlag(&plugins_)};
  }

  absl::Status Run(absl::Span<const std::string> arguments, Console& console) override {
    if (arguments.empty()) return UsageError("CHAIN is missing, a file to check");
    if (absl::Status status = LoadPlugins(plugins_); !status.ok()) return status;
    for (const std::string& path : arguments) {
      const int64_t errors_before = errors_;
      const absl::Status status = fix_ ? Fix(path, console) : Check(path, console);
      if (!status.ok()) Report(status.message(), console);
      if (errors_ != errors_before) ++files_with_errors_;
      if (absl::Status flushed = console.Flush(); !flushed.ok()) return flushed;
    }
    if (errors_ == 0) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(Counted(errors_, "error"), " in ",
                                                   files_with_errors_, " of ",
                                                   Counted(arguments.size(), "file")));
  }

 private:
  // An error is one that keeps the chain from being judged at all.
  absl::Status Check(const std::string& path, Console& console) {
    const absl::StatusOr<ChainText> chain = ReadChainFile(path);
    if (!chain.ok()) return chain.status();
    Judge(*chain, console);
    return absl::OkStatus();
  }

  // Prints the chain's problems, or that it has none.
  void Judge(const ChainText& chain, Console& console) {
    const std::vector<ConfigProblem> problems = CheckChain(chain.config, VocabSize());
    for (const ConfigProblem& problem : problems) Report(chain.Describe(problem), console);
    if (!problems.empty()) return;
    console.out << chain.filename << ": ok (" << Counted(chain.config.processors_size(), "rule")
                << ", dialect " << ChainConfig::Dialect_Name(chain.config.dialect()) << ")\n";
  }

  absl::Status Fix(const std::string& path, Console& console) {
    const absl::StatusOr<std::string> text = ReadText(path);
    if (!text.ok()) return text.status();
    const absl::StatusOr<ChainText> chain = ParseChainText(*text, path);
    if (!chain.ok()) return chain.status();
    const std::vector<int> listed = ListedOrder(chain->config);
    const std::vector<int> order = DialectOrder(chain->config);
    if (order == listed || chain->config.order() != ChainConfig::DIALECT_ORDER) {
      Judge(*chain, console);
      return absl::OkStatus();
    }
    if (!OnlyOrderIsWrong(chain->config, order, VocabSize())) {
      Judge(*chain, console);
      console.out << path << ": not put in order: it has other errors\n";
      return absl::OkStatus();
    }
    const absl::StatusOr<std::string> reordered = ReorderRules(*text, *chain, order);
    if (!reordered.ok()) return reordered.status();
    absl::Status status = WriteFileAtomically(path, *reordered);
    if (!status.ok()) return status;
    console.out << path << ": fixed: the rules stood as " << RuleNames(chain->config, listed)
                << "; now " << RuleNames(chain->config, order) << "\n";
    return absl::OkStatus();
  }

  std::optional<int32_t> VocabSize() const {
    if (!vocab_size_) return std::nullopt;
    return static_cast<int32_t>(*vocab_size_);
  }

  // A line for each error.
  void Report(absl::string_view errors, Console& console) {
    for (const absl::string_view error : absl::StrSplit(errors, '\n')) {
      console.out << MessageLine(error) << "\n";
      ++errors_;
    }
  }

  bool fix_ = false;
  std::optional<int64_t> vocab_size_;
  std::vector<std::string> plugins_;
  int64_t errors_ = 0;
  int64_t files_with_errors_ = 0;
};

}  // namespace

std::unique_ptr<Command> MakeLintCommand() { return std::make_unique<LintCommand>(); }

}  // namespace logitchain
