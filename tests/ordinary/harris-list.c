/* SPDX-License-Identifier: MIT
 *
 * Harris' list: a node that goes is marked in its own next pointer first.
 * -DBROKEN: a node is linked without release.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes, power yes
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef BROKEN
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

struct node {
    int key;
    _Atomic uintptr_t next;
};

static struct node head;

static bool marked(uintptr_t p)
{
    return p & 1;
}

static struct node *ptr(uintptr_t p)
{
    return (struct node *)(p & ~(uintptr_t)1);
}

static struct node *search(int key, struct node **left)
{
    struct node *prev, *cur;
again:
    prev = &head;
    cur = ptr(atomic_load_explicit(&prev->next, memory_order_acquire));
    while (cur) {
        uintptr_t next = atomic_load_explicit(&cur->next, memory_order_acquire);
        if (marked(next)) {
            uintptr_t expected = (uintptr_t)cur;
            if (!atomic_compare_exchange_strong_explicit(
                    &prev->next, &expected, (uintptr_t)ptr(next),
                    memory_order_acq_rel, memory_order_acquire))
                goto again;
            cur = ptr(next);
            continue;
        }
        if (cur->key >= key)
            break;
        prev = cur;
        cur = ptr(next);
    }
    *left = prev;
    return cur;
}

static bool insert(int key)
{
    struct node *n = malloc(sizeof *n), *left, *right;
    n->key = key;
    for (;;) {
        uintptr_t expected;
        right = search(key, &left);
        if (right && right->key == key) {
            free(n);
            return false;
        }
        atomic_store_explicit(&n->next, (uintptr_t)right, memory_order_relaxed);
        expected = (uintptr_t)right;
        if (atomic_compare_exchange_strong_explicit(&left->next, &expected,
                                                    (uintptr_t)n, LINK,
                                                    memory_order_relaxed))
            return true;
    }
}

static bool delete(int key)
{
    struct node *left, *right;
    uintptr_t next;
    for (;;) {
        right = search(key, &left);
        if (!right || right->key != key)
            return false;
        next = atomic_load_explicit(&right->next, memory_order_acquire);
        if (!marked(next) && atomic_compare_exchange_strong_explicit(
                                 &right->next, &next, next | 1,
                                 memory_order_acq_rel, memory_order_relaxed))
            break;
    }
    uintptr_t expected = (uintptr_t)right;
    if (!atomic_compare_exchange_strong_explicit(&left->next, &expected, next,
                                                 memory_order_acq_rel,
                                                 memory_order_relaxed))
        search(key, &left);
    return true;
}

static void *a(void *u)
{
    insert(1);
    delete (2);
    return u;
}

static void *b(void *u)
{
    insert(2);
    return u;
}

int main(void)
{
    pthread_t t[2];
    struct node *l;
    pthread_create(&t[0], 0, a, 0);
    pthread_create(&t[1], 0, b, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(search(1, &l) && search(1, &l)->key == 1);
    return 0;
}
