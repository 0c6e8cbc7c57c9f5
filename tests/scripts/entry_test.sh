#!/usr/bin/env bash
# The entry script and the installation of packages, with stand-ins for cmake, dpkg-query, apt-get, sudo and
# id: what is asked of them is written to a list of calls, one per line. Nothing is installed or compiled.
set -euo pipefail
root=$(dirname "$(readlink -f "$0")")/../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree="$work/a folder" fakes=$work/fakes
export FAKE=$work/state
mkdir -p "$tree"/{src,include,cmake} "$fakes" "$FAKE"
cp -r "$root/isoscope" "$root/test" "$root/tools" "$tree"
touch "$tree/CMakeLists.txt" "$tree/CMakePresets.json" "$tree/src/a.cpp"
export PATH=$fakes:$PATH
unset CDPATH

fake() { # NAME, body on standard input
  { echo '#!/usr/bin/env bash'; echo 'echo "${0##*/} $*" >>"$FAKE/calls"'; cat; } >"$fakes/$1"
  chmod +x "$fakes/$1"
}
fake cmake <<'BODY'
mkdir "$FAKE/cmake-runs" || { echo 'two builds at once' >>"$FAKE/calls"; exit 1; }
trap 'rmdir "$FAKE/cmake-runs"' EXIT
echo "output of cmake"
if [[ -e $FAKE/sleep ]]; then sleep 0.2; fi
if [[ -e $FAKE/edit ]]; then touch src/a.cpp; fi
if [[ -e $FAKE/broken ]]; then echo "a.cpp:1: error"; exit 2; fi
if [[ $1 == --build ]]; then
  mkdir -p build/bin
  printf '%s\n' '#!/bin/sh' 'printf "<%s>" "$@"' 'exit 10' >build/bin/isoscope
  chmod +x build/bin/isoscope
  if [[ $* == *'--target isoscope isoscope-verify isoscope-drivers' ]]; then cp build/bin/isoscope{,-verify}; fi
fi
BODY
fake dpkg-query <<'BODY'
cat "$FAKE/installed"
BODY
fake apt-get <<'BODY'
echo "output of apt-get"
if [[ $* == *" install "* ]]; then cp "$FAKE/all" "$FAKE/installed"; fi
BODY
fake sudo <<'BODY'
[[ -e $FAKE/sudo-works ]] || exit 1
shift
exec "$@"
BODY
fake id <<'BODY'
cat "$FAKE/user"
BODY

fail() { echo "FAILED: $*"; sed 's/^/  call: /' "$FAKE/calls"; exit 1; }
run() { # COMMAND...: sets code, output and errors
  code=0
  : >"$FAKE/calls"
  "$@" >"$FAKE/output" 2>"$FAKE/errors" </dev/null || code=$?
  output=$(cat "$FAKE/output") errors=$(cat "$FAKE/errors")
}
called() { grep -c "^$1" "$FAKE/calls" || true; }
expect_program_ran() {
  [[ $code == 10 ]] || fail "exit code $code: $errors"
  [[ $output == '<check><my file><>' ]] || fail "standard output: $output"
}

status=()
for package in g++ cmake ninja-build libcli11-dev libzstd-dev zlib1g-dev liblzma-dev libbz2-dev libcadical-dev libsqlite3-dev; do status+=("installed=$package "); done
printf '%s' "${status[@]}" | tee "$FAKE/all" >"$FAKE/installed"
echo 1000 >"$FAKE/user"

# The first use builds; standard output, arguments and exit code are the program's.
run "$tree/isoscope" check 'my file' ''
expect_program_ran
[[ $(called 'cmake --preset release') == 1 && $(called 'cmake --build') == 1 ]] || fail 'no build'
[[ $(called apt-get) == 0 ]] || fail 'installs without need'
[[ -x $tree/build/bin/isoscope-verify ]] || fail 'the verifier is not built'
[[ $(called 'cmake --preset .*-DISOSCOPE_UNITY=ON') == 1 ]] || fail 'compiles every file by itself'

# The next ones do not, from any folder, through any link.
cd /
run "$tree/isoscope" check 'my file' ''
expect_program_ran
[[ ! -s $FAKE/calls && -z $errors ]] || fail 'more than the program'
ln -s "$tree/isoscope" "$work/a link"
ln -s "$work/a link" "$work/scope"
run "$work/scope" check 'my file' ''
expect_program_ran
[[ ! -s $FAKE/calls ]] || fail 'builds through a link'
cd "$tree"
run bash isoscope check 'my file' ''
expect_program_ran

