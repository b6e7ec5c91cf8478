/* SPDX-License-Identifier: MIT
 *
 * Looks at two flags in turn; which one is next is in memory of its own.  No
 * round leaves all as it was, though two of them do.  Only the second flag is
 * ever set.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int flag[2];

static void turn(int *which)
{
    *which = 1 - *which;
}

static void *watcher(void *unused)
{
    int which = 1;

    for (;;) {
        turn(&which);
        if (atomic_load(&flag[which]))
            break;
    }
#ifdef BROKEN
    assert(which == 0);
#else
    assert(which == 1);
#endif
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, watcher, NULL);
    atomic_store(&flag[1], 1);
    pthread_join(t, NULL);
    return 0;
}
