/* SPDX-License-Identifier: MIT
 *
 * How far a search over graphs is, in the store: its counts, and for each
 * worker the state that it left, which only the worker understands.
 *
 *   seat count, then for each: over, only_learns, size, bytes
 */
#include <string.h>

#include "base/log.h"
#include "verify/crew.h"
#include "verify/verify_graphs.h"

static void put_number(struct buf *to, uint64_t number)
{
    buf_add(to, (const char *)&number, sizeof(number));
}

bool graphs_save(const struct graphs *g, struct err *e)
{
    struct copy copy = {
        .whole = true, .counts = *g->s->counts, .outcomes = *g->s->outcomes};
    bool ok;

    copy.counts.over = !g->stopped && (g->enough || copy.counts.exhausted);
    put_number(&copy.tree, g->seat_count);
    for (unsigned i = 0; i < g->seat_count; i++) {
        const struct graphs_seat *k = &g->seats[i];

        put_number(&copy.tree, k->over);
        put_number(&copy.tree, k->only_learns);
        put_number(&copy.tree, k->state.count);
        buf_add(&copy.tree, k->state.bytes, k->state.count);
    }
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

static void take_seat(struct reader *r, struct graphs_seat *k)
{
    uint64_t size;

    k->over = take_number(r);
    k->only_learns = take_number(r);
    size = take_number(r);
    r->damaged = r->damaged || size > (uint64_t)(r->end - r->at);
    if (r->damaged)
        return;
    buf_add(&k->state, r->at, size);
    r->at += size;
}

bool graphs_load(struct graphs *g, struct err *e)
{
    struct buf tree = {0};
    struct reader r;
    uint64_t count;

    if (g->s->fence_count || !store_load_tree(g->s, &tree, e)) {
        buf_free(&tree);
        return !*e->text;
    }
    if (!g->s->counts->as_graphs) { /* of the other engine, which comes next */
        *g->s->counts = (struct counts){.executions = 0};
        *g->s->outcomes = (struct tally){0};
        buf_free(&tree);
        return true;
    }
    g->missed = g->s->counts->cuts & CUT_ENGINE;
    if (g->s->counts->over) {
        g->seats[0].over = g->s->counts->exhausted;
        g->enough = true;
        buf_free(&tree);
        return true;
    }
    r = (struct reader){tree.bytes, tree.bytes + tree.count, false};
    count = take_number(&r);
    r.damaged = r.damaged || !count || count > GRAPHS_SEATS_MAX;
    g->seat_count = r.damaged ? 1 : (unsigned)count;
    for (unsigned i = 0; i < g->seat_count && !r.damaged; i++)
        take_seat(&r, &g->seats[i]);
    buf_free(&tree);
    if (r.damaged)
        return err_set(e, "the search that was kept is damaged");
    g->s->counts->cuts &= ~(uint32_t)CUT_STOPPED;
    g->s->v->r->resumed = true;
    LOG(VERIFY, "%s: goes on after %llu executions", g->s->model->name,
        (unsigned long long)g->s->counts->executions);
    return true;
}
