/* SPDX-License-Identifier: MIT
 *
 * Memory models as data.  A model is one file and one value of this type;
 * engines ask it questions and never compare its name.  The machine that obeys
 * a model is in runtime/machine.c: it keeps, per thread, stores in issue order
 * and, where the model has them, the histories of what memory held.
 */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/event.h"
#include "model/axioms.h"

/* Fences by what they keep apart: SS is store-store, SL store-load, ... FULL
 * drains the buffer and cuts the histories. */
enum model_fence {
    FENCE_SS = 1,
    FENCE_SL = 2,
    FENCE_LL = 4,
    FENCE_LS = 8,
    FENCE_FULL = 16
};

/* C constructs, as the rows of the table in docs/models.md.
 * CONSTRUCT(NAME, words) */
#define MODEL_CONSTRUCTS(CONSTRUCT)                                            \
    CONSTRUCT(LOAD, "load, plain, volatile or relaxed")                        \
    CONSTRUCT(LOAD_ACQUIRE, "load acquire, consume or seq_cst")                \
    CONSTRUCT(STORE, "store, plain, volatile or relaxed")                      \
    CONSTRUCT(STORE_RELEASE, "store release")                                  \
    CONSTRUCT(STORE_SEQ_CST, "store seq_cst")                                  \
    CONSTRUCT(RMW_RELAXED, "RMW relaxed")                                      \
    CONSTRUCT(RMW_ACQUIRE, "RMW acquire")                                      \
    CONSTRUCT(RMW_RELEASE, "RMW release")                                      \
    CONSTRUCT(RMW_ACQ_REL, "RMW acq_rel")                                      \
    CONSTRUCT(RMW_SEQ_CST, "RMW seq_cst, __sync, lock or xchg asm")            \
    CONSTRUCT(CAS_FAIL_RELAXED, "CAS that fails, relaxed")                     \
    CONSTRUCT(CAS_FAIL_ACQUIRE, "CAS that fails, acquire or stronger")         \
    CONSTRUCT(FENCE_ACQUIRE, "fence acquire")                                  \
    CONSTRUCT(FENCE_RELEASE, "fence release")                                  \
    CONSTRUCT(FENCE_ACQ_REL, "fence acq_rel")                                  \
    CONSTRUCT(FENCE_SEQ_CST, "fence seq_cst")                                  \
    CONSTRUCT(LOCK, "mutex, spin lock, rwlock: lock")                          \
    CONSTRUCT(UNLOCK, "mutex, spin lock, rwlock: unlock")                      \
    CONSTRUCT(LOCK_FAIL, "trylock or timedlock that fails")                    \
    CONSTRUCT(POST, "sem_post, cond signal, barrier arrival, end of once")     \
    CONSTRUCT(WAIT, "sem_wait, return from cond wait, barrier, once")

enum model_construct {
#define CONSTRUCT(name, words) C_##name,
    MODEL_CONSTRUCTS(CONSTRUCT)
#undef CONSTRUCT
        C_COUNT
};

/* What a construct does besides its access: fences before and after it. */
struct model_recipe {
    uint8_t before, after; /* enum model_fence */
};

struct model {
    const char *name;    /* "tso" */
    const char *words;   /* "x86 (TSO)" */
    const char *machine; /* "x86": who has it; NULL: as `words` */
    /* Stores wait in a buffer, so that later loads may overtake them. */
    bool delays_stores;
    /* A buffered store may commit before an older one to other memory. */
    bool reorders_stores;
    /* A load may return an older value: it overtook earlier loads, stores or
     * RMWs. */
    bool reorders_loads;
    /* An RMW, also a failing CAS, waits for every buffered store of its
     * thread, not only for those it overlaps. */
    bool rmw_drains_all;
    /* So many stores of a thread may wait (--buffer); 0: any number. */
    uint32_t buffer_room;
    /* A load may take effect after a later store, and loads of one address in
     * either order.  No machine does that: such a model is not in model_all,
     * and only fencer check has it. */
    bool loads_move_down;
    /* Its order is C11's happens-before, by the memory orders of the program,
     * and a data race is undefined behaviour.  No machine does that either:
     * its executions are graphs, or solutions of a formula. */
    bool by_language;
    /* It is a processor by axioms alone, with mappings instead of recipes: no
     * machine.  Its executions are graphs, or solutions of a formula.
     * What one of them allows says nothing about other models but SC. */
    bool by_axioms;
    /* A load whose address depends on an earlier load comes after it.  Then two
     * loads of one address are in order only as coherence has it.  Graphs and
     * formulas know that, the machine is stronger (runtime_depend.h). */
    bool keeps_dependent;
    /* The same model with that (--deps).  NULL: it has it, or nobody asked. */
    const struct model *with_deps;
    /* What it says of an execution. */
    const struct model_axioms *axioms;
    struct model_recipe recipe[C_COUNT];
};

