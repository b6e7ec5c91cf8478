/* SPDX-License-Identifier: MIT
 *
 * How far a search over graphs is, in the store: its counts, and for each part
 * that is left the state, which only the workers understand, and what came of
 * it so far.  A part with something found that does not count yet is kept as it
 * was before that: it is found again.
 *
 *   part count, shared (and 2: hinted), fact count, struct channel_fact each,
 * then for each part: over, only_learns, size, state, struct counts, size,
 * outcomes
 */
#include <string.h>

#include "base/log.h"
#include "verify/crew.h"
#include "verify/verify_graphs.h"

static void put_number(struct buf *to, uint64_t number)
{
    buf_add(to, (const char *)&number, sizeof(number));
}

static void put_part(const struct graphs_part *k, struct buf *to)
{
    const struct graphs_progress *p = k->found ? &k->before : &k->now;
    struct buf outcomes = {0};

    store_put_outcomes(&p->outcomes, &outcomes);
    put_number(to, k->over && !k->found);
    put_number(to, p->only_learns);
    put_number(to, p->state.count);
    buf_add(to, p->state.bytes, p->state.count);
    buf_add(to, &p->counts, sizeof(p->counts));
    put_number(to, outcomes.count);
    buf_add(to, outcomes.bytes, outcomes.count);
    buf_free(&outcomes);
}

bool graphs_save(const struct graphs *g, struct err *e)
{
    struct copy copy = {
        .whole = true, .counts = *g->s->counts, .outcomes = *g->s->outcomes};
    uint64_t count = 0;
    bool ok;

    copy.counts.over = !g->stopped && (g->enough || copy.counts.exhausted);
    for (const struct graphs_part *k = g->parts; k; k = k->next)
        count++;
    put_number(&copy.tree, count);
    put_number(&copy.tree, (uint64_t)g->shared | (uint64_t)g->hinted << 1);
    put_number(&copy.tree, g->facts.count);
    buf_add(&copy.tree, g->facts.list, g->facts.count * sizeof(*g->facts.list));
    for (const struct graphs_part *k = g->parts; k; k = k->next)
        put_part(k, &copy.tree);
    ok = g->s->fence_count || store_save_search(g->s, &copy, e);
    buf_free(&copy.tree);
    return ok;
}

struct reader {
    const char *at, *end;
    bool damaged;
};

static uint64_t take_number(struct reader *r)
{
    uint64_t number = 0;

    if ((size_t)(r->end - r->at) < sizeof(number)) {
        r->damaged = true;
        return 0;
    }
    memcpy(&number, r->at, sizeof(number));
    r->at += sizeof(number);
    return number;
}

/* So many bytes; NULL: there are not. */
static const char *take_bytes(struct reader *r, uint64_t size)
{
    const char *at = r->at;

    r->damaged = r->damaged || size > (uint64_t)(r->end - r->at);
    if (r->damaged)
        return NULL;
    r->at += size;
    return at;
}

static void take_part(struct reader *r, struct graphs_part *k)
{
    struct graphs_progress *p = &k->now;
    const char *bytes;
    uint64_t size;

    k->over = take_number(r);
    p->only_learns = take_number(r);
    size = take_number(r);
    if ((bytes = take_bytes(r, size)))
        buf_add(&p->state, bytes, size);
    if ((bytes = take_bytes(r, sizeof(p->counts))))
        memcpy(&p->counts, bytes, sizeof(p->counts));
    size = take_number(r);
    if ((bytes = take_bytes(r, size)))
        store_take_outcomes(arena_copy_n(&k->arena, bytes, size), &p->outcomes,
                            &k->arena);
}

static void take_facts(struct reader *r, struct graphs *g)
{
    struct channel_fact f;
    uint64_t count = take_number(r);
    const char *bytes;

    for (uint64_t i = 0; i < count && (bytes = take_bytes(r, sizeof(f))); i++) {
        memcpy(&f, bytes, sizeof(f));
        VEC_PUSH(&g->facts, f);
    }
}

static bool take_parts(struct graphs *g, const struct buf *tree)
{
    struct reader r = {tree->bytes, tree->bytes + tree->count, false};
    uint64_t count = take_number(&r), shared = take_number(&r);
    struct graphs_part *k = NULL;

    g->shared = shared & 1;
    g->hinted = shared & 2;
    take_facts(&r, g);
    for (uint64_t i = 0; i < count && !r.damaged; i++) {
        k = part_add(g, k);
        take_part(&r, k);
    }
    return count && !r.damaged;
}

/* Goes on with the parts that are kept. */
static bool load_parts(struct graphs *g, const struct buf *tree, struct err *e)
{
    g->missed = g->s->counts->cuts & CUT_ENGINE;
    if (g->s->counts->over) {
        g->enough = true;
        if (!g->s->counts->exhausted)
            part_add(g, NULL);
        return true;
    }
    if (!take_parts(g, tree))
        return err_set(e, "the search that was kept is damaged");
    g->s->counts->cuts &= ~(uint32_t)CUT_STOPPED;
    g->s->v->r->resumed = true;
    LOG(VERIFY, "%s: goes on after %llu executions", g->s->model->name,
        (unsigned long long)g->s->counts->executions);
    return true;
}

bool graphs_load(struct graphs *g, struct err *e)
{
    struct buf tree = {0};
    bool ok = true;

    if (g->s->fence_count || !store_load_tree(g->s, &tree, e)) {
        part_add(g, NULL);
        ok = !*e->text;
    } else if (!g->s->counts->as_graphs) {
        /* Of the other engine, which comes next. */
        parts_forget_counts(g);
        part_add(g, NULL);
    } else {
        ok = load_parts(g, &tree, e);
    }
    buf_free(&tree);
    return ok;
}
