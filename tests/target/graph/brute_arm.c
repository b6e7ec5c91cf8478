/* SPDX-License-Identifier: MIT
 *
 * ARM and RISC-V, written from the text: Arm's model as section 1.3 of the
 * research note models.md has it, RVWMO as section 1.4, and the tables of what
 * C compiles to.  Relations are squares of bits; nothing of the terms in
 * src/shared/model is here.
 */
#include "brute_inside.h"

struct arch {
    const struct candidate *c;
    struct behaviour *b;
    enum brute_model m;
    bool has_parts; /* some accesses are several events */
    uint32_t reads, writes, fences;
    uint32_t acquires, weakly, releases; /* A, Q, L; of riscv: aq, rl */
    uint32_t amo, exclusive;
    relation po, po_loc, lrs, rmw;
    relation depends[DEPENDS_KINDS];
};

static bool is_arm(const struct arch *a)
{
    return a->m != BRUTE_RISCV;
}

/* ---- Orders ---- */

static bool acquiring(enum event_order o)
{
    return o == ORDER_ACQUIRE || o == ORDER_ACQ_REL || o == ORDER_SEQ_CST;
}

static bool releasing(enum event_order o)
{
    return o == ORDER_RELEASE || o == ORDER_ACQ_REL || o == ORDER_SEQ_CST;
}

static bool is_cas(const struct event_ *e)
{
    return e->op->kind == OP_CAS;
}

/* One instruction, or one loop, for both ways a CAS may end. */
static bool acquires(const struct event_ *e)
{
    return acquiring(e->op->order) ||
           (is_cas(e) && acquiring(e->op->failure_order));
}

static bool releases(const struct event_ *e)
{
    return releasing(e->op->order) ||
           (is_cas(e) && e->op->failure_order == ORDER_SEQ_CST);
}

static bool is_seq_cst(const struct event_ *e)
{
    return e->op->order == ORDER_SEQ_CST ||
           (is_cas(e) && e->op->failure_order == ORDER_SEQ_CST);
}

/* ---- Marks ---- */

static void mark_arm(struct arch *a, int e)
{
    const struct event_ *x = &a->c->events[e];
    uint32_t me = 1u << e;

    if (x->kind == R && acquires(x)) {
        if (a->m == BRUTE_ARM_RCPC && x->op->order != ORDER_SEQ_CST)
            a->weakly |= me;
        else
            a->acquires |= me;
    }
    if (x->kind == RX && acquires(x))
        a->acquires |= me;
    if ((x->kind == W || x->kind == WX) && releases(x))
        a->releases |= me;
}

/* Loads and stores are plain, with fences around them. */
static void mark_riscv(struct arch *a, int e)
{
    const struct event_ *x = &a->c->events[e];
    uint32_t me = 1u << e;

    if (x->kind != RX && x->kind != WX)
        return;
    if (!is_cas(x)) {
        a->acquires |= acquires(x) ? me : 0;
        a->releases |= releases(x) ? me : 0;
    } else if (x->kind == RX) {
        a->acquires |= acquires(x) ? me : 0;
        a->releases |= is_seq_cst(x) ? me : 0;
    } else {
        a->releases |= releases(x) ? me : 0;
    }
}

static bool is_exclusive(const struct arch *a, const struct event_ *x)
{
    return a->m == BRUTE_ARM_LLSC || (a->m == BRUTE_RISCV && is_cas(x));
}

static void mark(struct arch *a)
{
    for (int e = 0; e < a->c->count; e++) {
        const struct event_ *x = &a->c->events[e];
        uint32_t me = 1u << e;

        a->reads |= reads(x) ? me : 0;
        a->writes |= writes(x) ? me : 0;
        a->fences |= x->kind == F ? me : 0;
        if (x->kind == RX || x->kind == WX) {
            if (is_exclusive(a, x))
                a->exclusive |= me;
            else
                a->amo |= me;
        }
        if (is_arm(a))
            mark_arm(a, e);
        else
            mark_riscv(a, e);
    }
}

/* ---- Base relations ---- */

/* The last own store to that location before a load. */
static bool is_lrs(const struct candidate *c, int w, int r)
{
    if (!writes(&c->events[w]) || !reads(&c->events[r]) || !po(c, w, r) ||
        !same_location(c, w, r))
        return false;
    for (int z = 0; z < c->count; z++) {
        if (writes(&c->events[z]) && same_location(c, z, r) && po(c, w, z) &&
            po(c, z, r))
            return false;
    }
    return true;
}

