/* SPDX-License-Identifier: MIT
 *
 * What the files of native.h share.
 */
#ifndef RUNTIME_NATIVE_INSIDE_H
#define RUNTIME_NATIVE_INSIDE_H

#include "graph/graph_engine.h"
#include "runtime/labels.h"
#include "runtime/native.h"

/* Why a thread goes no further (struct op). */
enum native_why {
    NATIVE_RETURNED,  /* OP_END */
    NATIVE_EXITED,    /* OP_END: and the program with it */
    NATIVE_JUDGED,    /* the same, of a test: what it observed is compared */
    NATIVE_AWAITS,    /* OP_BLOCK: a spin loop */
    NATIVE_WAITS,     /* OP_BLOCK: an object of the thread library */
    NATIVE_SLEEPS,    /* OP_BLOCK: a condition variable, a semaphore */
    NATIVE_IN_TIME,   /* OP_BLOCK, OP_JOIN: for what comes before the time is
                         over; if it does not, that is no execution */
    NATIVE_BOUND,     /* OP_CHOOSE: does it give up?  OP_BLOCK: it does not */
    NATIVE_ASSUMED,   /* OP_BLOCK */
    NATIVE_CUT,       /* OP_BLOCK */
    NATIVE_ENDS,      /* OP_FREE: of its stack, with which the thread ends */
    NATIVE_TIMES_OUT, /* OP_CHOOSE: 1: a timed wait will; no choice of the
                         program's.  OP_SYNC that writes: it does */
    NATIVE_GIVES_UP   /* OP_CHOOSE: 1: a join does; likewise */
};

/* Is it asked of several ways to compile C for a processor at once, without
 * dependencies, whether one execution fails or is none of SC's?  Then the first
 * one ends it, and nothing is told of it. */
static inline bool native_is_weakest(void)
{
    return rt.model->by_axioms && rt.model->axioms->weakest;
}

#define NATIVE_ROUND_MAX 64
#define NATIVE_LONE_MAX 64
#define NATIVE_AWAITED_MAX 32
#define NATIVE_FEED_MAX 4u     /* reads of a round of a loop that gives up */
#define NATIVE_SECTIONS_MAX 8u /* that a thread remembers */
#define NATIVE_REDONE_MAX 32   /* bits of behaviour_entry.passes */
#define NATIVE_STORES_MAX 8    /* of a round that is in vain all the same */
#define NATIVE_WORDS_MAX (1u << 17) /* two a word */
#define NATIVE_FACTS_MAX ((uint32_t)CHANNEL_FACTS_MAX)

/* An atomic block under way (native_block.c). */
struct native_block {
    uint32_t site;
    uint8_t count, own_size;
    uint16_t happened; /* accesses so far */
    uint8_t fences;    /* since the last access: enum model_fence bits */
    uint8_t folded;    /* before that */
    uint64_t own;      /* some memory of the thread's own that it touched, or 0
                        */
    struct {
        uint64_t value;
        uint16_t location;
        bool written;
        uint32_t label;
    } parts[OP_PARTS_MAX];
};

/* Memory that threads read in rounds that are left out, while they held that
 * mutex (native_wait.c). */
struct native_awaited {
    uint64_t address, mutex;
    uint32_t threads; /* bits of their numbers */
    uint32_t plain;   /* 1: not only by atomic loads */
};

/* Memory that rounds of a loop which are left out store into, when that thread
 * has entered the loop so often (native_redo.c). */
struct native_redone {
    uint64_t address;
    uint32_t loop, entered;
    uint8_t thread;
    uint8_t plain; /* 1: some of these stores are not atomic */
    uint8_t seen;  /* 1: somebody may see it: rounds of the loop stay */
    uint8_t bound; /* 1: rounds of a loop that gives up read it; `entered` is
                      how many these are at least, 0: not known */
    uint8_t unused[4];
};

