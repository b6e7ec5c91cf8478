/* SPDX-License-Identifier: MIT
 *
 * Enumerates executions.  What makes it fast:
 *
 * - ppo speaks of one thread only, so it is computed once for each trace.
 * - Coherence and atomicity speak of one cell only.  So for each cell all
 *   choices of co and rf that satisfy both are listed; an execution is one
 *   choice for each cell.
 * - The order of the model grows cell by cell, and the first cycle ends it.
 *
 * Coherence, without a search for cycles: number the stores of a cell in the
 * order of co.  Along po a store's number exceeds all before it, and the number
 * of a load's source is not below any before it.
 */
#include "litmus/execute.h"

#include <string.h>

#include "base/seconds.h"
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
    void (*found)(void *arg, const struct outcome *o);
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

static uint64_t bit(size_t i)
{
    return (uint64_t)1 << i;
}

/* ---- what a trace needs and gives ---- */

static size_t pair_of(const struct search *s, int cell, int64_t value)
{
    const struct cell *c = &s->u->cells.list[cell];

    for (size_t i = 0; i < c->domain.count; i++)
        if (c->domain.list[i] == value)
            return s->pair_base[cell] + i;
    return PAIRS_MAX; /* stored, and no load can know it */
}

static void add_pair(struct pairs *p, size_t pair)
{
    if (pair < PAIRS_MAX)
        p->words[pair / 64] |= bit(pair % 64);
}

static bool within(const struct pairs *small, const struct pairs *large)
{
    for (size_t i = 0; i < PAIRS_MAX / 64; i++)
        if (small->words[i] & ~large->words[i])
            return false;
    return true;
}

static void join_pairs(struct pairs *to, const struct pairs *from)
{
    for (size_t i = 0; i < PAIRS_MAX / 64; i++)
        to->words[i] |= from->words[i];
}

static void find_pairs(struct search *s, size_t thread)
{
    const struct traces *all = &s->u->traces[thread];

    s->needs[thread] =
        arena_array(s->u->arena, all->count + 1, sizeof(struct pairs));
    s->gives[thread] =
        arena_array(s->u->arena, all->count + 1, sizeof(struct pairs));
    for (size_t i = 0; i < all->count; i++) {
        for (size_t j = 0; j < all->list[i].count; j++) {
            const struct litmus_event *e = &all->list[i].events[j];

            if (e->marks & MARK_R)
                add_pair(&s->needs[thread][i], pair_of(s, e->cell, e->value));
            if (e->marks & MARK_W)
                add_pair(&s->gives[thread][i], pair_of(s, e->cell, e->value));
        }
        join_pairs(&s->offers[thread], &s->gives[thread][i]);
    }
}

static bool number_pairs(struct search *s)
{
    size_t count = 0;

    for (size_t i = 0; i < s->cell_count; i++) {
        s->pair_base[i] = count;
        count += s->u->cells.list[i].domain.count;
    }
    if (count > PAIRS_MAX) {
        s->u->why = "too many values";
        return false;
    }
    for (size_t i = s->thread_count; i-- > 0;) {
        s->offers[i] = s->offers[i + 1];
        find_pairs(s, i);
    }
    return true;
}

/* ---- ppo of a trace ---- */

static void mark_event(struct frame *f, uint32_t marks, size_t i)
{
    for (; marks; marks &= marks - 1)
        f->marked[__builtin_ctz(marks)] |= bit(i);
}

static void add_incoming(struct rows *r, uint64_t from, size_t to,
                         size_t offset)
{
    for (; from; from &= from - 1)
        r->row[offset + (size_t)__builtin_ctzll(from)] |= bit(to);
}

