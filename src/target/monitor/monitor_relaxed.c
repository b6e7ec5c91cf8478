/* SPDX-License-Identifier: MIT
 *
 * One monitor for TSO, PSO and PSLO; a model is its flags and recipes.
 *
 * Let e be what thread p does next, on cell a whose writes are w_1 ... w_n.
 * Placed before w_j, e leaves SC iff w_j happens before p's last operation
 * (j <= hi), and the model allows it iff w_j does not come before e in what the
 * model keeps in order (j > lo), e being no older than what p wrote or read
 * there itself.  So lo < hi is the violation; if e writes, w_j must be blind,
 * for an RMW has what it read right before it.  Both numbers depend
 * on the past of p's last operation alone, so that any execution of a trace
 * gives the same answer.
 *
 * Views, of what comes before ...
 *
 *   LS   p's later stores, RMWs and CASes       SS   those after the last ss
 *   LL   p's later loads (only PSLO has one     SL   those that read, after
 *        of its own, else LS is meant)               the last sl
 *   PS   all of p's writes so far
 *
 * LS has all of SL once p has read something, and all of PS, SS and SL after a
 * full fence: the flags ps, ss and sl say when they need looking at.  On TSO SS
 * is PS.
 */
#include "monitor/watcher.h"

#include <string.h>

#include "event/must.h"
#include "monitor/past.h"
#include "monitor/view.h"

enum { LS, PS, SS, SL, LL, RELAXED_VIEWS };

struct relaxed {
    struct watcher watcher;
    const struct model *model;
    struct views threads; /* RELAXED_VIEWS each */
    struct views writes;  /* of a cell: what comes before its newest write */
    struct views all;     /* ... or before any access; if reads[cell] */
    bool reads[CELLS_MAX];
    bool ss[MONITOR_THREADS_MAX]; /* its view SS says more than LS */
    bool sl[MONITOR_THREADS_MAX]; /* SL likewise */
    bool ps[MONITOR_THREADS_MAX]; /* PS likewise */
    bool ls[MONITOR_THREADS_MAX]; /* LS more than LL */
    bool reorders; /* there was something that the model may reorder */
    bool unsure;   /* and a block that might have done other things */
};

static struct view *thread_view(const struct relaxed *m, uint32_t thread,
                                uint32_t which)
{
    return view_of(&m->threads, thread * RELAXED_VIEWS + which);
}

static bool fifo(const struct relaxed *m)
{
    return !m->model->reorders_stores;
}

/* The view for later loads. */
static struct view *loads_of(const struct relaxed *m, uint32_t thread)
{
    return thread_view(m, thread, m->model->reorders_loads ? LL : LS);
}

/* ---- Room ---- */

static struct relaxed *self(struct watcher *w)
{
    return (struct relaxed *)w;
}

static bool relaxed_map(struct watcher *w)
{
    struct relaxed *m = self(w);

    return views_map(&m->threads, MONITOR_THREADS_MAX * RELAXED_VIEWS) &&
           views_map(&m->writes, CELLS_MAX) && views_map(&m->all, CELLS_MAX);
}

static void relaxed_forget(struct watcher *w)
{
    struct relaxed *m = self(w);

    m->threads.count = m->writes.count = m->all.count = 0;
    m->reorders = m->unsure = false;
}

static void relaxed_cell(struct watcher *w, uint16_t new)
{
    struct relaxed *m = self(w);

    MUST(new == m->writes.count &&new < CELLS_MAX);
    m->writes.count = m->all.count = new + 1u;
    view_clear(view_of(&m->writes, new));
    view_clear(view_of(&m->all, new));
    m->reads[new] = false;
}

static void relaxed_split(struct watcher *w, uint16_t old, uint16_t new)
{
    struct relaxed *m = self(w);

    MUST(old < new && new < m->writes.count);
    views_split(&m->threads, old, new);
    views_split(&m->writes, old, new);
    views_split(&m->all, old, new);
    view_copy(view_of(&m->writes, new), view_of(&m->writes, old));
    view_copy(view_of(&m->all, new), view_of(&m->all, old));
    m->reads[new] = m->reads[old];
}

/* ---- Fences ---- */

/* LS has all that they have. */
static void forget_fences(struct relaxed *m, uint32_t p)
{
    if (m->ss[p])
        view_clear(thread_view(m, p, SS));
    if (m->sl[p])
        view_clear(thread_view(m, p, SL));
    m->ss[p] = m->sl[p] = false;
}

