# SPDX-License-Identifier: MIT
#
# fencer doctor where all is well, and where something is missing: each is named
# with what to do, and the exit code says it.
set -u
bad=0
say() {
    echo "$1"
    cat out
    bad=1
}
rm -rf ./* .fencer
TMPDIR=$PWD/tmp
export TMPDIR
mkdir tmp

"$FENCER" doctor >out 2>&1 || say "not well here"
tail -n 1 out | grep -qx 'everything that Fencer needs is here' || say "no end"
[ "$(grep -c '^ok ' out)" -ge 7 ] || say "too few checks"
[ -z "$(ls tmp)" ] || say "something is left: $(ls tmp)"

# missing WORDS: the last command has said so, and failed for it.
missing() {
    [ "$code" = 3 ] || say "$1: exit code $code"
    grep -q "^FAIL.*$1" out || say "$1: not said"
    tail -n 1 out | grep -q 'not here' || say "$1: the end"
}
mkdir empty
PATH=$PWD/empty "$FENCER" doctor >out 2>&1
code=$?
missing "clang-19 is not on the PATH"
grep -q 'apt-get install clang-19' out || say "what to do?"

mkdir fake && printf '#!/bin/sh\necho "ld: broken" >&2\nexit 1\n' >fake/clang-19
chmod +x fake/clang-19
PATH=$PWD/fake:$PATH "$FENCER" doctor >out 2>&1
code=$?
missing "linker.*ld: broken"

# A tool with sanitizers does not even start like that.
if (ulimit -v 50000000 && "$FENCER" --version) >out 2>&1; then
    (ulimit -v 50000000 && "$FENCER" doctor >out 2>&1)
    code=$?
    missing "addresses are limited"
fi

# Without its runtime beside it.
mkdir alone && cp "$FENCER" alone/fencer
alone/fencer doctor >out 2>&1
code=$?
missing "libfencer_rt.a"

# No cache is a pity, and nothing more.
: >file
XDG_CACHE_HOME=$PWD/file "$FENCER" doctor >out 2>&1 || say "no cache: it failed"
grep -q '^warn  cache' out || say "no cache: not said"

"$FENCER" doctor x >out 2>&1
[ $? = 2 ] || say "an operand"
exit $bad
