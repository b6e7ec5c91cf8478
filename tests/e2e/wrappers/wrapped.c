/* SPDX-License-Identifier: MIT
 *
 * Store buffering by wrapped assembly (SB), a message whose flag is taken by it
 * (CAS), and one whose flag is written by a wrapper; with fences in wrappers,
 * too (FENCED).  What is reported is where they are called.
 */
#include <assert.h>
#include <pthread.h>

#include "wrappers.h"

struct box {
    int data;
    _Atomic int ready;
};

static struct box box;
static int x, y, left_saw, right_saw;

/* In the same file, with everything said by the caller. */
static int peek(_Atomic int *p)
{
    return atomic_load_explicit(p, memory_order_acquire);
}

/* No wrapper: it says what it stores. */
static void empty(_Atomic int *p)
{
    atomic_store_explicit(p, 0, memory_order_release);
}

#ifdef SB
static void *left(void *argument)
{
    asm_store(&x, 1);
    left_saw = asm_load(&y);
    return argument;
}

static void *right(void *argument)
{
    asm_store(&y, 1);
    right_saw = asm_load(&x);
    return argument;
}
#elif defined CAS
static void *left(void *argument)
{
    box.data = 1;
    asm_store(&x, 1);
    return argument;
}

static void *right(void *argument)
{
    int found;

    if (asm_cas(&x, 1, 2, &found) && found == 1)
        assert(box.data == 1);
    return argument;
}
#elif defined FENCED
/* Not static. */
void say(_Atomic int *p, int value)
{
    barrier();
    atomic_store_explicit(p, value, memory_order_relaxed);
    barrier();
}

static void *left(void *argument)
{
    box.data = 1;
    say(&box.ready, 1);
    return argument;
}

static void *right(void *argument)
{
    if (load_then_fence(&box.ready))
        assert(box.data == 1);
    return argument;
}
#else
static void *left(void *argument)
{
    box.data = 1;
    publish(&box.ready);
    return argument;
}

static void *right(void *argument)
{
    if (peek(&box.ready) && load_acquire(&box.ready))
        assert(box.data == 1);
    return argument;
}
#endif

int main(void)
{
    pthread_t a, b;

    empty(&box.ready);
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef SB
    assert(left_saw || right_saw);
#endif
    return 0;
}
