/* SPDX-License-Identifier: MIT
 *
 * Of the SC execution that a monitor reported on: all that happens-before what
 * thread p did last (D), and in it what the model has after the write w.
 *
 * The first is one walk backwards: an event is in D if a later one of its
 * thread is, or one that it conflicts with.  The second is one walk forwards
 * with the rules of the view monitor (docs/monitors.md, section 3), where a
 * view is one bit: is the write in it?
 *
 *      ls   what the thread's later stores and RMWs come after
 *      ll   what its later loads come after
 *      ps   its own writes; ss, sl: those before the last such fence
 *      of a byte: the newest write; all accesses
 */
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "verify/verify_witness.h"

/* ---- Roles ---- */

static enum model_construct construct_of(const struct happening *h)
{
    if (h->kind == EV_CAS_FAIL && h->order == ORDER_SEQ_CST)
        return C_RMW_SEQ_CST;
    return model_construct_of(h->kind,
                              h->kind == EV_CAS_FAIL ? h->failure : h->order);
}

struct witness_role witness_role(const struct witness *w,
                                 const struct happening *h)
{
    struct witness_role r = {0};
    struct model_recipe recipe = model_recipe_of(
        w->model, construct_of(h), w->flags & CHANNEL_LOCKS_PAPER);
    bool at_once = h->flags & (HAPPENED_BLOCK | HAPPENED_GHOST);

    if (h->kind == EV_FENCE && h->bits)
        recipe = (struct model_recipe){h->bits, 0};
    if (h->kind != EV_FENCE && !happening_accesses(h))
        return r;
    r.before = recipe.before;
    r.after = recipe.after;
    r.reads =
        h->kind != EV_FENCE && h->kind != EV_STORE && h->kind != EV_UNLOCK;
    r.writes = happening_accesses(h) && h->kind != EV_LOAD &&
               h->kind != EV_CAS_FAIL && h->kind != EV_LOCK_FAIL;
    r.buffered = !at_once && (h->kind == EV_STORE || (h->kind == EV_UNLOCK &&
                                                      !(r.after & FENCE_FULL)));
    r.orders =
        happening_accesses(h) && !r.buffered && (at_once || h->kind != EV_LOAD);
    return r;
}

bool witness_is_step(const struct happening *h)
{
    return h->kind != EV_FENCE;
}

/* Is k in the atomic block of the one before it? */
static bool continues_block(const struct witness *w, uint32_t k)
{
    const struct happening *h = &w->log[k];

    return h->flags & HAPPENED_BLOCK && !(h->flags & HAPPENED_FIRST) &&
           h[-1].flags & HAPPENED_BLOCK && h[-1].thread == h->thread;
}

uint32_t witness_block_end(const struct witness *w, uint32_t i)
{
    while (i + 1 < w->count && continues_block(w, i + 1))
        i++;
    return i;
}

uint32_t witness_block_start(const struct witness *w, uint32_t i)
{
    while (i && continues_block(w, i))
        i--;
    return i;
}

void *witness_far_away(const struct witness *w, size_t count, size_t size)
{
    void *list = arena_array(w->arena, count + 1, size);

    memset(list, 0xff, (count + 1) * size);
    return list;
}

/* ---- Finding things ---- */

static uint32_t size_of(const struct happening *h)
{
    return happening_accesses(h) ? h->size : 0;
}

static void number_bytes(struct witness *w)
{
    struct map numbers = MAP_IN(w->arena); /* + 1 */
    VEC(uint32_t) bytes = {0};

    w->first = arena_array(w->arena, w->count + 1, sizeof(*w->first));
    for (uint32_t i = 0; i < w->count; i++) {
        w->first[i] = (uint32_t)bytes.count;
        for (uint32_t k = 0; k < size_of(&w->log[i]); k++) {
            uint64_t *n = map_put(&numbers, w->log[i].address + k);

            if (!*n)
                *n = ++w->byte_count;
            VEC_PUSH_IN(w->arena, &bytes, (uint32_t)*n - 1);
        }
    }
    w->first[w->count] = (uint32_t)bytes.count;
    w->bytes = bytes.list;
}

static void chain_threads(struct witness *w)
{
    uint32_t *newest;

    for (uint32_t i = 0; i < w->count; i++)
        if (w->log[i].thread >= w->threads)
            w->threads = w->log[i].thread + 1u;
    newest = arena_array(w->arena, w->threads + 1, sizeof(*newest));
    memset(newest, 0xff, w->threads * sizeof(*newest));
    w->next = arena_array(w->arena, w->count + 1, sizeof(*w->next));
    for (uint32_t i = w->count; i-- > 0;) {
        w->next[i] = newest[w->log[i].thread];
        newest[w->log[i].thread] = i;
    }
}

