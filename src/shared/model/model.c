/* SPDX-License-Identifier: MIT
 *
 * The list of models, and the questions engines ask of any of them.  The build
 * writes the lists, a row MODEL(x) or AXIOMS(x) for each file x.c of this
 * folder, so that a new model is a new file and no change elsewhere.
 */
#include "model/model.h"

#include <string.h>

#include "event/must.h"

#define MODEL(x) extern const struct model model_##x;
#define AXIOMS(x) extern const struct model model_##x;
#include "model/models.def"
#undef MODEL
#undef AXIOMS

const struct model *const model_all[] = {
#define MODEL(x) &model_##x,
#include "model/models.def"
#undef MODEL
    NULL};

const struct model *const model_stated[] = {
    &model_sc,   &model_tso,   &model_arm, &model_riscv, &model_pso,
    &model_pslo, &model_power, &model_c11, &model_rc11,  &model_relaxed,
#define AXIOMS(x) &model_##x,
#include "model/models.def"
#undef AXIOMS
    NULL};

#define MAPPED(name, words) words,
const char *const model_mapped_words[] = {MODEL_MAPPED(MAPPED)};
#undef MAPPED

const struct model *model_find_stated(const char *name)
{
    for (const struct model *const *m = model_stated; *m; m++)
        if (strcmp((*m)->name, name) == 0)
            return *m;
    return NULL;
}

size_t model_told_number(const struct model *m)
{
    size_t place = 0;

    while (model_stated[place] && model_stated[place] != model_asked(m))
        place++;
    return place;
}

/* Those without a machine that the search over graphs knows. */
static const struct model *const explored[] = {
    &model_c11,
    &model_arm,
    &model_arm_llsc,
    &model_arm_rcpc,
    &model_arm_llsc_rcpc,
    &model_riscv,
    &model_power,
#define AXIOMS(x) &model_##x,
#include "model/models.def"
#undef AXIOMS
    /* Nobody asks for these: they come last, for there are tables by number. */
    &model_arm_any,
    &model_arm_any_lse,
    &model_arm_any_llsc,
    &model_arm_any_rcpc,
    &model_riscv_any,
};
#define EXPLORED_COUNT (sizeof explored / sizeof *explored)

const struct model *model_find(const char *name)
{
    for (const struct model *const *m = model_all; *m; m++)
        if (strcmp((*m)->name, name) == 0)
            return *m;
    for (size_t i = 0; i < EXPLORED_COUNT; i++)
        if (strcmp(explored[i]->name, name) == 0)
            return explored[i];
    return NULL;
}

/* The words of --arm. */
enum { LSE, LLSC };

size_t model_mappings(const struct model *m, unsigned arm, bool rcpc,
                      const struct model *list[MODEL_ASKED_MAX])
{
    size_t n = 0;

    list[0] = m;
    if (m != &model_arm)
        return 1;
    if (arm != LLSC)
        list[n++] = rcpc ? &model_arm_rcpc : &model_arm;
    if (arm != LSE)
        list[n++] = rcpc ? &model_arm_llsc_rcpc : &model_arm_llsc;
    return n;
}

const struct model *model_weakest(const struct model *m, unsigned arm,
                                  bool rcpc)
{
    if (m == &model_riscv)
        return &model_riscv_any;
    if (m != &model_arm)
        return NULL;
    if (arm == LSE || arm == LLSC)
        return rcpc         ? NULL
               : arm == LSE ? &model_arm_any_lse
                            : &model_arm_any_llsc;
    return rcpc ? &model_arm_any_rcpc : &model_arm_any;
}

const struct model *model_asked(const struct model *m)
{
    static const struct model *const of_arm[] = {
        &model_arm_llsc,    &model_arm_rcpc,    &model_arm_llsc_rcpc,
        &model_arm_any,     &model_arm_any_lse, &model_arm_any_llsc,
        &model_arm_any_rcpc};

    for (size_t i = 0; i < sizeof of_arm / sizeof *of_arm; i++)
        if (of_arm[i] == m)
            return &model_arm;
    return m == &model_riscv_any ? &model_riscv : m;
}

size_t model_number(const struct model *m)
{
    size_t i = 0;

    while (model_all[i] && model_all[i] != m)
        i++;
    MUST(model_all[i] || !model_has_machine(m));
    for (size_t k = 0; !model_all[i] && k < EXPLORED_COUNT; k++)
        if (explored[k] == m)
            return i + k;
    return model_all[i] ? i : i + EXPLORED_COUNT;
}

