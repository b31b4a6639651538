#!/bin/bash
# The benchmark of grammar masks runs over the small vocabulary and two schemas.
set -eu

vocabulary=tests/grammar/engine/small_vocabulary.tiktoken
schemas="$TEST_TMPDIR/schemas"
mkdir -p "$schemas"
cat >"$schemas/a.json" <<'END'
{"schema": {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
 "tests": [{"valid": true, "data": {"a": 1}}, {"valid": false, "data": {"a": "x"}}]}
END
cat >"$schemas/b.json" <<'END'
{"schema": {"type": "array", "uniqueItems": true}, "tests": [{"valid": true, "data": [1, 2]}]}
END

bench/grammar_bench --vocab="$vocabulary" --schemas="$schemas" --every=1 >"$TEST_TMPDIR/table"
cat "$TEST_TMPDIR/table"
grep '^schemas: mask ' "$TEST_TMPDIR/table"
grep '^any JSON: accept ' "$TEST_TMPDIR/table"
grep '^memory, MiB' "$TEST_TMPDIR/table"
grep '^schemas 2, refused 1, fully right 1, false accepts 0, false rejects 0$' "$TEST_TMPDIR/table"

# Nothing is measured without a vocabulary, nor with one that cannot be read.
bench/grammar_bench | grep skipped
if bench/grammar_bench --vocab="$TEST_TMPDIR/none"; then exit 1; fi
