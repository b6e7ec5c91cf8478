#!/bin/sh
# SPDX-License-Identifier: MIT
#
# run.sh PART PARTS: hostile programs, files, options and channels, one after
# the other, through every command.  Whatever the tool says of them, it ends
# by itself, with an exit code of its contract, not later than --time and two
# seconds allow, and leaves behind neither a process nor a temporary file.
#
# Case N is of part N % PARTS; FENCER_LONG=1 takes two parts instead, all there
# is.  HOSTILE=NAME in the environment takes the cases of that name only.
set -u
here=$SOURCE/tests/hostile
part=$1
parts=$2
[ "${FENCER_LONG-}" = 1 ] && parts=2 && part=$((part % 2))
only=${HOSTILE-}
number=0
tried=0
bad=0
slowest=0
limit=2 # --time
always=  # number of a case that every sample has

# ---- One case ----

now() {
    date +%s%N | sed 's/......$//'
}

# What still runs of a case: its environment says which one it was.
left_running() {
    grep -alz "^HOSTILE_CASE=$tag\$" /proc/[0-9]*/environ 2>/dev/null |
        sed 's,/proc/\(.*\)/environ,\1,'
}

complain() {
    echo "$number $name: $*"
    bad=1
}

# is_chosen NAME: is it the turn of the next case?
is_chosen() {
    number=$((number + 1))
    if [ -n "$only" ]; then
        [ "$only" = "$1" ]
    else
        [ $((number % parts)) -eq "$part" ] ||
            { [ $number = "$always" ] && [ $((number / 4 % 2)) -eq "$part" ]; }
    fi
}

# judge CODE CODES
judge() {
    case " $2 " in
    *" $1 "*) ;;
    *)
        complain "exit code $1, expected one of: $2"
        tail -n 5 err
        ;;
    esac
    if grep -aqE 'AddressSanitizer|runtime error:|CHECK failed|MUST' out err; then
        complain "a mistake of our own"
        grep -aE 'AddressSanitizer|runtime error:|CHECK failed|MUST' out err
    fi
    [ -z "$(ls -A tmp)" ] || complain "left in TMPDIR: $(ls -A tmp)"
    orphans=$(left_running)
    # One that was just killed may need a moment to be gone.
    [ -z "$orphans" ] || { sleep 0.3 && orphans=$(left_running); }
    if [ -n "$orphans" ]; then
        complain "left running: $(echo $orphans)"
        kill -9 $orphans
    fi
}

# start ARGUMENTS...: the tool; its exit code in $code, milliseconds in $took.
start() {
    rm -rf tmp out.folder out err
    mkdir tmp
    begin=$(now)
    HOSTILE_CASE=$tag TMPDIR=${temporary-$PWD/tmp} \
        timeout -k 1 60 "$FENCER" "$@" >"${stdout-out}" 2>err </dev/null
    code=$?
    took=$(($(now) - begin))
    touch out
}

# What a harmless program takes says how fast this machine is just now.
measure_machine() {
    printf 'int main(void) { return 0; }\n' >harmless.c
    begin=$(now)
    "$FENCER" run --out harmless harmless.c >/dev/null 2>&1
    allowed=$((1000 * (limit + 2) + 4 * ($(now) - begin)))
}

# attempt NAME CODES ARGUMENTS...: the tool with these arguments.  Its output
# goes to $stdout, if that is set.  What seems to hang gets a second chance:
# the machine may have had something else to do.
attempt() {
    name=$1
    codes=$2
    shift 2
    is_chosen "$name" || return 0
    tried=$((tried + 1))
    tag=$$.$number
    start "$@"
    if [ $took -gt $allowed ]; then
        measure_machine
        start "$@"
        [ $took -le $allowed ] || complain "took $took ms of $allowed"
    fi
    [ $took -le $slowest ] || slowest=$took
    judge $code "$codes"
}

# ---- Programs ----

