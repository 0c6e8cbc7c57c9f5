#!/usr/bin/env bash
# tools/tidy accepts a tree that keeps its rules and refuses each way to break one.
set -euo pipefail
root=$(dirname "$(readlink -f "$0")")/../..
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
mkdir -p "$tree"/{src,include,tests,bench,tools}
exceptions=$tree/tools/tidy-exceptions.txt
touch "$exceptions"

lines() { seq -f '  x += %.0f;' "$1"; } # NUMBER
function_of() { # NAME LINES
  echo "int Thing::$1(int x) {"
  lines $(($2 - 3))
  printf '%s\n' '  return x;' '}'
}
accepts() { # what it is; FILE, its text on standard input
  cat >"$tree/$2"
  "$root/tools/tidy" "$tree" || { echo "refused: $1"; exit 1; }
}
refuses() { # what it is; FILE, MESSAGE, its text on standard input
  local output
  cat >"$tree/$2"
  if output=$("$root/tools/tidy" "$tree"); then echo "accepted: $1"; exit 1; fi
  [[ $output == "$3"* && $output != *$'\n'* ]] || { echo "$1 gives: $output"; exit 1; }
  rm "$tree/$2"
}

lines 600 | accepts 'a file of 600 lines' bench/a.cpp
lines 601 | refuses 'a file of 601 lines' bench/b.h 'bench/b.h:1: 601 lines'

function_of f 70 | accepts 'a function of 70 lines' src/a.cpp
function_of f 71 | refuses 'a function of 71 lines' src/b.cpp 'src/b.cpp:1: Thing::f has 71 lines'
{ echo 'constexpr int table[] = {'; lines 99; echo '};'; } | accepts 'a long table' src/table.cpp
{ echo 'namespace a {'; function_of f 50; function_of g 50; echo '}'; } | accepts 'two functions' include/a.h
echo 'src/b.cpp:Thing::f 75' >"$exceptions"
function_of f 75 | accepts 'an exception' src/b.cpp
function_of f 76 | refuses 'an exception that grew' src/c.cpp 'src/c.cpp:1: Thing::f has 76 lines'
function_of f 76 >"$tree/src/b.cpp"
: | { "$root/tools/tidy" "$tree" && exit 1; true; } | grep -q 'has grown to 76 lines from 75' ||
  { echo 'an exception may grow'; exit 1; }
function_of f 60 | { cat >"$tree/src/b.cpp"; "$root/tools/tidy" "$tree" && exit 1; true; } |
  grep -q 'is no exception any more' || { echo 'an exception stays for ever'; exit 1; }
: >"$exceptions"

accepts 'a sentence' src/d.h <<<'/// The first of many. Whoever asks gets the maximum number of them.'
for comment in '/// Of a key: its last version.' '  // Who asks twice waits.' '// Or not.' 'int x;  ///< at most so many'; do
  refuses "'$comment'" src/e.h 'src/e.h:1: a comment in whole sentences' <<<"$comment"
done

refuses 'a fragment in a test' tests/e.h 'tests/e.h:1: a comment in whole sentences' <<<'/// And more.'

accepts 'a figure that is expected' tests/a_test.cpp <<<'EXPECT_GT(count, 5);'
accepts 'what is no test' tests/support.cpp <<<'std::cout << 1;'
refuses 'a test that prints' tests/b_test.cpp 'tests/b_test.cpp:1: a test expects' <<<'std::cout << 1;'

words() { printf '%.0sword ' $(seq "$1"); } # NUMBER
words 20 | accepts 'a line of 100 columns' CHANGELOG.md
words 21 | refuses 'a line of 105 columns' CONTRIBUTING.md 'CONTRIBUTING.md:1: 105 columns'
{ echo '```'; words 21; echo; echo '```'; } | accepts 'a wide block' CONTRIBUTING.md
