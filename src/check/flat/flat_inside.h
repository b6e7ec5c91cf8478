/* SPDX-License-Identifier: MIT
 *
 * What the files of this folder share: values that are kept once, the state
 * of one thread while it is walked, and the test as it grows.
 */
#ifndef FLAT_FLAT_INSIDE_H
#define FLAT_FLAT_INSIDE_H

#include "base/index.h"
#include "base/vec.h"
#include "flat/flat.h"

/* Room for one more at the end of a list that lives in an arena. */
static inline void *flat_room(struct arena *a, void *list, uint32_t count,
                              size_t *room, size_t size)
{
    return vec_fit(a, list, count, room, (size_t)count + 1, size);
}

/* ---- Values, each kept once and folded when it is made (flat_values.c) ----
 */

struct value_note {
    uint32_t depth;    /* guards: how many literals they are the "and" of */
    uint32_t negation; /* the FLAT_NOT of it, or 0 */
    /* Its atoms, once they were asked for, or 0. */
    uint32_t truth, undefined;
    bool held[2]; /* a literal of the marked guard; aside: of the other */
};

struct values {
    struct arena *arena;
    VEC(struct flat_value); /* the first is none */
    VEC(struct value_note) notes;
    struct index index; /* of all but the first */
    /* The guard whose literals are held; and another one, for guards that are
     * not of the place where control is, lest all be marked anew for them. */
    uint32_t marked[2];
    bool aside;
};

void values_init(struct values *v, struct arena *a);
uint32_t values_add(struct values *v, const struct flat_value *value);
uint32_t values_find(const struct values *v, const struct flat_value *value);
uint32_t values_constant(struct values *v, struct lsl_value c);
uint32_t values_integer(struct values *v, uint64_t n);
uint32_t values_pure(struct values *v, enum lsl_pure op, unsigned width,
                     unsigned in_width, uint32_t a, uint32_t b);
uint32_t values_ite(struct values *v, uint32_t guard, uint32_t a, uint32_t b);
/* The constant that it is? */
bool values_is(const struct values *v, uint32_t value, struct lsl_value *out);

/* ---- Guards (guards.c, atoms.c) ---- */

uint32_t guard_not(struct values *v, uint32_t g);
uint32_t guard_and(struct values *v, uint32_t g, uint32_t h);
uint32_t guard_or(struct values *v, uint32_t g, uint32_t h);
/* What both have in common from their beginning, and what g adds to that. */
uint32_t guard_common(const struct values *v, uint32_t g, uint32_t h);
uint32_t guard_beyond(struct values *v, uint32_t common, uint32_t g);
/* The value under that guard: FLAT_ITEs that it decides are gone. */
uint32_t guard_decide(struct values *v, uint32_t g, uint32_t value);

uint32_t guard_truth(struct values *v, uint32_t value);
uint32_t guard_undefined(struct values *v, uint32_t value);
uint32_t guard_same(struct values *v, uint32_t a, uint32_t b);
uint32_t guard_equals(struct values *v, uint32_t value, unsigned width,
                      struct lsl_value c);

/* ---- The test as it grows (flat_unroll.c) ---- */

struct thread_note {
    uint32_t create; /* event, or LSL_NONE */
    uint32_t events; /* so far */
    uint32_t exit;   /* guard; 0: not known yet */
    uint32_t result; /* what its function returned; 0: nothing */
};

struct unroller {
    const struct lsl_program *program;
    const struct flat_bounds *bounds;
    struct arena *arena; /* what stays */
    struct arena scratch;
    struct values values;
    struct flat out;
    /* Rooms of out's lists. */
    size_t event_room, object_room, operation_room, assume_room, cut_room,
        error_room, observe_room, choice_room, branch_room, note_room;
    struct thread_note *notes;   /* of threads */
    const struct shape **shapes; /* of procedures, or NULL */
    bool refused;
    struct err *err;
};

/* Where control is: what is true there. */
struct flow {
    uint32_t guard;
    uint32_t unit;               /* of the atomic block, or 0 */
    const struct memory *memory; /* private */
};

/* A round of a loop that is being walked. */
struct round {
    struct round *outer;
    uint32_t effect; /* guard */
};

/* A thread while it is walked. */
struct walker {
    struct unroller *u;
    uint32_t thread, operation;
    bool once;
    uint64_t path; /* hash of calls and rounds */
    unsigned depth;
    struct round *round; /* innermost, or NULL */
    struct cell *cells;  /* of private memory */
    uint32_t cell_count;
    size_t cell_room;
    uint32_t *local; /* by program object, if thread_local: its own, or 0 */
};

