/* SPDX-License-Identifier: MIT
 *
 * Graphs and their changes, as graph.h says.
 */
#include "graph/graph.h"

#include <string.h>

#include "event/must.h"

/* Rows of threads, locations and events are cleared when there is one more. */
void graph_clear(struct graph *g)
{
    memset(g, 0, offsetof(struct graph, of_thread));
}

int graph_predecessor(const struct graph *g, int e)
{
    row own = graph_po_before(g, e);
    int by;

    if (row_any(own))
        return row_last(own);
    by = g->created_by[g->events[e].thread];
    return by >= 0 ? by : NONE;
}

/* ---- Copies ---- */

/* Rows of one event each: a list, so that copying and restricting agree. */
#define EVENT_ROWS(ROWS)                                                       \
    ROWS(porf)                                                                 \
    ROWS(co_after) ROWS(readers) ROWS(before)

#define RELEASE_ROWS(ROWS) ROWS(released) ROWS(pending) ROWS(turns) ROWS(firm)

#define SPREAD_ROWS(ROWS)                                                      \
    ROWS(ii) ROWS(ci) ROWS(ic) ROWS(cc) ROWS(pb) ROWS(strong)

#define LOCATION_ROWS(ROWS) ROWS(writes) ROWS(reads) ROWS(reads_initial)

void graph_copy(struct graph *to, const struct graph *from)
{
    size_t n = (size_t)from->count, threads = from->thread_count,
           locations = from->location_count;

    memcpy(to, from, offsetof(struct graph, of_thread));
    memcpy(to->of_thread, from->of_thread, threads * sizeof *to->of_thread);
    memcpy(to->at, from->at, threads * sizeof *to->at);
    memcpy(to->created_by, from->created_by, threads * sizeof *to->created_by);
    memcpy(to->twin, from->twin, threads * sizeof *to->twin);
    memcpy(to->events, from->events, n * sizeof *to->events);
#define ROWS(name) memcpy(to->name, from->name, n * sizeof *to->name);
    EVENT_ROWS(ROWS)
    if (from->releases) {
        RELEASE_ROWS(ROWS)
    }
    if (from->propagates) {
        SPREAD_ROWS(ROWS)
    }
#undef ROWS
#define ROWS(name) memcpy(to->name, from->name, locations * sizeof *to->name);
    LOCATION_ROWS(ROWS)
#undef ROWS
}

/* ---- Going back ---- */

_Static_assert(GRAPH_THREADS_MAX <= 32, "graph.ended has a bit for each");

static void go_back(struct graph *g, unsigned thread, behaviour_node to)
{
    g->at[thread] = to;
    g->ended &= ~(1u << thread);
}

/* The rows of older events that a new one may change: hb is none. */
static row *order_of(struct graph *g)
{
    return g->releases ? g->turns : g->before;
}

void graph_set_mark(struct graph_mark *m, struct graph *g)
{
    m->count = g->count;
    m->thread_count = g->thread_count;
    m->location_count = g->location_count;
    m->failed = g->failed;
    m->weak = g->weak;
    memcpy(m->order, order_of(g), (size_t)g->count * sizeof *m->order);
    if (g->releases)
        memcpy(m->firm, g->firm, (size_t)g->count * sizeof *m->firm);
}

static void undo_kinds(struct graph *g, row stay)
{
    for (int k = 0; k < GRAPH_KINDS; k++)
        g->kinds[k] &= stay;
}

static void undo_creation(struct graph *g, int e)
{
    for (unsigned t = 0; t < g->thread_count; t++) {
        if (g->created_by[t] == e)
            g->created_by[t] = NONE;
    }
}

static void undo_access(struct graph *g, const struct node_event *n, row stay)
{
    int w;

    if (node_reads(n) && n->rf >= 0)
        g->readers[n->rf] &= stay;
#define ROWS(name) g->name[n->location] &= stay;
    LOCATION_ROWS(ROWS)
#undef ROWS
    if (node_writes(n)) {
        ROW_EACH (w, g->writes[n->location])
            g->co_after[w] &= stay;
    }
}

