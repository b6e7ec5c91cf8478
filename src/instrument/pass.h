/* SPDX-License-Identifier: MIT
 *
 * The folder's inner door: one merged module on its way to an instrumented
 * one, and the steps it takes, in this order (pass_run):
 *
 *   names     what each access is called in C, while -O0 still shows it
 *   sroa      LLVM's: locals whose address nobody takes become values
 *   privacy   which memory only its own thread can know
 *   waits     which loops could wait, and what of that memory they write
 *   loops     ticks on back edges and at function entries
 *   accesses  loads, stores, atomics, copies; inline assembly; calls
 *   globals   thread-local and static storage, constructors, main
 *   table     the constant __fencer_program
 */
#ifndef INSTRUMENT_PASS_H
#define INSTRUMENT_PASS_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "event/event.h"
#include "event/program.h"
#include "instrument/strs.h"

enum hook {
#define HOOK(name, result, parameters) HOOK_##name,
    FENCER_HOOKS(HOOK)
#undef HOOK
        HOOK_COUNT
};

/* Attributes and metadata kinds that the pass asks for by number. */
enum attribute {
    ATTRIBUTE_BYVAL,
    ATTRIBUTE_SRET,
    ATTRIBUTE_ELEMENTTYPE,
    ATTRIBUTE_NOINLINE,
    ATTRIBUTE_ALWAYSINLINE,
    ATTRIBUTE_NOUNWIND,
    ATTRIBUTE_MEMORY,
    ATTRIBUTE_WILLRETURN,
    ATTRIBUTE_NOSYNC,
    ATTRIBUTE_NOFREE,
    ATTRIBUTE_NORECURSE,
    ATTRIBUTE_SPECULATABLE,
    ATTRIBUTE_ALLOCKIND,
    ATTRIBUTE_ALLOCSIZE,
    ATTRIBUTE_NAKED,
    ATTRIBUTE_COUNT
};

struct site {
    const char *file, *dir, *function, *name;
    uint32_t line, column, kind, size;
};

struct called {
    const char *name;
    enum extern_class class;
    uint32_t site;
};

struct privacy; /* privacy.c */
struct waits;   /* waits.c */
struct types;   /* debug.c */

struct pass {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTargetDataRef data;
    struct arena arena;

    LLVMTypeRef i1, i8, i16, i32, i64, ptr, none;
    LLVMTypeRef hook_type[HOOK_COUNT];
    LLVMValueRef hook[HOOK_COUNT]; /* NULL until used */
    LLVMValueRef mask, countdown, clock, tls, site;
    unsigned attribute[ATTRIBUTE_COUNT];
    unsigned md_name, md_annotation, md_prof, md_dbg;
    LLVMValueRef unlikely; /* branch weights, first successor is hot */

    bool optimised; /* --as-optimised */
    bool tracks;    /* --track-deps */
    bool lowers;    /* struct pass_options has it */
    bool open;      /* code without bitcode may call our functions */

    struct map first_rounds; /* header to the block of its first round */
    struct map deciders;     /* loads of SITE_DECIDES */
    struct privacy *privacy;
    struct waits *waits;
    struct types *types;

    /* What __fencer_program will say. */
    VEC(struct site) sites; /* [0] is nowhere */
    VEC(struct called) externs;
    struct map extern_index; /* by name, + 1 */
    struct fencer_dep *deps;
    size_t dep_count;
    struct strs limits;
    struct map strings; /* text to its constant */
    LLVMValueRef main;
    LLVMValueRef tls_image;
    uint64_t tls_size, tls_align;
    uint64_t flags;
};

/* The SPARC fences as enum model_fence numbers them. */
enum fence_bits {
    BITS_SS = 1,
    BITS_SL = 2,
    BITS_LL = 4,
    BITS_LS = 8,
    BITS_FULL = 16
};

/* ---- pass.c ---- */

struct pass_options {
    bool optimised, open, tracks;
    bool lowers;               /* for check: it is not going to run */
    const struct strs *limits; /* already known: objects without bitcode */
};

/* The steps before the module is changed: begin, then names and SROA, after
 * which names_get and privacy_find know what they need. */
void pass_begin(struct pass *p, LLVMModuleRef module, LLVMTargetDataRef data,
                const struct pass_options *options);
bool pass_prepare(struct pass *p, struct err *e);
/* Runs passes of LLVM, by their names. */
bool pass_run_llvm(LLVMModuleRef module, const char *passes, struct err *e);
void pass_end(struct pass *p);

