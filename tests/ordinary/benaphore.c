/* SPDX-License-Identifier: MIT
 *
 * A benaphore: a counter in front of a semaphore, which is touched only if two
 * want the lock.  -DBROKEN: leaving decrements the counter relaxed.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BROKEN
#define LEAVE memory_order_relaxed
#else
#define LEAVE memory_order_release
#endif

typedef struct benaphore {
    atomic_int contenders;
    sem_t sem;
} benaphore_t;

static benaphore_t lock;
static int pages, bytes;

static void benaphore_enter(benaphore_t *b)
{
    if (atomic_fetch_add_explicit(&b->contenders, 1, memory_order_acquire) > 0)
        sem_wait(&b->sem);
}

static void benaphore_leave(benaphore_t *b)
{
    if (atomic_fetch_sub_explicit(&b->contenders, 1, LEAVE) > 1)
        sem_post(&b->sem);
}

static void *allocate(void *unused)
{
    benaphore_enter(&lock);
    pages++;
    bytes += 4096;
    benaphore_leave(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[2];

    sem_init(&lock.sem, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, allocate, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(pages == 2 && bytes == 8192);
    sem_destroy(&lock.sem);
    return 0;
}
