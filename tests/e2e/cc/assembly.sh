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
expect_hook fence_bits 7
expect_hook spin 2
expect_hook asm 1
expect_hook nondeterministic 3
expect_hook cas16 1
grep -q 'ck store 4 old' table || complain "operand not named"
grep -q 'kernel store 1 c' table || complain "operand not named"

# Assembly that is not understood may be the first access of a program.
echo 'int main(void) { __asm__ volatile("fwait" ::: "memory"); return 0; }' >first.c
exits 0 "$FENCER" cc first.c -o first
exits 0 ./first

# What the assembler refuses does not become a program without it.
echo 'int main(void) { int x = 0; __asm__ volatile("bogus %0" ::"r"(x));
    return 0; }' >bogus.c
for flag in "-c" "-o bogus"; do
    exits 1 "$FENCER" cc $flag bogus.c
    said "invalid instruction mnemonic 'bogus'"
done
exit $bad
