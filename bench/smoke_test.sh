#!/bin/bash
# Every case of the benchmark runs, for one token; the table and the plots can be made of it.
set -eu

out="$TEST_TMPDIR/bench.json"
bench/chain_bench --smoke --benchmark_out="$out"
python3 bench/plot.py "$out" "$TEST_TMPDIR"
ls "$TEST_TMPDIR"/{vocabulary,batch,history,top_k}.svg

bench/chain_bench --smoke --table --benchmark_filter='^target/' >"$TEST_TMPDIR/table.md"
grep '^| greedy' "$TEST_TMPDIR/table.md"

# What did not run must not pass for what did.
if bench/chain_bench --smoke --benchmark_filter=no_such_case; then exit 1; fi
