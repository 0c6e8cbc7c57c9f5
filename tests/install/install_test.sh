#!/usr/bin/env bash
# Installs the build in FOLDER, and builds and runs the programs beside this file against it.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")") build=$1
work=$build/install_test
prefix=$work/prefix
rm -rf "$work"

fail() { echo "FAILED: $*"; exit 1; }
expect() { # EXIT-CODE OUTPUT PROGRAM [ARGUMENT...]: with both streams in OUTPUT
  local code=0 output
  output=$("$work/user/${@:3:1}" "${@:4}" 2>&1) || code=$?
  [[ $code == "$1" && $output == "$2" ]] || fail "${*:3} ends in $code and prints: $output"
}

cmake --install "$build" --prefix "$prefix"
"$prefix/bin/isoscope" --version

# -Wpedantic -Werror: the headers must not warn in a stricter project than ours.
cmake -G Ninja -S "$here" -B "$work/user" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
cmake --build "$work/user"

# docs/api.md has a row for each header of the umbrella.
diff <(sed -n 's/^#include "\(.*\)"/\1/p' "$prefix/include/isoscope/isoscope.h" | LC_ALL=C sort) \
  <(sed -n 's/^| `include\/\([^`]*\)`.*/\1/p' "$here/../../docs/api.md" | LC_ALL=C sort) ||
  fail 'docs/api.md has other headers than isoscope.h'

expect 0 '' umbrella
expect 0 '1 transaction, 1 operation' one_layer
expect 0 "$(cat "$here/record_and_check.txt")" record_and_check

# The program of README.md answers as the command does, and survives bad input.
cd "$here/../.."
for file in examples/holds.jsonl examples/dirty-read.jsonl; do
  code=0
  output=$("$prefix/bin/isoscope" check "$file" --level serializable --explain full) || code=$?
  expect "$code" "$output" check_file "$file"
done
expect 2 'usage: check_file FILE' check_file
expect 2 "cannot open no-such-file: No such file or directory" check_file no-such-file
output=$("$work/user/check_file" LICENSE 2>&1) && fail 'check_file takes LICENSE for a history'
[[ $output == 'LICENSE:1:1: expected a history'* ]] || fail "check_file LICENSE prints: $output"
