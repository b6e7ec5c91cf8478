/* SPDX-License-Identifier: MIT
 *
 * What every hostile program begins with. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <fencer.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline void in_thread(void *(*f)(void *), void *p)
{
    pthread_t t;

    pthread_create(&t, 0, f, p);
    pthread_join(t, 0);
}

/* Past the C library, where nobody looks on. */
static inline long raw(long number, long a, long b, long c)
{
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}