static void drain_buffer(struct relaxed *m, uint32_t p)
{
    if (!m->ps[p])
        return;
    view_join(thread_view(m, p, LS), thread_view(m, p, PS));
    m->ps[p] = false;
    m->ls[p] = true;
    forget_fences(m, p);
}

static void pass_fence(struct relaxed *m, uint32_t p, uint8_t bits)
{
    bool has_ll = m->model->reorders_loads;

    if (bits & FENCE_FULL) {
        drain_buffer(m, p);
        bits = FENCE_LL;
    }
    if (bits & FENCE_SS && !fifo(m) && m->ps[p]) {
        view_join(thread_view(m, p, SS), thread_view(m, p, PS));
        m->ss[p] = true;
    }
    if (bits & FENCE_SL) {
        view_join(thread_view(m, p, SL), thread_view(m, p, PS));
        if (has_ll)
            view_join(thread_view(m, p, LL), thread_view(m, p, PS));
        m->sl[p] = true;
    }
    if (bits & FENCE_LL && has_ll && m->ls[p]) {
        view_join(thread_view(m, p, LL), thread_view(m, p, LS));
        m->ls[p] = false;
    }
}

/* ---- Threads ---- */

static void relaxed_start(struct watcher *w, uint32_t thread)
{
    struct relaxed *m = self(w);

    MUST(thread < MONITOR_THREADS_MAX);
    for (uint32_t i = 0; i < RELAXED_VIEWS; i++)
        view_clear(thread_view(m, thread, i));
    m->ss[thread] = m->sl[thread] = m->ps[thread] = m->ls[thread] = false;
    if (m->threads.count < (thread + 1) * RELAXED_VIEWS)
        m->threads.count = (thread + 1) * RELAXED_VIEWS;
}

static void relaxed_create(struct watcher *w, uint32_t thread, uint32_t child)
{
    struct relaxed *m = self(w);

    drain_buffer(m, thread);
    view_copy(thread_view(m, child, LS), thread_view(m, thread, LS));
    view_copy(thread_view(m, child, LL), thread_view(m, thread, LS));
}

static void relaxed_leave(struct watcher *w, uint32_t thread)
{
    drain_buffer(self(w), thread);
}

/* A join looks at memory as it is, and lets the joiner's stores wait on. */
static void relaxed_join(struct watcher *w, uint32_t thread, uint32_t child)
{
    struct relaxed *m = self(w);

    view_join(thread_view(m, thread, LS), thread_view(m, child, LS));
    m->ls[thread] = true;
    pass_fence(m, thread, FENCE_LL);
}

/* ---- Checks ---- */

static int16_t most(int16_t a, int16_t b)
{
    return a > b ? a : b;
}

static void report_place(struct relaxed *m, const struct op *op, uint16_t cell,
                         int16_t place)
{
    MUST(place <= cells.list[cell].n);
    watcher_report(&m->watcher, op, cells_place(cell, place));
}

/* The newest write of the cell that a model keeps before the operation, as far
 * as it reads, with those fences before it. */
static int16_t low_of(const struct relaxed *m, const struct op *op,
                      uint16_t cell, uint8_t before)
{
    uint32_t p = op->thread;
    bool load = op->act == ACT_LOAD;
    int16_t lo = past_own(p, cell);

    lo = most(lo,
              view_lane(load ? loads_of(m, p) : thread_view(m, p, LS), cell));
    if (load)
        lo = most(lo, past_read(p, cell));
    if (m->sl[p] && op->act != ACT_STORE)
        lo = most(lo, view_lane(thread_view(m, p, SL), cell));
    if (before & FENCE_FULL && load)
        lo = most(lo, view_lane(thread_view(m, p, LS), cell));
    if (before & FENCE_FULL ||
        (m->model->rmw_drains_all && !load && op->act != ACT_STORE))
        lo = most(lo, view_lane(thread_view(m, p, PS), cell));
    MUST(lo >= 0 && lo <= cells.list[cell].n);
    return lo;
}

/* The same as far as it writes. */
static int16_t low_of_write(const struct relaxed *m, const struct op *op,
                            uint16_t cell, uint8_t before)
{
    uint32_t p = op->thread;
    int16_t lo = low_of(m, op, cell, before);

    if (fifo(m) || before & FENCE_SS)
        lo = most(lo, view_lane(thread_view(m, p, PS), cell));
    if (m->ss[p])
        lo = most(lo, view_lane(thread_view(m, p, SS), cell));
    MUST(lo <= cells.list[cell].n);
    return lo;
}

