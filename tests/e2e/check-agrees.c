/* SPDX-License-Identifier: MIT
 *
 * Small data types, right and wrong, with all that operations may do: two
 * engines have to agree on each test (check-agrees.sh).
 */
#include <assert.h>
#include <fencer.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define RELAXED memory_order_relaxed
#define ACQUIRE memory_order_acquire
#define RELEASE memory_order_release
#define LOAD atomic_load_explicit
#define STORE atomic_store_explicit

struct node {
    int value;
    struct node *next;
};

static int x, y, divisor, *heap;
static atomic_int counter;
static atomic_flag spin = ATOMIC_FLAG_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static struct node left, right;
static _Atomic(struct node *) top;
static int ring[2];
static atomic_uint head, tail, version;

FENCER_INIT
{
    divisor = 1;
    heap = malloc(sizeof(*heap));
    *heap = 3;
    sem_init(&semaphore, 0, 0);
    left.next = &right;
    right.value = 3;
}

/* ---- Atomic steps, and not quite ---- */

FENCER_OP(add)
{
    fencer_observe("add", atomic_fetch_add_explicit(&counter, 1, RELAXED));
}

FENCER_OP(swap)
{
    fencer_observe("swap", atomic_exchange_explicit(&counter, 7, RELAXED));
}

FENCER_OP(torn)
{
    int v = LOAD(&counter, RELAXED);

    STORE(&counter, v + 1, RELAXED);
    fencer_observe("torn", v);
}

FENCER_OP(both)
{
    int done = 0;

    fencer_atomic
    {
        if (x == 0 && y == 0)
            x = y = done = 1;
    }
    fencer_observe("both", done);
}

FENCER_OP(pair)
{
    int a = 0, b = 0;

    fencer_atomic
    {
        a = x;
        b = y;
    }
    fencer_observe("pair", 10 * a + b);
}

FENCER_OP(loose)
{
    int a = x, b = y;

    fencer_observe("loose", 10 * a + b);
}

FENCER_TEST(adds, "( add add | add | swap )");
FENCER_TEST(torns, "( torn | torn )");
FENCER_TEST(pairs, "( both | both | pair )");
FENCER_TEST(looses, "( both | loose )");

/* ---- Locks ---- */

FENCER_OP(locked)
{
    while (atomic_flag_test_and_set_explicit(&spin, ACQUIRE)) {
    }
    int v = x++;

    atomic_flag_clear_explicit(&spin, RELEASE);
    fencer_observe("locked", v);
}

FENCER_OP(weakly)
{
    while (atomic_flag_test_and_set_explicit(&spin, RELAXED)) {
    }
    int v = x++;

    atomic_flag_clear_explicit(&spin, RELAXED);
    fencer_observe("weakly", v);
}

FENCER_OP(trial)
{
    int r = pthread_mutex_trylock(&lock);

    if (r == 0)
        pthread_mutex_unlock(&lock);
    fencer_observe("trial", r != 0);
}

FENCER_OP(mutual)
{
    pthread_mutex_lock(&lock);
    int v = ++x;
    pthread_mutex_unlock(&lock);
    fencer_observe("mutual", v);
}

FENCER_OP(post)
{
    y = 5;
    sem_post(&semaphore);
    fencer_observe("post", 0);
}

FENCER_OP(wait)
{
    sem_wait(&semaphore);
    fencer_observe("wait", y);
}

FENCER_TEST(lockeds, "( locked locked | locked )");
FENCER_TEST(weaklies, "( weakly | weakly )");
FENCER_TEST(trials, "( trial | trial )");
FENCER_TEST(mutuals, "( mutual | mutual mutual )");
FENCER_TEST(waits, "( post | wait )");

/* ---- Pointers ---- */

FENCER_OP(mark)
{
    left.next = (struct node *)((uintptr_t)left.next | 1);
    fencer_observe("mark", 0);
}