/* A block touched that address, as which of its parts. */
struct native_reach {
    uint64_t block, address;
    uint8_t first, last;
};

/* What the runtime knows of a thread between two of its operations; private to
 * the thread, and found again when it is run again. */
struct native_thread {
    behaviour_node at;      /* it stands there; 0: it has not begun */
    behaviour_node made_at; /* its OP_CREATE; 0: it is the first */
    uint64_t leant;         /* native_leaning when it stopped, or was made */
    bool there;             /* the fiber is */
    uint32_t children;
    uint64_t joined;    /* bits of the threads it joined */
    uint32_t notes;     /* what it observed */
    bool judged;        /* the test is over (harness.c) */
    uint32_t skips;     /* accesses since its last operation, no events */
    uint8_t fences;     /* the same: enum model_fence bits */
    uint32_t fenced_at; /* its clock at the last one */
    uint16_t happened;
    /* The object of the operation under way. */
    bool will_lock;
    const void *object;
    uint32_t object_size;
    uint64_t found;    /* its state then */
    uint8_t construct; /* C_COUNT: nothing said yet */
    /* Its last operation, and what that returned. */
    struct op last;
    uint64_t last_value;
    uint32_t feeds; /* the loop that it gives up; 0: none (native_bound.c) */
    uint32_t fed;   /* loads of it since its last operation */
    uint32_t feed_count;
    /* The mutex that it took last, and how many events it had then; the same of
     * the one that it let go to wait (native_wait.c). */
    const struct mutex *took;
    /* The last times that it held a mutex (native_poll.c): its clock at the
     * last effect before that, at the lock, and at the unlock, 0: it has not
     * let it go, or done more than to read; its events then (`sections`). */
    uint32_t section_count;
    uint32_t took_at, waited;
    struct labels_thread labels;
    uint32_t passes; /* since its last operation: behaviour_entry.passes */
    /* Its last stores that may be redone. */
    uint32_t store_count;
    struct {
        uint64_t address;
        uint32_t at;
        bool plain;
    } stores[NATIVE_STORES_MAX];
    uint32_t event_count;
    /* As much of each as is used (native_rewind.c). */
    struct native_feed {
        struct op op;
        uint64_t value;
    } feed[NATIVE_FEED_MAX]; /* the reads of a round of the loop it gives up */
    struct native_section {
        const struct mutex *mutex;
        uint32_t before, lock, unlock;
        uint32_t from, to;
    } sections[NATIVE_SECTIONS_MAX];
    /* Its last events, and its clock then. */
    struct native_event {
        uint32_t at;
        uint8_t kind, order, failure_order; /* as struct op has them */
        uint8_t fence;
    } events[NATIVE_ROUND_MAX];
    struct native_block block, ended; /* the last that ended since it ran; no
                                         parts: none */
};

struct native {
    struct behaviour *trie;
    struct op op; /* what the thread that ran last announced */
    uint64_t answer;
    struct native_thread threads[GRAPH_THREADS_MAX];
    uint64_t runs[GRAPH_THREADS_MAX];  /* how often each went on */
    uint32_t leans[GRAPH_THREADS_MAX]; /* on whose stacks, in any execution */
    bool *stop;   /* the search's: it is of no use any more */
    bool restart; /* something turned out to be shared */
    bool refused;
    bool goes_on;  /* others explore the same tree, or did */
    bool late;     /* what is left are executions with late loads */
    bool late_cut; /* in one that was found a loop was cut */
    /* Some mutex is also asked whether it is free: then who takes it first is
     * not all that threads disagree about (graph/graph_revisit.c). */
    bool asks_mutexes;
    bool all_shared;  /* accesses to any memory are operations (native_fence) */
    bool knows_parts; /* accesses of several parts are explored (struct op) */
    bool met_parts;   /* there was one, and it was refused */
    bool keeps_rounds; /* a failing round need not be its thread's last */
    uint32_t traits;   /* bits of enum native_trait */
    bool guards_waits; /* who left out a read looks whether it could race */
    uint32_t awaited_count;
    struct native_awaited awaited[NATIVE_AWAITED_MAX];
    uint32_t redone_count;
    struct native_redone redone[NATIVE_REDONE_MAX];
    char why[128];
    /* Threads are known by who made them, and as which of its threads.  Their
     * numbers come as they are found out, so all that explore one tree must
     * have the same. */
    uint32_t birth_count;
    struct native_birth {
        uint32_t parent, index;
    } births[GRAPH_THREADS_MAX];
    /* Choices before there was a second thread: they begin every execution. */
    uint64_t *lone_random; /* they are drawn from it; NULL: the first of all */
    uint32_t lone_count, lone_at;
    struct lone_choice {
        uint32_t chosen, of;
    } lone[NATIVE_LONE_MAX];
};
extern struct native native;

