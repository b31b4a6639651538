#!/bin/bash
# The judgements of run_suite on a folder in the suite's form.
set -u
folder=$TEST_TMPDIR/suite
mkdir -p "$folder/optional"
result=0

# check EXIT_CODE LINE…: what run_suite exits with and prints, its header aside.
check() {
  local code=$1
  local output
  output=$(tests/grammar/json_schema/run_suite "$folder" 2>&1)
  local actual=$?
  shift
  if [[ $actual != "$code" ]]; then
    echo "exit code $actual in place of $code"
    result=1
  fi
  diff <(printf '%s\n' "$@") <(grep -v '^file ' <<<"$output" | tr -s ' ') || result=1
}

cat >"$folder/type.json" <<'END'
[{"description": "null", "schema": {"type": "null"},
  "tests": [{"description": "a", "data": null, "valid": true},
            {"description": "b", "data": 0, "valid": false}]},
 {"description": "nothing", "schema": {"allOf": [false]},
  "tests": [{"description": "a", "data": "x", "valid": false}]},
 {"description": "numbers as they are written", "schema": {"const": 1.00000000000000000001},
  "tests": [{"description": "a", "data": 1.00000000000000000001, "valid": true},
            {"description": "b", "data": 1, "valid": false}]}]
END
cat >"$folder/optional/dynamicRef.json" <<'END'
[{"description": "refused", "schema": {"$dynamicRef": "#a"},
  "tests": [{"description": "a", "data": 1, "valid": true}]}]
END
cat >"$folder/format.json" <<'END'
[{"description": "a limit", "schema": {"format": "date"},
  "tests": [{"description": "a", "data": "x", "valid": true}]}]
END
limit="formats are asserted, where the suite's default is that they say nothing"
check 0 'format.json: refuses the valid "x" of {"format":"date"}'": $limit" \
  'format.json 0 0 1 0' 'optional/dynamicRef.json 0 1 0 0' 'type.json 5 0 0 0' 'all 5 1 1 0'

rm "$folder/format.json" "$folder/optional/dynamicRef.json"
cat >"$folder/type.json" <<'END'
[{"description": "wrong on purpose", "schema": {"type": "null"},
  "tests": [{"description": "a", "data": null, "valid": false},
            {"description": "b", "data": [{"a": 1}], "valid": true}]}]
END
check 1 'type.json: accepts the invalid null of {"type":"null"}' \
  'type.json: refuses the valid [{"a":1}] of {"type":"null"}' \
  'type.json 0 0 0 2' 'all 0 0 0 2'

echo '[{"schema": true, "tests": [{"data": 1}]}]' >"$folder/type.json"
check 2 "$folder/type.json: has a group without schema, tests, data or valid"
rm -r "$folder"
check 2 "$folder: No such file or directory"
exit "$result"