static void check_load(struct relaxed *m, const struct op *op, uint16_t cell,
                       int16_t hi)
{
    uint8_t before = m->model->recipe[op->construct].before;
    int16_t lo = low_of(m, op, cell, before);

    for (int16_t j = (int16_t)(lo + 1); j <= hi; j++) {
        uint64_t value;

        if (!(op->h->flags & HAPPENED_AWAIT)) {
            report_place(m, op, cell, j);
            return;
        }
        if (!cells_value(cell, (int16_t)(j - 1), &value)) {
            m->watcher.doubts |= MONITOR_DOUBT_VALUES;
        } else if (op_fate(op, value) != FATE_WAITS) {
            report_place(m, op, cell, j);
            return;
        }
    }
}

static void check_store(struct relaxed *m, const struct op *op, uint16_t cell,
                        int16_t hi)
{
    uint8_t before = m->model->recipe[op->construct].before;
    int16_t lo = low_of_write(m, op, cell, before);

    for (int16_t j = (int16_t)(lo + 1); j <= hi; j++)
        if (cells_place(cell, j)->blind) {
            report_place(m, op, cell, j);
            return;
        }
}

/* May an RMW go right before w_j, if it reads that value? */
static bool may_place(struct relaxed *m, const struct op *op, uint16_t cell,
                      int16_t j, uint64_t value, bool known)
{
    const struct model_recipe *recipe = m->model->recipe;
    int16_t read_low = low_of(m, op, cell, recipe[op->if_fails].before);
    int16_t write_low = low_of_write(m, op, cell, recipe[op->if_writes].before);
    bool writes = j > write_low && cells_place(cell, j)->blind;
    bool reads = j > read_low;
    enum op_fate fate = known ? op_fate(op, value) : FATE_UNKNOWN;

    if (fate == FATE_WAITS)
        return false;
    if (fate == FATE_WRITES)
        return writes;
    if (fate == FATE_READS)
        return reads;
    if (reads != writes)
        m->watcher.doubts |= MONITOR_DOUBT_VALUES;
    return reads && writes;
}

static void check_rmw(struct relaxed *m, const struct op *op, uint16_t cell,
                      int16_t hi)
{
    for (int16_t j = (int16_t)(low_of(m, op, cell, 0) + 1); j <= hi; j++) {
        uint64_t value = 0;
        bool known = cells_value(cell, (int16_t)(j - 1), &value);

        if (may_place(m, op, cell, j, value, known)) {
            report_place(m, op, cell, j);
            return;
        }
    }
}

/* ---- Checks of operations on several cells ----
 *
 * Such an operation e leaves SC also if w_j, which it comes before in cell a,
 * happens before an access of another cell b that e comes after.  And placed
 * before w_j, e comes before all that the model keeps after w_j, in its other
 * cells too.  What that is would need the views of accesses other than the
 * newest; where the answer hangs on one of those, it is a doubt. */

/* What the model keeps before e in another of its cells: its newest write or,
 * if e writes there, every access. */
static const struct view *kept_before(const struct relaxed *m, uint16_t cell,
                                      bool writes)
{
    return view_of(writes && m->reads[cell] ? &m->all : &m->writes, cell);
}

/* The newest write of cell number `i` of e that e would leave SC before, as
 * far as hb and the other cells go. */
static int16_t high_of(const struct relaxed *m, const struct op *op, uint32_t i,
                       const bool *writes)
{
    uint16_t cell = op->cells[i];
    int16_t hi = past_hb(op->thread, cell, 0);

    MUST(hi >= 0 && hi <= cells.list[cell].n);
    for (uint32_t k = 0; k < op->count; k++) {
        uint16_t other = op->cells[k];
        int16_t kept = view_lane(kept_before(m, other, writes[k]), cell);

        if (k != i)
            hi = most(hi, past_before(other, writes[k], cell, kept));
    }
    return hi;
}

/* The newest write of another cell that a load cannot come before, although
 * later loads may pass it: what its thread has read there, or written by an
 * RMW.  0: none. */
static int16_t anchor(const struct op *op, uint16_t other)
{
    int16_t own = past_own(op->thread, other);
    int16_t read = past_read(op->thread, other);

    if (read > own)
        return read;
    return own && !cells_place(other, own)->plain ? own : 0;
}

