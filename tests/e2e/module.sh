#!/bin/sh
# SPDX-License-Identifier: MIT
#
# LLVM is loaded when something is compiled, and only then.  A module that is
# missing, or does not fit, gives one clear line and exit code 3.
set -u
bad=0
complain() {
    echo "$@"
    bad=1
}
home=$PWD/home
module=$home/fencer-llvm.so
rm -rf .fencer home
mkdir home
cp "$FENCER" home
cp "$SOURCE/examples/sb.c" .

# unable WORDS COMMAND...: exit code 3, and one line that has these words.
unable() {
    words=$1
    shift
    "$home/fencer" "$@" >out 2>err
    code=$?
    if [ $code -ne 3 ] || [ "$(wc -l <err)" -ne 1 ] || [ -s out ] ||
        ! grep -qF -- "$module" err || ! grep -qF -- "$words" err; then
        complain "fencer $*: exit code $code, or not one line with: $words"
        cat out err
    fi
}

compiles_nothing_with() {
    unable "$1" cc sb.c -o program
    unable "$1" run sb.c
    unable "$1" test sb.c
    unable "$1" verify sb.c
    unable "$1" check sb.c
}

# needs_none CODE COMMAND...: a command for which that tool is enough.
needs_none() {
    wanted=$1
    shift
    "$home/fencer" "$@" >out 2>&1
    code=$?
    [ $code -eq "$wanted" ] && return
    complain "fencer $*: exit code $code without the module, expected $wanted"
    cat out
}

# --- what is compiled, by the whole tool
"$FENCER" cc sb.c -o program || complain "fencer cc fails"
"$FENCER" run --no-cache --log cc sb.c 2>err >out
grep -q 'runs clang' err ||
    complain "the module's log is not the tool's"

# --- what is not compiled, by a tool without its module
ldd "$home/fencer" >out
grep -q libc.so out || complain "ldd lists nothing"
grep -i llvm out && complain "the tool itself is linked with LLVM"
needs_none 0 --version
needs_none 0 check --help
needs_none 1 run --model tso ./program
needs_none 1 report
needs_none 1 replay .fencer/finding-1.json
needs_none 1 test --model tso ./program
needs_none 1 verify --model tso ./program
compiles_nothing_with 'cannot open'

# --- modules that do not fit
echo 'not a module' >"$module"
compiles_nothing_with 'cannot load the compiler'
echo 'int other;' | cc -shared -fPIC -x c - -o "$module"
compiles_nothing_with 'no module of fencer'
cc -shared -fPIC -x c - -o "$module" <<'C'
const char *const fencer_compiler[] = {"0.0.9-other"};
C
compiles_nothing_with 'another build of fencer (0.0.9-other, this one is'

# --- what the tool shows must not take the place of what LLVM's libraries have;
# a sanitizer does that on purpose
names() {
    nm -D --defined-only "$1" | sed 's/.* //; s/@.*//; /^_[^Z]/d' | sort -u
}
names "$FENCER" >shown
grep -qx buf_add shown || complain "the tool does not show buf_add"
whole=$(dirname "$FENCER")/fencer-llvm.so
ldd "$whole" |
    awk '$2 == "=>" && $1 !~ /^lib(c|m|gcc_s)\.so/ { print $3 }' >libraries
grep -q LLVM libraries || grep -qa 'LLVM ERROR' "$whole" ||
    complain "the module neither has LLVM nor is linked with it"
grep -qx malloc shown && exit $bad
while read -r library; do
    names "$library" | comm -12 - shown >both
    [ -s both ] && complain "$library also has: $(cat both)"
done <libraries
exit $bad
