/* SPDX-License-Identifier: MIT
 *
 * What the files of formula.h share.
 */
#ifndef LITMUS_FORMULA_INSIDE_H
#define LITMUS_FORMULA_INSIDE_H

#include "litmus/graphs_inside.h"
#include "lsl/lsl.h"

#define CUT_TEXT "a loop was cut"

/* What an outcome consists of, in this order: cells, then registers thread by
 * thread. */
struct observed_place {
    bool memory;
    uint32_t cell; /* of u->cells */
    uint8_t thread;
    int64_t reg;
};

struct formula_program {
    struct lsl_program program;
    uint32_t entry; /* main's procedure */
    VEC(struct observed_place) places;
};

/* The test as a program; rows NULL: of C.  u->cells are known.  False: u->why
 * says what stands against it. */
bool formula_lower(struct unfold *u, struct own_rows *rows,
                   const struct model *m, struct formula_program *out);

/* A number of the test as the language has it; and back. */
struct lsl_value formula_value(const struct litmus *t, int64_t number);
int64_t formula_number(const struct litmus *t, struct lsl_value v);

/* ---- The test while it is written ---- */

#define ROUNDS 5 /* of a loop: one, and four more */
#define CONSTANTS_MAX 256
#define SUCCEEDS REGISTERS_MAX /* of the last load exclusive */

/* An instruction in a round. */
struct spot {
    bool reached;
    uint32_t block;
    VEC(uint32_t *) from; /* registers, as each way here brings them */
    VEC(uint32_t) from_blocks;
};

struct lowering {
    struct unfold *u;
    struct own_rows *rows;
    const struct model *model;
    struct arena *arena;
    struct formula_program *out;
    const struct thread *thread;
    size_t number;
    size_t rounds;
    struct spot *spots; /* (round, instruction); the last two: the end, a cut */
    uint32_t *registers;
    bool pointers; /* a cell of fewer than 8 bytes holds addresses: all are as
                      wide as these */
    /* the procedure so far */
    VEC(struct lsl_inst) insts;
    VEC(struct lsl_block) blocks;
    VEC(struct lsl_edge) edges;
    struct lsl_value *constants;
    uint32_t constant_count, reg_count;
};

/* It cannot be judged: why.  False. */
bool formula_refuse(struct lowering *l, const char *why);
/* ---- formula_values.c: registers of the language ---- */

/* One that always has that value. */
uint32_t formula_constant(struct lowering *l, struct lsl_value v);
uint32_t formula_integer(struct lowering *l, int64_t n);
/* An instruction, at the end of the block; lent until the next. */
struct lsl_inst *formula_add(struct lowering *l, enum lsl_op op);
/* Its result: a new register. */
uint32_t formula_result(struct lowering *l, struct lsl_inst *i, unsigned width);
uint32_t formula_pure(struct lowering *l, enum lsl_pure op, unsigned width,
                      unsigned in_width, uint32_t a, uint32_t b);
/* What a register of the test has now. */
uint32_t formula_get(struct lowering *l, int reg);
/* The last source of an instruction: a register, or a number. */
uint32_t formula_last(struct lowering *l, const struct inst *i, int reg);
void formula_set(struct lowering *l, int reg, uint32_t value);
/* How wide an access of that many bytes is. */
unsigned formula_bits(const struct lowering *l, uint8_t size);
/* What was loaded, as registers have it. */
uint32_t formula_widen(struct lowering *l, uint32_t v, uint8_t size);
uint32_t formula_compare(struct lowering *l, enum alu alu, uint32_t a,
                         uint32_t b);
/* What only computes; false: it is something else. */
bool formula_local(struct lowering *l, const struct inst *i);
/* Its order: of C its own, of assembly that of its row. */
uint8_t formula_order(struct lowering *l, const struct inst *i,
                      enum op_kind kind, uint32_t read, uint32_t write);
struct lsl_inst *formula_access(struct lowering *l, enum lsl_op op,
                                const struct inst *i, uint32_t address,
                                uint8_t order);
void formula_load(struct lowering *l, const struct inst *i, uint32_t marks);
void formula_store(struct lowering *l, const struct inst *i);
void formula_rmw(struct lowering *l, const struct inst *i);
/* An RMW of that kind (enum rmw_op). */
void formula_exchange(struct lowering *l, const struct inst *i, uint8_t kind,
                      uint32_t by, uint8_t order);
void formula_cas(struct lowering *l, const struct inst *i);
void formula_fence(struct lowering *l, const struct inst *i);

#endif
