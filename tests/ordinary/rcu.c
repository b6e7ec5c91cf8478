/* SPDX-License-Identifier: MIT
 *
 * Read-copy-update for one reader: the writer waits for a grace period before
 * it frees.  -DBROKEN: the reader enters by a release store, so even TSO may
 * read the pointer before others see that there is a reader.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm no, riscv no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#ifdef BROKEN
#define ENTER memory_order_release
#else
#define ENTER memory_order_seq_cst
#endif

struct table {
    int size;
};

static struct table *_Atomic table;
static atomic_int reading;

static struct table *table_new(int size)
{
    struct table *t = malloc(sizeof *t);

    t->size = size;
    return t;
}

static void synchronize(void)
{
    while (atomic_load(&reading)) {
        struct timespec nap = {.tv_nsec = 1000};

        nanosleep(&nap, NULL);
    }
}

static void *reader(void *unused)
{
    atomic_store_explicit(&reading, 1, ENTER);
    assert(atomic_load(&table)->size > 0);
    atomic_store_explicit(&reading, 0, memory_order_release);
    return unused;
}

static void *writer(void *unused)
{
    struct table *old = atomic_exchange(&table, table_new(16));

    synchronize();
    free(old);
    return unused;
}

int main(void)
{
    pthread_t r, w;

    atomic_store(&table, table_new(8));
    pthread_create(&r, NULL, reader, NULL);
    pthread_create(&w, NULL, writer, NULL);
    pthread_join(r, NULL);
    pthread_join(w, NULL);
    free(table);
    return 0;
}
