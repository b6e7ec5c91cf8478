/* SPDX-License-Identifier: MIT
 *
 * The operational monitors of Burnim, Sen and Stergiou (TACAS 2011): the SC
 * execution once more, with stores that wait as long as they can.
 *
 * A store of the SC execution stays pending until something forces it out: it
 * is read by another thread, its thread drains, or it must go before another
 * that goes.  Before each operation e: could a pending store w of another
 * thread to the same memory commit only after e?
 *
 *   e loads: if w happens before e's thread's last operation, that is no SC
 *            execution.
 *   e writes: let w, and what its thread still has pending after it there,
 *            come after e in coherence order; if happens-before is cyclic then,
 *            it is none.  (That w happens before e is not enough: the way from
 *            w to e may lead through a store that changed its place too.)
 *
 * What is pending depends on the interleaving, not on the trace alone: on PSO
 * "st y; ld y; st x; rmw x || ld x; ld y" has a trace of which one interleaving
 * is reported and another is not.  So all of them must be seen.
 *
 * One cell per access; others are a doubt.  Slow, and kept for comparison.
 */
#include "monitor/watcher.h"

#include <string.h>

#include "monitor/past.h"

#define EVENTS_MAX 512
#define NONE UINT32_MAX

struct happened {
    uint32_t thread;
    uint32_t cell; /* NONE: it touches none */
    bool reads, writes, pending;
    int16_t place;     /* of its write in the cell's coherence order */
    uint32_t source;   /* the event it read; NONE: what was there before */
    uint32_t previous; /* of its thread; NONE: none */
    uint32_t after;    /* of another thread: that made it, or that it joined */
    uint32_t ss, sl;   /* fences of its thread before it */
};

struct burnim {
    struct watcher watcher;
    const struct model *model;
    uint32_t count;
    struct happened events[EVENTS_MAX];
    uint32_t last[MONITOR_THREADS_MAX]; /* event of a thread; NONE: none */
    uint32_t ss[MONITOR_THREADS_MAX], sl[MONITOR_THREADS_MAX];
    bool full[MONITOR_THREADS_MAX]; /* a full fence since its last access */
    uint32_t newest[CELLS_MAX];     /* write of a cell; NONE: none */
    /* Of the question that is being asked, by event. */
    bool mark[EVENTS_MAX];  /* must be committed */
    bool moved[EVENTS_MAX]; /* comes after e */
    uint32_t place[EVENTS_MAX], degree[EVENTS_MAX], queue[EVENTS_MAX];
};

static struct burnim *self(struct watcher *w)
{
    return (struct burnim *)w;
}

/* ---- Room ---- */

static bool burnim_map(struct watcher *w)
{
    (void)w;
    return true;
}

static void burnim_forget(struct watcher *w)
{
    self(w)->count = 0;
}

static void burnim_cell(struct watcher *w, uint16_t new)
{
    self(w)->newest[new] = NONE;
}

static void burnim_split(struct watcher *w, uint16_t old, uint16_t new)
{
    (void)old, (void)new;
    w->doubts |= MONITOR_DOUBT_SIZES;
}

/* The next event of a thread; beyond the room the last one again. */
static uint32_t add_event(struct burnim *b, uint32_t thread, uint32_t cell)
{
    uint32_t at = b->count;

    if (at == EVENTS_MAX - 1)
        b->watcher.doubts |= MONITOR_DOUBT_ROOM;
    else
        b->count++;
    b->events[at] = (struct happened){.thread = thread,
                                      .cell = cell,
                                      .source = NONE,
                                      .previous = b->last[thread],
                                      .after = NONE,
                                      .ss = b->ss[thread],
                                      .sl = b->sl[thread]};
    b->last[thread] = at;
    return at;
}

/* ---- Commits ---- */

/* Must the pending store w, older in its thread, go before s? */
static bool goes_first(const struct burnim *b, const struct happened *w,
                       const struct happened *s)
{
    return !b->model->reorders_stores || w->cell == s->cell || w->ss < s->ss;
}

static void clear_marks(struct burnim *b)
{
    memset(b->mark, 0, b->count * sizeof *b->mark);
    memset(b->moved, 0, b->count * sizeof *b->moved);
}

/* Marks what must commit before those that are marked: stores of the same
 * thread, and those to the same cell that are earlier in coherence order.
 * Either were earlier in the execution too. */
static void close_marks(struct burnim *b)
{
    for (uint32_t i = b->count; i-- > 0;) {
        const struct happened *s = &b->events[i];

        for (uint32_t k = 0; k < i && b->mark[i]; k++) {
            const struct happened *w = &b->events[k];

            if (w->pending &&
                (w->thread == s->thread ? goes_first(b, w, s)
                                        : w->cell == s->cell && !b->moved[k]))
                b->mark[k] = true;
        }
    }
}

static void commit_marked(struct burnim *b)
{
    close_marks(b);
    for (uint32_t i = 0; i < b->count; i++)
        if (b->mark[i])
            b->events[i].pending = false;
}

