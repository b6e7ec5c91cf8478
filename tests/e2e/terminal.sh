# SPDX-License-Identifier: MIT
#
# On a terminal, which script(1) makes: colours, NO_COLOR, --color, the pager.
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
unset NO_COLOR PAGER LESS
TERM=xterm
export TERM
cp "$SOURCE/examples/sb.c" .
"$FENCER" verify --quiet sb.c
escape=$(printf '\033')

# on_terminal COMMAND: what it prints there.
on_terminal() {
    script -qec "$1" /dev/null </dev/null >out 2>&1
    code=$?
    [ $code = 1 ] || say "$1: exit code $code"
}
colours() {
    grep -q "$escape\\[31m" out && was=yes || was=no
    [ $was = "$1" ] || say "$2: colours: $was"
}
report="$FENCER report --no-pager"
on_terminal "$report"
colours yes "a terminal"
on_terminal "NO_COLOR=1 $report"
colours no NO_COLOR
on_terminal "NO_COLOR= $report"
colours yes "an empty NO_COLOR"
on_terminal "NO_COLOR=1 $report --color always"
colours yes "NO_COLOR and --color always"
on_terminal "$report --color never"
colours no "--color never"
on_terminal "$report --no-color"
colours no "--no-color"
on_terminal "TERM=dumb $report"
colours no "TERM=dumb"
$report --color always >out
colours yes "--color always into a file"
$report >out
colours no "a file"
$report --color=some >out 2>&1
[ $? = 2 ] || say "--color some"

# ---- The pager ----

report="$FENCER report"
on_terminal "PAGER='sed s/^/PAGED:/' $report"
grep -q '^PAGED:' out || say "PAGER: not paged"
on_terminal "PAGER='sed s/^/PAGED:/' $report --no-pager"
grep -q '^PAGED:' out && say "--no-pager: paged"
on_terminal "PAGER=cat $report"
grep -q 'FAILS' out || say "cat: nothing"
on_terminal "PAGER= $report"
grep -q 'FAILS' out || say "an empty PAGER: nothing"
on_terminal "PAGER=no-such-pager-anywhere $report"
grep -q 'FAILS' out || say "a pager that is not there: nothing"
on_terminal "PAGER='head -n 1' $report"
[ "$(grep -c . out)" = 1 ] || say "a pager that ends early"
PAGER='sed s/^/PAGED:/' $report >out
grep -q '^PAGED:' out && say "a file: paged"
on_terminal "PAGER='sed s/^/PAGED:/' $report --json -"
grep -q '^PAGED:' out && say "JSON: paged"
on_terminal "PAGER='sed s/^/PAGED:/' $FENCER verify sb.c"
grep -q '^PAGED:' out && say "verify: paged"

# ---- --browse ----

# browse KEYS COMMAND: it ends, the report follows, and the exit code stays.
browse() {
    { sleep 0.3; printf "$1"; sleep 1; printf q; } |
        script -qec "stty rows 24 cols 100; $2" /dev/null >out 2>&1
    code=$?
    [ $code = 1 ] || say "browse $1: exit code $code"
    grep -q 'arrows: step' out || say "browse $1: no viewer"
    grep -q '^fencer replay' out || say "browse $1: no report after it"
}
browse 'jnnpaG/right_saw\nmMxg\t' "$FENCER report --browse"
browse '\033[B\033[A\033[6~/none\033/no such thing\n' \
    "TERM=vt100 $FENCER report --browse"
browse 'n' "stty rows 5 cols 20; stty rows 24 cols 100; $FENCER verify --browse sb.c"
# A screen that is too small, and no terminal at all.
{ sleep 0.5; printf q; } |
    script -qec "stty rows 5 cols 20; $FENCER report --browse" /dev/null >out
grep -q 'too small' out || say "browse: a small screen"
"$FENCER" report --browse </dev/null >out
[ $? = 1 ] || say "browse: a file"
grep -q 'arrows: step' out && say "browse: a viewer in a file"
grep -q FAILS out || say "browse: no report in a file"
"$FENCER" verify --cflags -DFENCED --browse sb.c >out || say "browse: nothing"
exit $bad