static void check_wide_load(struct relaxed *m, const struct op *op,
                            uint16_t cell, int16_t hi)
{
    bool doubt = op->h->flags & HAPPENED_AWAIT;

    for (uint32_t i = 0; i < op->count && m->model->reorders_loads; i++) {
        uint16_t other = op->cells[i];
        int16_t at = anchor(op, other);

        if (other == cell || !at)
            continue;
        if (at < cells.list[other].n)
            doubt = true;
        else if (view_lane(view_of(&m->writes, other), cell) >= hi)
            return;
    }
    if (doubt)
        m->watcher.doubts |= MONITOR_DOUBT_SIZES;
    else
        report_place(m, op, cell, hi);
}

/* What e would read, placed before w_j of cell number i and after all of the
 * others. */
static enum op_fate wide_fate(const struct op *op, uint32_t i, int16_t j)
{
    uint64_t value = 0;

    for (uint32_t k = 0; k < op->count; k++) {
        const struct cell *c = &cells.list[op->cells[k]];
        uint64_t skipped = c->address - op->h->address, part;

        if (!cells_value(op->cells[k], k == i ? (int16_t)(j - 1) : c->n,
                         &part) ||
            skipped >= 8)
            return FATE_UNKNOWN;
        value |= part << 8 * skipped;
    }
    return op_fate(op, value);
}

/* Is it certain that e may come before w_j there, and go on like that? */
static bool is_sure(const struct relaxed *m, const struct op *op, uint32_t i,
                    int16_t j, const bool *writes)
{
    for (uint32_t k = 0; k < op->count; k++)
        if (k != i && view_lane(kept_before(m, op->cells[k], writes[k]),
                                op->cells[i]) >= j)
            return false;
    return op->act == ACT_STORE || wide_fate(op, i, j) != FATE_UNKNOWN;
}

/* A store, RMW or CAS, if it writes, or if it does not. */
static void check_wide_write(struct relaxed *m, const struct op *op, uint32_t i,
                             bool does_write)
{
    const struct model_recipe *recipe = m->model->recipe;
    uint16_t cell = op->cells[i];
    bool writes[CELLS_AT_ONCE];
    int16_t j, lo;

    memset(writes, does_write, sizeof writes);
    lo = does_write ? low_of_write(m, op, cell, recipe[op->if_writes].before)
                    : low_of(m, op, cell, recipe[op->if_fails].before);
    for (j = high_of(m, op, i, writes); j > lo && !m->watcher.reported; j--) {
        if (does_write && !cells_place(cell, j)->blind)
            continue;
        if (!is_sure(m, op, i, j, writes)) {
            m->watcher.doubts |= MONITOR_DOUBT_SIZES;
            return;
        }
        if (op->act == ACT_STORE ||
            wide_fate(op, i, j) == (does_write ? FATE_WRITES : FATE_READS))
            report_place(m, op, cell, j);
    }
}

static void check_wide(struct relaxed *m, const struct op *op)
{
    uint8_t before = m->model->recipe[op->construct].before;

    for (uint32_t i = 0; i < op->count && !m->watcher.reported; i++) {
        if (op->act == ACT_LOAD) {
            int16_t hi = high_of(m, op, i, op->writes);

            if (hi > low_of(m, op, op->cells[i], before))
                check_wide_load(m, op, op->cells[i], hi);
            continue;
        }
        if (fifo(m)) /* a load is enough to close any cycle */
            return;
        check_wide_write(m, op, i, true);
        if (op->act != ACT_STORE && !m->watcher.reported)
            check_wide_write(m, op, i, false);
        /* Had it written, it would come after loads that it need not come
         * after now. */
        if (op->act == ACT_FAIL &&
            cells.list[op->cells[i]].n > low_of_write(m, op, op->cells[i], 0))
            m->watcher.doubts |= MONITOR_DOUBT_SIZES;
    }
}

/* Could it read another value there? */
static bool may_differ(const struct relaxed *m, const struct op *op,
                       uint16_t cell)
{
    int16_t n = cells.list[cell].n;
    uint64_t value, now;

    for (int16_t j = low_of_write(m, op, cell, 0); j < n; j++)
        if (!cells_value(cell, n, &now) || !cells_value(cell, j, &value) ||
            value != now)
            return true;
    return false;
}

