/* SPDX-License-Identifier: MIT
 *
 * Dependencies of the small programs, as graph/depends.h says.
 */
#include "mini_inside.h"

static struct mini_taint taint_of(const struct place *at, struct mini_value v)
{
    return v.from < 0 ? (struct mini_taint){0, 0} : at->taints[v.from];
}

static struct mini_taint both(struct mini_taint a, struct mini_taint b)
{
    return (struct mini_taint){a.deps | b.deps, a.picks | b.picks};
}

void mini_taint_local(const struct mini_code *c, struct place *at)
{
    struct mini_taint first = taint_of(at, c->first);
    struct mini_taint second = taint_of(at, c->second);

    switch (c->kind) {
    case MINI_SUM:
        at->taints[c->to] = both(first, second);
        break;
    case MINI_SELECT:
        second.picks |= first.deps | first.picks;
        at->taints[c->to] = second;
        break;
    case MINI_SKIP:
    case MINI_ASSUME:
    case MINI_ASSUME_NOT:
        at->ctrl = both(at->ctrl, both(first, second));
        break;
    default:
        break;
    }
}

static struct mini_taint pointer_of(const struct mini_code *c,
                                    const struct place *at)
{
    return c->pointer ? at->taints[c->pointer - 1] : (struct mini_taint){0, 0};
}

/* What a CAS compares with selects. */
static struct mini_taint data_of(const struct mini_code *c,
                                 const struct place *at)
{
    struct mini_taint data = taint_of(at, c->first), compared;

    if (c->data)
        data = both(data, at->taints[c->data - 1]);
    if (c->kind != MINI_CAS)
        return data;
    compared = taint_of(at, c->second);
    data.picks |= compared.deps | compared.picks;
    return data;
}

uint32_t mini_depends(struct behaviour *b, const struct mini_code *c,
                      const struct place *at)
{
    struct mini_taint addr = pointer_of(c, at), data = data_of(c, at);
    struct depends d = {0};

    if (c->kind == MINI_LOAD)
        data = (struct mini_taint){0, 0};
    d.sets[DEPENDS_ADDR].word[0] = addr.deps;
    d.sets[DEPENDS_DATA].word[0] = data.deps;
    d.sets[DEPENDS_CTRL].word[0] = at->ctrl.deps;
    d.sets[DEPENDS_PICK_ADDR].word[0] = addr.picks;
    d.sets[DEPENDS_PICK_DATA].word[0] = data.picks;
    d.sets[DEPENDS_PICK_CTRL].word[0] = at->ctrl.picks;
    if (c->kind == MINI_CAS)
        d.compared.word[0] = taint_of(at, c->second).deps;
    return depends_intern(&b->depends, &d);
}

void mini_taint_answer(const struct mini_code *c, struct place *at,
                       const struct op *op, uint64_t value)
{
    struct mini_taint data = data_of(c, at);
    uint64_t me = 1ull << at->op++;
    bool swaps = c->kind == MINI_CAS && value == op->expected;
    uint64_t seen = 0;

    if (c->kind > MINI_CAS)
        return;
    for (unsigned i = c->location; i < c->location + op_parts(op); i++) {
        seen |= at->stored[i];
        if (c->kind == MINI_STORE || c->kind == MINI_ADD ||
            c->kind == MINI_XCHG)
            at->stored[i] = data.picks;
        if (swaps)
            at->stored[i] = data.picks | me;
    }
    at->taints[c->to] =
        c->kind == MINI_STORE
            ? (struct mini_taint){0, 0}
            : (struct mini_taint){me, pointer_of(c, at).picks | seen};
}

/* ---- Random programs ---- */

static void give_depends(struct mini *p, unsigned t, struct random *r)
{
    int reads[MINI_REGISTERS], count = 0;

    for (unsigned i = 0; i < p->length[t]; i++) {
        struct mini_code *c = &p->code[t][i];

        if (c->kind == MINI_FENCE && random_below(r, 2))
            c->fence = 0; /* by its order */
        if (c->kind <= MINI_CAS && count && random_below(r, 3) == 0)
            c->pointer = 1u + (unsigned)reads[random_below(r, (unsigned)count)];
        if (c->kind >= MINI_STORE && c->kind <= MINI_CAS && count &&
            random_below(r, 4) == 0)
            c->first = (struct mini_value){
                reads[random_below(r, (unsigned)count)], random_below(r, 2)};
        if (c->kind == MINI_CAS && count && random_below(r, 4) == 0)
            c->second =
                (struct mini_value){reads[random_below(r, (unsigned)count)], 0};
        if ((c->kind == MINI_LOAD || c->kind >= MINI_ADD) &&
            c->kind <= MINI_CAS && count < MINI_REGISTERS)
            reads[count++] = (int)c->to;
    }
}

/* After a read: a selection by it, or a branch that skips nothing. */
static void add_local(struct mini *p, unsigned t, struct random *r)
{
    for (unsigned i = 0; i + 1 < p->length[t]; i++) {
        const struct mini_code *c = &p->code[t][i];
        struct mini_code new = {.kind = random_below(r, 2) ? MINI_SELECT
                                                           : MINI_SKIP,
                                .first = {(int)c->to, 0},
                                .second = {-1, random_below(r, 2)}};

        if ((c->kind != MINI_LOAD && c->kind < MINI_ADD) ||
            c->kind > MINI_CAS || random_below(r, 5) ||
            p->length[t] + 1 >= MINI_CODE)
            continue;
        new.to = random_below(r, 2) ? c->to : MINI_REGISTERS - 1;
        if (new.kind == MINI_SELECT && random_below(r, 2))
            new.second.from = (int)c->to;
        for (unsigned k = p->length[t]++; k > i + 1; k--)
            p->code[t][k] = p->code[t][k - 1];
        p->code[t][++i] = new;
    }
}

void mini_random_depends(struct mini *p, unsigned accesses, struct random *r)
{
    mini_random(p, accesses, r);
    p->depends = true;
    for (unsigned t = 0; t < p->threads; t++) {
        give_depends(p, t, r);
        add_local(p, t, r);
    }
}

void mini_random_sizes(struct mini *p, unsigned accesses, struct random *r)
{
    mini_random_bundles(p, accesses, r);
    p->depends = true;
    for (unsigned t = 0; t < p->threads; t++) {
        give_depends(p, t, r);
        add_local(p, t, r);
    }
}