/* Instruments the module.  A module that LLVM's verifier would refuse is an
 * error of ours, and said so. */
bool pass_run(LLVMModuleRef module, LLVMTargetDataRef data,
              const struct pass_options *options, struct err *e);

/* ---- ir.c: what is missing in, or tedious with, the LLVM-C interface ---- */

#define EACH_FUNCTION(f, module)                                               \
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f;                     \
         f = LLVMGetNextFunction(f))
#define EACH_GLOBAL(g, module)                                                 \
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;                       \
         g = LLVMGetNextGlobal(g))
/* All instructions of a function, block by block.  The body may add some before
 * the one it has, but no blocks. */
#define EACH_INSTRUCTION(i, function)                                          \
    for (LLVMValueRef i = ir_first(function); i; i = ir_next(i))
LLVMValueRef ir_first(LLVMValueRef function);
LLVMValueRef ir_next(LLVMValueRef inst);

void ir_init(struct pass *p);
/* A variable of the runtime. */
LLVMValueRef ir_variable(struct pass *p, const char *name, LLVMTypeRef type);
LLVMValueRef ir_hook(struct pass *p, enum hook hook);
/* Calls the hook at the builder's place. */
LLVMValueRef ir_call_hook(struct pass *p, enum hook hook, LLVMValueRef *args,
                          unsigned count, const char *name);
/* The hook for that many bytes: rows for 1, 2, 4, 8 follow each other. */
enum hook ir_sized_hook(enum hook first, uint64_t size);
/* By its letter in FENCER_HOOKS. */
LLVMTypeRef ir_type(struct pass *p, char letter);
LLVMValueRef ir_i32(struct pass *p, uint64_t value);
LLVMValueRef ir_i64(struct pass *p, uint64_t value);
LLVMTypeRef ir_int(struct pass *p, uint64_t bytes); /* 1, 2, 4, 8, 16 */
uint64_t ir_size(struct pass *p, LLVMTypeRef type); /* bytes stored */
/* A string constant, one for each text. */
LLVMValueRef ir_text(struct pass *p, const char *text);
/* The next instructions go before `inst` and carry its place in the source. */
void ir_before(struct pass *p, LLVMValueRef inst);
/* ... or after it; it must not be a terminator. */
void ir_after(struct pass *p, LLVMValueRef inst);
/* A local slot in the function's first block. */
LLVMValueRef ir_local(struct pass *p, LLVMValueRef function, LLVMTypeRef type,
                      const char *name);
/* The same for 16 bytes, of inst's function; holds the value, if not NULL. */
LLVMValueRef ir_wide_slot(struct pass *p, LLVMValueRef inst, LLVMTypeRef type,
                          LLVMValueRef value);
/* Puts `with` in the place of inst and deletes inst. */
void ir_replace(LLVMValueRef inst, LLVMValueRef with);
/* Any first-class value as an integer of the same size, and back. */
LLVMValueRef ir_to_int(struct pass *p, LLVMValueRef value, LLVMTypeRef type);
LLVMValueRef ir_from_int(struct pass *p, LLVMValueRef value, LLVMTypeRef type);
LLVMValueRef ir_function_of(LLVMValueRef inst);
/* The name without the \1 that forbids mangling; a copy in the arena. */
const char *ir_name(struct pass *p, LLVMValueRef global);
bool ir_has_prefix(const char *text, const char *prefix);
/* The function that a call surely reaches, or NULL. */
LLVMValueRef ir_callee(LLVMValueRef call);
/* Is that function called by its name alone? */
bool ir_is_only_called(LLVMValueRef f);
bool ir_is_intrinsic(LLVMValueRef function, const char *prefix);
/* A block between `from` and `to`; all edges there now run through it. */
LLVMBasicBlockRef ir_split_edge(struct pass *p, LLVMBasicBlockRef from,
                                LLVMBasicBlockRef to);

/* ---- table.c ---- */

/* A new site for that instruction.  `name` NULL: what instrument_names.c noted.
 */
uint32_t site_new(struct pass *p, LLVMValueRef inst, enum event_kind kind,
                  uint64_t size, const char *name);
LLVMValueRef site_value(struct pass *p, LLVMValueRef inst, enum event_kind kind,
                        uint64_t size, const char *name);
uint32_t extern_index(struct pass *p, const char *name, enum extern_class class,
                      uint32_t site);
