#!/usr/bin/env bash
# Tries tests/docs/run_document on small documents, with a stand-in for the program.
set -euo pipefail
root=$(dirname "$(readlink -f "$0")")/../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{bin,tree/tests/docs,tree/examples,beside}
cp "$root/tests/docs/run_document" "$work/tree/tests/docs"
cat >"$work/bin/isoscope" <<'BODY'
#!/bin/sh
case $1 in
  say) shift; [ "$1" != --help ] || { echo 'say [--loud] WORDS'; exit 0; }; printf '%s\n' "$@" ;;
  end) exit "$2" ;;
  *) exit 2 ;;
esac
BODY
chmod +x "$work/bin/isoscope"
echo shown >"$work/tree/examples/known"

fail() { echo "FAILED: $*"; exit 1; }
page=page.md
run() { # the document on standard input; sets code and output
  cat >"$work/tree/$page"
  code=0
  output=$("$work/tree/tests/docs/run_document" "$work/tree/$page" "$work/bin" 2>&1) || code=$?
}
passes() { run; [[ $code == 0 ]] || fail "$output"; }
fails() { run; [[ $code != 0 && $output == *"$1"* ]] || fail "passes, or says something else: $output"; }

passes <<'PAGE'
<!-- file: examples/known -->
```
shown
```

<!-- file: list -->
```
one
two
```

<!-- first: echo three >>list -->
```
$ cat list
one
two
three
$ ./isoscope say a b c d
a
...
d
$ isoscope end 10
$ echo $?
10
```
`isoscope say --loud X` is only mentioned.
PAGE

fails 'page.md:2: prints something else: isoscope say b' <<<$'```\n$ isoscope say b\na\n```'
fails '+b' <<<$'```\n$ isoscope say a b c\na\nc\n```'
fails 'exit code 3' <<<$'```\n$ isoscope end 3\n```'
fails 'exit code 2' <<<$'```\n$ isoscope shout\n```'
fails 'examples/known is not what is shown' <<<$'<!-- file: examples/known -->\n```\nother\n```'
fails 'has no option --quiet' <<<'Or `isoscope say --quiet X`.'
fails 'there is no command shout' <<<'Or `isoscope shout X`.'
fails 'page.md:1: there is no other.md' <<<'See [there](other.md).'
fails 'page.md has no heading the-end' <<<$'# The start\n\nSee [below](#the-end).'
fails 'there is no tests/docs/walk_document' <<<'It is `tests/docs/walk_document`.'
passes <<<$'# The `end`, at last\n\n[up](#the-end-at-last), [out](https://example.org/x.md#y),\n[known](examples/known), `tests/docs/run_document`'
fails 'no such comment: flie' <<<$'<!-- flie: x -->\n```\nx\n```'

long=$(printf 'word %.0s' {1..21})
fails 'page.md:3: has 105 columns' <<<$'Short.\n\n'"$long"
passes <<<$'| '"$long"$'|\n\n```\n'"$long"$'\n```'

# The index has all documents.
mkdir "$work/tree/docs"
touch "$work/tree/docs/one.md"
page=docs/README.md
fails 'the index has no docs/one.md' <<<'[Two](../examples/known)'
passes <<<'[One](one.md)'
page=page.md

# What a block needs may be missing; then it is skipped, and says so.
needs=$'<!-- needs: data from ../beside -->\n```\n$ cat data\nyes\n```'
passes <<<"$needs"
[[ $output == *'skipped: ../beside/data is missing'* ]] || fail "not skipped: $output"
echo no >"$work/beside/data"
fails '+no' <<<"$needs"

# Promoting rewrites what is shown, and keeps what is left out. It fails, as it has compared nothing.
export ISOSCOPE_PROMOTE=1
fails 'promoted, in 2 places' <<<$'```\n$ isoscope say a b\nb\n\n$ isoscope say 1 2 3 4\n0\n...\n4\n```\nend'
[[ $(cat "$work/tree/page.md") == $'```\n$ isoscope say a b\na\nb\n\n$ isoscope say 1 2 3 4\n1\n...\n4\n```\nend' ]] ||
  fail "promoted: $(cat "$work/tree/page.md")"
passes <<<"$(cat "$work/tree/page.md")"