/* With another value, a block might do other things, in other cells; which of
 * them another thread has reached when it comes to the block is left open by
 * the trace. */
static void check_block(struct relaxed *m, const struct op *op)
{
    for (uint32_t i = 0; i < op->count && !fifo(m); i++)
        if (high_of(m, op, i, op->writes) >
                low_of_write(m, op, op->cells[i], 0) ||
            (op->reads[i] && may_differ(m, op, op->cells[i])))
            m->unsure = true;
}

static void relaxed_check(struct watcher *w, const struct op *op)
{
    struct relaxed *m = self(w);
    uint32_t p = op->thread;
    uint16_t cell = op->cells[0];
    const struct view *before =
        op->act == ACT_LOAD ? loads_of(m, p) : thread_view(m, p, LS);
    int16_t lo = view_lane(before, cell), hi;

    if (op->block)
        check_block(m, op);
    else if (op->count > 1)
        check_wide(m, op);
    else if (lo == cells.list[cell].n || !(hi = past_hb(p, cell, lo)))
        return; /* nearly always */
    else if (op->act == ACT_LOAD)
        check_load(m, op, cell, hi);
    else if (op->act == ACT_STORE)
        check_store(m, op, cell, hi);
    else
        check_rmw(m, op, cell, hi);
}

/* ---- What happened ---- */

/* A load takes its value from its own thread's store without waiting for it to
 * reach memory. */
static bool is_forwarded(const struct op *op, uint16_t cell)
{
    const struct cell *c = &cells.list[cell];

    return op->act == ACT_LOAD && c->n && c->plain && c->writer == op->thread;
}

/* `to` comes after the newest write of the cell; if it does already, then also
 * after all that comes before that one. */
static bool after_write(const struct relaxed *m, struct view *to, uint16_t cell)
{
    if (view_lane(to, cell) >= cells.list[cell].n)
        return false;
    view_join(to, view_of(&m->writes, cell));
    return true;
}

static void note_read(struct relaxed *m, const struct view *t, uint16_t cell)
{
    struct view *all = view_of(&m->all, cell);

    view_unite(all, m->reads[cell] ? all : view_of(&m->writes, cell), t);
    m->reads[cell] = true;
}

static void settle_sl(struct relaxed *m, uint32_t p)
{
    if (!m->sl[p])
        return;
    view_join(thread_view(m, p, LS), thread_view(m, p, SL));
    view_clear(thread_view(m, p, SL));
    m->sl[p] = false;
    m->ls[p] = true;
}

/* A load, or a CAS that fails. */
static void note_reads(struct relaxed *m, const struct op *op)
{
    uint32_t p = op->thread;
    struct view *ls = thread_view(m, p, LS);

    settle_sl(m, p);
    if (op->act == ACT_FAIL && m->model->rmw_drains_all)
        drain_buffer(m, p);
    for (uint32_t i = 0; i < op->count; i++)
        if (!is_forwarded(op, op->cells[i]))
            m->ls[p] |= after_write(m, ls, op->cells[i]);
    for (uint32_t i = 0; i < op->count; i++)
        note_read(m, op->act == ACT_LOAD ? loads_of(m, p) : ls, op->cells[i]);
    /* Later loads may pass this one, and it does not come after the earlier
     * ones; but what it read in one cell came before what it read in another.
     */
    for (uint32_t i = 0; i < op->count && op->count > 1; i++)
        for (uint32_t k = 0; k < op->count; k++)
            if (!is_forwarded(op, op->cells[i]))
                after_write(m, view_of(&m->all, op->cells[k]), op->cells[i]);
}

/* All that comes before a write to these cells, in the view of the first. */
static struct view *gather_before(struct relaxed *m, const struct op *op)
{
    uint32_t p = op->thread;
    uint16_t cell = op->cells[0];
    struct view *t = view_of(&m->writes, cell);
    bool drains = op->act == ACT_RMW && m->model->rmw_drains_all;

    view_unite(t, m->reads[cell] ? view_of(&m->all, cell) : t,
               thread_view(m, p, LS));
    for (uint32_t i = 1; i < op->count; i++)
        view_join(t, view_of(m->reads[op->cells[i]] ? &m->all : &m->writes,
                             op->cells[i]));
    if (m->ss[p])
        view_join(t, thread_view(m, p, SS));
    if (m->ps[p] && (fifo(m) || drains))
        view_join(t, thread_view(m, p, PS));
    if (op->act == ACT_RMW && m->sl[p])
        view_join(t, thread_view(m, p, SL));
    return t;
}

