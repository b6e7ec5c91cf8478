/* SPDX-License-Identifier: MIT
 *
 * One way out of the section forgets its lock: the third thread to come waits
 * for ever, on every model, unless -DFIXED.  -DSPIN has a test-and-set lock:
 * who waits stores again and again, and changes nothing.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef SPIN
static atomic_int lock;
#define LOCK()                                                                 \
    while (atomic_exchange(&lock, 1))                                          \
    continue
#define UNLOCK() atomic_store(&lock, 0)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK() pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
#endif

static bool done;

static void *once(void *unused)
{
    LOCK();
    if (done) {
#ifdef FIXED
        UNLOCK();
#endif
        return unused;
    }
    done = true;
    UNLOCK();
    return unused;
}

int main(void)
{
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, once, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
