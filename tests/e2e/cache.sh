#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Unchanged sources are not compiled again; changed ones are, whatever changed:
# the source, a header, a flag, a header that is found first from now on.
set -u
bad=0
export XDG_CACHE_HOME="$PWD/cache"
mkdir -p one two
cat >prog.c <<'EOF'
#include "value.h"
#include <assert.h>
int main(void)
{
    assert(VALUE == 1);
    return 0;
}
EOF
echo '#define VALUE 1' >two/value.h

# expect WHAT CODE cached|built [options]: what a run must do
expect() {
    what=$1 code=$2 how=$3
    shift 3
    sleep 0.02 # what was just written is not believed to be old
    "$FENCER" run --model sc --runs 1 --log=cc --cflags '-Ione -Itwo' "$@" \
        prog.c >out 2>log
    got=$?
    if grep -q 'has not changed' log; then was=cached; else was=built; fi
    [ $got -eq $code ] && [ $was = $how ] && return
    echo "$what: exit code $got, not $code; $was, not $how"
    cat out log
    bad=1
}

expect 'the first time' 0 built
expect 'the second time' 0 cached
expect 'not asked for' 0 built --no-cache
expect 'other flags' 0 built --cflags '-Ione -Itwo -DX'
expect 'the same flags again' 0 cached --cflags '-Ione -Itwo -DX'
echo '#define VALUE 2' >two/value.h
expect 'a header has changed' 1 built
expect 'the same header' 1 cached
echo '#define VALUE 1' >one/value.h
expect 'a header that is found first' 0 built
expect 'the same' 0 cached
echo '#define VALUE 3' >value.h
expect 'a header beside the source' 1 built
rm value.h one/value.h
echo '#define VALUE 1' >two/value.h
expect 'as in the beginning' 0 built
echo '/* more */' >>prog.c
expect 'the source has changed' 0 built
expect 'the source is the same' 0 cached

# What is damaged, or cannot be used, is as good as nothing.
for list in cache/fencer/*.list; do
    head -c 700 "$list" >cut && cat cut >"$list"
done
expect 'lists that are cut' 0 built
for program in cache/fencer/*-*-*; do
    : >"$program"
done
expect 'programs that are cut' 0 built
for list in cache/fencer/*.list; do
    sed 's,^= .*,= ../../prog.c,' "$list" >cut && cat cut >"$list"
done
expect 'a program that is elsewhere' 0 built
expect 'and again' 0 cached
rm -rf cache
: >cache
expect 'a cache that cannot be made' 0 built
rm cache

# The time of day is another each time.
echo 'const char *when = __TIME__;' >>prog.c
expect 'a source with the time' 0 built
expect 'a source with the time, again' 0 built

# It does not grow for ever: what was not used for longest goes.
sed -i '$d' prog.c
truncate -s 600M cache/fencer/0000000000000000-25800000-0000000000000000
touch -d '2 days ago' cache/fencer/0000000000000000-*
expect 'a cache that is too large' 0 built
ls cache/fencer/0000000000000000-* 2>/dev/null && bad=1
expect 'what is new stays' 0 cached

# Another tool has another cache: here one that was installed anew.
mkdir -p other
for part in fencer fencer-llvm.so libfencer_rt.a include; do
    cp -r "$(dirname "$FENCER")/$part" other
done
(
    FENCER=$PWD/other/fencer
    expect 'a tool of its own' 0 built
    expect 'the same tool' 0 cached
    touch other/libfencer_rt.a
    expect 'a new runtime' 0 built
    exit $bad
) || bad=1

# Side by side.
rm -rf cache
sleep 0.02
for i in 1 2 3 4; do
    "$FENCER" run --model sc --runs 1 --quiet --out out$i --cflags \
        '-Ione -Itwo' prog.c >out 2>log$i || { cat log$i; bad=1; } &
done
wait
expect 'after four at once' 0 cached
left=$(find cache -name '*.list' | wc -l)
[ "$left" -eq 1 ] || { echo "$left lists"; bad=1; }
exit $bad
