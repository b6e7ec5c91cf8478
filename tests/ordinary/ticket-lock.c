/* SPDX-License-Identifier: MIT
 *
 * A ticket lock, with a pause in proportion to the queue.  -DBROKEN: unlock is
 * a plain store, so PSO may show the next owner before what the last one did.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BROKEN
#define UNLOCK memory_order_relaxed
#else
#define UNLOCK memory_order_release
#endif

static struct ticket_lock {
    atomic_uint next, owner;
} lock;
static int counter;

static void ticket_lock(struct ticket_lock *l)
{
    unsigned mine =
        atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);

    for (;;) {
        unsigned owner = atomic_load_explicit(&l->owner, memory_order_acquire);

        if (owner == mine)
            return;
        for (unsigned i = 0; i < 10 * (mine - owner); i++)
            __builtin_ia32_pause();
    }
}

static void ticket_unlock(struct ticket_lock *l)
{
    unsigned owner = atomic_load_explicit(&l->owner, memory_order_relaxed);

    atomic_store_explicit(&l->owner, owner + 1, UNLOCK);
}

static void *work(void *unused)
{
    ticket_lock(&lock);
    counter++;
    ticket_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(counter == 3);
    return 0;
}
