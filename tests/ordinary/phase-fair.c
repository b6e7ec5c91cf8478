/* SPDX-License-Identifier: MIT
 *
 * Brandenburg and Anderson's phase-fair lock: readers and writers by turns.
 * -DBROKEN: a writer lets readers in without release.  -DREADERS: a reader goes
 * without release.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes, power yes
 * verify -DREADERS:  sc no, tso no, pso no, pslo no, c11 yes
 * verify -DREADERS:  arm yes, riscv yes, power yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define RINC 0x100u
#define WBITS 0x3u
#define PRES 0x2u
#define PHID 0x1u
#ifdef BROKEN
#define WRITER_GOES memory_order_relaxed
#else
#define WRITER_GOES memory_order_release
#endif
#ifdef READERS
#define READER_GOES memory_order_relaxed
#else
#define READER_GOES memory_order_release
#endif

typedef struct {
    atomic_uint rin, rout, win, wout;
} pf_t;

static pf_t l;
static int a, b;

static void read_lock(pf_t *p)
{
    unsigned w =
        atomic_fetch_add_explicit(&p->rin, RINC, memory_order_acquire) & WBITS;
    if (w == 0)
        return;
    while (w == (atomic_load_explicit(&p->rin, memory_order_acquire) & WBITS))
        ;
}

static void read_unlock(pf_t *p)
{
    atomic_fetch_add_explicit(&p->rout, RINC, READER_GOES);
}

static void write_lock(pf_t *p)
{
    unsigned ticket =
                 atomic_fetch_add_explicit(&p->win, 1, memory_order_relaxed),
             w;
    while (atomic_load_explicit(&p->wout, memory_order_acquire) != ticket)
        ;
    w = PRES | (ticket & PHID);
    ticket = atomic_fetch_add_explicit(&p->rin, w, memory_order_acquire);
    while (atomic_load_explicit(&p->rout, memory_order_acquire) != ticket)
        ;
}

static void write_unlock(pf_t *p)
{
    atomic_fetch_and_explicit(&p->rin, ~0xffu, WRITER_GOES);
    atomic_store_explicit(
        &p->wout, atomic_load_explicit(&p->wout, memory_order_relaxed) + 1,
        memory_order_release);
}

static void *writer(void *u)
{
    write_lock(&l);
    a++;
    b++;
    write_unlock(&l);
    return u;
}

static void *reader(void *u)
{
    int x, y;
    read_lock(&l);
    x = a;
    y = b;
    read_unlock(&l);
    assert(x == y);
    return u;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, writer, 0);
    pthread_create(&t[1], 0, reader, 0);
    pthread_create(&t[2], 0, writer, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    assert(a == 2 && b == 2);
    return 0;
}
