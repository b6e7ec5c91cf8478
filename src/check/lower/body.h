/* SPDX-License-Identifier: MIT
 *
 * The folder's inner door: the program being written, and the procedure of it
 * being written just now.
 *
 * A refusal is noted, and lowering goes on to the end of the instruction with
 * undefined values, so that no function here has to ask whether the one before
 * it went well; the first refusal is what the user gets.
 */
#ifndef LOWER_BODY_H
#define LOWER_BODY_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "instrument/flow.h"
#include "instrument/pass.h"
#include "lsl/lsl.h"

/* One call of a procedure by another: for finding recursion. */
struct call_edge {
    uint32_t from, to;
    LLVMValueRef call;
};

struct lower {
    struct pass p;
    struct arena *arena; /* of the result */
    struct lsl_program *out;
    /* What becomes the program's. */
    VEC(struct lsl_proc) procs;
    VEC(struct lsl_object) objects;
    VEC(struct lsl_operation) operations;
    VEC(struct lsl_test) tests;
    struct map proc_numbers;     /* function to its number + 1 */
    struct map object_numbers;   /* variable or function to its number */
    VEC(LLVMValueRef) functions; /* of each procedure */
    VEC(struct call_edge) calls;
    LLVMValueRef at; /* the instruction being lowered */
    bool refused;
    struct err *e;
};

/* A scalar in a type: where it lies, and how wide it is. */
struct leaf {
    uint64_t offset;
    unsigned width; /* bits */
    unsigned size;  /* bytes */
    LLVMTypeRef type;
};

struct leaves {
    VEC(struct leaf);
};

struct body {
    struct lower *l;
    LLVMValueRef function;
    uint32_t proc;
    struct flow flow;
    uint32_t *order; /* blocks of the flow, in the order they are written */
    uint32_t *first; /* per block of the flow: its first block of ours */
    uint32_t *inner; /* per block of the flow: its innermost loop */
    VEC(struct lsl_loop) loops; /* headers are blocks of the flow, at first */

    VEC(struct lsl_inst) insts;
    struct lsl_block *blocks;
    uint32_t block_count;
    VEC(struct lsl_value) constants;
    VEC(uint32_t) args;
    VEC(struct lsl_edge) edges;
    uint32_t param_count, reg_count;

    struct map values; /* LLVM value to its place in `regs`, + 1 */
    VEC(uint32_t) regs;
    uint32_t result_slot;  /* where a struct is returned, or LSL_NONE */
    LLVMMetadataRef place; /* of `place_site`: pure operations share sites */
    uint32_t place_site;
};

/* Functions that only this folder calls, in the module: what an unset local
 * holds, and what makes its argument shared. */
#define MARK_UNDEFINED "fencer.undefined"
#define MARK_SHARED "fencer.shared"

/* ---- body.c ---- */

