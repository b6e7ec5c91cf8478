/* SPDX-License-Identifier: MIT
 *
 * What the files of labels.h share.
 */
#ifndef INSTRUMENT_LABELS_INSIDE_H
#define INSTRUMENT_LABELS_INSIDE_H

#include "base/map.h"
#include "base/vec.h"
#include "instrument/labels.h"

/* A conditional branch that chooses values and does nothing else: it is no
 * branch to a machine, for compilers select.  labels_branch.c */
struct choice {
    LLVMValueRef condition;
    LLVMBasicBlockRef block, join;
    LLVMBasicBlockRef arms[2]; /* NULL: goes to the join at once */
    bool of_cas;               /* chooses what a CAS found */
    size_t next;               /* of the same join, + 1 */
};

/* A call of code that knows labels: what it passes. */
struct passing {
    LLVMValueRef call;
    LLVMValueRef *arguments; /* labels */
    unsigned count;
};

struct returning {
    LLVMValueRef inst, label;
};

struct labels {
    struct pass *p;
    LLVMValueRef slots;  /* __fencer_labels */
    LLVMValueRef callee; /* __fencer_callee */
    struct map items;    /* instruction to its item, + 1 */
    const struct item *item_list;
    VEC(LLVMValueRef) functions;
    VEC(LLVMValueRef) all;  /* their instructions, before the ticks */
    struct map of;          /* value to its label */
    struct map plain;       /* value: is it surely without?  enum */
    VEC(LLVMValueRef) phis; /* whose labels still lack what comes in */
    VEC(struct choice) choices;
    struct map choices_at; /* join to its first choice, + 1 */
    struct map chosen;     /* branch to its choice, + 1 */
    VEC(struct passing) passings;
    VEC(struct returning) returnings;
};

enum verb {
    VERB_UNION,  /* i32 (i32, i32) */
    VERB_PICK,   /* i32 (i32, i32) */
    VERB_GIVE,   /* void (i32 address, i32 data) */
    VERB_EXPECT, /* void (i32): LABEL_COMPARED */
    VERB_RESULT, /* i32 () */
    VERB_RECALL, /* i32 (ptr, i64) */
    VERB_KEEP,   /* void (ptr, i64, i32) */
    VERB_COPY,   /* void (ptr, ptr, i64) */
    VERB_BRANCH, /* void (i32) */
    VERB_CALLED, /* i1 (ptr): was that function called with labels? */
    VERB_COUNT
};

/* ---- labels_code.c: at the builder's place ---- */

LLVMValueRef labels_slots(struct pass *p);
LLVMValueRef labels_callee(struct pass *p);
LLVMValueRef labels_none(struct labels *s);
bool labels_is_none(LLVMValueRef label);
LLVMValueRef labels_slot(struct labels *s, unsigned slot);
LLVMValueRef labels_do(struct labels *s, enum verb verb, LLVMValueRef *args,
                       unsigned count);
LLVMValueRef labels_union(struct labels *s, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef labels_pick(struct labels *s, LLVMValueRef a, LLVMValueRef by);
void labels_give(struct labels *s, LLVMValueRef address, LLVMValueRef data);
void labels_branch(struct labels *s, LLVMValueRef label);
LLVMValueRef labels_recall(struct labels *s, LLVMValueRef from, uint64_t bytes);
void labels_keep(struct labels *s, LLVMValueRef at, LLVMValueRef bytes,
                 LLVMValueRef label);
LLVMValueRef labels_bytes(struct labels *s, LLVMValueRef count);

/* ---- labels.c ---- */

/* The label of a value; made where the value is, if that is asked for first. */
LLVMValueRef labels_of(struct labels *s, LLVMValueRef v);
/* Of all operands but the last `but`; made before inst. */
LLVMValueRef labels_of_operands(struct labels *s, LLVMValueRef inst,
                                unsigned but);
const struct item *labels_item(struct labels *s, LLVMValueRef inst);

/* ---- labels_branch.c ---- */

void labels_note_choice(struct labels *s, LLVMValueRef branch);
/* The loads that decide that branch, right before it: SITE_DECIDES. */
void labels_note_deciders(struct labels *s, LLVMValueRef branch);
/* Of what comes into the phi from that block. */
LLVMValueRef labels_of_incoming(struct labels *s, LLVMValueRef phi,
                                unsigned number);
/* What decides which value a phi of that block gets. */
const struct choice *labels_choice_at(struct labels *s, LLVMBasicBlockRef join,
                                      const struct choice *before);

/* ---- labels_calls.c ---- */

/* Is its result surely without a label? */
bool labels_call_is_plain(struct labels *s, LLVMValueRef call);
LLVMValueRef labels_of_call(struct labels *s, LLVMValueRef call);
void labels_treat_call(struct labels *s, LLVMValueRef call);
void labels_enter(struct labels *s, LLVMValueRef function);
void labels_hand_over(struct labels *s);

#endif
