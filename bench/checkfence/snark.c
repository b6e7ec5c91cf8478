/* SPDX-License-Identifier: MIT
 *
 * Snark (Detlefs and others, DISC 2000), the deque with a double-word
 * compare-and-swap: two hats point to the ends; a node that points to itself
 * is dead on that side; Dummy is dead on both.  Nodes are not freed.
 *
 * The algorithm is wrong on SC, in two ways that CheckFence found again.  D0: a
 * pop that has read its hat sees that node die by a pop from the other side
 * and says "empty", though another node was always there.  Dq: two pops that
 * have read the same node take it from both sides.
 *
 * As published it has no fences; -DFENCED adds them, -DWITHOUT=N leaves out
 * number N of them.
 *
 *   1, 4, 7, 8  a hat is read before the node below it
 *   2, 3, 5, 6  a node is filled before it is linked
 *   9           a pop reads its own hat before the other one: with one node
 *               left, a pop that finds the other hat where it was before takes
 *               it for two, and so does the pop from the other side (Dh, Dm).
 *               The tests would be content with either of its two places
 */
#include <fencer.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef WITHOUT
#define WITHOUT 0
#endif

#ifdef FENCED
#define FENCE(number, kind)                                                    \
    do {                                                                       \
        if ((number) != WITHOUT)                                               \
            fencer_fence_##kind();                                             \
    } while (0)
#else
#define FENCE(number, kind) ((void)0)
#endif

#define EMPTY (-1)

/* One step: if *a is old_a and *b is old_b, they become new_a and new_b.  A
 * macro, so that each use is a place of its own. */
#define dcas(a, b, old_a, old_b, new_a, new_b)                                 \
    ({                                                                         \
        bool equal_ = false;                                                   \
        fencer_atomic                                                          \
        {                                                                      \
            equal_ = *(a) == (old_a) && *(b) == (old_b);                       \
            if (equal_) {                                                      \
                *(a) = (new_a);                                                \
                *(b) = (new_b);                                                \
            }                                                                  \
        }                                                                      \
        equal_;                                                                \
    })

struct node {
    struct node *left, *right;
    int value;
};

static struct deque {
    struct node *left_hat, *right_hat;
    struct node dummy;
} deque;

static void init_deque(struct deque *d)
{
    d->dummy.left = d->dummy.right = &d->dummy;
    d->left_hat = d->right_hat = &d->dummy;
}

static void add_right(struct deque *d, int value)
{
    struct node *n = malloc(sizeof *n);

    n->right = &d->dummy;
    n->value = value;
    for (;;) {
        struct node *rh = d->right_hat, *r, *lh;

        FENCE(1, ll);
        r = rh->right;
        if (r == rh) {
            n->left = &d->dummy;
            lh = d->left_hat;
            FENCE(2, ss);
            if (dcas(&d->right_hat, &d->left_hat, rh, lh, n, n))
                return;
        } else {
            n->left = rh;
            FENCE(3, ss);
            if (dcas(&d->right_hat, &rh->right, rh, r, n, n))
                return;
        }
    }
}

static void add_left(struct deque *d, int value)
{
    struct node *n = malloc(sizeof *n);

    n->left = &d->dummy;
    n->value = value;
    for (;;) {
        struct node *lh = d->left_hat, *l, *rh;

        FENCE(4, ll);
        l = lh->left;
        if (l == lh) {
            n->right = &d->dummy;
            rh = d->right_hat;
            FENCE(5, ss);
            if (dcas(&d->left_hat, &d->right_hat, lh, rh, n, n))
                return;
        } else {
            n->right = lh;
            FENCE(6, ss);
            if (dcas(&d->left_hat, &lh->left, lh, l, n, n))
                return;
        }
    }
}

static int remove_right(struct deque *d)
{
    for (;;) {
        struct node *rh = d->right_hat, *lh, *l;

        FENCE(9, ll);
        lh = d->left_hat;
        FENCE(7, ll);
        if (rh->right == rh)
            return EMPTY;
        if (rh == lh) {
            if (dcas(&d->right_hat, &d->left_hat, rh, lh, &d->dummy, &d->dummy))
                return rh->value;
        } else {
            l = rh->left;
            if (dcas(&d->right_hat, &rh->left, rh, l, l, rh)) {
                int value = rh->value;

                rh->right = &d->dummy;
                return value;
            }
        }
    }
}

static int remove_left(struct deque *d)
{
    for (;;) {
        struct node *lh = d->left_hat, *rh, *r;

        FENCE(9, ll);
        rh = d->right_hat;
        FENCE(8, ll);
        if (lh->left == lh)
            return EMPTY;
        if (lh == rh) {
            if (dcas(&d->left_hat, &d->right_hat, lh, rh, &d->dummy, &d->dummy))
                return lh->value;
        } else {
            r = lh->right;
            if (dcas(&d->left_hat, &lh->right, lh, r, r, lh)) {
                int value = lh->value;

                lh->left = &d->dummy;
                return value;
            }
        }
    }
}

FENCER_INIT
{
    init_deque(&deque);
}

FENCER_OP(al)
{
    int value = (int)fencer_choose(2);

    add_left(&deque, value);
    fencer_observe("al", value);
}

FENCER_OP(ar)
{
    int value = (int)fencer_choose(2);

    add_right(&deque, value);
    fencer_observe("ar", value);
}

FENCER_OP(rl)
{
    fencer_observe("rl", remove_left(&deque));
}

FENCER_OP(rr)
{
    fencer_observe("rr", remove_right(&deque));
}

FENCER_TEST(D0, "( al rr | ar rl )");
FENCER_TEST(Dh, "ar ( al | rr rr | rl )"); /* ours: Dm's fence, in short */
FENCER_TEST(Da, "al al ( rr rr | rl rl )");
FENCER_TEST(Db, "( rr rl | ar | al )");
FENCER_TEST(Dm, "( al al al | rr rr rr | rl | ar )");
FENCER_TEST(Dq, "( al | al | ar | ar | rl | rl | rr | rr )");
