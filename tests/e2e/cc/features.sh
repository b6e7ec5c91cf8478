# SPDX-License-Identifier: MIT
#
# One of everything in C behaves as in a native build: with the runtime, with
# a fake one in which every access is a hook or only stores are, in one step
# or two, as written or as optimised.
. "$SOURCE/tests/e2e/cc/lib.sh"
make_fake
program=$here/programs/feat.c

clang-19 -w -O0 -mcx16 "$program" -o native -lm -lpthread || exit 1
./native >expected
[ $? -eq 3 ] || complain "native build fails"

for tool in "$FENCER" "$FAKE"; do
    for flags in '' --as-optimised '-O2 -fPIC -fstack-protector-strong' -std=c17
    do
        exits 0 "$tool" cc -w $flags "$program" -o program
        ./program >found
        [ $? -eq 3 ] || complain "wrong exit code: $tool $flags"
        same "$tool $flags" expected found
        FAKE_FAST=1 ./program >found
        same "$tool $flags, fast" expected found
    done
    exits 0 "$tool" cc -w -c "$program" -o feat.o
    exits 0 "$tool" cc feat.o -o program
    ./program >found
    same "$tool -c" expected found
done
exit $bad
