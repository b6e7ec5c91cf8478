/* SPDX-License-Identifier: MIT
 *
 * Models as their papers have them: SPARC's by the order of memory, Arm's
 * manual, the RISC-V specification, "Herding Cats" for POWER, and "Repairing
 * Sequential Consistency in C/C++11" with the release sequences of C++20.
 */
#include <string.h>

#include "litmus/brute_inside.h"

/* ---- Relations ---- */

static bits unite(bits a, bits b)
{
    for (int i = 0; i < BRUTE_EVENTS; i++)
        a.row[i] |= b.row[i];
    return a;
}

static bits common(bits a, bits b)
{
    for (int i = 0; i < BRUTE_EVENTS; i++)
        a.row[i] &= b.row[i];
    return a;
}

static bits without(bits a, bits b)
{
    for (int i = 0; i < BRUTE_EVENTS; i++)
        a.row[i] &= ~b.row[i];
    return a;
}

static bool is_there(bits a, int from, int to)
{
    return a.row[from] >> to & 1;
}

static bits then(bits a, bits b)
{
    bits out = {{0}};

    for (int i = 0; i < BRUTE_EVENTS; i++)
        for (uint64_t left = a.row[i]; left; left &= left - 1)
            out.row[i] |= b.row[__builtin_ctzll(left)];
    return out;
}

static bits closed(bits a)
{
    for (int k = 0; k < BRUTE_EVENTS; k++)
        for (int i = 0; i < BRUTE_EVENTS; i++)
            if (is_there(a, i, k))
                a.row[i] |= a.row[k];
    return a;
}

static bits or_same(bits a)
{
    for (int i = 0; i < BRUTE_EVENTS; i++)
        a.row[i] |= (uint64_t)1 << i;
    return a;
}

static bits from_set(uint64_t set, bits a)
{
    for (int i = 0; i < BRUTE_EVENTS; i++)
        if (!(set >> i & 1))
            a.row[i] = 0;
    return a;
}

static bits to_set(bits a, uint64_t set)
{
    for (int i = 0; i < BRUTE_EVENTS; i++)
        a.row[i] &= set;
    return a;
}

static bool is_irreflexive(bits a)
{
    for (int i = 0; i < BRUTE_EVENTS; i++)
        if (is_there(a, i, i))
            return false;
    return true;
}

static bool is_acyclic(bits a)
{
    return is_irreflexive(closed(a));
}

static bool is_empty(bits a)
{
    for (int i = 0; i < BRUTE_EVENTS; i++)
        if (a.row[i])
            return false;
    return true;
}

/* ---- What all speak of ---- */

static uint64_t marked(const struct candidate *c, uint32_t mark)
{
    uint64_t set = 0;

    for (unsigned i = 0; i < c->count; i++)
        if (c->marks[i] & mark)
            set |= (uint64_t)1 << i;
    return set;
}

static bits pairs_if(const struct candidate *c,
                     bool (*of)(const struct candidate *, unsigned, unsigned))
{
    bits out = {{0}};

    for (unsigned i = 0; i < c->count; i++)
        for (unsigned k = 0; k < c->count; k++)
            if (of(c, i, k))
                out.row[i] |= (uint64_t)1 << k;
    return out;
}

static bool is_same_place(const struct candidate *c, unsigned a, unsigned b)
{
    return c->cell[a] >= 0 && c->cell[a] == c->cell[b];
}

static bool is_foreign(const struct candidate *c, unsigned a, unsigned b)
{
    return a != b && (c->thread[a] < 0 || c->thread[b] < 0 ||
                      c->thread[a] != c->thread[b]);
}

/* A model in the making: what its words stand for. */
struct words {
    const struct candidate *c;
    uint64_t r, w, m;
    bits po, loc, ext, po_loc, rfe, coe, fre, lrs, rmw;
};

static struct words words_of(const struct candidate *c)
{
    struct words x = {.c = c, .po = c->po};
    bits between;

