/* SPDX-License-Identifier: MIT
 *
 * Going forward: the next event of some thread, in every way that the model
 * allows.  The last way, which is always allowed, is taken in place.
 */
#include "graph/graph_search.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "graph/graph_search_inside.h"

#define LEVELS_SIZE ((WALK_LEVELS + 1) * sizeof(struct graph))

/* ---- Values ---- */

uint64_t walk_value(const struct walk *w, const struct graph *g, int write,
                    unsigned location)
{
    return write < 0 ? w->search->initial(w->search->context, location)
                     : g->events[write].value;
}

bool walk_blocks(struct walk *w, behaviour_node node, uint64_t value)
{
    struct behaviour *b = w->search->behaviour;

    return behaviour_op(b, behaviour_step(b, node, value))->kind == OP_BLOCK;
}

/* ---- Additions ---- */

static struct graph *make_copy(struct walk *w, int level)
{
    MUST(level + 1 < WALK_LEVELS);
    w->search->counts.copies++;
    graph_copy(&w->levels[level + 1], &w->levels[level]);
    return &w->levels[level + 1];
}

static int push(struct walk *w, struct graph *g, unsigned thread,
                enum node_kind kind, const struct op *op)
{
    w->search->counts.events++;
    return graph_push(g, thread, kind, op);
}

static void step(struct walk *w, struct graph *g, unsigned thread,
                 uint64_t value)
{
    g->at[thread] = behaviour_step(w->search->behaviour, g->at[thread], value);
}

bool walk_give_source(struct walk *w, struct graph *g, int read, int source,
                      bool *writes)
{
    const struct graph_search *s = w->search;
    struct node_event *e = &g->events[read];
    const struct op *op = behaviour_op(s->behaviour, e->before);
    uint64_t value = walk_value(w, g, source, e->location), stored;

    *writes = e->kind == NODE_RX && op_writes(op, value, &stored);
    e->order = op->kind == OP_CAS && !*writes ? op->failure_order : op->order;
    graph_set_source(g, read, source, value);
    return *writes ? s->rules->begin_rmw(s->model, g, read)
                   : s->rules->add_read(s->model, g, read);
}

bool walk_finish_rmw(struct walk *w, int level, int read)
{
    const struct graph_search *s = w->search;
    struct graph *g = &w->levels[level];
    const struct node_event *e = &g->events[read];
    struct new_write n = {e->thread, behaviour_op(s->behaviour, e->before), 0,
                          read};
    row others =
        graph_readers(g, e->rf, e->location) & g->complete & ~row_of(read);
    int other = row_any(others) ? row_last(others) : NONE, write;

    MUST(op_writes(n.op, e->value, &n.value));
    if (other != NONE && row_has(g->porf[read], other))
        return false;
    revisit_reads(w, level, &n, other);
    if (other != NONE)
        return false; /* only its revisits were of use */
    write = push(w, g, n.thread, NODE_WX, n.op);
    g->events[write].value = n.value;
    g->events[write].before = g->events[read].before;
    return s->rules->add_rmw(s->model, g, read, write);
}

/* The thread's read, or RMW, with that source. */
static bool add_read(struct walk *w, int level, unsigned thread, int source)
{
    struct graph *g = &w->levels[level];
    const struct op *op = walk_next_op(w, g, thread);
    int read = push(w, g, thread, op->kind == OP_LOAD ? NODE_R : NODE_RX, op);
    bool writes;

    if (!walk_give_source(w, g, read, source, &writes) ||
        (writes && !walk_finish_rmw(w, level, read)))
        return false;
    step(w, g, thread, g->events[read].value);
    return true;
}

static bool add_write(struct walk *w, struct graph *g, unsigned thread,
                      int after)
{
    const struct graph_search *s = w->search;
    const struct op *op = walk_next_op(w, g, thread);
    int write = push(w, g, thread, NODE_W, op);

    g->events[write].value = op->operand;
    if (!s->rules->add_write(s->model, g, write, after))
        return false;
    step(w, g, thread, 0);
    return true;
}

void walk_add_other(struct walk *w, struct graph *g, unsigned thread)
{
    const struct graph_search *s = w->search;
    const struct op *op = walk_next_op(w, g, thread);
    enum node_kind kind = op->kind == OP_FENCE    ? NODE_FENCE
                          : op->kind == OP_CREATE ? NODE_CREATE
                                                  : NODE_JOIN;
    int e = push(w, g, thread, kind, op);

    if (op->kind == OP_JOIN)
        g->porf[e] |= graph_prefix(g, graph_last_of(g, op->thread));
    s->rules->add_other(s->model, g, e, op);
    if (op->kind == OP_CREATE) {
        MUST(op->thread >= g->thread_count ||
             g->created_by[op->thread] == NONE);
        graph_add_thread(g, op->thread, e,
                         behaviour_root(s->behaviour, op->thread));
    }
    step(w, g, thread, 0);
}

/* ---- Choices ---- */

void walk_take(struct walk *w, int level, bool fits)
{
    if (fits)
        w->take(w, level);
    else
        w->search->counts.inconsistent++;
}

/* Is that source worth a graph?  It is not the last of co. */
static bool is_worth_trying(struct walk *w, const struct graph *g,
                            unsigned thread, int source, row known)
{
    const struct op *op = walk_next_op(w, g, thread);
    uint64_t value = walk_value(w, g, source, op->location), stored;
    bool writes = op->kind != OP_LOAD && op_writes(op, value, &stored);

    if (row_any(graph_co_after(g, source, op->location) & known))
        return false;
    if (writes)
        return revisit_can_undo(g, thread, source, op->location);
    return !(w->search->drops && walk_blocks(w, g->at[thread], value));
}