/* Is y written by what reads x? */
static bool is_rmw(const struct candidate *c, int x, int y)
{
    const struct event_ *r = &c->events[x], *w = &c->events[y];

    return r->kind == RX && w->kind == WX && r->thread == w->thread &&
           r->place == w->place;
}

static void fill_orders(struct arch *a)
{
    const struct candidate *c = a->c;

    for (int y = 0; y < c->count; y++) {
        for (int x = 0; x < c->count; x++) {
            uint32_t me = 1u << x;

            a->po[y] |= po(c, x, y) ? me : 0;
            a->po_loc[y] |= po(c, x, y) && same_location(c, x, y) ? me : 0;
            a->lrs[y] |= is_lrs(c, x, y) ? me : 0;
            a->rmw[y] |= is_rmw(c, x, y) ? me : 0;
        }
    }
}

/* The kind of dependency that y has on x by that set, which names the operation
 * of x; of a CAS that succeeded as one instruction on arm, a pick. */
static int kind_of(const struct arch *a, int x, int kind)
{
    const struct event_ *e = &a->c->events[x];

    return is_arm(a) && is_cas(e) && e->mate >= 0 && !is_exclusive(a, e) &&
                   kind < DEPENDS_PICK_ADDR
               ? kind + DEPENDS_PICK_ADDR
               : kind;
}

static void fill_depends(struct arch *a, int x, int y)
{
    const struct event_ *from = &a->c->events[x], *to = &a->c->events[y];
    const struct depends *d = depends_get(&a->b->depends, to->op->depends);

    for (int kind = 0; kind < DEPENDS_KINDS; kind++) {
        if (!depends_has(&d->sets[kind], from->place))
            continue;
        if ((kind == DEPENDS_DATA || kind == DEPENDS_PICK_DATA) && !writes(to))
            continue;
        a->depends[kind_of(a, x, kind)][y] |= 1u << x;
    }
}

/* What the compiled code adds: a loop of exclusives for a CAS branches. */
static void fill_compiled(struct arch *a, int x, int y)
{
    const struct event_ *from = &a->c->events[x], *to = &a->c->events[y];
    bool own = is_rmw(a->c, x, y);

    if (own && from->op->kind == OP_RMW && from->op->rmw == RMW_ADD)
        a->depends[DEPENDS_DATA][y] |= 1u << x;
    if (own && is_cas(from) && is_arm(a))
        a->depends[DEPENDS_PICK_DATA][y] |= 1u << x;
    if (is_cas(from) && is_exclusive(a, from) && po(a->c, x, y) &&
        to->kind <= WX && from->place != to->place && reads(from))
        a->depends[DEPENDS_CTRL][y] |= 1u << x;
    if (is_cas(from) && !is_arm(a) && from->kind == WX && po(a->c, x, y))
        a->depends[DEPENDS_CTRL][y] |= 1u << x;
}

/* A CAS between x and y that compares with what comes of x branches on that, if
 * it is a loop. */
static bool is_compared(const struct arch *a, int x, int y)
{
    const struct candidate *c = a->c;

    for (int z = 0; z < c->count; z++) {
        const struct event_ *e = &c->events[z];

        if (e->kind == RX && is_cas(e) && is_exclusive(a, e) && po(c, z, y) &&
            e->place != c->events[y].place && e->op->depends &&
            depends_has(&depends_get(&a->b->depends, e->op->depends)->compared,
                        c->events[x].place))
            return true;
    }
    return false;
}

static void fill_dependencies(struct arch *a)
{
    for (int y = 0; y < a->c->count; y++) {
        for (int x = 0; x < a->c->count; x++) {
            if (!po(a->c, x, y) || a->c->events[y].kind > WX)
                continue;
            if (reads(&a->c->events[x]) && a->c->events[y].op->depends)
                fill_depends(a, x, y);
            if (reads(&a->c->events[x]) && is_compared(a, x, y))
                a->depends[DEPENDS_CTRL][y] |= 1u << x;
            if (a->c->events[x].kind == RX || a->c->events[x].kind == WX)
                fill_compiled(a, x, y);
        }
    }
}

/* ---- Algebra ---- */

/* to |= [from];r;[until] */
static void add_limited(relation to, const relation r, uint32_t from,
                        uint32_t until)
{
    for (int y = 0; y < brute_rows; y++)
        to[y] |= until >> y & 1 ? r[y] & from : 0;
}

