/* SPDX-License-Identifier: MIT
 *
 * Atomic blocks.  DCAS: two words are exchanged at once, if both are as
 * expected.  LIST: what a block touches depends on what it reads.  SPIN: a lock
 * that is taken in a block, again and again.  ORDER: accesses in a block have
 * orders.  OWN: a block that touches only its thread's own memory waits for
 * stores, as an RMW does.  FAIL: a block fails in its middle.  INDEX: each of
 * six blocks touches another word, which another block may read; where in their
 * order that comes makes five differences.  With BUG each goes wrong.
 */
#include <assert.h>
#include <fencer.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef DCAS
static int x, y, done[2];

static int exchange(int *a, int *b, int old, int new)
{
    int is_old = 0;

    fencer_atomic
    {
        if (*a == old && *b == old) {
            *a = new;
#ifndef BUG
            *b = new;
#endif
            is_old = 1;
        }
    }
#ifdef BUG
    if (is_old)
        *b = new;
#endif
    return is_old;
}

static void *left(void *argument)
{
    done[0] = exchange(&x, &y, 0, 1);
    return argument;
}

static void *right(void *argument)
{
    done[1] = exchange(&y, &x, 0, 2) || exchange(&y, &x, 1, 2);
    return argument;
}

static void judge(void)
{
    assert(x == y && done[1]);
}
#endif

#ifdef LIST
static struct node {
    struct node *next;
    int value;
} one = {NULL, 1}, two = {&one, 2}, three = {NULL, 3}, *head = &two;
static int sum[2];

static int pop(void)
{
    struct node *first;
    int value = 0;

    fencer_atomic
    {
        first = head;
#ifdef BUG
    }
    fencer_atomic
    {
#endif
        if (first) {
            head = first->next;
            value = first->value;
            first->value = 0;
        }
    }
    return value;
}

static void *left(void *argument)
{
    sum[0] = pop();
    return argument;
}

static void *right(void *argument)
{
    fencer_atomic
    {
        three.next = head;
        head = &three;
    }
    sum[1] = pop();
    return argument;
}

static void judge(void)
{
    assert(sum[0] && sum[1] && sum[0] != sum[1] && head);
}
#endif

#ifdef SPIN
static int taken, data;

static void add(void)
{
    int free = 0;

    do {
        fencer_atomic
        {
            free = !taken;
            if (free)
                taken = 1;
        }
    } while (!free);
#ifndef BUG
    fencer_fence_ll();
#endif
    data++;
#ifndef BUG
    fencer_fence_ss();
#endif
    taken = 0;
}

static void *left(void *argument)
{
    add();
    return argument;
}

#define right left

static void judge(void)
{
    assert(data == 2);
}
#endif

#ifdef ORDER
static atomic_int data, ready, turns;
#ifdef BUG
#define RELEASE memory_order_relaxed
#else
#define RELEASE memory_order_release
#endif

static void *left(void *argument)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    fencer_atomic
    {
        atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed);
        atomic_store_explicit(&ready, 1, RELEASE);
    }
    return argument;
}

static void *right(void *argument)
{
    int seen;

    fencer_atomic
    {
        seen = atomic_load_explicit(&ready, memory_order_acquire);
        atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed);
    }
    if (seen)
        assert(atomic_load_explicit(&data, memory_order_relaxed));
    return argument;
}

static void judge(void)
{
    assert(turns == 2);
}
#endif

#ifdef OWN
static volatile int x, y, own[2], seen[2];

/* On PSO a block keeps a store only where it touches that, or after ss. */
static void add(volatile int *mine)
{
#ifndef BUG
    fencer_fence_ss();
    fencer_atomic
    {
        *mine += 1;
    }
    fencer_fence_ll();
#else
    (void)mine;
#endif
}

static void *left(void *argument)
{
    x = 1;
    add(&own[0]);
    seen[0] = y;
    return argument;
}

static void *right(void *argument)
{
    y = 1;
    add(&own[1]);
    seen[1] = x;
    return argument;
}

static void judge(void)
{
    assert(seen[0] || seen[1]);
}
#endif

#ifdef INDEX
static int words[4], at, sum;

static void *left(void *argument)
{
    for (int i = 0; i < 3; i++) {
        fencer_atomic
        {
            int k = at;

            words[k & 3]++;
            if (words[k & 3] & 1)
                at = k + 1;
        }
    }
    return argument;
}

static void *look(void *argument)
{
    fencer_atomic
    {
        if (words[0])
            sum = words[0] + words[1];
    }
    return argument;
}

static void *right(void *argument)
{
    pthread_t other;

    pthread_create(&other, NULL, look, NULL);
    left(argument);
    pthread_join(other, NULL);
    return argument;
}

static void judge(void)
{
    assert(words[0] == 3 && at == 5);
#ifdef BUG
    assert(sum != 3);
#endif
}
#endif

#ifdef FAIL
static int x, y;

static void *left(void *argument)
{
    fencer_atomic
    {
        x = 1;
#ifdef BUG
        assert(!y);
#endif
        x = 0;
    }
    return argument;
}

static void *right(void *argument)
{
    y = 1;
    assert(!x);
    return argument;
}

static void judge(void)
{
    assert(!x);
}
#endif

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    judge();
    return 0;
}
