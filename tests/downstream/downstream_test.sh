#!/bin/bash
# Builds and tests the workspace in examples/downstream, which uses this one as an external
# repository, with a Bazel and an output folder of its own.
set -eu

# This workspace as it is, and not the links to it that a test sees.
readonly root="$(dirname "$(readlink -f WORKSPACE)")"
readonly output="$(mktemp -d "$TEST_TMPDIR/XXXXXX")"
readonly home="$(getent passwd "$(id -u)" | cut -d: -f6)"

startup=(--batch --output_user_root="$output" --host_jvm_args=-Xmx1g)
# Where the user keeps a cache, it is used.
if [[ -f "$home/.bazelrc" ]]; then startup+=(--bazelrc="$home/.bazelrc"); fi

# What Bazel makes is read-only.
trap 'chmod -R u+w "$output" && rm -rf "$output"' EXIT

cd "$root/examples/downstream"
export HOME="$output"
unset TEST_TMPDIR
bazel "${startup[@]}" test --symlink_prefix=/ --color=no --curses=no --show_progress_rate_limit=60 \
  //...
