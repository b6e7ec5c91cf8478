/* SPDX-License-Identifier: MIT
 *
 * Threads as functions, for the search over graphs (graph/behaviour.h).  A
 * thread runs alone, up to the next operation that others could see.  There it
 * stops, and the search says with which value it goes on.  Nothing that others
 * could see happens in memory: it happens in the graph.
 *
 * What is shared is found out.  Plain accesses to memory that one thread alone
 * has touched are no operations; when a second one touches it, the search
 * begins again and knows better.  What neither the graph nor the thread's own
 * history explains (a call whose footprint is not known, say) is refused by
 * name: others explore that program.
 */
#ifndef RUNTIME_NATIVE_H
#define RUNTIME_NATIVE_H

#include "graph/behaviour.h"
#include "runtime/buffer.h"
#include "runtime/rt.h"

extern const struct strategy strategy_graph, strategy_sample;

/* Is the running thread one of many, and a search over graphs under way? */
static inline bool native_is_on(void)
{
    return rt.graphs && rt.multi;
}

/* ---- For the machine: accesses and fences.  native_memory.c ---- */

struct value native_load(uint64_t address, unsigned size,
                         enum event_order order, uint32_t site);
void native_store(uint64_t address, unsigned size, const struct value *v,
                  enum event_order order, uint32_t site);
struct value native_rmw(uint64_t address, unsigned size, enum rmw_op op,
                        const struct value *operand, enum event_order order,
                        uint32_t site);
struct value native_cas(uint64_t address, unsigned size,
                        const struct value *expected,
                        const struct value *desired, enum event_order success,
                        enum event_order failure, uint32_t site);
/* A copy to, or from, memory of the thread's own, while there are labels. */
void native_copy_out(uint64_t from, void *to, uint64_t size, uint32_t site);
void native_copy_in(uint64_t to, const void *from, uint64_t size,
                    uint32_t site);
void native_fence(unsigned bits, enum event_order order, uint32_t site);
/* A full fence of every thread. */
void native_fence_everybody(uint32_t site);
/* The machine would tell of an access here, and nobody else can see it. */
void native_skips(void);

/* An atomic block.  native_block.c */
void native_begin_block(uint32_t site);
void native_end_block(uint32_t site);
/* Is refused by that name if it stands in one. */
void native_no_block(const char *what, uint32_t site);

/* That memory was allocated; may the running thread touch it, though it is not
 * its own and not allocated here? */
void native_allocated(uint64_t address, uint64_t size);
bool native_is_allocated(uint64_t address, unsigned size);
/* The block that some thread had there, for a trace; false: there is none. */
bool native_block_at(uint64_t address, struct object_record *o);
/* The block at `address` is freed: its size, or 0 if there is none. */
uint64_t native_block_size(uint64_t address);
/* The running thread touches it; is it shared? */
bool native_is_shared(uint64_t address, uint64_t size);
/* Does some other thread touch it, in whatever execution? */
bool native_is_shared_in_part(uint64_t start, uint64_t end);
void native_freed(uint64_t address, uint64_t size, uint32_t site);
/* The running thread ends, and with it that memory. */
void native_stack_ends(uint64_t start, uint64_t end);

/* ---- For loops: memory of the thread's own.  native_own.c ---- */

/* The header of that loop is passed; that memory is read, or written; size 0:
 * nobody knows how much. */
void native_pass_loop(uint32_t loop, bool enters);
/* Rounds of the running thread since `mark` changed nothing but by stores; are
 * these in vain, too?  native_redo.c */
bool native_redoes(uint32_t loop, uint32_t mark);
void native_own_read(uint64_t address, uint64_t size);
void native_own_write(uint64_t address, uint64_t size);
/* The library touches it, and perhaps reads it: now, before it is written. */
void native_touches_now(uint64_t address, uint64_t size);
/* A library call writes memory of the thread's own at once.  Does not return if
 * others know it. */
void native_call_writes(uint64_t address, uint64_t size, uint32_t site);
/* Is what the round of that loop, which began at `mark`, changed in such memory
 * never read, as far as is known? */
bool native_forgets(uint32_t loop, uint32_t mark);

/* The running thread did what a copy of its stack does not undo: see
 * native_rewind.c, for which the rest is, too: what is kept of a thread. */
void native_leaves_trace(void);
struct native_part {
    void *at;
    size_t size;
};
struct native_part unroll_part(uint32_t thread);
struct native_part await_part(uint32_t thread);

/* ---- For loops that give up.  native_bound.c ---- */

/* A round of such a loop ended.  May not return. */
void native_end_bounded(uint32_t loop, uint32_t mark, bool changed_nothing,
                        uint32_t site);
/* Is the thread giving up that loop?  It is left. */
bool native_gives_up(uint32_t loop);
void native_left(uint32_t loop);

/* ---- For the thread library.  native_sync.c ---- */

