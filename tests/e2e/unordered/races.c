/* SPDX-License-Identifier: MIT
 *
 * Programs that no machine of the models explored breaks, or that fail only
 * where they should, with a data race by C11 or without.  Asked by
 * unordered.sh; the lines are in what it expects.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ST
#define ST memory_order_release
#endif
#ifndef LD
#define LD memory_order_acquire
#endif

static int data;

#if defined HANDED
static atomic_int flag;
static void first(void)
{
    data = 1;
    atomic_store_explicit(&flag, 1, ST); /* line 26 */
}
static void second(void)
{
    if (atomic_load_explicit(&flag, LD)) /* line 30 */
        assert(data < 2);                /* line 30 */
}
#elif defined FENCES
static atomic_int flag;
static void first(void)
{
    data = 1;
    atomic_thread_fence(ST);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
}
static void second(void)
{
    if (!atomic_load_explicit(&flag, memory_order_relaxed))
        return;
    atomic_thread_fence(LD);
    assert(data < 2);
}
#elif defined SIGNAL
static volatile int flag;
static void first(void)
{
    data = 1;
    flag = 1;
}
static void second(void)
{
    if (flag)
        assert(data < 2);
}
#elif defined VOLATILE
static volatile int flag;
static void first(void)
{
    flag = 1;
}
static void second(void)
{
    data = flag;
}
#elif defined MUTEX
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void first(void)
{
    pthread_mutex_lock(&mutex);
    data++;
    pthread_mutex_unlock(&mutex);
}
static void second(void)
{
#ifndef BUG
    pthread_mutex_lock(&mutex);
#endif
    assert(data < 2);
#ifndef BUG
    pthread_mutex_unlock(&mutex);
#endif
}
#elif defined REFERENCES
static atomic_int references = 2;
static int *object;
static void leave(void)
{
    if (atomic_fetch_sub_explicit(&references, 1, ST) == 1)
        free(object);
}
static void first(void)
{
    *object = 1;
    leave();
}
static void second(void)
{
    leave();
}
#endif

static void *run_first(void *arg)
{
    first();
    return arg;
}

static void *run_second(void *arg)
{
    second();
    return arg;
}

int main(void)
{
    pthread_t a, b;

#ifdef REFERENCES
    object = malloc(sizeof *object);
#endif
    pthread_create(&a, NULL, run_first, NULL);
    pthread_create(&b, NULL, run_second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(data < 2);
    return 0;
}
