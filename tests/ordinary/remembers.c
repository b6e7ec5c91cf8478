/* SPDX-License-Identifier: MIT
 *
 * A loop that waits for the last of three values, and remembers the one that it
 * saw before.  What a failing round left behind is used later.
 *
 * verify:           sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify:           arm yes, riscv yes
 * verify -DMEMORY:  sc yes, tso yes, pso yes, pslo yes, c11 yes
 * verify -DMEMORY:  arm yes, riscv yes
 * verify -DRIGHT:   sc no, tso no, pso no, pslo no, c11 no
 * verify -DRIGHT:   arm no, riscv no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int stage;

struct seen {
    int now, before;
};

static void look(struct seen *s)
{
    s->before = s->now;
    s->now = atomic_load(&stage);
}

static void *watcher(void *unused)
{
#ifdef MEMORY
    struct seen s = {0, 0};

    while (s.now != 2)
        look(&s);
    assert(s.before != 1);
#else
    int now = 0, before = 0;

    do {
        before = now;
        now = atomic_load(&stage);
    } while (now != 2);
#ifdef RIGHT
    assert(before >= 0 && before <= 1);
    (void)look;
#else
    assert(before != 1);
    (void)look;
#endif
#endif
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, watcher, NULL);
    atomic_store(&stage, 1);
    atomic_store(&stage, 2);
    pthread_join(t, NULL);
    return 0;
}
