// The arguments of the command, a line each, and behind lines "---" the contents of the files that
// they may name: chain.textproto, logits.npy, parameters.json, vocabulary and grammar.gbnf.

#include <stdlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "logitchain/cli/command_line.h"
#include "logitchain/tests/fuzz/input_reader.h"
#include "logitchain/tests/fuzz/require.h"
#include "logitchain/tests/models/tiny_trigram_file.h"
#include "logitchain/tests/testing/temp_folder.h"

namespace logitchain {
namespace {

constexpr const char* kFiles[] = {"chain.textproto", "logits.npy", "parameters.json", "vocabulary",
                                  "grammar.gbnf"};

// The command reads nothing of the standard input, and is called from a folder of this process.
void Isolate() {
  Require(std::freopen("/dev/null", "r", stdin) != nullptr, "there is a null device");
  unsetenv("BUILD_WORKING_DIRECTORY");
}

const std::string& TinyModel() {
  static const std::string& model = *[] {
    const TempFolder folder;
    const std::string path = WriteTrigramFile(folder, TinyArpa("<s>", "</s>", "<unk>"));
    return new std::string(folder.Read(std::filesystem::path(path).filename().string()));
  }();
  return model;
}

bool NamesOtherFolder(absl::string_view argument) { return absl::StrContains(argument, '/'); }

// A number that may ask for more work than there is time for here.
bool HasLargeNumber(absl::string_view argument) {
  int digits = 0;
  for (const char c : argument) {
    digits = absl::ascii_isdigit(c) ? digits + 1 : 0;
    if (digits > 2) return true;
  }
  return false;
}

bool IsGiven(const std::vector<std::string>& arguments, absl::string_view flag) {
  return absl::c_any_of(
      arguments, [flag](const std::string& argument) { return absl::StartsWith(argument, flag); });
}

// The arguments, with a small model or vocabulary in place of Debian's model; none if the call
// might reach further than it should.
std::vector<std::string> ArgumentsFrom(absl::string_view lines) {
  std::vector<std::string> arguments = absl::StrSplit(lines, '\n');
  if (absl::c_any_of(arguments, NamesOtherFolder)) return {};
  const std::string command = arguments.front();
  const bool generates = command == "generate" || command == "dump-logits";
  // What is in a model's file is trusted.
  if (IsGiven(arguments, "--model")) return {};
  if (generates && absl::c_any_of(arguments, HasLargeNumber)) return {};
  if (generates && !IsGiven(arguments, "--logits")) {
    arguments.insert(arguments.begin() + 1, "--model=model.bin");
  }
  if (command == "mask" && !IsGiven(arguments, "--vocab")) {
    arguments.insert(arguments.begin() + 1, "--vocab=vocabulary");
  }
  return arguments;
}

void Call(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "logitchain");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  std::ostringstream out;
  std::ostringstream err;
  const int exit_code = RunCommand(static_cast<int>(arguments.size()), argv.data(), out, err);
  Require(exit_code >= 0 && exit_code <= 2, "the exit code is 0, 1 or 2");
  Require(exit_code == 0 || !err.str().empty() || !out.str().empty(), "an error is explained");
  Require(exit_code != 2 || absl::StartsWith(err.str(), "logitchain"), "a wrong call is explained");
}

void Run(const std::vector<std::string>& arguments, InputReader& input) {
  const TempFolder folder;
  if (IsGiven(arguments, "--model=model.bin")) folder.Write("model.bin", TinyModel());
  for (const char* file : kFiles) {
    if (!input.empty()) folder.Write(file, input.Part());
  }
  const std::filesystem::path callers_folder = std::filesystem::current_path();
  std::filesystem::current_path(folder.Path(""));
  Call(arguments);
  std::filesystem::current_path(callers_folder);
}

}  // namespace
}  // namespace logitchain

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  logitchain::Isolate();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace logitchain;
  InputReader input(data, size);
  const std::vector<std::string> arguments = ArgumentsFrom(input.Part());
  if (!arguments.empty()) Run(arguments, input);
  return 0;
}