/* The numbers of the writes go in last: whole blocks are copied before, and a
 * processor would wait for a small store in one of them. */
static void set_places(struct view *t, const struct op *op)
{
    for (uint32_t i = 0; i < op->count; i++)
        if (op->writes[i])
            view_set(t, op->cells[i],
                     (int16_t)(cells.list[op->cells[i]].n + 1));
}

static void note_writes(struct relaxed *m, const struct op *op)
{
    uint32_t p = op->thread;
    struct view *t = gather_before(m, op), *ps = thread_view(m, p, PS),
                *ls = thread_view(m, p, LS);

    if (fifo(m))
        view_copy(ps, t);
    else
        view_join(ps, t);
    if (op->act == ACT_RMW) {
        view_copy(ls, t);
        set_places(ls, op);
        forget_fences(m, p);
        m->ls[p] = true;
    }
    /* An RMW comes before all that follows, and on TSO so does all before it.
     */
    m->ps[p] = op->act == ACT_RMW ? m->ps[p] && !fifo(m) : true;
    for (uint32_t i = 0; i < op->count; i++) {
        if (i)
            view_copy(view_of(&m->writes, op->cells[i]), t);
        m->reads[op->cells[i]] = false;
    }
    set_places(ps, op);
    for (uint32_t i = 0; i < op->count; i++)
        set_places(view_of(&m->writes, op->cells[i]), op);
}

/* One step that reads some cells and writes others, each as an RMW would, and
 * waits for what stands before an ss even where it only reads. */
static void note_block(struct relaxed *m, const struct op *op)
{
    uint32_t p = op->thread;
    struct view *ls = thread_view(m, p, LS);

    if (m->sl[p])
        view_join(ls, thread_view(m, p, SL));
    if (m->ss[p])
        view_join(ls, thread_view(m, p, SS));
    if (m->model->rmw_drains_all)
        drain_buffer(m, p);
    forget_fences(m, p);
    m->ls[p] = true;
    for (uint32_t i = 0; i < op->count; i++)
        if (op->writes[i] && m->reads[op->cells[i]])
            view_join(ls, view_of(&m->all, op->cells[i]));
        else
            after_write(m, ls, op->cells[i]);
    set_places(ls, op);
    for (uint32_t i = 0; i < op->count; i++)
        if (op->writes[i]) {
            view_copy(view_of(&m->writes, op->cells[i]), ls);
            m->reads[op->cells[i]] = false;
            view_join(thread_view(m, p, PS), ls);
        } else {
            note_read(m, ls, op->cells[i]);
        }
}

/* What a block might have done else does not matter where all that there is
 * keeps its order. */
static void note_reordering(struct relaxed *m, const struct op *op)
{
    if (!op->block && (op->act == ACT_STORE ||
                       (op->act == ACT_LOAD && m->model->reorders_loads)))
        m->reorders = true;
    if (m->reorders && m->unsure)
        m->watcher.doubts |= MONITOR_DOUBT_BLOCKS;
}

static void relaxed_step(struct watcher *w, const struct op *op)
{
    struct relaxed *m = self(w);
    struct model_recipe recipe = op_recipe(op, m->model);

    if (recipe.before)
        pass_fence(m, op->thread, recipe.before);
    if (op->block)
        note_block(m, op);
    else if (op->act == ACT_LOAD || op->act == ACT_FAIL)
        note_reads(m, op);
    else if (op->act != ACT_FENCE)
        note_writes(m, op);
    if (recipe.after)
        pass_fence(m, op->thread, recipe.after);
    if (!m->reorders || m->unsure)
        note_reordering(m, op);
}

static const struct watcher_type type = {
    relaxed_map,    relaxed_forget, relaxed_cell, relaxed_split, relaxed_start,
    relaxed_create, relaxed_leave,  relaxed_join, relaxed_check, relaxed_step};

static struct relaxed tso = {.watcher.type = &type, .model = &model_tso};
static struct relaxed pso = {.watcher.type = &type, .model = &model_pso};
static struct relaxed pslo = {.watcher.type = &type, .model = &model_pslo};

struct watcher *const relaxed_tso = &tso.watcher;
struct watcher *const relaxed_pso = &pso.watcher;
struct watcher *const relaxed_pslo = &pslo.watcher;