/* Relations of a thread whose first event has number `offset'. */
static void fill_thread(struct frame *f, const struct trace *t, size_t offset)
{
    for (size_t i = 0; i < t->count; i++) {
        const struct litmus_event *e = &t->events[i];
        size_t to = offset + i;
        bool seen = false; /* a store between, from here backwards */

        mark_event(f, e->marks, to);
        for (size_t j = i; j-- > 0;) {
            const struct litmus_event *before = &t->events[j];

            f->base[BASE_PO].row[offset + j] |= bit(to);
            if (e->cell < 0 || before->cell != e->cell)
                continue;
            f->base[BASE_PO_LOC].row[offset + j] |= bit(to);
            if (before->marks & MARK_W && e->marks & MARK_R && !seen)
                f->base[BASE_LRS].row[offset + j] |= bit(to);
            seen |= (before->marks & MARK_W) != 0;
        }
        add_incoming(&f->base[BASE_ADDR], e->addr, to, offset);
        add_incoming(&f->base[BASE_DATA], e->data, to, offset);
        add_incoming(&f->base[BASE_CTRL], e->ctrl, to, offset);
        add_incoming(&f->base[BASE_PICK_ADDR], e->pick_addr, to, offset);
        add_incoming(&f->base[BASE_PICK_DATA], e->pick_data, to, offset);
        add_incoming(&f->base[BASE_PICK_CTRL], e->pick_ctrl, to, offset);
        if (e->rmw >= 0) {
            enum relation_base kind = e->pair ? BASE_LXSX : BASE_AMO;

            f->base[BASE_RMW].row[offset + (size_t)e->rmw] |= bit(to);
            f->base[kind].row[offset + (size_t)e->rmw] |= bit(to);
        }
    }
}

/* Both events of an instruction as one node: the load's. */
static void merge_rows(const struct trace *t, struct rows *r)
{
    for (size_t w = 0; w < t->count; w++) {
        const struct litmus_event *e = &t->events[w];
        size_t load = (size_t)e->rmw;

        if (e->rmw < 0 || e->pair)
            continue;
        r->row[load] |= r->row[w];
        r->row[w] = 0;
        for (size_t i = 0; i < t->count; i++)
            if (r->row[i] & bit(w))
                r->row[i] = (r->row[i] & ~bit(w)) | bit(load);
        r->row[load] &= ~bit(load);
    }
}

static void find_ppo(struct search *s, struct trace *t)
{
    struct rows ppo;

    memset(&s->frame, 0, sizeof(s->frame));
    s->frame.count = t->count;
    fill_thread(&s->frame, t, 0);
    evaluate_ppo(s->axioms, &s->frame, &ppo);
    if (s->axioms->source->merge)
        merge_rows(t, &ppo);
    rows_close(&ppo, t->count);
    t->ppo = arena_array(s->u->arena, t->count + 1, sizeof(uint64_t));
    memcpy(t->ppo, ppo.row, t->count * sizeof(uint64_t));
}

/* ---- choices of a cell ---- */

static bool ext(const struct search *s, size_t a, size_t b)
{
    return s->thread[a] != s->thread[b] || s->thread[a] == INITIAL;
}

static void add_edge(const struct search *s, struct choices *c, size_t from,
                     size_t to)
{
    struct edge e = {s->node[from], s->node[to]};

    if (ext(s, from, to) && s->thread[from] != INITIAL)
        VEC_PUSH(&c->edges, e);
}

static void add_edges(const struct search *s, struct choices *c)
{
    unsigned kinds = s->axioms->source->edges;

    for (size_t i = 0; i < c->store_count; i++) {
        size_t w = c->stores[i];

        for (size_t j = 0; kinds & EDGE_COE && j < c->store_count; j++)
            if (s->position[w] < s->position[c->stores[j]])
                add_edge(s, c, w, c->stores[j]);
        for (size_t j = 0; j < c->load_count; j++) {
            size_t r = c->loads[j];

            if (kinds & EDGE_RFE && s->source[r] == w)
                add_edge(s, c, w, r);
            if (kinds & EDGE_FRE && s->position[s->source[r]] < s->position[w])
                add_edge(s, c, r, w);
        }
    }
}

/* Nothing comes between the load and the store of an RMW: of one instruction
 * no store, of a pair none of another thread. */
