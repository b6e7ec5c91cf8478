/* SPDX-License-Identifier: MIT
 *
 * An execution as a graph: events in the order in which they were added, the
 * source of each read (rf), and for each location the order of its writes (co).
 * All sets are rows (row.h).  The number of an event is its stamp: when it was
 * added.
 *
 * An RMW is two events, EVENT_RX and EVENT_WX, which are added together; one
 * that does not write is an EVENT_RX alone.  The initial write of a location is
 * no event: it is INITIAL, before all others in co.
 *
 * An access of several parts (op_parts) is a bundle: one event for each part,
 * numbered one after the other; of an RMW as many RX, and as many WX.  A bundle
 * is added, kept and deleted as a whole, and `porf` and `before` are the same
 * for all its events, of which each is in the porf of all.  An atomic block is
 * such an RMW, of any locations; it has an RX for each that it touched, and a
 * WX only for what it wrote, and it is a bundle also if it has one part.
 */
#ifndef GRAPH_GRAPH_H
#define GRAPH_GRAPH_H

#include <stddef.h>

#include "graph/behaviour.h"
#include "graph/graph_engine.h"
#include "graph/row.h"
#include "graph/thread_order.h"
#include "model/model.h"

#define GRAPH_EVENTS_MAX ROW_BITS

#define INITIAL (-1)
#define NONE (-2)
#define LATE                                                                   \
    (-3) /* a load that takes effect late (graph_late.c): so far its           \
            source is anywhere, and it is a NODE_CHOICE */

enum node_kind {
    NODE_R,
    NODE_W,
    NODE_RX,
    NODE_WX,
    NODE_FENCE,
    NODE_CREATE,
    NODE_JOIN,
    NODE_CHOICE, /* its value is the number chosen */
    NODE_FREE
};

/* Where a fence that comes with an event stands. */
enum fence_side { BEFORE_IT, AFTER_IT };
#define FENCE_KINDS 5 /* enum model_fence */

#define GRAPH_KINDS 29 /* rows of kinds: struct graph has them */

struct node_event {
    uint8_t kind; /* enum node_kind */
    uint8_t order;
    uint8_t thread;
    uint8_t construct; /* accesses: enum model_construct */
    uint16_t location;
    int16_t rf;          /* reads: an event, INITIAL, or NONE yet */
    int16_t mate;        /* the other half of an RMW, or NONE; of a NODE_W also
                            the late load that it belongs to */
    uint8_t part, parts; /* which of how many; 1 part: it is no bundle */
    uint64_t value;
    behaviour_node before; /* of its thread, before it */
    uint32_t noted;        /* a write: which of those that were noted for late
                              loads (rules_late.c); 0: it was not */
};

