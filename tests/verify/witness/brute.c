/* SPDX-License-Identifier: MIT
 *
 * See brute.h.
 */
#include "brute.h"

#include <string.h>

typedef bool matrix[BRUTE_EVENTS][BRUTE_EVENTS];

static struct {
    const struct happening *log;
    size_t count;
    const struct model *m;
    matrix hb, rhb; /* closed, and reflexive */
} now;

/* ---- Kinds ---- */

static bool is_ghost(const struct happening *h)
{
    return h->flags & HAPPENED_GHOST;
}

static bool writes(const struct happening *h)
{
    return h->kind == EV_STORE || h->kind == EV_RMW || h->kind == EV_LOCK ||
           h->kind == EV_UNLOCK || h->kind == EV_WAIT || h->kind == EV_POST;
}

static bool reads(const struct happening *h)
{
    return happening_accesses(h) && h->kind != EV_STORE && h->kind != EV_UNLOCK;
}

static bool is_load(const struct happening *h)
{
    return h->kind == EV_LOAD && !is_ghost(h);
}

static bool is_store(const struct happening *h)
{
    return (h->kind == EV_STORE || h->kind == EV_UNLOCK) && !is_ghost(h);
}

static bool overlap(const struct happening *a, const struct happening *b)
{
    return happening_accesses(a) && happening_accesses(b) &&
           a->address < b->address + b->size &&
           b->address < a->address + a->size;
}

/* ---- Fences ---- */

static struct model_recipe recipe(const struct happening *h)
{
    enum event_order order = h->kind == EV_CAS_FAIL ? h->failure : h->order;

    if (h->kind == EV_FENCE && h->bits)
        return (struct model_recipe){h->bits, 0};
    if (h->kind == EV_CAS_FAIL && h->order == ORDER_SEQ_CST)
        return now.m->recipe[C_RMW_SEQ_CST];
    if (h->kind != EV_FENCE && !happening_accesses(h))
        return (struct model_recipe){0, 0};
    return now.m->recipe[model_construct_of(h->kind, order)];
}

static unsigned between(size_t x, size_t y)
{
    unsigned bits = recipe(&now.log[x]).after | recipe(&now.log[y]).before;

    for (size_t i = x + 1; i < y; i++)
        if (now.log[i].thread == now.log[x].thread)
            bits |= recipe(&now.log[i]).before | recipe(&now.log[i]).after;
    return bits;
}

/* ---- What the model keeps of program order ---- */

static bool keeps_accesses(size_t x, size_t y)
{
    const struct happening *a = &now.log[x], *b = &now.log[y];
    unsigned f = between(x, y);
    bool pslo = now.m->reorders_loads, tso = !now.m->reorders_stores;

    if (f & FENCE_FULL)
        return true;
    if (is_store(a)) {
        if (is_load(b))
            return f & FENCE_SL;
        if (is_ghost(b))
            return false;
        return tso || overlap(a, b) || (writes(b) && f & FENCE_SS) ||
               (reads(b) && f & FENCE_SL);
    }
    if (!is_load(b) || !pslo)
        return true;
    if (f & FENCE_LL)
        return true;
    return writes(a) && !is_ghost(a) && f & FENCE_SL;
}

/* Creating drains, and cuts nothing; joining cuts, and drains nothing. */
static bool keeps(size_t x, size_t y)
{
    const struct happening *a = &now.log[x], *b = &now.log[y];

    if (a->kind == EV_FENCE || b->kind == EV_FENCE)
        return false;
    if (a->kind == EV_START || a->kind == EV_JOIN || b->kind == EV_EXIT ||
        b->kind == EV_CREATE)
        return true;
    if (a->kind == EV_CREATE)
        return !is_load(b) || !now.m->reorders_loads;
    if (b->kind == EV_JOIN)
        return !is_store(a) || between(x, y) & FENCE_FULL;
    return keeps_accesses(x, y);
}

/* ---- Relations ---- */

/* Is the write x the newest before y that shares a byte with it? */
static bool is_source(size_t x, size_t y)
{
    for (size_t i = x + 1; i < y; i++)
        if (writes(&now.log[i]) && overlap(&now.log[i], &now.log[y]))
            return false;
    return true;
}

static bool conflicts(size_t x, size_t y)
{
    const struct happening *a = &now.log[x], *b = &now.log[y];

    return overlap(a, b) && (writes(a) || writes(b));
}

static bool links_threads(const struct happening *a, const struct happening *b)
{
    return (a->kind == EV_CREATE && a->other == b->thread &&
            b->kind == EV_START) ||
           (a->kind == EV_EXIT && b->kind == EV_JOIN && b->other == a->thread);
}

static bool happens_before(size_t x, size_t y)
{
    const struct happening *a = &now.log[x], *b = &now.log[y];

    return a->thread == b->thread || conflicts(x, y) || links_threads(a, b);
}

