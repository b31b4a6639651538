#!/bin/sh
# A conformance test fails where a rule has no sample, names it, and fails on a file that is none.
set -u

# The failures that are wanted here are none of this test.
unset XML_OUTPUT_FILE

none="$TEST_TMPDIR/none.textproto"
: >"$none"
if output=$("$1" --gtest_filter='Samples.*' "$none" 2>&1); then
  echo 'it passes without any sample'
  exit 1
fi
case $output in
  *'logitchain.TopKConfig is registered and has no sample'*) ;;
  *) echo "it does not name the rule: $output"; exit 1 ;;
esac

echo 'samples { bogus: 1 }' >"$none"
if output=$("$1" "$none" 2>&1); then
  echo 'it passes with a file that is none'
  exit 1
fi
case $output in
  *none.textproto:1:*) ;;
  *) echo "it does not say where: $output"; exit 1 ;;
esac