static uint32_t find_access(const struct witness *w, uint32_t thread,
                            uint32_t index)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->log[i].thread == thread && happening_accesses(&w->log[i]) &&
            !index--)
            return i;
    return WITNESS_NOWHERE;
}

static uint32_t find_last(const struct witness *w)
{
    for (uint32_t i = w->end; i-- > 0;)
        if (w->log[i].thread == w->report->e_thread)
            return i;
    return WITNESS_NOWHERE;
}

/* ---- D ---- */

struct past {
    bool *thread, *joined;            /* something of it is in D; its end is */
    bool *read_later, *written_later; /* bytes */
};

static bool is_past(const struct witness *w, const struct past *p, uint32_t i)
{
    const struct happening *h = &w->log[i];
    struct witness_role r = witness_role(w, h);

    if (p->thread[h->thread] ||
        (h->kind == EV_CREATE && h->other < w->threads &&
         p->thread[h->other]) ||
        (h->kind == EV_EXIT && p->joined[h->thread]))
        return true;
    for (uint32_t k = w->first[i]; k < w->first[i + 1]; k++)
        if (p->written_later[w->bytes[k]] ||
            (r.writes && p->read_later[w->bytes[k]]))
            return true;
    return false;
}

static void add_past(struct witness *w, struct past *p, uint32_t i)
{
    const struct happening *h = &w->log[i];
    struct witness_role r = witness_role(w, h);

    w->past[i] = true;
    p->thread[h->thread] = true;
    if (h->kind == EV_JOIN && h->other < w->threads)
        p->joined[h->other] = true;
    for (uint32_t k = w->first[i]; k < w->first[i + 1]; k++) {
        p->read_later[w->bytes[k]] |= r.reads;
        p->written_later[w->bytes[k]] |= r.writes;
    }
}

/* An e that touches more than the write does comes after what was done to the
 * rest. */
static void add_rest_of_e(const struct witness *w, struct past *p)
{
    const struct happening *h = &w->log[w->write];
    struct witness_role r;

    if (w->e == WITNESS_NOWHERE)
        return;
    r = witness_role(w, &w->log[w->e]);
    for (uint32_t k = w->first[w->e]; k < w->first[w->e + 1]; k++) {
        uint64_t at = w->log[w->e].address + (k - w->first[w->e]);

        if (at - h->address < h->size)
            continue;
        p->read_later[w->bytes[k]] |= r.reads;
        p->written_later[w->bytes[k]] |= r.writes;
    }
}

static void find_past(struct witness *w)
{
    struct past p = {arena_alloc(w->arena, w->threads + 1),
                     arena_alloc(w->arena, w->threads + 1),
                     arena_alloc(w->arena, w->byte_count + 1),
                     arena_alloc(w->arena, w->byte_count + 1)};
    uint32_t from;

    w->past = arena_alloc(w->arena, w->count + 1);
    p.thread[w->report->e_thread] = true;
    add_rest_of_e(w, &p);
    for (uint32_t i = w->end; i > 0; i = from) {
        bool in = false;

        from = witness_block_start(w, i - 1);
        for (uint32_t k = from; k < i; k++)
            in |= is_past(w, &p, k);
        for (uint32_t k = i; in && k-- > from;)
            add_past(w, &p, k);
    }
}

/* ---- After the write ---- */

struct thread_view {
    bool ls, ll, ps, ss, sl;
    bool ended; /* all of it, at its end */
};

struct byte_view {
    bool written, touched;
    uint32_t own; /* thread + 1 whose plain store is the newest write */
};

struct walk {
    struct witness *w;
    struct thread_view *threads;
    struct byte_view *bytes;
};

static void pass_fence(struct thread_view *t, unsigned bits)
{
    if (bits & FENCE_FULL) {
        t->ls |= t->ps;
        t->ll |= t->ls;
    }
    if (bits & FENCE_SS)
        t->ss |= t->ps;
    if (bits & FENCE_SL)
        t->sl |= t->ps;
    if (bits & FENCE_LL)
        t->ll |= t->ls;
}

/* Is access i after the write, by what its thread did? */
static bool follows_own(const struct walk *a, const struct witness_role *r,
                        const struct happening *h)
{
    const struct thread_view *t = &a->threads[h->thread];
    bool ghost = h->flags & HAPPENED_GHOST;
    bool waits = r->writes || h->flags & HAPPENED_BLOCK; /* for an ss */

    if (!r->orders && !r->writes)
        return t->ll | t->sl;
    if (r->buffered)
        return t->ls | t->ss;
    if (ghost)
        return t->ls;
    return t->ls | t->sl | (waits && t->ss) |
           (a->w->model->rmw_drains_all && t->ps);
}

