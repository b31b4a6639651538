#!/bin/bash
# Every case of the benchmark runs, for one token, and so does the table.
set -eu

bench/chain_bench --smoke
bench/chain_bench --smoke --table --benchmark_filter='^target/' | grep -q '^| greedy'

# A case that does not run must not pass for one that does.
if bench/chain_bench --smoke --benchmark_filter=no_such_case; then exit 1; fi