void graph_undo(struct graph *g, const struct graph_mark *m)
{
    row stay = row_below(m->count);

    while (g->count > m->count) {
        const struct node_event *n = &g->events[--g->count];

        g->of_thread[n->thread] &= stay;
        go_back(g, n->thread, n->before);
        if (n->kind == NODE_CREATE)
            undo_creation(g, g->count);
        else if (node_accesses(n))
            undo_access(g, n, stay);
    }
    undo_kinds(g, stay);
    g->thread_count = m->thread_count;
    g->location_count = m->location_count;
    g->failed = m->failed;
    g->weak = m->weak;
    memcpy(order_of(g), m->order, (size_t)m->count * sizeof *m->order);
    if (g->releases)
        memcpy(g->firm, m->firm, (size_t)m->count * sizeof *m->firm);
}

/* ---- Restrictions ---- */

/* What stays, and its new numbers. */
struct kept {
    row set;
    struct row_squeezer squeezer;
};

static inline int16_t renumber(int16_t e, const struct kept *k)
{
    if (e < k->squeezer.first)
        return e;
    return row_has(k->set, e) ? (int16_t)row_rank(k->set, e) : NONE;
}

static void keep_events(struct graph *to, const struct graph *from,
                        const struct kept *k)
{
    int e, j = k->squeezer.first;

    memcpy(to->events, from->events, (size_t)j * sizeof *to->events);
    ROW_EACH (e, k->set & k->squeezer.moved)
        to->events[j++] = from->events[e];
    for (e = 0; e < to->count; e++) {
        to->events[e].rf = renumber(to->events[e].rf, k);
        to->events[e].mate = renumber(to->events[e].mate, k);
    }
}

static void keep_rows(row *to, const row *from, const struct kept *k)
{
    int e, j = k->squeezer.first;

    row_squeeze_all(to, from, j, &k->squeezer);
    ROW_EACH (e, k->set & k->squeezer.moved)
        row_squeeze_to(&to[j++], &from[e], &k->squeezer);
}

static void keep_threads(struct graph *to, const struct graph *from,
                         const struct kept *k)
{
    for (unsigned t = 0; t < from->thread_count; t++) {
        row gone = from->of_thread[t] & ~k->set;

        MUST(!row_any(gone) || !row_any(from->of_thread[t] & k->set &
                                        ~row_below(row_first(gone))));
        to->of_thread[t] = row_squeeze(from->of_thread[t], &k->squeezer);
        to->at[t] = from->at[t];
        if (row_any(gone))
            go_back(to, t, from->events[row_first(gone)].before);
    }
    for (unsigned t = 0; t < from->thread_count; t++)
        to->created_by[t] = renumber(from->created_by[t], k);
    memcpy(to->twin, from->twin, from->thread_count * sizeof *to->twin);
}

/* An event comes after what its thread did, and after its twin. */
ROW_INLINE row prefix_before(const struct graph *g, int e)
{
    unsigned thread = g->events[e].thread;
    row all = graph_prefix(g, graph_predecessor(g, e));

    return g->has_twins
               ? all | graph_prefix_by_twin(g, thread,
                                            row_rank(g->of_thread[thread], e))
               : all;
}

/* The read is as it was before it had a source: its old one must leave no
 * trace in its prefix. */
ROW_INLINE void forget_source(struct graph *g, int read)
{
    struct node_event *e = &g->events[read];
    row all_but = ~row_of(read);

    if (e->rf >= 0)
        g->readers[e->rf] &= all_but;
    g->reads[e->location] &= all_but;
    g->reads_initial[e->location] &= all_but;
    g->complete &= all_but;
    if (e->parts == 1)
        g->halves &= all_but;
    g->seq_cst &= all_but;
    for (int side = BEFORE_IT; side <= AFTER_IT; side++) {
        for (int k = 0; k < FENCE_KINDS; k++)
            g->fences[side][k] &= all_but; /* they depend on what it reads */
    }
    e->rf = NONE;
    e->mate = NONE;
    g->porf[read] = prefix_before(g, read);
    go_back(g, e->thread, e->before);
}

