/* SPDX-License-Identifier: MIT
 *
 * The lazy list of Heller and others (OPODIS 2005): a sorted list in which
 * add and remove search without locks, then lock two neighbours and check that
 * they still are; remove marks a node before it unlinks it; contains takes no
 * lock at all.  Nodes are not freed.
 *
 * As published it does not initialise `marked` of a new node, which CheckFence
 * found; -DFIXED does.  It has no fences either; -DFENCED, which is -DFIXED
 * too, adds them, -DWITHOUT=N leaves out number N of them.
 *
 *   1     a node is filled before it is linked
 *   2, 3  a search reads a link before the node behind it
 *   4, 5  contains does the same
 */
#include <fencer.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef WITHOUT
#define WITHOUT 0
#endif

#ifdef FENCED
#define FIXED
#define FENCE(number, kind)                                                    \
    do {                                                                       \
        if ((number) != WITHOUT)                                               \
            fencer_fence_##kind();                                             \
    } while (0)
#else
#define FENCE(number, kind) ((void)0)
#endif

struct node {
    int key;
    int marked;
    struct node *next;
    pthread_mutex_t lock;
};

/* With a node below all keys and one above them, neither ever marked. */
static struct set {
    struct node head, tail;
} set;

static void init_node(struct node *n, int key, struct node *next)
{
    n->key = key;
    n->next = next;
#ifdef FIXED
    n->marked = 0;
#endif
    pthread_mutex_init(&n->lock, NULL);
}

static void init_set(struct set *s)
{
    init_node(&s->head, INT_MIN, &s->tail);
    init_node(&s->tail, INT_MAX, NULL);
}

struct place {
    struct node *before, *at;
};

static void unlock(struct place p)
{
    pthread_mutex_unlock(&p.at->lock);
    pthread_mutex_unlock(&p.before->lock);
}

/* The neighbours between which key is, or would be; both locked, both in the
 * list. */
static struct place search(struct set *s, int key)
{
    for (;;) {
        struct place p = {&s->head, s->head.next};

        FENCE(2, ll);
        while (p.at->key < key) {
            p.before = p.at;
            p.at = p.at->next;
            FENCE(3, ll);
        }
        pthread_mutex_lock(&p.before->lock);
        pthread_mutex_lock(&p.at->lock);
        if (!p.before->marked && !p.at->marked && p.before->next == p.at)
            return p;
        unlock(p);
    }
}

static bool add(struct set *s, int key)
{
    struct place p = search(s, key);
    bool absent = p.at->key != key;

    if (absent) {
        struct node *n = malloc(sizeof *n);

        init_node(n, key, p.at);
        FENCE(1, ss);
        p.before->next = n;
    }
    unlock(p);
    return absent;
}

static bool remove_key(struct set *s, int key)
{
    struct place p = search(s, key);
    bool present = p.at->key == key;

    if (present) {
        p.at->marked = 1;
        p.before->next = p.at->next;
    }
    unlock(p);
    return present;
}

static bool contains(struct set *s, int key)
{
    struct node *n = s->head.next;

    FENCE(4, ll);
    while (n->key < key) {
        n = n->next;
        FENCE(5, ll);
    }
    return n->key == key && !n->marked;
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