static inline struct native_thread *native_self(void)
{
    return &native.threads[rt.current->id];
}

/* A thread may use what lies on the stack of another one: locals of who made it
 * and waits for it.  Who does so must not go on once that one went on, which
 * may have returned from there: then this has changed. */
static inline uint64_t native_leaning(uint32_t thread)
{
    uint64_t sum = 0;

    for (uint32_t on = native.leans[thread]; on; on &= on - 1)
        sum += native.runs[__builtin_ctz(on)];
    return sum;
}

/* Announces `op`, which touches `location` if it is an access; returns with
 * what it returns. */
uint64_t native_announce(struct op op);

/* A load that leads to a node which is known, while the thread is run again: is
 * done at once, all that native_load does being known, too.  False: it is not
 * that simple. */
bool native_pass_load(uint64_t address, unsigned size, enum event_order order,
                      uint32_t site, struct value *v);

/* The thread goes no further. */
_Noreturn void native_stop(struct op op);

/* A job begins; the program does, once more; there is a second thread. */
void native_forget_files(void);
void native_begin_files(void);
void native_check_files(uint32_t site);

/* As native_refuse, wherever we are. */
void native_give_up(const char *why, uint32_t site);

/* The search begins: forgets every location, and all but what is shared. */
void native_forget_memory(void);
/* The location of that memory; `*cuts`: it has several (struct op). */
unsigned native_location(uint64_t address, unsigned size, bool is_object,
                         uint32_t site, uint16_t *cuts);
/* How many bytes of that shared memory are one location. */
unsigned native_first_piece(uint64_t address, unsigned size, uint32_t site);
uint64_t native_location_address(unsigned location);
unsigned native_location_size(unsigned location);
uint64_t native_initial(void *context, unsigned location);
bool native_covers(void *context, const struct op *op, unsigned location);
const uint64_t *native_unwritten(void);
void native_reads_unwritten(void *context, const struct op *op,
                            unsigned thread);
/* Notes the role; false: that location has both kinds. */
bool native_location_takes(unsigned location, enum native_role role);
/* Does the model itself put such fences around its constructs? */
bool native_model_carries(void);
/* Words with bytes that are shared, two numbers each: the word's and which
 * bytes, then how these are mixed and cut.  No others are, from then on. */
uint32_t native_shared_words(uint64_t *to, uint32_t max);
void native_share_words(const uint64_t *from, uint32_t count);
/* The running thread touched that memory without an operation.  False: others
 * do, too. */
bool native_touch(uint64_t address, uint64_t size);
void native_share(uint64_t address, uint64_t size);
/* Is it known that all of it is shared? */
bool native_is_known(uint64_t address, uint64_t size);
/* A store to memory that cannot be written faults where it stands. */
void native_probe(const struct op *op);
void native_probe_at(unsigned location, unsigned count);
/* The location that begins there; GRAPH_LOCATIONS_MAX: none does. */
unsigned native_location_at(uint64_t address);

/* ---- Atomic blocks, native_block.c ---- */

