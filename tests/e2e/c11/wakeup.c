/* SPDX-License-Identifier: MIT
 *
 * The second of two threads wakes main; whether each can tell that it is the
 * second is store buffering.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef STORE
#define STORE memory_order_seq_cst
#endif
#ifndef LOAD
#define LOAD memory_order_seq_cst
#endif

static atomic_int here[2];
static sem_t both;

static void *come(void *number)
{
    int me = number != NULL;

    atomic_store_explicit(&here[me], 1, STORE);
    if (atomic_load_explicit(&here[1 - me], LOAD))
        sem_post(&both);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    sem_init(&both, 0, 0);
    pthread_create(&a, NULL, come, NULL);
    pthread_create(&b, NULL, come, &both);
    sem_wait(&both);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