static void add_composed(relation to, const relation first,
                         const relation second, uint32_t until)
{
    relation r;

    compose(r, first, second);
    add_limited(to, r, UINT32_MAX, until);
}

/* to |= [from];po;[those];po;[until] */
static void add_fenced(struct arch *a, relation to, uint32_t from,
                       uint32_t those, uint32_t until)
{
    relation first = {0}, second;

    add_limited(first, a->po, from, those);
    memcpy(second, a->po, sizeof second);
    add_composed(to, first, second, until);
}

/* to |= r;si, where si joins the parts of one half of an access */
static void add_lifted(const struct candidate *c, relation to, const relation r)
{
    for (int y = 0; y < c->count; y++) {
        for (int x = 0; x < c->count; x++)
            to[x] |= same_half(c, x, y) ? r[y] : 0;
    }
}

/* ---- ARM ---- */

enum dmb { DMB_FULL, DMB_LD, DMB_ST };

static uint32_t barriers(const struct arch *a, enum dmb which)
{
    uint32_t all = 0;

    for (int e = 0; e < a->c->count; e++) {
        const struct op *op = a->c->events[e].op;
        unsigned bits = op->fence;
        bool full, ld, st;

        if (a->c->events[e].kind != F)
            continue;
        full = bits ? bits & (FENCE_FULL | FENCE_SL)
                    : releasing(op->order); /* also a release fence */
        ld = bits ? bits & (FENCE_LL | FENCE_LS) : op->order == ORDER_ACQUIRE;
        st = bits & FENCE_SS;
        if (which == DMB_FULL ? full : which == DMB_LD ? ld : st)
            all |= 1u << e;
    }
    return all;
}

/* The write of an acquire and release instruction. */
static uint32_t amo_acquire_release(const struct arch *a)
{
    uint32_t all = 0;

    for (int e = 0; e < a->c->count; e++) {
        const struct event_ *x = &a->c->events[e];

        if (x->kind == WX && a->amo >> e & 1 && a->releases >> e & 1 &&
            a->acquires >> x->mate & 1)
            all |= 1u << e;
    }
    return all;
}

static void arm_barriers(struct arch *a, relation lob)
{
    uint32_t all = UINT32_MAX;

    add_fenced(a, lob, all, barriers(a, DMB_FULL), all);
    add_fenced(a, lob, a->reads, barriers(a, DMB_LD), all);
    add_fenced(a, lob, a->writes, barriers(a, DMB_ST), a->writes);
    add_limited(lob, a->po, a->acquires | a->weakly, all);
    add_limited(lob, a->po, all, a->releases);
    add_limited(lob, a->po, a->releases, a->acquires);
    add_limited(lob, a->po, amo_acquire_release(a), all);
}

static void arm_dependencies(struct arch *a, relation lob)
{
    uint32_t all = UINT32_MAX;
    relation moved = {0};

    join_to(lob, a->depends[DEPENDS_ADDR]);
    join_to(lob, a->depends[DEPENDS_DATA]);
    add_limited(lob, a->depends[DEPENDS_CTRL], all, a->writes);
    add_composed(lob, a->depends[DEPENDS_ADDR], a->po, a->writes);
    join_to(moved, a->depends[DEPENDS_ADDR]);
    join_to(moved, a->depends[DEPENDS_DATA]);
    add_composed(lob, moved, a->lrs, all);
}

static void arm_picks(struct arch *a, relation lob)
{
    uint32_t all = UINT32_MAX;

    add_limited(lob, a->depends[DEPENDS_PICK_ADDR], all, a->writes);
    add_limited(lob, a->depends[DEPENDS_PICK_DATA], all, a->writes);
    add_limited(lob, a->depends[DEPENDS_PICK_CTRL], all, a->writes);
    add_composed(lob, a->depends[DEPENDS_PICK_ADDR], a->po, a->writes);
}

/* (pick-addr | pick-data);lrs;lob;[W], until nothing is new. */
static void close_arm(struct arch *a, relation lob)
{
    relation moved = {0}, before;

    join_to(moved, a->depends[DEPENDS_PICK_ADDR]);
    join_to(moved, a->depends[DEPENDS_PICK_DATA]);
    compose(moved, moved, a->lrs);
    do {
        memcpy(before, lob, sizeof before);
        close_over(lob);
        add_composed(lob, moved, lob, a->writes);
    } while (memcmp(before, lob, sizeof before) != 0);
}