/* What an operation waits for of its own thread's stores: all, those before
 * the last sl or ss, those to that cell. */
struct waits {
    bool all, sl, ss;
    uint32_t cell;
};

static struct waits waits_of(const struct burnim *b, const struct op *op,
                             bool writes)
{
    enum model_construct c = op->act == ACT_LOAD || op->act == ACT_STORE
                                 ? op->construct
                             : writes ? op->if_writes
                                      : op->if_fails;
    uint8_t before = b->model->recipe[c].before;
    bool load = op->act == ACT_LOAD, store = op->act == ACT_STORE;

    return (struct waits){.all = before & FENCE_FULL ||
                                 (writes && before & FENCE_SS) ||
                                 (store && !b->model->reorders_stores) ||
                                 (!load && !store && b->model->rmw_drains_all),
                          .sl = !store,
                          .ss = writes,
                          .cell = load ? NONE : op->cells[0]};
}

static void mark_own(struct burnim *b, uint32_t p, struct waits w)
{
    for (uint32_t i = 0; i < b->count; i++) {
        const struct happened *s = &b->events[i];

        if (s->pending && s->thread == p &&
            (w.all || s->cell == w.cell || (w.sl && s->sl < b->sl[p]) ||
             (w.ss && s->ss < b->ss[p])))
            b->mark[i] = true;
    }
}

static void drain_buffer(struct burnim *b, uint32_t p)
{
    clear_marks(b);
    mark_own(b, p, (struct waits){.all = true, .cell = NONE});
    commit_marked(b);
    b->full[p] = false;
}

/* ---- Fences and threads ---- */

/* A full fence takes effect when its thread goes on: nobody could tell. */
static void pass_fence(struct burnim *b, uint32_t p, uint8_t bits)
{
    b->full[p] |= (bits & FENCE_FULL) != 0;
    b->ss[p] += (bits & FENCE_SS) != 0;
    b->sl[p] += (bits & FENCE_SL) != 0;
}

static void burnim_start(struct watcher *w, uint32_t thread)
{
    struct burnim *b = self(w);

    b->last[thread] = NONE;
    b->ss[thread] = b->sl[thread] = 0;
    b->full[thread] = false;
}

static void burnim_create(struct watcher *w, uint32_t thread, uint32_t child)
{
    struct burnim *b = self(w);
    uint32_t by;

    drain_buffer(b, thread);
    by = add_event(b, thread, NONE);
    b->events[add_event(b, child, NONE)].after = by;
}

/* That it drains its buffer, who joins it will see. */
static void burnim_leave(struct watcher *w, uint32_t thread)
{
    (void)w, (void)thread;
}

static void burnim_join(struct watcher *w, uint32_t thread, uint32_t child)
{
    struct burnim *b = self(w);

    drain_buffer(b, child);
    b->events[add_event(b, thread, NONE)].after = b->last[child];
}

/* ---- Is happens-before cyclic, with the moved stores after e? ---- */

/* Places in coherence order: e is the last event, and the moved ones come
 * after it. */
static void place_all(struct burnim *b)
{
    for (uint32_t i = 0; i < b->count; i++)
        b->place[i] =
            b->events[i].writes ? i + 1 + (b->moved[i] ? EVENTS_MAX : 0) : 0;
}

static uint32_t source_place(const struct burnim *b, uint32_t i)
{
    uint32_t from = b->events[i].source;

    return from == NONE ? 0 : b->place[from];
}

/* Does i happen directly before k? */
static bool leads(const struct burnim *b, uint32_t i, uint32_t k)
{
    const struct happened *x = &b->events[i], *y = &b->events[k];

    if (i == k)
        return false;
    if (y->previous == i || y->after == i)
        return true;
    if (x->cell != y->cell || x->cell == NONE)
        return false;
    return (x->writes && y->writes && b->place[i] < b->place[k]) ||
           (x->writes && y->reads && y->source == i) ||
           (x->reads && y->writes && source_place(b, i) < b->place[k]);
}

static bool is_cyclic(struct burnim *b)
{
    uint32_t done = 0, queued = 0;

    place_all(b);
    for (uint32_t k = 0; k < b->count; k++) {
        b->degree[k] = 0;
        for (uint32_t i = 0; i < b->count; i++)
            b->degree[k] += leads(b, i, k);
        if (!b->degree[k])
            b->queue[queued++] = k;
    }
    for (; done < queued; done++)
        for (uint32_t k = 0; k < b->count; k++)
            if (leads(b, b->queue[done], k) && --b->degree[k] == 0)
                b->queue[queued++] = k;
    return done < b->count;
}

/* ---- Checks ---- */

static void report_store(struct burnim *b, const struct op *op, uint32_t w)
{
    watcher_report(&b->watcher, op,
                   cells_place(op->cells[0], b->events[w].place));
}

static enum op_fate fate_of(struct burnim *b, const struct op *op,
                            int16_t place)
{
    uint64_t value;

    if (op->act == ACT_STORE)
        return FATE_WRITES;
    if (op->act == ACT_LOAD && !(op->h->flags & HAPPENED_AWAIT))
        return FATE_READS;
    if (cells_value(op->cells[0], place, &value))
        return op_fate(op, value);
    b->watcher.doubts |= MONITOR_DOUBT_VALUES;
    return FATE_UNKNOWN;
}

