# SPDX-License-Identifier: MIT
#
# Objects are ordinary ELF files: ar, ranlib, nm, strip, ld -r, shared
# libraries; what has no bitcode is named.
. "$SOURCE/tests/e2e/cc/lib.sh"
make_fake
rm -f *.o *.a
cc="$FAKE cc"

cat >b.h <<'C'
int twice(int);
int thrice(int);
extern int shared;
C
cat >a.c <<'C'
#include <stdio.h>
#include "b.h"
int tentative;
int main(int argc, char **argv)
{
    (void)argv;
    printf("%d %d %d\n", twice(argc), thrice(argc), tentative);
    return 0;
}
C
cat >b.c <<'C'
#include "b.h"
int tentative, shared = 1;
int twice(int x) { shared++; return 2 * x + shared - 2; }
C
cat >c.c <<'C'
#include "b.h"
int tentative;
int thrice(int x) { return 3 * x + shared - shared; }
C
echo 'int never(void) { return 5; }' >d.c
echo '2 3 0' >expected

# try NAME ARGUMENTS...: links and runs
try() {
    name=$1
    shift
    rm -f program
    exits 0 $cc "$@" -o program
    ./program >found 2>&1
    same "$name" expected found
    FAKE_SITES=1 ./program >table 2>&1
}

# instrumented FUNCTION / limited TEXT: so says the program's table
instrumented() {
    grep -q "^site .* $1 load 4 shared" table || complain "$1 has no hooks"
}
limited() {
    grep -qx "limit $1" table && return
    complain "no limit: $1"
    cat table
}

exits 0 $cc -fcommon -c a.c b.c c.c d.c
nm b.o >said 2>&1 || complain "nm fails"
said ' T twice'
try 'objects' a.o b.o c.o
instrumented twice
grep -q '^limit' table && complain "a limit for instrumented objects"

ar rcs libbc.a b.o c.o d.o && ranlib libbc.a || complain "ar fails"
nm -s libbc.a >said 2>&1
said 'twice in b.o'
try 'archive' a.o libbc.a
instrumented thrice
grep -q never table && complain "an unused archive member takes part"
try 'archive by -l' a.o -L. -lbc
instrumented twice
try 'archive and source' -fcommon a.c -L. -lbc

cp c.o a-member-with-a-very-long-name-indeed.o
ar rc liblong.a a-member-with-a-very-long-name-indeed.o b.o
try 'long names' a.o liblong.a
instrumented thrice

mkdir -p sub
cp b.o c.o sub
ar rcT libthin.a sub/b.o sub/c.o
try 'thin archive' a.o libthin.a
instrumented twice
instrumented thrice

ld -r -o bc.o b.o c.o || complain "ld -r fails"
try 'ld -r' a.o bc.o
instrumented twice
instrumented thrice
exits 0 $cc -r -nostdlib b.o c.o -o bc2.o
try 'cc -r' a.o bc2.o
instrumented thrice

cp a.o a2.o && cp b.o b2.o && strip -g a2.o && strip --strip-unneeded b2.o ||
    complain "strip fails"
try 'strip' a2.o b2.o c.o
instrumented twice

clang-19 -fcommon -c c.c -o native.o
try 'without bitcode' a.o b.o native.o
limited 'native.o has no bitcode: runs uninstrumented'
ar rcs libnative.a native.o
try 'archive without bitcode' a.o b.o libnative.a
limited 'libnative.a(native.o) has no bitcode: runs uninstrumented'

exits 0 $cc -fcommon -fPIC -shared b.c c.c -o libshared.so
try 'shared library' a.o ./libshared.so
limited './libshared.so is a shared library: runs uninstrumented'

cat >low.s <<'C'
    .globl low
low:
    movl $7, %eax
    ret
    .section .note.GNU-stack,"",@progbits
C
cat >low.c <<'C'
#include <stdio.h>
int low(void);
int main(void) { printf("%d 3 0\n", low() - 5); return 0; }
C
try 'assembly file' low.c low.s
limited 'low.s has no bitcode: runs uninstrumented'

clang-19 -c low.c -o low1.o && clang-19 -c low.s -o low2.o
exits 0 $cc low1.o low2.o -o program
./program >found 2>&1
same 'nothing has bitcode' expected found

cat >weak.c <<'C'
#include <pthread.h>
#pragma weak pthread_create
#include <stdio.h>
int main(void) { puts(pthread_create ? "2 3 0" : "no threads"); return 0; }
C
try 'weak references' weak.c

# Zeroes take no room in the file.
cat >zeroes.c <<'C'
#include <stdio.h>
static char many[64 << 20];
int main(void) { many[5] = 2; printf("%d 3 0\n", many[5]); return 0; }
C
try 'large array' zeroes.c
[ "$(wc -c <program)" -lt 10000000 ] || {
    echo 'zeroes are in the file'
    bad=1
}

exits 0 "$FENCER" cc -fcommon -static a.c b.c c.c -o program
./program >found 2>&1
same 'static' expected found

exit $bad