static void arm_order(struct arch *a, relation lob)
{
    relation atomic = {0}, lws = {0};

    add_limited(lws, a->po_loc, UINT32_MAX, a->writes);
    add_lifted(a->c, lob, lws);
    join_to(lob, a->rmw);
    compose(atomic, a->rmw, a->lrs);
    add_limited(lob, atomic, UINT32_MAX, a->acquires | a->weakly);
    arm_dependencies(a, lob);
    arm_barriers(a, lob);
    arm_picks(a, lob);
    close_arm(a, lob);
}

/* ---- RISC-V ---- */

enum { RR = 1, RW = 2, WR = 4, WW = 8 };

static unsigned fence_before(const struct event_ *e)
{
    if (e->kind == R && e->op->order == ORDER_SEQ_CST)
        return RR | RW | WR | WW;
    return e->kind == W && releasing(e->op->order) ? RW | WW : 0;
}

static unsigned fence_after(const struct event_ *e)
{
    if (e->kind == W && e->op->order == ORDER_SEQ_CST)
        return RR | RW | WR | WW;
    return e->kind == R && acquiring(e->op->order) ? RR | RW : 0;
}

static unsigned fence_itself(const struct event_ *e)
{
    unsigned bits = e->kind == F ? e->op->fence : 0;

    if (e->kind != F)
        return 0;
    if (bits & FENCE_FULL)
        return RR | RW | WR | WW;
    if (bits)
        return (bits & FENCE_SS ? WW : 0) | (bits & FENCE_LL ? RR : 0) |
               (bits & FENCE_SL ? WR : 0) | (bits & FENCE_LS ? RW : 0);
    switch (e->op->order) {
    case ORDER_ACQUIRE:
        return RR | RW;
    case ORDER_RELEASE:
        return RW | WW;
    case ORDER_ACQ_REL:
        return RR | RW | WW; /* fence.tso */
    case ORDER_SEQ_CST:
        return RR | RW | WR | WW;
    default:
        return 0;
    }
}

static bool is_fenced(const struct arch *a, int x, int y)
{
    const struct candidate *c = a->c;
    unsigned all = fence_after(&c->events[x]) | fence_before(&c->events[y]);
    unsigned from = reads(&c->events[x]) ? RR | RW : WR | WW;
    unsigned to = reads(&c->events[y]) ? RR | WR : RW | WW;

    if (!po(c, x, y) || c->events[x].kind > WX || c->events[y].kind > WX)
        return false;
    for (int z = 0; z < c->count; z++) {
        const struct event_ *e = &c->events[z];

        if (po(c, x, z) && po(c, z, y))
            all |= fence_before(e) | fence_after(e) | fence_itself(e);
    }
    return all & from & to;
}

/* Of accesses of one part: the last own store.  With parts, as the manual says
 * it: b returns a value of a's for some byte; and rule 2, two loads that share
 * a byte, with no store to that between, which return different stores'. */
static void riscv_forwarded(struct arch *a, relation ppo, relation to)
{
    const struct candidate *c = a->c;

    join_to(to, a->lrs);
    if (!a->has_parts)
        return;
    memset(to, 0, sizeof a->lrs);
    for (int y = 0; y < c->count; y++) {
        const struct event_ *b = &c->events[y];

        for (int x = 0; x < c->count && reads(b); x++) {
            const struct event_ *e = &c->events[x];
            bool between = false;

            if (b->rf[0] == x && po(c, x, y))
                to[y] |= 1u << x;
            if (!reads(e) || !po(c, x, y) || !same_location(c, x, y) ||
                e->rf[0] == b->rf[0])
                continue;
            for (int z = 0; z < c->count; z++)
                between = between || (writes(&c->events[z]) && po(c, x, z) &&
                                      po(c, z, y) && same_location(c, z, y));
            ppo[y] |= between ? 0 : 1u << x; /* 2 */
        }
    }
}