    x.r = marked(c, MARK_R);
    x.w = marked(c, MARK_W);
    x.m = x.r | x.w;
    x.loc = pairs_if(c, is_same_place);
    x.ext = pairs_if(c, is_foreign);
    x.po_loc = common(c->po, x.loc);
    x.rfe = common(c->rf, x.ext);
    x.coe = common(c->co, x.ext);
    x.fre = common(c->fr, x.ext);
    between = then(to_set(x.po_loc, x.w), x.po_loc);
    x.lrs = from_set(x.w, to_set(without(x.po_loc, between), x.r));
    x.rmw = unite(c->amo, c->lxsx);
    return x;
}

/* [from];po;[F with that mark];po;[to] */
static bits fence(const struct words *x, uint32_t mark, uint64_t from,
                  uint64_t to)
{
    return from_set(from,
                    to_set(then(to_set(x->po, marked(x->c, mark)), x->po), to));
}

bool brute_is_coherent(const struct candidate *c)
{
    struct words x = words_of(c);

    return is_acyclic(unite(unite(x.po_loc, c->rf), unite(c->co, c->fr))) &&
           is_empty(common(c->amo, then(c->fr, c->co))) &&
           is_empty(common(c->lxsx, then(x.fre, x.coe)));
}

/* ---- One order ---- */

static int node_of(const struct candidate *c, int event, bool merges)
{
    return merges && c->merges[event] ? c->mate[event] : event;
}

static bool has_order(const struct words *x, bits ppo, bool merges)
{
    bits all = unite(unite(ppo, x->rfe), unite(x->coe, x->fre));
    bits nodes = {{0}};

    for (int i = 0; i < BRUTE_EVENTS; i++)
        for (int k = 0; k < BRUTE_EVENTS; k++) {
            int from = node_of(x->c, i, merges), to = node_of(x->c, k, merges);

            if (is_there(all, i, k) && (from != to || i == k))
                nodes.row[from] |= (uint64_t)1 << to;
        }
    return is_acyclic(nodes);
}

static bool allows_sc(const struct candidate *c, bool *race)
{
    struct words x = words_of(c);

    (void)race;
    return has_order(&x, x.po, true);
}

static bool allows_tso(const struct candidate *c, bool *race)
{
    struct words x = words_of(c);
    uint64_t all = ~(uint64_t)0;
    bits ppo = unite(from_set(x.r, x.po), from_set(x.w, to_set(x.po, x.w)));

    (void)race;
    ppo = unite(ppo, fence(&x, MARK_FULL, all, all));
    ppo = unite(ppo, fence(&x, MARK_WR, x.w, x.r));
    ppo = unite(ppo, from_set(x.w, to_set(x.po, marked(c, MARK_RMW))));
    return has_order(&x, ppo, true);
}

static bits pslo_order(const struct words *x)
{
    uint64_t all = ~(uint64_t)0, rmw = marked(x->c, MARK_RMW);
    bits ppo = fence(x, MARK_FULL, all, all);

    ppo = unite(ppo, from_set(x->r, to_set(x->po, x->w)));
    ppo = unite(ppo, to_set(x->po_loc, x->w));
    ppo = unite(ppo, fence(x, MARK_WW, x->w, x->w));
    ppo = unite(ppo, fence(x, MARK_WR, x->w, x->r));
    ppo = unite(ppo, fence(x, MARK_RR, x->r, x->r));
    ppo = unite(ppo, from_set(x->r, to_set(x->po_loc, x->r)));
    ppo = unite(ppo, from_set(x->r, to_set(x->po, rmw)));
    return unite(ppo, from_set(x->w, to_set(x->po_loc, rmw)));
}

static bool allows_pso(const struct candidate *c, bool *race)
{
    struct words x = words_of(c);

    (void)race;
    return has_order(&x, unite(pslo_order(&x), from_set(x.r, x.po)), true);
}