struct graph {
    int count;
    unsigned thread_count, location_count; /* how many are used */
    bool releases;  /* it is of C11: only then some rows are there */
    bool has_twins; /* some threads are taken for equal (graph_twins.c) */
    uint32_t ended; /* threads that were found to have ended, or to be blocked:
                       these need not be asked again */
    int16_t failed; /* an access to freed memory, or a second FREE; or NONE */
    struct thread_orders *orders; /* processors only: what they keep in order
                                     within threads */
    const struct behaviour *behaviour; /* what its threads do */
    bool propagates; /* it is of POWER: only then some rows are there, and
                        `before` is no order of all that threads see */
    bool weak;       /* C11 only: SC does not have it, or it comes from such a
                        graph by a revisit; `turns` says nothing then */
    /* Rows of kinds, by their names and as a list. */
    union {
        row kinds[GRAPH_KINDS];
        struct {
            row loads, stores, rmws; /* rmws: also what does not write */
            row complete;            /* RX that have their WX */
            row halves;              /* these, and the WX, and bundles; on
                                        processors of RMWs that are one node */
            row bundles;
            row blocks;  /* reads of atomic blocks */
            row torn;    /* parts of loads that take some, but not all, from
                            that own store; only where the model reorders
                            loads.  On processors: of those whose parts differ
                            in what comes before them */
            row claims;  /* bundles of reads whose last source is still to come:
                            their thread waits, and they have no place in any
                            order yet (graph_revisit.c) */
            row settled; /* RX of a mutex that came before another's: that
                            stays so; and claims */
            row fences[2][FENCE_KINDS];
            row joins, frees;
            row everybody; /* fences of every thread (rules_everybody.c) */
            row fixed;  /* neither accesses nor choices: there is one way to add
                           them */
            row ghosts; /* accesses to ghost variables */
            row prompt; /* loads, ghosts, CREATEs: done when their turn comes */
            row release_fences, seq_cst;
            row plain; /* accesses that are not atomic: C11's data races are
                          theirs */
        };
    };
    /* Of each thread. */
    row of_thread[GRAPH_THREADS_MAX];
    behaviour_node at[GRAPH_THREADS_MAX];
    int16_t created_by[GRAPH_THREADS_MAX]; /* a CREATE, INITIAL, or NONE yet */
    int8_t twin[GRAPH_THREADS_MAX]; /* the equal thread before it, or NONE */
    /* Of each location. */
    row writes[GRAPH_LOCATIONS_MAX], reads[GRAPH_LOCATIONS_MAX];
    row reads_initial[GRAPH_LOCATIONS_MAX];
    /* Of each event. */
    struct node_event events[GRAPH_EVENTS_MAX];
    row porf[GRAPH_EVENTS_MAX];     /* what comes before it by po and rf */
    row co_after[GRAPH_EVENTS_MAX]; /* writes: the later ones of co */
    row readers[GRAPH_EVENTS_MAX];  /* writes: who reads it */
    row before[GRAPH_EVENTS_MAX];   /* what the model orders before it: <M of
                                       models of order, hb of C11 and POWER */
    union {
        struct {                            /* of C11 */
            row released[GRAPH_EVENTS_MAX]; /* writes: what who acquires it
                                               gets */
            row pending[GRAPH_EVENTS_MAX];  /* what an acquire fence would get
                                             */
            row turns[GRAPH_EVENTS_MAX];    /* what SC orders before it */
            row firm[GRAPH_EVENTS_MAX];     /* seq_cst: seq_cst operations that
                                               psc orders before it */
        };
        struct { /* of POWER, as rules_power.c says */
            row ii[GRAPH_EVENTS_MAX], ci[GRAPH_EVENTS_MAX];
            row ic[GRAPH_EVENTS_MAX], cc[GRAPH_EVENTS_MAX];
            row pb[GRAPH_EVENTS_MAX], strong[GRAPH_EVENTS_MAX];
        };
    };
};

_Static_assert(offsetof(struct graph, plain) ==
                   offsetof(struct graph, kinds[GRAPH_KINDS - 1]),
               "all of them are in the list");

/* How a graph was, so that it can be so again after it has grown. */
struct graph_mark {
    int count;
    unsigned thread_count, location_count;
    int16_t failed;
    bool weak;
    row order[GRAPH_EVENTS_MAX]; /* a new event may be put between old ones */
    row firm[GRAPH_EVENTS_MAX];  /* so may one of C11 */
};

/* ---- Questions ---- */

ROW_INLINE row graph_co_after(const struct graph *g, int w, unsigned location)
{
    return w < 0 ? g->writes[location] : g->co_after[w];
}

ROW_INLINE row graph_readers(const struct graph *g, int w, unsigned location)
{
    return w < 0 ? g->reads_initial[location] : g->readers[w];
}

/* The last write of co; often the youngest. */
ROW_INLINE int graph_co_last(const struct graph *g, unsigned location)
{
    row left = g->writes[location];

    while (row_any(left)) {
        int w = row_last(left);

        if (!row_any(g->co_after[w]))
            return w;
        left &= ~row_of(w);
    }
    return INITIAL;
}

ROW_INLINE int graph_last_of(const struct graph *g, unsigned thread)
{
    return row_any(g->of_thread[thread]) ? row_last(g->of_thread[thread])
                                         : NONE;
}

