/* SPDX-License-Identifier: MIT
 *
 * One search of a small program, and what it finds.
 */
#ifndef TEST_WATCH_H
#define TEST_WATCH_H

#include "brute.h"
#include "graph/graph_search.h"

struct watch_model {
    const char *name;
    const struct rules *rules;
    const struct model *model;
    bool deps; /* with dependent loads in order */
};

extern const struct watch_model watch_models[BRUTE_MODELS];
const struct model *watch_model_of(int m);

/* On how many of them the program can be explored: bundles not on POWER, blocks
 * only on those before C11.  Fences of every thread C11 and POWER do not have.
 */
int watch_model_count(const struct mini *p);

/* Is the program of that number explored on the model?  On processors all those
 * are that have dependencies, and of others a few; and the former nowhere else.
 * C11 has no bundles. */
bool watch_takes(const struct mini *p, int m, uint64_t number);

struct watched {
    const struct mini *p;
    const struct canon_set *right; /* or NULL */
    const struct canon_set *on_sc; /* or NULL: who is there is SC's */
    struct graph_search *search;
    struct canon_set found, races;
    struct canon_set unordered; /* SC only: those with a race of C11's */
    uint64_t twice, extra, misjudged;
    const struct behaviour *behaviour;
    bool reduces; /* drops and defers; only `watch_reduced` is fair then */
    bool looks;   /* by watch_reduced */
    bool lone;    /* what a thread does alone is no event */
    bool terms;   /* a model of order by its terms */
    const struct model *by; /* that one, by terms; NULL: the one asked for */
    bool late; /* with cycles of po and rf, where a load may be late */
    bool open; /* that was not all of them */
    uint64_t rounds;
};

struct graph_counts watch_run(const struct mini *p, struct behaviour *b,
                              enum brute_model m, enum graph_schedule how,
                              struct watched *x);

/* After a search on a processor (thread_orders_begin_late before that): the
 * executions with a cycle of po and rf.  How often it looked for loads that may
 * be late; negative: that were not all. */
int watch_run_late(struct graph_search *s);

/* What models by terms keep in order in that program's threads. */
struct thread_orders *watch_orders(const struct rules *rules,
                                   const struct model *m, struct behaviour *b,
                                   unsigned started);

/* The same, of the search that was last. */
struct thread_orders *watch_orders_now(void);

/* The graph as text, with thread t called names[t]. */
void watch_text(const struct mini *p, const struct graph *g,
                const unsigned *names, struct canon *to);

/* The graph without reads that wait for good.  False: some wait in vain, and
 * it is no execution. */
bool watch_settle(const struct behaviour *b, const struct graph *g,
                  struct graph *to);

/* Callbacks of a search whose context is a struct watched. */
uint64_t watch_initial(void *context, unsigned location);
int watch_reaches(void *context, behaviour_node node, struct graph_reach *to);
bool watch_is_ghost(void *context, unsigned location);
bool watch_reduced(void *context, const struct graph *g, enum graph_end end);

/* Programs with published numbers of executions, by number (graph_known.c).
 * False: there is none of that number. */
struct known {
    struct mini p;
    const char *name;
    unsigned n;
    uint64_t sc, c11;
};
bool known_program(size_t number, struct known *to);
/* That one of another size; `name` is one of theirs. */
void known_make(const char *name, unsigned n, struct mini *p);

/* As a C program has it: all its threads are made and joined by another one,
 * which comes first and may look at the end at what they left. */
void known_give_parent(struct mini *p, unsigned looks);

/* Checks the rows of a graph without late loads against its events
 * (watch_fits.c). */
void watch_fits(const struct graph *g);

double cpu_seconds(void);

/* ---- The tests, each 0 if nothing is wrong ---- */

int test_random(unsigned long count, uint64_t seed, unsigned accesses,
                mini_maker *make);
int test_equal(unsigned long count, uint64_t seed, unsigned accesses);
enum late_kind {
    LATE_USUAL,
    LATE_WAITS,
    LATE_PUSHED,
    LATE_COMPARED,
    LATE_DELETED
};
int test_late(unsigned long count, uint64_t seed, unsigned accesses,
              enum late_kind kind);
int test_reduced(unsigned long count, uint64_t seed);
int test_ways(unsigned long count, uint64_t seed);
int test_axioms(unsigned long count, uint64_t seed);
int test_samples(unsigned long count, uint64_t seed);
int test_shapes(const char *path);
int test_estimates(void);
int test_cover(void);
int test_counts(void);
int test_speed(const char *only);

#endif
