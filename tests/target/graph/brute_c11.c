/* SPDX-License-Identifier: MIT
 *
 * C11 for brute.h: RC11's axioms, its data races, and candidates as traces.
 */
#include "brute_inside.h"

static bool acquires(const struct event_ *e)
{
    return e->order == ORDER_ACQUIRE || e->order == ORDER_ACQ_REL ||
           e->order == ORDER_SEQ_CST;
}

static bool releases(const struct event_ *e)
{
    return e->order == ORDER_RELEASE || e->order == ORDER_ACQ_REL ||
           e->order == ORDER_SEQ_CST;
}

struct c11 {
    const struct candidate *c;
    relation po, rf, co, fr, rmw, hb, eco;
};

static uint32_t events_where(const struct candidate *c,
                             bool (*holds)(const struct event_ *))
{
    uint32_t set = 0;

    for (int e = 0; e < c->count; e++)
        set |= (uint32_t)holds(&c->events[e]) << e;
    return set;
}

static bool is_fence(const struct event_ *e)
{
    return e->kind == F;
}

static bool is_seq_cst(const struct event_ *e)
{
    return e->order == ORDER_SEQ_CST && e->kind <= F;
}

static void fill_base(struct c11 *k)
{
    const struct candidate *c = k->c;

    for (int y = 0; y < c->count; y++) {
        for (int x = 0; x < c->count; x++) {
            k->po[y] |= (uint32_t)po(c, x, y) << x;
            k->rf[y] |=
                (uint32_t)(reads(&c->events[y]) && c->events[y].rf[0] == x)
                << x;
            k->co[y] |= (uint32_t)co(c, x, y) << x;
            k->fr[y] |= (uint32_t)fr(c, x, y) << x;
            k->rmw[y] |=
                (uint32_t)(c->events[y].kind == WX && c->events[y].mate == x)
                << x;
        }
    }
    join_to(k->eco, k->rf);
    join_to(k->eco, k->co);
    join_to(k->eco, k->fr);
    /* An RMW writes after all that its source comes before: eco through its
     * own read. */
    close_over(k->eco);
}

static bool is_plain(const struct event_ *e)
{
    return e->kind <= W && e->order < ORDER_RELAXED;
}

/* sw = [rel];([F];po)?;rs;rf;[R];(po;[F])?;[acq], rs = [W];(rf;rmw)*; R and W
 * are atomic */
static void add_sw(struct c11 *k)
{
    const struct candidate *c = k->c;
    uint32_t atomic = ~events_where(c, is_plain),
             all_writes = events_where(c, writes) & atomic,
             all_reads = events_where(c, reads) & atomic,
             fences = events_where(c, is_fence);
    relation chain, before, after, sw;

    compose(chain, k->rf, k->rmw);
    close_over(chain);
    add_identity(chain);
    limit_to(chain, all_writes, all_writes);
    memcpy(before, k->po, sizeof before);
    limit_to(before, fences, ~0u);
    add_identity(before);
    memcpy(after, k->po, sizeof after);
    limit_to(after, ~0u, fences);
    add_identity(after);
    compose(sw, before, chain);
    compose(sw, sw, k->rf);
    limit_to(sw, ~0u, all_reads);
    compose(sw, sw, after);
    limit_to(sw, events_where(c, releases), events_where(c, acquires));
    join_to(k->hb, sw);
}

static void fill_hb(struct c11 *k)
{
    const struct candidate *c = k->c;

    join_to(k->hb, k->po);
    add_sw(k);
    for (int y = 0; y < c->count; y++) {
        for (int x = 0; x < c->count; x++) {
            const struct event_ *a = &c->events[x], *b = &c->events[y];

            if ((b->kind == JOIN && a->thread == b->other) ||
                (a->kind == CREATE && b->thread == a->other) ||
                (a->kind == CREATE && b->kind == JOIN && a->other == b->other))
                k->hb[y] |= 1u << x;
        }
    }
    close_over(k->hb);
}

