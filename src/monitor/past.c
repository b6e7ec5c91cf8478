/* SPDX-License-Identifier: MIT
 *
 * Happens-before as views: see past.h.
 *
 * An access comes after its thread's past and, where it reads, after the newest
 * write of each of its cells; where it writes, after every access of them.
 */
#include "monitor/past.h"

#include "monitor/monitor.h"

struct past past;

bool past_map(void)
{
    return views_map(&past.threads, MONITOR_THREADS_MAX * PAST_VIEWS) &&
           views_map(&past.writes, CELLS_MAX) &&
           views_map(&past.all, CELLS_MAX);
}

void past_forget(void)
{
    past.threads.count = past.writes.count = past.all.count = 0;
}

void past_cell(uint16_t new)
{
    past.writes.count = past.all.count = new + 1u;
    view_clear(view_of(&past.writes, new));
    view_clear(view_of(&past.all, new));
    past.reads[new] = false;
}

void past_split(uint16_t old, uint16_t new)
{
    views_split(&past.threads, old, new);
    views_split(&past.writes, old, new);
    views_split(&past.all, old, new);
    view_copy(view_of(&past.writes, new), view_of(&past.writes, old));
    view_copy(view_of(&past.all, new), view_of(&past.all, old));
    past.reads[new] = past.reads[old];
}

void past_start(uint32_t thread)
{
    for (uint32_t i = 0; i < PAST_VIEWS; i++)
        view_clear(past_of(thread, i));
    if (past.threads.count < (thread + 1) * PAST_VIEWS)
        past.threads.count = (thread + 1) * PAST_VIEWS;
}

void past_order(uint32_t x, uint32_t y)
{
    view_join(past_of(y, PAST_HB), past_of(x, PAST_HB));
}

static void look(struct view *hb, uint32_t thread, uint16_t cell)
{
    int16_t n = cells.list[cell].n;

    /* If that write happens before already, so does all before it. */
    if (view_lane(hb, cell) < n)
        view_join(hb, view_of(&past.writes, cell));
    view_set(past_of(thread, PAST_READ), cell, n);
}

static void look_written(struct view *hb, uint16_t cell)
{
    if (past.reads[cell])
        view_join(hb, view_of(&past.all, cell));
    else if (view_lane(hb, cell) < cells.list[cell].n)
        view_join(hb, view_of(&past.writes, cell));
}

/* It was read, by somebody with that past. */
static void note_read(const struct view *hb, uint16_t cell)
{
    struct view *all = view_of(&past.all, cell);

    view_unite(all, past.reads[cell] ? all : view_of(&past.writes, cell), hb);
    past.reads[cell] = true;
}

/* The number of the write goes in last: whole blocks are copied before, and a
 * processor would wait for a small store in one of them. */
static void note_write(struct view *hb, uint32_t thread, uint16_t cell)
{
    struct view *w = view_of(&past.writes, cell);
    int16_t place = (int16_t)(cells.list[cell].n + 1);

    view_copy(w, hb);
    past.reads[cell] = false;
    view_set(w, cell, place);
    view_set(hb, cell, place);
    view_set(past_of(thread, PAST_OWN), cell, place);
}

static void step_wide(const struct op *op)
{
    struct view *hb = past_of(op->thread, PAST_HB);

    for (uint32_t i = 0; i < op->count; i++)
        if (op->writes[i])
            view_set(hb, op->cells[i],
                     (int16_t)(cells.list[op->cells[i]].n + 1));
    for (uint32_t i = 0; i < op->count; i++)
        if (op->writes[i])
            note_write(hb, op->thread, op->cells[i]);
        else
            note_read(hb, op->cells[i]);
}

void past_step(const struct op *op)
{
    struct view *hb = past_of(op->thread, PAST_HB);

    for (uint32_t i = 0; i < op->count; i++)
        if (op->writes[i])
            look_written(hb, op->cells[i]);
        else
            look(hb, op->thread, op->cells[i]);
    if (op->count > 1)
        step_wide(op);
    else if (op->writes[0])
        note_write(hb, op->thread, op->cells[0]);
    else
        note_read(hb, op->cells[0]);
}
