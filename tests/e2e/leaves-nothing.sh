#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Nothing is left of us when we are killed: no program that was built, no
# process that a tested program started and hid, and of temporary files only
# what the next run removes.
set -u
bad=0
mkdir -p tmp
export TMPDIR="$PWD/tmp"

# empty FOLDER WHEN
empty() {
    [ -z "$(ls -A "$1")" ] && return
    echo "$2: in $1 is"
    ls -A "$1"
    bad=1
}

# Killed while the program runs, and at the start of the second worker.
for point in worker.started:1 worker.ended:1 worker.started:2; do
    rm -rf out
    FENCER_POINT=$point:kill "$FENCER" run --out out --quiet --jobs 2 \
        --model sc,tso "$SOURCE/examples/sb.c" >log 2>&1
    code=$?
    [ $code -eq 137 ] || { echo "$point: exit code $code"; bad=1; }
    empty out "killed at $point"
    empty tmp "killed at $point"
done

# Killed by its own compiler, in the middle of a build.
mkdir -p bin
cat >bin/clang-19 <<'END'
#!/bin/sh
kill -9 $PPID
END
chmod +x bin/clang-19
PATH="$PWD/bin:$PATH" "$FENCER" cc -c "$SOURCE/examples/sb.c" -o sb.o \
    >log 2>&1
[ $? -eq 137 ] || { echo "its compiler did not kill it"; bad=1; }
[ -n "$(ls -A tmp)" ] || { echo "it was killed too early"; bad=1; }
"$FENCER" cc -c "$SOURCE/examples/sb.c" -o sb.o || bad=1
empty tmp "after the next build"

# A folder that is in use stays.
mkdir tmp/fencer-cc-used tmp/fencer-cc-left
touch tmp/fencer-cc-used/file tmp/fencer-cc-left/file
flock tmp/fencer-cc-used "$FENCER" cc -c "$SOURCE/examples/sb.c" -o sb.o
[ "$(ls tmp)" = fencer-cc-used ] || { echo "left: $(ls tmp)"; bad=1; }
rm -r tmp/fencer-cc-used

# A process past us, in a session of its own, which lives for ever.
stray=stray-$$.exe
cat >stray.c <<'END'
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Not by the library, which we would notice. */
static long kernel(long number, long a, long b, long c)
{
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}

int main(int argc, char **argv)
{
    (void)argv;
    if (kernel(SYS_fork, 0, 0, 0) == 0) {
        kernel(SYS_setsid, 0, 0, 0);
        if (kernel(SYS_fork, 0, 0, 0) == 0) {
            kernel(SYS_open, (long)"there", O_CREAT | O_WRONLY, 0600);
            for (;;)
                kernel(SYS_pause, 0, 0, 0);
        }
        for (;;)
            kernel(SYS_pause, 0, 0, 0);
    }
    while (argc > 1 || kernel(SYS_access, (long)"there", 0, 0))
        kernel(SYS_sched_yield, 0, 0, 0);
    return 0;
}
END
"$FENCER" cc -o "$stray" stray.c || exit 1

# gone WHEN: no process of that program is left, or soon will not be.
gone() {
    tries=0
    while ps -eo stat=,args= | grep -v '^Z' | grep -F "$stray" |
        grep -qv grep; do
        tries=$((tries + 1))
        [ $tries -lt 200 ] || {
            echo "$1: still there:"
            ps -eo pid=,stat=,args= | grep -F "$stray"
            bad=1
            return
        }
        sleep 0.05
    done
}

"$FENCER" run --log worker --out out --quiet --runs 1 --model sc "./$stray" \
    >log 2>&1
code=$?
[ -e there ] || { echo "no stray was there: exit code $code"; cat log; bad=1; }
if grep -q 'no namespace' log; then
    echo "this machine allows no namespace: strays stay"
    exit $bad
fi
gone "after the run"

rm -f there
"$FENCER" run --out out --quiet --runs 1 --model sc "./$stray" -- wait \
    >log 2>&1 &
tool=$!
until [ -e there ]; do
    kill -0 $tool || { cat log; exit 1; }
    sleep 0.02
done
kill -9 $tool
wait $tool 2>/dev/null
gone "after a kill"
exit $bad
