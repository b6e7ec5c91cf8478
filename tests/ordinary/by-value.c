/* SPDX-License-Identifier: MIT
 *
 * A request, passed by value, and lent to who answers it.  -DBROKEN: its
 * address is told by a relaxed store, and what is read there may be older than
 * the call.
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

struct request {
    long kind, payload, extra;
};

static _Atomic(struct request *) box;
static atomic_int taken;

static void send_and_wait(struct request r)
{
#ifdef BROKEN
    atomic_store_explicit(&box, &r, memory_order_relaxed);
#else
    atomic_store_explicit(&box, &r, memory_order_release);
#endif
    while (!atomic_load_explicit(&taken, memory_order_acquire))
        ;
}

static void *receiver(void *unused)
{
    struct request *p, copy;

    while (!(p = atomic_load_explicit(&box, memory_order_acquire)))
        ;
    copy = *p;
    atomic_store_explicit(&taken, 1, memory_order_release);
    assert(copy.kind == 1 && copy.payload == 22 && copy.extra == 3);
    return unused;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, receiver, NULL);
    send_and_wait((struct request){1, 22, 3});
    pthread_join(t, NULL);
    return 0;
}
