#!/bin/sh
# Runs spec_test.py as a Bazel test. A py_test of Bazel 4.2 starts with `env python`, which Debian
# does not have; and -m, unlike a script's path, imports the modules that Bazel laid out here, not
# those that its symbolic links lead to.
set -eu
cd "$(dirname "$0")"
exec python3 -B -m unittest spec_test "$@"
