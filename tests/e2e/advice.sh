#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The advice of the first finding, followed to the letter in the source, makes
# the program verify; and it is no more than is needed.
set -u
bad=0

complain() {
    echo "$*"
    bad=1
}

# "line from to" of each change that the first finding asks for.
changes() {
    awk '/"cure": \[\]/ { exit }
         /"cure": \[/ { inside = 1 }
         inside && /"line":/ { gsub(/[^0-9]/, ""); line = $0 }
         inside && /"from":/ { gsub(/[",]/, ""); from = $2 }
         inside && /"to":/ { gsub(/[",]/, ""); print line, from, $2 }
         inside && /\]/ { exit }' answer.json
}

# ask FILE DEFINES MODELS LINE...: the lines that have to change.
ask() {
    what="$1 $2 on $3"
    models=$3
    defines=$2
    cp "$SOURCE/tests/e2e/advice/$1" copy.c
    shift 3
    rm -rf out
    "$FENCER" verify --out out --quiet --model "$models" --json answer.json \
        --cflags "$defines" copy.c >/dev/null 2>log
    [ $? -eq 1 ] || complain "$what: it does not fail"
    grep -q '"cure_established_by": "verify"' answer.json ||
        complain "$what: nothing is established"
    [ "$(changes | sort -n | cut -d' ' -f1 | tr '\n' ' ')" = "$* " ] ||
        complain "$what: other lines than $*: $(changes)"
    changes | while read -r line from to; do
        sed -i "${line}s/memory_order_$from/memory_order_$to/" copy.c
    done
    "$FENCER" verify --out out2 --quiet --model "$models" --cflags "$defines" \
        copy.c >report 2>&1 || complain "$what: mended, it fails: $(cat report)"
    rm -rf out2
}

ask publish.c -DMESSAGE tso,pso,pslo 17 23
ask publish.c -DMESSAGE c11 17 23
ask publish.c -DMESSAGE tso,pso 17
ask publish.c "" tso 38 46
ask publish.c "" tso,c11 38 39 46 47
ask hand-over.c "" tso,pso,pslo 44
ask hand-over.c "" c11 44

# An RMW does both only if it has to.
ask count.c "" c11 18
[ "$(changes)" = "18 relaxed release" ] || complain "count.c: $(changes)"
ask count.c -DNO_FENCE c11 18
[ "$(changes)" = "18 relaxed acq_rel" ] || complain "count.c, no fence: $(changes)"

# A model that cannot be explored does not keep others from advice.
"$FENCER" verify --out out --quiet --model arm,c11 --json answer.json \
    "$SOURCE/tests/e2e/advice/ticket.c" >/dev/null 2>log
grep -q 'executions on C11, which are explored as graphs only' answer.json ||
    complain "ticket.c: C11 has it now"
[ "$(changes)" = "25 relaxed release" ] || complain "ticket.c: $(changes)"

# A store that is late beyond the next load is so beyond the next store: it
# takes the weakest fence that does it, not the one that drains the buffer.
"$FENCER" test --out out3 --quiet --json answer.json --jobs 1 \
    "$SOURCE/examples/spsc.c" >/dev/null 2>&1
fences=$(awk '/"fences": \[$/ { inside = 1 }
    inside && /"line":/ { gsub(/[^0-9]/, ""); line = $0 }
    inside && /"kind":/ { gsub(/[",]/, ""); print line, $2 }
    inside && /^ *\]/ { exit }' answer.json | sort -n | tr '\n' ';')
[ "$fences" = "38 ss;46 ll;49 ll;" ] || complain "spsc.c: fences $fences"
exit $bad
