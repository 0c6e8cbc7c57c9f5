#!/usr/bin/env bash
# isoscope record BIN: a recorder that is killed leaves a file that reads and tells the truth, one that is interrupted
# ends cleanly, and neither writes over what is there.
set -euo pipefail
bin=$1
folder=$(mktemp -d)
recorder=
trap '[[ -z $recorder ]] || kill -9 "$recorder" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
fail() { echo "$*"; exit 1; }

# What it prints is in FILE.out.
start() { # FILE ARGUMENT...
  "$bin/isoscope" record "${@:2}" --sessions 6 --duration 1h --output "$1" >"$1.out" 2>&1 &
  recorder=$!
  until [[ -s $1 && $(wc -l <"$1") -gt $lines ]]; do
    kill -0 "$recorder" 2>/dev/null || { cat "$1.out"; fail "the recorder did not go on"; }
    sleep 0.01
  done
}

for round in $(seq $((4 * ${ISOSCOPE_TEST_SCALE:-1}))); do
  for database in "sqlite:test.db?synchronous=off" serializable-ssi; do
    file=killed-$round-${database%%[:-]*}.jsonl
    lines=$((round * 37))
    start "$file" "$database" --workload list-append
    kill -9 "$recorder"
    wait "$recorder" 2>/dev/null || true
    "$bin/isoscope" stats "$file" >/dev/null || fail "$file does not read"
    "$bin/isoscope" check "$file" --level serializable >"$file.check" || { cat "$file.check"; fail "$file is wrong"; }
    before=$(sha256sum "$file")
    code=0
    "$bin/isoscope" record "$database" --transactions 1 --output "$file" 2>/dev/null || code=$?
    [[ $code == 3 ]] || fail "exit code $code for a file that exists"
    [[ $before == "$(sha256sum "$file")" ]] || fail "$file was written over"
  done
done

for signal in INT TERM; do
  lines=50
  start "$signal.jsonl" serializable-2pl --workload bank
  kill -$signal "$recorder"
  code=0
  wait "$recorder" || code=$?
  [[ $code == 0 ]] || fail "exit code $code after SIG$signal"
  grep -q committed "$signal.jsonl.out" || fail "no summary after SIG$signal"
  "$bin/isoscope" check "$signal.jsonl" --level serializable >/dev/null || fail "$signal.jsonl is wrong"
done
recorder=

# A line that is cut is ignored only where the header says so, and only the last one.
file=INT.jsonl
for size in 20 200 2000; do
  head -c -"$size" "$file" >cut.jsonl
  "$bin/isoscope" check cut.jsonl --level valid-reads >/dev/null || [[ $? == 10 ]] || fail "cut by $size: does not read"
  sed '1s/"cut-line":"ignore",//' cut.jsonl >refused.jsonl
  # Unless it is cut between two lines: a line ends in ]} and has that nowhere else.
  if [[ $(tail -c 2 cut.jsonl) != *"]}" ]]; then
    code=0
    "$bin/isoscope" stats refused.jsonl >/dev/null 2>&1 || code=$?
    [[ $code == 3 ]] || fail "cut by $size without leave: exit code $code"
  fi
done
