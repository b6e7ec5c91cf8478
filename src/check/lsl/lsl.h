/* SPDX-License-Identifier: MIT
 *
 * The load-store language: what is left of C when only values, accesses,
 * fences and branches matter (CheckFence, section 3.1).  src/check/lower writes
 * it from LLVM's code; src/check/flat unrolls it, src/check/serial runs it.
 *
 * A program is procedures over registers.  A procedure is blocks in an order
 * in which every edge goes forward but those back to a loop's header, and
 * loops nest.  Calls stay calls here: who walks the program inlines them.
 *
 * Values are typed at run time: undefined, an integer, or a pointer, which is
 * an object and a byte offset in it.  A pointer as an integer stays a pointer,
 * and its low bits may carry marks, since objects lie at multiples of 16.
 * NULL is the integer 0.  What is put together from bytes of which some were
 * never written is undefined, but remembers the others: they may be taken out
 * again.
 */
#ifndef LSL_LSL_H
#define LSL_LSL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "event/event.h"
#include "event/program.h"

enum lsl_kind { LSL_UNDEFINED, LSL_INTEGER, LSL_POINTER };

struct lsl_value {
    uint32_t kind; /* enum lsl_kind */
    uint32_t base; /* pointer: its object, never 0; undefined: a bit for each
                      byte that is known; else 0 */
    uint64_t bits; /* integer, cut to its width; pointer: offset; undefined: the
                      bytes that are known; else 0 */
};

#define LSL_INT(n)                                                             \
    (struct lsl_value)                                                         \
    {                                                                          \
        LSL_INTEGER, 0, (n)                                                    \
    }

bool lsl_equal(struct lsl_value a, struct lsl_value b);  /* as data */
void lsl_put_value(struct lsl_value v, struct buf *out); /* "3", "#2+8", "?" */

/* Operations without effect.
 * OP(NAME, operands, word in dumps)
 * Comparisons give width 1.  TRUNC, ZEXT, SEXT go from in_width to width.
 * PART: the bytes of a from byte b on, so many as width says.  JOIN: the
 * in_width bits of a, and above them those of b. */
#define LSL_PURE(OP)                                                           \
    OP(ADD, 2, "add")                                                          \
    OP(SUB, 2, "sub")                                                          \
    OP(MUL, 2, "mul")                                                          \
    OP(UDIV, 2, "udiv")                                                        \
    OP(SDIV, 2, "sdiv")                                                        \
    OP(UREM, 2, "urem")                                                        \
    OP(SREM, 2, "srem")                                                        \
    OP(AND, 2, "and")                                                          \
    OP(OR, 2, "or")                                                            \
    OP(XOR, 2, "xor")                                                          \
    OP(SHL, 2, "shl")                                                          \
    OP(LSHR, 2, "lshr")                                                        \
    OP(ASHR, 2, "ashr")                                                        \
    OP(EQ, 2, "eq")                                                            \
    OP(NE, 2, "ne")                                                            \
    OP(ULT, 2, "ult")                                                          \
    OP(ULE, 2, "ule")                                                          \
    OP(SLT, 2, "slt")                                                          \
    OP(SLE, 2, "sle")                                                          \
    OP(TRUNC, 1, "trunc")                                                      \
    OP(ZEXT, 1, "zext")                                                        \
    OP(SEXT, 1, "sext")                                                        \
    OP(PART, 2, "part")                                                        \
    OP(JOIN, 2, "join")

enum lsl_pure {
#define OP(name, operands, word) PURE_##name,
    LSL_PURE(OP)
#undef OP
        PURE_COUNT
};

unsigned lsl_pure_operands(enum lsl_pure op);
const char *lsl_pure_word(enum lsl_pure op);

/* What an operation on concrete values comes to. */
enum lsl_fault {
    LSL_FINE,
    LSL_BY_ZERO,   /* a division by zero, or one that overflows */
    LSL_ON_POINTER /* arithmetic on a pointer that has no meaning here */
};

