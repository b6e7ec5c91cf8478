/* SPDX-License-Identifier: MIT
 *
 * The tree of steps: wake-up trees and what is left of the explored part
 * (Abdulla, Aronis, Jonsson, Sagonas, "Optimal Dynamic Partial Order
 * Reduction", POPL 2014).
 *
 * A node is a step; its children are the steps to take after it, in order.
 * Chains of pending nodes are sequences that reverse a race.  Of what is done
 * only the step itself is kept, with its footprint, for as long as siblings
 * after it are to come: it sleeps there.  So the tree holds one path and what
 * hangs off it, however many executions there are.
 *
 * It lives in memory that outlives the process and that other workers share:
 * offsets, no pointers, and a lock around changes.  A worker takes the pending
 * leaf nearest to its last one, else, where there are others, any, for them the
 * order does not matter (explore_races.c).  A step may sleep only when it is
 * known what it touches, so a node waits until those before it were taken once.
 */
#include <string.h>

#include "event/must.h"
#include "explore/dpor_inside.h"

#define TREE_MAGIC 0x3145455254434e46ull /* "FNCTREE1" */

struct tree {
    uint64_t magic, used; /* these two first: others copy the tree */
    uint64_t size;
    uint32_t free; /* list of nodes, by `next` */
    uint32_t started, finished, incomplete;
    uint32_t lock; /* 0, or worker + 1 */
    uint32_t inexact;
    uint32_t shared;
    uint32_t serial;                      /* of the last node that was made */
    uint32_t leaves[EXPLORE_WORKERS_MAX]; /* under way; 0: none */
    char why[128];
};

#define ROOT ((uint32_t)((sizeof(struct tree) + 63) & ~63ull))

static struct tree *tree;
static uint32_t self;

struct node *tree_node(uint32_t at)
{
    return (struct node *)(void *)((char *)tree + at);
}

