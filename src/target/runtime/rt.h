/* SPDX-License-Identifier: MIT
 *
 * The runtime's inner door: the state of one execution, and the verbs that
 * models of library functions (sync_*.c, libc_*.c) are written with.
 *
 * One OS thread runs everything.  The program's threads are fibers; a fiber
 * runs until it calls rt_step or rt_block, so code between two such calls is
 * atomic and needs no lock.  No malloc, no stdio: memory comes from fixed
 * mappings, and all state is found again at the start of each execution.
 */
#ifndef RUNTIME_RT_H
#define RUNTIME_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event/channel.h"
#include "event/event.h"
#include "event/program.h"
#include "model/model.h"
#include "schedule/schedule.h"

#define RT_MAX_THREADS SCHED_MAX_THREADS
#define RT_BUFFER_MAX 4096 /* entries of a buffer; then it must commit */
#define RT_READS_MAX 32    /* reads of one loop iteration, for awaits */
#define SILENT_TICKS 100   /* back edges without events, then others may run */
#define RT_KEYS_MAX 128    /* pthread keys, as PTHREAD_KEYS_MAX / 8 */

/* Set by instrumented code: a check was reached. */
extern uint32_t __fencer_checked;

/* A mutation test breaks one rule at a time: MUTANT(n) is false but in the
 * build made for that test. */
#ifdef FENCER_MUTANT
extern uint32_t __fencer_mutant;
#define MUTANT(n) (__fencer_mutant == (n))
#else
#define MUTANT(n) 0
#endif
/* Breaks an invariant of the runtime instead: no decision fits. */
#define MUTANT_BROKEN 1000

/* Called when a buffered store of a synchronisation object reaches memory. */
typedef void rt_commit_fn(void *address);

/* A store on its way to memory. */
struct buffered {
    uint64_t address;
    uint64_t value[2];
    rt_commit_fn *on_commit; /* NULL: an ordinary store */
    uint32_t ss, sl;         /* fences its thread had issued before it */
    uint32_t site;
    uint32_t event; /* number + 1 of its STORE in the trace */
    uint8_t size;
    uint8_t kind; /* EV_STORE or EV_UNLOCK */
    uint16_t number;
};

struct rt_read {
    uint64_t address;
    uint64_t value;
    uint32_t at; /* the thread's clock */
    uint8_t size;
};

/* More about the operation that a thread announced, for who asks what is
 * pending: see event/happening.h. */
struct rt_pending {
    uint64_t expected;
    uint8_t kind; /* 0: as announced */
    uint8_t size;
    uint8_t order, failure, flags;
};

enum thread_state {
    THREAD_UNUSED,
    THREAD_READY,
    THREAD_BLOCKED, /* in rt_block */
    THREAD_AWAITS,  /* in a spin loop that changes nothing */
    THREAD_PARKED,  /* goes no further: an assumption, a loop that was cut */
    THREAD_DONE     /* ran to its end; perhaps not joined yet */
};

struct thread {
    void *sp; /* saved stack pointer while it does not run */
    struct sched_thread *sched;
    uint32_t id;
    uint8_t state; /* enum thread_state */
    bool detached, joined, timed_out, exiting;
    bool interrupted; /* a signal, or a cancellation, may wait for it */
    bool in_model; /* of a library function that does not say what it touches */

    /* Its place in the program. */
    uint32_t clock;        /* events so far */
    uint32_t last_effect;  /* clock of the last event that changed something */
    uint32_t prior_effect; /* the same of the one before it */
    uint32_t last_firm;    /* of these, one that is no store (native_redo.c) */
    uint32_t burst;        /* dense phase it last took part in */
    uint32_t dense_from;   /* clock at which that began */
    uint32_t site;         /* of the operation under way */
    uint32_t atomic_depth;
    bool block_begins;     /* a fencer_atomic block has made no access yet */
    bool once;             /* in an operation that may not try again */
    uint32_t silent_ticks; /* back edges without an event in between */

    /* Why it does not run. */
    const void *blocked_on;
    uint8_t blocked_kind; /* enum event_kind */
    const char *blocked_words;
    /* Would the announced operation wait?  NULL: it never does. */
    bool (*would_wait)(const struct thread *t, const void *object);
    struct rt_pending pending;

    /* Its store buffer, oldest first. */
    struct buffered *buffer;
    uint32_t buffered;
    uint32_t ss, sl; /* fences issued */
    uint16_t stores; /* put into the buffer */
    uint64_t bloom;  /* words that may be in the buffer */

    /* What it may still read (models that reorder loads). */
    uint64_t floor;       /* no moment before this */
    uint64_t last_commit; /* moment of its last own commit */
    uint64_t newest_read; /* the latest moment it has read (--deps) */
    uint64_t announced;   /* moment since when it could do its operation */

