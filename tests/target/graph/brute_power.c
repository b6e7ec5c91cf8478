/* SPDX-License-Identifier: MIT
 *
 * POWER, written from the text: section 1.6 of the research note models.md, and
 * the column of its table that says what C compiles to; a selection orders what
 * it would order as a branch and as arithmetic.  Relations are squares of bits;
 * nothing of the definitions in src/shared/model is here.
 */
#include "brute_inside.h"

struct power {
    const struct candidate *c;
    struct behaviour *b;
    uint32_t reads, writes;
    relation po_loc, addr, data, ctrl, cs;
    relation pick_addr, pick; /* any of them */
    relation lwsync, sync, eieio;
    relation rf, rfi, rfe, co, coe, fr, fre;
};

/* ---- What C becomes ---- */

enum { LWSYNC = 1, SYNC = 2, EIEIO = 4 };

static bool is_cas(const struct event_ *e)
{
    return e->op->kind == OP_CAS;
}

static bool is_seq_cst(const struct event_ *e)
{
    return e->op->order == ORDER_SEQ_CST ||
           (is_cas(e) && e->op->failure_order == ORDER_SEQ_CST);
}

static bool acquires(const struct event_ *e)
{
    return e->op->order == ORDER_ACQUIRE || e->op->order == ORDER_ACQ_REL ||
           is_seq_cst(e) ||
           (is_cas(e) && e->op->failure_order == ORDER_ACQUIRE);
}

static bool releases(const struct event_ *e)
{
    return e->op->order == ORDER_RELEASE || e->op->order == ORDER_ACQ_REL ||
           is_seq_cst(e);
}

/* The store of an RMW has its leading fence with its load. */
static unsigned fence_before(const struct event_ *e)
{
    switch (e->kind) {
    case R:
        return is_seq_cst(e) ? SYNC : 0;
    case W:
    case RX:
        return is_seq_cst(e) ? SYNC : releases(e) ? LWSYNC : 0;
    default:
        return 0;
    }
}

static unsigned fence_after(const struct event_ *e)
{
    bool last = e->kind == WX || (e->kind == RX && e->mate < 0);

    return last && acquires(e) ? LWSYNC : 0;
}

static unsigned fence_itself(const struct event_ *e)
{
    unsigned bits = e->op->fence;

    if (e->kind != F)
        return 0;
    if (!bits)
        return e->op->order == ORDER_SEQ_CST  ? SYNC
               : e->op->order > ORDER_RELAXED ? LWSYNC
                                              : 0;
    return (bits & (FENCE_FULL | FENCE_SL) ? SYNC : 0u) |
           (bits & (FENCE_LL | FENCE_LS) ? LWSYNC : 0u) |
           (bits & FENCE_SS ? EIEIO : 0u);
}

static unsigned fences_between(const struct candidate *c, int x, int y)
{
    unsigned all = fence_after(&c->events[x]) | fence_before(&c->events[y]);

    for (int z = 0; z < c->count; z++) {
        const struct event_ *e = &c->events[z];

        if (po(c, x, z) && po(c, z, y))
            all |= fence_before(e) | fence_itself(e) | fence_after(e);
    }
    return all;
}

/* ---- Base relations ---- */

static bool depends_on(const struct power *a, int x, int y, int kind)
{
    const struct op *op = a->c->events[y].op;

    return op->depends &&
           depends_has(&depends_get(&a->b->depends, op->depends)->sets[kind],
                       a->c->events[x].place);
}

/* A branch after x: on a load that acquires, and in the loop of a CAS. */
static bool branches(const struct event_ *x)
{
    return x->kind == R ? acquires(x) : x->kind == RX && is_cas(x);
}

/* Does a CAS between x and y branch on what comes of x? */
static bool is_compared(const struct power *a, int x, int y)
{
    const struct candidate *c = a->c;

    for (int z = 0; z < c->count; z++) {
        const struct event_ *e = &c->events[z];

        if (e->kind == RX && is_cas(e) && po(c, z, y) &&
            e->place != c->events[y].place && e->op->depends &&
            depends_has(&depends_get(&a->b->depends, e->op->depends)->compared,
                        c->events[x].place))
            return true;
    }
    return false;
}

/* Is there an isync after a branch on x and before y? */
static bool has_isync(const struct power *a, int x, int y)
{
    const struct candidate *c = a->c;

    for (int z = 0; z < c->count; z++) {
        const struct event_ *e = &c->events[z];

        if (e->kind == R && acquires(e) && po(c, z, y) &&
            (z == x || a->ctrl[z] >> x & 1))
            return true;
    }
    return false;
}

