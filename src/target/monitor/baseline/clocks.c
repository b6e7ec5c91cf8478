/* SPDX-License-Identifier: MIT
 *
 * TSO by clocks: SOBER's monitor (Burckhardt and Musuvathi, CAV 2008) as it was
 * published, and with its flaw repaired.
 *
 * A clock has two numbers for each thread q: how many of q's
 * loads and of q's stores come before something on TSO, where a store and a
 * later load of its thread keep no order.
 *
 *   lc[p]     what p's later operations come after
 *   sc[p]     what p's stores come after, all of which its later stores do
 *   mc2[a]    what a write of cell a comes after: every access of it
 *   mc1[p][a] what a load of a by p comes after: its newest write
 *
 * On TSO only a load can close the first cycle, so loads are all that is
 * checked.  A load may return an older write than the newest as long as those
 * it skips are of other threads and do not come before it; if one of them
 * happens before it, that is no SC execution.
 *
 * The flaw: a load forwarded from its thread's own store does not come after
 * other threads' stores below that one, for it need not wait until its store
 * has reached memory.  As published p's own store leaves mc1[p][a] as it was,
 * so that p's load does; SOBER misses "st x; ld x; ld y || st y; st x".
 * Repaired, it becomes 0.  (mc1 differs between threads only in who wrote last,
 * so that two clocks per cell are enough.)
 */
#include "monitor/watcher.h"

#include <string.h>
#include <sys/mman.h>

#include "monitor/past.h"

struct clock {
    uint32_t at[2 * MONITOR_THREADS_MAX]; /* loads of q, stores of q, ... */
};

/* Of a cell. */
struct shared {
    struct clock mc2;
    struct clock newest; /* mc1 for all but the writer ... */
    struct clock own;    /* ... and for the writer */
    uint32_t writer;     /* NOBODY: it was an RMW, all are alike */
};

#define NOBODY UINT32_MAX

struct clocks {
    struct watcher watcher;
    bool repaired;
    uint32_t width; /* numbers that are in use, of this execution's threads */
    struct clock *lc, *sc;
    struct shared *shared;
};

static struct clocks *self(struct watcher *w)
{
    return (struct clocks *)w;
}

/* ---- Clocks ---- */

static void lift(const struct clocks *c, struct clock *to,
                 const struct clock *from)
{
    for (uint32_t i = 0; i < c->width; i++)
        if (from->at[i] > to->at[i])
            to->at[i] = from->at[i];
}

static void copy_clock(const struct clocks *c, struct clock *to,
                       const struct clock *from)
{
    memcpy(to->at, from->at, c->width * sizeof *to->at);
}

static uint32_t loads_of(uint32_t thread)
{
    return 2 * thread;
}

static uint32_t stores_of(uint32_t thread)
{
    return 2 * thread + 1;
}

static const struct clock *mc1(const struct clocks *c, uint32_t thread,
                               uint16_t cell)
{
    const struct shared *s = &c->shared[cell];

    return s->writer == thread ? &s->own : &s->newest;
}

/* ---- Room ---- */

