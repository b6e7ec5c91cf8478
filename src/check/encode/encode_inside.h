/* SPDX-License-Identifier: MIT
 *
 * What the files of this folder share.
 */
#ifndef ENCODE_ENCODE_INSIDE_H
#define ENCODE_ENCODE_INSIDE_H

#include "base/vec.h"
#include "encode/encode.h"
#include "encode/solver.h"

/* ---- fixed.c: what is ordered in every execution ---- */

struct fixed {
    uint32_t threads;
    uint32_t
        *clock; /* per event and thread: so many of its events are before */
};

void fixed_find(struct fixed *x, const struct flat *f, struct arena *a);

/* Is x before y, by create and join, whenever both are executed?  Threads
 * differ. */
bool fixed_before(const struct fixed *x, const struct flat *f, uint32_t first,
                  uint32_t second);

/* Does guard a holding mean that b holds, for all that is quick to see? */
bool fixed_implies(const struct flat *f, uint32_t a, uint32_t b);

/* ---- ranges.c: which values can a value have? ---- */

#define RANGE_MAX 1024 /* more, and the test is refused */

/* Freed memory, as if it were stored there. */
#define VALUE_FREED (struct lsl_value){LSL_UNDEFINED, 0, 1}

struct range {
    VEC(struct lsl_value); /* sorted */
    VEC(uint16_t) depth;   /* operations passed through that could grow */
};

enum { MAY_BE_FALSE = 1, MAY_BE_TRUE = 2 };

struct ranges {
    struct range *of; /* per value of the flat test; guards: empty */
    uint8_t *guard;   /* per value that is a guard: what it may be */
    /* Per load, the stores it may read: sources[first_source[e]] up to
     * first_source[e + 1]; and may it read the initial value? */
    uint32_t *first_source, *sources;
    bool *initial;
    uint32_t count;  /* values */
    bool everything; /* nothing is ruled out: to measure what that costs */
};

bool ranges_find(struct ranges *r, const struct flat *f,
                 const struct fixed *fixed, struct arena *a, struct err *e);
void ranges_free(struct ranges *r);

/* Its place in the range, or -1. */
int range_find(const struct range *r, struct lsl_value v);

int value_compare(struct lsl_value a, struct lsl_value b);

/* Could the two accesses be of the same address? */
bool ranges_may_alias(const struct ranges *r, const struct flat *f, uint32_t x,
                      uint32_t y);

/* What memory holds before anything ran. */
struct lsl_value initial_value(const struct flat *f, struct lsl_value address,
                               unsigned size);

/* Is that value the address of memory of so many bytes? */
bool address_is_good(const struct flat *f, struct lsl_value v, unsigned size);

/* ---- sizes.c ---- */

/* Do any two accesses share all of their bytes or none?  False: e names two
 * that do not. */
bool sizes_are_even(const struct flat *f, const struct ranges *r,
                    struct err *e);

/* ---- encode_sources.c ---- */

/* Fills sources, first_source and initial. */
void sources_find(struct ranges *r, const struct flat *f,
                  const struct fixed *fixed, struct arena *a);

/* ---- The formula ---- */

/* A value: the i-th of its range if lits[i] holds. */
struct coded {
    int *lits; /* NULL: not encoded yet */
};

/* A load, store or free. */
struct access {
    int live; /* executed, at a good address */
    int bad;  /* executed, at a bad one */
    uint32_t node;
};

/* A load and a store it may read or see. */
struct link {
    uint32_t store;
    int reads; /* LIT_FALSE: it cannot */
};

/* Without a fence: what is of `from` (enum rank bits) is before what comes
 * later and is of `to`. */
struct rule {
    uint8_t from, to;
};
#define RULES_MAX 3

/* Two nodes whose order is a variable. */
struct pair {
    uint32_t x, y;
    bool always; /* their order matters wherever they are */
};

/* Two accesses that conflict, if `lit` holds. */
struct race {
    uint32_t first, second;
    int lit;
};

/* A load that takes some of its parts from a store of its thread. */
struct torn {
    uint32_t load, store; /* nodes */
    int in_memory, waits; /* it does, and the store was there, or not yet */
};

/* Something that is wrong if `lit` holds. */
struct trouble {
    int lit;
    uint8_t failure;
    uint32_t site, thread, event;
    const char *text;
};

struct statement;

struct encoding {
    const struct flat *flat;
    const struct model *model;
    const struct statement *statement; /* NULL: the model is rules */
    /* The statement's terms, rf, co and fr are one order; if they are not, and
     * there is a statement, the order is only that of each location. */
    bool one_order, by_axioms;
    bool *own; /* per event: one thread uses what it accesses; or NULL */
    struct rule rules[RULES_MAX + 1]; /* the last one has no `from` */
    struct encode_options options;
    struct arena arena;
    struct solver *solver;
    struct fixed fixed;
    struct ranges ranges;

    struct coded *values;
    int *guards; /* per value; 0: not encoded yet */

    struct access *accesses; /* per event */
    struct link **links;     /* per load */
    uint32_t *link_count;
    int *initial; /* per load: reads the initial value */