static void fill_pair(struct power *a, int x, int y)
{
    const struct candidate *c = a->c;
    const struct event_ *e = &c->events[x], *f = &c->events[y];
    uint32_t me = 1u << x;
    unsigned fences = fences_between(c, x, y);

    a->po_loc[y] |= same_location(c, x, y) ? me : 0;
    a->lwsync[y] |= fences & LWSYNC ? me : 0;
    a->sync[y] |= fences & SYNC ? me : 0;
    a->eieio[y] |= fences & EIEIO ? me : 0;
    if (!reads(e))
        return;
    if (depends_on(a, x, y, DEPENDS_ADDR))
        a->addr[y] |= me;
    if (writes(f) &&
        (depends_on(a, x, y, DEPENDS_DATA) ||
         (e->mate == y && e->op->kind == OP_RMW && e->op->rmw == RMW_ADD)))
        a->data[y] |= me;
    if (depends_on(a, x, y, DEPENDS_PICK_ADDR))
        a->pick_addr[y] |= me;
    if (depends_on(a, x, y, DEPENDS_PICK_ADDR) ||
        depends_on(a, x, y, DEPENDS_PICK_CTRL) ||
        (writes(f) && depends_on(a, x, y, DEPENDS_PICK_DATA)))
        a->pick[y] |= me;
    if (depends_on(a, x, y, DEPENDS_CTRL) ||
        (branches(e) && e->place != f->place) || is_compared(a, x, y))
        a->ctrl[y] |= me;
}

static void fill_thread_relations(struct power *a)
{
    const struct candidate *c = a->c;

    for (int y = 0; y < c->count; y++)
        for (int x = 0; x < c->count; x++)
            if (po(c, x, y) && c->events[x].kind <= WX &&
                c->events[y].kind <= WX)
                fill_pair(a, x, y);
    for (int y = 0; y < c->count; y++)
        for (int x = 0; x < c->count; x++)
            if (reads(&c->events[x]) && c->events[y].kind <= WX &&
                has_isync(a, x, y))
                a->cs[y] |= 1u << x;
}

static void put(relation all, relation inside, relation outside, bool same,
                int x, int y)
{
    all[y] |= 1u << x;
    (same ? inside : outside)[y] |= 1u << x;
}

static void fill_communication(struct power *a)
{
    const struct candidate *c = a->c;
    relation inside = {0};

    for (int y = 0; y < c->count; y++) {
        for (int x = 0; x < c->count; x++) {
            bool same = c->events[x].thread == c->events[y].thread;

            if (reads(&c->events[y]) && c->events[y].rf[0] == x)
                put(a->rf, a->rfi, a->rfe, same, x, y);
            if (x != y && co(c, x, y))
                put(a->co, inside, a->coe, same, x, y);
            if (fr(c, x, y) ||
                (c->events[x].kind == RX && c->events[x].mate == y))
                put(a->fr, inside, a->fre, same, x, y);
        }
    }
}

/* All before a creation is, as by a sync, before the new thread, and all of it
 * before what follows its join. */
static void add_threads(struct power *a)
{
    const struct candidate *c = a->c;

    for (int e = 0; e < c->count; e++) {
        const struct event_ *x = &c->events[e];

        for (int y = 0; y < c->count; y++) {
            for (int z = 0; z < c->count; z++) {
                if ((x->kind == CREATE && (y == e || po(c, y, e)) &&
                     c->events[z].thread == x->other) ||
                    (x->kind == JOIN &&
                     (y == e || c->events[y].thread == x->other) &&
                     po(c, e, z)))
                    a->sync[z] |= 1u << y;
            }
        }
    }
}

/* ---- Algebra ---- */

static void join_composed(relation to, const relation first,
                          const relation second)
{
    relation r;

    compose(r, first, second);
    join_to(to, r);
}

static void join_limited(relation to, const relation r, uint32_t from,
                         uint32_t until)
{
    relation x;

    memcpy(x, r, sizeof x);
    limit_to(x, from, until);
    join_to(to, x);
}

static void both_of(relation to, const relation a, const relation b)
{
    for (int y = 0; y < brute_rows; y++)
        to[y] = a[y] & b[y];
}

