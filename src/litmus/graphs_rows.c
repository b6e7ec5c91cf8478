/* SPDX-License-Identifier: MIT
 *
 * Rows of a mapping for the instructions of a test.
 */
#include <string.h>

#include "event/event.h"
#include "litmus/graphs_inside.h"

const struct model *rows_begin(struct own_rows *r, const struct model *m,
                               const struct model_mapping *mapping)
{
    memset(r, 0, sizeof(*r));
    if (!m->axioms->mappings[0])
        return m;
    r->model = *m;
    r->axioms = *m->axioms;
    r->model.axioms = &r->axioms;
    if (mapping)
        r->mapping = *mapping;
    else
        r->mapping.name = "as it is written";
    memset(r->axioms.mappings, 0, sizeof(r->axioms.mappings));
    r->axioms.mappings[0] = &r->mapping;
    return &r->model;
}

struct choice_of_row {
    uint8_t row, order, fence;
};

static const struct choice_of_row loads[] = {
    {MAPPED_LOAD, ORDER_RELAXED, 0},
    {MAPPED_LOAD_ACQUIRE, ORDER_ACQUIRE, 0},
    {MAPPED_LOAD_SEQ_CST, ORDER_SEQ_CST, 0},
};
static const struct choice_of_row stores[] = {
    {MAPPED_STORE, ORDER_RELAXED, 0},
    {MAPPED_STORE_RELEASE, ORDER_RELEASE, 0},
    {MAPPED_STORE_SEQ_CST, ORDER_SEQ_CST, 0},
};
static const struct choice_of_row rmws[] = {
    {MAPPED_RMW_RELAXED, ORDER_RELAXED, 0},
    {MAPPED_RMW_ACQUIRE, ORDER_ACQUIRE, 0},
    {MAPPED_RMW_RELEASE, ORDER_RELEASE, 0},
    {MAPPED_RMW_ACQ_REL, ORDER_ACQ_REL, 0},
    {MAPPED_RMW_SEQ_CST, ORDER_SEQ_CST, 0},
};
static const struct choice_of_row swaps[] = {
    {MAPPED_CAS_RELAXED, ORDER_RELAXED, 0},
    {MAPPED_CAS_ACQUIRE, ORDER_ACQUIRE, 0},
    {MAPPED_CAS_RELEASE, ORDER_RELEASE, 0},
    {MAPPED_CAS_ACQ_REL, ORDER_ACQ_REL, 0},
    {MAPPED_CAS_SEQ_CST, ORDER_SEQ_CST, 0},
};
static const struct choice_of_row fences[] = {
    {MAPPED_FENCE_ACQUIRE, ORDER_ACQUIRE, 0},
    {MAPPED_FENCE_RELEASE, ORDER_RELEASE, 0},
    {MAPPED_FENCE_ACQ_REL, ORDER_ACQ_REL, 0},
    {MAPPED_FENCE_SEQ_CST, ORDER_SEQ_CST, 0},
    {MAPPED_FENCE_SS, ORDER_SEQ_CST, FENCE_SS},
    {MAPPED_FENCE_SL, ORDER_SEQ_CST, FENCE_SL},
    {MAPPED_FENCE_LL, ORDER_SEQ_CST, FENCE_LL},
    {MAPPED_FENCE_LS, ORDER_SEQ_CST, FENCE_LS},
    {MAPPED_FENCE_FULL, ORDER_SEQ_CST, FENCE_FULL},
};

/* The row that has these marks, or the first that is free; NULL: none is. */
static const struct choice_of_row *find(struct own_rows *r,
                                        const struct choice_of_row *list,
                                        size_t n,
                                        const struct model_instruction *like)
{
    for (size_t i = 0; i < n; i++) {
        struct model_instruction *row = &r->mapping.rows[list[i].row];

        if (!r->used[list[i].row]) {
            r->used[list[i].row] = true;
            *row = *like;
            return &list[i];
        }
        if (row->before == like->before && row->read == like->read &&
            row->write == like->write)
            return &list[i];
    }
    return NULL;
}

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

bool rows_find(struct own_rows *r, enum op_kind kind, uint32_t read,
               uint32_t write, uint8_t *order)
{
    struct model_instruction like = {.read = read, .write = write};
    const struct choice_of_row *c =
        kind == OP_LOAD    ? find(r, loads, COUNT(loads), &like)
        : kind == OP_STORE ? find(r, stores, COUNT(stores), &like)
        : kind == OP_CAS   ? find(r, swaps, COUNT(swaps), &like)
                           : find(r, rmws, COUNT(rmws), &like);

    if (c)
        *order = c->order;
    return c != NULL;
}

/* A model with recipes has Fencer's own fences, and these are marks. */
static uint8_t fence_of_marks(uint32_t marks)
{
    return (uint8_t)((marks & MARK_WW ? FENCE_SS : 0) |
                     (marks & MARK_WR ? FENCE_SL : 0) |
                     (marks & MARK_RR ? FENCE_LL : 0) |
                     (marks & MARK_RW ? FENCE_LS : 0) |
                     (marks & MARK_FULL ? FENCE_FULL : 0));
}

bool rows_find_fence(struct own_rows *r, uint32_t marks, uint8_t *order,
                     uint8_t *fence)
{
    struct model_instruction like = {.before = marks};
    const struct choice_of_row *c;

    *order = ORDER_SEQ_CST;
    *fence = 0;
    if (!r->mapping.name) {
        *fence = fence_of_marks(marks);
        return true;
    }
    c = find(r, fences, COUNT(fences), &like);
    if (!c)
        return false;
    *order = c->order;
    *fence = c->fence;
    return true;
}
