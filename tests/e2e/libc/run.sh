#!/bin/sh
# SPDX-License-Identifier: MIT
#
# What only the outside of a program shows: which models allow a behaviour,
# that nothing depends on the process, where output and input go.
set -u
here=$SOURCE/tests/e2e/libc
bad=0

say() {
    echo "$*"
    cat out
    bad=1
}

# expect CODE WORDS OPTIONS... : of fencer run
expect() {
    code=$1
    words=$2
    shift 2
    "$FENCER" run --no-color "$@" >out 2>&1
    got=$?
    if [ $got -ne "$code" ]; then
        say "run $*: exit code $got, expected $code"
    elif [ -n "$words" ] && ! grep -qF -- "$words" out; then
        say "run $*: does not say: $words"
    fi
}

# refuse WORDS: the last report must not say it.
refuse() {
    ! grep -qF -- "$1" out || say "says: $1"
}

# What libraries ask before they make a thread.
expect 0 '' --model tso --runs 50 "$here/programs/limits.c"
refuse 'process of its own'
refuse 'full fence'

# Text written by the library is reordered where stores are, and nowhere else.
message=$here/programs/message-strcpy.c
for how in '' -DPRINTS; do
    expect 0 '' --model sc,tso --runs 2000 --cflags "$how" "$message"
    expect 1 'assertion failed' --model pso --runs 5000 --cflags "$how" \
        "$message"
    expect 1 'assertion failed' --model pslo --runs 5000 --cflags "$how" \
        "$message"
    expect 0 '' --model pso --runs 5000 --cflags "$how -DFIXED" "$message"
done

# Random numbers and clocks: one outcome, the same in two processes, and with
# a process per execution.
for way in '' '' --by-process; do
    # shellcheck disable=SC2086
    "$FENCER" run --no-color --model tso --runs 20 $way \
        "$here/programs/random.c" >out 2>&1
    grep 'rand=' out >outcome.new || say 'random.c: no outcome'
    [ "$(wc -l <outcome.new)" -eq 1 ] || say 'random.c: several outcomes'
    [ -e outcome ] || cp outcome.new outcome
    cmp -s outcome outcome.new || say "random.c $way: another outcome"
done
rm -f outcome outcome.new

# errno costs no process, nor does getopt.
for name in errno options; do
    expect 0 '' --runs 20 "$here/programs/$name.c"
    refuse 'a process of its own'
done

# Code without bitcode has variables that no reset knows.
clang-19 -c -o counts.o "$here/outside/counts.c" &&
    "$FENCER" cc -o counted "$here/outside/counted.c" counts.o ||
    say 'counted.c does not link'
expect 0 'because of count_call' --runs 10 ./counted
expect 0 'count_call is not modelled' --runs 10 ./counted

# Code without bitcode that says of itself that it touches no memory.
clang-19 -c -o mixes.o "$here/outside/mixes.c"
"$FENCER" cc -o mixed "$here/outside/mixed.c" mixes.o &&
    "$FENCER" cc -DUNKNOWN -o unknown "$here/outside/mixed.c" mixes.o ||
    say 'mixed.c does not link'
"$FENCER" verify --model sc --log verify ./mixed >out 2>&1 &&
    grep -q 'executions as graphs, 0 blocked, cuts 0, all' out ||
    say "mixed.c: $(cat out)"
"$FENCER" verify --model tso ./mixed >out 2>&1
[ $? = 1 ] || say "mixed.c on TSO: $(cat out)"
"$FENCER" verify --model sc --log verify ./unknown >out 2>&1
grep -q 'not explored as graphs: mix, called while' out ||
    say "mixed.c -DUNKNOWN: $(cat out)"

# All executions see stdin from its beginning.
seq 1 5 >numbers
"$FENCER" run --no-color --runs 10 "$here/outside/adds.c" <numbers >out 2>&1 ||
    say 'adds.c: some execution did not read all of stdin'
seq 1 5 | "$FENCER" run --no-color --runs 10 "$here/outside/adds.c" >out 2>&1 ||
    say 'adds.c: some execution did not read all of a pipe'
# Nobody waits for a pipe that may never end, and it is not read piece by piece.
{ sleep 2; seq 1 5; } | "$FENCER" run --no-color --runs 10 "$here/outside/adds.c" >out 2>&1
[ $? = 3 ] && grep -q 'from a pipe.*as a file' out ||
    say "adds.c: a pipe that is written late: $(cat out)"

# A linked program is an ordinary one when no tool runs it: the same bytes on
# the same descriptors as from any compiler.
"$FENCER" cc -O2 -o talks "$here/outside/talks.c" >out 2>&1 ||
    say 'talks.c does not compile'
clang-19 -o talks.native "$here/outside/talks.c" >out 2>&1
for program in ./talks ./talks.native; do
    echo 'a line' | $program one two >"$program.1" 2>"$program.2"
    echo $? >>"$program.2"
done
cmp talks.1 talks.native.1 >out && cmp talks.2 talks.native.2 >out ||
    say 'talks: differs from a native program'

# The same text, in the same order, is shown with a failure.
expect 1 'exit code 7' --runs 1 "$here/outside/talks.c" -- one two
for line in start 'to stderr' one two '2.50|last' 'at exit'; do
    grep -qF -- "$line" out || say "talks: '$line' is not shown"
done
exit $bad