static __attribute__((cold, noinline)) void forget_sources(struct graph *g,
                                                           int read)
{
    int parts = g->events[read].parts;
    row all = graph_bundle(g, read);

    g->settled &= ~(all & g->claims);
    g->claims &= ~all;
    g->torn &= ~all;
    for (int e = read; e < read + parts; e++)
        forget_source(g, e);
    for (int e = read; e < read + parts; e++)
        g->porf[e] = g->porf[read] | all;
}

static void forget(struct graph *g, int read)
{
    if (row_has(g->bundles, read))
        forget_sources(g, read);
    else
        forget_source(g, read);
}

void graph_restrict(struct graph *to, const struct graph *from, row keep,
                    int read)
{
    struct kept k = {keep, row_squeezer_for(keep)};

    MUST(read == NONE || row_has(keep, read));
    to->count = row_count(keep);
    to->thread_count = from->thread_count;
    to->location_count = from->location_count;
    to->ended = from->ended;
    to->failed = NONE;
    to->releases = from->releases;
    to->propagates = from->propagates;
    to->orders = from->orders;
    to->behaviour = from->behaviour;
    to->weak = from->weak;
    to->has_twins = from->has_twins;
    keep_events(to, from, &k);
#define ROWS(name) keep_rows(to->name, from->name, &k);
    EVENT_ROWS(ROWS)
    if (from->releases) {
        RELEASE_ROWS(ROWS)
    }
    if (from->propagates) {
        SPREAD_ROWS(ROWS)
    }
#undef ROWS
    keep_threads(to, from, &k);
    row_squeeze_all(to->kinds, from->kinds, GRAPH_KINDS, &k.squeezer);
#define ROWS(name)                                                             \
    row_squeeze_all(to->name, from->name, (int)from->location_count,           \
                    &k.squeezer);
    LOCATION_ROWS(ROWS)
#undef ROWS
    if (read != NONE)
        forget(to, row_rank(keep, read));
}

/* ---- New events ---- */

void graph_add_thread(struct graph *g, unsigned thread, int by,
                      behaviour_node root)
{
    MUST(thread < GRAPH_THREADS_MAX);
    for (; g->thread_count <= thread; g->thread_count++) {
        g->of_thread[g->thread_count] = row_none();
        g->created_by[g->thread_count] = NONE;
        g->twin[g->thread_count] = NONE;
    }
    MUST(!row_any(g->of_thread[thread]));
    g->created_by[thread] = (int16_t)by;
    go_back(g, thread, root);
}

/* What is beyond the count may be left from another graph. */
void graph_know_location(struct graph *g, unsigned location)
{
    MUST(location < GRAPH_LOCATIONS_MAX);
    for (; g->location_count <= location; g->location_count++) {
#define ROWS(name) g->name[g->location_count] = row_none();
        LOCATION_ROWS(ROWS)
#undef ROWS
    }
}

static void count_in(struct graph *g, int e)
{
    row me = row_of(e);
    const struct node_event *n = &g->events[e];

    MUST(!node_accesses(n) || n->location < g->location_count);
    switch ((enum node_kind)n->kind) {
    case NODE_RX:
        g->rmws |= me;
        /* fall through */
    case NODE_R:
        g->loads |= me;
        g->prompt |= me;
        return;
    case NODE_W:
    case NODE_WX:
        g->stores |= me;
        return;
    case NODE_CHOICE:
        return;
    case NODE_CREATE:
        g->prompt |= me;
        break;
    case NODE_JOIN:
        g->joins |= me;
        break;
    case NODE_FREE:
        g->frees |= me;
        break;
    case NODE_FENCE:
        break;
    }
    g->fixed |= me;
}

