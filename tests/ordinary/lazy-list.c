/* SPDX-License-Identifier: MIT
 *
 * A sorted list with a lock a node; removal marks first, and contains() takes
 * no lock.  -DBROKEN: add() links the node by a relaxed store.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso yes, pslo yes, c11 yes
 * verify -DBROKEN:  arm yes, riscv yes
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef BROKEN
#define LINK memory_order_relaxed
#else
#define LINK memory_order_release
#endif

typedef struct node {
    int key;
    atomic_bool marked;
    struct node *_Atomic next;
    pthread_mutex_t lock;
} node;

static node tail = {.key = INT_MAX, .lock = PTHREAD_MUTEX_INITIALIZER};
static node head = {
    .key = INT_MIN, .next = &tail, .lock = PTHREAD_MUTEX_INITIALIZER};

static node *next_of(node *n)
{
    return atomic_load_explicit(&n->next, memory_order_acquire);
}

static bool is_marked(node *n)
{
    return atomic_load_explicit(&n->marked, memory_order_acquire);
}

static bool validate(node *pred, node *curr)
{
    return !is_marked(pred) && !is_marked(curr) && next_of(pred) == curr;
}

static void find(int key, node **pred, node **curr)
{
    for (;;) {
        *pred = &head;
        *curr = next_of(&head);
        while ((*curr)->key < key) {
            *pred = *curr;
            *curr = next_of(*curr);
        }
        pthread_mutex_lock(&(*pred)->lock);
        pthread_mutex_lock(&(*curr)->lock);
        if (validate(*pred, *curr))
            return;
        pthread_mutex_unlock(&(*curr)->lock);
        pthread_mutex_unlock(&(*pred)->lock);
    }
}

static bool add(int key)
{
    node *pred, *curr;
    bool absent;

    find(key, &pred, &curr);
    absent = curr->key != key;
    if (absent) {
        node *n = malloc(sizeof *n);

        n->key = key;
        atomic_init(&n->marked, false);
        atomic_init(&n->next, curr);
        pthread_mutex_init(&n->lock, NULL);
        atomic_store_explicit(&pred->next, n, LINK);
    }
    pthread_mutex_unlock(&curr->lock);
    pthread_mutex_unlock(&pred->lock);
    return absent;
}

static bool del(int key)
{
    node *pred, *curr;
    bool present;

    find(key, &pred, &curr);
    present = curr->key == key;
    if (present) {
        atomic_store_explicit(&curr->marked, true, memory_order_release);
        atomic_store_explicit(&pred->next, next_of(curr), memory_order_release);
    }
    pthread_mutex_unlock(&curr->lock);
    pthread_mutex_unlock(&pred->lock);
    return present;
}

static bool contains(int key)
{
    node *curr = next_of(&head);

    while (curr->key < key)
        curr = next_of(curr);
    return curr->key == key && !is_marked(curr);
}

static void *adder(void *arg)
{
    assert(add(2));
    return arg;
}

static void *deleter(void *arg)
{
    assert(del(1));
    return arg;
}

static void *looker(void *arg)
{
    contains(2);
    assert(contains(3));
    return arg;
}

int main(void)
{
    pthread_t t[3];

    add(1);
    add(3);
    pthread_create(&t[0], NULL, adder, NULL);
    pthread_create(&t[1], NULL, deleter, NULL);
    pthread_create(&t[2], NULL, looker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(contains(2) && !contains(1));
    return 0;
}
