/* SPDX-License-Identifier: MIT
 *
 * The relations that a solution brings, and the literals that make each pair
 * so: guards, addresses, what a load reads, which store is first, and the
 * choices on the way from a load to what depends on it.
 */
#include "base/check.h"
#include "encode/encode_graph.h"
#include "encode/encode_relate.h"

static const struct point *at(const struct relate *r, uint32_t i)
{
    return &r->points.list[i];
}

static const struct flat_event *event_at(const struct relate *r, uint32_t i)
{
    return &r->x->flat->events[at(r, i)->event];
}

static bool is_access(const struct relate *r, uint32_t i)
{
    return (at(r, i)->marks & (MARK_R | MARK_W)) != 0;
}

/* ---- Locations ---- */

static bool has_location(const struct relate *r, uint32_t i)
{
    return is_access(r, i) && event_at(r, i)->kind != FLAT_FREE;
}

static bool same_location(const struct relate *r, uint32_t a, uint32_t b)
{
    return has_location(r, a) && has_location(r, b) &&
           value_compare(value_found(r->x, event_at(r, a)->address),
                         value_found(r->x, event_at(r, b)->address)) == 0;
}

/* A creation is a barrier between what precedes it and the new thread, and a
 * join between a thread and what follows it; neither is one between accesses of
 * its own thread (docs/models.md). */
static bool is_outside(const struct relate *r, uint32_t a, uint32_t b)
{
    return at(r, a)->event != at(r, b)->event && !r->x->model->by_language &&
           (event_at(r, a)->kind == FLAT_CREATE ||
            event_at(r, b)->kind == FLAT_JOIN);
}

static bool in_program_order(const struct relate *r, uint32_t a, uint32_t b)
{
    return a < b && at(r, a)->thread == at(r, b)->thread &&
           !is_outside(r, a, b);
}

/* A store and a load of one thread and location, no store between. */
static bool could_forward(const struct relate *r, uint32_t a, uint32_t b)
{
    if (!(at(r, a)->marks & MARK_W) || !(at(r, b)->marks & MARK_R) ||
        !in_program_order(r, a, b) || !same_location(r, a, b))
        return false;
    for (uint32_t i = a + 1; i < b; i++) {
        if (at(r, i)->marks & MARK_W && same_location(r, i, b))
            return false;
    }
    return true;
}

/* ---- What loads read, and in which order stores are ---- */

static int reads_lit(const struct relate *r, uint32_t store, uint32_t load)
{
    const struct encoding *x = r->x;
    uint32_t l = at(r, load)->event, s = at(r, store)->event;

    for (uint32_t i = 0; i < x->link_count[l]; i++) {
        if (x->links[l][i].store == s)
            return x->links[l][i].reads;
    }
    return LIT_FALSE;
}

static bool reads(const struct relate *r, uint32_t store, uint32_t load)
{
    return at(r, store)->marks & MARK_W && at(r, load)->marks & MARK_R &&
           solver_value(r->x->solver, reads_lit(r, store, load));
}

/* Of two stores of one location. */
static int first_lit(const struct relate *r, uint32_t a, uint32_t b)
{
    if (at(r, a)->thread == at(r, b)->thread)
        return a < b ? LIT_TRUE : LIT_FALSE;
    return order_lit(r->x, at(r, a)->event, at(r, b)->event);
}

static bool both_store(const struct relate *r, uint32_t a, uint32_t b)
{
    return a != b && at(r, a)->marks & at(r, b)->marks & MARK_W &&
           same_location(r, a, b);
}

static bool is_first(const struct relate *r, uint32_t a, uint32_t b)
{
    return both_store(r, a, b) &&
           solver_value(r->x->solver, first_lit(r, a, b));
}

/* The store that a load reads; NO_POINT: the initial value. */
static uint32_t source_of(const struct relate *r, uint32_t load)
{
    const struct encoding *x = r->x;
    uint32_t l = at(r, load)->event;

    for (uint32_t i = 0; i < x->link_count[l]; i++) {
        if (solver_value(x->solver, x->links[l][i].reads))
            return r->point_of[x->links[l][i].store];
    }
    return NO_POINT;
}

static bool from_reads(const struct relate *r, uint32_t load, uint32_t store)
{
    uint32_t source;

    if (!(at(r, load)->marks & MARK_R) || !(at(r, store)->marks & MARK_W) ||
        !same_location(r, load, store))
        return false;
    source = source_of(r, load);
    return source == NO_POINT || is_first(r, source, store);
}

/* ---- Dependencies ---- */

static bool is_half_of(const struct relate *r, uint32_t load, uint32_t store)
{
    return at(r, load)->marks & MARK_R && at(r, store)->marks & MARK_W &&
           at(r, load)->marks & MARK_RMW &&
           flat_other_half(r->x->flat, at(r, load)->event) ==
               at(r, store)->event;
}

static bool on(const struct relate *r, uint32_t value, uint32_t load, bool pick)
{
    return value && depends_has(r->depends, value, at(r, load)->event, pick);
}

