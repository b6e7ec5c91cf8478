#!/bin/sh
# SPDX-License-Identifier: MIT
#
# test.sh NAME: `fencer test`, with the options it has by itself, says of the
# program what its head says (see check.sh), and nothing of its fenced twin but
# what SC breaks already.  dekker also names the pairs that Relaxer's paper
# found harmful and benign, and creates a cycle that Relaxer could not;
# pthread_cancel_init has a cycle of eight accesses.
#
# Programs with thousands of cycles are tested with FENCER_LONG=1 only.
set -u
here=$(cd "$(dirname "$0")" && pwd)
name=$1
head=$here/$name.c
sources=$head
if [ -d "$here/$name" ]; then
    head=$here/$name/$name.c
    sources=$(ls "$here/$name"/*.c)
fi
bad=0

case $name in
harris | snark | msn | lazylist)
    if [ -z "${FENCER_LONG-}" ]; then
        echo "$name: only with FENCER_LONG=1"
        exit 0
    fi
    ;;
esac

# of KEY: what the head says of it.
of() {
    sed -n "s/^ \* *$1: *//p; /^ \*\//q" "$head"
}

complain() {
    echo "$name: $*"
    bad=1
}

# ask FLAGS: verdicts has "tso yes" for each model, classes a line for each
# finding, log what became of each cycle.
ask() {
    rm -rf findings
    : >answer.json
    # shellcheck disable=SC2086
    "$FENCER" test --model papers --time 1000 --all --out findings --quiet --log expose --json answer.json \
        --cflags "$1" $sources >out 2>log
    code=$?
    [ $code -le 1 ] || complain "'$1' ends with exit code $code"
    sed -n 's/^ *"\(model\|property_broken\)": "\(.*\)",*$/\1 \2/p' \
        answer.json | awk '
        $1 == "model" { model = $2 }
        $1 == "property_broken" { print model, $2 }' >verdicts
    sed -n 's/^ *"class": "\(.*\)",*$/\1/p' answer.json >classes
}

# swapped CLASS FIRST SECOND MODEL: is there a finding of that class whose
# swapped pair are these lines of NAME.c?
swapped() {
    awk -v class="$1" -v first="$2" -v second="$3" -v model="$4" '
        $1 == "\"model\":" { m = $2 }
        $1 == "\"class\":" { c = $2 }
        $1 == "\"first\":" { side = 1 }
        $1 == "\"second\":" { side = 2 }
        $1 == "\"line\":" && side { line[side] = $2 + 0 }
        $1 == "\"kind\":" && side {
            if (line[1] == first && line[2] == second &&
                c == "\"" class "\"," && m == "\"" model "\",")
                found = 1
            side = 0
        }
        END { exit !found }' answer.json
}

ask ''
for model in sc tso pso pslo; do
    case $(of $model) in
    broken) grep -q "^$model yes" verdicts ||
        complain "silent on $model" ;;
    correct) ! grep -q "^$model yes" verdicts ||
        complain "fails on $model" ;;
    esac
done

# line TEXT: of Relaxer's figure 11.
line() {
    grep -n "/\* $1 \*/" "$head" | head -n 1 | cut -d : -f 1
}

case $name in
dekker)
    for pair in '1 2' '7 2' '11 12' '17 12'; do
        swapped harmful "$(line "${pair% *}")" "$(line "${pair#* }")" tso ||
            complain "$pair is not harmful on TSO"
    done
    for pair in '4 5' '14 15'; do
        for model in tso pso pslo; do
            ! swapped harmful "$(line "${pair% *}")" "$(line "${pair#* }")" \
                $model || complain "$pair is harmful"
        done
    done
    cycle="dekker.c:$(line 9):[0-9]*>dekker.c:$(line 10):[0-9]*"
    cycle="$cycle~dekker.c:$(line 12):[0-9]*>dekker.c:$(line 15):[0-9]*~"
    grep -q "pso: \(harmful\|benign\) $cycle" log ||
        complain "(9,10,12,15) was not created on PSO"
    ;;
pthread_cancel_init)
    # Eight accesses: seven signs between them, and the last.
    grep "\(harmful\|benign\) " log | grep -q "\(:[0-9]*[>~][^,]*\)\{8\}" ||
        complain "no cycle of eight accesses was created"
    ;;
esac

ask -DFENCED
case $(of fenced) in
sc*)
    ! grep -q 'harmful' classes || complain "-DFENCED: harmful"
    ;;
*)
    [ $code -eq 0 ] || complain "-DFENCED: exit code $code"
    ;;
esac
exit $bad
