/* SPDX-License-Identifier: MIT
 *
 * The door of this folder: what a search is to do, and the engines that do it,
 * one for each width of rows (row.h).  Who calls them knows no row.
 */
#ifndef GRAPH_GRAPH_ENGINE_H
#define GRAPH_GRAPH_ENGINE_H

#include <stddef.h>

#include "event/channel.h"
#include "graph/behaviour.h"
#include "graph/graph_way.h"
#include "model/model.h"

#define GRAPH_THREADS_MAX 32
#define GRAPH_LOCATIONS_MAX 1024

struct graph;
struct rules;

/* Which thread next.  The last ones are for tests of that freedom. */
enum graph_schedule {
    SCHEDULE_FIRST,  /* lowest number */
    SCHEDULE_LAST,   /* highest number */
    SCHEDULE_WRITES, /* one that does not read, if there is one */
    SCHEDULE_PLACES, /* by a hash of where the threads are */
    SCHEDULE_GRAPH,  /* by a hash of the graph */
    SCHEDULE_RANDOM,
    SCHEDULE_COUNT
};

enum graph_end {
    GRAPH_COMPLETE, /* every thread has returned */
    GRAPH_BLOCKED,  /* some cannot go on */
    GRAPH_FAILED    /* some failed */
};

struct graph_counts {
    uint64_t ends[GRAPH_FAILED + 1];
    uint64_t events, tries, revisits, inconsistent;
    int deepest;
};

/* A location that some part of a bundle may be, and which parts these are. */
#define GRAPH_REACH_MAX 64
struct graph_reach {
    uint16_t location; /* GRAPH_LOCATIONS_MAX: one that has no number yet */
    uint8_t first, last;
};

struct graph_search {
    const struct rules *rules;
    const struct model *model; /* but of rules_c11 */
    struct behaviour *behaviour;
    struct thread_orders *orders; /* of that behaviour; processors only */
    unsigned threads;             /* that are there from the beginning */
    uint64_t (*initial)(void *context, unsigned location);
    /* Is that location part of what the OP_FREE frees? */
    bool (*covers)(void *context, const struct op *op, unsigned location);
    /* Which locations may be parts of the atomic block that begins at the node:
     * at most GRAPH_REACH_MAX.  What is not among them may be
     * found out later; then the search has to begin again. */
    int (*reaches)(void *context, behaviour_node node, struct graph_reach *to);
    bool (*is_ghost)(void *context, unsigned location);
    /* Locations whose initial value nobody wrote, a bit each; NULL: none.  It
     * is told which atomic accesses may read such a value. */
    const uint64_t *unwritten;
    void (*reads_unwritten)(void *context, const struct op *op,
                            unsigned thread);
    /* A graph that cannot grow.  False: enough. */
    bool (*ended)(void *context, const struct graph *g, enum graph_end end);
    /* Asked after so many children, since executions may be far between: is it
     * to stop for now?  0: never. */
    uint32_t patience;
    bool (*pauses)(void *context);
    void *context;
    enum graph_schedule schedule;
    /* A read whose value blocks its thread for ever is not tried where it can
     * never be repaired; a thread whose next value would block waits for the
     * others.  Both keep every complete and every stuck execution. */
    bool drops, defers;
    bool races; /* of SC are asked for; C11's always are */
    /* What a thread does while there is no other is no event: threads that the
     * first one makes before anything else are there from the beginning, and
     * the last one reads what is last in co. */
    bool lone;
    /* Of executions that differ only in the names of equal threads one is
     * explored.  behaviour->twins.refuted: some are not equal; nothing counts
     * of what was explored. */
    bool symmetric;
    /* Executions with a cycle of po and rf, and no others: some loads read what
     * comes only later (graph_late.c). */
    bool late;
    uint64_t leaves_left; /* graphs that cannot grow: so many more, then it
                             stops; 0: any number */
    int most_writes;      /* that one of these had */
    int last_thread; /* of the graph that `ended` sees: who did so; negative:
                        nobody */
    bool stop;       /* set by anybody: enough */
    bool too_long;   /* an execution has more events than a row has bits */
    int ordered;     /* events of the last graph that `unordered` saw, if it
                        had no race */
    bool done;       /* nothing is left of its part, though it may be stopped */
    /* Its part: what comes after one way, up to the end of another.  No levels:
     * from the beginning, to the end. */
    struct graph_way resume, until;
    uint32_t met;        /* levels of `until` that it has come to */
    uint32_t waited;     /* children since it was asked to pause */
    struct graph_way at; /* of the graph that `ended` sees; all up to there is
                            done, also when it pauses elsewhere */
    struct graph_counts counts;
};

/* ---- Random executions ---- */

enum graph_sampler {
    /* One child after the other is drawn, down the tree that a search explores,
     * revisits included; with random thread order if the schedule is random. */
    SAMPLE_DESCENT,
    /* A random thread goes on, and reads a random source or writes at a random
     * place in co: one of those that the model allows (C11Tester, ASPLOS 2021).
     */
    SAMPLE_FORWARD,
    /* All reads read what their thread knows already, but for a few that are
     * drawn in advance (PCTWM, ASPLOS 2023). */
    SAMPLE_DEPTH,
    /* As SAMPLE_FORWARD, but most reads read what is last in co, and most
     * writes come last: close to SC. */
    SAMPLE_NEAR,
    /* As SAMPLE_NEAR, but for the accesses of a cycle, which take the places
     * that close it (graph_goal.c). */
    SAMPLE_GOAL
};