static void fill_scb(const struct c11 *k, relation scb)
{
    relation around, po_other; /* of different operations: an RMW is one */

    for (int y = 0; y < N; y++)
        po_other[y] = k->po[y] & ~k->rmw[y];
    compose(around, po_other, k->hb);
    compose(around, around, po_other);
    memcpy(scb, k->po, sizeof around);
    join_to(scb, around);
    join_to(scb, k->co);
    join_to(scb, k->fr);
    for (int y = 0; y < k->c->count; y++) {
        for (int x = 0; x < k->c->count; x++) {
            if (k->hb[y] >> x & 1 && same_location(k->c, x, y))
                scb[y] |= 1u << x;
        }
    }
}

static bool psc_is_acyclic(const struct c11 *k)
{
    uint32_t strong = events_where(k->c, is_seq_cst),
             fences = strong & events_where(k->c, is_fence);
    relation psc, hb_or_none, left, right, through = {0};

    memcpy(hb_or_none, k->hb, sizeof hb_or_none);
    add_identity(hb_or_none);
    memcpy(left, hb_or_none, sizeof left);
    limit_to(left, fences, ~0u);
    memcpy(right, hb_or_none, sizeof right);
    limit_to(right, ~0u, fences);
    for (int e = 0; e < N; e++) {
        left[e] |= strong & 1u << e;
        right[e] |= strong & 1u << e;
    }
    fill_scb(k, psc);
    compose(psc, left, psc);
    compose(psc, psc, right);
    compose(through, k->hb, k->eco);
    compose(through, through, k->hb);
    join_to(through, k->hb);
    limit_to(through, fences, fences);
    join_to(psc, through);
    limit_to(psc, strong, strong);
    close_over(psc);
    return is_irreflexive(psc);
}

static bool is_c11(const struct c11 *k)
{
    relation bad;

    compose(bad, k->hb, k->eco);
    return is_irreflexive(k->hb) && is_irreflexive(bad) && psc_is_acyclic(k);
}

static bool is_race(const struct c11 *k, int x, int y)
{
    const struct event_ *a = &k->c->events[x], *b = &k->c->events[y];

    return same_location(k->c, x, y) && a->thread != b->thread &&
           (writes(a) || writes(b)) && (is_plain(a) || is_plain(b)) &&
           !(k->hb[y] >> x & 1) && !(k->hb[x] >> y & 1);
}

void brute_put_race(struct canon_set *to, uint32_t a, uint32_t b)
{
    struct canon text = {.count = 0};

    canon_put(&text, (a < b ? a : b) & 255);
    canon_put(&text, (a < b ? a : b) >> 8);
    canon_put(&text, (a < b ? b : a) & 255);
    canon_put(&text, (a < b ? b : a) >> 8);
    canon_add(to, &text);
}

static void put_races(const struct c11 *k, struct canon_set *to)
{
    for (int a = 0; a < k->c->count; a++) {
        for (int b = 0; b < a; b++) {
            if (is_race(k, a, b))
                brute_put_race(to, k->c->events[a].site, k->c->events[b].site);
        }
    }
}

/* ---- A candidate as a trace ---- */

void (*brute_tells)(const struct trace *t, bool is_c11, const uint32_t race[2]);

static struct event event_of(const struct candidate *c, int e,
                             const uint32_t *number)
{
    static const enum event_kind kinds[] = {
        EV_LOAD, EV_STORE, EV_RMW, EV_NONE, EV_FENCE, EV_CREATE, EV_JOIN};
    const struct event_ *n = &c->events[e];
    int write = n->kind == RX ? n->mate : n->kind == W ? e : -1;
    struct event ev = {.kind = (uint8_t)kinds[n->kind],
                       .thread = (uint16_t)n->thread,
                       .flags = n->order,
                       .value = n->kind >= CREATE ? n->other : n->value[0]};

    if (n->kind == RX && write < 0)
        ev.kind = EV_CAS_FAIL;
    if (n->kind <= RX) {
        ev.object = n->location + 1;
        ev.size = 8;
    }
    if (reads(n) && n->rf[0] >= 0)
        ev.from = number[n->rf[0]];
    if (write >= 0) {
        ev.co = (uint32_t)co_place(c, write) + 1;
        ev.wrote = c->events[write].value[0];
    }
    return ev;
}

