# SPDX-License-Identifier: MIT
#
# Long work on a terminal, which script(1) makes: a line says how far it is.  An
# interrupt stops it, and what is there is told (interrupt.sh); a second one ends
# it at once, leaves no process behind, and loses nothing.
set -u
bad=0
say() {
    echo "$1"
    bad=1
}
command -v script >/dev/null || {
    echo "skipped: no script(1)"
    exit 77
}
rm -rf ./* .fencer
TERM=xterm
export TERM
name=live$$
cp "$SOURCE/examples/sb.c" $name.c
"$FENCER" cc $name.c -o $name || exit 1
cp "$SOURCE/tests/e2e/interrupt/tso.c" type.c
cat >fencer.toml <<EOF
[[test]]
name = "first"
sources = ["$name.c"]
model = "tso"
expect = "fail"
EOF
mkdir litmus
cat >litmus/1.litmus <<'EOF'
X86 six
{ }
 P0 | P1 | P2 | P3 ;
 MOV [x],$1 | MOV [y],$1 | MOV [z],$1 | MOV [a],$1 ;
 MOV EAX,[y] | MOV EAX,[z] | MOV EAX,[a] | MOV EAX,[x] ;
exists (0:EAX=0 /\ 1:EAX=0 /\ 2:EAX=0 /\ 3:EAX=0)
EOF
i=1
while [ $i -lt 300 ]; do
    i=$((i + 1))
    cp litmus/1.litmus litmus/$i.litmus
done

# ---- The line ----

# shows PATTERN ARGUMENTS: on a terminal; not in a file, and not if it is quiet.
shows() {
    pattern=$1
    shift
    rm -rf out
    script -qec "$FENCER $*" /dev/null </dev/null >on 2>&1
    tr '\r' '\n' <on | grep -q "$pattern" ||
        { say "fencer $*: no line '$pattern'"; tr '\r' '\n' <on | head; }
    rm -rf out
    "$FENCER" "$@" >off 2>&1
    grep -q "$(printf '\033')" off && say "fencer $*: a line in a file"
}
shows '^.\[Kx86 (TSO): [0-9]* of 20000 executions' \
    run --model tso --runs 20000 --keep-going --out out ./$name
shows '^.\[Kwatching the program on SC' test --model tso --out out ./$name
shows '^.\[Kx86 (TSO): [0-9]* of [0-9]* cycles, [0-9]* harmful' \
    test --model tso --enumerate 0 --budget 50 --out out ./$name
shows '^.\[K.*: [0-9]* executions' verify --model tso --out out ./$name
shows '^.\[K' check --model tso --out out type.c
shows '^.\[Ksuite: 0 of 1 tests; now first' suite --out out
shows '^.\[Klitmus: [0-9]* of 300 tests' litmus litmus
script -qec "$FENCER run --quiet --model tso --out out ./$name" /dev/null \
    </dev/null >on 2>&1
grep -q executions on && say "a line although it is quiet"

# ---- Interrupted twice ----

# The kernel ends what is left without us: that takes its time.
gone() {
    for i in 1 2 3 4 5 6 7 8 9 10; do
        pgrep -af "$name" >left || return 0
        sleep 0.2
    done
    return 1
}

# ends ARGUMENTS: in the middle of its work; then the same command answers as if
# nothing had happened.
ends() {
    rm -rf out
    FENCER_POINT=list "$FENCER" "$@" --out out >whole 2>points
    right=$?
    middle=$((($(grep -c '^point ' points) + 1) / 2))
    rm -rf out
    FENCER_POINT=any:$middle:twice "$FENCER" "$@" --out out >cut 2>err
    code=$?
    [ $code = 130 ] || say "fencer $*: exit code $code after two interrupts"
    [ -s cut ] && say "fencer $*: an answer after two interrupts: $(head -1 cut)"
    gone || { say "fencer $*: a process is left"; cat left; }
    "$FENCER" "$@" --out out >again 2>/dev/null
    code=$?
    [ $code = $right ] || say "fencer $*: exit code $code, and $right undisturbed"
    head -n 1 whole >first
    head -n 1 again | cmp -s - first || say "fencer $*: $(head -n 1 again)"
}
ends run --jobs 2 --model all ./$name
ends test --jobs 2 --model tso ./$name
ends verify --jobs 2 --model sc,tso ./$name
ends check --model tso type.c

# Tests that are not judged any more are named, and those that are count.
FENCER_POINT=litmus.started:1:int "$FENCER" litmus litmus >out.txt 2>&1
code=$?
[ $code = 3 ] || [ $code = 0 ] || say "litmus: exit code $code"
[ "$(grep -c '^Not judged: interrupted\|^Observation' out.txt)" = 300 ] ||
    { say "litmus: not every test is named"; tail -n 3 out.txt; }
exit $bad
