/* SPDX-License-Identifier: MIT
 *
 * Read-modify-writes, compare-and-swaps, locks and inline assembly: what they
 * return and leave behind.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>

#include "see.h"

static _Atomic int word;
static _Atomic int8_t byte;
static _Atomic uint64_t wide = 40;
static int *_Atomic pointer;
static int cells[3], plain = 9;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

#define RMWS(where)                                                            \
    do {                                                                       \
        SEE(atomic_fetch_add(&where, 100));                                    \
        SEE(atomic_fetch_add(&where, 100));                                    \
        SEE(atomic_fetch_sub(&where, 30));                                     \
        SEE(atomic_fetch_and(&where, 0x3c));                                   \
        SEE(atomic_fetch_or(&where, 0x41));                                    \
        SEE(atomic_fetch_xor(&where, 0xff));                                   \
        SEE(atomic_exchange(&where, 9));                                       \
        SEE(atomic_fetch_sub(&where, 1));                                      \
        SEE(where);                                                            \
    } while (0)

static void swaps(void)
{
    int expected = 5;

    word = 4;
    SEE(atomic_compare_exchange_strong(&word, &expected, 6));
    SEE(expected);
    SEE(word);
    SEE(atomic_compare_exchange_strong(&word, &expected, 6));
    SEE(word);
    pointer = &cells[0];
    SEE(atomic_exchange(&pointer, &cells[2]) - cells);
    SEE(pointer - cells);
    SEE(__atomic_fetch_nand(&plain, 3, __ATOMIC_RELAXED));
    SEE(plain);
    SEE(__atomic_fetch_max(&plain, 5, __ATOMIC_RELAXED));
    SEE(__atomic_fetch_min(&plain, -5, __ATOMIC_RELAXED));
    SEE(plain);
    SEE(__sync_val_compare_and_swap((int *)&word, 6, 11));
    SEE(__sync_bool_compare_and_swap((int *)&word, 6, 12));
    SEE(word);
}

static int exchange_add(int *p, int n)
{
    __asm__ volatile("lock; xaddl %0, %1" : "+r"(n), "+m"(*p) : : "memory");
    return n;
}

static void assembly(void)
{
    int hidden = 3;

    SEE(exchange_add(&cells[1], 7));
    SEE(exchange_add(&cells[1], 8));
    SEE(cells[1]);
    __asm__ volatile("" : "+r"(hidden));
    SEE(hidden);
    __asm__ volatile("mfence" ::: "memory");
    __builtin_ia32_mfence();
    __builtin_ia32_pause();
}

static void locks(void)
{
    SEE(pthread_mutex_lock(&mutex));
    SEE(pthread_mutex_trylock(&mutex));
    SEE(pthread_mutex_unlock(&mutex));
    SEE(pthread_mutex_trylock(&mutex));
    SEE(pthread_mutex_unlock(&mutex));
    SEE(sem_init(&semaphore, 0, 2));
    SEE(sem_wait(&semaphore));
    SEE(sem_trywait(&semaphore));
    SEE(sem_trywait(&semaphore));
    SEE(sem_post(&semaphore));
    SEE(sem_trywait(&semaphore));
}

/* Locks that nobody else can know. */
static void own_locks(void)
{
    pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second;
    sem_t count;

    pthread_mutex_init(&second, NULL);
    sem_init(&count, 0, 1);
    SEE(pthread_mutex_lock(&first));
    SEE(pthread_mutex_trylock(&second));
    SEE(pthread_mutex_trylock(&first));
    SEE(sem_trywait(&count));
    SEE(sem_trywait(&count));
}

SHOW
{
    RMWS(word);
    RMWS(byte);
    RMWS(wide);
    swaps();
    assembly();
    locks();
    own_locks();
}
