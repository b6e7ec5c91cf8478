/* SPDX-License-Identifier: MIT
 *
 * Happens-before as vector clocks: see past.h.
 *
 * An access comes after its thread's past and, where it reads, after the newest
 * write of each of its cells; where it writes, after every access of them.
 */
#include "monitor/past.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"

struct past past;

/* ---- Room ---- */

static struct past_clock *map_clocks(void)
{
    void *at = mmap(NULL, CELLS_MAX * sizeof(struct past_clock),
                    PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

bool past_map(void)
{
    if (!past.writes)
        past.writes = map_clocks();
    if (!past.all)
        past.all = map_clocks();
    return past.writes && past.all &&
           views_map(&past.threads, MONITOR_THREADS_MAX * PAST_VIEWS);
}

void past_forget(void)
{
    past.threads.count = 0;
    past.width = 0;
}

/* ---- Clocks ---- */

static view_block *clock_block(const struct past_clock *c, uint32_t i)
{
    return (view_block *)(uintptr_t)(c->at + i);
}

static void join_clock(struct past_clock *to, const struct past_clock *from)
{
    for (uint32_t i = 0; i < past.width; i += VIEW_BLOCK)
        *clock_block(to, i) =
            view_greater(*clock_block(to, i), *clock_block(from, i));
}

static void copy_clock(struct past_clock *to, const struct past_clock *from)
{
    for (uint32_t i = 0; i < past.width; i += VIEW_BLOCK)
        *clock_block(to, i) = *clock_block(from, i);
}

static void clear_clock(struct past_clock *c)
{
    memset(c->at, 0, past.width * sizeof *c->at);
}

/* ---- Cells and threads ---- */

void past_cell(uint16_t new)
{
    clear_clock(&past.writes[new]);
    clear_clock(&past.all[new]);
    past.reads[new] = false;
}

void past_split(uint16_t old, uint16_t new)
{
    MUST(old < new && new < cells.count);
    views_split(&past.threads, old, new);
    copy_clock(&past.writes[new], &past.writes[old]);
    copy_clock(&past.all[new], &past.all[old]);
    past.reads[new] = past.reads[old];
}

/* Cells that there are get to know more threads. */
static void widen_clocks(uint32_t width)
{
    size_t more = (width - past.width) * sizeof(int16_t);

    for (uint32_t i = 0; i < cells.count; i++) {
        memset(past.writes[i].at + past.width, 0, more);
        memset(past.all[i].at + past.width, 0, more);
    }
    past.width = width;
}

void past_start(uint32_t thread)
{
    uint32_t width = (thread + VIEW_BLOCK) & ~(VIEW_BLOCK - 1u);

    MUST(thread < MONITOR_THREADS_MAX);
    for (uint32_t i = 0; i < PAST_VIEWS; i++)
        view_clear(past_of(thread, i));
    if (past.threads.count < (thread + 1) * PAST_VIEWS)
        past.threads.count = (thread + 1) * PAST_VIEWS;
    if (past.width < width)
        widen_clocks(width);
    memset(&past.hb[thread], 0, sizeof past.hb[thread]);
}

void past_order(uint32_t x, uint32_t y)
{
    MUST(x != y && x < MONITOR_THREADS_MAX && y < MONITOR_THREADS_MAX);
    join_clock(&past.hb[y], &past.hb[x]);
}

/* ---- What happened ---- */

static const struct past_clock *clock_of(uint16_t cell, bool all)
{
    return all && past.reads[cell] ? &past.all[cell] : &past.writes[cell];
}

static void note_read(const struct past_clock *hb, uint32_t thread,
                      uint16_t cell)
{
    if (!past.reads[cell])
        copy_clock(&past.all[cell], &past.writes[cell]);
    past.reads[cell] = true;
    join_clock(&past.all[cell], hb);
    view_set(past_of(thread, PAST_READ), cell, cells.list[cell].n);
}

/* The write itself is counted last: whole blocks are copied before, and a
 * processor would wait for a small store in one of them. */
static void note_write(const struct past_clock *hb, uint32_t thread,
                       uint16_t cell, bool counted)
{
    copy_clock(&past.writes[cell], hb);
    past.writes[cell].at[thread] += !counted;
    past.reads[cell] = false;
    view_set(past_of(thread, PAST_OWN), cell,
             (int16_t)(cells.list[cell].n + 1));
}

void past_step(const struct op *op)
{
    struct past_clock *hb = &past.hb[op->thread];
    bool several = op->count > 1;
    int16_t more = op->act == ACT_STORE || op->act == ACT_RMW;

    MUST(op->thread < past.width && op->count && op->count <= OP_CELLS_MAX);
    MUST(hb->at[op->thread] >= 0 && hb->at[op->thread] < VIEW_MOST);
    for (uint32_t i = 0; i < op->count; i++)
        join_clock(hb, clock_of(op->cells[i], op->writes[i]));
    if (several)
        hb->at[op->thread] = (int16_t)(hb->at[op->thread] + more);
    for (uint32_t i = 0; i < op->count; i++)
        if (op->writes[i])
            note_write(hb, op->thread, op->cells[i], several);
        else
            note_read(hb, op->thread, op->cells[i]);
    if (!several)
        hb->at[op->thread] = (int16_t)(hb->at[op->thread] + more);
}

/* ---- Questions ---- */

static int16_t newest_before(const struct past_clock *c, uint16_t cell,
                             int16_t above)
{
    const struct cell *of = &cells.list[cell];
    uint32_t at = of->newest;

    MUST(above >= 0 && of->n >= 0);
    if (of->n > above && of->stamp <= c->at[of->writer])
        return of->n;
    for (int16_t j = (int16_t)(of->n - 1); j > above; j--) {
        const struct write *w;

        at = cells.writes[at].older;
        MUST(at && at < cells.write_count);
        w = &cells.writes[at];
        if (w->stamp <= c->at[w->thread])
            return j;
    }
    return 0;
}

int16_t past_hb(uint32_t thread, uint16_t cell, int16_t above)
{
    return newest_before(&past.hb[thread], cell, above);
}

int16_t past_before(uint16_t other, bool all, uint16_t cell, int16_t above)
{
    return newest_before(clock_of(other, all), cell, above);
}
