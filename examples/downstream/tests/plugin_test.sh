#!/bin/sh
# The command with the rule linked in and the one that loads it write the same text.
set -eu

with_rule=$1
shipped=$2
plugin=$3
chain=$4

linked=$("$with_rule" generate --chain="$chain" --prompt='one two three four')
loaded=$("$shipped" generate --plugin="$plugin" --chain="$chain" --prompt='one two three four')
[ -n "$linked" ]
[ "$linked" = "$loaded" ]

"$shipped" lint --plugin="$plugin" "$chain"
"$shipped" list --plugin="$plugin" acme.BanDigits | grep -q keep_years
if "$shipped" lint "$chain"; then exit 1; fi
if "$with_rule" lint --plugin="$plugin" "$chain" 2>error.txt; then exit 1; fi
grep -q 'acme.BanDigits, which this program has already' error.txt
