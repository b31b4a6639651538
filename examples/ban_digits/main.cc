// The command `logitchain` with one more rule, which BUILD.bazel links in.

#include <iostream>

#include "logitchain/cli/command_line.h"

int main(int argc, char** argv) { return logitchain::RunCommand(argc, argv, std::cout, std::cerr); }