/* "file.c:12: " and the words, unless something was refused before. */
void lower_refuse(struct lower *l, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

uint32_t body_register(struct body *b);
/* A new last instruction; lent until the next one. */
struct lsl_inst *body_add(struct body *b, enum lsl_op op);
uint32_t body_constant(struct body *b, struct lsl_value value);
uint32_t body_number(struct body *b, uint64_t number);
uint32_t body_undefined(struct body *b);
uint32_t body_pure(struct body *b, enum lsl_pure op, unsigned width,
                   unsigned in_width, uint32_t x, uint32_t y);
/* x + offset, as addresses. */
uint32_t body_offset(struct body *b, uint32_t x, uint64_t offset);
/* The place of the current instruction, for what is no access. */
uint32_t body_place(struct body *b);
/* The address of new memory on the stack. */
uint32_t body_stack(struct body *b, uint64_t bytes);
void body_fail(struct body *b, enum failure_kind kind, const char *text,
               uint32_t site);

/* What the value of an LLVM instruction is: one register for each leaf. */
void body_define(struct body *b, LLVMValueRef v, const uint32_t *regs,
                 uint32_t count);
void body_define_one(struct body *b, LLVMValueRef v, uint32_t reg);
/* Its registers, lent until the next call; count as type_leaves counts. */
const uint32_t *body_operands(struct body *b, LLVMValueRef v, uint32_t *count);
uint32_t body_operand(struct body *b, LLVMValueRef v);

/* Puts the finished procedure into the program. */
void body_finish(struct body *b);

/* ---- types.c ---- */

/* Bits of a scalar, 1 to 64; 0 and a refusal for what is none. */
unsigned type_width(struct lower *l, LLVMTypeRef type);
/* The scalars of a type; none of void. */
struct leaves type_leaves(struct lower *l, LLVMTypeRef type);
uint32_t type_leaf_count(LLVMTypeRef type);
/* An address computed from another, by an instruction or a constant. */
bool type_is_gep(LLVMValueRef v);
/* The type of what the pointer points to, where the pointer comes from a place
 * that says it; else NULL. */
LLVMTypeRef type_of_storage(struct lower *l, LLVMValueRef pointer);
/* How `size` bytes at that pointer are accessed one by one: by what is
 * known of the type there, else in words of at most 8 bytes. */
struct leaves type_parts_at(struct lower *l, LLVMValueRef pointer,
                            LLVMValueRef other, uint64_t size);

/* ---- wide.c: integers of 128 bits, which have two leaves ---- */

bool type_is_wide(LLVMTypeRef type);
/* Of a constant that is no address: its halves, the lower first. */
void wide_constant(LLVMValueRef v, struct lsl_value out[2]);
void wide_binary(struct body *b, LLVMValueRef inst, enum lsl_pure op);
void wide_compare(struct body *b, LLVMValueRef inst);
/* From or to 128 bits. */
void wide_cast(struct body *b, LLVMValueRef inst, enum lsl_pure op);
/* An atomic access of 16 bytes.  False: it is none. */
bool wide_access(struct body *b, LLVMValueRef inst);

/* ---- copies.c ---- */

/* To be called for every instruction before SROA; the second when the first
 * was called for all, since stores show which struct a parameter is. */
void copies_expand(struct lower *l, LLVMValueRef inst);
void copies_expand_stores(struct lower *l, LLVMValueRef inst);

/* ---- objects.c ---- */

/* The value of a constant; refused if it has none here. */
struct lsl_value object_constant(struct lower *l, LLVMValueRef v);
uint32_t object_of(struct lower *l, LLVMValueRef global);
/* Text of a constant string, or NULL. */
const char *object_text(struct lower *l, LLVMValueRef v);
bool object_is_ghost(LLVMValueRef address);
uint32_t proc_of(struct lower *l, LLVMValueRef function);
/* May a pointer that the program has lead there? */
bool proc_is_address_taken(struct lower *l, LLVMValueRef function);

/* The names that fencer.h gives to what a file starts with. */
#define STARTS_INIT "fencer_init_"
#define STARTS_OPERATION "fencer_op_"
#define STARTS_TEST "fencer_test_"

/* ---- blocks.c ---- */

/* Order, loops and numbers of the blocks.  Refuses irreducible flow. */
void blocks_order(struct body *b);
/* How the block of the flow ends; b->at is its terminator. */
void blocks_end(struct body *b, uint32_t block);
void blocks_phis(struct body *b);

/* ---- insts.c, accesses.c, lower_calls.c, library.c, lower_hooks.c ---- */

void inst_lower(struct body *b, LLVMValueRef inst);
/* Does SROA fill what is between members, or was not set, by that operand? */
bool inst_is_gap(LLVMValueRef inst, unsigned n);
/* A struct is returned through memory that the caller gives. */
bool inst_returns_struct(LLVMTypeRef result);

void access_lower(struct body *b, LLVMValueRef inst);
/* One access, by its size in bytes.  `width`: of the value loaded. */
uint32_t body_load(struct body *b, uint32_t address, unsigned size,
                   unsigned width, unsigned flags, uint32_t site);
void body_store(struct body *b, uint32_t address, uint32_t value, unsigned size,
                unsigned flags, uint32_t site);
unsigned body_flags(struct body *b, LLVMValueRef address);
/* memcpy, memmove, memset and their intrinsics. */
void move_lower(struct body *b, LLVMValueRef call);
/* Leaf by leaf from one address to another. */
void body_copy(struct body *b, const struct leaves *parts, uint32_t to,
               unsigned to_flags, uint32_t from, unsigned from_flags,
               uint32_t site);

void call_lower(struct body *b, LLVMValueRef call);
/* Calls of functions that we know by name.  False: not one of them. */
bool library_lower(struct body *b, LLVMValueRef call, const char *name);
/* Calls of which nothing is left, so that their arguments do not matter. */
bool library_ignores(const char *name);
/* Calls that wait for or change the lock or semaphore they are given. */
bool library_is_lock(const char *name);
bool hook_lower(struct body *b, LLVMValueRef call, const char *name);

#endif