# What changes the sources builds again, once.
for change in 'touch src/a.cpp' 'touch src/b.cpp' 'rm src/b.cpp' 'touch CMakeLists.txt' 'rm build/bin/isoscope' \
  'rm build/bin/isoscope-verify'; do
  $change
  run ./isoscope check 'my file' ''
  expect_program_ran
  [[ $(called 'cmake --build') == 1 ]] || fail "no build after: $change"
  run ./isoscope check 'my file' ''
  [[ ! -s $FAKE/calls ]] || fail "builds again after: $change"
done

# So does an edit while a build runs.
touch src/a.cpp "$FAKE/edit"
run ./isoscope check 'my file' ''
rm "$FAKE/edit"
run ./isoscope check 'my file' ''
[[ $(called 'cmake --build') == 1 ]] || fail 'no build after an edit during the last one'

# A failed build shows why, and is tried again.
touch src/a.cpp "$FAKE/broken"
run ./isoscope check
[[ $code == 1 && -z $output && $errors == *'a.cpp:1: error'* ]] || fail "failed build: $code $output $errors"
rm "$FAKE/broken"
run ./isoscope check 'my file' ''
expect_program_ran
[[ $(called 'cmake --build') == 1 ]] || fail 'no build after a failed one'

# Two first uses at once: one waits for the other.
rm -r build
touch "$FAKE/sleep"
: >"$FAKE/calls"
./isoscope >"$FAKE/first" 2>&1 & first=$!
./isoscope >"$FAKE/second" 2>&1 & second=$!
for process in $first $second; do
  code=0
  wait "$process" || code=$?
  [[ $code == 10 ]] || fail "one of two at once: $code $(cat "$FAKE/first" "$FAKE/second")"
done
[[ $(called 'two builds') == 0 ]] || fail 'two builds at once'
rm "$FAKE/sleep"

# A missing package, no root, no sudo: the line to run, and no build.
lose_packages() { printf 'installed=cmake installed=g++ deinstalled=ninja-build installed=libzstd-dev installed=zlib1g-dev installed=liblzma-dev installed=libbz2-dev installed=libcadical-dev installed=libsqlite3-dev ' >"$FAKE/installed"; }
missing='ninja-build libcli11-dev'
lose_packages
rm -r build
run ./isoscope demo
[[ $code == 1 && -z $output ]] || fail "missing packages: $code $output"
grep -qFx "apt-get install --no-install-recommends $missing" "$FAKE/errors" || fail "no line to run: $errors"
[[ $(called apt-get) == 0 && $(called cmake) == 0 ]] || fail 'goes on without packages'

# With sudo, and as root: installs just what is missing, after an update.
for user in 1000 0; do
  lose_packages
  touch "$FAKE/sudo-works"
  echo $user >"$FAKE/user"
  rm -rf build
  run ./isoscope check 'my file' ''
  expect_program_ran
  mapfile -t calls < <(grep '^apt-get' "$FAKE/calls")
  [[ ${#calls[@]} == 2 && ${calls[0]} == *' update' &&
    ${calls[1]} == *" install --no-install-recommends $missing" ]] || fail "user $user installs: ${calls[*]}"
  [[ $user != 0 || $(called sudo) == 0 ]] || fail 'root needs no sudo'
done

# ./test builds, runs ctest and has its exit code. How a folder compiles is decided when it is made.
printf '%s\n' '#!/bin/sh' >tools/install-packages
echo 'exit 8' | fake ctest
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$tree" >build/CMakeCache.txt
run ./test -R history
[[ $code == 8 && $(called 'ctest .* -R history$') == 1 ]] || fail "./test ends in $code"
[[ $(called 'ctest .*long') == 0 ]] || fail './test leaves tests out'
[[ $(called 'cmake .*ISOSCOPE_UNITY') == 0 ]] || fail 'overrules how the folder compiles'
run ./test --quick -R history
[[ $code == 8 && $(called 'ctest .*--label-exclude ^long$ -R history$') == 1 ]] || fail "./test --quick ends in $code"
run ./test --help
[[ $code == 0 && $output == *'./test --quick'* && ! -s $FAKE/calls ]] || fail "./test --help: $output"
