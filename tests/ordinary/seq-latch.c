/* SPDX-License-Identifier: MIT
 *
 * A sequence latch: two copies, of which the writer changes the one that
 * readers are not sent to.  Readers never wait for a writer.  -DBROKEN: the
 * number is advanced without a fence before the copy is changed.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    atomic_int mult, shift;
} clock_data_t;

static atomic_uint latch_seq;
static clock_data_t latch_data[2];

static void copy_in(clock_data_t *d, int m, int s)
{
    atomic_store_explicit(&d->mult, m, memory_order_relaxed);
    atomic_store_explicit(&d->shift, s, memory_order_relaxed);
}

static void advance(void)
{
    unsigned s = atomic_load_explicit(&latch_seq, memory_order_relaxed);

    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&latch_seq, s + 1, memory_order_relaxed);
#ifndef BROKEN
    atomic_thread_fence(memory_order_release);
#endif
}

static void latch_update(int m, int s)
{
    advance();
    copy_in(&latch_data[0], m, s);
    advance();
    copy_in(&latch_data[1], m, s);
}

static void latch_read(int *m, int *s)
{
    unsigned seq;

    do {
        seq = atomic_load_explicit(&latch_seq, memory_order_acquire);
        clock_data_t *d = &latch_data[seq & 1];
        *m = atomic_load_explicit(&d->mult, memory_order_relaxed);
        *s = atomic_load_explicit(&d->shift, memory_order_relaxed);
        atomic_thread_fence(memory_order_acquire);
    } while (atomic_load_explicit(&latch_seq, memory_order_relaxed) != seq);
}

static void *writer(void *arg)
{
    latch_update(7, 7);
    return arg;
}

static void *reader(void *arg)
{
    int m, s;

    latch_read(&m, &s);
    assert(m == s);
    return arg;
}

int main(void)
{
    pthread_t w, r;

    pthread_create(&w, NULL, writer, NULL);
    pthread_create(&r, NULL, reader, NULL);
    pthread_join(w, NULL);
    pthread_join(r, NULL);
    return 0;
}
