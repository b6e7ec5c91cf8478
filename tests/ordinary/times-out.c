/* SPDX-License-Identifier: MIT
 *
 * A wait that gives up after five hundred looks.  The caller must cope with
 * that; -DBROKEN does not.  -DLAST: who gave up looks once more, and may see
 * any of the values.
 *
 * verify:                  sc no, tso no, pso no, pslo no, c11 no
 * verify:                  arm no, riscv no
 * verify -DBROKEN:         sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:         arm yes, riscv yes
 * verify -DLAST:           sc no, tso no, pso no, pslo no, c11 no
 * verify -DLAST:           arm no, riscv no
 * verify -DLAST -DBROKEN:  sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DLAST -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stage;
static int seen;

static int wait_for(int wanted)
{
    for (int i = 0; i < 500; i++) {
        int now = atomic_load(&stage);

        if (now >= wanted)
            return 0;
        sched_yield();
    }
    return -ETIMEDOUT;
}

static void *waiter(void *unused)
{
    int rc = wait_for(2);

#ifdef LAST
    seen = rc == 0 ? 2 : atomic_load(&stage);
#ifdef BROKEN
    assert(seen != 1);
#else
    assert(seen >= 0 && seen <= 2);
#endif
#elif defined BROKEN
    assert(rc == 0);
#else
    assert(rc == 0 || rc == -ETIMEDOUT);
#endif
    (void)rc;
    (void)seen;
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, waiter, NULL);
    atomic_store(&stage, 1);
    atomic_store(&stage, 2);
    pthread_join(t, NULL);
    return 0;
}