static void *map_room(size_t size)
{
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

static bool clocks_map(struct watcher *w)
{
    struct clocks *c = self(w);

    if (c->lc)
        return true;
    c->lc = map_room(MONITOR_THREADS_MAX * sizeof *c->lc);
    c->sc = map_room(MONITOR_THREADS_MAX * sizeof *c->sc);
    c->shared = map_room(CELLS_MAX * sizeof *c->shared);
    return c->lc && c->sc && c->shared;
}

static void clocks_forget(struct watcher *w)
{
    self(w)->width = 0;
}

static void clocks_cell(struct watcher *w, uint16_t new)
{
    struct shared *s = &self(w)->shared[new];

    memset(s, 0, sizeof *s);
    s->writer = NOBODY;
}

static void clocks_split(struct watcher *w, uint16_t old, uint16_t new)
{
    self(w)->shared[new] = self(w)->shared[old];
}

/* ---- Threads and fences ---- */

static void clocks_start(struct watcher *w, uint32_t thread)
{
    struct clocks *c = self(w);

    memset(&c->lc[thread], 0, sizeof c->lc[thread]);
    memset(&c->sc[thread], 0, sizeof c->sc[thread]);
    if (c->width < 2 * (thread + 1))
        c->width = 2 * (thread + 1);
}

static void drain_buffer(struct clocks *c, uint32_t thread)
{
    lift(c, &c->lc[thread], &c->sc[thread]);
}

static void clocks_leave(struct watcher *w, uint32_t thread)
{
    drain_buffer(self(w), thread);
}

static void clocks_create(struct watcher *w, uint32_t thread, uint32_t child)
{
    struct clocks *c = self(w);

    drain_buffer(c, thread);
    copy_clock(c, &c->lc[child], &c->lc[thread]);
}

static void clocks_join(struct watcher *w, uint32_t thread, uint32_t child)
{
    struct clocks *c = self(w);

    lift(c, &c->lc[thread], &c->lc[child]);
}

/* ---- The check ---- */

/* Would the load go on, having read w_place? */
static bool goes_on(const struct op *op, uint16_t cell, int16_t place)
{
    uint64_t value;

    return !(op->h->flags & HAPPENED_AWAIT) ||
           (cells_value(cell, place, &value) &&
            op_fate(op, value) != FATE_WAITS);
}

static void check_cell(struct clocks *c, const struct op *op, uint16_t cell)
{
    uint32_t p = op->thread, at = cells.list[cell].newest;

    for (int16_t k = cells.list[cell].n; k > 0; k--) {
        const struct write *w = &cells.writes[at];

        if (w->thread == p ||
            (uint32_t)w->stamp <= c->lc[p].at[stores_of(w->thread)])
            return;
        if (past_has(p, w) && goes_on(op, cell, (int16_t)(k - 1))) {
            watcher_report(&c->watcher, op, w);
            return;
        }
        at = w->older;
    }
}

static void clocks_check(struct watcher *w, const struct op *op)
{
    struct clocks *c = self(w);

    if (op->act != ACT_LOAD)
        return;
    /* With several cells there is more than one way to leave SC. */
    if (op->count > 1)
        c->watcher.doubts |= MONITOR_DOUBT_SIZES;
    for (uint32_t i = 0; i < op->count && !c->watcher.reported; i++)
        check_cell(c, op, op->cells[i]);
}

/* ---- What happened ---- */

static void load(struct clocks *c, const struct op *op)
{
    struct clock *lc = &c->lc[op->thread];

    for (uint32_t i = 0; i < op->count; i++)
        lift(c, lc, mc1(c, op->thread, op->cells[i]));
    lc->at[loads_of(op->thread)]++;
    for (uint32_t i = 0; i < op->count; i++)
        lift(c, &c->shared[op->cells[i]].mc2, lc);
}

/* A store, an RMW or a block, in which some cells are only read. */
static void store(struct clocks *c, const struct op *op)
{
    uint32_t p = op->thread;
    struct clock ts;
    bool rmw = op->act == ACT_RMW;

    copy_clock(c, &ts, &c->lc[p]);
    lift(c, &ts, &c->sc[p]);
    for (uint32_t i = 0; i < op->count; i++)
        lift(c, &ts,
             op->writes[i] ? &c->shared[op->cells[i]].mc2
                           : mc1(c, p, op->cells[i]));
    ts.at[stores_of(p)]++;
    ts.at[loads_of(p)] += rmw;
    copy_clock(c, &c->sc[p], &ts);
    if (rmw)
        copy_clock(c, &c->lc[p], &ts);
    for (uint32_t i = 0; i < op->count; i++) {
        struct shared *s = &c->shared[op->cells[i]];

        lift(c, &s->mc2, &ts);
        if (!op->writes[i])
            continue;
        if (c->repaired)
            memset(&s->own, 0, sizeof s->own);
        else if (s->writer != p)
            copy_clock(c, &s->own, &s->newest);
        copy_clock(c, &s->newest, &ts);
        s->writer = rmw ? NOBODY : p;
    }
}

static void clocks_step(struct watcher *w, const struct op *op)
{
    struct clocks *c = self(w);
    struct model_recipe recipe = op_recipe(op, &model_tso);
    bool waits = op->act == ACT_FAIL || op->block;

    if (waits || recipe.before & (FENCE_FULL | FENCE_SL))
        drain_buffer(c, op->thread);
    if (op->act == ACT_LOAD || op->act == ACT_FAIL)
        load(c, op);
    else if (op->act != ACT_FENCE)
        store(c, op);
    if (recipe.after & (FENCE_FULL | FENCE_SL))
        drain_buffer(c, op->thread);
}

static const struct watcher_type type = {
    clocks_map,    clocks_forget, clocks_cell, clocks_split, clocks_start,
    clocks_create, clocks_leave,  clocks_join, clocks_check, clocks_step};

static struct clocks as_published = {.watcher.type = &type};
static struct clocks as_repaired = {.watcher.type = &type, .repaired = true};

struct watcher *const sober = &as_published.watcher;
struct watcher *const tso_clocks = &as_repaired.watcher;
