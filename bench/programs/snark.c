/* SPDX-License-Identifier: MIT
 *
 * Snark (Detlefs and others, DISC 2000), the deque with a double-word
 * compare-and-swap: two hats point to the ends; a node that points to itself
 * is dead on that side; Dummy is dead on both.  Nodes are not freed.
 *
 * Three harnesses, one of them chosen in each execution: Relaxer's, in which
 * two threads push right and left and pop right and left, and CheckFence's Db
 * (pop right, pop left | push right | push left) and D0 (push left, pop right |
 * push right, pop left).  D0 finds the algorithm's own bug: a pop that has read
 * its hat sees that node die by a pop from the other side and says "empty",
 * though another node was always there.  -DNO_D0 leaves it out.
 *
 *   sc: broken
 *   tso: broken
 *   pso: broken
 *   pslo: broken
 *   fenced: sc -DNO_D0
 *
 * A node is linked before it is filled (1 to 4).  A pop that found its hat may
 * have an older view of the node (5, 6); a push need not care, for its DCAS
 * looks again at what it read.
 *
 *   without 1: pso ss value link-empty-right, ss side link-empty-right
 *   without 2: pso ss value link-right, ss side link-right
 *   without 3: pso ss value link-empty-left, ss side link-empty-left
 *   without 4: pso ss value link-left, ss side link-left
 *   without 5: pslo ll hat-pop-right end-pop-right
 *   without 6: pslo ll hat-pop-left end-pop-left
 */
#include <stdlib.h>

#include "history.h"
#include "relaxed.h"

struct node {
    struct node *_Atomic left, *_Atomic right;
    _Atomic int value;
};

static struct node dummy = {&dummy, &dummy, 0};
static struct node *_Atomic left_hat = &dummy, *_Atomic right_hat = &dummy;

/* One step: if *a is old_a and *b is old_b, they become new_a and new_b. */
#define dcas(a, b, old_a, old_b, new_a, new_b)                                 \
    ({                                                                         \
        bool equal_ = false;                                                   \
        fencer_atomic                                                          \
        {                                                                      \
            equal_ = load(a) == (old_a) && load(b) == (old_b);                 \
            if (equal_) {                                                      \
                store(a, new_a);                                               \
                store(b, new_b);                                               \
            }                                                                  \
        }                                                                      \
        equal_;                                                                \
    })

static struct node *new_node(int value)
{
    struct node *n = malloc(sizeof *n);

    store(&n->value, value); /* value */
    return n;
}

static void push_right(int value)
{
    struct node *n = new_node(value);

    store(&n->right, &dummy);
    for (;;) {
        struct node *rh = load(&right_hat), *r = load(&rh->right), *lh;

        if (r == rh) {
            store(&n->left, &dummy); /* side */
            lh = load(&left_hat);
            FENCE(1, ss);
            if (dcas(&right_hat, &left_hat, rh, lh, n,
                     n)) /* link-empty-right */
                return;
        } else {
            store(&n->left, rh); /* side */
            FENCE(2, ss);
            if (dcas(&right_hat, &rh->right, rh, r, n, n)) /* link-right */
                return;
        }
    }
}

static void push_left(int value)
{
    struct node *n = new_node(value);

    store(&n->left, &dummy);
    for (;;) {
        struct node *lh = load(&left_hat), *l = load(&lh->left), *rh;

        if (l == lh) {
            store(&n->right, &dummy); /* side */
            rh = load(&right_hat);
            FENCE(3, ss);
            if (dcas(&left_hat, &right_hat, lh, rh, n, n)) /* link-empty-left */
                return;
        } else {
            store(&n->right, lh); /* side */
            FENCE(4, ss);
            if (dcas(&left_hat, &lh->left, lh, l, n, n)) /* link-left */
                return;
        }
    }
}

static int pop_right(void)
{
    for (;;) {
        struct node *rh = load(&right_hat); /* hat-pop-right */
        struct node *lh = load(&left_hat), *l;

        FENCE(5, ll);
        if (load(&rh->right) == rh) /* end-pop-right */
            return EMPTY;
        if (rh == lh) {
            if (dcas(&right_hat, &left_hat, rh, lh, &dummy, &dummy))
                return load(&rh->value);
        } else {
            l = load(&rh->left);
            if (dcas(&right_hat, &rh->left, rh, l, l, rh)) {
                int value = load(&rh->value);

                store(&rh->right, &dummy);
                return value;
            }
        }
    }
}

static int pop_left(void)
{
    for (;;) {
        struct node *lh = load(&left_hat); /* hat-pop-left */
        struct node *rh = load(&right_hat), *r;

        FENCE(6, ll);
        if (load(&lh->left) == lh) /* end-pop-left */
            return EMPTY;
        if (lh == rh) {
            if (dcas(&left_hat, &right_hat, lh, rh, &dummy, &dummy))
                return load(&lh->value);
        } else {
            r = load(&lh->right);
            if (dcas(&left_hat, &lh->right, lh, r, r, lh)) {
                int value = load(&lh->value);

                store(&lh->left, &dummy);
                return value;
            }
        }
    }
}

static void do_right(int thread, int value)
{
    push_right(value);
    note(thread, PUT_RIGHT, value, 0);
}

static void do_left(int thread, int value)
{
    push_left(value);
    note(thread, PUT_LEFT, value, 0);
}

static void relaxer(int thread)
{
    do_right(thread, 10 * thread + 1);
    do_left(thread, 10 * thread + 2);
    note(thread, GET_RIGHT, 0, pop_right());
    note(thread, GET_LEFT, 0, pop_left());
}

static void *relaxer_first(void *unused)
{
    (void)unused;
    relaxer(1);
    return NULL;
}

static void *relaxer_second(void *unused)
{
    (void)unused;
    relaxer(2);
    return NULL;
}

static void *d0_first(void *unused)
{
    (void)unused;
    do_left(1, 11);
    note(1, GET_RIGHT, 0, pop_right());
    return NULL;
}

static void *d0_second(void *unused)
{
    (void)unused;
    do_right(2, 21);
    note(2, GET_LEFT, 0, pop_left());
    return NULL;
}

static void *db_first(void *unused)
{
    (void)unused;
    note(1, GET_RIGHT, 0, pop_right());
    note(1, GET_LEFT, 0, pop_left());
    return NULL;
}

static void *db_second(void *unused)
{
    (void)unused;
    do_right(2, 21);
    return NULL;
}

static void *db_third(void *unused)
{
    (void)unused;
    do_left(3, 31);
    return NULL;
}

#ifdef NO_D0
#define HARNESSES 2
#else
#define HARNESSES 3
#endif

static void run_one_harness(void)
{
    switch (fencer_choose(HARNESSES)) {
    case 0:
        run_threads((void *(*const[])(void *)){relaxer_first, relaxer_second},
                    2);
        break;
    case 1:
        run_threads((void *(*const[])(void *)){db_first, db_second, db_third},
                    3);
        break;
    default:
        run_threads((void *(*const[])(void *)){d0_first, d0_second}, 2);
    }
}

int main(void)
{
    run_one_harness();
    for (int i = 0; i < 4; i++)
        if (note(AFTER, GET_LEFT, 0, pop_left()) == EMPTY)
            break;
    assert(explained());
    return 0;
}