/* What a join of the thread, which has ended, comes after. */
ROW_INLINE int graph_end_of(const struct graph *g, unsigned thread)
{
    int last = graph_last_of(g, thread);

    return last < 0 ? g->created_by[thread] : last;
}

/* Events of e's thread that come before it. */
ROW_INLINE row graph_po_before(const struct graph *g, int e)
{
    return g->of_thread[g->events[e].thread] & row_below(e);
}

/* The event from which e's thread came to e: of its own, or its CREATE; NONE
 * for the first event of a thread that was there from the beginning. */
int graph_predecessor(const struct graph *g, int e);

/* What comes before a write by co and fr: earlier writes, and who reads them.
 */
ROW_INLINE row graph_co_fr_before(const struct graph *g, int write)
{
    unsigned location = g->events[write].location;
    row earlier = g->writes[location] & ~g->co_after[write] & ~row_of(write);
    row all = earlier | g->reads_initial[location];
    int w;

    ROW_EACH (w, earlier)
        all |= g->readers[w];
    return all & ~row_of(write);
}

/* The events of e's bundle; of an event alone, itself. */
ROW_INLINE row graph_bundle(const struct graph *g, int e)
{
    const struct node_event *n = &g->events[e];
    int first = e - n->part;

    return n->parts == 1 ? row_of(e)
                         : row_below(first + n->parts) & ~row_below(first);
}

/* Of the reads of an RMW: one of its writes, or NONE. */
ROW_INLINE int graph_write_of(const struct graph *g, int read)
{
    const struct node_event *first = &g->events[read - g->events[read].part];

    for (int i = 0; i < first->parts; i++)
        if (first[i].mate >= 0)
            return first[i].mate;
    return NONE;
}

/* All of one node of the model's order: both halves of an RMW, whole. */
ROW_INLINE row graph_node(const struct graph *g, int e)
{
    const struct node_event *n = &g->events[e];
    int mate = n->kind == NODE_RX ? graph_write_of(g, e) : n->mate;

    return mate < 0 ? graph_bundle(g, e)
                    : graph_bundle(g, e) | graph_bundle(g, mate);
}

/* What is done before e, as every thread sees it. */
ROW_INLINE row graph_done_before(const struct graph *g, int e)
{
    return g->propagates ? g->pb[e] : g->before[e];
}

/* The event and all before it by po and rf. */
ROW_INLINE row graph_prefix(const struct graph *g, int e)
{
    return e < 0 ? row_none() : g->porf[e] | row_of(e);
}

/* ---- Equal threads: graph_twins.c ---- */

/* The event that the thread's event of that number, from 0, comes after: that
 * of an equal thread before it which did the same so far.  Or NONE. */
int graph_twin_of(const struct graph *g, unsigned thread, int number);

/* The prefix of that, with its write if it is an RMW. */
row graph_prefix_by_twin(const struct graph *g, unsigned thread, int number);

/* Is what e, an access, reads or writes not before what its twin does? */
bool graph_keeps_order(const struct graph *g, int e);

/* Of the thread's next access: what is known because of its twin (struct
 * rules). */
row graph_known_by_twin(const struct graph *g, unsigned thread);

/* The first of its equals that are where the thread is. */
unsigned graph_first_twin(const struct graph *g, unsigned thread);

/* The prefix of the thread's next event. */
ROW_INLINE row graph_prefix_of_next(const struct graph *g, unsigned thread)
{
    int last = graph_last_of(g, thread);
    row all = graph_prefix(g, last < 0 ? g->created_by[thread] : last);

    if (g->has_twins)
        all |= graph_prefix_by_twin(g, thread, row_count(g->of_thread[thread]));
    return all;
}

ROW_INLINE bool node_reads(const struct node_event *e)
{
    return e->kind == NODE_R || e->kind == NODE_RX;
}

ROW_INLINE bool node_writes(const struct node_event *e)
{
    return e->kind == NODE_W || e->kind == NODE_WX;
}

