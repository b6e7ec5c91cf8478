/* SPDX-License-Identifier: MIT
 *
 * The parts of the enumeration: the relations of an execution, and the choices
 * of a cell.
 */
#ifndef LITMUS_EXECUTE_INSIDE_H
#define LITMUS_EXECUTE_INSIDE_H

#include "litmus/execute.h"
#include "model/relation.h"

#define PAIRS_MAX 1024 /* of a cell and a value */
#define CELL_EVENTS_MAX 40

struct pairs {
    uint64_t words[PAIRS_MAX / 64];
};

struct edge {
    uint8_t from, to;
};

/* One way to choose co and rf for a cell. */
struct choice {
    uint8_t co[CELL_EVENTS_MAX]; /* events, in order; the first is initial */
    uint8_t source[CELL_EVENTS_MAX]; /* of each load of the cell: an event */
    size_t first_edge, edge_count;
};

struct choices {
    VEC(struct choice);
    VEC(struct edge) edges;
    uint8_t stores[CELL_EVENTS_MAX], loads[CELL_EVENTS_MAX];
    uint8_t events[CELL_EVENTS_MAX]; /* both, thread by thread in po */
    size_t store_count, load_count, event_count;
};

struct search {
    struct unfold *u;
    const struct axioms *axioms;
    found_execution *found;
    void *arg;
    size_t thread_count, cell_count;
    size_t pair_base[64];                                  /* of each cell */
    struct pairs *needs[THREADS_MAX], *gives[THREADS_MAX]; /* by trace */
    struct pairs offers[THREADS_MAX + 1]; /* by this thread and later ones */
    /* the execution on its way */
    const struct trace *traces[THREADS_MAX];
    size_t count;
    const struct litmus_event *events[EVENTS_MAX]; /* NULL: initial */
    uint8_t thread[EVENTS_MAX], cell[EVENTS_MAX], node[EVENTS_MAX];
    uint8_t partner[EVENTS_MAX]; /* of the store of an RMW; else itself */
    struct rows ppo;
    struct choices choices[64];
    const struct choice *chosen[64];
    uint8_t position[EVENTS_MAX]; /* in co, while choices are listed */
    uint8_t source[EVENTS_MAX];
    int64_t memory[64];
    struct frame frame;
    struct rows lets[LETS_MAX];
    uint64_t steps;
};

#define INITIAL 255

static inline uint64_t search_bit(size_t i)
{
    return (uint64_t)1 << i;
}

/* Are they of different threads?  An initial write is of none. */
static inline bool search_ext(const struct search *s, size_t a, size_t b)
{
    return s->thread[a] != s->thread[b] || s->thread[a] == INITIAL;
}

static inline int64_t search_value(const struct search *s, size_t event)
{
    return s->events[event] ? s->events[event]->value
                            : s->u->cells.list[s->cell[event]].initial;
}

/* ---- execute_frame.c ---- */

/* What the model keeps of a trace, as rows of the trace. */
void search_find_ppo(struct search *s, struct trace *t);

/* What the model's own axioms need: first all that the traces say, then, for
 * each execution, rf and co. */
void search_fill_frame(struct search *s);
void search_fill_communication(struct search *s);

/* ---- execute_choices.c ---- */

/* Lists all choices of a cell that satisfy coherence and atomicity.  False:
 * there is none, or u->why says what stands against it. */
bool search_list_choices(struct search *s, size_t cell);

#endif