static bool takes_effect_before(size_t x, size_t y)
{
    const struct happening *a = &now.log[x], *b = &now.log[y];

    if (links_threads(a, b) || (a->thread == b->thread && keeps(x, y)))
        return true;
    if (!conflicts(x, y))
        return false;
    if (writes(b))
        return true;
    return is_source(x, y) &&
           !(a->thread == b->thread && is_store(a) && is_load(b));
}

static void close(matrix r, bool (*edge)(size_t, size_t))
{
    memset(r, 0, sizeof(matrix));
    for (size_t y = 0; y < now.count; y++) {
        r[y][y] = true;
        for (size_t x = y; x-- > 0;) {
            if (!edge(x, y))
                continue;
            for (size_t k = 0; k <= x; k++)
                r[k][y] |= r[k][x];
        }
    }
}

/* ---- Reports ---- */

static bool is_simple(size_t e)
{
    const struct happening *a = &now.log[e];

    if (!happening_accesses(a) || is_ghost(a))
        return false;
    for (size_t i = 0; i < now.count; i++) {
        const struct happening *b = &now.log[i];

        if (overlap(a, b) && (a->address != b->address || a->size != b->size))
            return false;
    }
    return true;
}

static bool has_blocks(void)
{
    for (size_t i = 0; i < now.count; i++)
        if (now.log[i].flags & HAPPENED_BLOCK)
            return true;
    return false;
}

/* What e would read in front of the write w; all memory is 0 at first. */
static uint64_t value_before(size_t w)
{
    for (size_t i = w; i-- > 0;)
        if (writes(&now.log[i]) && overlap(&now.log[i], &now.log[w]))
            return now.log[i].wrote;
    return 0;
}

/* Could it be done there: does a lock find its object free, does an operation
 * that would write not come between an RMW and what that read? */
static bool proceeds(size_t e, size_t w)
{
    const struct happening *h = &now.log[e];
    bool plain = !reads(&now.log[w]);
    uint64_t v = value_before(w);

    switch (h->kind) {
    case EV_LOAD:
        return true;
    case EV_RMW:
    case EV_CAS_FAIL:
        return plain || (h->flags & HAPPENED_CAS && v != h->expected);
    case EV_LOCK:
    case EV_LOCK_FAIL:
        if (h->flags & HAPPENED_COUNT)
            return v ? plain : true;
        return v ? !!(h->flags & HAPPENED_CAS) : plain;
    case EV_WAIT:
        return v ? plain : !!(h->flags & HAPPENED_CAS);
    default:
        return plain;
    }
}

/* Does the model keep e after the write w? */
static bool is_kept(size_t e, size_t w)
{
    const struct happening *h = &now.log[e];

    for (size_t i = 0; i < e; i++) {
        const struct happening *b = &now.log[i];

        if (b->thread != h->thread)
            continue;
        if (i > w && overlap(b, h) && (writes(b) || reads(h)))
            return true;
        if (keeps(i, e) && now.rhb[w][i])
            return true;
    }
    return false;
}

static uint32_t index_of(size_t i)
{
    uint32_t n = 0;

    for (size_t k = 0; k < i; k++)
        n += now.log[k].thread == now.log[i].thread &&
             happening_accesses(&now.log[k]);
    return n;
}

static size_t last_before(size_t e)
{
    for (size_t i = e; i-- > 0;)
        if (now.log[i].thread == now.log[e].thread)
            return i;
    return SIZE_MAX;
}

static size_t report_on(size_t e, bool possible, struct channel_report *reports,
                        size_t count)
{
    size_t last = last_before(e);

    if (last == SIZE_MAX || !is_simple(e))
        return count;
    for (size_t w = 0; w < e && count < BRUTE_REPORTS; w++) {
        const struct happening *a = &now.log[e], *b = &now.log[w];

        if (!writes(b) || !conflicts(w, e) || b->thread == a->thread ||
            !now.hb[w][last] || is_kept(e, w) == possible || !proceeds(e, w))
            continue;
        reports[count++] = (struct channel_report){.found = 1,
                                                   .e_thread = a->thread,
                                                   .e_site = a->site,
                                                   .e_index = index_of(e),
                                                   .e_number = (uint32_t)e,
                                                   .e_kind = a->kind,
                                                   .w_thread = b->thread,
                                                   .w_site = b->site,
                                                   .w_index = index_of(w),
                                                   .w_number = (uint32_t)w,
                                                   .address = a->address};
    }
    return count;
}

size_t brute_reports(const struct happening *log, size_t count,
                     const struct model *m, bool possible,
                     struct channel_report *reports)
{
    size_t found = 0;

    if (count > BRUTE_EVENTS)
        return 0;
    now.log = log;
    now.count = count;
    now.m = m;
    if (has_blocks())
        return 0;
    close(now.hb, happens_before);
    close(now.rhb, takes_effect_before);
    for (size_t e = 0; e < count; e++)
        found = report_on(e, possible, reports, found);
    return found;
}