/* SC, TSO, PSO, PSLO: each allows all that the one before it allows. */
extern const struct model model_sc, model_tso, model_pso, model_pslo;

/* The paper's Relaxed, which allows all that PSLO does: axioms only. */
extern const struct model model_relaxed;

/* C11 itself, which allows all that PSLO does: axioms only. */
extern const struct model model_c11;

/* C11 with the release sequences of 2017: RC11 as published. */
extern const struct model model_rc11;

/* Processors, by axioms alone. */
extern const struct model model_arm, model_riscv, model_power;

/* What compilers make of C for RISC-V. */
extern const struct model_mapping model_psabi;

/* ARM with atomics as loops of exclusives, and with ldapr; model_arm is that
 * with LSE. */
extern const struct model model_arm_llsc, model_arm_rcpc, model_arm_llsc_rcpc;

/* What all mappings of these keep, without dependencies (struct model_axioms):
 * only searches know them. */
extern const struct model model_arm_any, model_arm_any_lse, model_arm_any_llsc,
    model_arm_any_rcpc, model_riscv_any;

/* Of a processor, as model_mappings; NULL: there is none. */
const struct model *model_weakest(const struct model *m, unsigned arm,
                                  bool rcpc);

/* The model, or of arm those of its mappings that are asked for: `arm` is the
 * word of --arm, lse, llsc or both. */
#define MODEL_ASKED_MAX 2
size_t model_mappings(const struct model *m, unsigned arm, bool rcpc,
                      const struct model *list[MODEL_ASKED_MAX]);

/* The model that it is a mapping of; or itself. */
const struct model *model_asked(const struct model *m);

/* Every model, in the order in which findings are told, ended by NULL; and the
 * one of that name, or NULL. */
extern const struct model *const model_stated[];
const struct model *model_find_stated(const char *name);
/* Its place in that order; a mapping has its model's. */
size_t model_told_number(const struct model *m);

/* All models that have a machine, strongest first, ended by NULL. */
extern const struct model *const model_all[];
/* Its place in that list, or behind it; of all that are explored no two have
 * the same. */
size_t model_number(const struct model *m);

/* The model of that name that a program can be run on, or explored; NULL: there
 * is none. */
const struct model *model_find(const char *name);

/* Is there a machine that runs it, and replays what it did? */
static inline bool model_has_machine(const struct model *m)
{
    return !m->loads_move_down && !m->by_language && !m->by_axioms;
}

/* The construct of an access or fence of that kind and C11 order.  For
 * CAS_FAIL the order is the failure order. */
enum model_construct model_construct_of(enum event_kind kind,
                                        enum event_order order);

/* What a fence of fencer.h is to C11: what that header makes of it where there
 * is no Fencer.  `bits`: enum model_fence, not 0. */
enum event_order model_language_fence(unsigned bits);

/* May `later` take effect before `earlier`, both of one thread and on
 * different memory, with `between` (enum model_fence bits, the union of all
 * fences between them, those of their own recipes included)? */
bool model_may_overtake(const struct model *m, const struct event *earlier,
                        const struct event *later, unsigned between);

/* The model as options have it: --locks paper, --buffer. */
struct model model_with(const struct model *m, bool locks_paper,
                        uint32_t buffer_room);

/* What that construct is on the model; --locks paper: locks are Relaxer's, on
 * every model. */
struct model_recipe model_recipe_of(const struct model *m,
                                    enum model_construct c, bool locks_paper);

#endif