static bool atomic(const struct search *s, const struct choices *c)
{
    for (size_t i = 0; i < c->store_count; i++) {
        size_t w = c->stores[i], r = s->partner[w];

        if (r == w)
            continue;
        for (size_t j = 0; j < c->store_count; j++) {
            size_t x = c->stores[j];
            bool between = s->position[s->source[r]] < s->position[x] &&
                           s->position[x] < s->position[w];

            if (between && (!s->events[w]->pair || ext(s, x, w)))
                return false;
        }
    }
    return true;
}

static void keep_choice(struct search *s, struct choices *c)
{
    struct choice x = {.first_edge = c->edges.count};

    if (!atomic(s, c))
        return;
    for (size_t i = 0; i < c->store_count; i++)
        x.co[s->position[c->stores[i]]] = c->stores[i];
    for (size_t i = 0; i < c->load_count; i++)
        x.source[i] = s->source[c->loads[i]];
    add_edges(s, c);
    x.edge_count = c->edges.count - x.first_edge;
    VEC_PUSH(c, x);
}

static int64_t value_of(const struct search *s, size_t event)
{
    return s->events[event] ? s->events[event]->value
                            : s->u->cells.list[s->cell[event]].initial;
}

/* From event i of the cell on, with number `at' reached in its thread. */
static void choose_sources(struct search *s, struct choices *c, size_t i,
                           unsigned at)
{
    size_t e;

    if (i == c->event_count) {
        keep_choice(s, c);
        return;
    }
    e = c->events[i];
    if (i > 0 && s->thread[c->events[i - 1]] != s->thread[e])
        at = 0;
    if (s->events[e]->marks & MARK_W) {
        if (s->position[e] > at)
            choose_sources(s, c, i + 1, s->position[e]);
        return;
    }
    for (size_t j = 0; j < c->store_count; j++) {
        size_t w = c->stores[j];

        if (s->position[w] < at || value_of(s, w) != value_of(s, e))
            continue;
        s->source[e] = (uint8_t)w;
        choose_sources(s, c, i + 1, s->position[w]);
    }
}

/* Stores of one thread keep their order: each time the first of those that are
 * left, of any thread. */
static void choose_co(struct search *s, struct choices *c, size_t placed,
                      uint64_t done)
{
    uint32_t tried = 0; /* threads */

    if (placed == c->store_count) {
        choose_sources(s, c, 0, 0);
        return;
    }
    for (size_t i = 1; i < c->store_count; i++) {
        size_t w = c->stores[i];

        if (done & bit(i) || tried & (1u << s->thread[w]))
            continue;
        tried |= 1u << s->thread[w];
        s->position[w] = (uint8_t)placed;
        choose_co(s, c, placed + 1, done | bit(i));
    }
}

static bool list_choices(struct search *s, size_t cell)
{
    struct choices *c = &s->choices[cell];

    VEC_CLEAR(c);
    VEC_CLEAR(&c->edges);
    c->stores[0] = (uint8_t)cell;
    c->store_count = 1;
    c->load_count = c->event_count = 0;
    for (size_t i = s->cell_count; i < s->count; i++) {
        if (s->cell[i] != cell || s->events[i]->cell < 0)
            continue;
        if (c->event_count == CELL_EVENTS_MAX - 1) {
            s->u->why = "a location with too many accesses";
            return false;
        }
        c->events[c->event_count++] = (uint8_t)i;
        if (s->events[i]->marks & MARK_W)
            c->stores[c->store_count++] = (uint8_t)i;
        else
            c->loads[c->load_count++] = (uint8_t)i;
    }
    s->position[cell] = 0;
    choose_co(s, c, 1, 1);
    return c->count > 0;
}

/* ---- one choice for each cell ---- */