/* Fetch-and-op depends on what it reads; a lock, too. */
static bool own_data(const struct relate *r, uint32_t a, uint32_t b)
{
    const struct flat_event *e = event_at(r, b);

    if (!is_half_of(r, a, b) || e->flags & FLAT_CAS)
        return false;
    return e->flags & FLAT_LOCK || on(r, e->value, a, false) ||
           on(r, e->value, a, true);
}

static bool address_depends(const struct relate *r, uint32_t a, uint32_t b,
                            bool pick)
{
    return is_access(r, b) && on(r, event_at(r, b)->address, a, pick);
}

static bool data_depends(const struct relate *r, uint32_t a, uint32_t b,
                         bool pick)
{
    const struct flat_event *e = event_at(r, b);

    if (!(at(r, b)->marks & MARK_W) || e->kind == FLAT_FREE)
        return false;
    if (on(r, e->value, a, pick))
        return true;
    if (!pick)
        return own_data(r, a, b);
    return on(r, e->compare, a, false) || on(r, e->compare, a, true) ||
           (e->flags & FLAT_CAS && is_half_of(r, a, b));
}

/* A loop of exclusives, or what is compiled with a branch, branches on what it
 * read, and on whether its store succeeded. */
static bool branches_itself(const struct relate *r, uint32_t a)
{
    const struct flat_event *e = event_at(r, a);
    const struct model_mapping *m = r->x->statement->mapping;
    bool acquires = order_acquires((enum event_order)e->order);

    if (!m)
        return false;
    if (e->flags & FLAT_CAS && !(e->flags & FLAT_LOCK))
        return m->rows[MAPPED_CAS_RELAXED].branch &&
               (at(r, a)->marks & MARK_R || m->status_branch);
    return !(e->flags & FLAT_RMW) && at(r, a)->marks & MARK_R && acquires &&
           m->rows[MAPPED_LOAD_ACQUIRE].branch;
}

/* The branch before b that depends on a; NULL: none. */
static const struct flat_branch *branch_on(const struct relate *r, uint32_t a,
                                           uint32_t b, bool pick)
{
    const struct flat *f = r->x->flat;

    for (uint32_t i = 0; i < f->branch_count; i++) {
        const struct flat_branch *x = &f->branches[i];

        if (x->thread == at(r, b)->thread && x->event <= at(r, b)->event &&
            guard_found(r->x, x->guard) && on(r, x->condition, a, pick))
            return x;
    }
    return NULL;
}

static bool control_depends(const struct relate *r, uint32_t a, uint32_t b,
                            bool pick)
{
    if (!pick && branches_itself(r, a))
        return true;
    return at(r, a)->marks & MARK_R && branch_on(r, a, b, pick);
}

static bool depends(const struct relate *r, enum relation_base base, uint32_t a,
                    uint32_t b)
{
    if (!r->depends || !in_program_order(r, a, b) || !is_access(r, a))
        return false;
    if (base == BASE_CTRL || base == BASE_PICK_CTRL)
        return control_depends(r, a, b, base == BASE_PICK_CTRL);
    if (!(at(r, a)->marks & MARK_R))
        return false;
    if (base == BASE_ADDR || base == BASE_PICK_ADDR)
        return address_depends(r, a, b, base == BASE_PICK_ADDR);
    return data_depends(r, a, b, base == BASE_PICK_DATA);
}

/* ---- All of them ---- */

static bool is_external(const struct relate *r, uint32_t a, uint32_t b)
{
    return at(r, a)->thread != at(r, b)->thread;
}

static bool conflict(const struct relate *r, uint32_t a, uint32_t b)
{
    return is_external(r, a, b) && same_location(r, a, b) &&
           (at(r, a)->marks | at(r, b)->marks) & MARK_W &&
           !(at(r, a)->marks & at(r, b)->marks & MARK_ATOMIC);
}

static bool holds(const struct relate *r, enum relation_base base, uint32_t a,
                  uint32_t b)
{
    switch (base) {
    case BASE_PO:
        return in_program_order(r, a, b);
    case BASE_PO_LOC:
        return in_program_order(r, a, b) && same_location(r, a, b);
    case BASE_LOC:
        return same_location(r, a, b);
    case BASE_EXT:
        return is_external(r, a, b);
    case BASE_RMW:
        return is_half_of(r, a, b);
    case BASE_AMO:
        return is_half_of(r, a, b) && at(r, a)->marks & MARK_AMO;
    case BASE_LXSX:
        return is_half_of(r, a, b) && at(r, a)->marks & MARK_X;
    case BASE_LRS:
        return could_forward(r, a, b);
    case BASE_RF:
        return reads(r, a, b);
    case BASE_RFI:
        return reads(r, a, b) && !is_external(r, a, b);
    case BASE_RFE:
        return reads(r, a, b) && is_external(r, a, b);
    case BASE_CO:
        return is_first(r, a, b);
    case BASE_COE:
        return is_external(r, a, b) && is_first(r, a, b);
    case BASE_FR:
        return from_reads(r, a, b);
    case BASE_FRE:
        return is_external(r, a, b) && from_reads(r, a, b);
    case BASE_CONFLICT:
        return conflict(r, a, b);
    default:
        return depends(r, base, a, b);
    }
}

