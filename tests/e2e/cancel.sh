# SPDX-License-Identifier: MIT
#
# Threads that poll for their cancellation, as graphs: both ends, handlers, what
# join returns, loops that wait for it; and that waits which a cancellation may
# end are explored step by step still.
set -u
bad=0

# verdict CODE NAME EXECUTIONS OPTIONS: on SC there are so many.
verdict() {
    wanted=$1 name=$2 count=$3
    shift 3
    "$FENCER" verify --out out --log verify "$@" \
        "$SOURCE/tests/e2e/cancel/$name.c" >out.txt 2>&1
    code=$?
    if [ $code != "$wanted" ] ||
        ! grep -q "sc: $count executions as graphs, 0 blocked" out.txt; then
        echo "verify $* $name.c: exit code $code, not $wanted"
        cat out.txt
        bad=1
    fi
}
verdict 0 polls 2 --model sc,tso,pso,pslo
verdict 1 polls 2 --model sc --cflags -DBROKEN
verdict 0 polls 2 --model sc --cflags -DORDER
verdict 1 polls 2 --model tso --cflags -DORDER
"$FENCER" replay out/finding-1.json >replay.txt 2>&1
[ $? = 1 ] || { echo "replay: $(cat replay.txt)"; bad=1; }
verdict 0 loop 1 --model sc,tso,pso,pslo
verdict 1 loop 1 --model sc --cflags -DBROKEN

for wait in SLEEPS WAITS CONDS JOINS; do
    "$FENCER" verify --out out --log verify --model sc --cflags "-D$wait" \
        "$SOURCE/tests/e2e/cancel/waits.c" >out.txt 2>&1
    code=$?
    if [ $code != 0 ] || ! grep -q 'graphs: a wait that a cancellation may' \
        out.txt; then
        echo "waits.c -D$wait: exit code $code"
        cat out.txt
        bad=1
    fi
done
exit $bad
