/* SPDX-License-Identifier: MIT
 *
 * Left-right: two copies and two counters of readers.  The writer changes the
 * copy that nobody reads, sends readers there, waits for the old ones and
 * changes the other.  -DBROKEN: the reader's arrival is a relaxed increment, so
 * its look at the side may come first.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no, arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes, arm yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BROKEN
#define ARRIVE memory_order_relaxed
#define LOOK memory_order_acquire
#else
#define ARRIVE memory_order_seq_cst
#define LOOK memory_order_seq_cst
#endif

struct pair {
    int a, b;
};

static struct pair copies[2];
static atomic_int side, version;
static atomic_int readers[2];

static struct pair lr_read(void)
{
    int v = atomic_load(&version);

    atomic_fetch_add_explicit(&readers[v], 1, ARRIVE);
    struct pair p = copies[atomic_load_explicit(&side, LOOK)];
    atomic_fetch_sub_explicit(&readers[v], 1, memory_order_release);
    return p;
}

static void wait_for(int v)
{
    while (atomic_load(&readers[v]) != 0)
        ;
}

static void lr_write(int n)
{
    int s = atomic_load(&side);
    int v = atomic_load(&version);

    copies[1 - s] = (struct pair){n, n};
    atomic_store(&side, 1 - s);
    wait_for(1 - v);
    atomic_store(&version, 1 - v);
    wait_for(v);
    copies[s] = (struct pair){n, n};
}

static void *reader(void *arg)
{
    struct pair p = lr_read();

    assert(p.a == p.b);
    return arg;
}

static void *writer(void *arg)
{
    lr_write(1);
    return arg;
}

int main(void)
{
    pthread_t r, w;

    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    return 0;
}
