/* SPDX-License-Identifier: MIT
 *
 * What the accesses of an execution are on the model, and what holds between
 * two of them.
 */
#include "axioms/stated.h"

#include "base/check.h"

/* ---- What C becomes ---- */

/* Rows of the mapping, by memory order: of RMWs, CASes and fences. */
static enum model_mapped row_of(enum model_mapped relaxed, uint8_t order)
{
    static const uint8_t offset[] = {[ORDER_ACQUIRE] = 1,
                                     [ORDER_RELEASE] = 2,
                                     [ORDER_ACQ_REL] = 3,
                                     [ORDER_SEQ_CST] = 4};

    return relaxed + (order > ORDER_RELAXED ? offset[order] : 0);
}

static enum model_mapped mapped(const struct flat_event *load,
                                const struct flat_event *store)
{
    const struct flat_event *e = store ? store : load;

    switch (e->flags & FLAT_LOCK ? e->construct : C_COUNT) {
    case C_UNLOCK:
        return MAPPED_STORE_RELEASE;
    case C_POST:
        return MAPPED_RMW_RELEASE;
    case C_LOCK_FAIL:
        return MAPPED_LOAD;
    case C_LOCK:
    case C_WAIT:
        return store ? MAPPED_RMW_ACQUIRE : MAPPED_LOAD_ACQUIRE;
    default:
        break;
    }
    if (e->flags & FLAT_CAS)
        return row_of(MAPPED_CAS_RELAXED,
                      order_join((enum event_order)e->order,
                                 (enum event_order)e->failure_order));
    if (e->flags & FLAT_RMW)
        return row_of(MAPPED_RMW_RELAXED, e->order);
    if (e->order == ORDER_SEQ_CST)
        return store ? MAPPED_STORE_SEQ_CST : MAPPED_LOAD_SEQ_CST;
    if (store)
        return order_releases((enum event_order)e->order) ? MAPPED_STORE_RELEASE
                                                          : MAPPED_STORE;
    return order_acquires((enum event_order)e->order) ? MAPPED_LOAD_ACQUIRE
                                                      : MAPPED_LOAD;
}

static uint32_t marks_of_fences(unsigned bits)
{
    static const uint32_t marks[] = {MARK_WW, MARK_WR, MARK_RR, MARK_RW,
                                     MARK_FULL};
    uint32_t all = 0;

    for (unsigned i = 0; i < 5; i++)
        all |= bits >> i & 1 ? marks[i] : 0u;
    return all;
}

/* The memory order that C gives to a lock, or to a CAS that fails. */
static enum event_order order_of(const struct flat_event *load,
                                 const struct flat_event *store)
{
    const struct flat_event *e = store ? store : load;

    if (e->flags & FLAT_LOCK)
        return e->construct == C_LOCK_FAIL ? ORDER_RELAXED
               : e->construct == C_UNLOCK || e->construct == C_POST
                   ? ORDER_RELEASE
                   : ORDER_ACQUIRE;
    return (enum event_order)(e->flags & FLAT_CAS && !store ? e->failure_order
                                                            : e->order);
}

static struct model_instruction by_language(const struct flat_event *load,
                                            const struct flat_event *store)
{
    enum event_order order = order_of(load, store);
    uint32_t all = (order_is_atomic(order) ? MARK_ATOMIC : 0u) |
                   (order == ORDER_SEQ_CST ? MARK_SC : 0u);

    return (struct model_instruction){
        .read = all | (order_acquires(order) ? MARK_A : 0u),
        .write = all | (order_releases(order) ? MARK_L : 0u)};
}

static struct model_instruction instruction_of(const struct stated *s,
                                               const struct flat_event *load,
                                               const struct flat_event *store)
{
    const struct model *m = s->j->model;
    const struct model_recipe *r =
        &m->recipe[store ? store->construct : load->construct];

    if (m->by_language)
        return by_language(load, store);
    if (s->mapping)
        return s->mapping->rows[mapped(load, store)];
    return (struct model_instruction){.before = marks_of_fences(r->before),
                                      .after = marks_of_fences(r->after)};
}

