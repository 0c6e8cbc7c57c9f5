#!/usr/bin/env bash
# Every line of tests/long.txt names a test that carries the label "long" in the build in FOLDER.
set -euo pipefail
root=$(dirname "$(readlink -f "$0")")/../..
mapfile -t labelled < <(ctest --test-dir "$1" -N -L '^long$' | sed -nE 's/^ *Test +#[0-9]+: //p')
code=0
while read -r line; do
  for test in "${labelled[@]}"; do
    # shellcheck disable=SC2053 # the line is a pattern
    [[ $test != $line ]] || continue 2
  done
  echo "tests/long.txt: $line names no test"
  code=1
done < <(grep -v '^#' "$root/tests/long.txt")
exit $code
