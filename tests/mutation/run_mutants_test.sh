#!/bin/sh
# Runs mutants_test.py as a Bazel test; tests/spec/run_spec_test.sh says why not by its path.
set -eu
PYTHONPATH=tests/mutation exec python3 -B -m unittest mutants_test "$@"
