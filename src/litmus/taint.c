/* SPDX-License-Identifier: MIT
 *
 * What flows where in a thread, seen without running it: registers that may
 * hold something computed from a load.  Branches are ignored, so a register
 * may be named that never does.
 */
#include "litmus/taint.h"

#include "litmus/reader.h"
#include "model/axioms.h"

struct flow {
    bool loaded[REGISTERS_MAX];   /* from a load */
    bool selected[REGISTERS_MAX]; /* from a csel or a CAS */
};

static bool reads(const struct inst *i, int reg)
{
    return reg > REGISTER_ZERO &&
           (i->a == reg || (!i->immediate && i->b == reg) || i->base == reg ||
            i->index == reg || (i->kind == INST_SELECT && i->c == reg) ||
            (i->kind == INST_CAS && i->d == reg));
}

static bool any(const bool *of, const struct inst *i)
{
    bool found = false;

    for (int reg = REGISTER_FLAGS; reg < REGISTERS_MAX; reg++)
        found |= of[reg] && reads(i, reg);
    return found;
}

static bool is_load(const struct inst *i)
{
    return i->kind == INST_LOAD || i->kind == INST_LX || i->kind == INST_RMW ||
           i->kind == INST_CAS;
}

static bool computes(const struct inst *i)
{
    return i->kind == INST_SET || i->kind == INST_ALU || i->kind == INST_SELECT;
}

static void step(struct flow *f, const struct inst *i)
{
    bool selects = i->kind == INST_SELECT || i->kind == INST_CAS;

    if (i->d <= REGISTER_ZERO || !(is_load(i) || computes(i)))
        return;
    f->selected[i->d] = selects || any(f->selected, i);
    f->loaded[i->d] = is_load(i) || any(f->loaded, i);
}

static bool is_used_after(const struct thread *p, size_t at)
{
    int reg = p->list[at].d;

    for (size_t k = at + 1; k < p->count; k++)
        if (reads(&p->list[k], reg))
            return true;
    return false;
}

bool taint_mixes_cas(const struct thread *p)
{
    struct flow f = {0};

    for (size_t k = 0; k < p->count; k++) {
        const struct inst *i = &p->list[k];

        if (i->kind == INST_CAS && !i->pair && i->d > REGISTER_ZERO &&
            f.loaded[i->d] && is_used_after(p, k))
            return true;
        step(&f, i);
    }
    return false;
}

bool taint_selects_through_memory(const struct thread *p)
{
    struct flow f = {0};
    bool stored = false, loaded = false;

    for (size_t k = 0; k < p->count; k++) {
        const struct inst *i = &p->list[k];

        if (i->kind == INST_FENCE && i->read & MARK_ISB && loaded)
            return true;
        loaded |= stored && is_load(i);
        stored |= !computes(i) && any(f.selected, i);
        step(&f, i);
    }
    return false;
}

static bool has(const struct thread *p, enum inst_kind kind)
{
    for (size_t k = 0; k < p->count; k++)
        if (p->list[k].kind == kind)
            return true;
    return false;
}

bool taint_has_rmw(const struct thread *p)
{
    return has(p, INST_RMW);
}

bool taint_has_pair(const struct thread *p)
{
    return has(p, INST_SX);
}
