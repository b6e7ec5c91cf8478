/* SPDX-License-Identifier: MIT
 *
 * A test unrolled: every thread a straight line of guarded accesses over
 * values that are assigned once (CheckFence, section 3.2).  This is what is
 * encoded, and the frame in which a solution is told.
 *
 * Guards are values of width 0, never undefined: is this place reached?  A
 * thread stops, with every later guard false, where it fails, where an
 * assumption or a lock does not let it pass, and where a loop is cut.
 *
 * Spin loops are reduced exactly: a round of a loop that wrote nothing (an RMW
 * that wrote back what it read counts as nothing), observed nothing, and
 * leaves all that the loop carries as it found it, is cut as CUT_IDLE: the
 * same execution without that round is another solution, and has the same
 * observation.
 */
#ifndef FLAT_FLAT_H
#define FLAT_FLAT_H

#include "base/arena.h"
#include "base/err.h"
#include "event/event.h"
#include "lsl/lsl.h"
#include "lsl/lsl_test.h"
#include "model/model.h"

enum flat_op {
    FLAT_CONSTANT, /* `constant` */
    FLAT_PURE,     /* pure(a, b) */
    FLAT_ITE,      /* guard a ? b : c */
    FLAT_LOADED,   /* what event a loaded */
    FLAT_CHOSEN,   /* a number below `constant`, chosen freely */
    /* Guards, width 0. */
    FLAT_TRUE_GUARD,   /* values[1] and only that */
    FLAT_NOT,          /* not guard a */
    FLAT_AND,          /* guards a, b; "or" is made of this and FLAT_NOT */
    FLAT_TRUTH,        /* value a is defined and not 0 */
    FLAT_IS_UNDEFINED, /* value a is undefined */
    FLAT_SAME /* values a and b are the same, both undefined included */
};

struct flat_value {
    uint8_t op;       /* enum flat_op */
    uint8_t pure;     /* enum lsl_pure */
    uint8_t width;    /* bits; 0: a guard */
    uint8_t in_width; /* PURE */
    uint32_t a, b, c; /* values; FLAT_LOADED: an event */
    uint32_t site;
    struct lsl_value constant;
};

/* values[0] is none.  Each value is there once, and after its operands.  A
 * constant's width is 64, whatever it was: an integer is cut already. */
#define FLAT_TRUE 1u
#define FLAT_FALSE 2u /* FLAT_NOT of the former */

enum flat_kind {
    FLAT_LOAD,   /* value: FLAT_LOADED of this event */
    FLAT_STORE,  /* value: what is stored */
    FLAT_FENCE,  /* construct, or fences */
    FLAT_CREATE, /* other: thread */
    FLAT_START,  /* first event of a thread but 0 */
    FLAT_EXIT,   /* last event of every thread; its guard: it came to its end */
    FLAT_JOIN,   /* other: thread; its guard includes that one's exit */
    FLAT_FREE    /* of the object at `address` */
};

enum flat_event_flag {
    FLAT_GHOST = 1,
    FLAT_ATOMIC = 2, /* a C11 atomic access: relaxed or stronger */
    FLAT_RMW = 4,    /* one half of an RMW, or inside an atomic block */
    FLAT_LOCK = 8,   /* of a lock or semaphore */
    FLAT_CAS = 16,   /* half of a compare-and-swap */
    FLAT_BLOCK = 32  /* inside an atomic block */
};

struct flat_event {
    uint8_t kind;      /* enum flat_kind */
    uint8_t size;      /* bytes: 1 2 4 8; of a part, 1 to 8 */
    uint8_t construct; /* enum model_construct.  RMW's store: what the RMW is;
                          a CAS's load: what it is if it fails, i.e. if the
                          unit's store is not executed */
    uint8_t flags;     /* enum flat_event_flag */
    uint8_t fences;    /* FENCE: enum model_fence bits, then no construct */
    uint8_t order;     /* enum event_order, as the program has it */
    uint8_t failure_order; /* of a CAS */
    uint32_t thread;
    uint32_t operation; /* of `operations`, or LSL_NONE: main's own */
    uint32_t unit;      /* events with the same one are one step; 0: alone */
    uint32_t guard, address, value; /* values */
    uint32_t compare; /* CAS's store: what it compares with; or 0 */
    uint32_t other;
    uint32_t site;
    uint8_t part, parts; /* which of how many it is; 0 of 0: it is whole */
};

struct flat_thread {
    uint32_t first, count; /* events, in program order */
    uint32_t create;       /* event of its parent; LSL_NONE for thread 0 */
};

/* An object by its number: the program's first, at the same numbers. */
struct flat_object {
    uint32_t global;   /* lsl object, or 0 */
    bool heap, zeroed; /* zeroed, or else undefined at first */
    uint64_t size;     /* UINT64_MAX: not known */
    uint32_t site, thread;
};

struct flat_operation {
    const char *name; /* "e", or "init" for FENCER_INIT and main's own */
    uint32_t thread;
    uint32_t first, count; /* events */
};

/* If the guard holds, so does the condition, in executions that count. */
enum flat_assume_kind {
    ASSUME_PROGRAM, /* fencer_assume */
    ASSUME_LOCK     /* a lock or semaphore that has to be waited for */
};
struct flat_assume {
    uint32_t guard, condition;
    uint8_t kind;
    uint32_t event; /* LOCK: the load, or LSL_NONE: of private memory */
    uint32_t thread, operation, site;
};

