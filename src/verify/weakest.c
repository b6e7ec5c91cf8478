/* SPDX-License-Identifier: MIT
 *
 * Robust programs on processors, by one search instead of four (decision 45).
 *
 * Such a program has SC's executions on ARM, as LSE has it, as LL/SC has it,
 * and without dependencies.  Each of these was a search, and SC another.  Now
 * comes first a search by what all mappings keep in order when nothing depends
 * on anything.  All executions of all of them are among its own, and so are
 * SC's. If all it has are SC's, then each has these and no others; if none
 * fails, none fails anywhere.  The first that fails, or is none of SC's, ends
 * it: then all searches are made as if this one had not been.
 */
#include "verify/verify_inside.h"

#include "base/log.h"
#include "worker/worker.h"

#define SHARE_OF_TIME 4 /* of what is left: so much for this */

/* With --cas bufferable SC cannot be told from others by cycles. */
static bool can_try(const struct verify *v)
{
    const struct verify_options *o = v->o;

    return graphs_can_run(v) && !(o->base.flags & CHANNEL_CAS_BUFFERABLE) &&
           !v->r->shown_count;
}

static bool settles(const struct counts *n)
{
    return search_is_complete(n) && !n->failed && !n->unprotected &&
           !n->outcomes_lost;
}

/* Where there is a limit something is left for those who may have to come after
 * it. */
static bool run(struct search *s, bool *done, struct err *e)
{
    struct verify *v = s->v;
    struct stop *stop = &v->r->stop;
    const struct stop before = *stop;
    uint64_t until = before.until_ms, now = worker_now_ms();
    size_t left = v->left.count;
    bool ok;

    if (until > now) {
        stop->until_ms = now + (until - now) / SHARE_OF_TIME;
        stop->own = true;
    }
    ok = search_run_graphs(s, done, e);
    stop->until_ms = until;
    stop->own = before.own;
    if (stop->own_came) { /* and no interrupt */
        *stop = before;
        v->left.count = left;
    }
    return ok;
}

bool weakest_try(struct verify *v, const struct model *m, struct counts *counts,
                 struct tally *outcomes, bool wants_unordered, bool *is_so,
                 struct err *e)
{
    const struct model *by = model_weakest(m, (unsigned)v->o->arm, v->o->rcpc);
    const char *refused = v->refused;
    struct search s = {.v = v,
                       .model = by,
                       .phase =
                           arena_printf(v->arena, "exploring on %s", m->words),
                       .counts = counts,
                       .outcomes = outcomes,
                       .wants_not_sc = true,
                       .wants_unordered = wants_unordered};
    bool done = false;

    *is_so = false;
    if (!by || !can_try(v))
        return true;
    if (!run(&s, &done, e))
        return false;
    *is_so = done && settles(counts);
    if (!done)
        v->refused = refused;
    LOG(VERIFY, "%s: %s", by->name,
        *is_so ? "nothing but SC's" : "that does not settle it");
    return true;
}
