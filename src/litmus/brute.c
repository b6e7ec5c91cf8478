/* SPDX-License-Identifier: MIT
 *
 * Candidates, one after the other: a trace of each thread, a source of each
 * load, an order of the stores of each cell.
 */
#include "litmus/brute.h"

#include <string.h>

#include "base/seconds.h"
#include "litmus/brute_inside.h"

#define CANDIDATES_MAX (1u << 20)

struct brute {
    struct unfold *u;
    brute_model *allows;
    found_execution *found;
    void *arg;
    const struct trace *traces[THREADS_MAX];
    struct candidate c;
    int64_t values[BRUTE_EVENTS];
    unsigned order[CELLS_MAX][BRUTE_EVENTS]; /* writes, as co has them */
    unsigned order_count[CELLS_MAX];
    uint64_t candidates;
};

static uint64_t bit(unsigned i)
{
    return (uint64_t)1 << i;
}

/* ---- Is it one? ---- */

static void find_fr(struct candidate *c)
{
    memset(&c->fr, 0, sizeof(c->fr));
    for (unsigned w = 0; w < c->count; w++)
        for (unsigned r = 0; r < c->count; r++)
            if (c->rf.row[w] & bit(r))
                c->fr.row[r] = c->co.row[w] & ~bit(r);
}

static void find_co(struct brute *b)
{
    memset(&b->c.co, 0, sizeof(b->c.co));
    for (size_t cell = 0; cell < b->u->cells.count; cell++)
        for (unsigned i = 0; i < b->order_count[cell]; i++)
            for (unsigned k = i + 1; k < b->order_count[cell]; k++)
                b->c.co.row[b->order[cell][i]] |= bit(b->order[cell][k]);
}

static void judge(struct brute *b)
{
    int64_t memory[CELLS_MAX];
    struct litmus_outcome o = {.memory = memory};

    if (++b->candidates > CANDIDATES_MAX) {
        b->u->why = "too many candidates for brute force";
        return;
    }
    if (b->u->until > 0 && b->candidates % 256 == 0 &&
        seconds_passed() > b->u->until)
        b->u->why = "the time was up";
    find_co(b);
    find_fr(&b->c);
    if (!brute_is_coherent(&b->c) || !b->allows(&b->c, &o.race))
        return;
    for (size_t i = 0; i < b->u->test->thread_count; i++)
        o.registers[i] = b->traces[i]->registers;
    for (size_t i = 0; i < b->u->cells.count; i++)
        memory[i] = b->values[b->order[i][b->order_count[i] - 1]];
    b->found(b->arg, &o);
}

/* ---- co ---- */

static void order_stores(struct brute *b, unsigned event);

/* Everywhere behind the initial write. */
static void place_store(struct brute *b, unsigned event)
{
    int cell = b->c.cell[event];
    unsigned *list = b->order[cell], n = b->order_count[cell];

    for (unsigned at = n; at > 0; at--) {
        memmove(&list[at + 1], &list[at], (n - at) * sizeof(*list));
        list[at] = event;
        b->order_count[cell] = n + 1;
        order_stores(b, event + 1);
        memmove(&list[at], &list[at + 1], (n - at) * sizeof(*list));
        b->order_count[cell] = n;
    }
}

static void order_stores(struct brute *b, unsigned event)
{
    while (event < b->c.count && !(b->c.marks[event] & MARK_W))
        event++;
    if (b->u->why)
        return;
    if (event == b->c.count)
        judge(b);
    else
        place_store(b, event);
}

static void begin_order(struct brute *b)
{
    unsigned cells = (unsigned)b->u->cells.count;

    for (unsigned i = 0; i < cells; i++) {
        b->order[i][0] = i;
        b->order_count[i] = 1;
    }
    order_stores(b, cells);
}

/* ---- rf ---- */

/* A load and a store of one thread and place, in the wrong order, or with a
 * store of that thread between: no order of stores mends that. */