/* The one place that knows arithmetic.  An undefined operand gives an
 * undefined result, but for the bytes of AND and OR that the other decides.
 * `in_width` is the operands' width; comparisons, TRUNC and extensions need it,
 * and JOIN; for all others it is `width`.  Shifts by the width or more are
 * undefined.  Pointers: plus and minus integers; the difference of two in one
 * object; AND with a mask of low bits (< 16: an integer) or of all but low
 * bits; OR and XOR of low bits; times 1, shifts by 0; comparisons (different
 * objects: by their numbers; a pointer is above every integer and equal to
 * none). */
enum lsl_fault lsl_eval(enum lsl_pure op, unsigned width, unsigned in_width,
                        struct lsl_value a, struct lsl_value b,
                        struct lsl_value *out);

/* ---- The static program ---- */

/* INST(NAME, word in dumps).  Operands are registers: a, b, c. */
#define LSL_INSTS(INST)                                                        \
    INST(PURE, "pure")       /* dst = pure(a, b) */                            \
    INST(SELECT, "select")   /* dst = a ? b : c */                             \
    INST(PHI, "phi")         /* dst = the operand of the edge taken */         \
    INST(LOAD, "load")       /* dst = *a */                                    \
    INST(STORE, "store")     /* *a = b */                                      \
    INST(RMW, "rmw")         /* dst = *a; *a = rmw(dst, b) */                  \
    INST(CAS, "cas")         /* dst = *a; if dst == b then *a = c */           \
    INST(FENCE, "fence")     /* C11 by `order`, or `fences` if not 0 */        \
    INST(LOCK, "lock")       /* wait until *a is 0; *a = 1 */                  \
    INST(TRYLOCK, "trylock") /* dst = *a ? EBUSY : 0; if 0 then *a = 1 */      \
    INST(UNLOCK, "unlock")   /* *a = 0 */                                      \
    INST(WAIT, "wait")       /* wait until *a is not 0; *a -= 1 */             \
    INST(TRYWAIT, "trywait") /* dst = *a ? 0 : -1; if *a then *a -= 1 */       \
    INST(POST, "post")       /* *a += 1 */                                     \
    INST(ATOMIC_BEGIN, "atomic")                                               \
    INST(ATOMIC_END, "end-atomic")                                             \
    INST(STACK, "stack")   /* dst = a new object of `size` bytes */            \
    INST(ALLOC, "alloc")   /* dst = a new heap object of a bytes; `zeroed` */  \
    INST(FREE, "free")     /* free(a); NULL is fine */                         \
    INST(CHOOSE, "choose") /* dst = a number below a */                        \
    INST(ASSUME, "assume") /* only executions in which a holds count */        \
    INST(ASSERT, "assert") /* a holds, else failure with `text` */             \
    INST(FAIL, "fail")     /* failure of kind `failure` with `text` */         \
    INST(OBSERVE, "observe") /* label `text`, value a */                       \
    INST(CALL, "call")       /* dst = proc(args); indirect: proc NONE, a */    \
    INST(CREATE, "create")   /* dst = thread number; runs a(b) */              \
    INST(JOIN, "join")       /* waits for thread a */

enum lsl_op {
#define INST(name, word) LSL_##name,
    LSL_INSTS(INST)
#undef INST
        LSL_OP_COUNT
};

#define LSL_NONE UINT32_MAX

enum lsl_flag {
    LSL_PRIVATE = 1, /* only its thread can know the memory: no event */
    LSL_GHOST = 2,   /* on a fencer_ghost variable */
    LSL_ZEROED = 4,  /* ALLOC: calloc */
    LSL_WEAK = 8,    /* CAS: may fail for no reason; we never let it */
    LSL_WIDE = 16,   /* LOAD, STORE, RMW (exchange), CAS: the lower half of an
                        access of 16 bytes.  The next instruction is the other
                        half, and both take effect here. */
    LSL_UPPER = 32   /* that other half */
};

