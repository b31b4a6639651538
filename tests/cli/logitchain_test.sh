#!/bin/bash
# The command as a process: what a test within one cannot see.
set -u

readonly command="$PWD/cli/logitchain"
failures=0

check() {
  local name="$1" expected="$2" actual="$3"
  [[ "$actual" == $expected ]] && return
  printf '%s: expected\n%s\nbut it is\n%s\n' "$name" "$expected" "$actual"
  failures=$((failures + 1))
}

unset BUILD_WORKING_DIRECTORY
folder="$(mktemp -d "$TEST_TMPDIR/XXXXXX")"
mkdir "$folder/user"
cp examples/chains/spec.textproto "$folder/user/"

check 'rules are linked in' '*repetition_penalty*' "$("$command" list)"

check 'the folder of bazel run' 'spec.textproto: ok*' \
  "$(BUILD_WORKING_DIRECTORY="$folder/user" "$command" lint spec.textproto)"
check 'the working folder' 'spec.textproto: ok*' \
  "$(cd "$folder/user" && "$command" lint spec.textproto)"

"$command" list >/dev/full 2>"$folder/err"
check 'exit code of a full output' 1 $?
check 'error of a full output' '*cannot write to the standard output' "$(cat "$folder/err")"

"$command" frobnicate >"$folder/out" 2>/dev/null
check 'exit code of a bad call' 2 $?
check 'output of a bad call' '' "$(cat "$folder/out")"

text="$("$command" generate --chain=examples/chains/spec.textproto --prompt='i want to' \
  2>"$folder/err")"
check 'exit code of generate' 0 $?
check 'text of generate' ' [a-z]* [a-z]*' "$text"
check 'summary of generate' '\[stop_token (id 6); * tokens in * s; seed 42\]' \
  "$(cat "$folder/err")"

# Tokens come as they are drawn: a reader who leaves after the first ends the command.
"$command" generate --chain=examples/chains/spec.textproto --prompt='i' --min_tokens=1000000 \
  --max_tokens=1000000 2>/dev/null | head -c 1 >/dev/null
check 'exit code without a reader' "$((128 + 13))" "${PIPESTATUS[0]}"

exit $((failures > 0))