ROW_INLINE bool node_accesses(const struct node_event *e)
{
    return node_reads(e) || node_writes(e);
}

/* Of an operation: is it an access that is not atomic? */
ROW_INLINE bool op_is_plain(const struct op *op)
{
    return op->kind <= OP_STORE && !order_is_atomic(op->order);
}

/* ---- Changes ---- */

/* Before anything is asked about a location. */
void graph_know_location(struct graph *g, unsigned location);

void graph_clear(struct graph *g);

void graph_copy(struct graph *to, const struct graph *from);

void graph_set_mark(struct graph_mark *m, struct graph *g);

/* Takes away all events since.  Old ones have not lost any meanwhile. */
void graph_undo(struct graph *g, const struct graph_mark *m);

/* `from` with the events of `keep` alone.  What goes is a suffix of every
 * thread.  `read` (in keep; or NONE) loses its source and its WX. */
void graph_restrict(struct graph *to, const struct graph *from, row keep,
                    int read);

/* A thread that begins at that node; `by`: its CREATE, or INITIAL. */
void graph_add_thread(struct graph *g, unsigned thread, int by,
                      behaviour_node root);

/* A new event, the last of its thread: without rf, co and the model's rows. */
int graph_push(struct graph *g, unsigned thread, enum node_kind kind,
               const struct op *op);

/* The same for a store. */
int graph_push_write(struct graph *g, unsigned thread, const struct op *op);

/* The same for the WX of that RX, which has its source. */
int graph_push_write_of(struct graph *g, int read, uint64_t value);

/* The parts of an access. */
struct graph_parts {
    int count;
    uint16_t location[OP_PARTS_MAX];
    bool ghost[OP_PARTS_MAX];
};

/* What a bundle writes: each of these belongs to a part, if it is an RMW. */
struct graph_puts {
    int count;
    uint16_t location[OP_PARTS_MAX];
    uint8_t part[OP_PARTS_MAX];
    uint64_t value[OP_PARTS_MAX];
};

/* The same for a bundle: the number of its first event. */
int graph_push_bundle(struct graph *g, unsigned thread, enum node_kind kind,
                      const struct op *op, const struct graph_parts *parts);
int graph_push_writes(struct graph *g, unsigned thread, const struct op *op,
                      const struct graph_puts *puts);
int graph_push_writes_of(struct graph *g, int read,
                         const struct graph_puts *puts);

/* A bundle of reads without sources gets other parts; all that is younger is
 * renumbered. */
void graph_set_parts(struct graph *g, int read,
                     const struct graph_parts *parts);

/* How the read turns out: set when its source is known. */
void graph_set_effect(struct graph *g, int read, const struct effect *effect);

void graph_set_source(struct graph *g, int read, int source, uint64_t value);

/* How the RMW of several parts, which have their sources, turned out. */
struct effect graph_effect_of_bundle(struct behaviour *b, const struct graph *g,
                                     int read);

/* A bundle of reads that has only those parts which are claimed: by
 * graph_set_parts, which left them no place in any order. */
void graph_claim(struct graph *g, int read);

/* Directly after `before` in co. */
void graph_place_write(struct graph *g, int write, int before);

void graph_join_halves(struct graph *g, int read, int write);

/* ---- As they are told: struct graph_engine (graph_told.c, graph_races.c,
 * graph_guard.c, graph_redo.c) ---- */

size_t graph_tell(const struct graph_search *s, const struct graph *g,
                  struct graph_told *to, size_t max);
size_t graph_races(const struct graph_search *s, const struct graph *g,
                   struct graph_race *to, size_t max);
bool graph_unordered(struct graph_search *s, const struct graph *g,
                     struct graph_race *to);
int graph_sees_redone(const struct graph_search *s, const struct graph *g,
                      const struct graph_redone *list, unsigned count);
bool graph_is_unguarded(const struct graph_search *s, const struct graph *g,
                        const struct graph_guard *r);

#endif