/* ---- The list ---- */

static void add(struct stated *s, uint32_t event, uint32_t marks)
{
    s->list[s->count++] =
        (struct happening){event, s->j->flat->events[event].thread, marks};
}

static void add_fence(struct stated *s, uint32_t event, uint32_t marks)
{
    if (marks)
        add(s, event, marks | MARK_F);
}

static bool is_pair(const struct stated *s, const struct flat_event *e)
{
    return s->mapping && (e->flags & FLAT_CAS ? s->mapping->cas_pairs
                                              : s->mapping->rmw_pairs);
}

static uint32_t marks_of(const struct stated *s, const struct flat_event *e)
{
    uint32_t marks = e->kind == FLAT_LOAD ? MARK_R : MARK_W;

    if (e->flags & FLAT_ATOMIC)
        marks |= MARK_ATOMIC;
    if (e->flags & FLAT_RMW)
        marks |= MARK_RMW | (is_pair(s, e) ? MARK_X : MARK_AMO);
    return marks;
}

static void add_access(struct stated *s, uint32_t event)
{
    const struct flat *f = s->j->flat;
    const struct flat_event *e = &f->events[event];
    uint32_t other = flat_other_half(f, event);
    bool both = other != LSL_NONE && s->j->place[other];
    const struct flat_event *load = e->kind == FLAT_LOAD ? e : NULL;
    const struct flat_event *store =
        load ? (both ? &f->events[other] : NULL) : e;
    struct model_instruction i = instruction_of(s, load, store);

    if (!load && both)
        return; /* came with its load */
    add_fence(s, event, i.before);
    if (load)
        add(s, event, marks_of(s, load) | i.read);
    if (store) {
        uint32_t marks = marks_of(s, store) | i.write;

        if (load && i.read & MARK_A && i.write & MARK_L && !is_pair(s, store))
            marks |= MARK_AL;
        add(s, load ? other : event, marks);
    }
    add_fence(s, both ? other : event, i.after);
}

static uint32_t marks_of_fence(const struct stated *s,
                               const struct flat_event *e)
{
    static const uint8_t rows[] = {MAPPED_FENCE_SS, MAPPED_FENCE_SL,
                                   MAPPED_FENCE_LL, MAPPED_FENCE_LS,
                                   MAPPED_FENCE_FULL};
    const struct model_recipe *r = &s->j->model->recipe[e->construct];
    uint32_t marks = 0;

    if (s->j->model->by_language) {
        struct flat_event own = *e;

        if (e->fences)
            own.order = (uint8_t)model_language_fence(e->fences);
        return by_language(&own, NULL).read | by_language(NULL, &own).write;
    }
    if (!s->mapping)
        return marks_of_fences(e->fences ? e->fences
                                         : (unsigned)(r->before | r->after));
    for (unsigned i = 0; i < sizeof(rows); i++)
        marks |= e->fences >> i & 1 ? s->mapping->rows[rows[i]].before : 0u;
    if (!e->fences && e->order > ORDER_RELAXED)
        marks =
            s->mapping->rows[row_of(MAPPED_FENCE_ACQUIRE - 1, e->order)].before;
    return marks;
}

/* Where creations and joins are no more than edges between threads
 * (check_threads in stated.c) they are no fences of the thread that does them.
 */
static bool has_barriers(const struct stated *s)
{
    const struct model *m = s->j->model;

    return !m->by_language && !(m->axioms->edges == EDGE_ALL && s->mapping);
}

/* Four of each event at most. */
void stated_list(struct stated *s)
{
    const struct flat *f = s->j->flat;
    bool barrier = has_barriers(s);

    s->list =
        arena_array(&s->j->arena, 4 * f->event_count + 1, sizeof(*s->list));
    for (uint32_t i = 0; i < f->event_count; i++) {
        const struct flat_event *e = &f->events[i];

        if (axioms_is_access(e)) {
            if (s->j->place[i])
                add_access(s, i);
        } else if (s->j->run.executed[i] && e->kind == FLAT_FENCE) {
            add_fence(s, i, marks_of_fence(s, e));
        } else if (s->j->run.executed[i]) {
            add_fence(s, i, barrier ? MARK_FULL : 0u);
            add(s, i, 0);
            add_fence(s, i, barrier ? MARK_FULL : 0u);
        }
    }
}