enum flat_cut_kind {
    CUT_BOUND, /* the loop would come round once more than its bound */
    CUT_IDLE,  /* a round that did nothing */
    CUT_ONCE   /* a primed operation would retry: a round of its carries the
                  same into the next as into this one */
};
struct flat_cut {
    uint32_t guard;
    uint8_t kind;
    uint64_t key; /* of the loop's instance: for flat_bounds */
    uint32_t site;
    uint32_t thread, operation;
    uint32_t first, count; /* events of the round before the cut */
    uint32_t chose;        /* guard: something was chosen in it */
};

/* A branch of a thread: what was decided there, and by what.  Those whose arms
 * only compute are none: compilers select there (docs/decisions/19). */
struct flat_branch {
    uint32_t guard, condition; /* is it reached; a value */
    uint32_t thread;
    uint32_t event; /* the first one behind it, in program order */
};

struct flat_error {
    uint32_t guard;
    uint8_t failure; /* enum failure_kind; FAIL_UNSUPPORTED: not a finding */
    uint32_t site, thread;
    const char *text;
};

struct flat_observe {
    uint32_t guard, value;
    const char *label;
    uint32_t thread, operation, site;
};

/* Where something is chosen. */
struct flat_choice {
    uint32_t guard, value; /* value: a FLAT_CHOSEN, or a constant if only that
                              could be chosen */
    uint32_t thread, operation, site;
};

struct flat {
    const struct lsl_program *program;
    const struct test *test; /* NULL: main ran */
    struct flat_value *values;
    uint32_t value_count;
    struct flat_event *events; /* thread after thread */
    uint32_t event_count;
    uint32_t unit_count; /* units are 1 .. unit_count */
    struct flat_thread *threads;
    uint32_t thread_count;
    struct flat_object *objects; /* [0] is none */
    uint32_t object_count;
    struct flat_operation *operations;
    uint32_t operation_count;
    struct flat_assume *assumes;
    uint32_t assume_count;
    struct flat_cut *cuts;
    uint32_t cut_count;
    struct flat_branch *branches; /* by thread, then program order */
    uint32_t branch_count;
    struct flat_error *errors;
    uint32_t error_count;
    struct flat_observe *observes; /* by thread, then program order */
    uint32_t observe_count;
    struct flat_choice *choices; /* likewise */
    uint32_t choice_count;
    uint32_t instruction_count; /* unrolled, as the paper counts them */
};

/* How often each loop instance may come round; 1 where nothing was said. */
struct flat_bounds;
struct flat_bounds *flat_bounds_new(void);
void flat_bounds_free(struct flat_bounds *b);
void flat_bounds_grow(struct flat_bounds *b, uint64_t key);
uint32_t flat_bounds_get(const struct flat_bounds *b, uint64_t key);

/* Unrolls FENCER_INIT and the test, or the procedure `entry` (main) if test is
 * NULL.  False: something that has no meaning when unrolled, named in e. */
bool flat_unroll(const struct lsl_program *p, const struct test *test,
                 uint32_t entry, const struct flat_bounds *bounds,
                 struct arena *a, struct flat *out, struct err *e);

/* How many events an access is. */
static inline uint32_t flat_parts(const struct flat_event *e)
{
    return e->parts ? e->parts : 1;
}

/* The other half of an RMW: the store of a load, the load of a store; of a
 * part, that of the same part; or LSL_NONE.  Atomic blocks have none. */
static inline uint32_t flat_other_half(const struct flat *f, uint32_t event)
{
    const struct flat_event *e = &f->events[event];
    uint32_t far = flat_parts(e);
    uint32_t other = e->kind == FLAT_LOAD ? event + far : event - far;

    if (!e->unit || !(e->flags & FLAT_RMW) || e->flags & FLAT_BLOCK ||
        other >= f->event_count || f->events[other].unit != e->unit ||
        f->events[other].kind == e->kind)
        return LSL_NONE;
    return other;
}

/* The same test with accesses in parts: bit i of cuts[event] cuts it before its
 * byte i.  The parts of an access are neighbours, in ascending order, those of
 * an RMW's load before those of its store.  `together`: they are one unit.
 * origin[event]: the event of `from` that a new one is, or is a part of. */
void flat_split(const struct flat *from, const uint8_t *cuts, bool together,
                struct arena *a, struct flat *out, uint32_t **origin);

/* ---- One execution of it ---- */

#define FLAT_INITIAL UINT32_MAX /* rf: the initial value */

struct flat_run {
    struct lsl_value *values; /* of each FLAT_CHOSEN and FLAT_LOADED at least */
    bool *executed;           /* per event: its guard holds */
    struct lsl_value *address; /* per event that has one */
    struct lsl_value *value;   /* per load and store */
    uint32_t *rf;              /* per load: store event, or FLAT_INITIAL */
    uint32_t *order; /* executed loads, stores and frees in <M; those of one
                        unit side by side */
    uint32_t order_count;
};

/* Computes all values of the run from its FLAT_CHOSEN and `value` of loads,
 * and from these executed and address.  The arrays are there already. */
void flat_evaluate(const struct flat *f, struct flat_run *run);

#endif
