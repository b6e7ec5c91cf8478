/* SPDX-License-Identifier: MIT
 *
 * A promise with a continuation: whoever comes second, the value or the
 * callback, runs the callback.  Both meet in one state word.  -DBROKEN: that
 * CAS is relaxed.
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

enum { START, HAS_VALUE, HAS_CALLBACK, DONE };

#ifdef BROKEN
#define MEET memory_order_relaxed
#else
#define MEET memory_order_acq_rel
#endif

struct promise {
    atomic_int state;
    int value;
    void (*then)(int value, void *context);
    void *context;
};

static struct promise promise;
static int seen, calls;

/* True: the other side has been here. */
static int meet(struct promise *p, int mine)
{
    int expected = START;

    if (atomic_compare_exchange_strong_explicit(
            &p->state, &expected, mine, MEET,
            MEET == memory_order_relaxed ? memory_order_relaxed
                                         : memory_order_acquire))
        return 0;
    atomic_store_explicit(&p->state, DONE, memory_order_relaxed);
    return 1;
}

static void promise_set(struct promise *p, int value)
{
    p->value = value;
    if (meet(p, HAS_VALUE))
        p->then(p->value, p->context);
}

static void promise_then(struct promise *p, void (*then)(int, void *),
                         void *context)
{
    p->then = then;
    p->context = context;
    if (meet(p, HAS_CALLBACK))
        p->then(p->value, p->context);
}

static void keep(int value, void *context)
{
    *(int *)context = value;
    calls++;
}

static void *setter(void *arg)
{
    promise_set(&promise, 11);
    return arg;
}

static void *chainer(void *arg)
{
    promise_then(&promise, keep, &seen);
    return arg;
}

int main(void)
{
    pthread_t s, c;

    pthread_create(&s, NULL, setter, NULL);
    pthread_create(&c, NULL, chainer, NULL);
    pthread_join(s, NULL);
    pthread_join(c, NULL);
    assert(calls == 1 && seen == 11);
    return 0;
}
