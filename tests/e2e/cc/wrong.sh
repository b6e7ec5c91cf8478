# SPDX-License-Identifier: MIT
#
# Wrong input: clang's own words and exit code, or one line of ours.
. "$SOURCE/tests/e2e/cc/lib.sh"
cc="$FENCER cc"

one_line() {
    [ "$(wc -l <said)" -eq 1 ] && return
    complain "more than one line:"
    cat said
}

exits 2 $cc
one_line
exits 2 $cc -o
said "argument to '-o' is missing"
one_line
echo 'int x;' >x.c
exits 2 $cc -c x.c x.c -o y.o
one_line
echo '"no end' >response
exits 2 $cc @response
one_line
exits 1 $cc -c no-such-file.c
said 'no such file'
exits 1 $cc no-such-file.o
said 'no such file'
echo 'int main(void) { return undeclared; }' >u.c
exits 1 $cc u.c
said 'undeclared'
exits 1 $cc --no-such-flag x.c
said 'no-such-flag'
echo 'int f(void); int main(void) { return f(); }' >f.c
exits 1 $cc f.c
said "undefined reference to \`f'"
echo 'int main(void) { return 0; }' >m.c
exits 1 $cc m.c m.c
said 'main'
exits 1 $cc x.c
exits 1 $cc m.c -lno-such-library
said 'no-such-library'
echo 'not an object' >text.o
exits 1 $cc m.c text.o
head -c 100 /bin/sh >short.o
exits 1 $cc m.c short.o
exits 1 $cc -m32 m.c -o m32
# What ends LLVM ends with 3, and one line.
echo 'register unsigned long r __asm__("rbp"); int main(void) { return r & 1; }' \
    >r.c
exits 3 $cc -fomit-frame-pointer r.c
said 'LLVM: '
one_line

# A damaged carrier is an error, not a crash.
exits 0 $cc -c m.c
at=$(grep -abo FENCERBC m.o | head -1 | cut -d: -f1)
cp m.o damaged.o
printf '\377\377\377\377' | dd of=damaged.o bs=1 seek=$((at + 8)) conv=notrunc \
    2>/dev/null
exits 1 $cc damaged.o -o damaged
said 'damaged.o'
cp m.o garbage.o
printf 'garbage garbage ' | dd of=garbage.o bs=1 seek=$((at + 16)) \
    conv=notrunc 2>/dev/null
exits 1 $cc garbage.o -o garbage
said 'garbage.o'
exit $bad
