/* SPDX-License-Identifier: MIT
 *
 * What the instrumenter leaves in the program for the runtime to find: one
 * constant `__fencer_program` of type struct fencer_program, and the hooks it
 * calls.  Written by src/instrument, read by src/target/runtime, so both know
 * this file and nothing else of each other.
 *
 * The layout is LLVM's and C's at once: only pointers, uint32_t and uint64_t,
 * no padding that either could place differently.
 */
#ifndef EVENT_PROGRAM_H
#define EVENT_PROGRAM_H

#include <stdint.h>

/* Bump when any layout or hook below changes: a program built by another
 * version is refused by name instead of run wrongly. */
#define FENCER_ABI 5

/* One access (or call, or loop) in the source.  sites[0] is "nowhere". */
struct fencer_site {
    const char *file;     /* as the compiler was given it */
    const char *dir;      /* its compilation directory */
    const char *function; /* enclosing, in the source */
    const char *name;     /* what is accessed, as C: "q->tail", "flag[i]" */
    uint32_t line, column;
    uint32_t kind; /* enum event_kind; EV_AWAIT for a loop */
    uint32_t size; /* EV_CALL of the library: enum call_writes; else in bytes,
                      and SITE_ASSEMBLY, SITE_VOLATILE, SITE_DECIDES */
};

/* By inline assembly: it has no order that one could change. */
#define SITE_ASSEMBLY (1u << 31)
/* A load or store that is not atomic, of what the source calls volatile. */
#define SITE_VOLATILE (1u << 30)
/* A load that decides a branch before its thread does anything else that others
 * see: all that follows depends on it.  Only with PROGRAM_DEPENDS. */
#define SITE_DECIDES (1u << 29)

/* What a call writes, if that is the caller's stack or thread-local memory:
 * what only its own thread can know, which code accesses without hooks, or
 * other. */
enum call_writes {
    CALL_WRITES_UNKNOWN,
    CALL_WRITES_PRIVATE,
    CALL_WRITES_SHARED
};

/* A variable with static storage, for naming addresses.  `fields` is NULL or
 * a string "0 head;8 tail;" of byte offsets and member names. */
struct fencer_global {
    const char *name;
    void *address;
    uint64_t size;
    const char *fields;
};

struct fencer_ctor {
    void (*run)(void);
    uint64_t priority;
};

/* An external function that the program calls and nobody modelled. */
struct fencer_extern {
    const char *name;
    uint32_t class; /* enum extern_class */
    uint32_t site;  /* first call */
};

enum extern_class {
    EXTERN_MODELLED, /* the runtime has its own version */
    EXTERN_PURE,     /* touches no memory the program shares: no drain */
    EXTERN_READS,    /* only what its pointers designate: drains, unless
                        that is constant or private */
    EXTERN_DRAINS,   /* known, reads or writes memory: drains */
    EXTERN_STATE,    /* drains, and keeps library state: process per run */
    EXTERN_BLOCKS,   /* may stop every fiber: refused when it would */
    EXTERN_REFUSED,  /* cannot run under Fencer (fork, vfork, clone, exec) */
    EXTERN_UNKNOWN   /* drains, named once under limits */
};

/* The address of the load `site` depends on the value that the load or RMW
 * `source` returned: only Alpha satisfies such a load before its source.
 * DEP_ALL: on any earlier load of its thread, for all that is known. */
struct fencer_dep {
    uint32_t site, source;
};
#define DEP_ALL UINT32_MAX

struct fencer_program {
    uint64_t abi;
    int (*main)(int, char **, char **); /* whatever it declares */
    const struct fencer_site *sites;
    uint64_t site_count;
    const struct fencer_global *globals;
    uint64_t global_count;
    /* Writable globals with an initial value lie in [data, data_end): section
     * "fencer_data", with its linker-made __start_ and __stop_ symbols.  Those
     * that begin as zeroes are in "fencer_zero", ghosts in "fencer_ghost". */
    char *data, *data_end;
    const void *tls_image; /* initial bytes of the program's __thread data */
    uint64_t tls_size, tls_align;
    const struct fencer_ctor *ctors, *dtors;
    uint64_t ctor_count, dtor_count;
    const struct fencer_extern *externs;
    uint64_t extern_count;
    /* Lines for the user's "limits": objects without bitcode, unknown asm. */
    const char *const *limits;
    uint64_t limit_count;
    uint64_t flags;                /* enum program_flag */
    const struct fencer_dep *deps; /* by site */
    uint64_t dep_count;
};

enum program_flag {
    PROGRAM_OPTIMISED = 1, /* built with --as-optimised */
    PROGRAM_STATE = 2,     /* calls EXTERN_STATE functions somewhere */
    PROGRAM_TEST = 4,      /* its main is FENCER_INIT's: runs a test */
    PROGRAM_CHECKS = 8,    /* has assertions, observations or exit codes */
    PROGRAM_DEPENDS = 16   /* built with --track-deps: it tells on which loads
                              each access depends */
};

