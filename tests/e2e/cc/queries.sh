# SPDX-License-Identifier: MIT
#
# What build systems ask a compiler, and the shapes of command lines.
. "$SOURCE/tests/e2e/cc/lib.sh"
make_fake
cc="$FAKE cc"

echo 'int add(int a, int b) { return a + b; }' >add.c
cat >main.c <<'C'
#include <fencer.h>
#ifndef __FENCER__
#error not Fencer
#endif
int add(int, int);
int main(void) { fencer_observe("x", VALUE); return add(VALUE, -VALUE); }
C

for query in --version -dumpversion -dumpmachine -print-search-dirs \
    -print-file-name=libc.so --print-prog-name=ld -v; do
    exits 0 $cc $query
    cp said ours
    exits 0 clang-19 $query
    same "$query" said ours
done
exits 0 $cc -DVALUE=3 -E main.c
said 'fencer_observe("x", 3)'
exits 0 $cc -DVALUE=3 -M main.c
said 'fencer.h'
exits 0 $cc -DVALUE=3 -S main.c -o -
said 'fencer_observe'
exits 0 $cc -DVALUE=3 -fsyntax-only main.c
exits 0 $cc -### -c add.c
said '"-cc1"'

# Response files, also inside each other; quotes.
mkdir -p 'a folder'
cp main.c 'a folder/main.c'
echo '-DVALUE=3 @inner' >outer
echo '"a folder/main.c" -o '"'a folder/program'" >inner
exits 0 $cc @outer add.c
exits 0 './a folder/program'

# Standard input, languages, joined and separate values.
exits 0 sh -c "echo 'int main(void) { return 0; }' | $cc -x c - -o program"
exits 0 ./program
cp add.c add.txt
exits 0 $cc -D VALUE=2 main.c -x c add.txt -oprogram
exits 0 ./program

# -c: names of objects and of dependency files.
exits 0 $cc -c add.c
[ -f add.o ] || complain "no add.o"
exits 0 $cc -MD -c add.c -o other.o
grep -q '^other.o: add.c' other.d || complain "wrong other.d"
exits 0 $cc -MMD -MF deps -MT target -c add.c -o other.o
grep -q '^target: add.c' deps || complain "wrong deps"
exits 0 $cc -DVALUE=1 main.c add.o -Wl,-Map=map -Wl,--gc-sections -o program
[ -f map ] || complain "-Wl is lost"
rm -f a.out
exits 0 $cc -DVALUE=1 main.c add.c
exits 0 ./a.out

# Nothing stays behind, also when it fails or is interrupted.
mkdir -p tmp
export TMPDIR=$PWD/tmp
exits 0 $cc -DVALUE=1 main.c add.o -o program
echo 'int broken(' >broken.c
exits 1 $cc broken.c
$cc -x c - -o program <"/dev/zero" >/dev/null 2>&1 &
until [ -n "$(ls tmp)" ]; do
    sleep 0.02
done
kill -TERM $!
wait $! 2>/dev/null
[ -z "$(ls tmp)" ] || complain "left behind: $(ls tmp)"
exit $bad
