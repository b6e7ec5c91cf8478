/* SPDX-License-Identifier: MIT
 *
 * Every sequence of accesses that might be a cycle is built, one access after
 * the other, from every access on; a closed one is checked for chords.  The
 * programs are small.
 */
#include "cycles.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sets ---- */

uint8_t cycle_node(unsigned thread, unsigned op)
{
    return (uint8_t)(thread * MAX_OPS + op);
}

unsigned cycle_thread(uint8_t node)
{
    return node / MAX_OPS;
}

unsigned cycle_op(uint8_t node)
{
    return node % MAX_OPS;
}

/* The least node first; none occurs twice. */
static struct cycle rotated(const struct cycle *c)
{
    struct cycle r = {.length = c->length};
    size_t least = 0;

    for (size_t i = 1; i < c->length; i++)
        if (c->nodes[i] < c->nodes[least])
            least = i;
    for (size_t i = 0; i < c->length; i++)
        r.nodes[i] = c->nodes[(least + i) % c->length];
    return r;
}

/* Where c is, or would be. */
static size_t search(const struct cycles *all, const struct cycle *c,
                     bool *found)
{
    size_t low = 0, high = all->count;

    *found = false;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = memcmp(&all->list[middle], c, sizeof *c);

        *found |= order == 0;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool cycles_put(struct cycles *all, struct cycle c)
{
    bool found;
    size_t at;

    c = rotated(&c);
    at = search(all, &c, &found);
    if (found)
        return false;
    if (all->count == all->room) {
        all->room = all->room ? 2 * all->room : 16;
        all->list = realloc(all->list, all->room * sizeof *all->list);
        REQUIRE(all->list, "out of memory");
    }
    memmove(all->list + at + 1, all->list + at,
            (all->count++ - at) * sizeof *all->list);
    all->list[at] = c;
    return true;
}

bool cycles_have(const struct cycles *all, const struct cycle *c)
{
    struct cycle r = rotated(c);
    bool found;

    search(all, &r, &found);
    return found;
}

void cycles_free(struct cycles *all)
{
    free(all->list);
    memset(all, 0, sizeof *all);
}

void cycle_text(const struct cycle *c, char *text, size_t size)
{
    size_t used = 0;

    text[0] = 0;
    for (size_t i = 0; i < c->length && used < size; i++) {
        uint8_t node = c->nodes[i], next = c->nodes[(i + 1) % c->length];

        used += (size_t)snprintf(
            text + used, size - used, "%u.%u%c", cycle_thread(node),
            cycle_op(node),
            cycle_thread(node) == cycle_thread(next) ? '>' : '~');
    }
}

/* ---- relations of a trace ---- */

static bool covers(const struct access *a, size_t atom)
{
    return atom >= a->first && atom < (size_t)a->first + a->count;
}

static bool share(const struct access *e, const struct access *f)
{
    return e->first < f->first + f->count && f->first < e->first + e->count;
}

static bool conflict(const struct access *e, const struct access *f)
{
    return e->thread != f->thread && share(e, f) && (e->writes || f->writes);
}

/* The thread of the write that f took the atom from, -1: the initial value. */
static int source_thread(const struct trace *t, const struct access *f,
                         size_t atom)
{
    unsigned place = f->source[atom - f->first];

    for (size_t i = 0; place && i < t->count; i++) {
        const struct access *w = &t->accesses[i];

        if (w->writes && covers(w, atom) && w->place[atom - w->first] == place)
            return w->thread;
    }
    return -1;
}

/* Conflict order at one atom that both touch. */
static bool leads_at(const struct trace *t, const struct access *e,
                     const struct access *f, size_t atom)
{
    unsigned e_place = e->place[atom - e->first];
    unsigned f_place = f->place[atom - f->first];

    if (e->writes && f->writes && e_place < f_place)
        return true;
    if (e->reads && f->writes && e->source[atom - e->first] < f_place)
        return true;
    if (e->writes && f->reads) {
        unsigned source = f->source[atom - f->first];

        return e_place == source ||
               (e_place < source && source_thread(t, f, atom) != f->thread);
    }
    return false;
}

bool trace_leads(const struct trace *t, const struct access *e,
                 const struct access *f)
{
    if (!conflict(e, f))
        return false;
    for (size_t atom = e->first; atom < (size_t)e->first + e->count; atom++)
        if (covers(f, atom) && leads_at(t, e, f, atom))
            return true;
    return false;
}

/* ---- critical cycles ---- */

struct search {
    const struct trace *trace;
    struct cycles *out;
    size_t used;
    const struct access *path[MAX_CYCLE];
};

static bool has_chord(const struct search *s)
{
    for (size_t i = 0; i < s->used; i++)
        for (size_t k = i + 2; k < s->used; k++)
            if (!(i == 0 && k == s->used - 1) &&
                conflict(s->path[i], s->path[k]))
                return true;
    return false;
}

static void close_cycle(struct search *s)
{
    struct cycle c = {.length = (uint8_t)s->used};

    if (s->used < MIN_CYCLE ||
        !trace_leads(s->trace, s->path[s->used - 1], s->path[0]) ||
        has_chord(s))
        return;
    for (size_t i = 0; i < s->used; i++)
        c.nodes[i] = cycle_node(s->path[i]->thread, s->path[i]->op);
    cycles_put(s->out, c);
}

static bool has_thread(const struct search *s, unsigned thread)
{
    for (size_t i = 0; i < s->used; i++)
        if (s->path[i]->thread == thread)
            return true;
    return false;
}

/* May `next` come after the last access of the path?  The second of a pair
 * needs its first before it; the path begins with no second. */
static bool may_follow(const struct search *s, const struct access *next)
{
    const struct access *last = s->path[s->used - 1];
    bool last_is_second =
        s->used > 1 && s->path[s->used - 2]->thread == last->thread;

    if (next->thread == last->thread)
        return !last_is_second && last < next && !share(last, next);
    return !has_thread(s, next->thread) && trace_leads(s->trace, last, next);
}

static void extend(struct search *s)
{
    close_cycle(s);
    for (size_t i = 0; s->used < MAX_CYCLE && i < s->trace->count; i++) {
        const struct access *next = &s->trace->accesses[i];

        if (next->synchronises || !may_follow(s, next))
            continue;
        s->path[s->used++] = next;
        extend(s);
        s->used--;
    }
}

void cycles_of_trace(const struct trace *t, struct cycles *all)
{
    struct search s = {.trace = t, .out = all, .used = 1};

    for (size_t i = 0; i < t->count; i++) {
        s.path[0] = &t->accesses[i];
        if (!s.path[0]->synchronises)
            extend(&s);
    }
}

bool cycles_of_program(const struct program *p, enum model model,
                       const struct traces_wish *wish, struct cycles *all)
{
    struct traces traces;
    bool complete = traces_find(&traces, p, model, wish);

    for (size_t i = 0; complete && i < traces.count; i++)
        cycles_of_trace(&traces.list[i], all);
    traces_free(&traces);
    return complete;
}

/* ---- happens-before as a whole ---- */

/* The op that opens the atomic block around an op, else the op itself. */
static size_t step_of(const struct thread *t, size_t op)
{
    for (size_t i = 0; i < op; i++)
        if (t->ops[i].kind == OP_ATOMIC && op <= i + t->ops[i].skip)
            return i;
    return op;
}

/* Does a spawn or join order e before f? */
static bool ordered_by_birth(const struct program *p, const struct access *e,
                             const struct access *f)
{
    const struct thread *parent = &p->threads[e->thread];

    for (size_t i = e->op; i < parent->op_count; i++)
        if (parent->ops[i].kind == OP_SPAWN &&
            parent->ops[i].target == f->thread)
            return true;
    parent = &p->threads[f->thread];
    for (size_t i = 0; i < f->op; i++)
        if (parent->ops[i].kind == OP_JOIN &&
            parent->ops[i].target == e->thread)
            return true;
    return false;
}

static bool same_step(const struct program *p, const struct access *e,
                      const struct access *f)
{
    const struct thread *t = &p->threads[e->thread];
    size_t step = step_of(t, e->op);

    return e->thread == f->thread && t->ops[step].kind == OP_ATOMIC &&
           step == step_of(t, f->op);
}

/* Happens-before, of data or of all. */
static bool is_before(const struct program *p, const struct trace *t,
                      const struct access *e, const struct access *f, bool all)
{
    if (!all && (e->synchronises || f->synchronises))
        return false;
    if (e->thread == f->thread)
        return e < f || (all && same_step(p, e, f));
    return trace_leads(t, e, f) || (all && ordered_by_birth(p, e, f));
}

static bool has_cycle(const struct program *p, const struct trace *t, bool all)
{
    bool reach[MAX_ACCESSES][MAX_ACCESSES];
    size_t n = t->count;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            reach[i][k] = i != k && is_before(p, t, &t->accesses[i],
                                              &t->accesses[k], all);
    for (size_t via = 0; via < n; via++)
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < n; k++)
                reach[i][k] |= reach[i][via] && reach[via][k];
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (reach[i][k] && reach[k][i] &&
                !same_step(p, &t->accesses[i], &t->accesses[k]))
                return true;
    return false;
}

bool trace_is_cyclic(const struct program *p, const struct trace *t)
{
    return has_cycle(p, t, false);
}

bool trace_leaves_sc(const struct program *p, const struct trace *t)
{
    return has_cycle(p, t, true);
}
