/* SPDX-License-Identifier: MIT
 *
 * Inside src/check/serial: memory as cells, its canonical form, the machine
 * that runs one operation, and the graph of all states between operations.
 *
 *     state --[thread 2: "d" observes 1]--> state --> ... --> all are done
 *
 * A state is how far each thread is, and what memory holds, in canonical form:
 * a row of words.  What an operation does depends on the state alone, so the
 * graph is built once and observations are read off its paths.
 */
#ifndef SERIAL_SERIAL_INSIDE_H
#define SERIAL_SERIAL_INSIDE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/index.h"
#include "base/vec.h"
#include "lsl/lsl.h"
#include "lsl/lsl_test.h"

/* How the run of an operation goes. */
enum outcome {
    RUN_ON,      /* nothing special so far; at its end: done */
    RUN_BLOCKED, /* a lock, a loop that waits: no execution */
    RUN_ASSUMED, /* an assumption does not hold: likewise */
    RUN_FAILED,  /* the program's mistake */
    RUN_REFUSED  /* not for us */
};

/* Words that grow: a state's canonical form. */
struct row {
    VEC(uint64_t);
};

uint64_t row_hash(const uint64_t *list, size_t count);

/* ---- serial_memory.c ---- */

struct cell {
    uint64_t offset;
    uint32_t size;
    struct lsl_value value;
};

enum object_kind { OBJECT_VARIABLE, OBJECT_STACK, OBJECT_HEAP };

struct object {
    uint8_t kind; /* enum object_kind */
    bool zeroed;  /* HEAP: by calloc */
    bool dead;    /* freed, or its procedure has returned */
    uint64_t size;
    const struct lsl_object *variable; /* VARIABLE: its declaration */
    uint32_t number;                   /* in the canonical form being made */
    VEC(struct cell); /* by offset; where none is, the initial value */
};

/* Objects [1, variable_count) are variables: the program's, then a copy of
 * each thread-local one for each thread.  After them is what was allocated. */
struct memory {
    const struct lsl_program *program;
    VEC(struct object) objects; /* those from `count` on lend their cells */
    uint32_t variable_count, count;
    uint32_t *local;     /* per program object: first copy, or 0 */
    VEC(uint32_t) order; /* scratch of memory_to_row: allocated objects */
    /* What went wrong with the last access. */
    uint8_t failure; /* enum failure_kind */
    const char *text;
};

void memory_init(struct memory *m, const struct lsl_program *p,
                 uint32_t thread_count);
void memory_fini(struct memory *m);

/* The pointer as that thread means it: its copy of a thread-local variable. */
struct lsl_value memory_localise(const struct memory *m, struct lsl_value v,
                                 uint32_t thread);

uint32_t memory_new_object(struct memory *m, enum object_kind kind,
                           uint64_t size, bool zeroed);
/* Stack objects from number `first` on are dead from now on. */
void memory_leave(struct memory *m, uint32_t first);

enum outcome memory_load(struct memory *m, struct lsl_value address,
                         unsigned size, struct lsl_value *out);
enum outcome memory_store(struct memory *m, struct lsl_value address,
                          unsigned size, struct lsl_value value);
enum outcome memory_free(struct memory *m, struct lsl_value address);

/* All that can be reached from variables, with allocated objects numbered as
 * they are met: equal exactly if no program could tell the difference. */
void memory_to_row(struct memory *m, struct row *out);
void memory_from_row(struct memory *m, const uint64_t *list, size_t count);
/* Everything as it is, whether it can be reached or not. */
void memory_picture(const struct memory *m, struct row *out);

/* ---- serial_run.c, serial_execute.c ---- */

struct frame {
    const struct lsl_proc *proc;
    uint32_t block, came_from; /* blocks */
    uint32_t at;               /* instruction of the block */
    uint32_t base;             /* its first register */
    uint32_t first_object;     /* objects from here on are younger */
    uint32_t site;             /* of the call */
};

struct choice {
    uint64_t value, limit;
};

struct seen {
    const char *label;
    int64_t value;
};

struct machine {
    struct memory memory;
    uint32_t thread;
    VEC(struct frame) frames;
    VEC(struct lsl_value) regs;
    VEC(struct lsl_value) phis; /* scratch */
    /* Chosen so far; a run takes those that are there, then adds its own. */
    VEC(struct choice) choices;
    uint32_t choice_next;
    VEC(struct seen) seen; /* observed */
    /* To notice that a loop goes on for ever: a picture of an earlier moment,
     * taken anew whenever the number of rounds has doubled (Brent). */
    struct row picture, now;
    uint64_t rounds, next_picture, steps;
    /* RUN_FAILED; RUN_REFUSED has it in e. */
    uint8_t failure;
    uint32_t site;
    const char *text;
    struct err *e;
};

void machine_init(struct machine *m, const struct lsl_program *p,
                  uint32_t thread_count, struct err *e);
void machine_fini(struct machine *m);

/* Runs a procedure without arguments in memory as it is; RUN_ON: it is done. */
enum outcome machine_run(struct machine *m, uint32_t proc, uint32_t thread);

/* The next row of choices after a run; false: that was the last. */
bool machine_choose_next(struct machine *m);

/* One instruction, but a call; and a call. */
enum outcome machine_execute(struct machine *m, const struct lsl_inst *i);
enum outcome machine_call(struct machine *m, const struct lsl_inst *i);

/* Of the innermost frame. */
struct lsl_value *machine_reg(struct machine *m, uint32_t r);
void machine_set(struct machine *m, const struct lsl_inst *i,
                 struct lsl_value v);

/* Say what it is, and return it.  text NULL: the words of the kind. */
enum outcome machine_fail(struct machine *m, uint32_t site,
                          enum failure_kind kind, const char *text);
enum outcome machine_refuse(struct machine *m, uint32_t site, const char *text);
enum outcome machine_undefined(struct machine *m, uint32_t site,
                               const char *text);

/* ---- states.c ---- */

struct edge {
    uint32_t thread, to;
    const int64_t *values; /* observed on the way */
    uint32_t count;
};

struct failed {
    uint8_t kind;
    uint32_t site, thread;
    const char *text;
    const int64_t *values;
    uint32_t count;
};

struct node {
    const uint64_t *words; /* per thread: done << 32 | observed; memory */
    uint32_t word_count;
    uint32_t edge_count;
    struct edge *edges;
    uint32_t blocked; /* threads whose operation may wait for ever here */
    const struct failed *failed; /* an operation that fails here, or NULL */
    bool expanded, final;
};

/* Of what a thread observes, in order. */
struct labels {
    VEC(const char *);
};

struct states {
    const struct lsl_program *program;
    struct arena *arena;
    struct machine machine;
    struct err *e;
    uint32_t thread_count;  /* thread 0 is the initialisation */
    uint32_t *call_counts;  /* per thread */
    uint32_t **procs;       /* of its calls */
    struct labels *labels;  /* per thread */
    VEC(struct node) nodes; /* [0] is the beginning */
    struct index index;     /* of them */
    struct row key;
    VEC(struct edge) edges; /* scratch */
};

/* Everything that stays lives in the arena. */
void states_init(struct states *s, const struct lsl_program *p,
                 const struct test *t, struct arena *a, struct err *e);
void states_fini(struct states *s);

/* Runs all that can happen next.  False: refused, e says why. */
bool states_expand(struct states *s, uint32_t node);

static inline uint32_t node_done(const struct node *n, uint32_t thread)
{
    return (uint32_t)(n->words[thread] >> 32);
}

static inline uint32_t node_observed(const struct node *n, uint32_t thread)
{
    return (uint32_t)n->words[thread];
}

#endif