static bool allows_pslo(const struct candidate *c, bool *race)
{
    struct words x = words_of(c);

    (void)race;
    return has_order(&x, pslo_order(&x), true);
}

/* ---- ARM ---- */

/* What selections keep: stores that use the value, stores behind an access
 * whose address was selected, and stores behind what the value was forwarded
 * to. */
static bits picked(const struct words *x, bits ordered)
{
    const struct candidate *c = x->c;
    bits some = unite(c->pick_addr, c->pick_data);
    bits direct = to_set(unite(some, c->pick_ctrl), x->w);

    return unite(unite(direct, to_set(then(c->pick_addr, x->po), x->w)),
                 to_set(then(then(some, x->lrs), ordered), x->w));
}

static bits arm_dependencies(const struct words *x)
{
    const struct candidate *c = x->c;
    bits out = unite(unite(c->addr, c->data), to_set(c->ctrl, x->w));
    bits strong = unite(c->ctrl, then(c->addr, x->po));
    uint64_t isb = marked(c, MARK_ISB);

    out = unite(out, to_set(then(c->addr, x->po), x->w));
    out = unite(out, then(unite(c->addr, c->data), x->lrs));
    return unite(out, then(to_set(strong, isb), x->po));
}

static bits arm_barriers(const struct words *x)
{
    const struct candidate *c = x->c;
    uint64_t all = ~(uint64_t)0, a = marked(c, MARK_A);
    uint64_t acquires = a | marked(c, MARK_Q), l = marked(c, MARK_L);
    uint64_t loads = x->r & ~marked(c, MARK_NORET), both = 0;
    bits out = fence(x, MARK_FULL, all, all);

    for (unsigned i = 0; i < c->count; i++)
        if (c->mate[i] >= 0 && c->merges[i] && l >> i & 1 &&
            a >> c->mate[i] & 1)
            both |= (uint64_t)1 << i;
    out = unite(out, fence(x, MARK_RR, loads, x->r));
    out = unite(out, fence(x, MARK_RW, loads, x->w));
    out = unite(out, fence(x, MARK_WW, x->w, x->w));
    out = unite(out, fence(x, MARK_WR, x->w, x->r));
    out = unite(out, from_set(acquires, x->po));
    out = unite(out, to_set(x->po, l));
    out = unite(out, from_set(l, to_set(x->po, a)));
    return unite(out, from_set(both, x->po));
}

/* Picks through a barrier that waits order whatever stores or loads come. */
static bits arm_waits(const struct words *x)
{
    const struct candidate *c = x->c;
    bits some = unite(c->pick_ctrl, then(c->pick_addr, x->po));

    return to_set(then(to_set(some, marked(c, MARK_ISB)), x->po), x->m);
}

static bool allows_arm(const struct candidate *c, bool *race)
{
    struct words x = words_of(c);
    uint64_t weak = marked(c, MARK_A) | marked(c, MARK_Q);
    bits lob = unite(to_set(x.po_loc, x.w), arm_dependencies(&x)), before;

    (void)race;
    lob = unite(lob, unite(arm_barriers(&x), arm_waits(&x)));
    lob = unite(lob, unite(x.rmw, to_set(then(x.rmw, x.lrs), weak)));
    do {
        before = lob;
        lob = closed(unite(lob, picked(&x, lob)));
    } while (memcmp(&before, &lob, sizeof(lob)) != 0);
    return has_order(&x, lob, false);
}

/* ---- RISC-V ---- */

static bits riscv_syntax(const struct words *x)
{
    const struct candidate *c = x->c;
    bits value = to_set(unite(c->addr, c->data), x->w);
    bits out = unite(to_set(c->addr, x->m), to_set(c->data, x->w));

    out = unite(out, to_set(c->ctrl, x->w));
    out = unite(out, then(value, x->lrs));
    return unite(out, to_set(then(to_set(c->addr, x->m), x->po), x->w));
}

