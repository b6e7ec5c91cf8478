/* SPDX-License-Identifier: MIT
 *
 * Harris' non-blocking set (DISC 2001): a sorted list; the lowest bit of a
 * node's `next` says that the node is deleted, and whoever comes by cuts
 * deleted nodes out.  Nodes are not freed.  A compare-and-swap has no order of
 * its own.
 *
 * As published it has no fences; -DFENCED adds them, -DWITHOUT=N leaves out
 * number N of them.
 *
 *   1  a node is filled before it is linked
 *   2  a link is read before the node behind it
 *   3  a link is read before it takes the place of another
 */
#include <fencer.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
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

#define DELETED 1

/* A macro, so that each use is a place of its own. */
#define cas(where, from, to)                                                   \
    __atomic_compare_exchange_n(where, &(link){from}, to, false,               \
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED)

/* A pointer to the next node, with a bit about this one. */
typedef uintptr_t link;

struct node {
    int key;
    link next;
};

/* With a node below all keys and one above them. */
static struct set {
    struct node head, tail;
} set;

static void init_set(struct set *s)
{
    s->head.key = INT_MIN;
    s->head.next = (link)&s->tail;
    s->tail.key = INT_MAX;
    s->tail.next = 0;
}

/* The last node below key that is not deleted, and what its `next` was; the
 * first node from key on that is not deleted. */
static struct node *walk(struct set *s, int key, struct node **left,
                         link *left_next)
{
    struct node *at = &s->head;
    link next = at->next;

    do {
        if (!(next & DELETED)) {
            *left = at;
            *left_next = next;
        }
        at = (struct node *)(next & ~(link)DELETED);
        FENCE(2, ll);
        if (at == &s->tail)
            break;
        next = at->next;
    } while ((next & DELETED) || at->key < key);
    return at;
}

/* Neighbours, neither of them deleted, left below key and right not. */
static struct node *search(struct set *s, int key, struct node **left)
{
    for (;;) {
        link left_next;
        struct node *right = walk(s, key, left, &left_next);

        if (left_next != (link)right &&
            !cas(&(*left)->next, left_next, (link)right))
            continue;
        if (right == &s->tail || !(right->next & DELETED))
            return right;
    }
}

static bool is(struct set *s, struct node *n, int key)
{
    return n != &s->tail && n->key == key;
}

static bool add(struct set *s, int key)
{
    struct node *n = malloc(sizeof *n), *left, *right;

    n->key = key;
    do {
        right = search(s, key, &left);
        if (is(s, right, key))
            return false;
        n->next = (link)right;
        FENCE(1, ss);
    } while (!cas(&left->next, (link)right, (link)n));
    return true;
}

static bool remove_key(struct set *s, int key)
{
    struct node *left, *right;
    link next;

    do {
        right = search(s, key, &left);
        if (!is(s, right, key))
            return false;
        next = right->next;
        FENCE(3, ll);
    } while ((next & DELETED) || !cas(&right->next, next, next | DELETED));
    if (!cas(&left->next, (link)right, next))
        search(s, key, &left);
    return true;
}

static bool contains(struct set *s, int key)
{
    struct node *left;

    return is(s, search(s, key, &left), key);
}

FENCER_INIT
{
    init_set(&set);
}

FENCER_OP(a)
{
    int key = (int)fencer_choose(2);

    fencer_observe("a", key);
    fencer_observe("added", add(&set, key));
}

FENCER_OP(c)
{
    int key = (int)fencer_choose(2);

    fencer_observe("c", key);
    fencer_observe("contained", contains(&set, key));
}

FENCER_OP(r)
{
    int key = (int)fencer_choose(2);

    fencer_observe("r", key);
    fencer_observe("removed", remove_key(&set, key));
}

FENCER_TEST(Sac, "( a | c )");
FENCER_TEST(Sar, "( a | r )");
FENCER_TEST(Sarr, "( a | r | r )");
FENCER_TEST(Sacr, "( a | c | r )");
FENCER_TEST(Saacr, "a ( a | c | r )");
FENCER_TEST(Sacr2, "aar ( a | c | r )");
FENCER_TEST(Saaarr, "aaa ( r | rc )");
FENCER_TEST(S1, "( a' | a' | c' | c' | r' | r' )");
