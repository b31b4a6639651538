#ifndef LOGITCHAIN_CLI_COMMAND_LINE_H_
#define LOGITCHAIN_CLI_COMMAND_LINE_H_

#include <ostream>

namespace logitchain {

inline constexpr char kVersion[] = "0.1.0";

// Runs the command `logitchain` and returns its exit code: 0; 1 if something went wrong; 2 if it
// was called wrongly, with one line on `err` that says how.
//
// The rules that it knows are those that are linked into the program, and those that --plugin
// loads. A project with rules of its own has its own command by the macro logitchain_binary of
// defs.bzl.
//
// Under `bazel run` the working folder becomes the one in which the user called it, for relative
// paths to mean what they say.
int RunCommand(int argc, char** argv, std::ostream& out, std::ostream& err);

}  // namespace logitchain

#endif  // LOGITCHAIN_CLI_COMMAND_LINE_H_