struct model_recipe model_recipe_of(const struct model *m,
                                    enum model_construct c, bool locks_paper)
{
    if (locks_paper && c == C_LOCK)
        return (struct model_recipe){0, FENCE_LL};
    if (locks_paper && c == C_UNLOCK)
        return (struct model_recipe){FENCE_SS, 0};
    return m->recipe[c];
}

struct model model_with(const struct model *m, bool locks_paper,
                        uint32_t buffer_room)
{
    struct model with = *m;

    with.recipe[C_LOCK] = model_recipe_of(m, C_LOCK, locks_paper);
    with.recipe[C_UNLOCK] = model_recipe_of(m, C_UNLOCK, locks_paper);
    with.buffer_room = buffer_room;
    return with;
}

static enum model_construct rmw_construct(enum event_order order)
{
    switch (order) {
    case ORDER_ACQUIRE:
        return C_RMW_ACQUIRE;
    case ORDER_RELEASE:
        return C_RMW_RELEASE;
    case ORDER_ACQ_REL:
        return C_RMW_ACQ_REL;
    case ORDER_SEQ_CST:
        return C_RMW_SEQ_CST;
    default:
        return C_RMW_RELAXED;
    }
}

static enum model_construct fence_construct(enum event_order order)
{
    switch (order) {
    case ORDER_RELEASE:
        return C_FENCE_RELEASE;
    case ORDER_ACQ_REL:
        return C_FENCE_ACQ_REL;
    case ORDER_SEQ_CST:
        return C_FENCE_SEQ_CST;
    default:
        return C_FENCE_ACQUIRE;
    }
}

enum model_construct model_construct_of(enum event_kind kind,
                                        enum event_order order)
{
    switch (kind) {
    case EV_STORE:
        return order == ORDER_SEQ_CST   ? C_STORE_SEQ_CST
               : order >= ORDER_RELEASE ? C_STORE_RELEASE
                                        : C_STORE;
    case EV_RMW:
        return rmw_construct(order);
    case EV_CAS_FAIL:
        return order >= ORDER_ACQUIRE && order != ORDER_RELEASE
                   ? C_CAS_FAIL_ACQUIRE
                   : C_CAS_FAIL_RELAXED;
    case EV_FENCE:
        return fence_construct(order);
    case EV_LOCK:
        return C_LOCK;
    case EV_UNLOCK:
        return C_UNLOCK;
    case EV_LOCK_FAIL:
        return C_LOCK_FAIL;
    case EV_POST:
        return C_POST;
    case EV_WAIT:
        return C_WAIT;
    default:
        return order >= ORDER_ACQUIRE ? C_LOAD_ACQUIRE : C_LOAD;
    }
}

/* A store may be overtaken by a later load, and where stores are reordered by
 * a later store or RMW; a load, or the loading half of an RMW, may be
 * overtaken by a later load where loads are reordered, and by a later store or
 * RMW where loads move down, which no machine does (docs/models.md). */
enum event_order model_language_fence(unsigned bits)
{
    bool releases = bits & FENCE_SS, acquires = bits & (FENCE_LL | FENCE_LS);

    if (bits & (FENCE_SL | FENCE_FULL))
        return ORDER_SEQ_CST;
    return releases && acquires ? ORDER_ACQ_REL
           : releases           ? ORDER_RELEASE
                                : ORDER_ACQUIRE;
}

bool model_may_overtake(const struct model *m, const struct event *earlier,
                        const struct event *later, unsigned between)
{
    bool from_store = earlier->kind == EV_STORE;
    bool to_load = later->kind == EV_LOAD;

    if (between & FENCE_FULL)
        return false;
    if (from_store && m->delays_stores) {
        if (to_load)
            return !(between & FENCE_SL);
        return m->reorders_stores && !(between & FENCE_SS) &&
               !(later->kind == EV_RMW && m->rmw_drains_all);
    }
    if (!to_load)
        return m->loads_move_down && event_reads(earlier) &&
               !(between & FENCE_LS);
    if (!m->reorders_loads)
        return false;
    if (earlier->kind == EV_RMW)
        return !(between & (FENCE_SL | FENCE_LL));
    return event_reads(earlier) && !(between & FENCE_LL);
}