static bool allows_riscv(const struct candidate *c, bool *race)
{
    struct words x = words_of(c);
    uint64_t aq = marked(c, MARK_A), rl = marked(c, MARK_L);
    uint64_t atomic = marked(c, MARK_AMO) | marked(c, MARK_X);
    uint64_t rcsc = (aq | rl) & atomic;
    bits ppo = to_set(x.po_loc, x.w), before;

    (void)race;
    ppo = unite(ppo, from_set(x.w & atomic, x.lrs));
    ppo = unite(
        ppo, unite(fence(&x, MARK_RR, x.r, x.r), fence(&x, MARK_RW, x.r, x.w)));
    ppo = unite(
        ppo, unite(fence(&x, MARK_WR, x.w, x.r), fence(&x, MARK_WW, x.w, x.w)));
    ppo = unite(ppo, from_set(aq, to_set(x.po, x.m)));
    ppo = unite(ppo, from_set(x.m, to_set(x.po, rl)));
    ppo = unite(ppo, from_set(rcsc, to_set(x.po, rcsc)));
    ppo = unite(ppo, unite(x.rmw, riscv_syntax(&x)));
    do {
        before = ppo;
        ppo = closed(unite(ppo, picked(&x, ppo)));
    } while (memcmp(&before, &ppo, sizeof(ppo)) != 0);
    return has_order(&x, ppo, true);
}

/* ---- POWER ---- */

struct power {
    bits ii, ic, ci, cc;
};

static bits power_ppo(const struct words *x)
{
    const struct candidate *c = x->c;
    bits dp = unite(c->addr, c->data);
    bits rdw = common(x->po_loc, then(x->fre, x->rfe));
    bits detour = common(x->po_loc, then(x->coe, x->rfe));
    bits cs = then(to_set(c->ctrl, marked(c, MARK_ISB)), x->po);
    bits picks = unite(unite(c->pick_addr, c->pick_data),
                       unite(c->pick_ctrl, then(c->pick_addr, x->po)));
    bits rfi = without(c->rf, x->rfe);
    struct power p = {{{0}}, {{0}}, {{0}}, {{0}}}, old;
    bits ii0 = unite(unite(dp, rfi), rdw), ci0 = unite(cs, detour);
    bits cc0 = unite(unite(dp, x->po_loc),
                     unite(unite(c->ctrl, then(c->addr, x->po)), picks));

    do {
        old = p;
        p.ii = unite(unite(ii0, old.ci),
                     unite(then(old.ic, old.ci), then(old.ii, old.ii)));
        p.ic = unite(unite(old.ii, old.cc),
                     unite(then(old.ic, old.cc), then(old.ii, old.ic)));
        p.ci = unite(ci0, unite(then(old.ci, old.ii), then(old.cc, old.ci)));
        p.cc = unite(unite(cc0, old.ci),
                     unite(then(old.ci, old.ic), then(old.cc, old.cc)));
    } while (memcmp(&old, &p, sizeof(p)) != 0);
    return unite(from_set(x->r, to_set(p.ii, x->r)),
                 from_set(x->r, to_set(p.ic, x->w)));
}

static bool allows_power(const struct candidate *c, bool *race)
{
    struct words x = words_of(c);
    uint64_t all = ~(uint64_t)0;
    bits sync = fence(&x, MARK_FULL, all, all), fences, hb, hbs, pb, prop, com;

    (void)race;
    fences =
        unite(unite(fence(&x, MARK_RR, x.r, x.r), fence(&x, MARK_RW, x.r, x.w)),
              unite(fence(&x, MARK_WW, x.w, x.w), sync));
    hb = unite(unite(power_ppo(&x), fences), x.rfe);
    if (!is_acyclic(hb))
        return false;
    hbs = or_same(closed(hb));
    pb = then(unite(fences, then(x.rfe, fences)), hbs);
    com = or_same(closed(unite(c->rf, unite(c->fr, c->co))));
    prop = unite(from_set(x.w, to_set(pb, x.w)),
                 then(then(com, or_same(closed(pb))), then(sync, hbs)));
    return is_acyclic(unite(c->co, prop)) &&
           is_irreflexive(then(then(x.fre, prop), hbs));
}

