/* SPDX-License-Identifier: MIT
 *
 * A big-reader lock: every reader has a flag of its own, and the writer looks
 * at all of them.  -DBROKEN: the reader raises its flag by a release store and
 * then looks for a writer.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso yes, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm no, riscv no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define READERS 2

#ifdef BROKEN
#define RAISE memory_order_release
#else
#define RAISE memory_order_seq_cst
#endif

static struct {
    atomic_bool writing;
    struct {
        atomic_bool reading;
        char pad[63];
    } reader[READERS];
} lock;

static int data[2];

static void read_lock(int me)
{
    for (;;) {
        atomic_store_explicit(&lock.reader[me].reading, true, RAISE);
        if (!atomic_load(&lock.writing))
            return;
        atomic_store_explicit(&lock.reader[me].reading, false,
                              memory_order_release);
        while (atomic_load_explicit(&lock.writing, memory_order_relaxed))
            ;
    }
}

static void read_unlock(int me)
{
    atomic_store_explicit(&lock.reader[me].reading, false,
                          memory_order_release);
}

static void write_lock(void)
{
    atomic_store(&lock.writing, true);
    for (int i = 0; i < READERS; i++)
        while (atomic_load(&lock.reader[i].reading))
            ;
}

static void write_unlock(void)
{
    atomic_store_explicit(&lock.writing, false, memory_order_release);
}

static void *reader(void *arg)
{
    int me = *(int *)arg;

    read_lock(me);
    assert(data[0] == data[1]);
    read_unlock(me);
    return NULL;
}

int main(void)
{
    pthread_t t[READERS];
    int ids[READERS] = {0, 1};

    for (int i = 0; i < READERS; i++)
        pthread_create(&t[i], NULL, reader, &ids[i]);
    write_lock();
    data[0]++;
    data[1]++;
    write_unlock();
    for (int i = 0; i < READERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
