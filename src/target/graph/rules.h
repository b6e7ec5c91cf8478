/* SPDX-License-Identifier: MIT
 *
 * What a memory model says about graphs.  Events are added one by one, each the
 * last of its thread; an addition says whether the graph still is an execution
 * of the model.  An event that reads the last write of co, or is written last,
 * is always allowed: it has no edge to any other.
 *
 * A model of order (sc, tso, pso, pslo) allows a graph iff preserved program
 * order, co, fr, and rf between threads have no cycle, an RMW being one node.
 * `before` is what that order puts before an event, closed under it.  C11 is
 * RC11 with C++20's release sequences; `before` is hb, `turns` is SC's order.
 * A model by terms (arm, riscv) allows a graph iff it is coherent, RMWs are
 * atomic, and ppo, co, fr and rf between threads have no cycle.  POWER has
 * axioms of its own; there `before` is hb, which says nothing of co and fr.
 */
#ifndef GRAPH_RULES_H
#define GRAPH_RULES_H

#include "graph/graph.h"

struct rules {
    /* The read has its source (graph_set_source). */
    bool (*add_read)(const struct model *m, struct graph *g, int read);
    /* The write is to come directly after `after` in co. */
    bool (*add_write)(const struct model *m, struct graph *g, int write,
                      int after);
    /* A read whose write is still to come: may it have that source? */
    bool (*begin_rmw)(const struct model *m, struct graph *g, int read);
    /* Both halves: the write comes directly after what the read reads. */
    bool (*add_rmw)(const struct model *m, struct graph *g, int read,
                    int write);
    /* All that is no access.  Of a FREE, `touching` are its thread's accesses
     * to that memory. */
    void (*add_other)(const struct model *m, struct graph *g, int e,
                      const struct op *op, row touching);
    /* Events that come before the next access of a thread, whatever it reads:
     * it may not read, or write before, what one of these is later than. */
    row (*known)(const struct model *m, const struct graph *g, unsigned thread,
                 const struct op *op);
    bool releases; /* has the rows released and pending */
    /* A bundle, each part directly after another write.  NULL: the model has no
     * bundles. */
    bool (*add_writes)(const struct model *m, struct graph *g, int write,
                       const int *after);
    /* Is the graph, whatever `before` has of its accesses, an execution?  Then
     * `before` is its order.  Processors only. */
    bool (*judge)(struct graph *g);
    bool propagates; /* has the rows of POWER */
    /* Is e, an access to memory that f frees, done before f, though `before`
     * does not say it?  NULL: then it is not. */
    bool (*cannot_see)(const struct graph *g, int e, int f);
};

extern const struct rules rules_order, rules_c11, rules_terms, rules_power;

/* Writes of the location that those events are, or read. */
static inline row rules_seen_by(const struct graph *g, row set,
                                unsigned location)
{
    row seen = g->writes[location] & set;
    int e;

    ROW_EACH (e, g->reads[location] & set)
        if (g->events[e].rf >= 0)
            seen |= row_of(g->events[e].rf);
    return seen;
}

/* `before` is an order of all events, closed.  The node `me` comes after `in`
 * and before `out`; false: that is a cycle. */
bool rules_put_between(const struct graph *g, row *before, row me, row in,
                       row out);

/* Adds to an order what follows from fences of every thread.  False: it is
 * none. */
bool rules_order_everybody(const struct graph *g, row *before);

/* All of `first`, and what is before them, comes before the node of `then` and
 * what is after that. */
void rules_put_before(const struct graph *g, row *before, row first, int then);

/* ---- Processors ---- */

/* Members of a set from `first` on, at most 64. */
static inline uint64_t path_bits(const struct path_set *s, unsigned first,
                                 unsigned count)
{
    unsigned i = first / 64, by = first % 64;
    uint64_t bits = count ? s->word[i] >> by : 0;

    if (by && i + 1 < PATH_EVENTS_MAX / 64)
        bits |= s->word[i + 1] << (64 - by);
    return count < 64 ? bits & ((1ull << count) - 1) : bits;
}

/* Those of its thread's events whose numbers are in the set; the path may have
 * begun with creations that are no events: so many. */
ROW_INLINE row rules_at_numbers(row own, const struct path_set *set, int shift)
{
    row all = row_none();
    int number = shift, count = row_count(own), e;

    if (count <= 64) { /* mostly none of them, or all */
        uint64_t bits = path_bits(set, (unsigned)shift, (unsigned)count);

        if (!bits)
            return row_none();
        if (__builtin_popcountll(bits) == count)
            return own;
    }
    ROW_EACH (e, own) {
        if (set->word[number / 64] >> number % 64 & 1)
            all |= row_of(e);
        number++;
    }
    return all;
}

static inline struct effect rules_effect_of(const struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];
    struct behaviour *b = thread_orders_trie(g->orders);

    return e->parts > 1 ? graph_effect_of_bundle(b, g, read)
                        : behaviour_effect(b, e->before, e->value);
}

/* May e, an access, come before those writes of its location? */
ROW_INLINE bool rules_is_coherent(const struct graph *g, int e, row later)
{
    return !row_any(later) ||
           !row_any(later & rules_seen_by(g, graph_po_before(g, e),
                                          g->events[e].location));
}

/* Of a processor: the read's order comes with its write. */
ROW_INLINE bool rules_begin_rmw(const struct model *m, struct graph *g,
                                int read)
{
    const struct node_event *e = &g->events[read];
    bool fits = true;

    (void)m;
    for (int i = 0; i < e->parts; i++) {
        g->before[read + i] = row_none();
        fits = fits &&
               rules_is_coherent(g, read + i,
                                 graph_co_after(g, e[i].rf, e[i].location));
    }
    return fits;
}

/* A write that was added, and the read of its RMW, or less than 0: notes its
 * value, and how its thread comes by it, for late loads (rules_late.c). */
void rules_note_write_late(struct graph *g, int write, int half);

static inline void rules_note_write(struct graph *g, int write, int half)
{
    if (thread_orders_notes_values(g->orders))
        rules_note_write_late(g, write, half);
}

/* Is a whole graph coherent; and of its RMWs: does the write come directly
 * after what the read reads? */
bool rules_are_coherent(const struct graph *g);
bool rules_are_atomic(const struct graph *g);

/* Completes the order of a model of order so that it says when the torn loads
 * (struct graph) took place.  False: there is none. */
bool rules_order_torn(const struct graph *g, row *before);

#endif
