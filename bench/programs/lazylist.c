/* SPDX-License-Identifier: MIT
 *
 * The lazy list of Heller and others (OPODIS 2005): a sorted list in which
 * add and remove search without locks, then lock two neighbours and check that
 * they still are; remove marks a node before it unlinks it; contains takes no
 * lock at all.  Nodes are not freed.  The published pseudocode does not
 * initialise `marked`, as CheckFence found; here it is.
 *
 *   sc: correct
 *   tso: correct
 *   pso: broken
 *   pslo: broken
 *   fenced: correct
 *
 * A node is linked before it is filled (1); on PSLO a search (2) or contains
 * (3) finds a node whose fields it read before.  That a mark may come out
 * after the unlinking does no harm: remove is still at work.  Nor, here, does a
 * new node's `marked`: add and remove try again, and contains asks for old
 * ones.
 *
 *   without 1: pso ss key link, ss next link
 *   without 2: pslo ll step test, ll step step
 *   without 3: pslo ll walk look, ll walk walk
 */
#include <limits.h>
#include <stdlib.h>

#include "set_test.h"

struct node {
    volatile int key, marked;
    struct node *volatile next;
    pthread_mutex_t lock;
};

static struct node *head;

static struct node *new_node(int key, struct node *next)
{
    struct node *n = malloc(sizeof *n);

    pthread_mutex_init(&n->lock, NULL);
    n->key = key;   /* key */
    n->next = next; /* next */
    n->marked = 0;
    return n;
}

static void init_set(void)
{
    head = new_node(INT_MIN, new_node(INT_MAX, NULL));
}

/* The neighbours between which key is, or would be; both locked, both in the
 * list. */
static void search(int key, struct node **before, struct node **at)
{
    for (;;) {
        struct node *pred = head, *curr = pred->next; /* step */

        FENCE(2, ll);
        while (curr->key < key) { /* test */
            pred = curr;
            curr = curr->next; /* step */
            FENCE(2, ll);
        }
        pthread_mutex_lock(&pred->lock);
        pthread_mutex_lock(&curr->lock);
        if (!pred->marked && !curr->marked && pred->next == curr) {
            *before = pred;
            *at = curr;
            return;
        }
        pthread_mutex_unlock(&curr->lock);
        pthread_mutex_unlock(&pred->lock);
    }
}

static void release(struct node *pred, struct node *curr)
{
    pthread_mutex_unlock(&curr->lock);
    pthread_mutex_unlock(&pred->lock);
}

static bool add(int key)
{
    struct node *pred, *curr;
    bool absent;

    search(key, &pred, &curr);
    absent = curr->key != key;
    if (absent) {
        struct node *n = new_node(key, curr);

        FENCE(1, ss);
        pred->next = n; /* link */
    }
    release(pred, curr);
    return absent;
}

static bool remove_key(int key)
{
    struct node *pred, *curr;
    bool present;

    search(key, &pred, &curr);
    present = curr->key == key;
    if (present) {
        curr->marked = 1;
        pred->next = curr->next;
    }
    release(pred, curr);
    return present;
}

static bool contains(int key)
{
    struct node *curr = head;

    while (curr->key < key) { /* look */
        curr = curr->next;    /* walk */
        FENCE(3, ll);
    }
    return curr->key == key && !curr->marked;
}
