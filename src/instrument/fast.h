/* SPDX-License-Identifier: MIT
 *
 * The fast paths of event/program.h: functions of the module itself, one per
 * type, that LLVM inlines.
 *
 * They are inlined late.  While the program is optimised they are calls of
 * functions without a body; only then do the bodies come.  Else every access
 * would be three blocks for every pass of the optimiser: measured on a program
 * of 3,000 lines, that made it three times as slow and the result no faster.
 */
#ifndef INSTRUMENT_FAST_H
#define INSTRUMENT_FAST_H

#include "instrument/pass.h"

/* Types with a fast path. */
enum fast { FAST_I8, FAST_I16, FAST_I32, FAST_I64, FAST_PTR, FAST_NONE };

enum fast_verb {
    FAST_LOAD, /* type (ptr address, i32 site) */
    FAST_STORE /* void (ptr address, type value, i32 site) */
};

LLVMTypeRef fast_type(struct pass *p, enum fast fast);

/* The function to call. */
LLVMValueRef fast_function(struct pass *p, enum fast_verb verb, enum fast fast);

/* void (i32 site): the countdown at a function's entry. */
LLVMValueRef fast_entry(struct pass *p);

/* i32 (i32 loop): a loop that could wait is entered; the clock. */
LLVMValueRef fast_enter(struct pass *p);

/* void (i32 loop): it is left. */
LLVMValueRef fast_left(struct pass *p);

/* void (ptr address, i64 bytes), before carried memory is accessed. */
LLVMValueRef fast_watch(struct pass *p, enum fast_verb verb);

/* --countdown >= 0, at the builder's place: nothing to do yet. */
LLVMValueRef fast_count_down(struct pass *p, LLVMBuilderRef b);

/* Gives all of them their bodies. */
void fast_write_bodies(LLVMModuleRef module);

#endif
