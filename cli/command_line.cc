#include "logitchain/cli/command_line.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
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
#include "absl/types/span.h"
#include "logitchain/cli/command.h"
#include "logitchain/cli/dump_logits_command.h"
#include "logitchain/cli/flags.h"
#include "logitchain/cli/generate_command.h"
#include "logitchain/cli/import/import_command.h"
#include "logitchain/cli/lint_command.h"
#include "logitchain/cli/list_command.h"
#include "logitchain/cli/mask_command.h"
#include "logitchain/cli/sample_command.h"
#include "logitchain/cli/text_layout.h"
#include "logitchain/cli/usage_error.h"
#include "logitchain/registry/did_you_mean.h"

namespace logitchain {
namespace {

constexpr int kExitFailure = 1;
constexpr int kExitUsage = 2;

std::vector<std::unique_ptr<Command>> MakeCommands() {
  std::vector<std::unique_ptr<Command>> commands;
  commands.push_back(MakeGenerateCommand());
  commands.push_back(MakeSampleCommand());
  commands.push_back(MakeLintCommand());
  commands.push_back(MakeListCommand());
  commands.push_back(MakeImportCommand());
  commands.push_back(MakeMaskCommand());
  commands.push_back(MakeDumpLogitsCommand());
  return commands;
}

std::string HelpOfAll(absl::Span<const std::unique_ptr<Command>> commands) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& command : commands) {
    entries.emplace_back(command->info().name, command->info().summary);
  }
  return absl::StrCat(
      "logitchain turns one step's logits into one token, by a chain of sampling rules\n"
      "that is written as textproto.\n"
      "\n"
      "Usage: logitchain COMMAND [arguments and flags]\n"
      "\n"
      "Commands:\n",
      DefinitionList(entries),
      "\n"
      "`logitchain COMMAND --help` says more about one; `logitchain --version` prints\n"
      "the version.\n"
      "\n"
      "Example:\n"
      "  logitchain generate --chain=examples/chains/spec.textproto --prompt=\"i want to\"\n");
}

std::string HelpOf(Command& command) {
  const CommandInfo info = command.info();
  std::string help = absl::StrCat("Usage: logitchain ", info.name, " ", info.usage, "\n\n");
  for (const absl::string_view paragraph : absl::StrSplit(info.description, "\n\n")) {
    absl::StrAppend(&help, Paragraph(paragraph, ""), "\n");
  }
  absl::StrAppend(&help, "Flags:\n", FlagsHelp(command.flags()), "\nExamples:\n");
  for (const absl::string_view example : info.examples) absl::StrAppend(&help, "  ", example, "\n");
  return help;
}

// Prints each line of an error with the name of the command, as other commands do.
void PrintError(absl::string_view who, absl::string_view message, std::ostream& err) {
  for (const absl::string_view line : absl::StrSplit(message, '\n')) {
    err << who << ": " << MessageLine(line) << "\n";
  }
}

int Exit(absl::string_view who, const absl::Status& status, std::ostream& err) {
  if (status.ok()) return 0;
  if (!IsUsageError(status)) {
    PrintError(who, status.message(), err);
    return kExitFailure;
  }
  PrintError(who, absl::StrCat(status.message(), "; see `", who, " --help`"), err);
  return kExitUsage;
}

bool AsksForHelp(absl::Span<const std::string> arguments) {
  const auto end = absl::c_find(arguments, "--");
  return std::any_of(arguments.begin(), end, [](const std::string& argument) {
    return argument == "--help" || argument == "-h";
  });
}

absl::Status RunOne(Command& command, absl::Span<const std::string> arguments, Console& console) {
  if (AsksForHelp(arguments)) {
    console.out << HelpOf(command);
    return console.Flush();
  }
  const absl::StatusOr<std::vector<std::string>> positional =
      ParseFlags(arguments, command.flags());
  if (!positional.ok()) return positional.status();
  const size_t max_arguments = command.info().max_arguments;
  if (positional->size() > max_arguments) {
    return UsageError(
        absl::StrCat("there is no use for the argument \"", (*positional)[max_arguments], "\""));
  }
  if (absl::Status status = command.Run(*positional, console); !status.ok()) return status;
  return console.Flush();
}

absl::Status UnknownCommand(absl::string_view name,
                            absl::Span<const std::unique_ptr<Command>> commands) {
  std::vector<std::string> names;
  for (const auto& command : commands) names.emplace_back(command->info().name);
  return UsageError(absl::StrCat("there is no command \"", name, "\"", DidYouMean(name, names)));
}

// `bazel run` starts a program in a folder of its own.
absl::Status EnterCallersFolder() {
  const char* folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder == nullptr || chdir(folder) == 0) return absl::OkStatus();
  return absl::NotFoundError(
      absl::StrCat("cannot enter BUILD_WORKING_DIRECTORY, ", folder, ": ", std::strerror(errno)));
}

}  // namespace

int RunCommand(int argc, char** argv, std::ostream& out, std::ostream& err) {
  constexpr absl::string_view kProgram = "logitchain";
  Console console = {.out = out,
                     .err = err,
                     .out_is_terminal = &out == &std::cout && isatty(STDOUT_FILENO) != 0,
                     .err_is_terminal = &err == &std::cerr && isatty(STDERR_FILENO) != 0};
  std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  if (absl::Status status = EnterCallersFolder(); !status.ok()) return Exit(kProgram, status, err);
  const std::vector<std::unique_ptr<Command>> commands = MakeCommands();

  if (arguments.empty()) return Exit(kProgram, UsageError("a command is missing"), err);
  // `help COMMAND` is `COMMAND --help`.
  if (arguments.front() == "help" && arguments.size() > 1) arguments = {arguments[1], "--help"};
  const std::string name = arguments.front();
  if (name == "--help" || name == "-h" || name == "help") {
    out << HelpOfAll(commands);
    return Exit(kProgram, console.Flush(), err);
  }
  if (name == "--version") {
    out << kProgram << " " << kVersion << "\n";
    return Exit(kProgram, console.Flush(), err);
  }
  const auto command = absl::c_find_if(
      commands, [&](const auto& candidate) { return candidate->info().name == name; });
  if (command == commands.end()) return Exit(kProgram, UnknownCommand(name, commands), err);
  arguments.erase(arguments.begin());
  return Exit(absl::StrCat(kProgram, " ", name), RunOne(**command, arguments, console), err);
}

}  // namespace logitchain
