#!/bin/sh
# SPDX-License-Identifier: MIT
#
# check.sh FILE.c: holds one kernel to what its head says of it:
#
#   broken:  MODEL     the strongest model that shows the bug; "none" if none
#                      here does
#   failure: WORDS     what the tool calls it
#   fixed:   MODEL     with -DFIXED silent on this model and all stronger ones
#   fence:   KIND after|before TEXT
#                      a fence beside each line with TEXT; all such lines
#                      together cure the kernel on the model `broken`, and none
#                      can be left out; for tso, pso and pslo
#   alpha:   true      what only Alpha shows; the report says so
#   options: OPTIONS   of the tool
#   verify FLAGS: MODEL VERDICT, ...
#                      what `verify` says on models without a machine, compiled
#                      with these flags (--rcpc is an option): right, broken, in
#                      the words of `failure`, race (on c11), unknown.  Each
#                      kernel says it of arm, riscv, power and c11, as it is and
#                      with -DFIXED, and README.md's table has that of arm and c11
#
# So the kernel is run three times: repaired as its project did it, as it is
# (silent on the models stronger than `broken`, found on that one and all weaker
# ones), and with nothing but these fences; and verified once for each `verify`.
set -u
file=$1
name=$(basename "$file" .c)
bad=0

# of KEY: what the head says of it, one line for each time it does.
of() {
    sed -n "s/^ \* *$1: *//p; /^ \*\//q" "$file"
}

complain() {
    echo "$name: $*"
    bad=1
}

# ask CFLAGS FILE: the tool's opinion of FILE in `verdicts`, a line for each
# model, "tso yes", and one for each finding, "found tso assertion failed: ...".
ask() {
    : >answer.json
    rm -rf findings
    # shellcheck disable=SC2046
    "$FENCER" test --model papers --time 1000 --all --out findings --quiet --json answer.json $(of options) \
        --cflags "$1" "$2" >out 2>&1
    code=$?
    if [ $code -gt 1 ]; then
        complain "'$1' ends with exit code $code"
        cat out
    fi
    sed -n 's/^ *"\(model\|property_broken\|error\)": "\(.*\)",*$/\1 \2/p' \
        answer.json | awk '
        $1 == "model" { model = $2; next }
        $1 == "property_broken" { print model, $2; next }
        { $1 = "found " model; print }' >verdicts
}

# rank MODEL: how much it reorders.
rank() {
    case $1 in
    sc) echo 0 ;;
    tso) echo 1 ;;
    pso) echo 2 ;;
    pslo) echo 3 ;;
    none) echo 4 ;;
    *) echo 5 ;;
    esac
}

# silent WHAT RANK: nothing found on any model up to that rank.
silent() {
    for model in sc tso pso pslo; do
        [ "$(rank $model)" -le "$2" ] || continue
        grep -q "^$model " verdicts || complain "$1: no word about $model"
        ! grep -q "^$model yes" verdicts || complain "$1: fails on $model:" \
            "$(grep "^found $model" verdicts)"
    done
}

# put_fences BUT: asks about the file with the fences that its head has, but for
# one of them.
put_fences() {
    of fence | awk -v but="$1" 'NR != but' >fences
    cp "$file" fenced.c
    while read -r kind where text; do
        awk -v fence="fencer_fence_$kind();" -v where="$where" -v text="$text" '
            hit = code && index($0, text) { hits++ }
            hit && where == "before" { print fence }
            { print }
            hit && where == "after" { print fence }
            /^ \*\// { code = 1 }
            END { exit !hits }' fenced.c >fenced.new ||
            complain "no line with '$text'"
        mv fenced.new fenced.c
    done <fences
    ask '-include fencer.h' fenced.c
}

# graphs FLAGS: the head's words about the kernel with these flags.
graphs() {
    sed -n "s/^ \* *verify$1: *//p; /^ \*\//q" "$file"
}