/* r* */
static void star(relation to, const relation r)
{
    memcpy(to, r, sizeof(relation));
    close_over(to);
    add_identity(to);
}

static bool is_acyclic(const relation r)
{
    relation all;

    memcpy(all, r, sizeof all);
    close_over(all);
    return is_irreflexive(all);
}

/* ---- The model ---- */

static void fill_ppo(const struct power *a, relation ppo)
{
    relation ii = {0}, ic = {0}, ci = {0}, cc = {0}, dp = {0}, x, old[4];

    join_to(dp, a->addr);
    join_to(dp, a->data);
    join_to(ii, dp);
    join_to(ii, a->rfi);
    compose(x, a->fre, a->rfe);
    both_of(x, x, a->po_loc); /* rdw */
    join_to(ii, x);
    join_to(ci, a->cs);
    compose(x, a->coe, a->rfe);
    both_of(x, x, a->po_loc); /* detour */
    join_to(ci, x);
    join_to(cc, dp);
    join_to(cc, a->po_loc);
    join_to(cc, a->ctrl);
    join_to(cc, a->pick); /* a branch, or a dependency: what both keep */
    for (int y = 0; y < a->c->count; y++) /* addr;po */
        for (int z = 0; z < a->c->count; z++)
            if (po(a->c, z, y))
                cc[y] |= a->addr[z] | a->pick_addr[z];
    do {
        memcpy(old[0], ii, sizeof ii);
        memcpy(old[1], ic, sizeof ic);
        memcpy(old[2], ci, sizeof ci);
        memcpy(old[3], cc, sizeof cc);
        join_to(ii, ci);
        join_composed(ii, ic, ci);
        join_composed(ii, ii, ii);
        join_to(ic, ii);
        join_to(ic, cc);
        join_composed(ic, ic, cc);
        join_composed(ic, ii, ic);
        join_composed(ci, ci, ii);
        join_composed(ci, cc, ci);
        join_to(cc, ci);
        join_composed(cc, ci, ic);
        join_composed(cc, cc, cc);
    } while (memcmp(old[0], ii, sizeof ii) || memcmp(old[1], ic, sizeof ic) ||
             memcmp(old[2], ci, sizeof ci) || memcmp(old[3], cc, sizeof cc));
    join_limited(ppo, ii, a->reads, a->reads);
    join_limited(ppo, ic, a->reads, a->writes);
}

static void fill_prop(const struct power *a, const relation fences,
                      const relation hb, relation prop)
{
    relation com = {0}, pb = {0}, hb_star, x;

    star(hb_star, hb);
    join_to(pb, fences);
    join_composed(pb, a->rfe, fences);
    compose(pb, pb, hb_star);
    join_limited(prop, pb, a->writes, a->writes);
    join_to(com, a->rf);
    join_to(com, a->fr);
    join_to(com, a->co);
    star(com, com);
    star(x, pb);
    compose(x, com, x);
    compose(x, x, a->sync);
    compose(x, x, hb_star);
    join_to(prop, x);
}

static bool is_coherent(const struct power *a)
{
    relation all = {0};

    join_to(all, a->po_loc);
    join_to(all, a->rf);
    join_to(all, a->co);
    join_to(all, a->fr);
    return is_acyclic(all);
}

bool brute_is_power(const struct candidate *c, struct behaviour *b)
{
    struct power a = {.c = c, .b = b};
    relation fences = {0}, hb = {0}, prop = {0}, x;

    for (int e = 0; e < c->count; e++) {
        a.reads |= reads(&c->events[e]) ? 1u << e : 0;
        a.writes |= writes(&c->events[e]) ? 1u << e : 0;
    }
    fill_thread_relations(&a);
    fill_communication(&a);
    add_threads(&a);
    if (!is_coherent(&a))
        return false;
    join_limited(fences, a.lwsync, a.reads, a.reads | a.writes);
    join_limited(fences, a.lwsync, a.writes, a.writes);
    join_limited(fences, a.eieio, a.writes, a.writes);
    join_to(fences, a.sync);
    fill_ppo(&a, hb);
    join_to(hb, fences);
    join_to(hb, a.rfe);
    if (!is_acyclic(hb))
        return false;
    fill_prop(&a, fences, hb, prop);
    memcpy(x, prop, sizeof x);
    join_to(x, a.co);
    if (!is_acyclic(x))
        return false;
    compose(x, a.fre, prop);
    star(hb, hb);
    compose(x, x, hb);
    return is_irreflexive(x);
}
