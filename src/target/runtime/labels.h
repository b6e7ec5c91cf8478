/* SPDX-License-Identifier: MIT
 *
 * Labels (event/program.h): on which operations of its thread a value depends,
 * as pairs of sets, deps and picks, that have numbers.  Equal pairs have one
 * number, and 0 is that of none.  docs/decisions/19-dependencies.md has the
 * rules by which they are made.
 *
 * Only searches over graphs have labels (native.h), and only those of a program
 * that tells (PROGRAM_DEPENDS) on a model that asks: all else has 0.
 */
#ifndef RUNTIME_LABELS_H
#define RUNTIME_LABELS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/program.h"
#include "graph/depends.h"

/* Of the operands of an access. */
struct labels_given {
    uint32_t address, data, compared;
};

/* What a thread has besides its values. */
struct labels_thread {
    uint32_t place;            /* operations that it announced */
    uint32_t branch;           /* what its branches were decided by */
    uint32_t last;             /* place of its last operation */
    bool fed;                  /* that was none (native_bound.c) */
    bool in_call;              /* of a modelled function */
    uint32_t call;             /* label of its arguments */
    uint32_t read;             /* of what it loaded so far */
    struct labels_given given; /* to the operation under way */
    uint32_t result;           /* of it */
};

extern uint32_t __fencer_labels[LABEL_SLOTS];
extern void *__fencer_callee;

/* A search begins; the program begins anew; do labels matter now? */
void labels_begin_search(void);
void labels_begin_program(void);
bool labels_are_on(void);

/* The hook under way was given these; from now on nobody is. */
void labels_take(void);

/* The record of the operation that is announced now, by enum op_kind. */
uint32_t labels_announced(unsigned kind);
/* An operation turned out to be none. */
void labels_fed(void);

/* An access of the thread's own memory, and one that others see, is over; and
 * the hook, whose result is known then. */
void labels_did_own_load(uint64_t address, uint64_t size);
void labels_did_own_store(uint64_t address, uint64_t size);
void labels_did_load(uint64_t address, uint64_t size);
void labels_did_store(uint64_t address, uint64_t size);
void labels_end(void);

/* An atomic block keeps labels itself: of its last part, of what is stored;
 * what is read, and what it leaves behind. */
uint32_t labels_of_last(void);
uint32_t labels_of_stored(void);
uint32_t labels_union(uint32_t a, uint32_t b);
void labels_did_read(uint32_t label);
void labels_will_put(uint32_t label);

/* A model of the library touches that memory without an access. */
void labels_touched(bool writes, uint64_t address, uint64_t size);

/* Memory that the runtime moves for the program, piece by piece: what the next
 * piece is given. */
void labels_give(uint32_t address, uint32_t data);
uint32_t labels_recall(uint64_t address, uint64_t size);
void labels_keep(uint64_t address, uint64_t size, uint32_t label);

#endif
