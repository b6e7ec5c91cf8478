#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A program that reads a clock, random numbers or its own process number does
# other things under the same schedule.  What it then prints says nothing about
# a memory model: there is no finding, and one line names the source.  What
# fails all the same under the same schedule is found as ever.
set -u
bad=0
wrong() {
    echo "$1"
    bad=1
}

# program NAME HEAD STATEMENT: store buffering, and the statement at its end.
program() {
    cat >"$1.c" <<END
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#include "fencer.h"
$2
int x, y, r0, r1;
static void *left(void *p) { x = 1; r0 = y; return p; }
static void *right(void *p) { y = 1; r1 = x; return p; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    $3
    return 0;
}
END
}

clock='static unsigned long now(void)
{ unsigned a, d; __asm__ volatile("rdtsc" : "=a"(a), "=d"(d)); return a; }'
program clock "$clock" 'printf("%lu\n", now());'
program random '' 'unsigned short c = 0; int f = open("/dev/urandom", O_RDONLY);
    if (f < 0 || read(f, &c, 2) != 2) return 0;
    fencer_observe("c", c);'
program self '' 'char t[64] = ""; FILE *f = fopen("/proc/self/stat", "r");
    if (!f || !fgets(t, sizeof t, f)) return 0;
    puts(t);'
program fails "$clock" 'printf("%lu\n", now()); assert(r0 || r1);'

# nothing NAME SOURCE: no finding, and a limit that names the source.
nothing() {
    for command in test verify; do
        rm -rf out
        "$FENCER" $command --out out --json out.json "$1.c" >report 2>&1
        code=$?
        [ $code -eq 3 ] || wrong "$command $1: exit code $code"
        grep -q '"class"' out.json && wrong "$command $1: a finding"
        grep -q '"complete": true' out.json && wrong "$command $1: complete"
        [ "$(grep -c "more than its schedule, because of $2" report)" -eq 1 ] ||
            wrong "$command $1: the source is not named: $(cat report)"
    done
}
nothing clock 'rdtsc at clock.c:8'
nothing random 'read of /dev/urandom at random.c:19'
nothing self 'fgets of /proc/self/stat at self.c:19'

rm -rf failing
"$FENCER" test --out failing --quiet fails.c >report 2>&1
code=$?
[ $code -eq 1 ] || wrong "fails: exit code $code: $(cat report)"
"$FENCER" replay --quiet failing/finding-1.json || [ $? -eq 1 ] ||
    wrong "fails: its finding does not come again"
exit $bad
