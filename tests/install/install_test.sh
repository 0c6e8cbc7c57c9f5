#!/usr/bin/env bash
# Installs the build in FOLDER and builds the program beside this file against it.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")") build=$1
work=$build/install_test
prefix=$work/prefix
rm -rf "$work"

cmake --install "$build" --prefix "$prefix"
"$prefix/bin/isoscope" --version

# -Wpedantic -Werror: the headers must not warn in a stricter project than ours.
cmake -G Ninja -S "$here" -B "$work/user" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
cmake --build "$work/user"
for program in user user_of_a_layer; do
  [[ $("$work/user/$program") == "1 transaction, 1 operation" ]]
done
