/* SPDX-License-Identifier: MIT
 *
 * What the files of optimal DPOR share: the tree of what is to come.
 */
#ifndef EXPLORE_DPOR_INSIDE_H
#define EXPLORE_DPOR_INSIDE_H

#include "explore/explore_inside.h"

/* ---- tree.c ---- */

enum node_state {
    NODE_PENDING, /* to be taken */
    NODE_OPEN,    /* taken; executions below it are left, or under way */
    NODE_DONE     /* all below it is explored */
};

struct node {
    uint32_t parent, first, last, next;
    uint32_t who;
    uint32_t open;  /* children that are not done */
    uint32_t state; /* enum node_state */
    uint32_t serial;
    uint32_t known; /* 1: the footprint is that of the step as taken here */
    uint64_t bloom;
    struct footprint foot;
};

bool tree_open(void *region, uint64_t size, uint32_t worker);
/* Between these two nobody else changes it. */
void tree_lock(void);
void tree_unlock(void);
struct node *tree_node(uint32_t at);
/* The node of the state before that step, if there is one. */
uint32_t tree_state(uint32_t step);
/* That node, or none, is the step's. */
void tree_place(struct step *s, uint32_t node);
/* Makes nodes for all steps up to that one; false: no room. */
bool tree_grow(uint32_t step);
/* A new last child; 0: no room. */
uint32_t tree_add(uint32_t parent, uint32_t who, const struct footprint *foot,
                  uint64_t bloom);
/* Puts what the fresh steps touched into their nodes. */
void tree_note_steps(void);
/* The execution is over: what of it is done? */
void tree_close(void);
/* The path to a leaf that is to be taken.  False: there is none for now, or
 * for ever, as tree_finished says. */
bool tree_next(uint32_t *path, uint32_t max, uint32_t *count);
/* That node and all below it cannot be taken. */
void tree_prune(uint32_t node);
void tree_lost(const char *why); /* something is left out */
/* Is it sure what a step touches wherever it comes?  Not from now on. */
bool tree_is_exact(void);
void tree_set_inexact(void);
void tree_share(void); /* nor if several workers take steps out of order */
void tree_tell(struct channel_explore *orders);
bool tree_finished(void);
bool tree_complete(void);
/* Part of the tree that is done, from the path to the last leaf. */
double tree_part_done(void);

/* ---- reverse.c ---- */

/* For each race of the execution the sequence that reverses it, in the tree. */
void reverse_races(void);

#endif
