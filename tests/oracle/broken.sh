#!/bin/sh
# SPDX-License-Identifier: MIT
#
# broken.sh TOOL: where an invariant of the runtime breaks (event/must.h), every
# command says which, and where, and ends with exit code 3.
set -u
tool=$1
bad=0
line=$(grep -n 'MUST(rt.strategy->repeats)' \
    "$SOURCE/src/target/runtime/sched.c" | cut -d: -f1)
words="fencer: internal error: target/runtime/sched.c:$line: rt.strategy->repeats"
for command in run test verify; do
    rm -rf out
    FENCER_MUTANT=1000 "$tool" $command --out out "$SOURCE/examples/sb.c" \
        >said 2>&1
    code=$?
    [ $code -eq 3 ] || { echo "$command: exit code $code"; bad=1; }
    grep -qF "$words does not hold" said || { cat said; bad=1; }
done
exit $bad