/* ---- C11 ---- */

static bits synchronizes(const struct words *x)
{
    const struct candidate *c = x->c;
    uint64_t atomic = marked(c, MARK_ATOMIC), f = marked(c, MARK_F);
    uint64_t acquires = marked(c, MARK_A), releases = marked(c, MARK_L);
    bits id = or_same((bits){{0}});
    bits sequence =
        from_set(x->w & atomic, or_same(closed(then(c->rf, x->rmw))));
    bits begin = from_set(releases, unite(id, from_set(f, x->po)));
    bits end = to_set(unite(id, to_set(x->po, f)), acquires);

    return then(then(begin, sequence), then(to_set(c->rf, x->r & atomic), end));
}

static bool is_race(const struct words *x, bits hb)
{
    const struct candidate *c = x->c;
    uint64_t atomic = marked(c, MARK_ATOMIC);
    bits pairs = common(x->loc, x->ext);

    for (unsigned i = 0; i < c->count; i++)
        for (unsigned k = 0; k < c->count; k++)
            if (is_there(pairs, (int)i, (int)k) && c->thread[i] >= 0 &&
                c->thread[k] >= 0 && (x->w >> i & 1 || x->w >> k & 1) &&
                !(atomic >> i & 1 && atomic >> k & 1) &&
                !is_there(hb, (int)i, (int)k) && !is_there(hb, (int)k, (int)i))
                return true;
    return false;
}

static bits sc_before(const struct words *x, bits hb, bits eco)
{
    const struct candidate *c = x->c;
    uint64_t sc = marked(c, MARK_SC), fsc = sc & marked(c, MARK_F);
    bits far = without(x->po, x->loc), id = or_same((bits){{0}});
    bits scb = unite(unite(x->po, then(then(far, hb), far)),
                     unite(common(hb, x->loc), unite(c->co, c->fr)));
    bits left = unite(from_set(sc, id), from_set(fsc, or_same(hb)));
    bits right = unite(to_set(id, sc), to_set(or_same(hb), fsc));
    bits fences = unite(hb, then(then(hb, eco), hb));

    return unite(then(then(left, scb), right),
                 from_set(fsc, to_set(fences, fsc)));
}

static bool allows_c11(const struct candidate *c, bool *race)
{
    struct words x = words_of(c);
    bits initial = {{0}}, hb, eco;

    for (unsigned i = 0; i < c->count; i++)
        for (unsigned k = 0; k < c->count; k++)
            if (c->thread[i] < 0 && c->thread[k] >= 0)
                initial.row[i] |= (uint64_t)1 << k;
    hb = closed(unite(unite(x.po, synchronizes(&x)), initial));
    eco = closed(unite(c->rf, unite(c->co, c->fr)));
    *race = is_race(&x, hb);
    return is_irreflexive(hb) && is_irreflexive(then(hb, eco)) &&
           is_acyclic(unite(x.po, c->rf)) && is_acyclic(sc_before(&x, hb, eco));
}

/* ---- All of them ---- */

brute_model *brute_find(const struct model *m)
{
    static const struct {
        const struct model *model;
        brute_model *allows;
    } known[] = {{&model_sc, allows_sc},       {&model_tso, allows_tso},
                 {&model_pso, allows_pso},     {&model_pslo, allows_pslo},
                 {&model_arm, allows_arm},     {&model_riscv, allows_riscv},
                 {&model_power, allows_power}, {&model_c11, allows_c11}};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].model == m)
            return known[i].allows;
    return NULL;
}