FENCER_OP(marked)
{
    uintptr_t p = (uintptr_t)left.next;
    struct node *n = (struct node *)(p & ~(uintptr_t)1);

    fencer_observe("marked", n->value + 10 * (int)(p & 1));
}

FENCER_OP(push)
{
    struct node *n = malloc(sizeof(*n)), *t = LOAD(&top, RELAXED);

    n->value = 1 + (int)fencer_choose(2);
    do {
        n->next = t;
    } while (!atomic_compare_exchange_strong_explicit(&top, &t, n, RELEASE,
                                                      RELAXED));
    fencer_observe("push", n->value);
}

FENCER_OP(pop)
{
    struct node *t = LOAD(&top, ACQUIRE);

    while (t && !atomic_compare_exchange_strong_explicit(&top, &t, t->next,
                                                         ACQUIRE, ACQUIRE)) {
    }
    fencer_observe("pop", t ? t->value : 0);
}

FENCER_TEST(marks, "( mark | marked marked )");
FENCER_TEST(pops, "push ( push | pop pop )");

/* ---- Rings and versions ---- */

FENCER_OP(put)
{
    unsigned t = LOAD(&tail, RELAXED);
    int done = 0;

    if (t - LOAD(&head, ACQUIRE) < 2) {
        ring[t % 2] = 4;
        STORE(&tail, t + 1, RELEASE);
        done = 1;
    }
    fencer_observe("put", done);
}

FENCER_OP(get)
{
    unsigned h = LOAD(&head, RELAXED);
    int v = -1;

    if (h != LOAD(&tail, ACQUIRE)) {
        v = ring[h % 2];
        STORE(&head, h + 1, RELEASE);
    }
    fencer_observe("get", v);
}

FENCER_OP(hasty)
{
    unsigned h = LOAD(&head, RELAXED);
    int v = -1;

    if (h != LOAD(&tail, RELAXED)) {
        v = ring[h % 2];
        STORE(&head, h + 1, RELAXED);
    }
    fencer_observe("hasty", v);
}

FENCER_OP(write)
{
    STORE(&version, LOAD(&version, RELAXED) + 1, RELAXED);
    atomic_thread_fence(RELEASE);
    x++;
    y++;
    STORE(&version, LOAD(&version, RELAXED) + 1, RELEASE);
    fencer_observe("write", 0);
}

FENCER_OP(read)
{
    unsigned v;
    int a, b;

    do {
        v = LOAD(&version, ACQUIRE);
        a = x;
        b = y;
        atomic_thread_fence(ACQUIRE);
    } while (v % 2 || v != LOAD(&version, RELAXED));
    fencer_observe("read", 10 * a + b);
}

FENCER_TEST(rings, "( put put | get get )");
FENCER_TEST(full, "( put put put | get get )");
FENCER_TEST(hasties, "( put | hasty )");
FENCER_TEST(reads, "( write | read )");

/* ---- Failures ---- */

FENCER_OP(free)
{
    free(heap);
    fencer_observe("free", 0);
}

FENCER_OP(use)
{
    fencer_observe("use", *heap);
}

FENCER_OP(lose)
{
    heap = NULL;
    fencer_observe("lose", 0);
}

FENCER_OP(guess)
{
    fencer_observe("guess", heap ? *heap : 9);
}

FENCER_OP(zero)
{
    divisor = 0;
    divisor = 2;
    fencer_observe("zero", 0);
}

FENCER_OP(divide)
{
    fencer_observe("divide", 4 / divisor);
}

FENCER_OP(publish)
{
    x = 1;
    y = 1;
    fencer_observe("publish", 0);
}

FENCER_OP(claim)
{
    int b = y, a = x;

    assert(a >= b);
    fencer_observe("claim", 0);
}

FENCER_TEST(frees, "( free | free )");
FENCER_TEST(uses, "( use | free )");
FENCER_TEST(loses, "( lose | guess )");
FENCER_TEST(zeros, "( zero | divide )");
FENCER_TEST(claims, "( publish | claim )");
