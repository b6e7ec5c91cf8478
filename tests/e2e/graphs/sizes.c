/* SPDX-License-Identifier: MIT
 *
 * Accesses of different sizes to the same bytes.  TICKET: a lock whose halves
 * are served and next, and which is tried as a whole.  STACK: node and counter,
 * exchanged by 16 bytes.  TEAR: two halves are written, and read at once.  With
 * BUG each fails: the lock is given back without order, the counter does not
 * count, the second half may come before the first.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef TICKET
static union {
    _Atomic uint32_t whole;
    _Atomic uint16_t half[2]; /* served, next */
} lock;
static int data;

static int try_lock(void)
{
    uint32_t now = atomic_load_explicit(&lock.whole, memory_order_relaxed);

    if ((now & 0xffff) != now >> 16)
        return 0;
    return atomic_compare_exchange_strong_explicit(
        &lock.whole, &now, now + 0x10000, memory_order_acquire,
        memory_order_relaxed);
}

static void unlock(void)
{
    uint16_t served = atomic_load_explicit(&lock.half[0], memory_order_relaxed);

#ifdef BUG
    atomic_store_explicit(&lock.half[0], served + 1, memory_order_relaxed);
#else
    atomic_store_explicit(&lock.half[0], served + 1, memory_order_release);
#endif
}

static void take(void)
{
    uint16_t mine =
        atomic_fetch_add_explicit(&lock.half[1], 1, memory_order_relaxed);

    while (atomic_load_explicit(&lock.half[0], memory_order_acquire) != mine)
        ;
}

static void *other(void *argument)
{
    int entered = try_lock();

    (void)argument;
    if (entered) {
        data++;
        unlock();
    }
    return (void *)(intptr_t)entered;
}

int main(void)
{
    pthread_t t;
    void *entered;

    pthread_create(&t, NULL, other, NULL);
    take();
    data++;
    unlock();
    pthread_join(t, &entered);
    assert(data == 1 + (intptr_t)entered);
    return 0;
}
#endif

#ifdef STACK
#ifdef BUG
#define COUNTS 0
#else
#define COUNTS 1
#endif

struct top {
    uint64_t node, count;
};

static _Alignas(16) _Atomic struct top top;
static _Atomic uint64_t next[4]; /* of nodes 1 to 3 */

static void push(uint64_t node)
{
    struct top old = atomic_load(&top), new;

    do {
        atomic_store(&next[node], old.node);
        new = (struct top){node, old.count + COUNTS};
    } while (!atomic_compare_exchange_strong(&top, &old, new));
}

static uint64_t pop(void)
{
    struct top old = atomic_load(&top), new;

    do {
        if (!old.node)
            return 0;
        new.node = atomic_load(&next[old.node]);
        new.count = old.count + COUNTS;
    } while (!atomic_compare_exchange_strong(&top, &old, new));
    return old.node;
}

static uint64_t got;

static void *popper(void *argument)
{
    (void)argument;
    got = pop();
    return NULL;
}

/* 1 and 2 are taken, and 1 is given back: who has read next[1] before that must
 * not make 2 the top. */
int main(void)
{
    pthread_t t;
    uint64_t first, second;
    struct top last;

    atomic_store(&top, ((struct top){1, 0}));
    atomic_store(&next[1], 2);
    pthread_create(&t, NULL, popper, NULL);
    first = pop();
    second = pop();
    if (first)
        push(first);
    pthread_join(t, NULL);
    last = atomic_load(&top);
    assert(!second || (got != second && last.node != second));
    return 0;
}
#endif

#ifdef TEAR
static union {
    _Atomic uint64_t whole;
    _Atomic uint32_t half[2];
} pair;

static void *writer(void *argument)
{
    (void)argument;
    atomic_store_explicit(&pair.half[0], 1, memory_order_relaxed);
#ifdef BUG
    atomic_store_explicit(&pair.half[1], 1, memory_order_relaxed);
#else
    atomic_store_explicit(&pair.half[1], 1, memory_order_release);
#endif
    return NULL;
}

/* The second half is never there without the first. */
int main(void)
{
    pthread_t t;
    uint64_t seen;

    pthread_create(&t, NULL, writer, NULL);
    seen = atomic_load_explicit(&pair.whole, memory_order_relaxed);
    assert(seen >> 32 == 0 || (uint32_t)seen == 1);
    pthread_join(t, NULL);
    return 0;
}
#endif