enum native_role {
    ROLE_LOCKS,   /* takes a mutex that is free, or waits */
    ROLE_UNLOCKS, /* of a mutex */
    ROLE_LIBRARY, /* state that is no memory of the program: a ghost */
    ROLE_LATE,    /* ends a wait whose time is over, if it writes */
    ROLE_SLEEPS,  /* begins to wait for a condition */
    ROLE_OTHER
};

/* An operation on that object begins: on return its bytes are what the
 * operation finds. */
void native_sync(const void *object, size_t size, enum native_role role,
                 uint32_t site);
/* From one to the other no thread runs that does the same. */
void native_begin_serial(uint32_t site);
void native_end_serial(uint32_t site);
/* The same for state of the libraries that is no memory of the program. */
void native_library(void *state, size_t size, uint32_t site);

/* Such state that is none as long as no thread does that. */
enum native_trait {
    TRAIT_LOOKS_AT_CLOCK,
    TRAIT_MAKES_KEYS,        /* of data of threads' own */
    TRAIT_WAITS_RACE,        /* a read that a wait leaves out may race */
    TRAIT_LEAVES_OUT_FENCES, /* by C11's orders: native_order.c */
    TRAIT_NEEDS_FENCES       /* and these are no more left out */
};
/* Is that so?  `here`: it is, from now on. */
bool native_has_trait(enum native_trait trait, bool here);
/* The next one takes a mutex; it has done so. */
void native_will_lock(void);
struct mutex;
void native_took(const struct mutex *m);
/* The running thread is about to lock a mutex, has locked it, is about to
 * unlock it, has done so.  native_poll.c */
enum native_section_at {
    SECTION_LOCKS,
    SECTION_BEGINS,
    SECTION_UNLOCKS,
    SECTION_ENDS
};
void native_section(enum native_section_at at, const struct mutex *m);
/* Did it do nothing since `mark` but that, and read?  And is it in vain, if its
 * own memory is as before? */
bool native_could_poll(uint32_t mark);
bool native_polls(uint32_t loop, uint32_t mark);
/* A wait for a condition begins: does it end by itself?  Such a wait, or one
 * whose end changed nothing for others, was all that the round since `mark`
 * did, and the thread holds the mutex again: does not return if that is
 * explored without it.  `polls`: the loop, if the thread did not wait, but let
 * the mutex go and took it again.  native_wait.c */
void native_begin_wait(const struct mutex *m);
bool native_ends_by_itself(void);
void native_only_waited(const struct mutex *m, uint32_t mark, uint32_t polls);
/* The same for an object that the operation under way looks at besides. */
void native_look(const void *object, size_t size, uint32_t site);
/* An object of the runtime's own: how often that thread was woken. */
uint32_t *native_wakes(uint32_t thread);
/* Cancellation: the running thread requests that of another.  Could somebody
 * have requested its own?  Has somebody? */
void native_cancel(uint32_t thread, uint32_t site);
bool native_may_be_cancelled(void);
bool native_is_cancelled(uint32_t site);
/* What it was, when it is done. */
void native_did(enum model_construct construct, const void *object);
/* A happening of it would have been told (runtime/happened.h). */
void native_happened(void);
/* It has to wait for the object to change; false: the time is over. */
bool native_block(enum event_kind kind, const void *object, bool timed);

/* ---- For the scheduler.  native.c ---- */

/* A thread is about to be made; its number. */
void native_create(uint32_t site);
uint32_t native_child(void);
void native_made(uint32_t thread);
/* Waits for that thread; what it returned, if somebody `looks`.  In time: if it
 * does not end, that is no execution. */
uint64_t native_join(uint32_t thread, bool looks, bool in_time, uint32_t site);
uint32_t native_choose(uint32_t n);
/* Is the time over, of a wait that may end so?  Both are tried.  It is not, and
 * what it waits for has not come.  The same of a join. */
bool native_is_late(void);
_Noreturn void native_wait_in_time(void);
/* May it go on after a round of a loop that failed, if the next one reads
 * something else? */
bool native_keeps_rounds(void);
bool native_gives_up_join(void);
/* What it did is explored without it. */
_Noreturn void native_in_vain(void);
/* The running thread goes no further: it returned, waits in a loop whose round
 * of that loop began at `mark`, is not assumed to be here, was cut; the program
 * ended. */
_Noreturn void native_return(uint64_t result);
/* A CAS failed, and is tried again with what it found (native_retry.c). */
void native_retry(uint32_t mark, uint32_t site);
_Noreturn void native_await(uint32_t mark, uint32_t loop, uint32_t site);
_Noreturn void native_park(enum execution_end how);
_Noreturn void native_ended(enum execution_end how);
/* What the first thread does before there is another one is done again and
 * again (native_files.c).  May that call be? */
bool native_may_repeat(const char *call);
/* It does what cannot be explored as a graph. */
_Noreturn void native_refuse(const char *why, uint32_t site);

/* It observed that; that is written between what it and others observed; the
 * test is over, and what was observed may be wrong. */
void native_observe(const char *label, const char *value, uint32_t site);
void native_note(const char *text, uint32_t site);
void native_judge(void);
/* The thread went round a loop for long, without an event. */
void native_count_silence(void);

#endif
