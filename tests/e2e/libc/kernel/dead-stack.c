/* SPDX-License-Identifier: MIT
 *
 * A thread hands out the address of a local, and ends.  -DWAITS keeps it alive
 * until it was used; with -DRELAXED that is said too early on PSO.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef RELAXED
#define SAY memory_order_relaxed
#else
#define SAY memory_order_release
#endif

static atomic_int *_Atomic handed_out;
static atomic_int used;

static void *owner(void *none)
{
    atomic_int local = 1;

    atomic_store(&handed_out, &local);
#ifdef WAITS
    while (!atomic_load(&used))
        ;
#endif
    return none;
}

int main(void)
{
    pthread_t t;
    atomic_int *local;

    pthread_create(&t, NULL, owner, NULL);
    local = atomic_load(&handed_out);
    if (local) {
        atomic_store_explicit(local, 2, memory_order_relaxed);
        atomic_store_explicit(&used, 1, SAY);
    }
#ifdef WAITS
    else
        atomic_store_explicit(&used, 1, memory_order_relaxed);
#endif
    pthread_join(t, NULL);
    return 0;
}
