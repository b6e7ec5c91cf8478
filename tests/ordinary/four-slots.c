/* SPDX-License-Identifier: MIT
 *
 * Simpson's four slots: one writer, one reader, neither ever waits.  -DBROKEN:
 * all control variables are relaxed.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef BROKEN
#define ST memory_order_relaxed
#define LD memory_order_relaxed
#else
#define ST memory_order_seq_cst
#define LD memory_order_seq_cst
#endif

struct pair {
    int a, b;
};

static struct pair slot[2][2];
static atomic_int latest, reading, index_of[2];

static void put(int v)
{
    int p = !atomic_load_explicit(&reading, LD);
    int i = !atomic_load_explicit(&index_of[p], LD);
    slot[p][i].a = v;
    slot[p][i].b = v;
    atomic_store_explicit(&index_of[p], i, ST);
    atomic_store_explicit(&latest, p, ST);
}

static struct pair get(void)
{
    int p = atomic_load_explicit(&latest, LD), i;
    atomic_store_explicit(&reading, p, ST);
    i = atomic_load_explicit(&index_of[p], LD);
    return slot[p][i];
}

static void *writer(void *u)
{
    put(1);
    put(2);
    put(3);
    return u;
}

static void *reader(void *u)
{
    struct pair p = get(), q;
    assert(p.a == p.b);
    q = get();
    assert(q.a == q.b);
    assert(q.a >= p.a);
    return u;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, writer, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