    /* Nodes of the memory order: units, and accesses that are alone. */
    uint32_t node_count;
    uint32_t *node_first, *node_events; /* events of each, in program order */
    int *order; /* node_count squared: first before second, 0: no variable */
    uint32_t order_vars;
    VEC(struct torn) torn;
    VEC(struct pair) pairs; /* with a variable of their own */
    size_t pairs_kept;

    /* What questions are about. */
    int error, unsupported, bound, stuck, race;
    bool stuck_encoded, races_encoded;
    VEC(struct race) races;
    struct race race_found;     /* of the last solution, if that was asked */
    enum encode_question asked; /* last */
    bool in_hurry;
    int stop;      /* some thread has not come to its end */
    bool *beyond;  /* per cut: a loop found beyond its bound */
    int blocking;  /* observations that were allowed do not count */
    int violation; /* only what is one counts */
    VEC(struct trouble) troubles;

    struct slot *slots; /* of observations */
    uint32_t slot_count;

    int *fence_lits; /* of the fences that are only tried */
    bool *fence_on;

    struct copy *copy; /* a serial execution beside it, or NULL */

    struct flat_run run; /* the last solution, all but its order */
    struct encode_stats stats;
};

/* Is the program order of each thread part of the memory order? */
static inline bool keeps_program_order(const struct encoding *x)
{
    return x->options.serial || !x->model->delays_stores;
}

/* In the last solution. */
static inline struct lsl_value value_found(const struct encoding *x,
                                           uint32_t value)
{
    return x->run.values[value];
}

static inline bool guard_found(const struct encoding *x, uint32_t guard)
{
    return x->run.values[guard].bits != 0;
}

/* ---- encode_values.c ---- */

int value_guard(struct encoding *x, uint32_t guard);
const int *value_lits(struct encoding *x, uint32_t value);
/* The value is that one. */
int value_is(struct encoding *x, uint32_t value, struct lsl_value v);

/* Both are the same item of their ranges. */
int value_same(struct encoding *x, const struct range *a, const int *a_lits,
               const struct range *b, const int *b_lits);

/* ---- encode.c ---- */

/* Rules, arrays and nodes. */
void encode_begin(struct encoding *x);
/* An execution that comes to its end without an error, and with that. */
enum answer encode_ask_about(struct encoding *x, int lit,
                             bool (*stop)(void *context), void *context);

/* ---- encode_copy.c ---- */

void serial_copy_free(struct encoding *x);

/* ---- rules.c ---- */

/* Asks the model, and fills x->rules. */
void graph_find_rules(struct encoding *x);

/* ---- encode_memory.c ---- */

void access_encode(struct encoding *x);
/* The event is at that address. */
int access_at(struct encoding *x, uint32_t event, struct lsl_value address);
/* Both are executed and at the same one. */
int access_same(struct encoding *x, uint32_t first, uint32_t second);
void trouble_add(struct encoding *x, struct trouble t);

/* ---- torn.c ---- */

/* The clauses for loads in parts, on models that return older values. */
void torn_encode(struct encoding *x);

/* ---- encode_observe.c ---- */

void observe_encode(struct encoding *x);
struct lsl_value *observe_found(const struct encoding *x, struct arena *a);

/* ---- encode_order.c ---- */

/* Event x is before y in memory order; different threads.  Makes a variable
 * where nothing is fixed. */
int order_lit(struct encoding *x, uint32_t first, uint32_t second);
/* The same, and that order matters even if the two do not meet. */
int order_commit(struct encoding *x, uint32_t first, uint32_t second);
/* Clauses for all pairs that have none yet. */
void order_encode(struct encoding *x);
/* All at once, for the orders that are not lazy (eager.c). */
void eager_encode(struct encoding *x);
/* Forbids cycles of the solution's order; how many.  0: it is an order. */
size_t order_forbid_cycles(struct encoding *x);
void order_take_run(struct encoding *x, struct arena *a, struct flat_run *run);

/* ---- encode_stuck.c: threads that wait for ever ---- */

/* The clauses for ASK_STUCK, unless they are there. */
void stuck_encode(struct encoding *x);
void stuck_found(const struct encoding *x, struct arena *a,
                 struct encode_found *out);

/* ---- encode_terms.c: models given by terms ---- */

/* Forbids that a load returns something older than one before it; how many. */
size_t terms_forbid_older(struct encoding *x);
/* Nothing comes between the halves of an RMW that are nodes of their own. */
void terms_encode_atomic(struct encoding *x);

/* ---- encode_axioms.c: models given by axioms ---- */

/* Forbids what breaks an axiom; how many. */
size_t axioms_forbid(struct encoding *x);
/* The accesses in an order in which each load finds what it returns. */
void axioms_sort(struct encoding *x, struct arena *a, struct flat_run *run);

/* ---- encode_race.c: data races of C11 ---- */

/* The clauses for ASK_RACE, unless they are there. */
void race_encode(struct encoding *x);

/* ---- thin.c: values out of thin air ---- */

/* Forbids the solution if a value justifies itself; how many clauses. */
size_t thin_forbid_values(struct encoding *x);

#endif
