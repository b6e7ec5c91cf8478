/* SPDX-License-Identifier: MIT
 *
 * Vyukov's intrusive queue of many producers and one consumer.  -DBROKEN: the
 * link from the previous node is a relaxed store.  The exchange before it keeps
 * these machines in order; the language promises nothing.
 *
 * verify:           sc no, tso no, pso no, pslo no, c11 no
 * verify:           arm no, riscv no
 * verify -DBROKEN:  sc no, tso no, pso no, pslo no, c11 yes
 * verify -DBROKEN:  arm no, riscv no
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct mpsc_node {
    struct mpsc_node *_Atomic next;
};

struct mpsc_queue {
    struct mpsc_node *_Atomic head;
    struct mpsc_node *tail;
    struct mpsc_node stub;
};

struct message {
    struct mpsc_node node; /* first */
    int body;
};

static struct mpsc_queue q;

static void mpsc_init(struct mpsc_queue *s)
{
    atomic_init(&s->stub.next, NULL);
    atomic_init(&s->head, &s->stub);
    s->tail = &s->stub;
}

static void mpsc_push(struct mpsc_queue *s, struct mpsc_node *n)
{
    struct mpsc_node *prev;

    atomic_store_explicit(&n->next, NULL, memory_order_relaxed);
    prev = atomic_exchange_explicit(&s->head, n, memory_order_acq_rel);
#ifdef BROKEN
    atomic_store_explicit(&prev->next, n, memory_order_relaxed);
#else
    atomic_store_explicit(&prev->next, n, memory_order_release);
#endif
}

static struct mpsc_node *mpsc_pop(struct mpsc_queue *s)
{
    struct mpsc_node *tail = s->tail;
    struct mpsc_node *next =
        atomic_load_explicit(&tail->next, memory_order_acquire);

    if (tail == &s->stub) {
        if (!next)
            return NULL;
        s->tail = next;
        tail = next;
        next = atomic_load_explicit(&next->next, memory_order_acquire);
    }
    if (next) {
        s->tail = next;
        return tail;
    }
    if (tail != atomic_load_explicit(&s->head, memory_order_acquire))
        return NULL;
    mpsc_push(s, &s->stub);
    next = atomic_load_explicit(&tail->next, memory_order_acquire);
    if (next) {
        s->tail = next;
        return tail;
    }
    return NULL;
}

static struct message messages[2];

static void *sender(void *arg)
{
    struct message *m = arg;

    m->body = 7;
    mpsc_push(&q, &m->node);
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    mpsc_init(&q);
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, sender, &messages[i]);
    for (int received = 0; received < 2;) {
        struct mpsc_node *n = mpsc_pop(&q);

        if (!n)
            continue;
        assert(((struct message *)n)->body == 7);
        received++;
    }
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