# verdict_on MODEL: what `graphs.json` says of it.
verdict_on() {
    awk -v wanted="$1" '
        $1 == "\"model\":" { model = $2; gsub(/[",]/, "", model) }
        $1 == "\"property_broken\":" && model == wanted { broken = $2 }
        $1 == "\"class\":" && $2 ~ /race/ && model == wanted { race = 1 }
        END {
            print race ? "race" : broken ~ /yes/ ? "broken" : broken ~ /no"/ ? "right" : "unknown"
        }' graphs.json
}

# ask_graphs FLAGS WORDS: holds `verify` to these words.
ask_graphs() {
    case $1 in
    *--*) option=$1 cflags= ;;
    *) option='' cflags=$1 ;;
    esac
    models=$(echo "$2" | sed 's/, /,/g; s/ [a-z]*//g')
    rm -rf findings
    # shellcheck disable=SC2086
    "$FENCER" verify --all --model "$models" --out findings --quiet --json graphs.json $option \
        --cflags "$cflags" "$file" >out 2>&1
    echo "$2" | tr , '\n' >words
    while read -r model verdict; do
        said=$(verdict_on "$model")
        [ "$said" = "$verdict" ] || complain "'$1' is $said on $model, not $verdict"
    done <words
    ! grep -q broken words || grep -q "\"error\": \".*$(of failure)" graphs.json ||
        complain "'$1': no '$(of failure)' in what verify found"
}

# cell MODEL: what README.md says of it: as it is and, if that is not right, fixed.
cell() {
    was=$(graphs '' | sed "s/.*$1 \([a-z]*\).*/\1/")
    is=$(graphs ' -DFIXED' | sed "s/.*$1 \([a-z]*\).*/\1/")
    [ "$is" = right ] && echo "$was" || echo "$was, fixed $is"
}

four='arm [a-z]*, riscv [a-z]*, power [a-z]*, c11 [a-z]*'
graphs '' | grep -qx "$four" || complain "its head has no line 'verify:' of four models"
graphs ' -DFIXED' | grep -qx "$four" || complain "its head has no line 'verify -DFIXED:'"
sed -n 's/^ \* *verify *\([^:]*\): .*/\1/p; /^ \*\//q' "$file" >sides
while read -r flags; do
    ask_graphs "$flags" "$(graphs "${flags:+ $flags}")"
done <sides
grep -q "^| $name |.*| $(cell arm) | $(cell c11) |" "${file%/*}/README.md" ||
    complain "README.md does not say '$(cell arm) | $(cell c11)' of it"

broken=$(of broken)
failure=$(of failure)
fixed=$(of fixed)
fences=$(of fence | wc -l)
case "$broken:$failure:$fences" in
none:*:0 | sc:*?:0 | tso:*?:[1-9] | pso:*?:[1-9] | pslo:*?:[1-9]) ;;
*)
    complain "its head does not go together"
    exit 1
    ;;
esac

ask -DFIXED "$file"
silent "-DFIXED" "$(rank "$fixed")"

ask '' "$file"
silent "as it is" $(($(rank "$broken") - 1))
[ "$broken" != none ] || exit $bad
for model in sc tso pso pslo; do
    [ "$(rank $model)" -ge "$(rank "$broken")" ] || continue
    grep -q "^$model yes" verdicts || complain "as it is: silent on $model"
done
grep -q "^found $broken .*$failure" verdicts ||
    complain "as it is: no '$failure' on $broken:" "$(grep found verdicts)"
alpha=$(of alpha)
grep -q "\"alpha_only\": ${alpha:-false}" answer.json ||
    complain "as it is: alpha_only is not ${alpha:-false}"

[ "$fences" -gt 0 ] || exit $bad
put_fences 0
silent "with its fences" "$(rank "$broken")"
i=1
while [ "$fences" -gt 1 ] && [ $i -le "$fences" ]; do
    put_fences $i
    grep -q "^$broken yes" verdicts ||
        complain "with all fences but number $i: silent on $broken"
    i=$((i + 1))
done
exit $bad