/* e reads what was there before w, and writes nothing. */
static bool may_read(struct burnim *b, const struct op *op, uint32_t w)
{
    uint32_t p = op->thread;
    uint16_t cell = op->cells[0];
    int16_t place = b->events[w].place;

    if (place <= past_own(p, cell) || !past_has(p, cells_place(cell, place)) ||
        fate_of(b, op, (int16_t)(place - 1)) != FATE_READS)
        return false;
    clear_marks(b);
    mark_own(b, p, waits_of(b, op, false));
    close_marks(b);
    return !b->mark[w];
}

/* e writes before w and what its thread still has pending there. */
static bool may_write(struct burnim *b, const struct op *op, uint32_t w)
{
    uint16_t cell = op->cells[0];
    uint32_t e, below = NONE;
    struct waits waits = waits_of(b, op, true);
    bool cyclic;

    clear_marks(b);
    for (uint32_t i = 0; i < b->count; i++) {
        const struct happened *s = &b->events[i];

        if (s->cell != cell || !s->writes)
            continue;
        b->moved[i] = i >= w && s->pending && s->thread == b->events[w].thread;
        b->mark[i] = s->pending && !b->moved[i];
        if (!b->moved[i])
            below = i;
    }
    mark_own(b, op->thread, waits);
    close_marks(b);
    for (uint32_t i = 0; i < b->count; i++)
        if (b->mark[i] && b->moved[i])
            return false;
    if (fate_of(b, op, below == NONE ? 0 : b->events[below].place) !=
        FATE_WRITES)
        return false;
    e = b->last[op->thread];
    add_event(b, op->thread, cell);
    b->events[b->count - 1].writes = true;
    b->events[b->count - 1].reads = op->act != ACT_STORE;
    b->events[b->count - 1].source = below;
    b->moved[b->count - 1] = false;
    cyclic = is_cyclic(b);
    b->count--;
    b->last[op->thread] = e;
    return cyclic;
}

static void burnim_check(struct watcher *watcher, const struct op *op)
{
    struct burnim *b = self(watcher);

    if (op->block)
        b->watcher.doubts |= MONITOR_DOUBT_BLOCKS;
    else if (op->count > 1)
        b->watcher.doubts |= MONITOR_DOUBT_SIZES;
    if (watcher->doubts) /* from now on its picture is wrong */
        return;
    if (b->full[op->thread])
        drain_buffer(b, op->thread);
    for (uint32_t i = 0; i < b->count && !b->watcher.reported; i++) {
        const struct happened *w = &b->events[i];

        if (!w->pending || w->cell != op->cells[0] || w->thread == op->thread)
            continue;
        if ((op->act != ACT_STORE && may_read(b, op, i)) ||
            (op->act != ACT_LOAD && may_write(b, op, i)))
            report_store(b, op, i);
    }
}

/* ---- What happened ---- */

/* It reads, or it is in memory at once: what must be there before is. */
static void settle(struct burnim *b, const struct op *op)
{
    uint16_t cell = op->cells[0];
    uint32_t from = b->newest[cell];
    bool rmw = op->act == ACT_RMW;

    clear_marks(b);
    mark_own(b, op->thread, waits_of(b, op, rmw));
    if (from != NONE && b->events[from].pending &&
        (rmw || b->events[from].thread != op->thread))
        b->mark[from] = true;
    commit_marked(b);
}

static void access(struct burnim *b, const struct op *op)
{
    uint16_t cell = op->cells[0];
    struct happened *e;
    uint32_t at;

    if (b->full[op->thread])
        drain_buffer(b, op->thread);
    if (op->act != ACT_STORE)
        settle(b, op);
    at = add_event(b, op->thread, cell);
    e = &b->events[at];
    e->reads = op->act != ACT_STORE;
    e->source = b->newest[cell];
    e->writes = op->writes[0];
    if (!e->writes)
        return;
    e->place = (int16_t)(cells.list[cell].n + 1);
    e->pending = op->act == ACT_STORE;
    b->newest[cell] = at;
}

static void burnim_step(struct watcher *w, const struct op *op)
{
    struct burnim *b = self(w);
    struct model_recipe recipe = op_recipe(op, b->model);

    pass_fence(b, op->thread, recipe.before);
    if (op->act != ACT_FENCE)
        access(b, op);
    pass_fence(b, op->thread, recipe.after);
}

static const struct watcher_type type = {
    burnim_map,    burnim_forget, burnim_cell, burnim_split, burnim_start,
    burnim_create, burnim_leave,  burnim_join, burnim_check, burnim_step};

static struct burnim tso = {.watcher.type = &type, .model = &model_tso};
static struct burnim pso = {.watcher.type = &type, .model = &model_pso};

struct watcher *const burnim_tso = &tso.watcher;
struct watcher *const burnim_pso = &pso.watcher;
