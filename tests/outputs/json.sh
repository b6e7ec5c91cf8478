# SPDX-License-Identifier: MIT
#
# What --json writes fits docs/fencer.schema.json, for every command; what does
# not fit is noticed.
set -u
validate=$1
schema=$SOURCE/docs/fencer.schema.json
bad=0
say() {
    echo "$1"
    bad=1
}
rm -rf ./* .fencer
cp "$SOURCE"/examples/*.c .

"$FENCER" run --quiet --json run.json --keep-going sb.c
"$FENCER" run --quiet --json observe.json "$SOURCE/tests/golden/json/observe.c"
"$FENCER" test --quiet --json test.json mp.c
"$FENCER" verify --quiet --model all --json verify.json mp.c
"$FENCER" verify --quiet --model arm --json arm.json mp.c
"$FENCER" verify --quiet --model c11 --json race.json sb.c
"$FENCER" verify --quiet --no-dpor --monitor sober,tso --json monitors.json sb.c
"$FENCER" verify --quiet --count-traces --cflags -DFENCED --json fixed.json sb.c
"$FENCER" verify --quiet --json spsc.json spsc.c
"$FENCER" check --quiet --fences --json check.json queue.c
"$FENCER" replay --quiet --json replay.json .fencer/finding-1.json
"$FENCER" report --quiet --json report.json
"$FENCER" litmus --quiet --model all --json litmus.json \
    "$SOURCE"/tests/golden/litmus/*.litmus
"$FENCER" doctor --quiet --json doctor.json
"$validate" "$schema" ./*.json || say "some answer does not fit"

# Characters that a terminal obeys, in a name, an object and words; on stdout too.
rtl=$(printf '\342\200\256\303\251\360\237\230\200')
cat >"$rtl.c" <<END
#include <assert.h>
int main(void) { int x = 0; assert(x && "$rtl"); return 0; }
END
"$FENCER" run --model sc --json - "$rtl.c" >stdout.json 2>err
"$FENCER" run --model sc --json file.json --quiet "$rtl.c"
"$FENCER" run --model sc --sarif - "$rtl.c" >sarif.out
"$validate" "$schema" stdout.json file.json || say "characters: not JSON"
LC_ALL=C grep -q "[^ -~]" stdout.json sarif.out && say "stdout: not ASCII"
grep -q "$rtl.c" file.json || say "a file has other characters"
grep -q '\\u202e\\u00e9\\ud83d\\ude00.c' stdout.json || say "stdout: others"

# Each part of the schema is there somewhere.
for key in outcomes predicted monitors first_seconds tests fence_set race \
    awaits cure traces notation cycles; do
    grep -q "\"$key\"" ./*.json || say "no answer has $key"
done

# refused WHAT SED-SCRIPT
mkdir wrong
refused() {
    sed "$2" verify.json >wrong/it.json
    cmp -s verify.json wrong/it.json && say "$1: nothing was changed"
    "$validate" "$schema" wrong/it.json >wrong/out && say "$1: it fits"
}
refused "a word" 's/"property_broken": "yes"/"property_broken": "maybe"/'
refused "a key" 's/"limits"/"limit"/'
refused "a type" 's/"line": \([0-9]*\)/"line": "\1"/'
refused "a number" 's/"executions": [0-9]*/"executions": -1/'
refused "another key" 's/"model":/"mode": 1, "model":/'
exit $bad
