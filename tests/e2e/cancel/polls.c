/* SPDX-License-Identifier: MIT
 *
 * A thread that polls for its cancellation, between two halves of what it does.
 * A handler undoes the first half.  With -DBROKEN there is none; with -DORDER
 * it is taken for granted that who is cancelled sees what was stored before.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second, told;

static void undo(void *arg)
{
    atomic_store(&first, 0);
#ifdef ORDER
    assert(atomic_load_explicit(&told, memory_order_relaxed));
#endif
    (void)arg;
}

static void *work(void *arg)
{
    int old;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    pthread_testcancel(); /* is none */
    pthread_setcancelstate(old, NULL);
    atomic_store(&first, 1);
#ifdef BROKEN
    pthread_testcancel();
#else
    pthread_cleanup_push(undo, NULL);
    pthread_testcancel();
    pthread_cleanup_pop(0);
#endif
    atomic_store(&second, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;

    pthread_create(&t, NULL, work, &t);
    atomic_store_explicit(&told, 1, memory_order_relaxed);
    assert(!pthread_cancel(t));
    pthread_join(t, &result);
    assert(pthread_cancel(t) == ESRCH);
    assert(result == &t || result == PTHREAD_CANCELED);
    assert((result == &t) == atomic_load(&second));
    assert(atomic_load(&first) == atomic_load(&second));
    return 0;
}