void (*brute_tells_processor)(const struct trace *t, enum brute_model m,
                              bool is, enum brute_rmws rmws);

/* With the orders of a trace of a processor. */
static enum brute_rmws mark_orders(const struct candidate *c,
                                   struct event *events, const uint32_t *number)
{
    enum brute_rmws rmws = BRUTE_NO_RMW;

    for (int e = 0; e < c->count; e++) {
        const struct op *op = c->events[e].op;
        struct event *to = &events[number[e] - 1];

        if (c->events[e].kind == F)
            to->flags |= (uint32_t)op->fence << EVF_FENCE_SHIFT;
        if (c->events[e].kind <= WX && op->kind == OP_CAS)
            to->flags = (to->flags & EVF_PART) |
                        order_join(op->order, op->failure_order);
        if (c->events[e].kind != RX)
            continue;
        if (op->kind == OP_CAS || op->rmw != RMW_XCHG)
            rmws = BRUTE_RMWS;
        else if (rmws == BRUTE_NO_RMW)
            rmws = BRUTE_EXCHANGES;
    }
    return rmws;
}

static void tell_processors(const struct candidate *c, const struct trace *t,
                            enum brute_rmws rmws, enum brute_model end)
{
    for (enum brute_model m = BRUTE_ARM_LLSC; m < end; m++)
        brute_tells_processor(
            t, m, is_atomic(c) && brute_is_of_processor(c, NULL, m), rmws);
}

/* A write of an RMW is no event of its own. */
static void put_events(const struct candidate *c, struct trace *t,
                       struct event *events, uint32_t *number)
{
    uint32_t next[MINI_THREADS] = {0};

    for (int e = 0; e < c->count; e++) {
        struct event *to = &events[t->event_count];

        if (c->events[e].kind == WX) {
            number[e] = number[c->events[e].mate];
            continue;
        }
        *to = event_of(c, e, number);
        to->index = next[c->events[e].thread]++;
        if (e && same_half(c, e - 1, e))
            to->flags |= EVF_PART;
        number[e] = (uint32_t)++t->event_count;
    }
}

void brute_tell_parts(const struct candidate *c)
{
    static struct candidate pieces; /* large */
    struct event events[PIECES];
    uint32_t number[PIECES];
    struct trace t = {.events = events};

    brute_split(c, &pieces);
    put_events(&pieces, &t, events, number);
    tell_processors(c, &t, mark_orders(&pieces, events, number), BRUTE_POWER);
}

/* Candidates are built in an order of po and rf. */
static void tell(const struct c11 *k)
{
    const struct candidate *c = k->c;
    struct event events[N];
    uint32_t number[N], race[2] = {0};
    struct trace t = {.events = events};

    put_events(c, &t, events, number);
    for (int a = 0; a < c->count; a++) {
        for (int b = 0; b < a; b++) {
            if (!is_race(k, a, b))
                continue;
            race[0] = number[a];
            race[1] = number[b];
        }
    }
    brute_tells(&t, is_c11(k) && is_atomic(c), race);
    tell_processors(c, &t, mark_orders(c, events, number), BRUTE_MODELS);
}

bool brute_has_race(const struct candidate *c)
{
    struct c11 k = {.c = c};

    fill_base(&k);
    fill_hb(&k);
    for (int a = 0; a < c->count; a++) {
        for (int b = 0; b < a; b++) {
            if (is_race(&k, a, b))
                return true;
        }
    }
    return false;
}

bool brute_is_c11(const struct candidate *c, struct canon_set *races)
{
    struct c11 k = {.c = c};
    bool is;

    fill_base(&k);
    fill_hb(&k);
    if (brute_tells)
        tell(&k);
    is = is_atomic(c) && is_c11(&k);
    if (is)
        put_races(&k, races);
    return is;
}
