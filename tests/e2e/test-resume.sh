#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A `fencer test` that is killed goes on where it was: the answer is that of an
# undisturbed run, and no cycle that has its verdict is searched for again.
set -u
bad=0

# run OUT [OPTIONS...]
run() {
    out=$1
    shift
    "$FENCER" test --time 1000 --out "$out" --quiet --jobs 1 --model tso,pso \
        --enumerate 0 --log expose "$@" "$SOURCE/bench/programs/dekker.c"
}

# Times differ; nothing else may.
answer() {
    sed -e '/"seconds"/d' -e '/"replay"/d' "$1"
}

# verdicts WORDS LOG: "MODEL CYCLE" of each such line.
verdicts() {
    sed -n "s/^.*: \([a-z]*\): \($1\) \(.*\), [0-9]* executions\$/\1 \3/p" \
        "$2" | sort
}

rm -rf whole killed
run whole --json whole.json 2>/dev/null
code=$?

FENCER_POINT=test.judged:12:kill
export FENCER_POINT
run killed 2>first.log
unset FENCER_POINT

run killed --json killed.json 2>second.log
again=$?

[ $code -eq 1 ] || { echo "exit code $code, expected 1"; bad=1; }
[ $again -eq 1 ] || { echo "exit code $again after the kill"; bad=1; }
answer whole.json >whole.answer
answer killed.json >killed.answer
diff whole.answer killed.answer || bad=1

verdicts 'harmful\|benign' first.log >done
verdicts searching second.log >begun
[ -s done ] || { echo "it was killed before the first verdict"; bad=1; }
[ -s begun ] || { echo "it was killed after the last verdict"; bad=1; }
comm -12 done begun >twice
[ ! -s twice ] || { echo "searched for twice:"; cat twice; bad=1; }
exit $bad
