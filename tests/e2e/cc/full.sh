# SPDX-License-Identifier: MIT
#
# No space left in the temporary folder, or where the program is to go: one
# line of ours says so, and the exit code is 3.  A disk of a few kilobytes needs
# a mount namespace; where that is forbidden there is nothing to test.
. "$SOURCE/tests/e2e/cc/lib.sh"

if [ "${1-}" != inside ]; then
    unshare -rm true 2>/dev/null || {
        echo "skipped: no mount namespaces here"
        exit 0
    }
    exec unshare -rm sh "$0" inside
fi

mkdir -p disk
cp "$SOURCE/examples/sb.c" "$SOURCE/examples/queue.c" .

# on_disk KILOBYTES COMMAND...: with a disk of that size
on_disk() {
    mount -t tmpfs -o "size=${1}k" tmpfs disk || exit 1
    shift
    exits 3 "$@"
    said "no space left in"
    [ "$(grep -c '^fencer' said)" -eq 1 ] || complain "not one line: $*"
    ls -d disk/fencer-cc-* 2>/dev/null && complain "left behind: $*"
    umount disk
}

for command in "cc sb.c -o sb" "run --runs 3 sb.c" "test sb.c" "verify sb.c" \
    "check queue.c"; do
    # First clang cannot write, then we.
    for size in 4 12; do
        on_disk $size env TMPDIR="$PWD/disk" "$FENCER" $command
    done
done
# Here the linker cannot.
on_disk 100 "$FENCER" cc sb.c -o disk/sb
on_disk 100 "$FENCER" run --runs 3 --out disk/out sb.c
exits 0 "$FENCER" cc -c sb.c
on_disk 4 "$FENCER" cc -c "$SOURCE/bench/checkfence/msn.c" -o disk/msn.o
on_disk 12 env TMPDIR="$PWD/disk" "$FENCER" cc sb.o -o sb
exit $bad