/* Is that access in a block one of what others see?  Else it is counted. */
bool native_block_has(uint64_t address, unsigned size);
struct value native_block_load(uint64_t address, unsigned size,
                               enum event_order order, uint32_t site);
void native_block_store(uint64_t address, unsigned size, const struct value *v,
                        enum event_order order, uint32_t site);
struct value native_block_rmw(uint64_t address, unsigned size, enum rmw_op op,
                              const struct value *operand,
                              enum event_order order, uint32_t site);
struct value native_block_cas(uint64_t address, unsigned size,
                              const struct value *expected,
                              const struct value *desired,
                              enum event_order success,
                              enum event_order failure, uint32_t site);
/* Takes that fence, if it stands in a block. */
bool native_block_fence(unsigned bits);
/* The thread stopped: how the block turned out that ended last. */
bool native_block_effect(struct native_thread *n, struct effect *e);

/* What blocks touch, for others who explore the same tree; graph_search. */
void native_take_reaches(const struct native_reach *from, uint32_t count);
uint32_t native_reaches_known(struct native_reach *to);
int native_reaches(void *context, behaviour_node node, struct graph_reach *to);
bool native_location_is_ghost(void *context, unsigned location);

/* What failing rounds may leave behind.  native_own.c */
uint32_t native_facts(struct channel_fact *to, uint32_t max);
void native_take_facts(const struct channel_fact *from, uint32_t count);
void native_forget_seen(void);

struct thread_pair;

/* Of all that threads did in this search: may a load take effect after a later
 * store on some processor (native_pairs.c)?  `all_shared`: other threads may do
 * more. */
bool native_finds_pair(bool all_shared, struct thread_pair *pair);

/* Are data races of interest?  Then so are reads that lead nowhere. */
bool native_wants_races(void);
/* May the reads of a round that only waited for a condition be left out?
 * native_wait.c */
bool native_leaves_out_waits(void);

/* A fence by C11's orders; and an operation is announced: does it need them?
 * native_order.c */
void native_fence_by_order(unsigned bits, enum event_order order);
void native_look_for_order(const struct op *op);
/* May a round of a loop that gives up be left out, though the count changed?
 * Not if it, or another of that loop, changed more. */
bool native_round_is_idle(uint32_t loop, bool changed_nothing);
/* Of a thread that gives up: what that load returns.  native_bound.c */
bool native_feed(const struct op *op, uint64_t *value);
/* The running thread is at the header of that loop, and how often it has
 * entered it. */
void native_redo_passes(uint32_t loop, uint32_t entered);
uint32_t native_entered(uint32_t loop);
/* An OP_STORE.  False: it is an effect like any other. */
bool native_note_store(const struct op *op, uint64_t address);
/* A graph has ended: may somebody see what rounds stored that are left out?
 * native_redo.c */
void native_look_at_redone(const struct graph_engine *by,
                           const struct graph_search *s, const struct graph *g);
/* A thread waits for good in such a round of that loop. */
void native_redoes_for_good(uint32_t loop);
/* Rounds of that loop are left out as long as nobody waits there for good.
 * False: somebody does, or there is no room. */
bool native_notes_poll(uint32_t loop);
/* The running thread gives that loop up, and reads several places in each
 * round, among them that one.  False: others write more than one of them. */
bool native_notes_bound(uint32_t loop, uint64_t address);
/* It did so after so many rounds. */
void native_notes_rounds(uint32_t loop, uint32_t rounds);
/* Is it known how many, for all that it reads there? */
bool native_knows_rounds(uint32_t loop);
/* Reads of a round under that mutex are left out: on C11 they may race.
 * native_wait.c */
void native_note_guarded(const struct mutex *m, uint16_t operations);
/* Events of the thread whose clock was beyond `mark`. */
/* That many events ago; 0: the last. */
const struct native_event *native_event_ago(const struct native_thread *n,
                                            uint32_t ago);
uint16_t native_events_since(const struct native_thread *n, uint32_t mark);