int graph_push(struct graph *g, unsigned thread, enum node_kind kind,
               const struct op *op)
{
    row prefix = graph_prefix_of_next(g, thread), me;
    int e = g->count++;

    MUST(e < GRAPH_EVENTS_MAX && thread < GRAPH_THREADS_MAX);
    me = row_of(e);
    g->events[e] = (struct node_event){
        .kind = (uint8_t)kind,
        .order = op->order,
        .thread = (uint8_t)thread,
        .location = op->location,
        .rf = NONE,
        .mate = NONE,
        .parts = 1,
        .before = g->at[thread],
    };
    g->of_thread[thread] |= me;
    g->porf[e] = prefix;
    g->co_after[e] = g->readers[e] = row_none();
    g->before[e] = row_none();
    if (g->releases)
        g->released[e] = g->pending[e] = g->firm[e] = row_none();
    if (g->propagates) {
#define ROWS(name) g->name[e] = row_none();
        SPREAD_ROWS(ROWS)
#undef ROWS
    }
    if (op->ghost) {
        g->ghosts |= me;
        g->prompt |= me;
    }
    if (op->kind == OP_FENCE && op->everybody)
        g->everybody |= me;
    if ((kind == NODE_R || kind == NODE_W) && op_is_plain(op))
        g->plain |= me;
    count_in(g, e);
    return e;
}

int graph_push_write(struct graph *g, unsigned thread, const struct op *op)
{
    int write = graph_push(g, thread, NODE_W, op);

    g->events[write].value = op->operand;
    g->events[write].construct =
        (uint8_t)model_construct_of(EV_STORE, op->order);
    return write;
}

int graph_push_write_of(struct graph *g, int read, uint64_t value)
{
    const struct node_event from = g->events[read];
    struct op op = {.order = from.order,
                    .ghost = row_has(g->ghosts, read),
                    .location = from.location};
    int write = graph_push(g, from.thread, NODE_WX, &op);

    g->events[write].before = from.before;
    g->events[write].construct = from.construct;
    g->events[write].value = value;
    if (row_has(g->rmws, read))
        g->rmws |= row_of(write);
    return write;
}

/* Events from `first` on, pushed one by one, are those of one bundle. */
static int tie_bundle(struct graph *g, int first, int parts)
{
    row all = row_below(first + parts) & ~row_below(first);

    for (int i = 0; i < parts; i++) {
        g->events[first + i].part = (uint8_t)i;
        g->events[first + i].parts = (uint8_t)parts;
        g->porf[first + i] = g->porf[first] | all;
    }
    g->bundles |= all;
    g->halves |= all;
    return first;
}

int graph_push_bundle(struct graph *g, unsigned thread, enum node_kind kind,
                      const struct op *op, const struct graph_parts *parts)
{
    struct op one = *op;
    int first = g->count;

    for (int i = 0; i < parts->count; i++) {
        one.location = parts->location[i];
        one.ghost = parts->ghost[i];
        graph_push(g, thread, kind, &one);
    }
    if (op->kind == OP_ATOMIC)
        g->blocks |= row_below(g->count) & ~row_below(first);
    return tie_bundle(g, first, parts->count);
}

int graph_push_writes(struct graph *g, unsigned thread, const struct op *op,
                      const struct graph_puts *puts)
{
    struct op one = *op;
    int first = g->count;

    for (int i = 0; i < puts->count; i++) {
        one.location = puts->location[i];
        one.operand = puts->value[i];
        graph_push_write(g, thread, &one);
    }
    return tie_bundle(g, first, puts->count);
}

int graph_push_writes_of(struct graph *g, int read,
                         const struct graph_puts *puts)
{
    int first = g->count;

    for (int i = 0; i < puts->count; i++) {
        int part = read + puts->part[i];

        g->events[graph_push_write_of(g, part, puts->value[i])].mate =
            (int16_t)part;
    }
    return tie_bundle(g, first, puts->count);
}

/* ---- Other parts ---- */

static int16_t moved(int16_t e, int from, int by)
{
    return e < from ? e : (int16_t)(e + by);
}

static void move_rows(row *rows, int count, int from, int by)
{
    memmove(rows + from + by, rows + from,
            (size_t)(count - from) * sizeof *rows);
    for (int e = 0; e < count + by; e++)
        rows[e] = row_move(rows[e], from, by);
}