uint64_t *relate_base(struct relate *r, enum relation_base base)
{
    uint32_t n = (uint32_t)r->points.count;
    uint64_t *m = r->bases[base];

    if (m)
        return m;
    m = r->bases[base] = relate_new(r);
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = 0; b < n; b++) {
            if (holds(r, base, a, b))
                relate_set(relate_row(r, m, a), b);
        }
    }
    return m;
}

/* ---- Why ---- */

static void present(const struct relate *r, uint32_t i, struct reasons *why)
{
    for (int k = 0; k < 3; k++)
        reasons_add(why, at(r, i)->why[k]);
}

static void located(const struct relate *r, uint32_t i, struct reasons *why)
{
    if (has_location(r, i))
        reasons_add(why, access_at(r->x, at(r, i)->event,
                                   value_found(r->x, event_at(r, i)->address)));
}

static void explain_location(const struct relate *r, uint32_t a, uint32_t b,
                             struct reasons *why)
{
    located(r, a, why);
    located(r, b, why);
}

/* No store between: each is not executed, or elsewhere. */
static void explain_forward(const struct relate *r, uint32_t a, uint32_t b,
                            struct reasons *why)
{
    struct encoding *x = r->x;

    explain_location(r, a, b, why);
    for (uint32_t i = at(r, a)->event + 1; i < at(r, b)->event; i++) {
        if (x->flat->events[i].kind != FLAT_STORE ||
            !ranges_may_alias(&x->ranges, x->flat, i, at(r, b)->event))
            continue;
        if (graph_executed(x, i))
            reasons_add(
                why,
                access_at(x, i, value_found(x, x->flat->events[i].address)));
        else
            reasons_add(why, -x->accesses[i].live);
    }
}

static void explain_first(const struct relate *r, uint32_t a, uint32_t b,
                          struct reasons *why)
{
    explain_location(r, a, b, why);
    reasons_add(why, first_lit(r, a, b));
}

static void explain_from_reads(const struct relate *r, uint32_t load,
                               uint32_t store, struct reasons *why)
{
    uint32_t source = source_of(r, load);

    explain_location(r, load, store, why);
    if (source == NO_POINT) {
        reasons_add(why, r->x->initial[at(r, load)->event]);
        return;
    }
    reasons_add(why, reads_lit(r, source, load));
    reasons_add(why, first_lit(r, source, store));
}

static void explain_on(const struct relate *r, uint32_t value, uint32_t load,
                       bool pick, struct reasons *why)
{
    depends_explain(r->depends, value, at(r, load)->event, pick, why);
}

static void explain_data(const struct relate *r, uint32_t a, uint32_t b,
                         bool pick, struct reasons *why)
{
    const struct flat_event *e = event_at(r, b);

    if (on(r, e->value, a, pick))
        explain_on(r, e->value, a, pick, why);
    else if (pick && e->flags & FLAT_CAS && is_half_of(r, a, b))
        return;
    else if (pick && on(r, e->compare, a, false))
        explain_on(r, e->compare, a, false, why);
    else if (pick)
        explain_on(r, e->compare, a, true, why);
    else if (!(e->flags & FLAT_LOCK))
        explain_on(r, e->value, a, true, why);
}

static void explain_control(const struct relate *r, uint32_t a, uint32_t b,
                            bool pick, struct reasons *why)
{
    const struct flat_branch *x;

    if (!pick && branches_itself(r, a))
        return;
    x = branch_on(r, a, b, pick);
    CHECK(x);
    reasons_add(why, value_guard(r->x, x->guard));
    explain_on(r, x->condition, a, pick, why);
}

void relate_explain_base(struct relate *r, enum relation_base base, uint32_t a,
                         uint32_t b, struct reasons *why)
{
    present(r, a, why);
    present(r, b, why);
    switch (base) {
    case BASE_PO_LOC:
    case BASE_LOC:
    case BASE_CONFLICT:
        explain_location(r, a, b, why);
        return;
    case BASE_LRS:
        explain_forward(r, a, b, why);
        return;
    case BASE_RF:
    case BASE_RFI:
    case BASE_RFE:
        reasons_add(why, reads_lit(r, a, b));
        return;
    case BASE_CO:
    case BASE_COE:
        explain_first(r, a, b, why);
        return;
    case BASE_FR:
    case BASE_FRE:
        explain_from_reads(r, a, b, why);
        return;
    case BASE_ADDR:
    case BASE_PICK_ADDR:
        explain_on(r, event_at(r, b)->address, a, base == BASE_PICK_ADDR, why);
        return;
    case BASE_DATA:
    case BASE_PICK_DATA:
        explain_data(r, a, b, base == BASE_PICK_DATA, why);
        return;
    case BASE_CTRL:
    case BASE_PICK_CTRL:
        explain_control(r, a, b, base == BASE_PICK_CTRL, why);
        return;
    default: /* being there is enough */
        return;
    }
}