/* Without a wait queue: what is done under the lock takes microseconds. */
void tree_lock(void)
{
    uint32_t nobody = 0;

    while (!__atomic_compare_exchange_n(&tree->lock, &nobody, self + 1, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        nobody = 0;
        __builtin_ia32_pause();
    }
}

void tree_unlock(void)
{
    MUST(tree->lock == self + 1);
    __atomic_store_n(&tree->lock, 0, __ATOMIC_RELEASE);
}

static void plant(uint64_t size)
{
    memset(tree, 0, ROOT + sizeof(struct node));
    tree->size = size < UINT32_MAX ? size : UINT32_MAX;
    tree->used = ROOT + sizeof(struct node);
    tree_node(ROOT)->state = NODE_OPEN;
    tree->magic = TREE_MAGIC;
}

bool tree_open(void *region, uint64_t size, uint32_t worker)
{
    MUST(worker < EXPLORE_WORKERS_MAX);
    MUST(size > ROOT + sizeof(struct node));
    tree = region;
    self = worker;
    if (tree->lock == self + 1)
        tree->lock = 0; /* ours, from a process that is no more */
    tree_lock();
    if (tree->magic != TREE_MAGIC) {
        plant(size);
        tree->lock = self + 1;
    }
    tree_unlock();
    return true;
}

void tree_lost(const char *why)
{
    if (!tree->incomplete)
        strncpy(tree->why, why, sizeof tree->why - 1);
    tree->incomplete = 1;
}

bool tree_is_exact(void)
{
    return !tree->inexact;
}

void tree_set_inexact(void)
{
    tree->inexact = 1;
}

void tree_share(void)
{
    tree->shared = tree->inexact = 1;
}

bool tree_finished(void)
{
    return tree->finished;
}

bool tree_complete(void)
{
    return tree->finished && !tree->incomplete;
}

static uint32_t allocate(void)
{
    uint32_t at = tree->free;

    if (at) {
        MUST(at > ROOT && (at - ROOT) % sizeof(struct node) == 0);
        tree->free = tree_node(at)->next;
        return at;
    }
    if (tree->used + sizeof(struct node) > tree->size) {
        tree_lost("no room for the search tree");
        return 0;
    }
    at = (uint32_t)tree->used;
    tree->used += sizeof(struct node);
    return at;
}

uint32_t tree_add(uint32_t parent, uint32_t who, const struct footprint *foot,
                  uint64_t bloom)
{
    uint32_t at = allocate();
    struct node *n = tree_node(at), *p = tree_node(parent);

    MUST(tree->lock == self + 1);
    MUST(p->state != NODE_DONE && !p->first == !p->last);
    if (!at)
        return 0;
    n->parent = parent;
    n->first = n->last = n->next = n->open = n->known = 0;
    n->serial = ++tree->serial;
    n->who = who;
    n->state = NODE_PENDING;
    n->bloom = bloom;
    n->foot = *foot;
    if (p->last)
        tree_node(p->last)->next = at;
    else
        p->first = at;
    p->last = at;
    p->open++;
    return at;
}

uint32_t tree_state(uint32_t step)
{
    return step ? execution.steps[step - 1].node : ROOT;
}

void tree_place(struct step *s, uint32_t node)
{
    MUST(!node || tree_node(node)->who == s->who);
    s->node = node;
    s->serial = node ? tree_node(node)->serial : 0;
}

bool tree_grow(uint32_t step)
{
    MUST(step < execution.count);
    for (uint32_t i = 0; i <= step; i++) {
        struct step *s = &execution.steps[i];

        if (s->node)
            continue;
        tree_place(s, tree_add(tree_state(i), s->who, &s->foot, s->bloom));
        if (!s->node)
            return false;
        tree_node(s->node)->state = NODE_OPEN;
        tree_node(s->node)->known = 1;
    }
    return true;
}

/* Did it touch what it had touched elsewhere? */
static bool is_as_foreseen(const struct node *n, const struct step *s)
{
    return n->known || (n->who & 7) == DECIDE_CHOOSE ||
           (n->foot.all == s->foot.all && n->foot.count == s->foot.count &&
            memcmp(n->foot.touch, s->foot.touch,
                   s->foot.count * sizeof *s->foot.touch) == 0);
}

void tree_note_steps(void)
{
    for (uint32_t i = execution.fresh; i < execution.count; i++) {
        const struct step *s = &execution.steps[i];
        struct node *n = tree_node(s->node);

        if (!s->node)
            return;
        MUST(n->state == NODE_OPEN && n->who == s->who);
        if (!is_as_foreseen(n, s))
            tree_set_inexact();
        n->foot = s->foot;
        n->bloom = s->bloom;
        n->known = 1;
    }
}

static void set_free(uint32_t at)
{
    tree_node(at)->next = tree->free;
    tree->free = at;
}

static void free_children(struct node *n)
{
    uint32_t at = n->first;

    while (at) {
        uint32_t next = tree_node(at)->next;

        MUST(tree_node(at)->state == NODE_DONE && !tree_node(at)->first);
        set_free(at);
        at = next;
    }
    n->first = n->last = 0;
}

/* Children first, without recursion: the deepest first child goes, and its
 * parent is looked at again. */
static void free_below(uint32_t top)
{
    uint32_t at = top;

    while (tree_node(top)->first) {
        struct node *n = tree_node(at);

        if (n->first) {
            at = n->first;
            continue;
        }
        tree_node(n->parent)->first = n->next;
        at = n->parent;
        set_free((uint32_t)((char *)n - (char *)tree));
    }
}

void tree_prune(uint32_t node)
{
    struct node *n = tree_node(node);

    MUST(node != ROOT && n->state != NODE_DONE);
    MUST(tree_node(n->parent)->open);
    free_below(node);
    n->last = n->open = 0;
    n->state = NODE_DONE;
    n->known = 1;
    footprint_clear(&n->foot);
    n->foot.all = true; /* it never sleeps */
    n->bloom = ~0ull;
    tree_node(n->parent)->open--;
}

void tree_tell(struct channel_explore *orders)
{
    orders->incomplete = tree->incomplete;
    orders->inexact = tree->inexact;
    memcpy(orders->why, tree->why, sizeof orders->why);
}

/* From the end of the execution upwards. */
void tree_close(void)
{
    uint32_t at = ROOT;

    for (uint32_t i = 0; i < execution.count && execution.steps[i].node; i++)
        at = execution.steps[i].node;
    tree->leaves[self] = 0;
    while (!tree_node(at)->open) {
        struct node *n = tree_node(at);

        MUST(n->state == NODE_OPEN);
        n->state = NODE_DONE;
        free_children(n);
        if (at == ROOT) {
            tree->finished = 1;
            return;
        }
        at = n->parent;
        MUST(tree_node(at)->open && tree_node(at)->state == NODE_OPEN);
        tree_node(at)->open--;
    }
}

/* A child that is to be taken and may be now. */
static uint32_t pending_child(uint32_t at)
{
    uint32_t c = tree_node(at)->first;

    while (c && tree_node(c)->known)
        c = tree_node(c)->next;
    return c && tree_node(c)->state == NODE_PENDING ? c : 0;
}

/* On the way from the last leaf to the root. */
static uint32_t nearest(void)
{
    for (uint32_t i = execution.count + 1; i--;) {
        uint32_t at = tree_state(i), c;

        if (at && tree_node(at)->state == NODE_OPEN && (c = pending_child(at)))
            return c;
    }
    return 0;
}

/* The node after that one, children first, going into open ones only. */
static uint32_t node_after(uint32_t at)
{
    if (tree_node(at)->state == NODE_OPEN && tree_node(at)->first)
        return tree_node(at)->first;
    while (at != ROOT && !tree_node(at)->next)
        at = tree_node(at)->parent;
    return at == ROOT ? 0 : tree_node(at)->next;
}

static uint32_t anywhere(void)
{
    uint32_t c;

    for (uint32_t at = ROOT; at; at = node_after(at))
        if (tree_node(at)->state == NODE_OPEN && (c = pending_child(at)))
            return c;
    return 0;
}

/* Depth first: elder siblings are explored completely before younger ones.
 * Where a step that is not in a sequence may stand for it, that is a must. */
static uint32_t leftmost(void)
{
    uint32_t at = ROOT;

    for (;;) {
        uint32_t c = tree_node(at)->first;

        while (c && tree_node(c)->state == NODE_DONE)
            c = tree_node(c)->next;
        if (!c || tree_node(c)->state == NODE_PENDING)
            return c;
        at = c;
    }
}

static bool write_path(uint32_t leaf, uint32_t *path, uint32_t max,
                       uint32_t *count)
{
    uint32_t depth = 0;

    for (uint32_t at = leaf; at != ROOT; at = tree_node(at)->parent)
        depth++;
    if (depth > max)
        return false;
    MUST(tree_node(leaf)->state == NODE_OPEN);
    for (uint32_t at = leaf, i = depth; i--; at = tree_node(at)->parent)
        path[i] = at;
    *count = depth;
    return true;
}

static uint32_t find_leaf(void)
{
    uint32_t at;

    if (tree->leaves[self])
        return tree->leaves[self]; /* begun, and never ended */
    if (!tree->started) {
        tree->started = 1;
        return ROOT;
    }
    at = execution.count ? nearest() : 0;
    if (!at)
        at = tree->shared ? anywhere() : leftmost();
    for (uint32_t c = at; c; c = tree_node(c)->first) {
        MUST(tree_node(c)->state == NODE_PENDING);
        tree_node(c)->state = NODE_OPEN;
        at = c;
    }
    return at;
}

bool tree_next(uint32_t *path, uint32_t max, uint32_t *count)
{
    uint32_t leaf = tree->finished ? 0 : find_leaf();

    tree->leaves[self] = leaf;
    return leaf && write_path(leaf, path, max, count);
}

double tree_part_done(void)
{
    double part = 0, weight = 1;

    for (uint32_t i = 0; i < execution.count && execution.steps[i].node; i++) {
        const struct node *p = tree_node(tree_state(i));
        uint32_t all = 0;

        for (uint32_t c = p->first; c; c = tree_node(c)->next)
            all++;
        MUST(all && p->open <= all);
        part += weight * (all - p->open) / all;
        weight /= all;
    }
    return part;
}