static void try_source(struct walk *w, int level, unsigned thread, int source,
                       row known)
{
    if (w->stopped ||
        !is_worth_trying(w, &w->levels[level], thread, source, known))
        return;
    make_copy(w, level);
    walk_take(w, level + 1, add_read(w, level + 1, thread, source));
}

static void extend_read(struct walk *w, int level, unsigned thread)
{
    struct graph *g = &w->levels[level];
    unsigned location = walk_next_op(w, g, thread)->location;
    int last = graph_co_last(g, location), source;
    bool fits;

    if (last != INITIAL) {
        row known = w->search->rules->known(g, thread, location);

        try_source(w, level, thread, INITIAL, known);
        ROW_EACH (source, g->writes[location] & ~row_of(last))
            try_source(w, level, thread, source, known);
    }
    fits = add_read(w, level, thread, last);
    MUST(fits);
}

static void try_place(struct walk *w, int level, unsigned thread, int after)
{
    const struct graph *g = &w->levels[level];
    unsigned location = walk_next_op(w, g, thread)->location;

    if (w->stopped || row_any(graph_readers(g, after, location) & g->complete))
        return; /* between the halves of an RMW */
    walk_take(w, level + 1, add_write(w, make_copy(w, level), thread, after));
}

static void extend_write(struct walk *w, int level, unsigned thread)
{
    struct graph *g = &w->levels[level];
    const struct op *op = walk_next_op(w, g, thread);
    struct new_write n = {thread, op, op->operand, NONE};
    int last = graph_co_last(g, op->location), after;
    bool fits;

    revisit_reads(w, level, &n, NONE);
    if (last != INITIAL) {
        try_place(w, level, thread, INITIAL);
        ROW_EACH (after, g->writes[op->location] & ~row_of(last))
            try_place(w, level, thread, after);
    }
    fits = add_write(w, g, thread, last);
    MUST(fits);
}

/* A thread that waits for a mutex may have come first: what is left for it is
 * to displace who did. */
static void try_to_displace(struct walk *w, int level, unsigned thread)
{
    const struct graph *g = &w->levels[level];
    const struct op *op = walk_next_op(w, g, thread);
    int source = INITIAL;
    row left = g->writes[op->location];

    while (!w->stopped) {
        if (walk_value(w, g, source, op->location) == op->expected &&
            row_any(graph_readers(g, source, op->location) & g->complete) &&
            revisit_can_undo(g, thread, source, op->location)) {
            make_copy(w, level);
            add_read(w, level + 1, thread, source); /* for its revisits */
        }
        if (!row_any(left))
            return;
        source = row_first(left);
        left = row_without_first(left);
    }
}

static void wake_waiters(struct walk *w, int level)
{
    const struct graph *g = &w->levels[level];

    for (unsigned t = 0; t < g->thread_count; t++) {
        if (g->created_by[t] != NONE && walk_next_op(w, g, t)->locks)
            try_to_displace(w, level, t);
    }
}

void walk_end(struct walk *w, const struct graph *g)
{
    struct graph_search *s = w->search;
    enum graph_end end = GRAPH_COMPLETE;

    for (unsigned t = 0; t < g->thread_count; t++) {
        enum op_kind kind;

        if (g->created_by[t] == NONE)
            continue;
        kind = walk_next_op(w, g, t)->kind;
        if (kind == OP_FAIL)
            end = GRAPH_FAILED;
        else if (kind != OP_END && end == GRAPH_COMPLETE)
            end = GRAPH_BLOCKED;
    }
    s->counts.ends[end]++;
    if (s->ended && !s->ended(s->context, g, end))
        w->stopped = true;
}

bool walk_extend(struct walk *w, int level)
{
    struct graph *g = &w->levels[level];
    int thread = walk_choose_thread(w, g);
    const struct op *op;

    if (thread == NONE) {
        wake_waiters(w, level);
        return false;
    }
    op = walk_next_op(w, g, (unsigned)thread);
    if (op->kind <= OP_CAS)
        graph_know_location(g, op->location);
    if (op->kind == OP_STORE)
        extend_write(w, level, (unsigned)thread);
    else if (op_reads(op))
        extend_read(w, level, (unsigned)thread);
    else
        walk_add_other(w, g, (unsigned)thread);
    return true;
}

static void visit(struct walk *w, int level)
{
    struct graph_search *s = w->search;

    MUST(level + 1 < WALK_LEVELS);
    if (w->stopped)
        return;
    if (level > 0 && s->give && s->give(s->context, &w->levels[level]))
        return;
    if (level > s->counts.deepest)
        s->counts.deepest = level;
    while (!w->stopped && walk_extend(w, level))
        ;
    if (!w->stopped)
        walk_end(w, &w->levels[level]);
}

/* ---- A search ---- */

void walk_begin(struct walk *w, struct graph_search *s)
{
    *w = (struct walk){.search = s, .random = 1};
    w->levels = mmap(NULL, LEVELS_SIZE, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MUST(w->levels != MAP_FAILED);
}

void walk_free(struct walk *w)
{
    munmap(w->levels, LEVELS_SIZE);
}

void graph_begin(struct graph *g, const struct graph_search *s)
{
    graph_clear(g);
    for (unsigned t = 0; t < s->threads; t++)
        graph_add_thread(g, t, INITIAL, behaviour_root(s->behaviour, t));
}

void graph_search_run(struct graph_search *s, const struct graph *from)
{
    struct walk w;

    walk_begin(&w, s);
    w.take = visit;
    if (from)
        graph_copy(&w.levels[0], from);
    else
        graph_begin(&w.levels[0], s);
    visit(&w, 0);
    walk_free(&w);
}
