#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Programs that do their worst to whoever watches them.  Whatever Fencer says
# of them, it says it within a minute, with an exit code of its contract, and
# not by a crash of its own.
set -u
bad=0

# try NAME < PROGRAM
try() {
    cat >"$1.c"
    timeout 60 "$FENCER" run --no-color --model tso --runs 5 "$1.c" \
        >"$1.out" 2>&1 </dev/null
    code=$?
    case $code in
    0 | 1 | 3)
        grep -qE 'AddressSanitizer|runtime error:|CHECK failed' "$1.out" ||
            return
        ;;
    esac
    echo "$1: exit code $code"
    cat "$1.out"
    bad=1
}

try kills-itself <<'EOF'
#include <signal.h>
#include <unistd.h>
int main(void) { return kill(getpid(), SIGKILL); }
EOF
try stops-itself <<'EOF'
#include <signal.h>
int main(void) { return raise(SIGSTOP); }
EOF
try ignores-signals <<'EOF'
#include <signal.h>
int main(void)
{
    for (int i = 1; i < 64; i++)
        signal(i, SIG_IGN);
    *(volatile int *)0 = 1;
    return 0;
}
EOF
try closes-everything <<'EOF'
#include <unistd.h>
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 1024; i++)
        close(i);
    printf("hello\n");
    return 0;
}
EOF
try floods-output <<'EOF'
#include <stdio.h>
int main(void)
{
    for (int i = 0; i < 400000; i++)
        printf("line %d of a very long story that nobody will ever read\n", i);
    return 1;
}
EOF
try eats-memory <<'EOF'
#include <stdlib.h>
#include <string.h>
int main(void)
{
    for (int i = 0; i < 100000; i++) {
        char *p = malloc(1 << 30);

        if (!p)
            return 7;
        p[0] = 1;
    }
    return 0;
}
EOF
try huge-malloc <<'EOF'
#include <stdint.h>
#include <stdlib.h>
int main(void) { return malloc(SIZE_MAX) || malloc(SIZE_MAX - 4096) ||
    calloc(SIZE_MAX / 2, 3) || malloc(1ull << 47); }
EOF
try jumps-nowhere <<'EOF'
int main(void) { ((void (*)(void))0x1234567)(); return 0; }
EOF
try smashes-stack <<'EOF'
#include <string.h>
int main(void)
{
    char b[16];

    memset(b, 0x41, 4096);
    return b[3];
}
EOF
try overflows-in-thread <<'EOF'
#include <pthread.h>
static int deep(volatile int *p)
{
    volatile int here[64];

    here[0] = *p;
    return deep(here) + here[1];
}
static void *run(void *p) { volatile int x = 0; deep(&x); return p; }
int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
EOF
try scribbles-over-globals <<'EOF'
#include <pthread.h>
static int x[4];
static void *run(void *p)
{
    for (long i = -4096; i < 65536; i++)
        ((volatile int *)x)[i] = -1;
    return p;
}
int main(void)
{
    pthread_t t;

    pthread_create(&t, 0, run, 0);
    pthread_join(t, 0);
    return 0;
}
EOF
try exits-early <<'EOF'
#include <stdlib.h>
#include <unistd.h>
__attribute__((constructor)) static void begin(void) { _exit(0); }
int main(void) { return 0; }
EOF
try long-jump-to-the-dead <<'EOF'
#include <setjmp.h>
static jmp_buf b;
static void set(void) { if (setjmp(b)) return; }
int main(void) { set(); longjmp(b, 1); }
EOF
try unmaps-itself <<'EOF'
#include <sys/mman.h>
int main(void)
{
    munmap((void *)0x100000000000, 1ul << 43);
    return 0;
}
EOF
try recursion-in-atexit <<'EOF'
#include <stdlib.h>
static void again(void) { atexit(again); exit(3); }
int main(void) { atexit(again); return 0; }
EOF
exit $bad
