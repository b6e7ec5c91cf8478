#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Bad input gives one clear line on stderr, nothing on stdout, and exit code 2.
set -u
bad=0

# refused WORDS COMMAND...
refused() {
    words=$1
    shift
    "$FENCER" "$@" >out 2>err
    code=$?
    lines=$(wc -l <err)
    if [ $code -ne 2 ]; then
        echo "fencer $*: exit code $code, expected 2"
    elif [ "$lines" -ne 1 ]; then
        echo "fencer $*: $lines lines on stderr, expected 1"
    elif [ -s out ]; then
        echo "fencer $*: something on stdout"
    elif ! grep -qiF -- "$words" err; then
        echo "fencer $*: does not say: $words"
    else
        return
    fi
    cat out err
    bad=1
}

cat >good.c <<'EOF'
int main(void) { return 0; }
EOF
echo 'int main(void) { return }' >broken.c
echo 'int helper(void) { return 0; }' >no-main.c
printf 'FNCTRACE nonsense' >broken.trace
: >empty.trace
mkdir -p folder
chmod -x good.c
cc -o foreign good.c
head -c 3000 foreign >short.elf
chmod +x short.elf

refused 'no command'
refused 'unknown command' rnu good.c
refused 'no-such.c' run no-such.c
refused 'no-such' run ./no-such
refused 'folder' run folder
cp good.c other.cpp
for command in run test verify; do
    refused 'other.cpp: is no C' $command other.cpp
done
refused 'foreign' run ./foreign
refused 'short.elf' run ./short.elf
refused '--frobnicate' run --frobnicate good.c
refused '--runs' run --runs zero good.c
refused '--runs' run --runs 0 good.c
refused '--runs' run good.c --runs
refused '--seed' run --seed -1 good.c
refused '--model' run --model
refused "tos" run --model tos good.c
refused 'relaxed' run --model relaxed good.c
refused '--strategy' run --strategy guess good.c
refused '--buffer' run --buffer 99999999999 good.c
refused '--time' run --time soon good.c
refused 'no-such/file' run --json no-such/file good.c
refused 'is a folder' run --json . good.c
refused 'no-such/file' run --trace no-such/file good.c
refused 'program' run
refused 'no-such' trace dump no-such.trace
refused 'broken.trace' trace dump broken.trace
refused 'empty.trace' trace stats empty.trace
refused 'folder' trace dump folder
refused 'trace' trace
refused 'dump|stats' trace frob empty.trace
refused 'no-such' replay no-such.finding
refused 'broken.trace' replay broken.trace
refused 'no-such' report no-such

# What the compiler says comes through, and one line of ours after it.
"$FENCER" run broken.c >out 2>err
code=$?
if [ $code -ne 2 ] || ! grep -q 'broken.c:1' err || [ -s out ]; then
    echo "C that does not compile: exit code $code, expected 2"
    cat out err
    bad=1
fi
"$FENCER" run no-main.c >out 2>err
code=$?
if [ $code -ne 2 ] || ! grep -q 'main' err; then
    echo "C without main: exit code $code, expected 2"
    cat out err
    bad=1
fi
exit $bad
