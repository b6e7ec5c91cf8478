/* SPDX-License-Identifier: MIT
 *
 * A thread that reads many values, and keeps what it read where only it looks:
 * the search goes back to what the thread was, again and again, and finds its
 * memory as it was then (src/target/runtime/native_rewind.c).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define READS 5

static atomic_int x;

#if defined TLS
static __thread int kept[READS], count;
#elif defined OWN
static int kept[READS], count;
#elif defined KEYED
static pthread_key_t key;
static atomic_int ended;

static void end(void *value)
{
    atomic_store(&ended, *(int *)value);
}
#endif

static void *reader(void *given)
{
    int seen[READS];
#if defined HEAP
    int *kept = calloc(READS, sizeof *kept), *counter = calloc(1, sizeof(int));
#define count (*counter)
#elif defined LIBRARY || defined KEYED || defined LENT
    int kept[READS] = {0}, count = 0;
#endif
    const int *reads = given;

#ifdef KEYED
    static int one = 1;

    pthread_setspecific(key, &one);
#endif
    for (int i = 0; i < *reads; i++) {
        seen[i] = atomic_load_explicit(&x, memory_order_relaxed);
#ifdef LIBRARY
        memcpy(&kept[count++], &seen[i], sizeof *seen);
#else
        kept[count++] = seen[i];
#endif
    }
    assert(count == READS);
    for (int i = 0; i < READS; i++)
        assert(kept[i] == seen[i]);
    return NULL;
}

static void *writer(void *unused)
{
    (void)unused;
    for (int i = 1; i <= 3; i++)
        atomic_store_explicit(&x, i, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
#ifdef LENT
    int reads = READS; /* nobody has it any more when main has returned */
#else
    static int reads = READS;
#endif

#ifdef KEYED
    pthread_key_create(&key, end);
#endif
    pthread_create(&a, NULL, reader, &reads);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef KEYED
    assert(ended == 1);
#endif
    return 0;
}