static void riscv_rules(struct arch *a, relation ppo)
{
    uint32_t all = UINT32_MAX;
    uint32_t rcsc = (a->acquires | a->releases) & (a->amo | a->exclusive);
    uint32_t both = a->reads | a->writes;
    relation moved = {0}, to_write = {0}, forwarded = {0};

    riscv_forwarded(a, ppo, forwarded);
    add_limited(ppo, a->po_loc, all, a->writes); /* 1 */
    add_limited(ppo, forwarded, (a->amo | a->exclusive) & a->writes,
                all); /* 3 */
    for (int y = 0; y < a->c->count; y++) {
        for (int x = 0; x < a->c->count; x++)
            ppo[y] |= is_fenced(a, x, y) ? 1u << x : 0; /* 4 */
    }
    add_limited(ppo, a->po, a->acquires, both);                 /* 5 */
    add_limited(ppo, a->po, both, a->releases);                 /* 6 */
    add_limited(ppo, a->po, rcsc, rcsc);                        /* 7 */
    join_to(ppo, a->rmw);                                       /* 8 */
    join_to(ppo, a->depends[DEPENDS_ADDR]);                     /* 9 */
    add_limited(ppo, a->depends[DEPENDS_DATA], all, a->writes); /* 10 */
    add_limited(ppo, a->depends[DEPENDS_CTRL], all, a->writes); /* 11 */
    join_to(moved, a->depends[DEPENDS_ADDR]);
    join_to(moved, a->depends[DEPENDS_DATA]);
    add_limited(to_write, moved, all, a->writes);
    add_composed(ppo, to_write, forwarded, all);                   /* 12 */
    add_composed(ppo, a->depends[DEPENDS_ADDR], a->po, a->writes); /* 13 */
}

/* An operation of memory is one node, of whatever size, and so is an AMO: their
 * events share their edges. */
static void merge(const struct arch *a, relation r)
{
    for (int e = 0; e < a->c->count; e++) {
        uint32_t all = 0, before = 0;

        for (int x = 0; x < a->c->count; x++) {
            bool halves = is_rmw(a->c, x, e) || is_rmw(a->c, e, x);

            if (same_half(a->c, x, e) || (halves && a->amo >> e & 1)) {
                all |= 1u << x;
                before |= r[x];
            }
        }
        if (!(all & (all - 1)))
            continue;
        r[e] = before & ~all;
        for (int y = 0; y < brute_rows; y++) {
            if (!(all >> y & 1) && r[y] & all)
                r[y] |= all;
        }
    }
}

/* A selection is a branch, by which all later stores come after it, or
 * arithmetic, which is a dependency of what uses the value.  Both ways: stores
 * that use it (10, 11), stores after what has its address from it (13), stores
 * after a load that it was forwarded to (12). */
static void add_selections(struct arch *a, relation ppo)
{
    relation moved = {0}, before;

    arm_picks(a, ppo);
    add_limited(moved, a->depends[DEPENDS_PICK_ADDR], UINT32_MAX, a->writes);
    add_limited(moved, a->depends[DEPENDS_PICK_DATA], UINT32_MAX, a->writes);
    compose(moved, moved, a->lrs);
    do {
        memcpy(before, ppo, sizeof before);
        close_over(ppo);
        merge(a, ppo);
        add_composed(ppo, moved, ppo, a->writes);
    } while (memcmp(before, ppo, sizeof before) != 0);
}

static void riscv_order(struct arch *a, relation ppo)
{
    riscv_rules(a, ppo);
    add_selections(a, ppo);
}

/* ---- Axioms ---- */

static void add_communication(const struct candidate *c, relation r, bool all)
{
    relation observed = {0};

    for (int y = 0; y < c->count; y++) {
        for (int x = 0; x < c->count; x++) {
            bool ext = c->events[x].thread != c->events[y].thread;
            bool rf = reads(&c->events[y]) && c->events[y].rf[0] == x;

            if ((all || ext) && x != y && (rf || co(c, x, y) || fr(c, x, y)))
                observed[y] |= 1u << x;
        }
    }
    if (all)
        join_to(r, observed);
    else
        add_lifted(c, r, observed);
}

/* All before a creation is before the new thread, and all of it before what
 * follows its join. */
static void add_threads(const struct candidate *c, relation r)
{
    for (int e = 0; e < c->count; e++) {
        const struct event_ *x = &c->events[e];

        for (int y = 0; y < c->count; y++) {
            for (int z = 0; z < c->count; z++) {
                bool before = x->kind == CREATE && (y == e || po(c, y, e)) &&
                              c->events[z].thread == x->other;
                bool after = x->kind == JOIN &&
                             c->events[y].thread == x->other &&
                             (z == e || po(c, e, z));

                if (before || after ||
                    (x->kind == JOIN && y == e && po(c, e, z)))
                    r[z] |= 1u << y;
            }
        }
    }
}

static bool is_acyclic(const relation r)
{
    relation all;

    memcpy(all, r, sizeof all);
    close_over(all);
    return is_irreflexive(all);
}

/* ---- Fences of every thread ---- */