/* Labels, in programs of PROGRAM_DEPENDS.  A label is a number that the runtime
 * gave; it says on which loads of its thread a value depends, and 0 is on none
 * (src/target/runtime/labels.c).  Labels travel beside values, in registers;
 * from hand to hand they go through __fencer_labels, an array of uint32_t:
 * nobody else runs between who writes there and who reads. */
enum label_slot {
    LABEL_ADDR,     /* of the hook's address, before the hook */
    LABEL_DATA,     /* of what it stores; of `copy`, of the address it writes */
    LABEL_COMPARED, /* of what a CAS expects */
    LABEL_RESULT,   /* after it: of what it returned.  0 where accesses are not
                       seen */
    LABEL_RETURNED, /* a function's result */
    LABEL_ARGUMENTS /* its arguments; the last of these is of all the rest */
};
#define LABEL_ARGUMENTS_MAX 32
#define LABEL_SLOTS (LABEL_ARGUMENTS + LABEL_ARGUMENTS_MAX)

/* The fast path, written inline by the instrumenter for plain and volatile
 * accesses of 1, 2, 4 and 8 bytes that are naturally aligned:
 *
 *   byte = *(uint8_t *)(SHADOW_BASE + ((p >> SHADOW_SHIFT) & __fencer_mask))
 *   load:  byte <  SHADOW_BAD   ? *p      : __fencer_loadN(p, site)
 *   store: byte == SHADOW_DIRTY ? *p = v  : __fencer_storeN(p, v, site)
 *
 * One test is the heap check, the dirty-line check and the scheduling check:
 * where the scheduler wants to see every access it sets the mask to 0, and
 * SHADOW_BASE[0] is always bad.
 *
 * The countdown, at every loop back edge and entry of a non-leaf function:
 *
 *   if (--__fencer_countdown < 0)
 *       mark = __fencer_tick(mark, changed, loop, site)
 *
 * `mark` is a loop-carried i32: it starts as __fencer_enter(loop) before the
 * loop, or, where accesses are not seen, as a load of __fencer_count.  `loop`
 * is the site of the loop's first back edge; 0: not a loop that could wait.
 * `changed` is of enum tick_changed; at a function's entry it is
 * CHANGED_REGISTERS and the result is dropped.
 *
 * Private memory that a waiting loop may write has no hooks that could take
 * part in what happens, but two that watch, where accesses are seen
 * (__fencer_mask is 0): __fencer_reads and __fencer_writes. */
enum tick_changed {
    CHANGED_REGISTERS = 1, /* a phi of the loop header gets another value, or
                              something happened that no hook sees */
    CHANGES_PRIVATE = 2,   /* the loop may write private memory */
    CHANGED_BOUND = 4,     /* a phi that only decides how often the loop goes
                              round, and is of no use after it */
    CHANGED_EXPECTED = 8   /* with CHANGED_REGISTERS: no other than what a CAS
                              expects, and is what it found */
};
#define SHADOW_BASE 0x100000000000ull
#define SHADOW_SHIFT 4
#define SHADOW_SIZE (1ull << (47 - SHADOW_SHIFT))
enum shadow_byte { SHADOW_CLEAN = 0, SHADOW_DIRTY = 1, SHADOW_BAD = 2 };

/* HOOK(name, return type, parameter types): v void, b i8, s i16, i i32, l i64,
 * p pointer.  Every hook is `__fencer_` + name.  `site` is always last. */
