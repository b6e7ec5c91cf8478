/* SPDX-License-Identifier: MIT
 *
 * Small shapes with atomics: one of MP, SB, IRIW, LB, WW, SEQUENCE, and the
 * orders of the stores and loads (or of the fences, with -DFENCES).
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef ST
#define ST memory_order_relaxed
#endif
#ifndef LD
#define LD memory_order_relaxed
#endif
#ifdef FENCES
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define AFTER_STORE() atomic_thread_fence(ST)
#define AFTER_LOAD() atomic_thread_fence(LD)
#else
#define STORE(x, v) atomic_store_explicit(&(x), v, ST)
#define LOAD(x) atomic_load_explicit(&(x), LD)
#define AFTER_STORE() ((void)0)
#define AFTER_LOAD() ((void)0)
#endif

static atomic_int x, y;
static int a, b, c, d;

#if defined(MP) || defined(SEQUENCE)
static void *first(void *unused)
{
    STORE(x, 1);
    AFTER_STORE();
    STORE(y, 1);
    return unused;
}

static void *second(void *unused)
{
#ifdef SEQUENCE /* an RMW goes on with the release sequence, a store ends it   \
                 */
#ifdef BREAK
    if (atomic_load_explicit(&y, memory_order_relaxed) == 1)
        atomic_store_explicit(&y, 2, memory_order_relaxed);
#else
    int one = 1;

    atomic_compare_exchange_strong_explicit(&y, &one, 2, memory_order_relaxed,
                                            memory_order_relaxed);
#endif
#endif
    return unused;
}

static void *third(void *unused)
{
    a = LOAD(y);
    AFTER_LOAD();
    b = LOAD(x);
    return unused;
}

static void *fourth(void *unused)
{
    return unused;
}

static int is_wrong(void)
{
#ifdef SEQUENCE
    return a == 2 && b == 0;
#else
    return a == 1 && b == 0;
#endif
}
#elif defined(SB)
static void *first(void *unused)
{
    STORE(x, 1);
    AFTER_STORE();
    a = LOAD(y);
    return unused;
}

static void *second(void *unused)
{
    STORE(y, 1);
    AFTER_STORE();
    b = LOAD(x);
    return unused;
}

static void *third(void *unused)
{
    return unused;
}

static void *fourth(void *unused)
{
    return unused;
}

static int is_wrong(void)
{
    return a == 0 && b == 0;
}
#elif defined(LB)
static void *first(void *unused)
{
    a = LOAD(x);
    STORE(y, 1);
    return unused;
}

static void *second(void *unused)
{
    b = LOAD(y);
    STORE(x, 1);
    return unused;
}

static void *third(void *unused)
{
    return unused;
}

static void *fourth(void *unused)
{
    return unused;
}

static int is_wrong(void)
{
    return a == 1 && b == 1;
}
#elif defined(WW)
static void *first(void *unused)
{
    STORE(x, 1);
    AFTER_STORE();
    STORE(y, 2);
    return unused;
}

static void *second(void *unused)
{
    STORE(y, 1);
    AFTER_STORE();
    STORE(x, 2);
    return unused;
}

static void *third(void *unused)
{
    return unused;
}

static void *fourth(void *unused)
{
    return unused;
}

static int is_wrong(void)
{
    return x == 1 && y == 1;
}
#else /* IRIW */
static void *first(void *unused)
{
    STORE(x, 1);
    return unused;
}

static void *second(void *unused)
{
    STORE(y, 1);
    return unused;
}

static void *third(void *unused)
{
    a = LOAD(x);
    AFTER_LOAD();
    b = LOAD(y);
    return unused;
}

static void *fourth(void *unused)
{
    c = LOAD(y);
    AFTER_LOAD();
    d = LOAD(x);
    return unused;
}

static int is_wrong(void)
{
    return a == 1 && b == 0 && c == 1 && d == 0;
}
#endif

int main(void)
{
    void *(*threads[])(void *) = {first, second, third, fourth};
    pthread_t t[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, threads[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
#ifndef COUNT
    assert(!is_wrong());
#endif
    (void)(a + b + c + d);
    return 0;
}
