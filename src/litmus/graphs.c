/* SPDX-License-Identifier: MIT
 *
 * One search: all executions without a cycle of po and rf, and then, on a
 * processor, those with one, in rounds (graph/graph_late.c).
 */
#include "litmus/graphs.h"

#include <stdlib.h>
#include <string.h>

#include "base/seconds.h"
#include "graph/graph_engine.h"
#include "graph/thread_order.h"
#include "litmus/alu.h"
#include "litmus/compile.h"
#include "litmus/graphs_inside.h"

#define EVENTS_TOLD 2048
#define CHILDREN_A_LOOK 1024
#define LEAVES_MAX (1u << 18) /* of executions with such a cycle */
#define LOOKS_MAX (1u << 12)

struct search_of_graphs {
    struct interpreter in;
    struct own_rows rows;
    struct graph_search search;
    const struct graph_engine *engine;
    struct thread_orders *orders;
    found_execution *found;
    void *arg;
    int64_t registers[THREADS_MAX][REGISTERS_MAX];
    unsigned looks_left; /* 0: any number */
};

static void refuse(struct search_of_graphs *s, const char *why)
{
    if (!s->in.unfold->why)
        s->in.unfold->why = why;
}

/* ---- What the engine asks ---- */

static uint64_t initial(void *context, unsigned location)
{
    const struct search_of_graphs *s = context;
    const struct cell *c = &s->in.unfold->cells.list[location];

    return interpreter_number(c->initial, c->size);
}

static bool is_ghost(void *context, unsigned location)
{
    (void)context;
    (void)location;
    return false;
}

static bool pauses(void *context)
{
    struct search_of_graphs *s = context;
    double until = s->in.unfold->until;

    if (until > 0 && seconds_passed() > until)
        refuse(s, "the time was up");
    if (s->looks_left && !--s->looks_left)
        refuse(s, "too many executions with a cycle of po and rf");
    return s->in.unfold->why != NULL;
}

/* ---- What it finds ---- */

/* The last writes of co are what memory holds. */
static void find_memory(struct search_of_graphs *s, const struct graph *g,
                        int64_t memory[CELLS_MAX])
{
    static struct graph_told told[EVENTS_TOLD]; /* large */
    size_t count = s->engine->tell(&s->search, g, told, EVENTS_TOLD);
    const struct unfold *u = s->in.unfold;
    uint32_t last[CELLS_MAX] = {0};

    for (size_t i = 0; i < u->cells.count; i++)
        memory[i] = u->cells.list[i].initial;
    for (size_t i = 0; i < count; i++) {
        unsigned at;

        if (!told[i].co)
            continue;
        at = behaviour_op(s->in.behaviour, told[i].node)->location;
        if (told[i].co < last[at])
            continue;
        last[at] = told[i].co;
        memory[at] = alu_cut((int64_t)told[i].wrote, u->cells.list[at].size);
    }
}

static void find_registers(struct search_of_graphs *s, const struct graph *g,
                           struct litmus_outcome *o)
{
    struct graph_thread at[GRAPH_THREADS_MAX];
    unsigned count = s->engine->threads(&s->search, g, at);

    for (unsigned t = 0; t < count; t++) {
        const struct place *p = s->in.places[at[t].at.ix];

        for (size_t i = 0; i < s->in.unfold->threads[t].register_count; i++)
            s->registers[t][i] = p->registers[i].number;
        o->registers[t] = s->registers[t];
    }
}

/* A thread is blocked where a loop was cut. */
static bool ended(void *context, const struct graph *g, enum graph_end end)
{
    struct search_of_graphs *s = context;
    int64_t memory[CELLS_MAX];
    struct litmus_outcome o = {.memory = memory};
    struct graph_race race;

    if (s->in.unfold->why)
        return false;
    if (end != GRAPH_COMPLETE) {
        s->in.unfold->cut = true;
        return true;
    }
    find_registers(s, g, &o);
    find_memory(s, g, memory);
    o.race = s->search.model->by_language &&
             s->engine->races(&s->search, g, &race, 1) > 0;
    s->found(s->arg, &o);
    return true;
}

