#!/bin/bash
# What --plugin does in the shipped command, and what it refuses.
set -u

readonly command="$PWD/cli/logitchain"
readonly plugins="$PWD/tests/plugins"
readonly chain="$plugins/chain.textproto"
failures=0

check() {
  local name="$1" expected="$2" actual="$3"
  [[ "$actual" == $expected ]] && return
  printf '%s: expected\n%s\nbut it is\n%s\n' "$name" "$expected" "$actual"
  failures=$((failures + 1))
}

# The call fails with exit code 1 and says this.
check_error() {
  local name="$1" expected="$2"
  shift 2
  local actual code
  actual="$("$command" "$@" 2>&1)"
  code=$?
  check "exit code of $name" 1 "$code"
  check "$name" "$expected" "$actual"
}

unset BUILD_WORKING_DIRECTORY
cd "$TEST_TMPDIR" || exit 1
cp "$plugins/halve.so" "$TEST_TMPDIR/halve.so"
echo 'this is text' >text.so
: >empty.so
head -c 20000 halve.so >part.so
printf '\x7fELF, and nothing else' >elf.so
printf '\x7fELF LogitchainPlugin\1' >cut.so
{ printf '\x7fELF LogitchainPlugin\4\0\0\0\xff\xff\xff\xff'; } >long.so

check 'list' '*plugins.Halve: halves logits*' "$("$command" list --plugin="$plugins/halve.so")"
check 'list one' '*\[0, 10\]*' "$("$command" list plugins.Halve --plugin="$plugins/halve.so")"
check 'lint' '*chain.textproto: ok*' "$("$command" lint --plugin="$plugins/halve.so" "$chain")"
check 'a name without a slash' '*chain.textproto: ok*' \
  "$("$command" lint --plugin=halve.so "$chain")"
check 'generate' ' ?*' \
  "$("$command" generate --plugin="$plugins/halve.so" --chain="$chain" --prompt='i want to' \
    2>/dev/null)"
"$command" dump-logits --text='i want' --out=logits.npy >/dev/null || failures=$((failures + 1))
check 'sample' '*step*id*' \
  "$("$command" sample --plugin="$plugins/halve.so" --chain="$chain" --logits=logits.npy)"
check_error 'a chain without the plugin' '*plugins.Halve is not a registered rule*' \
  lint "$chain"
sed 's/times: 2/times: 11/' "$chain" >bad.textproto
check_error 'a value outside the range' '*bad.textproto:3:*times is 11; it must be in \[0, 10\]*' \
  lint --plugin="$plugins/halve.so" bad.textproto

check_error 'no file' 'logitchain list: none.so: No such file or directory' list --plugin=none.so
check_error 'a folder' 'logitchain list: .: is a folder; it must be a file' list --plugin=.
check_error 'text' 'logitchain list: text.so: is not a shared library' list --plugin=text.so
check_error 'an empty file' 'logitchain list: empty.so: is not a shared library' \
  list --plugin=empty.so
for name in elf cut long; do
  check_error "$name" "logitchain list: $name.so: is not a plugin of logitchain: it states no ABI*" \
    list --plugin="$name.so"
done
check_error 'a program' \
  "logitchain list: *cli/logitchain: is a program, not a shared library; *" list --plugin="$command"
check 'no name' 'logitchain list: --plugin is ""; it must be the name of a file; see*' \
  "$("$command" list --plugin= 2>&1)"
# The part with the manifest may be there, or not.
check_error 'a part of a file' 'logitchain list: part.so: is *' list --plugin=part.so
check_error 'a library that is no plugin' \
  "logitchain list: *no_abi.so: is not a plugin of logitchain: it states no ABI version; *" \
  list --plugin="$plugins/no_abi.so"
check_error 'no protos' \
  "logitchain list: *no_protos.so: states no proto in its manifest; it must state those that it *" \
  list --plugin="$plugins/no_protos.so"
check_error 'another version' \
  "logitchain list: *other_abi.so: was built for version 5 of the plugin ABI; this program has *4" \
  list --plugin="$plugins/other_abi.so"
check_error 'an undefined symbol' \
  "logitchain list: *undefined.so: cannot be loaded: *undefined symbol: NotInThisProgram*" \
  list --plugin="$plugins/undefined.so"
check_error 'a plugin without a rule' "logitchain list: *halve_again.so: registers no rule" \
  list --plugin="$plugins/halve_again.so"
check_error 'twice' \
  "logitchain list: *halve.so: defines plugins.Halve, which this program has already from *" \
  list --plugin="$plugins/halve.so" --plugin="$plugins/halve.so"
check_error 'a copy' \
  "logitchain list: halve.so: defines plugins.Halve, which this program has already from *" \
  list --plugin="$plugins/halve.so" --plugin=halve.so
check_error 'the same name' \
  "logitchain list: *halve_again.so: defines plugins.Halve, which this program has already from *" \
  list --plugin="$plugins/halve.so" --plugin="$plugins/halve_again.so"
check 'a plugin with a proto in its deps' '*plugins.SharesOne: does nothing*' \
  "$("$command" list --plugin="$plugins/shares_one.so")"
check_error 'a proto in the deps of both' \
  "logitchain list: *shares_two.so: defines plugins.Shared, which this program has already from *" \
  list --plugin="$plugins/shares_one.so" --plugin="$plugins/shares_two.so"
for command_name in 'generate --prompt=i' 'sample --logits=logits.npy' lint; do
  # shellcheck disable=SC2086
  check_error "$command_name" "logitchain *: none.so: No such file*" \
    $command_name --plugin=none.so $([[ $command_name == lint ]] || echo --chain=)"$chain"
done

exit $((failures > 0))
