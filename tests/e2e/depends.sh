# SPDX-License-Identifier: MIT
#
# On which loads each access depends, case by case (depends/*.c): what differs
# is in depends.wrong.  And what --deps makes of it.
set -u
failed=0
rm -f depends.wrong
for program in values memory; do
    "$FENCER" cc --track-deps -g -Wno-everything -o "$program" \
        "$SOURCE/tests/e2e/depends/$program.c" || exit 1
    "$FENCER" verify --model pslo --deps "./$program" >"$program.out" 2>&1
    code=$?
    if [ $code != 0 ] || ! grep -q '^verified' "$program.out"; then
        echo "$program: exit code $code"
        cat "$program.out" depends.wrong
        failed=1
    fi
done

# verdict NAME CODE OPTIONS: its assertion holds (0) or fails (1).
verdict() {
    name=$1 wanted=$2
    shift 2
    "$FENCER" verify "$@" "$SOURCE/tests/e2e/depends/$name.c" >"$name.out" 2>&1
    code=$?
    if [ $code != "$wanted" ]; then
        echo "verify $* $name.c: exit code $code, not $wanted"
        cat "$name.out"
        failed=1
    fi
}
verdict addr 1 --model pslo
verdict addr 0 --model pslo --deps
verdict rsw 1 --model pslo --deps
verdict rfi 1 --model pslo --deps
verdict created 0 --model pslo --deps
verdict created 1 --model pslo --deps --cflags -DBROKEN
verdict halves 1 --model pslo
verdict halves 0 --model pslo --deps
verdict addr 0 --model pslo --deps --locks paper
exit $failed