/* ---- The search ---- */

static void run(struct search_of_graphs *s)
{
    s->engine->run(&s->search);
    if (s->search.too_long)
        refuse(s, "more events than can be judged");
    if (s->in.behaviour->full ||
        (s->orders && thread_orders_is_full(s->orders)))
        refuse(s, "a thread with too many behaviours");
}

/* Values and loads until nothing is new, and then what has a cycle of po and
 * rf: as runtime/native_late.c does it. */
static void run_late(struct search_of_graphs *s)
{
    struct thread_pair pair;

    if (s->in.unfold->why ||
        !thread_orders_unprotected(s->orders, false, &pair))
        return;
    s->search.late = true;
    s->search.ended = NULL;
    s->search.leaves_left = LEAVES_MAX;
    s->looks_left = LOOKS_MAX;
    for (int rounds = 0;
         !s->in.unfold->why && thread_orders_next_late(s->orders) &&
         (!rounds || rounds < s->search.most_writes);
         rounds++)
        run(s);
    s->search.ended = ended;
    if (!s->in.unfold->why)
        run(s);
    if (s->search.stop || thread_orders_lacks_late(s->orders, &pair))
        refuse(s, "a load that may be late was not looked at in every way");
}

static void prepare(struct search_of_graphs *s)
{
    const struct model *m = s->in.model;

    s->engine = &graph_engine_1;
    s->search = (struct graph_search){
        .rules = m->by_language      ? s->engine->c11
                 : !m->by_axioms     ? s->engine->order
                 : m->axioms->axioms ? s->engine->power
                                     : s->engine->terms,
        .model = m,
        .behaviour = s->in.behaviour,
        .threads = (unsigned)s->in.unfold->test->thread_count,
        .initial = initial,
        .is_ghost = is_ghost,
        .ended = ended,
        .patience = CHILDREN_A_LOOK,
        .pauses = pauses,
        .context = s,
        .last_thread = -1,
    };
    if (!m->by_axioms)
        return;
    if (!s->orders)
        s->orders = thread_orders_new();
    thread_orders_begin(s->orders, s->in.behaviour, m, s->search.threads);
    thread_orders_begin_late(s->orders, true);
    s->search.orders = s->orders;
}

/* Assembly has its own rows; what C becomes the mapping says. */
static void choose_model(struct search_of_graphs *s, const struct unfold *u,
                         const struct model *m, const char *mapping)
{
    bool is_c = u->test->arch == ARCH_C;

    s->in.model =
        rows_begin(&s->rows, m, is_c ? compile_mapping(m, mapping) : NULL);
    s->in.rows = is_c ? NULL : &s->rows;
}

/* What an engine of graphs needs is large: there is one, and it is used again.
 */
static struct search_of_graphs *the_search(void)
{
    static struct search_of_graphs *s;

    if (s) {
        behaviour_forget(s->in.behaviour);
        return s;
    }
    s = calloc(1, sizeof(*s));
    CHECK(s);
    s->in.behaviour = behaviour_new(interpreter_run, &s->in);
    s->in.places = calloc(BEHAVIOUR_NODES_MAX, sizeof(*s->in.places));
    CHECK(s->in.places);
    return s;
}

bool graphs_all(struct unfold *u, const struct model *m, const char *mapping,
                found_execution *found, void *arg)
{
    struct search_of_graphs *s = the_search();

    if (model_find(m->name) != m) {
        u->why = "no program is explored on that model";
        return false;
    }
    s->in.unfold = u;
    s->found = found;
    s->arg = arg;
    s->looks_left = 0;
    choose_model(s, u, m, mapping);
    prepare(s);
    run(s);
    if (m->by_axioms)
        run_late(s);
    return !u->why;
}
