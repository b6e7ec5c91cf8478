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
 * though another node was always there.  -DNO_D0 leaves it out.  -DDQ has
 * CheckFence's Dq instead, eight threads with one operation each, and finds the
 * second bug: two pops that have read the same node take it from both sides.
 *
 *   sc: broken
 *   tso: broken
 *   pso: broken
 *   pslo: broken
 *   fenced: sc -DNO_D0
 *   with DQ: sc
 *
 * A node is linked before it is filled (1 to 4).  A pop that found its hat may
 * have an older view of the node (5, 6); a push need not care, for its DCAS
 * looks again at what it read.
 *
 *   without 1: pso ss value link1, ss side1 link1
 *   without 2: pso ss value link2, ss side2 link2
 *   without 3: pso ss value link3, ss side3 link3
 *   without 4: pso ss value link4, ss side4 link4
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
            store(&n->left, &dummy); /* side1 */
            lh = load(&left_hat);
            FENCE(1, ss);
            if (dcas(&right_hat, &left_hat, rh, lh, n, n)) /* link1 */
                return;
        } else {
            store(&n->left, rh); /* side2 */
            FENCE(2, ss);
            if (dcas(&right_hat, &rh->right, rh, r, n, n)) /* link2 */
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
            store(&n->right, &dummy); /* side3 */
            rh = load(&right_hat);
            FENCE(3, ss);
            if (dcas(&left_hat, &right_hat, lh, rh, n, n)) /* link3 */
                return;
        } else {
            store(&n->right, lh); /* side4 */
            FENCE(4, ss);
            if (dcas(&left_hat, &lh->left, lh, l, n, n)) /* link4 */
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

static void put_right(int thread, int value)
{
    push_right(value);
    note(thread, PUT_RIGHT, value, 0);
}

static void put_left(int thread, int value)
{
    push_left(value);
    note(thread, PUT_LEFT, value, 0);
}

static int get_right(int thread)
{
    return note(thread, GET_RIGHT, 0, pop_right());
}

static int get_left(int thread)
{
    return note(thread, GET_LEFT, 0, pop_left());
}

static void *all_four(void *number)
{
    int me = number_of(number);

    put_right(me, 10 * me + 1);
    put_left(me, 10 * me + 2);
    get_right(me);
    get_left(me);
    return NULL;
}

static void *in_left_out_right(void *number)
{
    put_left(number_of(number), number_of(number));
    get_right(number_of(number));
    return NULL;
}

static void *in_right_out_left(void *number)
{
    put_right(number_of(number), number_of(number));
    get_left(number_of(number));
    return NULL;
}

static void *out_right_out_left(void *number)
{
    get_right(number_of(number));
    get_left(number_of(number));
    return NULL;
}

static void *in_right(void *number)
{
    put_right(number_of(number), number_of(number));
    return NULL;
}

static void *in_left(void *number)
{
    put_left(number_of(number), number_of(number));
    return NULL;
}

static void *out_right(void *number)
{
    get_right(number_of(number));
    return NULL;
}

static void *out_left(void *number)
{
    get_left(number_of(number));
    return NULL;
}

static unsigned choose_harness(void)
{
#if defined DQ
    return 3;
#elif defined NO_D0
    return fencer_choose(2);
#else
    return fencer_choose(3);
#endif
}

static void run_harness(unsigned which)
{
    switch (which) {
    case 0:
        run_threads((bodies){all_four, all_four}, 2);
        break;
    case 1:
        run_threads((bodies){out_right_out_left, in_right, in_left}, 3);
        break;
    case 2:
        run_threads((bodies){in_left_out_right, in_right_out_left}, 2);
        break;
    default:
        run_threads((bodies){in_left, in_left, in_right, in_right, out_left,
                             out_left, out_right, out_right},
                    8);
    }
}

int main(void)
{
    run_harness(choose_harness());
    for (int i = 0; i < 4 && get_left(AFTER) != EMPTY; i++)
        ;
    assert(explained());
    return 0;
}
