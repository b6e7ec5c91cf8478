/* SPDX-License-Identifier: MIT
 *
 * Every execution of a program on a model, each once: TruSt (Kokologiannakis
 * and others, POPL 2022).  A graph grows event by event.  A read tries every
 * source, a write every place in co; and a new write may become the source of
 * an older read (a revisit): what came after that read and the write does not
 * need is deleted, and grows anew.  Only deletions of what would be added again
 * in the same way are made, which is why no graph comes twice.  Memory is one
 * graph for each choice on the way from the root.
 *
 * Which thread is extended next is free.
 */
#ifndef GRAPH_GRAPH_SEARCH_H
#define GRAPH_GRAPH_SEARCH_H

#include "graph/graph.h"
#include "graph/rules.h"

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
    uint64_t events, copies, revisits, inconsistent;
    int deepest;
};

struct graph_search {
    const struct rules *rules;
    const struct model *model; /* of rules_order */
    struct behaviour *behaviour;
    unsigned threads; /* that are there from the beginning */
    uint64_t (*initial)(void *context, unsigned location);
    /* A graph that cannot grow.  False: enough. */
    bool (*ended)(void *context, const struct graph *g, enum graph_end end);
    /* Does somebody else explore that graph?  NULL: nobody does. */
    bool (*give)(void *context, const struct graph *g);
    void *context;
    enum graph_schedule schedule;
    /* A read whose value blocks its thread for ever is not tried where it can
     * never be repaired; a thread whose next value would block waits for the
     * others.  Both keep every complete and every stuck execution. */
    bool drops, defers;
    struct graph_counts counts;
};

/* The graph without events. */
void graph_begin(struct graph *g, const struct graph_search *s);

/* All that `from` can become; NULL: all executions. */
void graph_search_run(struct graph_search *s, const struct graph *from);

/* One random way down, with random thread order if the schedule is random.
 * What it returns is an unbiased estimate of the number of executions; every
 * execution may come.  `seed` goes on. */
double graph_sample(struct graph_search *s, uint64_t *seed);

/* ---- A graph as bytes: what another process needs to go on from it ---- */

#define GRAPH_TASK_HEAD (2 + 8 * ROW_WORDS)
#define GRAPH_TASK_EVENT 3
#define GRAPH_TASK_MAX (GRAPH_TASK_HEAD + GRAPH_TASK_EVENT * GRAPH_EVENTS_MAX)

/* How many bytes it took. */
size_t graph_write_task(const struct graph *g, uint8_t to[GRAPH_TASK_MAX]);

/* False: these bytes are no graph of that program on that model. */
bool graph_read_task(struct graph *g, struct graph_search *s,
                     const uint8_t *from, size_t count);

#endif
