/* SPDX-License-Identifier: MIT
 *
 * As language.h says.
 */
#include "predict/language.h"

#include "model/model.h"

static enum event_order order_of(const struct event *e)
{
    return e->flags & EVF_ORDER;
}

bool language_is_full_fence(const struct event *e)
{
    unsigned bits = e->flags >> EVF_FENCE_SHIFT & 31;

    return e->kind == EV_FENCE && order_of(e) == ORDER_SEQ_CST &&
           (!bits || bits & FENCE_FULL);
}

bool language_keeps_apart(const struct trace *t, size_t a, size_t b)
{
    if (order_of(&t->events[a]) == ORDER_SEQ_CST &&
        order_of(&t->events[b]) == ORDER_SEQ_CST)
        return true;
    for (size_t i = a + 1; i < b; i++)
        if (t->events[i].thread == t->events[a].thread &&
            language_is_full_fence(&t->events[i]))
            return true;
    return false;
}

bool language_keeps(const struct trace *t, size_t a, size_t b)
{
    const struct event *x = &t->events[a], *y = &t->events[b];
    bool reads = x->kind != EV_STORE, writes = y->co != 0;

    if ((reads && order_acquires(order_of(x))) ||
        (writes && order_releases(order_of(y))) ||
        language_keeps_apart(t, a, b))
        return true;
    for (size_t i = a + 1; i < b; i++) {
        const struct event *f = &t->events[i];

        if (f->thread != x->thread || f->kind != EV_FENCE)
            continue;
        if ((order_acquires(order_of(f)) && reads) ||
            (order_releases(order_of(f)) && writes))
            return true;
    }
    return false;
}
