/* SPDX-License-Identifier: MIT
 *
 * A graph as bytes: for each event in the order of stamps its thread, and what
 * was chosen for it: the source of a read, the write before it in co among
 * those with older stamps.  All else follows from the program and the model.
 *
 * A read that was revisited is older than its source.  It gets that when the
 * source comes; until then its thread has no later event.
 */
#include <string.h>

#include "event/must.h"
#include "graph/graph_search_inside.h"

/* ---- Writing ---- */

static void put_number(uint8_t *to, int number)
{
    to[0] = (uint8_t)(number + 2);
    to[1] = (uint8_t)((unsigned)(number + 2) >> 8);
}

/* The last write before it in co that is older. */
static int older_before(const struct graph *g, int write)
{
    row older = g->writes[g->events[write].location] & row_below(write);
    int w, last = INITIAL, fewest = ROW_BITS;

    ROW_EACH (w, older) {
        int later = row_count(g->co_after[w]);

        if (row_has(g->co_after[w], write) && later < fewest) {
            fewest = later;
            last = w;
        }
    }
    return last;
}

static int choice_of(const struct graph *g, int e)
{
    if (node_reads(&g->events[e]))
        return g->events[e].rf;
    if (g->events[e].kind == NODE_CHOICE)
        return (int)g->events[e].value;
    return node_writes(&g->events[e]) ? older_before(g, e) : NONE;
}

size_t graph_write_task(const struct graph *g, uint8_t to[GRAPH_TASK_MAX])
{
    uint8_t *at = to;

    put_number(at, g->count);
    at += 2;
    for (int i = 0; i < ROW_WORDS; i++) {
        uint64_t word = ROW_WORD(g->settled, i);

        memcpy(at, &word, sizeof word);
        at += sizeof word;
    }
    for (int e = 0; e < g->count; e++) {
        *at = g->events[e].thread;
        put_number(at + 1, choice_of(g, e));
        at += GRAPH_TASK_EVENT;
    }
    return (size_t)(at - to);
}

/* ---- Reading ---- */

struct reader {
    struct walk walk; /* for its questions */
    struct graph *g;
    int16_t wants[GRAPH_EVENTS_MAX]; /* the source that a read waits for */
    row waiting;
};

static int number_at(const uint8_t *from)
{
    return (from[0] | from[1] << 8) - 2;
}

/* The read has its source now.  Its thread goes on, unless it is an RMW that
 * writes: then after that. */
static bool give_source(struct reader *r, int read, int source)
{
    struct graph *g = r->g;
    struct node_event *e = &g->events[read];
    bool writes;

    if (source >= 0 && (!node_writes(&g->events[source]) ||
                        g->events[source].location != e->location))
        return false;
    r->waiting &= ~row_of(read);
    if (!walk_give_source(&r->walk, g, read, source, &writes))
        return false;
    if (!writes)
        g->at[e->thread] =
            behaviour_step(r->walk.search->behaviour, e->before, e->value);
    return true;
}

static bool read_read(struct reader *r, unsigned thread, const struct op *op,
                      int source, int count)
{
    int read =
        graph_push(r->g, thread, op->kind == OP_LOAD ? NODE_R : NODE_RX, op);

    if (source < INITIAL || source >= count || source == read)
        return false;
    if (source < read)
        return give_source(r, read, source);
    r->wants[read] = (int16_t)source;
    r->waiting |= row_of(read);
    return true;
}

static bool is_place(const struct graph *g, int after, unsigned location)
{
    return after == INITIAL || (after >= 0 && after < g->count &&
                                row_has(g->writes[location], after));
}

static bool read_write(struct reader *r, unsigned thread, const struct op *op,
                       int after)
{
    const struct graph_search *s = r->walk.search;
    struct graph *g = r->g;
    int write;

    if (!is_place(g, after, op->location))
        return false;
    write = graph_push_write(g, thread, op);
    g->at[thread] = behaviour_step(s->behaviour, g->at[thread], 0);
    return s->rules->add_write(s->model, g, write, after);
}

/* The write of an RMW whose read is the last event of the thread. */
static bool read_second_half(struct reader *r, unsigned thread, int read)
{
    const struct graph_search *s = r->walk.search;
    struct graph *g = r->g;
    struct effect effect = behaviour_effect(
        s->behaviour, g->events[read].before, g->events[read].value);
    int write;

    if (!effect.writes)
        return false;
    write = graph_push_write_of(g, read, effect.written);
    g->at[thread] = behaviour_step(s->behaviour, g->events[read].before,
                                   g->events[read].value);
    return s->rules->add_rmw(s->model, g, read, write);
}

static bool has_half_an_rmw(const struct graph *g, unsigned thread, int *read)
{
    *read = graph_last_of(g, thread);
    return *read >= 0 && g->events[*read].kind == NODE_RX &&
           g->events[*read].rf != NONE &&
           g->at[thread].ix == g->events[*read].before.ix;
}

static bool read_event(struct reader *r, const uint8_t *from, int count)
{
    struct graph *g = r->g;
    unsigned thread = from[0];
    int choice = number_at(from + 1), half;
    const struct op *op;

    if (thread >= g->thread_count || g->created_by[thread] == NONE ||
        row_any(r->waiting & g->of_thread[thread]))
        return false;
    op = walk_next_op(&r->walk, g, thread);
    if (op->kind >= OP_END)
        return false;
    if (op->kind <= OP_SYNC)
        graph_know_location(g, op->location);
    if (has_half_an_rmw(g, thread, &half))
        return read_second_half(r, thread, half);
    if (op->kind == OP_STORE)
        return read_write(r, thread, op, choice);
    if (op_reads(op))
        return read_read(r, thread, op, choice, count);
    if (!walk_is_enabled(&r->walk, g, thread))
        return false;
    if (op->kind == OP_CHOOSE && (choice < 0 || choice >= (int)op->operand))
        return false;
    walk_add_other(&r->walk, g, thread,
                   op->kind == OP_CHOOSE ? (uint64_t)choice : 0);
    return true;
}

/* Reads that waited for the newest event. */
static bool wake_reads(struct reader *r)
{
    int read, newest = r->g->count - 1;

    ROW_EACH (read, r->waiting)
        if (r->wants[read] == newest && !give_source(r, read, newest))
            return false;
    return true;
}

static row settled_of(const uint8_t *from)
{
    row all = row_none();

    for (int i = 0; i < ROW_WORDS; i++) {
        uint64_t word;

        memcpy(&word, from + 8 * i, sizeof word);
        ROW_WORD(all, i) = word;
    }
    return all;
}

bool graph_read_task(struct graph *g, struct graph_search *s,
                     const uint8_t *from, size_t size)
{
    struct reader r = {.walk.search = s, .g = g, .waiting = row_none()};
    int count = size >= GRAPH_TASK_HEAD ? number_at(from) : -1;

    graph_begin(g, s);
    if (count < 0 || count > GRAPH_EVENTS_MAX ||
        size != GRAPH_TASK_HEAD + GRAPH_TASK_EVENT * (size_t)count)
        return false;
    for (int e = 0; e < count; e++) {
        if (!read_event(&r,
                        from + GRAPH_TASK_HEAD + GRAPH_TASK_EVENT * (size_t)e,
                        count) ||
            !wake_reads(&r))
            return false;
    }
    g->settled = settled_of(from + 2);
    return !row_any(r.waiting) && !row_any(g->settled & ~g->complete);
}