static void fill_communication(struct search *s)
{
    struct frame *f = &s->frame;

    for (int b = BASE_RF; b <= BASE_FRE; b++)
        memset(&f->base[b], 0, s->count * sizeof(uint64_t));
    for (size_t cell = 0; cell < s->cell_count; cell++) {
        const struct choices *c = &s->choices[cell];
        const struct choice *x = s->chosen[cell];

        for (size_t i = 0; i < c->store_count; i++)
            for (size_t j = i + 1; j < c->store_count; j++)
                f->base[BASE_CO].row[x->co[i]] |= bit(x->co[j]);
        for (size_t i = 0; i < c->load_count; i++) {
            size_t w = x->source[i], r = c->loads[i];

            f->base[BASE_RF].row[w] |= bit(r);
            f->base[BASE_FR].row[r] = f->base[BASE_CO].row[w] & ~bit(r);
        }
    }
    for (size_t i = 0; i < s->count; i++) {
        uint64_t other = f->base[BASE_EXT].row[i];

        f->base[BASE_RFI].row[i] = f->base[BASE_RF].row[i] & ~other;
        f->base[BASE_RFE].row[i] = f->base[BASE_RF].row[i] & other;
        f->base[BASE_COE].row[i] = f->base[BASE_CO].row[i] & other;
        f->base[BASE_FRE].row[i] = f->base[BASE_FR].row[i] & other;
    }
}

static void tell_execution(struct search *s)
{
    struct outcome o = {.traces = s->traces, .memory = s->memory};

    if (s->axioms->axiom_count) {
        fill_communication(s);
        if (!evaluate_axioms(s->axioms, &s->frame, s->lets))
            return;
        o.race = !evaluate_none(s->axioms, &s->frame, s->lets, "race");
    }
    for (size_t i = 0; i < s->cell_count; i++)
        s->memory[i] =
            value_of(s, s->chosen[i]->co[s->choices[i].store_count - 1]);
    s->found(s->arg, &o);
}

/* Adds an edge to a closed order; false: it would be a cycle. */
static bool extend(struct rows *order, size_t count, struct edge e)
{
    uint64_t beyond = order->row[e.to] | bit(e.to);

    if (beyond & bit(e.from))
        return false;
    if (order->row[e.from] & bit(e.to))
        return true;
    for (size_t i = 0; i < count; i++)
        if (i == e.from || order->row[i] & bit(e.from))
            order->row[i] |= beyond;
    return true;
}

/* Looks at the clock now and then. */
static bool time_is_up(struct search *s)
{
    if (s->u->until > 0 && (s->steps++ & 1023) == 0 &&
        seconds_passed() > s->u->until)
        s->u->why = "the time was up";
    return s->u->why != NULL;
}

static void choose_cells(struct search *s, size_t cell,
                         const struct rows *order)
{
    const struct choices *c = &s->choices[cell];

    if (time_is_up(s))
        return;
    if (cell == s->cell_count) {
        tell_execution(s);
        return;
    }
    for (size_t i = 0; i < c->count; i++) {
        const struct choice *x = &c->list[i];
        struct rows next;
        bool ok = true;

        memcpy(&next, order, s->count * sizeof(uint64_t));
        for (size_t j = 0; ok && j < x->edge_count; j++)
            ok = extend(&next, s->count, c->edges.list[x->first_edge + j]);
        s->chosen[cell] = x;
        if (ok)
            choose_cells(s, cell + 1, &next);
    }
}

/* ---- one trace for each thread ---- */

static void place_initial(struct search *s)
{
    for (size_t i = 0; i < s->cell_count; i++) {
        s->events[i] = NULL;
        s->thread[i] = INITIAL;
        s->cell[i] = s->node[i] = s->partner[i] = (uint8_t)i;
    }
    s->count = s->cell_count;
}

static bool place_thread(struct search *s, size_t thread)
{
    const struct trace *t = s->traces[thread];
    size_t offset = s->count;

    if (offset + t->count > EVENTS_MAX) {
        s->u->why = "more events than can be judged";
        return false;
    }
    for (size_t i = 0; i < t->count; i++) {
        const struct litmus_event *e = &t->events[i];
        size_t at = offset + i;
        size_t half = e->rmw < 0 ? at : offset + (size_t)e->rmw;
        bool one = s->axioms->source->merge && !e->pair;

        s->events[at] = e;
        s->thread[at] = (uint8_t)thread;
        s->cell[at] = (uint8_t)e->cell;
        s->partner[at] = (uint8_t)half;
        s->node[at] = (uint8_t)(one ? half : at);
        s->ppo.row[at] = t->ppo[i] << offset;
    }
    s->count += t->count;
    return true;
}