static bool is_hopeless(const struct brute *b, unsigned write, unsigned read)
{
    const struct candidate *c = &b->c;

    if (c->po.row[read] & bit(write))
        return true;
    for (unsigned i = 0; i < c->count; i++)
        if (c->marks[i] & MARK_W && c->cell[i] == c->cell[read] && i != write &&
            c->po.row[i] & bit(read) &&
            (c->thread[write] < 0 || c->po.row[write] & bit(i)))
            return true;
    return false;
}

static void choose_sources(struct brute *b, unsigned event)
{
    struct candidate *c = &b->c;

    while (event < c->count && !(c->marks[event] & MARK_R))
        event++;
    if (b->u->why)
        return;
    if (event == c->count) {
        begin_order(b);
        return;
    }
    for (unsigned w = 0; w < c->count; w++) {
        if (!(c->marks[w] & MARK_W) || c->cell[w] != c->cell[event] ||
            b->values[w] != b->values[event] || is_hopeless(b, w, event))
            continue;
        c->rf.row[w] |= bit(event);
        choose_sources(b, event + 1);
        c->rf.row[w] &= ~bit(event);
    }
}

/* ---- Traces ---- */

static void add_pairs(bits *to, uint64_t sources, unsigned offset, unsigned at)
{
    for (unsigned i = 0; i < at - offset; i++)
        if (sources >> i & 1)
            to->row[offset + i] |= bit(at);
}

static void add_event(struct brute *b, const struct litmus_event *e,
                      unsigned thread, unsigned offset)
{
    struct candidate *c = &b->c;
    unsigned at = c->count++;

    c->marks[at] = e->marks;
    c->cell[at] = e->cell;
    c->thread[at] = (int)thread;
    c->mate[at] = e->rmw < 0 ? -1 : (int)offset + e->rmw;
    c->merges[at] = e->rmw >= 0 && !e->pair;
    b->values[at] = e->value;
    for (unsigned i = offset; i < at; i++)
        c->po.row[i] |= bit(at);
    add_pairs(&c->addr, e->addr, offset, at);
    add_pairs(&c->data, e->data, offset, at);
    add_pairs(&c->ctrl, e->ctrl, offset, at);
    add_pairs(&c->pick_addr, e->pick_addr, offset, at);
    add_pairs(&c->pick_data, e->pick_data, offset, at);
    add_pairs(&c->pick_ctrl, e->pick_ctrl, offset, at);
    if (e->rmw >= 0 && e->pair)
        c->lxsx.row[c->mate[at]] |= bit(at);
    else if (e->rmw >= 0)
        c->amo.row[c->mate[at]] |= bit(at);
}

static void begin_candidate(struct brute *b)
{
    memset(&b->c, 0, sizeof(b->c));
    for (size_t i = 0; i < b->u->cells.count; i++) {
        unsigned at = b->c.count++;

        b->c.marks[at] = MARK_W;
        b->c.cell[at] = (int)i;
        b->c.thread[at] = b->c.mate[at] = -1;
        b->values[at] = b->u->cells.list[i].initial;
    }
    for (unsigned t = 0; t < b->u->test->thread_count; t++) {
        unsigned offset = b->c.count;

        if (offset + b->traces[t]->count > BRUTE_EVENTS) {
            b->u->why = "more events than can be judged";
            return;
        }
        for (size_t i = 0; i < b->traces[t]->count; i++)
            add_event(b, &b->traces[t]->events[i], t, offset);
    }
    choose_sources(b, 0);
}

static void choose_traces(struct brute *b, size_t thread)
{
    if (thread == b->u->test->thread_count) {
        begin_candidate(b);
        return;
    }
    for (size_t i = 0; i < b->u->traces[thread].count && !b->u->why; i++) {
        b->traces[thread] = &b->u->traces[thread].list[i];
        choose_traces(b, thread + 1);
    }
}

bool brute_all(struct unfold *u, const struct model *m, found_execution *found,
               void *arg)
{
    struct brute *b = arena_alloc(u->arena, sizeof(*b));

    memset(b, 0, sizeof(*b));
    b->u = u;
    b->allows = brute_find(m);
    b->found = found;
    b->arg = arg;
    if (!b->allows) {
        u->why = "brute force knows no such model";
        return false;
    }
    choose_traces(b, 0);
    return !u->why;
}
