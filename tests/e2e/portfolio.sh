#!/bin/sh
# SPDX-License-Identifier: MIT
#
# `fencer test` on programs whose executions are long, or do not end: what fails
# is told before the report, the mended twin is silent, and a trace stays short.
# `fencer run` tries what people own, and says what to change.
set -u
here=$SOURCE/tests/e2e/portfolio
bad=0

wrong() {
    echo "$*"
    bad=1
}

# count PATTERN FILE
count() {
    sed -n "s/.*$1.*/x/p" "$2" | wc -l
}

# The first line comes from executions by chance, and goes to stderr.
"$FENCER" test --time 1000 --model pso --cflags -DN=50 --out found \
    "$here/ring.c" >report 2>said
[ $? -eq 1 ] || wrong "ring: not found: $(cat report said)"
head -n 1 said | grep -q 'found: assertion failed.*, on PSO$' ||
    wrong "ring: not told at once: $(cat said)"
grep -q 'FAILS: assertion failed' report || wrong "ring: $(cat report)"
ls found | grep -q '^found-' && wrong "ring: left $(ls found)"
"$FENCER" replay found/finding-1.json >again 2>&1
grep -q 'assertion failed' again || wrong "ring: not replayed: $(cat again)"

"$FENCER" test --time 1000 --model pso --cflags '-DFIXED -DN=50' \
    --out mended "$here/ring.c" >report 2>said || wrong "mended: $(cat report)"
[ -s said ] && wrong "mended: $(cat said)"

# An execution that does not end has a share of the time as well.
"$FENCER" test --time 2 --out endless "$here/endless.c" >report 2>&1
[ $? -eq 3 ] || wrong "endless: $(cat report)"
grep -q 'the time limit came' report || wrong "endless: $(cat report)"

# Rounds of a loop that waits are in a trace three times; the rest is dropped.
"$FENCER" run --model sc --runs 1 --quiet --trace ring.trace \
    --cflags '-DFIXED -DN=2000' "$here/ring.c" || wrong "ring: no trace"
events=$("$FENCER" trace stats ring.trace | sed -n 's/^events //p')
[ "$events" -gt 12000 ] && [ "$events" -lt 60000 ] ||
    wrong "ring: $events events of 2,000 elements"

# Traces that were looked at take no memory: a hundred of them are 96 MB.
python3 - "$FENCER" "$here/ring.c" <<'END' || wrong "ring: too much memory"
import resource, subprocess, sys
subprocess.run([sys.argv[1], "test", "--quiet", "--model", "sc", "--time",
                "1000", "--out", "memory", "--cflags", "-DFIXED -DN=2000",
                sys.argv[2]])
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(most, "MB")
sys.exit(most > 130)
END

# SC, x86, ARM and C11 share the executions; and the change that mends it.
"$FENCER" run --out run --json run.json "$SOURCE/examples/mp.c" >report 2>&1
[ $? -eq 1 ] || wrong "run: $(cat report)"
[ "$(count '"property_broken"' run.json)" -eq 4 ] ||
    wrong "run: not every model: $(cat run.json)"
grep -q 'no failure in 250 executions on SC' report ||
    wrong "run: executions are not shared: $(cat report)"
grep -q 'memory_order_relaxed -> memory_order_release' report ||
    wrong "run: no change named: $(cat report)"
head -n 1 report | grep -q ', on ARM$' || wrong "run: not on ARM: $(cat report)"
"$FENCER" run --out run --json run.json --cflags -DFENCED \
    "$SOURCE/examples/mp.c" >report 2>&1 || wrong "run: mended: $(cat report)"
[ "$(count '"property_broken": "unknown"' run.json)" -eq 4 ] ||
    wrong "run: mended: $(cat run.json)"

# Schedules are of the machines.  Where executions cannot be drawn as graphs
# what comes by default is left out by name, and what was named is missed.
"$FENCER" run --out run --strategy pct --json run.json \
    "$SOURCE/examples/mp.c" >report 2>&1
[ "$(grep -c '"model": "pslo"' run.json)" -eq 1 ] ||
    wrong "run: pct not on the machines: $(cat run.json)"
"$FENCER" run --runs 8 --out run --trace long.trace \
    --cflags '-DFIXED -DN=2000' "$here/ring.c" >report 2>&1 ||
    wrong "run: long: $(cat report)"
grep -q 'executions on C11: executions of more than 1,000 events' report ||
    wrong "run: C11 not left out: $(cat report)"
grep -q 'tried on PSLO' report || wrong "run: nobody stands in: $(cat report)"
grep -q 'tried on x86' report || wrong "run: x86 left out: $(cat report)"
"$FENCER" trace stats long.trace | grep -q 'model pslo' ||
    wrong "run: the trace is not PSLO's: $("$FENCER" trace stats long.trace)"
"$FENCER" run --runs 8 --model c11 --out run --cflags '-DFIXED -DN=2000' \
    "$here/ring.c" >report 2>&1
[ $? -eq 3 ] || wrong "run: C11 was asked for: $(cat report)"
exit $bad