# through NAME PROGRAM [ARGUMENT]: run, test and verify.
through() {
    for command in run test verify; do
        cp "$2" subject 2>/dev/null
        attempt "$1" '0 1 3' $command --no-color --time $limit --jobs 1 \
            --out out.folder --json out.json ./subject ${3+-- "$3"}
    done
}

# The C of one program of programs.txt.
extract() {
    cat "$here/prelude.h"
    awk -v name="$1" '/^===/ { on = $2 == name; next } on' \
        "$here/programs.txt"
}

# compile NAME: as hostile.exe, if one of its next four cases is chosen.
compile() {
    before=$number
    chosen=
    for _ in 1 2 3 4; do
        is_chosen "$1" && chosen=yes
    done
    number=$before
    [ -n "$chosen" ] || return
    extract "$1" >hostile.c
    "$FENCER" cc -w -o hostile.exe hostile.c -latomic 2>err && return
    name=$1
    complain "does not compile"
    cat err
}

try_programs() {
    for program in $(sed -n 's/^=== \([^ ]*\).*/\1/p' "$here/programs.txt"); do
        always=
        grep -q "^=== $program always" "$here/programs.txt" &&
            always=$((number + 2))
        compile "$program"
        attempt "$program" 0 cc -w -o compiled.exe hostile.c -latomic
        through "$program" hostile.exe
        rm -f hostile.c hostile.exe
    done
    always=
}

try_channels() {
    "$FENCER" cc -w -I "$here" -o channel.exe "$here/channel.c" || bad=1
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        through "channel-$seed" channel.exe $seed
    done
}

# ---- Files ----

# damaged FILE HOW SEED: a copy, damaged, in `damaged`.
damage() {
    size=$(wc -c <"$1")
    cp "$1" damaged
    at=$(($3 * 7919 % (size + 1)))
    case $2 in
    cut) truncate -s $at damaged ;;
    flip) printf "\\$(printf %o $(($3 * 37 % 256)))" |
        dd of=damaged bs=1 seek=$at conv=notrunc 2>/dev/null ;;
    grown) head -c 4096 /dev/urandom >>damaged ;;
    esac
}

