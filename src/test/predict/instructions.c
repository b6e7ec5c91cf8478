/* SPDX-License-Identifier: MIT
 *
 * As instructions.h says.
 */
#include "predict/instructions.h"

/* ---- Rows of the table ---- */

static enum model_mapped row_by(enum model_mapped relaxed, unsigned order)
{
    return order == ORDER_ACQUIRE   ? relaxed + 1
           : order == ORDER_RELEASE ? relaxed + 2
           : order == ORDER_ACQ_REL ? relaxed + 3
           : order == ORDER_SEQ_CST ? relaxed + 4
                                    : relaxed;
}

static enum model_mapped row_of_load(unsigned order)
{
    return order == ORDER_SEQ_CST  ? MAPPED_LOAD_SEQ_CST
           : order_acquires(order) ? MAPPED_LOAD_ACQUIRE
                                   : MAPPED_LOAD;
}

static enum model_mapped row_of_store(unsigned order)
{
    return order == ORDER_SEQ_CST  ? MAPPED_STORE_SEQ_CST
           : order_releases(order) ? MAPPED_STORE_RELEASE
                                   : MAPPED_STORE;
}

static enum model_mapped mapped_of(const struct event *e, bool writes)
{
    unsigned order = e->flags & EVF_ORDER;

    switch (e->kind) {
    case EV_STORE:
        return row_of_store(order);
    case EV_LOCK:
    case EV_WAIT:
        return writes ? MAPPED_RMW_ACQUIRE : MAPPED_LOAD_ACQUIRE;
    case EV_UNLOCK:
        return MAPPED_STORE_RELEASE;
    case EV_POST:
        return MAPPED_RMW_RELEASE;
    case EV_LOCK_FAIL:
        return MAPPED_LOAD;
    case EV_LOAD:
        return row_of_load(order);
    default:
        return row_by(MAPPED_RMW_RELAXED, order);
    }
}

static uint32_t marks_of_fence(const struct model_mapping *m,
                               const struct event *e)
{
    static const uint8_t rows[] = {MAPPED_FENCE_SS, MAPPED_FENCE_SL,
                                   MAPPED_FENCE_LL, MAPPED_FENCE_LS,
                                   MAPPED_FENCE_FULL};
    unsigned bits = e->flags >> EVF_FENCE_SHIFT & 31;
    unsigned order = e->flags & EVF_ORDER;
    uint32_t marks = 0;

    for (unsigned i = 0; i < 5; i++) {
        if (bits >> i & 1)
            marks |= m->rows[rows[i]].before;
    }
    if (bits || order <= ORDER_RELAXED)
        return marks;
    return m->rows[row_by(MAPPED_FENCE_ACQUIRE - 1, order)].before;
}

static struct model_instruction row_for(const struct model_mapping *m,
                                        enum model_mapped mapped)
{
    struct model_instruction row = m->rows[mapped];

    if (mapped >= MAPPED_RMW_RELAXED && mapped <= MAPPED_RMW_SEQ_CST) {
        const struct model_instruction *cas =
            &m->rows[mapped - MAPPED_RMW_RELAXED + MAPPED_CAS_RELAXED];

        row.read &= cas->read;
        row.write &= cas->write;
    }
    return row;
}

/* ---- Halves ---- */

static bool is_rmw(const struct event *e)
{
    return e->kind != EV_LOAD && e->kind != EV_STORE &&
           e->kind != EV_LOCK_FAIL && e->kind != EV_UNLOCK;
}

/* An unlock is a store: what it reads is not loaded. */
static void set_marks(const struct model_mapping *m, const struct event *e,
                      const struct model_instruction *row,
                      struct instruction *to)
{
    uint32_t half;
    bool both = to->reads && to->writes;

    to->pair = is_rmw(e) && (m->rmw_pairs || m->cas_pairs);
    to->branch = row->branch;
    half = is_rmw(e) ? MARK_RMW | (to->pair ? MARK_X : MARK_AMO) : 0u;
    to->read = e->kind == EV_UNLOCK ? 0u : MARK_R | half | row->read;
    to->write = MARK_W | half | row->write;
    if (both && row->read & MARK_A && row->write & MARK_L && !to->pair)
        to->write |= MARK_AL;
}

static bool always_writes(const struct event *e, bool ran)
{
    return e->kind == EV_STORE || e->kind == EV_RMW || e->kind == EV_UNLOCK ||
           e->kind == EV_POST ||
           (ran && (e->kind == EV_LOCK || e->kind == EV_WAIT));
}

struct instruction instruction_of(const struct model_mapping *m,
                                  const struct event *e, bool ran)
{
    struct instruction to = {.before = 0};
    struct model_instruction row;

    switch (e->kind) {
    case EV_FENCE:
        to.before = marks_of_fence(m, e);
        return to;
    case EV_LOAD:
    case EV_STORE:
    case EV_RMW:
    case EV_CAS_FAIL:
    case EV_LOCK:
    case EV_UNLOCK:
    case EV_LOCK_FAIL:
    case EV_WAIT:
    case EV_POST:
        break;
    default:
        return to;
    }
    to.reads = e->kind != EV_STORE;
    to.writes = e->co || always_writes(e, ran);
    row = row_for(m, mapped_of(e, to.writes));
    to.before = row.before;
    to.after = row.after;
    set_marks(m, e, &row, &to);
    return to;
}

/* ---- Terms about them ---- */

bool term_is_marked(const struct relation_tree *t, unsigned node,
                    uint32_t marks)
{
    const struct relation_node *n = &t->nodes[node];

    if (n->op == RELATION_MARKED)
        return marks >> n->number & 1;
    if (n->op == RELATION_UNION)
        return term_is_marked(t, n->a, marks) || term_is_marked(t, n->b, marks);
    return term_is_marked(t, n->a, marks) &&
           term_is_marked(t, n->b, marks) == (n->op == RELATION_BOTH);
}

bool term_has_dependency(const struct relation_tree *t)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->nodes[i].op == RELATION_BASE &&
            t->nodes[i].number >= BASE_ADDR &&
            t->nodes[i].number <= BASE_PICK_CTRL)
            return true;
    }
    return false;
}

bool term_grows_with_dependencies(const struct relation_tree *t)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->nodes[i].op == RELATION_WITHOUT)
            return !term_has_dependency(t);
    }
    return true;
}