void table_emit(struct pass *p);

/* ---- debug.c: what the debug information knows ---- */

struct types *types_read(struct pass *p);
void types_free(struct types *t);
/* The member of that LLVM struct at `offset`, of `size` bytes if several
 * share it; `hint` is what clang called the address ("tail", "tail5").  NULL:
 * unknown. */
const char *types_member(struct pass *p, LLVMTypeRef type, uint64_t offset,
                         uint64_t size, const char *hint);
/* The variable's name in the source, or NULL.  For allocas and globals. */
const char *types_variable(struct pass *p, LLVMValueRef storage);
/* Which part of the variable lies at that offset: ".inner.at[2].y", written
 * after what is in `out`.  Size 0: whatever starts there. */
void types_part(struct pass *p, LLVMValueRef storage, uint64_t offset,
                uint64_t size, struct buf *out);
bool types_knows(struct pass *p, LLVMValueRef storage);
/* "0 head;8 tail;" for a global with members, else NULL. */
const char *types_fields(struct pass *p, LLVMValueRef global);
/* Name of the source function around that place. */
const char *types_function(struct pass *p, LLVMMetadataRef location);

/* ---- byval.c ---- */

/* Parameters passed by value that others may get to know become locals. */
void byval_copy(struct pass *p);

/* ---- temporaries.c ---- */

/* Locals that clang left as they are get what it gives to others. */
void temporaries_initialise(struct pass *p);

/* ---- wrappers.c ---- */

/* Functions that do one atomic operation for others become part of these. */
bool wrappers_inline(struct pass *p, struct err *e);
/* Where a value came from: through locals that are stored to once, and casts.
 */
LLVMValueRef wrappers_source(LLVMValueRef v);

/* ---- rotate.c ---- */

/* Loops that look at variables before they read them anew look at them after
 * that. */
void rotate_loops(struct pass *p);
/* The variable at that address, if it has a slot that nobody else can reach. */
LLVMValueRef rotate_slot(LLVMValueRef address);
/* Does it only say where a variable is? */
bool rotate_is_declaration(LLVMValueRef inst);

/* ---- first_round.c ---- */

/* The first round of that loop, if it is at the end of the block before: a
 * block of its own now.  `next`: where a round begins after the header. */
LLVMBasicBlockRef first_round_find(struct pass *p, LLVMBasicBlockRef before,
                                   LLVMBasicBlockRef header,
                                   LLVMBasicBlockRef next);

/* ---- instrument_names.c ---- */

void names_note(struct pass *p);
/* What names_note found for that instruction, of a call for that argument,
 * or "". */
const char *names_get(struct pass *p, LLVMValueRef inst, unsigned argument);

/* ---- privacy.c ---- */

void privacy_find(struct pass *p);
bool privacy_is_private(struct pass *p, LLVMValueRef pointer);
/* Is it memory that the library keeps for the thread, as errno? */
bool privacy_is_library(struct pass *p, LLVMValueRef pointer);
/* A name for the class of a private pointer, which all share that may be of the
 * same memory; NULL: it is not private. */
const void *privacy_class(struct pass *p, LLVMValueRef pointer);
/* A loop that may wait writes there: from now on all that may be the same
 * memory is *carried*, and its accesses are watched. */
void privacy_carry(struct pass *p, LLVMValueRef pointer);
bool privacy_is_carried(struct pass *p, LLVMValueRef pointer);
/* Is memory carried that the library keeps for the thread? */
bool privacy_carries_library(struct pass *p);
/* Has it locals that others may know? */
bool privacy_shares_frame(struct pass *p, LLVMValueRef function);
/* May somebody call it who does not say so in the module? */
bool privacy_is_open(struct pass *p, LLVMValueRef function);
void privacy_free(struct pass *p);

/* ---- waits.c: loops that could wait ---- */

/* Looks at all functions, and says which memory is carried. */
void waits_find(struct pass *p);
/* Does the function, or one it calls, change what no hook sees?  Or else write
 * memory that is private, but not its own? */
bool waits_function_changes(struct pass *p, LLVMValueRef function);
bool waits_writes_outside(struct pass *p, LLVMValueRef function);
/* Could a round of the loop with that header change nothing? */
bool waits_could(struct pass *p, LLVMBasicBlockRef header);
/* Which of its header's phis, a bit each, matter to delays alone; which decide
 * how often it goes round, and to nothing else. */