/* A constant of the program: thread-local variables are the thread's own. */
uint32_t flat_constant(struct walker *w, struct lsl_value c);
/* Something without meaning here: named, and this way ends. */
void flat_refuse(struct walker *w, struct flow *f, uint32_t site,
                 const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* If the condition holds the thread fails; below, it does not. */
void flat_fail_if(struct walker *w, struct flow *f, uint32_t condition,
                  enum failure_kind failure, uint32_t site, const char *text);
void flat_need_defined(struct walker *w, struct flow *f, uint32_t value,
                       uint32_t site, const char *text);
uint32_t flat_add_event(struct walker *w, struct flat_event e);
void flat_add_cut(struct walker *w, uint32_t guard, enum flat_cut_kind kind,
                  uint64_t key, uint32_t site);
uint32_t flat_add_object(struct walker *w, struct flat_object o);
void flat_effect(struct walker *w, uint32_t guard);
void flat_add_branch(struct walker *w, uint32_t guard, uint32_t condition);
/* A new thread, created at that event of its parent, or LSL_NONE. */
uint32_t flat_new_thread(struct unroller *u, uint32_t create);
void flat_start(struct walker *w, struct flow *f);
void flat_exit(struct walker *w, struct flow *f);
/* Waits for that thread; the guard after it. */
uint32_t flat_join(struct walker *w, uint32_t guard, uint32_t thread,
                   uint32_t site);

uint64_t flat_mix(uint64_t hash, uint64_t with);

/* The lists thread after thread, and only values that are used. */
void flat_finish(struct unroller *u);
/* Hands out those of the values that are needed; all that names one is renamed
 * (needed.c). */
void flat_take_values(struct flat *out, const struct values *v,
                      struct arena *a);
/* What flat.h promises holds (flat_check.c). */
void flat_check(const struct flat *f);

/* ---- Procedures (walk.c, shape.c), instructions (step.c, flat_access.c) ----
 */

struct live_out {
    uint32_t *regs;
    uint32_t count;
};

/* What walking needs to know of a procedure. */
struct shape {
    uint32_t *loop_at;         /* per block: the loop it heads, or LSL_NONE */
    uint32_t *phis;            /* per block */
    struct live_out *live_out; /* per loop: defined inside, used outside */
    bool *chooses; /* per block: its branch only chooses between values */
};
const struct shape *shape_of(const struct lsl_proc *p, struct arena *a);

/* Walks the procedure; its result, 0 if it has none or does not return. */
uint32_t walk_call(struct walker *w, struct flow *f, uint32_t proc,
                   const uint32_t *args, uint32_t count, uint32_t site);

/* One instruction that neither is a PHI nor ends a block. */
void flat_step(struct walker *w, struct flow *f, const struct lsl_proc *p,
               const struct lsl_inst *i, uint32_t *regs);

/* Operands by their values. */
struct operands {
    uint32_t a, b, c;
};

/* Loads, stores, RMWs, locks: the register's new value, or 0. */
uint32_t access_step(struct walker *w, struct flow *f, const struct lsl_inst *i,
                     struct operands o);

/* The same for the halves of an access of 16 bytes, i and i + 1. */
void access_step_wide(struct walker *w, struct flow *f,
                      const struct lsl_inst *i, struct operands low,
                      struct operands high, uint32_t *regs);

/* ---- Private memory (private.c) ---- */

uint32_t private_load(struct walker *w, struct flow *f,
                      const struct lsl_inst *i, uint32_t address,
                      unsigned width);
void private_store(struct walker *w, struct flow *f, const struct lsl_inst *i,
                   uint32_t address, uint32_t condition, uint32_t value);
const struct memory *private_merge(struct walker *w, uint32_t guard,
                                   const struct memory *a,
                                   const struct memory *b);
/* Guard: all that objects below that number hold is the same in both. */
uint32_t private_same(struct walker *w, const struct memory *a,
                      const struct memory *b, uint32_t objects);

/* The constants that a value may be, each with its guard. */
struct option {
    uint32_t guard;
    struct lsl_value constant;
};
#define MAX_OPTIONS 64
/* False: it depends on more than guards, or there are too many. */
bool values_options(struct values *v, uint32_t value, struct option *out,
                    unsigned *count);

#endif
