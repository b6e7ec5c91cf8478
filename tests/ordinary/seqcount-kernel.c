/* SPDX-License-Identifier: MIT
 *
 * The kernel's seqcount, with its macros: read_begin and read_retry around the
 * copy.  -DBROKEN: no smp_rmb() in read_retry, so the data may be read after
 * the count is looked at again.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>

#define READ_ONCE(x) __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v) __atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)

typedef struct seqcount {
    unsigned sequence;
} seqcount_t;

static seqcount_t count;
static long sec, nsec;

static inline void write_seqcount_begin(seqcount_t *s)
{
    WRITE_ONCE(s->sequence, s->sequence + 1);
    smp_wmb();
}

static inline void write_seqcount_end(seqcount_t *s)
{
    smp_wmb();
    WRITE_ONCE(s->sequence, s->sequence + 1);
}

static inline unsigned read_seqcount_begin(const seqcount_t *s)
{
    unsigned ret;

    while ((ret = READ_ONCE(s->sequence)) & 1)
        ;
    smp_rmb();
    return ret;
}

static inline int read_seqcount_retry(const seqcount_t *s, unsigned start)
{
#ifndef BROKEN
    smp_rmb();
#endif
    return READ_ONCE(s->sequence) != start;
}

static void *tick(void *arg)
{
    write_seqcount_begin(&count);
    WRITE_ONCE(sec, 1);
    WRITE_ONCE(nsec, 1);
    write_seqcount_end(&count);
    return arg;
}

static void *gettime(void *arg)
{
    unsigned seq;
    long s, ns;

    do {
        seq = read_seqcount_begin(&count);
        s = READ_ONCE(sec);
        ns = READ_ONCE(nsec);
    } while (read_seqcount_retry(&count, seq));
    assert(s == ns);
    return arg;
}

int main(void)
{
    pthread_t w, r;

    pthread_create(&w, 0, tick, 0);
    pthread_create(&r, 0, gettime, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
