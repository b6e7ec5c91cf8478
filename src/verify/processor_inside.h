/* SPDX-License-Identifier: MIT
 *
 * What processor_axioms.c, which knows traces and terms, shares with
 * processor_lets.c, which knows models with definitions and axioms of their
 * own.
 */
#ifndef VERIFY_PROCESSOR_INSIDE_H
#define VERIFY_PROCESSOR_INSIDE_H

#include "base/err.h"
#include "model/model.h"
#include "verify/square.h"

#define LETS_MAX 16

/* An access that reads and writes is two nodes; a fence that comes with one is
 * a node of its own. */
struct node {
    uint32_t event, marks;
    uint16_t thread;
    uint32_t location; /* number + 1; 0: none */
    uint32_t access;   /* accesses: the event of its first part */
    int mate;          /* the other half of an RMW, or -1 */
    bool pair;         /* of exclusives */
    bool branch;       /* compiled code branches on what it reads */
};

struct run {
    const struct trace *t;
    const struct model *m;
    const struct model_mapping *mapping;
    struct squares all;
    struct node *nodes;
    int *read_of, *write_of; /* per event: its node, or -1 */
    struct square po, rf, co, fr;
    struct square ppo; /* what is kept in order within threads */
    struct square lets[LETS_MAX];
};

/* The relation of that node of a text, read. */
struct square processor_evaluate(struct run *x, const struct relation_tree *t,
                                 unsigned node);

/* All before a creation is before the new thread; all of a thread before what
 * follows its join. */
void processor_add_threads(const struct run *x, struct square s);

/* ---- processor_lets.c ---- */

bool processor_has_lets(const struct run *x);
/* Also x->ppo. */
void processor_fill_lets(struct run *x);
bool processor_keeps_axioms(struct run *x, struct err *e);

#endif