/* The operation under way on an object is over: what became of it. */
struct effect native_take_effect(void);
/* States of objects, by number. */
void native_forget_states(void);
#define NATIVE_STATE_BYTES 56
uint64_t native_state(const void *bytes, size_t size);
size_t native_state_bytes(uint64_t state, void *to);

/* Of behaviour->twins.  native_twins.c */
bool native_equals(void *context, const struct behaviour_entry *x,
                   const struct behaviour_entry *y);
uint64_t native_renames(void *context, const struct op *op, uint64_t value,
                        unsigned from, unsigned to);

/* ---- How far a search is, native_state.c ---- */

/* All that is known, and the place: in the channel.  The way is of the choices
 * that are made now. */
void native_save_state(uint32_t width, const struct graph_way *at);
/* What is known of the program; the width. */
uint32_t native_load_state(void);
/* The choices at which the part begins that is left. */
void native_take_place(void);
/* The part is all that there is. */
void native_begin_part(void);
/* It begins after that way. */
const struct graph_way *native_resumes_after(void);
/* It ends with that way; NULL: not with the choices that are made now. */
const struct graph_way *native_ends_with(void);
/* Some of what is left becomes somebody else's, if it can be cut. */
void native_give_part(void);

/* A job ends: what it learnt stays, or what it learnt besides what was kept.  A
 * search begins that knows nothing of it.
 * A job begins: is it one of the same tree, at the same choices?  Then the trie
 * and all that it came from are as they were. */
void native_keep(void);
void native_keep_more(void);
/* Shall executions that are drawn close a cycle, and did the last one not?
 * (native_sample.c) */
bool native_misses_goal(void);
void native_forget_kept(void);
bool native_takes_kept(void);
/* Does the job that has begun go on with that? */
bool native_is_kept(void);

/* ---- A job, native_search.c: the whole search, or samples of it ---- */

/* Makes ready for a job.  native.refused: it cannot be done so. */
void native_begin_work(bool by_process);
void native_end_work(void);
/* A search of what is known now, with its engine.  Leaves are counted in the
 * channel; what is of interest there ends it. */
struct graph_search *native_open_search(const struct graph_engine **by);
/* It is over: is something wrong? */
void native_close_search(void);
/* Has something turned out that makes another tree? */
bool native_has_learnt(void);

/* Makes ready for a new search; runs a thread for the trie. */
void native_begin_search(void);
void native_run_thread(void *context, struct behaviour *b, behaviour_node node,
                       uint64_t value, struct op *op);
/* From the beginning of the program to that node.  False: it does not come
 * there again, and the search is given up. */
bool native_run_again(behaviour_node node);

/* The thread has stopped at that node, or is about to begin: it may be needed
 * there again.  Then: is there again; no node: where it begins.  False: nothing
 * is kept of that.  native_rewind.c */
void native_save_thread(behaviour_node node);
void native_save_start(uint32_t thread);
bool native_rewind_thread(uint32_t thread, behaviour_node node);
/* Once it is over: can the thread be taken back to where it announced that?
 * Does more than one value lead on from there? */
bool native_leads_back(const struct op *op);
bool native_has_ways(const struct op *op);
/* A thread has to go back: shall it run from its start instead?  Then: shall
 * the program begin anew? */
bool native_is_to_run_again(void);
bool native_is_to_begin_again(void);
struct native_part native_own_part(uint32_t thread);

/* What a thread observed, by its note: the last of it, in order. */
#define NATIVE_OBSERVED_MAX 64
struct native_observed {
    uint32_t site;
    int64_t value;
};
uint32_t native_observations(uint32_t note,
                             struct native_observed to[NATIVE_OBSERVED_MAX]);

/* The outcome of an execution in which threads came to these places; was
 * anything observed in this search; it is another one. */
void native_put_outcome(const struct graph_thread *threads, unsigned count);
bool native_has_notes(void);
void native_forget_notes(void);

#endif