/* ---- Between two ---- */

static const struct flat_event *event_at(const struct stated *s, uint32_t i)
{
    return &s->j->flat->events[s->list[i].event];
}

/* What a thread does after a creation, or before a join, is in no order with
 * the barriers of these: on POWER they are the other thread's. */
static bool in_order(const struct stated *s, uint32_t a, uint32_t b)
{
    bool same = s->list[a].event == s->list[b].event;
    bool own = !s->mapping || !has_barriers(s) || same ||
               (event_at(s, a)->kind != FLAT_CREATE &&
                event_at(s, b)->kind != FLAT_JOIN);

    return a < b && s->list[a].thread == s->list[b].thread && own;
}

static bool is(const struct stated *s, uint32_t i, uint32_t marks)
{
    return (s->list[i].marks & marks) != 0;
}

bool stated_same_location(const struct stated *s, uint32_t a, uint32_t b)
{
    return is(s, a, MARK_R | MARK_W) && is(s, b, MARK_R | MARK_W) &&
           event_at(s, a)->kind != FLAT_FREE &&
           event_at(s, b)->kind != FLAT_FREE &&
           axioms_same_memory(s->j, s->list[a].event, s->list[b].event);
}

bool stated_meets(const struct stated *s, uint32_t a, uint32_t b)
{
    const struct flat_event *x = event_at(s, a), *y = event_at(s, b);

    if (s->list[a].marks || s->list[b].marks)
        return false;
    return (x->kind == FLAT_CREATE && y->kind == FLAT_START &&
            x->other == y->thread) ||
           (x->kind == FLAT_EXIT && y->kind == FLAT_JOIN &&
            y->other == x->thread);
}

static bool is_rmw(const struct stated *s, uint32_t a, uint32_t b)
{
    return is(s, a, MARK_R) && is(s, b, MARK_W) && is(s, a, MARK_RMW) &&
           flat_other_half(s->j->flat, s->list[a].event) == s->list[b].event;
}

/* No store of the same location between. */
static bool forwards(const struct stated *s, uint32_t a, uint32_t b)
{
    bool ok = is(s, a, MARK_W) && is(s, b, MARK_R) && in_order(s, a, b) &&
              stated_same_location(s, a, b);

    for (uint32_t i = a + 1; ok && i < b; i++)
        ok = !is(s, i, MARK_W) || !stated_same_location(s, i, b);
    return ok;
}

static bool reads(const struct stated *s, uint32_t a, uint32_t b)
{
    return is(s, a, MARK_W) && is(s, b, MARK_R) &&
           s->j->run.rf[s->list[b].event] == s->list[a].event;
}

/* The order of a location's stores is theirs in <M. */
static bool is_older(const struct stated *s, uint32_t a, uint32_t b)
{
    return is(s, a, MARK_W) && is(s, b, MARK_W) &&
           stated_same_location(s, a, b) &&
           s->j->place[s->list[a].event] < s->j->place[s->list[b].event];
}

static bool read_older(const struct stated *s, uint32_t a, uint32_t b)
{
    uint32_t source;

    if (!is(s, a, MARK_R) || !is(s, b, MARK_W) ||
        !stated_same_location(s, a, b))
        return false;
    source = s->j->run.rf[s->list[a].event];
    return source == FLAT_INITIAL ||
           s->j->place[source] < s->j->place[s->list[b].event];
}

/* ---- Dependencies ---- */

static bool by_address(struct stated *s, uint32_t a, uint32_t b, bool pick)
{
    return is(s, a, MARK_R) && is(s, b, MARK_R | MARK_W) &&
           stated_depends(s, event_at(s, b)->address, s->list[a].event, pick);
}

