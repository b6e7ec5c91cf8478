#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The search for late loads, which comes after all other executions, ends when
# somebody interrupts: what was explored before counts, the answer says why the
# rest was not, and the same command has in the end what one run has.
set -u
bad=0
"$FENCER" cc --track-deps -g -w -o prog "$SOURCE/tests/e2e/late-interrupt.c" -lpthread || exit 1

# ask NAME POINT DIR
ask() {
    FENCER_POINT=$2 "$FENCER" verify --jobs 1 --model power --out "$3" --json "$1.json" \
        prog >"$1.txt" 2>&1
    code=$?
    sed -e '/"seconds"/d' -e '/"events"/d' -e 's/"out-[^"]*//g' "$1.json" >"$1.answer"
}

ask once '' out-once
ask cut verify.late:1:int out
grep -q "the rest: interrupted" cut.txt || { echo "it does not end there"; bad=1; }
[ "$(grep -m1 '"executions"' cut.json)" = "$(grep -m1 '"executions"' once.json)" ] || {
    echo "what was explored is lost:"
    grep '"executions"' cut.json once.json
    bad=1
}
ask again '' out
diff once.answer again.answer || bad=1
exit $bad