/* Events from `from` on are renumbered by so many. */
static void move_events(struct graph *g, int from, int by)
{
    memmove(g->events + from + by, g->events + from,
            (size_t)(g->count - from) * sizeof *g->events);
#define ROWS(name) move_rows(g->name, g->count, from, by);
    EVENT_ROWS(ROWS)
#undef ROWS
    for (int k = 0; k < GRAPH_KINDS; k++)
        g->kinds[k] = row_move(g->kinds[k], from, by);
    for (unsigned l = 0; l < g->location_count; l++) {
#define ROWS(name) g->name[l] = row_move(g->name[l], from, by);
        LOCATION_ROWS(ROWS)
#undef ROWS
    }
    for (unsigned t = 0; t < g->thread_count; t++) {
        g->of_thread[t] = row_move(g->of_thread[t], from, by);
        g->created_by[t] = moved(g->created_by[t], from, by);
    }
    g->count += by;
    for (int e = 0; e < g->count; e++) {
        g->events[e].rf = moved(g->events[e].rf, from, by);
        g->events[e].mate = moved(g->events[e].mate, from, by);
    }
}

void graph_set_parts(struct graph *g, int read, const struct graph_parts *parts)
{
    const struct node_event like = g->events[read];
    int end = read + parts->count;
    row prefix = graph_prefix(g, graph_predecessor(g, read)), all;

    MUST(g->count + parts->count - like.parts <= GRAPH_EVENTS_MAX);
    if (parts->count != like.parts)
        move_events(g, read + like.parts, parts->count - like.parts);
    for (int i = 0; i < parts->count; i++)
        graph_know_location(g, parts->location[i]);
    all = row_below(end) & ~row_below(read);
    g->of_thread[like.thread] |= all;
    for (int k = 0; k < GRAPH_KINDS; k++)
        g->kinds[k] =
            row_has(g->kinds[k], read) ? g->kinds[k] | all : g->kinds[k] & ~all;
    for (int e = read; e < end; e++) {
        g->events[e] = like;
        g->events[e].location = parts->location[e - read];
        g->co_after[e] = g->readers[e] = g->before[e] = row_none();
        g->porf[e] = prefix;
        g->ghosts &= ~row_of(e);
        if (parts->ghost[e - read])
            g->ghosts |= row_of(e);
    }
    tie_bundle(g, read, parts->count);
}

void graph_set_effect(struct graph *g, int read, const struct effect *effect)
{
    struct node_event *e = &g->events[read];
    row me = row_of(read);

    e->order = effect->order;
    e->construct = effect->construct;
    if (e->kind != NODE_RX)
        return;
    g->loads = effect->store_like ? g->loads & ~me : g->loads | me;
    g->prompt = effect->store_like ? g->prompt & ~me : g->prompt | me;
    g->rmws = effect->store_like ? g->rmws & ~me : g->rmws | me;
}

static __attribute__((cold, noinline)) void share_porf(struct graph *g,
                                                       int read)
{
    int e;

    ROW_EACH (e, graph_bundle(g, read))
        g->porf[e] |= g->porf[read];
}

void graph_set_source(struct graph *g, int read, int source, uint64_t value)
{
    struct node_event *e = &g->events[read];

    MUST(node_reads(e) && e->rf == NONE);
    e->rf = (int16_t)source;
    e->value = value;
    g->reads[e->location] |= row_of(read);
    if (source < 0) {
        g->reads_initial[e->location] |= row_of(read);
        return;
    }
    MUST(node_writes(&g->events[source]) &&
         g->events[source].location == e->location);
    g->readers[source] |= row_of(read);
    g->porf[read] |= graph_prefix(g, source);
    if (e->parts > 1)
        share_porf(g, read);
}

void graph_claim(struct graph *g, int read)
{
    row all = graph_bundle(g, read);

    g->claims |= all;
    g->settled |= all;
    g->ended |= 1u << g->events[read].thread;
}

void graph_place_write(struct graph *g, int write, int before)
{
    unsigned location = g->events[write].location;
    row after = graph_co_after(g, before, location), me = row_of(write);
    int w;

    g->co_after[write] = after;
    ROW_EACH (w, g->writes[location] & ~after)
        g->co_after[w] |= me;
    g->writes[location] |= me;
}

void graph_join_halves(struct graph *g, int read, int write)
{
    g->events[read].mate = (int16_t)write;
    g->events[write].mate = (int16_t)read;
    g->complete |= row_of(read);
    g->halves |= row_of(read) | row_of(write);
}