/* What the model's own axioms need besides rf and co. */
static void fill_frame(struct search *s)
{
    struct frame *f = &s->frame;
    size_t offset = s->cell_count;

    memset(f, 0, sizeof(*f));
    f->count = s->count;
    for (size_t i = 0; i < s->cell_count; i++)
        mark_event(f, MARK_W | MARK_INIT, i);
    for (size_t i = 0; i < s->thread_count; i++) {
        fill_thread(f, s->traces[i], offset);
        offset += s->traces[i]->count;
    }
    for (size_t i = 0; i < s->count; i++) {
        for (size_t j = 0; j < s->count; j++) {
            bool same = s->cell[i] == s->cell[j] && s->cell[i] != 255;
            uint64_t either = f->marked[MARK_NUMBER_W] & (bit(i) | bit(j));
            uint64_t plain = ~f->marked[MARK_NUMBER_ATOMIC] & (bit(i) | bit(j));
            bool initial = i < s->cell_count || j < s->cell_count;

            if (i != j && ext(s, i, j))
                f->base[BASE_EXT].row[i] |= bit(j);
            if (same)
                f->base[BASE_LOC].row[i] |= bit(j);
            if (same && ext(s, i, j) && either && plain && !initial)
                f->base[BASE_CONFLICT].row[i] |= bit(j);
        }
    }
}

static void execute_traces(struct search *s)
{
    place_initial(s);
    memset(&s->ppo, 0, sizeof(s->ppo));
    for (size_t i = 0; i < s->thread_count; i++)
        if (!place_thread(s, i))
            return;
    for (size_t i = 0; i < s->cell_count; i++)
        if (!list_choices(s, i))
            return;
    if (s->axioms->axiom_count)
        fill_frame(s);
    choose_cells(s, 0, &s->ppo);
}

/* Threads before this one have their traces; what they need is given by them,
 * or may be given by those that follow. */
static void choose_traces(struct search *s, size_t thread,
                          const struct pairs *needed, const struct pairs *given)
{
    const struct traces *all = &s->u->traces[thread];

    if (thread == s->thread_count) {
        execute_traces(s);
        return;
    }
    for (size_t i = 0; i < all->count && !s->u->why; i++) {
        struct pairs need = *needed, give = *given, may;

        join_pairs(&need, &s->needs[thread][i]);
        join_pairs(&give, &s->gives[thread][i]);
        may = give;
        join_pairs(&may, &s->offers[thread + 1]);
        if (!within(&need, &may))
            continue;
        s->traces[thread] = &all->list[i];
        choose_traces(s, thread + 1, &need, &give);
    }
}

static void free_search(struct search *s)
{
    for (size_t i = 0; i < 64; i++) {
        VEC_FREE(&s->choices[i]);
        VEC_FREE(&s->choices[i].edges);
    }
    free(s);
}

bool execute_all(struct unfold *u, const struct axioms *x,
                 void (*found)(void *arg, const struct outcome *o), void *arg)
{
    struct search *s = calloc(1, sizeof(*s));
    struct pairs none = {{0}}, initial = {{0}};

    CHECK(s);
    s->u = u;
    s->axioms = x;
    s->found = found;
    s->arg = arg;
    s->thread_count = u->test->thread_count;
    s->cell_count = u->cells.count;
    if (number_pairs(s)) {
        for (size_t i = 0; i < s->thread_count; i++)
            for (size_t j = 0; j < u->traces[i].count; j++)
                find_ppo(s, &u->traces[i].list[j]);
        for (size_t i = 0; i < s->cell_count; i++)
            add_pair(&initial, s->pair_base[i]); /* the domain's first */
        choose_traces(s, 0, &none, &initial);
    }
    free_search(s);
    return !u->why;
}