    /* Reads since the last loop iteration. */
    uint32_t read_count;
    uint32_t reads_from; /* clock since which `reads` is complete */
    uint32_t last_stale; /* clock of the last load of an older value */
    uint32_t idle_end;   /* clock after the last failing iteration */
    uint64_t idle_reads; /* what that had read */

    /* Thread library. */
    void (*entry)(struct thread *t);
    void *(*start)(void *);
    int (*start_c11)(void *);
    void *argument, *result;
    struct thread *joiner;
    struct rt_cleanup *cleanups;
    int saved_errno;
    char *tls;
    char *stack, *stack_end;
    void *sync; /* scratch of sync_*.c while it is blocked */
    struct rt_wait {
        const void *mutex; /* it holds that since a wait for a condition */
        uint32_t before;   /* its last effect before that wait */
        uint32_t from, to; /* its clock at both ends of the wait */
        uint32_t round;    /* when the round of a loop with that wait began,
                              which changed nothing else; 0: there is none */
    } spurious, told;      /* it ended by itself; or the thread was told, which
                              nobody else could have been (sync_cond.c) */
    struct rt_wait polled; /* the mutex was let go and taken again */
    uint32_t woken;        /* from condition variables, in a graph */

    /* Large, and not cleared when a thread is made: read_count and rt.key_end
     * say how much of it is meant. */
    struct rt_read reads[RT_READS_MAX];
    const void *keys[RT_KEYS_MAX];
};

struct rt {
    struct channel *channel;
    const struct model *model;
    const struct strategy *strategy;
    struct thread *current;
    struct thread *threads; /* RT_MAX_THREADS of them */
    uint32_t thread_count;  /* made in this execution */
    uint32_t live;          /* not DONE */
    uint32_t key_end;       /* keys made in this execution are below this */
    uint32_t key_most;      /* and in any */
    bool dense;             /* every access is a hook */
    bool tracing;
    bool untold; /* its trace has no room for what comes now */
    bool recording;
    bool multi;      /* a second thread was made and lives */
    bool graphs;     /* threads run one by one, for a search over graphs
                        (native.h) */
    bool deciding;   /* a commit is the strategy's decision */
    bool must_leave; /* this process is not fit for another execution */
    uint32_t burst;
    uint64_t run;
    uint64_t serial; /* of the execution in this process, from 1 */
    uint64_t events; /* of this execution, seen by hooks */
    uint64_t max_events;
    uint64_t now;              /* moment: commits so far */
    uint32_t awaiting;         /* threads in THREAD_AWAITS */
    enum execution_end parked; /* a thread is, and why; END_COMPLETE: none */
    uint32_t dense_left;       /* steps of this dense phase still to come */
    uint64_t lone_looks;       /* at a thread that is alone */
    bool left_alone;           /* since the others ended; not looked at yet */
    uint64_t clock_ns;         /* virtual time */
    uint32_t buffer_limit;
    uint32_t fence_count; /* virtual fences, in the channel */
    struct sched_view view;
    struct sched_thread sched[RT_MAX_THREADS];
};
extern struct rt rt;
extern const struct fencer_program __fencer_program;

/* ---- Scheduling: sched.c ---- */

static inline struct thread *rt_self(void)
{
    return rt.current;
}

/* The site that instrumented code left for the modelled call under way; call
 * it first thing in a model, once. */
uint32_t rt_take_site(void);
/* The same for calls that a spin loop may make without changing anything:
 * yield, trylock, pthread_self. */
uint32_t rt_take_site_quiet(void);
/* For models that say all they touch (runtime/footprint.h); as the first, and
 * as the second. */
uint32_t rt_take_site_known(void);
uint32_t rt_take_site_known_quiet(void);
/* Of an exit that changes nothing. */
uint32_t rt_take_site_of_end(void);

/* "I am about to do this": others may run, stores may commit; on return it is
 * the caller's turn, and nobody else runs until it calls rt_step or rt_block
 * again. */
void rt_step(enum event_kind kind, const void *address, unsigned size,
             uint32_t site);

/* The same for an operation that waits for all of the own buffer. */
void rt_step_draining(enum event_kind kind, uint32_t site);

/* Sleep until rt_wake_*, or, if `timed`, until the scheduler lets time pass.
 * True: woken, false: timed out.  `words` completes "waits for ...".  The
 * caller tests its condition again: others may have been faster. */
bool rt_block(enum event_kind kind, const void *address, bool timed,
              const char *words);
void rt_wake(struct thread *t);
/* Wakes everybody blocked on that address. */
void rt_wake_all(const void *address);

/* A number below n, chosen by the scheduler (recorded, replayed). */
uint32_t rt_choose(uint32_t n);

/* Gave way: yield, sleep. */
void rt_yield(void);

/* A new fiber that runs entry(t) and must end in rt_thread_end.  NULL: too
 * many threads. */
struct thread *rt_thread_make(void (*entry)(struct thread *t));
_Noreturn void rt_thread_end(void);
struct thread *rt_thread_of(uint32_t id); /* NULL: there is none */

