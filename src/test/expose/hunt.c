/* SPDX-License-Identifier: MIT
 *
 * Failures that luck does not find: a loop that looks a thousand times before
 * it gives up, a time-out at the one moment that matters.  One search over
 * graphs, in which rounds in vain cost nothing, goes through as many executions
 * as are enumerated elsewhere (finding/every.c); the machine takes the steps of
 * one that fails.
 */
#include "expose/expose_inside.h"

#define ROUNDS 100 /* of a loop that is no wait */

/* The machine takes its steps. */
static bool bring_about(struct expose *x, const struct every *v,
                        struct shown **found, struct err *e)
{
    struct job j = every_run(v, 0, 1);
    struct worker w;

    j.flags |= CHANNEL_RECORD;
    if (!batch_run(x, &j, &w, e))
        return false;
    *found = expose_again(x, &w, e);
    pool_release(&x->pool, &w);
    return *found || stop_now(&x->r->stop) || batch_was_stopped(x);
}

bool hunt_failure(struct expose *x, const struct model *m, struct shown **found,
                  struct err *e)
{
    struct every v;
    struct worker w;
    struct job j;
    bool ok, again;

    *found = NULL;
    if (!x->o->enumerate || every_is_of_machines(&x->o->base, m))
        return true;
    every_begin(&v, &x->o->base, m, EVERY_FAILED, ROUNDS);
    j = every_job(&v, x->o->enumerate);
    ok = batch_run(x, &j, &w, e);
    if (ok) {
        again = every_take(&v, &w, x->arena);
        pool_release(&x->pool, &w);
        if (!again && v.list_count)
            ok = bring_about(x, &v, found, e);
    }
    every_free(&v);
    return ok;
}