static bool by_data(struct stated *s, uint32_t a, uint32_t b, bool pick)
{
    const struct flat_event *e = event_at(s, b);
    uint32_t load = s->list[a].event;
    bool own, computed;

    if (!is(s, a, MARK_R) || !is(s, b, MARK_W) || e->kind == FLAT_FREE)
        return false;
    own = is_rmw(s, a, b);
    computed = stated_depends(s, e->value, load, pick);
    if (e->flags & FLAT_CAS && pick)
        return computed || own || stated_depends(s, e->compare, load, true) ||
               stated_depends(s, e->compare, load, false);
    if (e->flags & FLAT_CAS || pick || !own)
        return computed;
    return computed || e->flags & FLAT_LOCK ||
           stated_depends(s, e->value, load, true);
}

/* What is compiled with a branch of its own. */
static bool has_branch(const struct stated *s, uint32_t a)
{
    const struct flat_event *e = event_at(s, a);

    if (!s->mapping)
        return false;
    if (e->flags & FLAT_CAS)
        return s->mapping->rows[MAPPED_CAS_RELAXED].branch &&
               (is(s, a, MARK_R) || s->mapping->status_branch);
    return is(s, a, MARK_R) && !(e->flags & FLAT_RMW) &&
           order_acquires((enum event_order)e->order) &&
           s->mapping->rows[MAPPED_LOAD_ACQUIRE].branch;
}

static bool by_control(struct stated *s, uint32_t a, uint32_t b, bool pick)
{
    const struct flat *f = s->j->flat;

    if (!pick && has_branch(s, a))
        return true;
    for (uint32_t i = 0; is(s, a, MARK_R) && i < f->branch_count; i++) {
        const struct flat_branch *x = &f->branches[i];

        if (x->thread == s->list[b].thread && x->event <= s->list[b].event &&
            s->j->run.values[x->guard].bits &&
            stated_depends(s, x->condition, s->list[a].event, pick))
            return true;
    }
    return false;
}

static bool depends(struct stated *s, enum relation_base base, uint32_t a,
                    uint32_t b)
{
    bool pick = base == BASE_PICK_ADDR || base == BASE_PICK_DATA ||
                base == BASE_PICK_CTRL;

    if (!in_order(s, a, b) || !is(s, a, MARK_R | MARK_W) ||
        s->j->model->by_language)
        return false;
    switch (base) {
    case BASE_ADDR:
    case BASE_PICK_ADDR:
        return by_address(s, a, b, pick);
    case BASE_DATA:
    case BASE_PICK_DATA:
        return by_data(s, a, b, pick);
    case BASE_CTRL:
    case BASE_PICK_CTRL:
        return by_control(s, a, b, pick);
    default:
        CHECK(!"a relation that nobody knows");
        return false;
    }
}

bool stated_holds(struct stated *s, enum relation_base base, uint32_t a,
                  uint32_t b)
{
    bool ext = s->list[a].thread != s->list[b].thread;

    switch (base) {
    case BASE_PO:
        return in_order(s, a, b);
    case BASE_PO_LOC:
        return in_order(s, a, b) && stated_same_location(s, a, b);
    case BASE_LOC:
        return stated_same_location(s, a, b);
    case BASE_EXT:
        return ext;
    case BASE_RMW:
        return is_rmw(s, a, b);
    case BASE_AMO:
        return is_rmw(s, a, b) && is(s, a, MARK_AMO);
    case BASE_LXSX:
        return is_rmw(s, a, b) && is(s, a, MARK_X);
    case BASE_LRS:
        return forwards(s, a, b);
    case BASE_RF:
        return reads(s, a, b);
    case BASE_RFI:
        return !ext && reads(s, a, b);
    case BASE_RFE:
        return ext && reads(s, a, b);
    case BASE_CO:
        return is_older(s, a, b);
    case BASE_COE:
        return ext && is_older(s, a, b);
    case BASE_FR:
        return read_older(s, a, b);
    case BASE_FRE:
        return ext && read_older(s, a, b);
    case BASE_CONFLICT:
        return ext && stated_same_location(s, a, b) &&
               (is(s, a, MARK_W) || is(s, b, MARK_W)) &&
               !(is(s, a, MARK_ATOMIC) && is(s, b, MARK_ATOMIC));
    default:
        return depends(s, base, a, b);
    }
}