/* ---- Memory.  machine.c ---- */

uint64_t rt_load(const void *address, unsigned size, enum event_order order,
                 uint32_t site);
/* After a full fence, with nothing between the two: the last value. */
uint64_t rt_load_fenced(const void *address, unsigned size, uint32_t site);
void rt_store(void *address, unsigned size, uint64_t value,
              enum event_order order, uint32_t site);
uint64_t rt_rmw(void *address, unsigned size, enum rmw_op op, uint64_t operand,
                enum event_order order, uint32_t site);
/* Returns what was there; equal to expected: it swapped. */
uint64_t rt_cas(void *address, unsigned size, uint64_t expected,
                uint64_t desired, enum event_order success,
                enum event_order failure, uint32_t site);

/* Fences of the running thread, enum model_fence bits, without an event. */
void rt_fence(unsigned bits);
/* Commit every buffered store of t. */
void rt_drain(struct thread *t);
/* The running thread may read nothing older than memory holds now. */
void rt_cut(void);
/* What a call into uninstrumented code does: drains, cuts the histories. */
void rt_drain_and_cut(void);
/* A full fence of every thread, wherever it is: membarrier. */
void rt_fence_everybody(void);

/* Commit the running thread's buffered stores that touch that range, with all
 * that must go before them: memory is about to change hands. */
void rt_drain_range(uint64_t address, uint64_t size);

/* The halves of a synchronisation operation that reads and writes its object
 * at `address` as the model's recipe for the construct says.  rt_acquire: the
 * fences and drains before a lock's RMW; the model then looks at and changes
 * its object's memory itself, and rt_acquired does what comes after. */
void rt_acquire(enum model_construct construct, void *address);
void rt_acquired(enum model_construct construct, void *address);
/* What the model, or --locks paper, puts around a construct. */
struct model_recipe rt_recipe(enum model_construct construct);
/* For the event of a release, which comes before it: EVF_BUFFERED if the store
 * will wait. */
uint32_t rt_release_flags(enum model_construct construct);
/* The releasing store: now, or when it leaves the buffer, on_commit(address)
 * is called, which changes the object and wakes who waits. */
void rt_release(enum model_construct construct, void *address,
                rt_commit_fn *on_commit);

/* Memory of the program that the runtime itself is about to write: keeps it
 * for the reset.  Call before writing an object's words. */
void rt_touch(void *address, size_t size);

/* ---- What happened.  runtime_record.c, fault.c ---- */

const struct fencer_site *rt_site(uint32_t site);

/* Note an event of the running thread (counts it; in a trace, writes it). */
void rt_event(enum event_kind kind, const void *address, unsigned size,
              uint64_t value, uint32_t flags, uint32_t site);

/* The program failed: the execution ends here.  `format` knows %s, %d, %u, %x
 * and %l (long long) only; NULL: the kind's own words. */
_Noreturn void rt_fail(enum failure_kind kind, uint32_t site,
                       const char *format, ...);
/* The execution ends without a verdict: fencer_assume, max_events. */
_Noreturn void rt_end_execution(void);
/* An assumption does not hold: neither does the execution count. */
_Noreturn void rt_assume_not(void);
/* The running thread goes no further, and the execution, when all others have
 * come as far as they can, ends so: END_ASSUMED or END_CUT. */
_Noreturn void rt_park(enum execution_end how);
/* The execution grew beyond max_events. */
_Noreturn void rt_cut_execution(void);
/* Another execution shows all that this one would. */
_Noreturn void rt_end_redundant(void);
/* Nobody can run: tells who waits for what. */
_Noreturn void rt_fail_stuck(enum failure_kind kind,
                             const struct thread *worst);
/* The program ends with that exit code, after its handlers ran. */
_Noreturn void rt_exit(int code);
/* The program uses what in-process reset cannot undo.  May not return: with
 * more executions to come the tool starts over with a process for each. */
void rt_needs_process(const char *why);

/* The program is about to get what no replay can repeat: `what`, or `what` of
 * the file `of`. */
void rt_nondeterministic(const char *what, const char *of, uint32_t site);

/* Bytes of the program's stdout or stderr, captured. */
void rt_output(const char *bytes, size_t count);

/* A small vsnprintf: %s %d %u %x %l %c %%; returns the length written. */
size_t rt_format(char *to, size_t size, const char *format,
                 __builtin_va_list arguments);
size_t rt_print(char *to, size_t size, const char *format, ...);

/* ---- Heap.  heap.c ---- */

void *rt_malloc(size_t size, size_t align, bool zero, uint32_t site);
void rt_free(void *address, uint32_t site);
size_t rt_malloc_size(const void *address); /* 0: not one of ours */
/* Uninstrumented code is about to touch [address, address + size): a finding
 * if that is not all allocated. */
void rt_check_range(const void *address, size_t size, bool write,
                    uint32_t site);

#endif