#define FENCER_HOOKS(HOOK)                                                     \
    /* Accesses that did not take the fast path.  (address[, value], site) */  \
    HOOK(load1, b, "pi")                                                       \
    HOOK(load2, s, "pi")                                                       \
    HOOK(load4, i, "pi")                                                       \
    HOOK(load8, l, "pi")                                                       \
    HOOK(store1, v, "pbi")                                                     \
    HOOK(store2, v, "psi")                                                     \
    HOOK(store4, v, "pii")                                                     \
    HOOK(store8, v, "pli")                                                     \
    /* Any other size or alignment: (address, private copy, bytes, site). */   \
    HOOK(loadn, v, "ppli")                                                     \
    HOOK(storen, v, "ppli")                                                    \
    /* memcpy, memmove (to, from, n, site); memset (to, byte, n, site) */      \
    HOOK(copy, v, "ppli")                                                      \
    HOOK(fill, v, "pili")                                                      \
    /* Atomics.  (address[, value], enum event_order, site) */                 \
    HOOK(atomic_load1, b, "pii")                                               \
    HOOK(atomic_load2, s, "pii")                                               \
    HOOK(atomic_load4, i, "pii")                                               \
    HOOK(atomic_load8, l, "pii")                                               \
    HOOK(atomic_store1, v, "pbii")                                             \
    HOOK(atomic_store2, v, "psii")                                             \
    HOOK(atomic_store4, v, "piii")                                             \
    HOOK(atomic_store8, v, "plii")                                             \
    /* (address, enum rmw_op, operand, order, site) returns what was there */  \
    HOOK(rmw1, b, "pibii")                                                     \
    HOOK(rmw2, s, "pisii")                                                     \
    HOOK(rmw4, i, "piiii")                                                     \
    HOOK(rmw8, l, "pilii")                                                     \
    /* (address, expected, desired, success order, failure order, site)        \
     * returns what was there; equal to expected: it swapped */                \
    HOOK(cas1, b, "pbbiii")                                                    \
    HOOK(cas2, s, "pssiii")                                                    \
    HOOK(cas4, i, "piiiii")                                                    \
    HOOK(cas8, l, "plliii")                                                    \
    /* 16 bytes, values in private memory: (address, out, order, site),        \
     * (address, value, order, site), (address, op, operand, old out, order,   \
     * site), (address, expected, desired, old out, success, failure, site) */ \
    HOOK(atomic_load16, v, "ppii")                                             \
    HOOK(atomic_store16, v, "ppii")                                            \
    HOOK(rmw16, v, "pippii")                                                   \
    HOOK(cas16, v, "ppppiii")                                                  \
    /* C11 fence of an order, or enum model_fence bits (fencer.h, asm) */      \
    HOOK(fence, v, "ii")                                                       \
    HOOK(fence_bits, v, "ii")                                                  \
    /* See the countdown above: (mark, changed, loop, site), (loop) */         \
    HOOK(tick, i, "iiii")                                                      \
    HOOK(enter, i, "i")                                                        \
    /* A loop with a CHANGED_BOUND is left, where accesses are seen: (loop) */ \
    HOOK(left, v, "i")                                                         \
    /* Before private memory is read, or written, by code without hooks:       \
     * (address, bytes); 0 bytes: nobody knows how many */                     \
    HOOK(reads, v, "pl")                                                       \
    HOOK(writes, v, "pl")                                                      \
    /* Around a call of uninstrumented code that may touch shared memory:      \
     * (index into externs, site).  For an indirect call, UINT32_MAX: the      \
     * instrumenter cannot know, the callee's own hooks do the work. */        \
    HOOK(call, v, "ii")                                                        \
    HOOK(called, v, "ii")                                                      \
    /* Inline assembly nobody recognised, before it: (limit index, site) */    \
    HOOK(asm, v, "ii")                                                         \
    /* `pause` and friends */                                                  \
    HOOK(spin, v, "i")                                                         \
    /* Before an instruction whose answer no replay repeats; the site's name   \
     * says which: rdtsc, rdrand */                                            \
    HOOK(nondeterministic, v, "i")                                             \
    /* Before a frame dies that holds memory others may know: (low, high,      \
     * site).  Stores still buffered into [low, high) commit now, for a late   \
     * commit would write into whatever frame comes next. */                   \
    HOOK(leave, v, "ppi")                                                      \
    /* A local that others may know begins to live: (address, bytes); its      \
     * function returns: (address, bytes, site) */                             \
    HOOK(local_lives, v, "pl")                                                 \
    HOOK(local_dies, v, "pli")                                                 \
    /* Labels, see below.  (label, label): what both depend on; the first, and \
     * picked by the second */                                                 \
    HOOK(label_union, i, "ii")                                                 \
    HOOK(label_pick, i, "ii")                                                  \
    /* Of private memory: (address, bytes), 0 bytes: of a string; (address,    \
     * bytes, label); memory was copied: (to, from, bytes) */                  \
    HOOK(label_recall, i, "pl")                                                \
    HOOK(label_keep, v, "pli")                                                 \
    HOOK(label_copy, v, "ppl")                                                 \
    /* A branch was decided by it */                                           \
    HOOK(label_branch, v, "i")                                                 \
    /* Around the call of a modelled function: (label of its arguments) is     \
     * what to give to (that, the same label), which is its result's */        \
    HOOK(label_call, l, "i")                                                   \
    HOOK(label_called, i, "li")                                                \
    /* A function began that code without labels called */                     \
    HOOK(label_callback, v, "")                                                \
    /* Before every call of a modelled function: tells it where it is called   \
     * from.  A store to __fencer_site is emitted instead of a call. */

/* Variables of the runtime that instrumented code reads or writes inline:
 *   uint64_t __fencer_mask;        all ones: fast; 0: every access is a hook
 *   int64_t  __fencer_countdown;
 *   uint32_t __fencer_count;       events of the running thread so far
 *   char    *__fencer_tls;         the running thread's copy of tls_image
 *   uint32_t __fencer_site;        site of the modelled call about to happen
 *   uint32_t __fencer_checked;     1: a check was reached, in any execution
 *   uint32_t __fencer_labels[];    enum label_slot
 *   void    *__fencer_callee;      the function whose arguments these are, if
 *                                  code without labels might call it, too
 */

#endif