# Each line: a change to a finding that keeps it JSON, or nearly.
edits='s/"model": "[a-z]*"/"model": 7/
s/"model": "[a-z]*"/"model": "vax"/
s/"seed": [0-9]*/"seed": 99999999999999999999999/
s/"seed": [0-9]*/"seed": -1/
s/"seed": [0-9]*/"seed": {}/
s/: [0-9][0-9]*/: 18446744073709551615/
s/: [0-9][0-9]*/: 4294967296/g
s/: [0-9][0-9]*/: -2147483649/g
s/: [0-9][0-9]*/: 1e308/g
s/: [0-9][0-9]*/: null/g
s/\[/{/g
s/: "/: "\\u0000/g
s/: "/: "\\u001b[2J/g
s/: ".*"/: ""/
s/: ".*"/: ""/g
s/[0-9a-f]\{16\}/0000000000000000/g
s/\.exe/.gone/g
s,/,/../,g
s/[a-z]/X/g
s/}/,}/g'

make_finding() {
    rm -rf good
    "$FENCER" run --model tso --out good --trace good.trace \
        "$SOURCE/examples/sb.c" >/dev/null 2>&1
    [ -s good/finding-1.json ] || { echo "no finding of sb.c"; exit 1; }
}

try_findings() {
    any='0 1 2 3'
    for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
        damage good/finding-1.json cut $seed
        attempt finding-cut "$any" replay damaged
        damage good/finding-1.json flip $seed
        attempt finding-flip "$any" replay --time $limit damaged
    done
    line=0
    while line=$((line + 1)) && edit=$(echo "$edits" | sed -n ${line}p) &&
        [ -n "$edit" ]; do
        rm -rf edited && cp -r good edited
        sed "$edit" good/finding-1.json >edited/finding-1.json
        attempt "finding-edit-$line" "$any" replay --time $limit \
            edited/finding-1.json
        attempt "report-edit-$line" "$any" report edited
    done
    for deep in 1000 1000000; do
        head -c $deep /dev/zero | tr '\0' '[' >damaged
        attempt finding-deep 2 replay damaged
    done
    for file in /dev/null /proc/self/mem . "$FENCER" good.trace; do
        attempt finding-foreign 2 replay "$file"
    done
}

try_traces() {
    for how in dump stats; do
        for seed in 1 2 3 4 5 6 7 8; do
            damage good.trace cut $seed
            attempt trace-cut '0 2' trace $how damaged
            damage good.trace flip $seed
            attempt trace-flip '0 2' trace $how damaged
        done
        damage good.trace grown 1
        attempt trace-grown '0 2' trace $how damaged
        attempt trace-program 2 trace $how "$FENCER"
        attempt trace-null 2 trace $how /dev/null
        attempt trace-missing 2 trace $how /no/such/trace
    done
}

# as_program FILE: what is no program of ours is refused by every command.
as_program() {
    for command in run test verify; do
        attempt "not-a-program $1" 2 $command --time $limit --out out.folder "$1"
    done
}

try_sources() {
    printf 'int main(void) { return }' >broken.c
    : >empty.c
    : >empty.exe
    head -c 5000 /dev/urandom >garbage.c
    head -c 5000 /dev/urandom >garbage.exe
    printf '\177ELF' >magic.exe
    head -c 300 "$FENCER" >head.exe
    { head -c 3000 "$FENCER" && head -c 90000 /dev/urandom; } >mixed.exe
    printf '#!/bin/sh\nexit 0\n' >script.exe
    printf '#include "self.c"\n' >self.c
    printf '#error no\n' >error.c
    chmod +x ./*.exe
    mkdir -p folder.c folder.exe
    ln -sf loop.c loop.c
    mkfifo pipe.exe 2>/dev/null
    for file in broken.c empty.c garbage.c self.c error.c folder.c loop.c \
        missing.c ./empty.exe ./garbage.exe ./magic.exe ./head.exe ./mixed.exe \
        ./script.exe ./folder.exe ./missing.exe /dev/null /bin/true; do
        as_program "$file"
        attempt "checked $file" 2 check --time $limit --out out.folder "$file"
    done
    rm -f pipe.exe
}

try_objects() {
    head -c 5000 /dev/urandom >garbage.o
    printf '!<arch>\n' >empty.a
    { printf '!<arch>\n' && head -c 5000 /dev/urandom; } >garbage.a
    printf 'BC\300\336' >garbage.bc
    head -c 2000 /dev/urandom >>garbage.bc
    printf 'int main(void) { return 0; }\n' >fine.c
    "$FENCER" cc -c -o fine.o fine.c
    for seed in 1 2 3 4 5 6 7 8; do
        damage fine.o cut $seed
        mv damaged cut.o
        attempt object-cut '1 2' cc -o x.exe cut.o
        damage fine.o flip $seed
        mv damaged flip.o
        attempt object-flip '0 1 2 3' cc -o x.exe flip.o
    done
    for file in garbage.o empty.a garbage.a garbage.bc missing.o folder.c; do
        attempt "linked $file" '0 1 2' cc -o x.exe fine.c "$file"
    done
    attempt cc-full-output '1 2 3' cc -o /dev/full fine.c
    attempt cc-missing-folder '1 2 3' cc -o /no/such/x.exe fine.c
    attempt cc-no-input '1 2' cc
    attempt cc-unknown '1 2' cc --no-such-option fine.c
}

# ---- Stores ----

# store COMMAND FILE PROGRAM: a store of an earlier run, damaged.
try_store() {
    command=$1
    store=$2
    shift 2
    rm -rf kept && "$FENCER" $command --out kept --time 20 "$@" >/dev/null 2>&1
    [ -s "kept/$store" ] || { echo "$command keeps no $store"; bad=1; }
    for seed in 1 2 3 4; do
        for how in cut flip; do
            damage "kept/$store" $how $seed
            rm -rf again && cp -r kept again && mv damaged "again/$store"
            attempt "$store-$how" '0 1 3' $command --time $limit --out again "$@"
        done
    done
    for what in empty text folder foreign; do
        rm -rf again && cp -r kept again && rm -f "again/$store"
        case $what in
        empty) : >"again/$store" ;;
        text) echo "no database at all, but a text" >"again/$store" ;;
        folder) mkdir "again/$store" ;;
        foreign) cp "$foreign" "again/$store" ;;
        esac
        attempt "$store-$what" '0 1 3' $command --time $limit --out again "$@"
    done
    foreign=foreign.db
    cp "kept/$store" foreign.db
}

try_stores() {
    sb=$SOURCE/examples/sb.c
    foreign=/dev/null
    try_store test test.db "$sb"
    try_store verify verify.db "$sb"
    try_store check check.db --test '( e | d )' "$SOURCE/bench/checkfence/msn.c"
    # Now there is a foreign schema for the first, too.
    try_store test test.db "$sb"
}

# ---- Options and outputs ----

try_options() {
    printf 'int main(void) { return 0; }\n' >fine.c
    for option in --runs --seed --jobs --time --buffer; do
        for value in '' -1 99999999999999999999999 0x 1e9 ' 1' '1 ' nan \
            "$(printf '\377')"; do
            attempt "run $option" '0 2 3' run --time $limit $option "$value" fine.c
        done
    done
    for option in --max-length --max-instances --models --model --strategy \
        --expose --cflags --locks --cas; do
        for value in '' -1 99999999999999999999999 ',' "$(printf '\377')"; do
            attempt "test $option" '0 2 3' test --time $limit $option "$value" \
                --out out.folder fine.c
        done
    done
    for option in --bound --unroll --monitor; do
        for value in '' -1 99999999999999999999999 4294967295; do
            attempt "verify $option" '0 2 3' verify --time $limit $option \
                "$value" --out out.folder fine.c
        done
    done
    for test in '' '(' ')' '( e' '( e | )' '( z | z )' '|||' "$(printf '\377')"; do
        attempt check-test 2 check --time $limit --out out.folder \
            --test "$test" "$SOURCE/bench/checkfence/msn.c"
    done
}

try_outputs() {
    sb=$SOURCE/examples/sb.c
    for command in run test verify; do
        attempt "$command --json /dev/full" '1 2 3' $command --time $limit \
            --json /dev/full --out out.folder "$sb"
        for folder in /dev/full /dev/null/x /proc/no ''; do
            attempt "$command --out $folder" '2 3' $command --time $limit \
                --out "$folder" "$sb"
        done
        for temporary in /no/such/folder /dev/null /proc; do
            attempt "$command TMPDIR=$temporary" '1 2 3' $command \
                --time $limit --out out.folder "$sb"
        done
        unset temporary
    done
    attempt 'run --trace /dev/full' '1 2 3' run --time $limit \
        --trace /dev/full --out out.folder "$sb"
    stdout=/dev/full
    for command in run test verify; do
        attempt "$command >/dev/full" '1 2 3' $command --time $limit \
            --out out.folder "$sb"
    done
    attempt 'help >/dev/full' '0 2 3' --help
    attempt 'dump >/dev/full' '2 3' trace dump good.trace
    attempt 'report >/dev/full' '1 2 3' report good
    unset stdout
}

# ---- All ----

measure_machine
make_finding
try_programs
try_channels
try_findings
try_traces
try_sources
try_objects
try_stores
try_options
try_outputs
echo "$tried of $number cases; the slowest took $slowest ms of $allowed"
exit $bad