/* By what happened to its bytes?  A load that took its thread's own store from
 * the buffer did not look at memory. */
static bool follows_others(const struct walk *a, const struct witness_role *r,
                           uint32_t i)
{
    const struct witness *w = a->w;
    bool follows = false;

    for (uint32_t k = w->first[i]; k < w->first[i + 1]; k++) {
        const struct byte_view *b = &a->bytes[w->bytes[k]];

        if (r->writes)
            follows |= b->touched;
        else if (r->orders || b->own != w->log[i].thread + 1u)
            follows |= b->written;
    }
    return follows;
}

static void pass_access(struct walk *a, const struct witness_role *r,
                        uint32_t i, bool follows)
{
    const struct witness *w = a->w;
    struct thread_view *t = &a->threads[w->log[i].thread];

    for (uint32_t k = w->first[i]; k < w->first[i + 1]; k++) {
        struct byte_view *b = &a->bytes[w->bytes[k]];

        b->touched |= follows;
        if (!r->writes)
            continue;
        b->written = b->touched;
        b->own = r->buffered ? w->log[i].thread + 1u : 0;
    }
    t->ps |= r->writes && follows;
    if (!r->buffered)
        t->ls |= follows;
    if (r->writes && !w->model->reorders_stores)
        t->ss |= follows;
    if (!r->buffered && !w->model->reorders_loads)
        t->ll |= t->ls;
}

/* Creating drains; a new thread finds what memory holds, and so does one that
 * joins, whose own stores still wait. */
static void pass_thread(struct walk *a, const struct happening *h)
{
    struct thread_view *t = &a->threads[h->thread];

    if (h->kind == EV_CREATE) {
        t->ls |= t->ps;
        if (!a->w->model->reorders_loads)
            t->ll |= t->ls;
        if (h->other < a->w->threads)
            a->threads[h->other] =
                (struct thread_view){.ls = t->ls, .ll = t->ls};
    }
    if (h->kind == EV_EXIT)
        t->ended = t->ls | t->ps | t->ll;
    if (h->kind == EV_JOIN && h->other < a->w->threads) {
        t->ls |= a->threads[h->other].ended;
        t->ll |= t->ls;
    }
}

/* A block takes effect as one. */
static void pass_block(struct walk *a, uint32_t from, uint32_t to)
{
    struct witness *w = a->w;
    bool follows = false;

    for (uint32_t i = from; i <= to; i++) {
        struct witness_role r = witness_role(w, &w->log[i]);

        pass_fence(&a->threads[w->log[i].thread], r.before);
        if (happening_accesses(&w->log[i]))
            follows |= i == w->write || follows_own(a, &r, &w->log[i]) ||
                       follows_others(a, &r, i);
    }
    for (uint32_t i = from; i <= to; i++) {
        struct witness_role r = witness_role(w, &w->log[i]);

        w->after[i] = follows;
        if (happening_accesses(&w->log[i]))
            pass_access(a, &r, i, follows);
        pass_fence(&a->threads[w->log[i].thread], r.after);
    }
}

static void find_after(struct witness *w)
{
    struct walk a = {
        w, arena_array(w->arena, w->threads + 1, sizeof(*a.threads)),
        arena_array(w->arena, w->byte_count + 1, sizeof(*a.bytes))};

    w->after = arena_alloc(w->arena, w->count + 1);
    for (uint32_t i = 0; i < w->end; i++) {
        const struct happening *h = &w->log[i];
        uint32_t to = witness_block_end(w, i);

        if (!w->past[i])
            continue;
        if (h->kind == EV_FENCE || happening_accesses(h))
            pass_block(&a, i, to < w->end ? to : w->end - 1);
        else
            pass_thread(&a, h);
        i = to;
    }
}

bool witness_look_back(struct witness *w)
{
    const struct channel_report *r = w->report;

    chain_threads(w);
    number_bytes(w);
    w->e = find_access(w, r->e_thread, r->e_index);
    w->write = find_access(w, r->w_thread, r->w_index);
    w->end = w->e == WITNESS_NOWHERE ? w->count : w->e;
    w->last = find_last(w);
    if (w->write == WITNESS_NOWHERE || w->last == WITNESS_NOWHERE ||
        w->write >= w->end)
        return false;
    find_past(w);
    find_after(w);
    return w->past[w->write];
}