/* A cycle to close, and which events of the graph its nodes are. */
struct graph_goal {
    const struct goal_node *nodes;
    unsigned count;
    bool hit; /* the graph that has just ended has it */
    int16_t events[GOAL_NODES_MAX];
    int threads[GOAL_NODES_MAX]; /* by role; negative: none yet */
};

struct graph_sampling {
    enum graph_sampler how;
    uint64_t random; /* goes on */
    unsigned depth;  /* SAMPLE_DEPTH: reads that are drawn, at most */
    /* SAMPLE_DESCENT: what was announced at the node could happen in so many
     * ways.  NULL: nobody wants to know. */
    void (*branched)(void *context, behaviour_node node, uint64_t ways);
    struct graph_goal *goal; /* SAMPLE_GOAL */
};

/* ---- Graphs as they are shown ---- */

/* A thread where a graph cannot grow. */
struct graph_thread {
    bool made;
    bool waits;    /* it has not ended */
    bool for_good; /* and no other value will ever come */
    behaviour_node at;
    uint64_t polls; /* not 0: it would stop when it has taken a mutex, with that
                       as op.operand */
};

/* In which order its events take effect: one that the model allows, and that
 * is not far from program order. */
enum graph_order {
    GRAPH_ANY_ORDER,
    GRAPH_IN_ORDER,  /* program order: it is one of SC's */
    GRAPH_ONE_LATE,  /* the same, but for one store that others overtake */
    GRAPH_ONE_EARLY, /* the same, but for one load that overtakes others */
    GRAPH_ORDER_COUNT,
    GRAPH_WITH_VAIN /* any order; all others are without rounds in vain */
};

/* One event, or both halves of an RMW. */
struct graph_place {
    behaviour_node node, after; /* where its thread announced it; and is then */
    uint64_t value;             /* that it returned; of several parts, the
                                   first's */
};

/* One of these, as it is told where no machine can show it: with what it reads
 * and writes. */
struct graph_told {
    behaviour_node node;
    uint64_t value, wrote;
    uint32_t from;   /* number + 1 of what it reads, in the list; 0: the initial
                        value, or nothing */
    uint32_t co;     /* place among the writes of the location, from 1; 0: it
                        writes nothing */
    uint32_t effect; /* on a model by terms: its place in an order in which
                        they take effect, from 1; else 0 */
    uint8_t order;   /* enum event_order */
    uint8_t part;    /* of an access of several, which are told one after the
                        other: which, from 0 */
};

/* Two accesses that no order keeps apart, and one of them is not atomic
 * (graph_races.c): where their threads announced them.  On SC the first comes
 * first. */
struct graph_race {
    behaviour_node first, second;
};

/* Reads of a location that one of these threads did while it held a mutex,
 * before it took that as the graph has it. */
struct graph_guard {
    unsigned location, mutex;
    uint32_t threads; /* bits of their numbers */
    bool plain;       /* not atomic */
};

/* Memory that a thread stores into in rounds of a loop that are left out
 * (graph_redo.c).  Its number is its bit in behaviour_entry.passes. */
struct graph_redone {
    unsigned location, thread;
    uint32_t loop, rounds; /* of a loop that it gives up; 0: not known */
    bool plain;            /* not by atomic stores alone */
    bool bound;            /* it reads it in these rounds */
};

struct graph_engine {
    int events_max;
    const struct rules *order, *c11, *terms, *power;
    /* All executions. */
    void (*run)(struct graph_search *s);
    /* One of them; `ended` sees it, unless `stop` came first.  A SAMPLE_DESCENT
     * returns an unbiased estimate of the number of graphs that cannot grow. */
    double (*sample)(struct graph_search *s, struct graph_sampling *how);
    /* The threads; how many. */
    unsigned (*threads)(const struct graph_search *s, const struct graph *g,
                        struct graph_thread to[GRAPH_THREADS_MAX]);
    /* The access to freed memory, or the second FREE, that it fails by; or
     * none. */
    behaviour_node (*failed)(const struct graph *g);
    /* Does SC have it?  Rounds in vain do not count. */
    bool (*is_sc)(const struct graph_search *s, const struct graph *g);
    /* Its events in such an order; what failed comes as late as can be.  0:
     * there is none.  Room for events_max. */
    size_t (*list)(const struct graph_search *s, const struct graph *g,
                   enum graph_order order, struct graph_place *to);
    /* The same with rounds in vain, and with what the last thread did alone;
     * each comes after what it reads.  At most `max`. */
    size_t (*tell)(const struct graph_search *s, const struct graph *g,
                   struct graph_told *to, size_t max);
    /* Its data races, on C11 or SC; how many.  At most `max`.  On a model by
     * terms, uses of a ghost in no order. */
    size_t (*races)(const struct graph_search *s, const struct graph *g,
                    struct graph_race *to, size_t max);
    /* Has a graph of SC a data race by C11's happens-before?  One of them.
     * Where accesses have parts, or there are ghosts, it is not looked for. */
    bool (*unordered)(struct graph_search *s, const struct graph *g,
                      struct graph_race *to);
    /* On C11: may a write race with such a read (graph_guard.c)? */
    bool (*unguarded)(const struct graph_search *s, const struct graph *g,
                      const struct graph_guard *r);
    /* The first of these places where somebody could see such a store; -1:
     * nobody could. */
    int (*sees)(const struct graph_search *s, const struct graph *g,
                const struct graph_redone *list, unsigned count);
};

extern const struct graph_engine graph_engine_1, graph_engine_2, graph_engine_4,
    graph_engine_8, graph_engine_16;

#endif
