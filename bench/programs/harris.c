/* SPDX-License-Identifier: MIT
 *
 * Harris' non-blocking set (DISC 2001): a sorted list; the lowest bit of a
 * node's `next` says that the node is deleted, and whoever comes by cuts
 * deleted nodes out.  Nodes are not freed.
 *
 *   sc: correct
 *   tso: correct
 *   pso: broken
 *   pslo: broken
 *   fenced: correct
 *
 * A node is linked before it is filled (1), or found after its fields were
 * read (2).
 *
 *   without 1: pso ss key link, ss next link
 *   without 2: pslo ll step step, ll step test
 */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#include "relaxed.h"
#include "set_test.h"

#define DELETED 1

/* A pointer to the next node, with a bit about this one. */
typedef uintptr_t link;

struct node {
    _Atomic int key;
    _Atomic link next;
};

static struct node *head, *tail;

static struct node *node_of(link to)
{
    return (struct node *)(to & ~(link)DELETED);
}

static struct node *new_node(int key)
{
    struct node *n = malloc(sizeof *n);

    store(&n->key, key); /* key */
    return n;
}

static void init_set(void)
{
    head = new_node(INT_MIN);
    tail = new_node(INT_MAX);
    store(&tail->next, 0);
    store(&head->next, (link)tail);
}

/* The last node below key that is not deleted, and what its `next` was; the
 * first node from key on that is not deleted. */
static struct node *walk(int key, struct node **left, link *left_next)
{
    struct node *at = head;
    link next = load(&head->next); /* step */

    do {
        if (!(next & DELETED)) {
            *left = at;
            *left_next = next;
        }
        at = node_of(next);
        FENCE(2, ll);
        if (at == tail)
            break;
        next = load(&at->next); /* step */
    } while ((next & DELETED) || load(&at->key) < key); /* test */
    return at;
}

/* Neighbours, neither of them deleted, left below key and right not. */
static struct node *search(int key, struct node **left)
{
    for (;;) {
        link left_next;
        struct node *right = walk(key, left, &left_next);

        if (left_next != (link)right &&
            !cas(link, &(*left)->next, left_next, (link)right)) /* cut */
            continue;
        if (right == tail || !(load(&right->next) & DELETED))
            return right;
    }
}

static bool is(const struct node *n, int key)
{
    return n != tail && load(&n->key) == key;
}

static bool add(int key)
{
    struct node *n = new_node(key), *left, *right;

    do {
        right = search(key, &left);
        if (is(right, key))
            return false;
        store(&n->next, (link)right); /* next */
        FENCE(1, ss);
    } while (!cas(link, &left->next, (link)right, (link)n)); /* link */
    return true;
}

static bool remove_key(int key)
{
    struct node *left, *right;
    link next;

    do {
        right = search(key, &left);
        if (!is(right, key))
            return false;
        next = load(&right->next);
    } while ((next & DELETED) ||
             !cas(link, &right->next, next, next | DELETED));
    if (!cas(link, &left->next, (link)right, next))
        search(key, &left);
    return true;
}

static bool contains(int key)
{
    struct node *left;

    return is(search(key, &left), key);
}
