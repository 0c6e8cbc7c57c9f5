#!/usr/bin/env bash
# tools/check-layers accepts a tree that keeps the rules and refuses each way to break one.
set -euo pipefail
root=$(dirname "$(readlink -f "$0")")/../..
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

mkdir -p "$tree"/src/{low,high,cli} "$tree"/src/high/{cellar,attic} "$tree"/include/isoscope/{low,high,cli}
printf '%s\n' '# a comment' '' 'low:' 'high: low' 'cli: low high' '' 'high/cellar:' 'high/attic: high/cellar' \
  >"$tree/src/layers.txt"
# Every allowance is used once.
echo '#include "isoscope/low/a.h"' >"$tree/src/high/user.cpp"
printf '%s\n' '#include "isoscope/low/a.h"' '#include "isoscope/high/a.h"' >"$tree/src/cli/user.cpp"
echo '#include "high/cellar/wine.h"' >"$tree/src/high/attic/user.cpp"
touch "$tree/src/high/cellar/wine.cpp" "$tree/src/high/attic/trunk.cpp"

check() { "$root/tools/check-layers" "$tree"; }

accepts() { # FILE LINE
  printf '%s\n' '#include <vector>' "$2" >"$tree/$1"
  check || { echo "refused in $1: $2"; exit 1; }
  rm "$tree/$1"
}

refuses() { # FILE LINE MESSAGE
  local output
  printf '%s\n' '#include <vector>' "$2" >"$tree/$1"
  if output=$(check); then echo "accepted in $1: $2"; exit 1; fi
  [[ $output == "$1:2: $3"* && $output != *$'\n'* ]] || { echo "in $1: $2 gives: $output"; exit 1; }
  rm "$tree/$1"
}

check
accepts src/low/a.cpp '#include "isoscope/low/a.h"'
accepts src/low/a.cpp '#include "low/detail/b.h"'
accepts src/low/a.cpp '#include <zstd.h>'
accepts src/low/a.cpp 'std::snprintf(text, 9, "%d", 1);  // unlike printf(...), this is no output'
accepts src/low/a.cpp 'on_exit(1); x.exit(2);'
accepts src/high/a.cpp '#include "isoscope/low/a.h"'
accepts include/isoscope/high/a.h '#include "isoscope/low/a.h"'
accepts src/cli/a.cpp '#include <CLI/CLI.hpp>'
accepts src/cli/a.cpp 'std::cout << 1;'

accepts src/high/a.cpp '#include "high/attic/trunk.h"'
accepts src/high/a.cpp '#include "isoscope/high/trunk.h"'
accepts src/high/attic/a.cpp '#include "isoscope/high/wine.h"'
accepts src/high/attic/a.cpp '#include "isoscope/high/without_source.h"'
accepts src/high/cellar/a.cpp '#include "high/cellar/wine.h"'

for file in src/low/a.cpp src/low/a_fuzz.cpp src/low/detail.h include/isoscope/low/a.h; do
  refuses $file '#include "isoscope/high/a.h"' 'low may not include high'
  refuses $file ' # include <isoscope/cli/a.h>' 'low may not include cli'
  refuses $file '#include "isoscope/all.h"' 'include "isoscope/LIB/..."'
done
refuses src/high/a.cpp '#include "low/detail/b.h"' '"low/detail/b.h" is no header of high'
refuses src/high/a.cpp '#include "b.h"' '"b.h" is no header of high'
refuses src/high/a.cpp '#include "../low/b.h"' '"../low/b.h" is no header of high'
refuses src/high/a.cpp '#include <CLI/CLI.hpp>' 'only cli includes CLI11'
refuses include/isoscope/high/a.h '#include <zstd.h>' 'a public header includes only'
refuses include/isoscope/high/a.h '#include "high/detail/b.h"' 'a public header includes only'
refuses src/high/cellar/a.cpp '#include "high/attic/trunk.h"' 'high/cellar may not include high/attic'
refuses src/high/cellar/a.cpp '#include "isoscope/high/trunk.h"' 'high/cellar may not include high/attic'
refuses src/high/cellar/a.cpp '#include "high/a.h"' 'high/cellar may not include high'
refuses src/high/attic/a.cpp '#include "isoscope/high/user.h"' 'high/attic may not include high'
refuses include/isoscope/high/wine.h '#include "isoscope/high/trunk.h"' 'high/cellar may not include high/attic'
for text in 'std::cout << 1;' 'printf("1");' 'std::fprintf(stderr, "1");' 'if (x) std::exit(1);' \
  'std::fwrite(text, 1, 1, stdout);'; do
  refuses src/low/a.cpp "$text" 'only cli prints or exits'
  refuses include/isoscope/high/a.h "$text" 'only cli prints or exits'
done

mkdir "$tree/src/new"
touch "$tree/src/new/a.cpp"
if check >/dev/null; then echo 'accepted a folder without a line'; exit 1; fi
rm -r "$tree/src/new"
check

mkdir "$tree/src/high/tower"
touch "$tree/src/high/tower/a.cpp"
if check >/dev/null; then echo 'accepted a room without a line'; exit 1; fi
rm -r "$tree/src/high/tower"
check

echo '#pragma once  // Part of the API: docs/api.md.' >"$tree/include/isoscope/low/open.h"
output=$(check) && { echo 'accepted a header of the API that the umbrella lacks'; exit 1; }
[[ $output == include/isoscope/low/open.h:1:*'does not include it' ]] || { echo "gave: $output"; exit 1; }
echo '#include "isoscope/low/open.h"' >"$tree/include/isoscope/isoscope.h"
check
echo '#pragma once' >"$tree/include/isoscope/low/open.h"
output=$(check) && { echo 'accepted an umbrella over what is not of the API'; exit 1; }
[[ $output == include/isoscope/low/open.h:1:*'isoscope.h includes it' ]] || { echo "gave: $output"; exit 1; }
rm "$tree/include/isoscope/isoscope.h" "$tree/include/isoscope/low/open.h"
check

rm "$tree/src/high/attic/user.cpp"
output=$(check) && { echo 'accepted an allowance that nobody uses'; exit 1; }
[[ $output == 'src/layers.txt:8: high/attic does not use high/cellar: take it out' ]] || { echo "gave: $output"; exit 1; }

echo 'low: high' >>"$tree/src/layers.txt" # a cycle
sed -i '/^low:$/d' "$tree/src/layers.txt"
if check >/dev/null; then echo 'accepted a cycle'; exit 1; fi
