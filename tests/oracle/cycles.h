/* SPDX-License-Identifier: MIT
 *
 * docs/cycles.md, by brute force: conflict order and happens-before of a
 * trace, and its critical cycles.
 *
 * A static cycle is a sequence of ops here, an op being one access in the
 * source.  Which of them are pairs needs no saying: two of one thread are.
 */
#ifndef ORACLE_CYCLES_H
#define ORACLE_CYCLES_H

#include "traces.h"

enum { MIN_CYCLE = 4, MAX_CYCLE = 2 * MAX_THREADS };

struct cycle {
    uint8_t length;
    uint8_t nodes[MAX_CYCLE]; /* cycle_node of each; the least comes first */
};

struct cycles {
    size_t count, room;
    struct cycle *list; /* sorted, each once */
};

uint8_t cycle_node(unsigned thread, unsigned op);
unsigned cycle_thread(uint8_t node);
unsigned cycle_op(uint8_t node);

/* True if it was not there yet; c may begin anywhere. */
bool cycles_put(struct cycles *all, struct cycle c);
bool cycles_have(const struct cycles *all, const struct cycle *c);
void cycles_free(struct cycles *all);

/* "0.0>0.1~1.0>1.1~": thread and op, > in program order, ~ conflict. */
void cycle_text(const struct cycle *c, char *text, size_t size);

/* Conflict order: e -> f? */
bool trace_leads(const struct trace *t, const struct access *e,
                 const struct access *f);

/* Adds the static cycles that the trace contains. */
void cycles_of_trace(const struct trace *t, struct cycles *all);

/* Adds those of all traces of p.  False: the walk was given up. */
bool cycles_of_program(const struct program *p, enum model model,
                       const struct traces_wish *wish, struct cycles *all);

/* Is there a cycle of any kind in program order and conflict order of data? */
bool trace_is_cyclic(const struct program *p, const struct trace *t);

/* The same with what else is ordered: mutexes and semaphores are data too,
 * creation and join count, and the accesses of an atomic block are one step.
 * If not, the trace is sequentially consistent, and the other way round. */
bool trace_leaves_sc(const struct program *p, const struct trace *t);

#endif
