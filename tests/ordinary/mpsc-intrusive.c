/* SPDX-License-Identifier: MIT
 *
 * Vyukov's intrusive queue of many producers and one consumer, with a stub.
 * -DBROKEN: the consumer follows a link with a relaxed load.  The machines here
 * keep what is reached through it in order; PSLO, which is Alpha's, and C11 do
 * not.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no, power no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo yes, c11 yes
 * verify -DBROKEN:  arm no, riscv no, power no
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

#ifdef BROKEN
#define FOLLOW memory_order_relaxed
#else
#define FOLLOW memory_order_acquire
#endif

typedef struct mpscq_node {
    struct mpscq_node *_Atomic next;
    int value;
} mpscq_node;

typedef struct {
    mpscq_node *_Atomic head;
    mpscq_node *tail;
    mpscq_node stub;
} mpscq_t;

static void mpscq_create(mpscq_t *self)
{
    atomic_store_explicit(&self->head, &self->stub, memory_order_relaxed);
    self->tail = &self->stub;
    atomic_store_explicit(&self->stub.next, NULL, memory_order_relaxed);
}

static void mpscq_push(mpscq_t *self, mpscq_node *n)
{
    atomic_store_explicit(&n->next, NULL, memory_order_relaxed);
    mpscq_node *prev =
        atomic_exchange_explicit(&self->head, n, memory_order_acq_rel);
    atomic_store_explicit(&prev->next, n, memory_order_release);
}

static mpscq_node *mpscq_pop(mpscq_t *self)
{
    mpscq_node *tail = self->tail;
    mpscq_node *next = atomic_load_explicit(&tail->next, FOLLOW);
    if (tail == &self->stub) {
        if (next == NULL)
            return NULL;
        self->tail = next;
        tail = next;
        next = atomic_load_explicit(&next->next, FOLLOW);
    }
    if (next) {
        self->tail = next;
        return tail;
    }
    mpscq_node *head = atomic_load_explicit(&self->head, memory_order_acquire);
    if (tail != head)
        return NULL;
    mpscq_push(self, &self->stub);
    next = atomic_load_explicit(&tail->next, FOLLOW);
    if (next) {
        self->tail = next;
        return tail;
    }
    return NULL;
}

static mpscq_t q;
static mpscq_node nodes[2];

static void *push(void *arg)
{
    mpscq_node *n = arg;
    n->value = 7;
    mpscq_push(&q, n);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    mpscq_create(&q);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, push, &nodes[i]);
    for (int i = 0; i < 2; i++) {
        mpscq_node *n;
        while ((n = mpscq_pop(&q)) == NULL)
            sched_yield();
        assert(n->value == 7);
        n->value = 8;
    }
    assert(mpscq_pop(&q) == NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
