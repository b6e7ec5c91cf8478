/* SPDX-License-Identifier: MIT
 *
 * The non-blocking queue of Michael and Scott (PODC 1996): N threads, each puts
 * in a value and takes one out.  Nothing comes out twice; nodes are not used
 * again.
 *
 *   -DLINE      one thread puts in N values, another one tries N times to take
 *               one out: they come out in the order in which they were put in
 */
#include "peers.h"

struct node {
    struct node *_Atomic next;
    volatile int value;
};

static struct node nodes[N + 1];
static struct node *_Atomic head = &nodes[N], *_Atomic tail = &nodes[N];
#ifndef LINE
static fencer_ghost int taken[N + 1];
#endif

static bool replace(struct node *_Atomic *where, struct node *from,
                    struct node *to)
{
    return atomic_compare_exchange_strong_explicit(where, &from, to, BOTH,
                                                   ACQUIRE);
}

static void enqueue(struct node *node, int value)
{
    struct node *last, *next;

    node->value = value;
    for (;;) {
        last = load_acquire(&tail);
        next = load_acquire(&last->next);
        if (last != load_acquire(&tail))
            continue;
        if (next)
            replace(&tail, last, next);
        else if (replace(&last->next, NULL, node))
            break;
    }
    replace(&tail, last, node);
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = load_acquire(&head);
        struct node *last = load_acquire(&tail);
        struct node *next = load_acquire(&first->next);

        if (first != load_acquire(&head))
            continue;
        if (first == last) {
#ifdef LINE
            if (!next)
                return 0; /* it is empty */
#endif
            assert(next);
            replace(&tail, last, next);
        } else {
            int value = next->value;

            if (replace(&head, first, next))
                return value;
        }
    }
}

#ifdef LINE
static void *put_in(void *unused)
{
    for (int i = 0; i < N; i++)
        enqueue(&nodes[i], i + 1);
    return unused;
}

static void *take_out(void *unused)
{
    int last = 0;

    for (int i = 0; i < N; i++) {
        int value = dequeue();

        assert(!value || value == last + 1);
        last += value > 0;
    }
    return unused;
}

int main(void)
{
    pthread_t ids[2];

    pthread_create(&ids[0], NULL, put_in, NULL);
    pthread_create(&ids[1], NULL, take_out, NULL);
    join_threads(ids, 2);
    return 0;
}
#else
static void *run(void *number)
{
    int me = number_of(number), value;

    enqueue(&nodes[me], me + 1);
    value = dequeue();
    assert(value >= 1 && ++taken[value] == 1);
    return NULL;
}

int main(void)
{
    run_many(run, N);
    return 0;
}
#endif
