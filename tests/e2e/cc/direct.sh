# SPDX-License-Identifier: MIT
#
# Sources alone are linked by the linker itself; where a flag could matter to it,
# clang links.  What comes out does the same.
. "$SOURCE/tests/e2e/cc/lib.sh"

cat >prog.c <<'C'
#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int begun;
static __thread int own = 3;
__attribute__((constructor)) static void begin(void) { begun = 1; }
static void bye(void) { puts("bye"); }
static void *work(void *arg)
{
    unsigned __int128 wide = (unsigned __int128)own << 100;

    *(double *)arg = sqrt((double)(wide / 7 >> 90)) + __builtin_popcountll(own);
    return NULL;
}
int main(int argc, char **argv)
{
    double result;
    pthread_t t;

    (void)argv;
    atexit(bye);
    pthread_create(&t, NULL, work, &result);
    pthread_join(t, NULL);
    printf("%d %.6f\n", begun, result);
    assert(argc < 3);
    return 0;
}
C

# links COUNT FLAGS: clang is started so often; what the program does is kept.
links() {
    count=$1
    shift
    for args in "" "one two"; do
        rm -rf .fencer
        "$FENCER" run --model sc --runs 1 --no-cache --log=cc --cflags "$*" \
            prog.c -- $args >"out $*$args" 2>log
        echo "exit code $?" >>"out $*$args"
    done
    was=$(grep -c 'runs clang' log)
    [ "$was" -eq "$count" ] && return
    complain "with '$*' clang was started $was times, not $count"
    cat log
}

links 1
links 1 -pthread
links 2 -rdynamic
links 2 -fuse-ld=bfd
for flags in -pthread -rdynamic -fuse-ld=bfd; do
    same "$flags" 'out ' "out $flags"
    same "$flags, failing" 'out one two' "out ${flags}one two"
done
grep -q '^exit code 0' 'out ' || complain "it does not run"
grep -q '^exit code 1' 'out one two' || complain "its assertion is not found"
exit $bad