struct lsl_inst {
    uint8_t op;            /* enum lsl_op */
    uint8_t pure;          /* enum lsl_pure; RMW: enum rmw_op */
    uint8_t width;         /* of dst in bits: 1 to 64; 0: no dst */
    uint8_t in_width;      /* PURE: of the operands */
    uint8_t size;          /* accesses: bytes, 1 2 4 8 */
    uint8_t order;         /* enum event_order; CAS: on success */
    uint8_t fail_order;    /* CAS */
    uint8_t flags;         /* enum lsl_flag */
    uint8_t fences;        /* FENCE: enum model_fence bits */
    uint8_t failure;       /* FAIL: enum failure_kind */
    uint32_t dst, a, b, c; /* registers, or LSL_NONE */
    uint32_t proc;         /* CALL */
    uint32_t first, count; /* CALL: arguments, PHI: edges; in the lists below */
    uint32_t site;
    uint64_t bytes; /* STACK */
    const char *text;
};

struct lsl_edge {
    uint32_t block; /* the block it comes from */
    uint32_t reg;
};

/* A block ends by going to `then` if `cond` is not 0, else to `otherwise`;
 * unconditionally to `then` if cond is LSL_NONE; by returning `result` if
 * then is LSL_NONE.  Switches are chains of such blocks. */
struct lsl_block {
    uint32_t first, count; /* instructions */
    uint32_t cond, then, otherwise, result;
    uint32_t loop; /* innermost one, or LSL_NONE */
    uint32_t site; /* of the branch */
    bool kept;     /* it is one to the machine, also if its arms only compute */
};

struct lsl_loop {
    uint32_t header; /* block */
    uint32_t parent; /* loop, or LSL_NONE */
    uint32_t last;   /* its blocks are header to last, without gaps */
    uint32_t site;
};

/* Registers below param_count are the arguments; register r of `constants`
 * from there on has that value always. */
struct lsl_proc {
    const char *name;
    uint32_t param_count, reg_count;
    uint32_t constant_count;
    struct lsl_value *constants; /* of registers param_count + i; a pointer's
                                    base is an object of the program */
    struct lsl_inst *insts;
    struct lsl_block *blocks; /* [0] is the entry */
    uint32_t block_count;
    struct lsl_loop *loops; /* outer before inner */
    uint32_t loop_count;
    uint32_t *args; /* of calls */
    struct lsl_edge *edges;
    bool defined;       /* false: only its address is used */
    bool address_taken; /* for indirect calls */
};

struct lsl_cell {
    uint64_t offset;
    uint32_t size;
    struct lsl_value value;
};

/* A variable with static storage, or a procedure whose address is used. */
struct lsl_object {
    const char *name;
    const char *fields; /* "0 head;8 tail;" or NULL */
    uint64_t size;
    uint32_t proc; /* LSL_NONE: a variable */
    bool ghost, constant, thread_local;
    struct lsl_cell *cells; /* by offset; what is between is 0 */
    uint32_t cell_count;
};

/* FENCER_OP and FENCER_TEST. */
struct lsl_operation {
    const char *name;
    uint32_t proc;
};

struct lsl_test {
    const char *name, *notation;
    uint32_t line;
};

struct lsl_program {
    struct lsl_proc *procs;
    uint32_t proc_count;
    struct lsl_object *objects; /* [0] is none */
    uint32_t object_count;
    struct fencer_site *sites; /* [0] is nowhere */
    uint32_t site_count;
    struct lsl_operation *operations;
    uint32_t operation_count;
    struct lsl_test *tests;
    uint32_t test_count;
    uint32_t init;      /* FENCER_INIT's procedure, or LSL_NONE */
    uint32_t main;      /* likewise */
    const char *source; /* as the user named it */
};

/* What a variable holds before anything ran, at that offset: assembled from
 * its cells, undefined where that makes no sense. */
struct lsl_value lsl_initial(const struct lsl_object *o, uint64_t offset,
                             unsigned size);

/* Does a pointer lie there of which that is only a part, or that is a part of
 * it? */
bool lsl_cuts_pointer(const struct lsl_object *o, uint64_t offset,
                      unsigned size);

/* "queue.c:31" */
void lsl_put_site(const struct lsl_program *p, uint32_t site, struct buf *out);

/* Do all numbers in it lead somewhere? */
bool lsl_check(const struct lsl_program *p, struct err *e);

#endif
