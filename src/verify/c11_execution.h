/* SPDX-License-Identifier: MIT
 *
 * What the files of c11_axioms.h share: an execution as relations.  An event
 * that reads and writes is two nodes.
 */
#ifndef VERIFY_C11_EXECUTION_H
#define VERIFY_C11_EXECUTION_H

#include "verify/c11_axioms.h"
#include "verify/square.h"

struct node {
    uint32_t event;
    uint16_t thread;
    uint8_t order;
    bool reads, writes, fence, atomic;
    uint32_t location; /* number + 1; 0: none */
    int mate;          /* the other half of an RMW, or -1 */
};

struct execution {
    const struct trace *t;
    struct squares all;
    struct node *nodes;
    int *read_of, *write_of; /* per event: its node, or -1 */
    int *node_of;            /* per event: the last of its nodes */
    struct square po, rf, co, fr, rmw, hb, eco;
    struct square sequence; /* po, and who made and joined whom */
};

/* Then arena_free(&x->all.arena), also if e says why it is none. */
bool c11_begin(struct execution *x, const struct trace *t, struct err *e);

#endif
