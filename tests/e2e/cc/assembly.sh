# SPDX-License-Identifier: MIT
#
# The inline assembly of ck, liburcu and Linux computes what it computes
# natively, and all of it but one template is understood.
. "$SOURCE/tests/e2e/cc/lib.sh"
make_fake
program=$here/programs/assembly.c

clang-19 -w -O0 -mcx16 -fno-pie -no-pie "$program" -o native || exit 1
./native >expected
for tool in "$FENCER" "$FAKE"; do
    exits 0 "$tool" cc -w "$program" -o program
    ./program >found
    same "$tool" expected found
done

FAKE_SITES=1 FAKE_COUNT=1 ./program >table
[ "$(grep -c '^limit inline assembly' table)" -eq 1 ] ||
    complain "expected one template that is not understood"
grep -q '^limit inline assembly "lock; negl' table || complain "negl unnamed"
expect_hook() {
    grep -qx "hook $1 $2" table && return
    complain "expected $2 calls of $1"
    grep '^hook' table
}
expect_hook fence_bits 6
expect_hook spin 2
expect_hook asm 1
expect_hook nondeterministic 2
expect_hook cas16 1
grep -q 'ck store 4 old' table || complain "operand not named"
grep -q 'kernel store 1 c' table || complain "operand not named"
exit $bad