uint64_t waits_delays(struct pass *p, LLVMBasicBlockRef header);
uint64_t waits_bounds(struct pass *p, LLVMBasicBlockRef header);
/* The one that is what a CAS expects, and then what it found (retries.c). */
uint64_t waits_expected(struct pass *p, LLVMBasicBlockRef header);
/* What that instruction writes, or NULL. */
LLVMValueRef waits_written(struct pass *p, LLVMValueRef inst);
void waits_free(struct pass *p);

/* ---- loops.c ---- */

/* Ticks for one function.  Before accesses_instrument. */
void loops_instrument(struct pass *p, LLVMValueRef function);

/* ---- instrument_access.c, atomic.c, instrument_calls.c, assembly.c ---- */

/* One instruction to treat, judged before anything is changed. */
struct item {
    LLVMValueRef inst;
    bool to_private, from_private; /* its pointer, or both of a copy */
    bool to_carried, from_carried; /* and that is carried */
};

void access_load(struct pass *p, const struct item *item);
uint64_t access_decides_mark(struct pass *p, LLVMValueRef load);
void access_store(struct pass *p, const struct item *item);
void access_copy(struct pass *p, const struct item *item, LLVMValueRef to,
                 LLVMValueRef from, LLVMValueRef bytes);
void access_fill(struct pass *p, const struct item *item, LLVMValueRef to,
                 LLVMValueRef byte, LLVMValueRef bytes);
/* Before inst, which reads that many bytes of carried memory; 0: nobody knows
 * how many. */
void access_watch_read(struct pass *p, LLVMValueRef inst, LLVMValueRef address,
                       uint64_t bytes);
/* Memory that clang wrote to make an unset local deterministic. */
bool access_is_auto_init(struct pass *p, LLVMValueRef inst);
/* The variable that the address is surely inside of, or NULL. */
LLVMValueRef access_variable(LLVMValueRef address);
/* Is it memory that nobody writes while the program runs? */
bool access_is_constant(LLVMValueRef address);

void atomic_load(struct pass *p, LLVMValueRef inst);
void atomic_store(struct pass *p, LLVMValueRef inst);
void atomic_rmw(struct pass *p, LLVMValueRef inst);
void atomic_cas(struct pass *p, LLVMValueRef inst);
void atomic_fence(struct pass *p, LLVMValueRef inst);

/* What kind of copying a called function does. */
enum copying { COPIES_NOT, COPIES_MEMORY, FILLS_MEMORY };
enum copying calls_copying(struct pass *p, LLVMValueRef call);
/* The memory that a call of the library writes, as the runtime sees it; or
 * NULL. */
LLVMValueRef calls_written(struct pass *p, LLVMValueRef call);
bool calls_is_modelled(struct pass *p, LLVMValueRef function);
/* Code that is not here, nor in the table, and that was declared to touch no
 * memory: __attribute__((const)). */
bool calls_touches_nothing(struct pass *p, LLVMValueRef function);
/* May this call leave something changed that no hook sees? */
bool calls_change_unseen(struct pass *p, LLVMValueRef call);
void calls_instrument(struct pass *p, const struct item *item);
void calls_leave_frame(struct pass *p, LLVMValueRef function);
/* After that: what dies with the frame.  locals.c */
void locals_instrument(struct pass *p, LLVMValueRef f);
void calls_rename_modelled(struct pass *p);

/* Spin locks in assembly with jumps become functions. */
void spinlock_lower(struct pass *p);
void assembly_instrument(struct pass *p, LLVMValueRef call);
/* Is it a fence by its name in <immintrin.h>, as _mm_mfence()?  assembly_fence
 * replaces it, if so. */
bool assembly_is_fence(LLVMValueRef inst);
bool assembly_fence(struct pass *p, LLVMValueRef inst);
/* A hook before inline assembly, or the call of an intrinsic of that name, that
 * reads a counter or makes a random number. */
void assembly_note_nondeterministic(struct pass *p, LLVMValueRef call,
                                    const char *text);

/* Where checks are decided, it is noted that one was reached.  checks.c */
void checks_instrument(struct pass *p);

/* ---- globals.c ---- */

void globals_move(struct pass *p);
void globals_thread_local(struct pass *p);
/* What tells the running thread from all others, for a use by `user`. */
LLVMValueRef globals_thread_pointer(struct pass *p, LLVMValueRef user);

#endif
