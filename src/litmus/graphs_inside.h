/* SPDX-License-Identifier: MIT
 *
 * What the files of graphs.h share.
 */
#ifndef LITMUS_GRAPHS_INSIDE_H
#define LITMUS_GRAPHS_INSIDE_H

#include "graph/behaviour.h"
#include "litmus/trace.h"
#include "model/model.h"

/* ---- Assembly as C: graphs_rows.c ----
 *
 * The engine knows operations of C, and a mapping says what marks each has.
 * Here it is the other way round: each row gets the marks of an instruction of
 * the test, as these are met. */

struct own_rows {
    struct model model;
    struct model_axioms axioms;
    struct model_mapping mapping;
    bool used[MAPPED_COUNT];
};

/* The model with that one of its mappings, or with one whose rows are still to
 * be filled.  A model with recipes stays what it is. */
const struct model *rows_begin(struct own_rows *r, const struct model *m,
                               const struct model_mapping *mapping);

/* Which order an operation of that kind has to have so that its events get
 * these marks; of a fence its order, or its own kind in *fence.  False: there
 * are too many of them. */
bool rows_find(struct own_rows *r, enum op_kind kind, uint32_t read,
               uint32_t write, uint8_t *order);
bool rows_find_fence(struct own_rows *r, uint32_t marks, uint8_t *order,
                     uint8_t *fence);

/* ---- Threads: graphs_thread.c ---- */

/* A value, and the operations that it depends on by their places. */
struct known_value {
    int64_t number;
    uint64_t deps, picks;
};

/* Where an instruction that is several operations is. */
enum stage {
    STAGE_WHOLE,
    STAGE_FAILS,   /* chosen: the pair of exclusives, or the weak CAS, fails */
    STAGE_SUCCEEDS /* or it does not */
};

/* Where a thread is at a node of the trie. */
struct place {
    uint32_t pc, steps, rounds;
    uint8_t operations; /* before it */
    uint8_t stage;      /* of the instruction at pc */
    bool succeeds;      /* the store of the last load exclusive is done */
    uint64_t ctrl, pick_ctrl;
    uint64_t *stored; /* per cell: picks of its last store there */
    struct known_value registers[];
};

struct interpreter {
    struct unfold *unfold;
    const struct model *model;
    struct own_rows *rows; /* NULL: C */
    struct behaviour *behaviour;
    struct place **places; /* by node */
};

/* A behaviour_runs; the context is a struct interpreter. */
void interpreter_run(void *context, struct behaviour *b, behaviour_node node,
                     uint64_t value, struct op *op);

/* As the engine has a value of a cell of that size; and back. */
uint64_t interpreter_number(int64_t value, uint8_t size);

#endif
