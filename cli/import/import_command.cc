#include "logitchain/cli/import/import_command.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "logitchain/cli/atomic_file.h"
#include "logitchain/cli/command.h"
#include "logitchain/cli/distinct_files.h"
#include "logitchain/cli/flags.h"
#include "logitchain/cli/import/import_chain.h"
#include "logitchain/cli/import/import_table.h"
#include "logitchain/cli/import/import_tables.h"
#include "logitchain/cli/import/input_text.h"
#include "logitchain/cli/usage_error.h"
#include "logitchain/registry/chain_text.h"
#include "logitchain/registry/did_you_mean.h"

namespace logitchain {
namespace {

std::vector<std::string> SystemNames() {
  std::vector<std::string> names;
  for (const ImportTable* table : ImportTables()) names.emplace_back(table->name);
  return names;
}

absl::StatusOr<const ImportTable*> FindTable(const std::string& name) {
  const auto tables = ImportTables();
  const auto found =
      absl::c_find_if(tables, [&name](const ImportTable* table) { return table->name == name; });
  if (found != tables.end()) return *found;
  return UsageError(absl::StrCat("--from is \"", name, "\"", DidYouMean(name, SystemNames()),
                                 "; it must be one of ", absl::StrJoin(SystemNames(), ", ")));
}

class ImportCommand final : public Command {
 public:
  CommandInfo info() const override {
    return {.name = "import",
            .summary = "make a chain of the sampling parameters of another system",
            .usage = "FILE [flags]",
            .description =
                "Reads the parameters that another system's requests, configs or command lines "
                "give, from a file or with - from the standard input, and prints the chain that "
                "does the same in the dialect of that system. Comments say what each rule comes "
                "from. What is absent has that system's default.\n\n"
                "openai: a request's JSON. huggingface: a generation_config.json. llama_cpp: a "
                "command line as text, or a server request's JSON. vllm: SamplingParams as JSON. "
                "minfer: a command line as text.\n\n"
                "A parameter that is not known, or that no chain can honour, is an error.",
            .examples = {"logitchain import --from=openai request.json --out=chain.textproto",
                         "echo 'llama-cli --temp 0.7 --seed 1' | logitchain import "
                         "--from=llama_cpp -"},
            .max_arguments = 1};
  }

  std::vector<Flag> flags() override {
    return {
        {.name = "from",
         .value_name = "SYSTEM",
         .help = absl::StrCat("whose parameters they are: ", absl::StrJoin(SystemNames(), ", ")),
         .target = &from_,
         .required = true},
        {.name = "out",
         .value_name = "FILE",
         .help = "where to write the chain, in place of the standard output",
         .target = &out_},
        {.name = "ignore_unknown",
         .help = "go on without the parameters that are not known or cannot be honoured, and list "
                 "them",
         .target = &ignore_unknown_},
    };
  }

  absl::Status Run(absl::Span<const std::string> arguments, Console& console) override {
    const absl::StatusOr<const ImportTable*> table = FindTable(from_);
    if (!table.ok()) return table.status();
    if (arguments.empty()) return UsageError("FILE is missing, the parameters to import");
    const std::string& path = arguments.front();
    if (absl::Status status = CheckIsNoInput({"--out", out_}, {{"FILE", path}});
        path != "-" && !out_.empty() && !status.ok()) {
      return status;
    }
    const absl::StatusOr<std::string> text = ReadInputText(path, kMaxConfigBytes);
    if (!text.ok()) return text.status();
    const absl::StatusOr<ImportResult> result = ImportChain(
        *text, **table,
        {.ignore_unknown = ignore_unknown_, .filename = path == "-" ? "<stdin>" : path});
    if (!result.ok()) return result.status();
    for (const std::string& ignored : result->ignored) {
      console.err << "logitchain import: ignored: " << ignored << "\n";
    }
    if (!out_.empty()) return WriteFileAtomically(out_, result->text);
    console.out << result->text;
    return absl::OkStatus();
  }

 private:
  std::string from_;
  std::string out_;
  bool ignore_unknown_ = false;
};

}  // namespace

std::unique_ptr<Command> MakeImportCommand() { return std::make_unique<ImportCommand>(); }

}  // namespace logitchain
