/* SPDX-License-Identifier: MIT
 *
 * A test, unrolled, on a memory model, as a formula: each solution is an
 * execution that the model allows (CheckFence, section 3.2).  The door of this
 * folder.
 *
 * It can be asked many questions, and keeps what it learned.  A question looks
 * for a *violation* (an error, or an execution that ends with an observation
 * that was not allowed), for a loop that exceeds its bound, or for any
 * execution that ends.
 */
#ifndef ENCODE_ENCODE_H
#define ENCODE_ENCODE_H

#include "base/answer.h"
#include "base/arena.h"
#include "base/err.h"
#include "flat/flat.h"
#include "model/model.h"

/* How the memory order is kept a partial order. */
enum encode_order {
    ORDER_LAZY,    /* cycles are forbidden as solutions show them */
    ORDER_CHORDAL, /* all of them at once, over a chordal graph */
    ORDER_CUBIC    /* the paper's: all pairs, all triples */
};

/* A fence of one kind that can be switched on and off: right after every
 * access at a site or, if it is present, the program's own at that site. */
struct encode_fence {
    uint32_t site;
    uint8_t kind; /* enum model_fence: one bit */
    bool present;
};

struct encode_options {
    enum encode_order order;
    bool no_ranges; /* addresses and values may be whatever the test has */
    bool serial;    /* operations are atomic, on SC */
    const struct encode_fence *fences;
    size_t fence_count;
    bool *mixed; /* NULL, or: set if that is why it cannot be encoded, that
                    accesses share some bytes, not all */
};

struct encoding;

/* Cuts the test's accesses so that any two share all of their bytes or none
 * (sizes.c).  False: that cannot be done on this model; e says where. */
bool encode_cut(const struct flat *f, const struct model *m,
                const struct encode_options *options, struct arena *a,
                struct flat *out, struct err *e);

/* False: the test cannot be encoded; e says why.  `f` must live as long as the
 * encoding. */
struct encoding *encode_new(const struct flat *f, const struct model *m,
                            const struct encode_options *options,
                            struct err *e);
void encode_free(struct encoding *x);

enum encode_question {
    ASK_ANY,         /* an execution that comes to its end without an error */
    ASK_ERROR,       /* an error */
    ASK_VIOLATION,   /* that, or the end with an observation not allowed */
    ASK_BOUND,       /* a loop that would go beyond its bound, one that was not
                        an answer yet */
    ASK_UNSUPPORTED, /* a place that has no meaning here is reached */
    ASK_STUCK, /* all that can has ended, and some thread waits for ever */
    ASK_RACE   /* two accesses race, where that is undefined (C11) */
};

/* `stop` ends it early by true. */
enum answer encode_ask(struct encoding *x, enum encode_question q,
                       bool (*stop)(void *context), void *context);

/* From the next question on, each may take the solver only a little effort, or
 * is answered ANSWER_UNKNOWN.  As at first: false. */
void encode_hurry(struct encoding *x, bool on);

/* An observation has a place for everything that may be observed: first those
 * of thread 0, in program order, then of the next thread.  Where a thread
 * observes less than it could, its last places are undefined. */
uint32_t encode_places(const struct encoding *x);
uint32_t encode_place_thread(const struct encoding *x, uint32_t place);

/* Executions that observe it are no violation, and not among ASK_ANY's. */
void encode_allow(struct encoding *x, const struct lsl_value *observation);

/* After ASK_STUCK: executions in which the same threads wait, each in the same
 * operation, and those finished observed the same, are not asked for again. */
void encode_allow_stuck(struct encoding *x);

/* The last solution's errors, or else its observation, are no answer any
 * more. */
void encode_avoid(struct encoding *x);

/* ---- The specification in the formula (encode_copy.c) ---- */

/* Puts a serial execution beside this one, of the same operations with the same
 * choices, in the order in which their commits take effect: the commit of
 * operation i is its last access at sites[i]. */
void encode_add_serial(struct encoding *x, const uint32_t *sites);

/* An execution that comes to its end, and whose serial one differs in what is
 * observed, or fails; or one whose commits are not in an order of operations.
 * If there are none of either, every execution is explained. */
enum answer encode_ask_serial(struct encoding *x, bool disorder,
                              bool (*stop)(void *context), void *context);

/* Facts that help, to be tried one after the other first: ANSWER_NO if the
 * n-th was proved. */
size_t encode_lemmas(const struct encoding *x);
enum answer encode_try_lemma(struct encoding *x, size_t n,
                             bool (*stop)(void *context), void *context);

/* Switches the n-th fence of the options on or off from the next question on;
 * at first those are on that are present. */
void encode_set_fence(struct encoding *x, size_t n, bool on);

/* What the last question with ANSWER_YES found. */
struct encode_found {
    struct flat_run run;
    struct lsl_value *observation; /* per place */
    /* The error, if there is one; text NULL: none. */
    uint8_t failure; /* enum failure_kind */
    uint32_t site, thread;
    const char *text;
    uint32_t event; /* whose address is bad, or LSL_NONE */
    /* The accesses that race, if that was asked; else LSL_NONE. */
    uint32_t race[2];
};
void encode_found(struct encoding *x, struct arena *a,
                  struct encode_found *out);

/* The keys of all loops that were answers to ASK_BOUND; how many. */
size_t encode_beyond(const struct encoding *x, struct arena *a,
                     uint64_t **keys);

struct encode_stats {
    uint32_t loads, stores, instructions;
    uint64_t vars, clauses; /* of the formula, before any solving */
    uint64_t order_vars, cycle_clauses, solves;
    double encode_s, solve_s;
};
void encode_stats(const struct encoding *x, struct encode_stats *out);

#endif