/* What is up to that place of the thread comes before f, all else after it. */
static void add_cut(const struct candidate *c, relation r, int f,
                    unsigned thread, unsigned place)
{
    for (int e = 0; e < c->count; e++) {
        if (c->events[e].thread != thread || e == f)
            continue;
        if (c->events[e].index < place)
            r[f] |= 1u << e;
        else
            r[e] |= 1u << f;
    }
}

/* Between the halves of an RMW? */
static bool splits(const struct candidate *c, unsigned thread, unsigned place)
{
    for (int e = 0; e < c->count; e++)
        if (c->events[e].thread == thread && c->events[e].kind == WX &&
            c->events[e].index == place)
            return true;
    return false;
}

static unsigned events_of(const struct candidate *c, unsigned thread)
{
    unsigned count = 0;

    for (int e = 0; e < c->count; e++)
        count += c->events[e].thread == thread;
    return count;
}

/* Is there a place in each thread, from `thread` on, for f and all such fences
 * that follow it? */
static bool has_order(const struct arch *a, const relation r, int f,
                      unsigned thread)
{
    const struct candidate *c = a->c;
    relation merged;

    memcpy(merged, r, sizeof merged);
    if (!is_arm(a))
        merge(a, merged);
    if (!is_acyclic(merged))
        return false;
    while (f < c->count && !c->events[f].everybody)
        f++;
    if (f == c->count)
        return true;
    if (thread == MINI_THREADS)
        return has_order(a, r, f + 1, 0);
    for (unsigned place = 0; place <= events_of(c, thread); place++) {
        relation with;

        if (splits(c, thread, place) ||
            (c->events[f].thread == thread && c->events[f].index != place))
            continue;
        memcpy(with, r, sizeof with);
        add_cut(c, with, f, thread, place);
        if (has_order(a, with, f, thread + 1))
            return true;
    }
    return false;
}

/* ---- Parts ---- */

int brute_rows = N;

int brute_pieces(const struct candidate *c)
{
    int count = 0;

    for (int e = 0; e < c->count; e++)
        count += c->events[e].kind <= WX ? (int)c->events[e].parts : 1;
    return count;
}

static int piece_at(const struct candidate *c, const int *first, int e,
                    unsigned location)
{
    int part = e < 0 ? -1 : part_at(&c->events[e], location);

    return part < 0 ? -1 : first[e] + part;
}

void brute_split(const struct candidate *c, struct candidate *to)
{
    int first[N];

    *to = *c;
    to->count = 0;
    for (int e = 0; e < c->count; e++) {
        first[e] = to->count;
        to->count += c->events[e].kind <= WX ? (int)c->events[e].parts : 1;
    }
    for (int e = 0; e < c->count; e++) {
        const struct event_ *x = &c->events[e];

        to->events[first[e]] = *x;
        for (unsigned i = 0; x->kind <= WX && i < x->parts; i++) {
            struct event_ *p = &to->events[first[e] + (int)i];

            *p = *x;
            p->parts = 1;
            p->location = p->at[0] = x->at[i];
            p->value[0] = x->value[i];
            p->rf[0] = piece_at(c, first, x->rf[i], x->at[i]);
            p->mate = piece_at(c, first, x->mate, x->at[i]);
        }
    }
    for (unsigned l = 0; l < MINI_LOCATIONS; l++) {
        for (int i = 0; i < c->co_count[l]; i++)
            to->co[l][i] = piece_at(c, first, c->co[l][i], l);
    }
}

static bool is_execution(struct arch *a)
{
    relation coherent = {0}, order = {0};

    mark(a);
    fill_orders(a);
    join_to(coherent, a->po_loc);
    add_communication(a->c, coherent, true);
    if (!is_acyclic(coherent))
        return false;
    fill_dependencies(a);
    if (is_arm(a))
        arm_order(a, order);
    else
        riscv_order(a, order);
    add_communication(a->c, order, false);
    add_threads(a->c, order);
    return has_order(a, order, 0, 0);
}

bool brute_is_of_processor(const struct candidate *c, struct behaviour *b,
                           enum brute_model m)
{
    static struct candidate pieces; /* large */
    struct arch a = {.c = c, .b = b, .m = m};
    bool is;

    if (m == BRUTE_POWER)
        return brute_is_power(c, b);
    if (brute_pieces(c) > c->count) {
        brute_split(c, &pieces);
        a.c = &pieces;
        a.has_parts = true;
        brute_rows = pieces.count;
    }
    is = is_execution(&a);
    brute_rows = N;
    return is;
}
