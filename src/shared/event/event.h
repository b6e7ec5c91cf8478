/* SPDX-License-Identifier: MIT
 *
 * The words everything else speaks: what can happen in an execution, how an
 * occurrence is written down, and how a program can fail.
 *
 * An execution is a sequence of events.  Each has a thread, a site (one access
 * in the source), an object and an offset, a size, a value, its index in its
 * thread, and its place in the object's coherence order (docs/models.md).
 */
#ifndef EVENT_EVENT_H
#define EVENT_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* EVENT(KIND, letter in dumps, reads, writes, words for the user)
 *
 * STORE is a store's issue.  Where the model buffers, the COMMIT that follows
 * is when memory changes; where it does not, STORE itself writes. */
#define EVENT_KINDS(EVENT)                                                     \
    EVENT(NONE, '-', 0, 0, "nothing")                                          \
    EVENT(LOAD, 'R', 1, 0, "load")                                             \
    EVENT(STORE, 'W', 0, 1, "store")                                           \
    EVENT(COMMIT, 'C', 0, 1, "commit")                                         \
    EVENT(RMW, 'U', 1, 1, "read-modify-write")                                 \
    EVENT(CAS_FAIL, 'u', 1, 0, "failed compare-and-swap")                      \
    EVENT(FENCE, 'F', 0, 0, "fence")                                           \
    EVENT(CREATE, 'c', 0, 0, "create thread")                                  \
    EVENT(START, 's', 0, 0, "start")                                           \
    EVENT(EXIT, 'x', 0, 0, "exit")                                             \
    EVENT(JOIN, 'j', 0, 0, "join")                                             \
    EVENT(LOCK, 'l', 1, 1, "lock")                                             \
    EVENT(LOCK_FAIL, 'f', 1, 0, "lock not taken")                              \
    EVENT(UNLOCK, 'k', 0, 1, "unlock")                                         \
    EVENT(WAIT, 'w', 1, 1, "wait")                                             \
    EVENT(POST, 'p', 1, 1, "post")                                             \
    EVENT(YIELD, 'y', 0, 0, "yield")                                           \
    EVENT(ALLOC, 'a', 0, 0, "allocate")                                        \
    EVENT(FREE, 'e', 0, 0, "free")                                             \
    EVENT(CALL, 'X', 0, 0, "call")                                             \
    EVENT(CHOOSE, 'n', 0, 0, "choose")                                         \
    EVENT(OBSERVE, 'o', 0, 0, "observe")                                       \
    EVENT(AWAIT, 'q', 1, 0, "await")                                           \
    EVENT(FAIL, '!', 0, 0, "failure")                                          \
    EVENT(STUCK, 'z', 0, 0, "wait for ever")

enum event_kind {
#define EVENT(kind, letter, reads, writes, words) EV_##kind,
    EVENT_KINDS(EVENT)
#undef EVENT
        EV_KIND_COUNT
};

/* Memory orders carry LLVM's numbers, so that the instrumenter passes them on
 * as they are. */
enum event_order {
    ORDER_PLAIN = 0,
    ORDER_VOLATILE = 1,
    ORDER_RELAXED = 2,
    ORDER_ACQUIRE = 4,
    ORDER_RELEASE = 5,
    ORDER_ACQ_REL = 6,
    ORDER_SEQ_CST = 7
};

/* Can it race?  In C11 as it is written `volatile` does not make an access
 * atomic; whoever writes it for other threads relies on the compiler to do one
 * access, as relaxed atomics have it, and compilers do.  So it is taken for
 * relaxed, and the limits say so. */
static inline bool order_is_atomic(enum event_order order)
{
    return order != ORDER_PLAIN;
}

/* How an RMW combines memory with its operand. */
enum rmw_op {
    RMW_XCHG,
    RMW_ADD,
    RMW_SUB,
    RMW_AND,
    RMW_NAND,
    RMW_OR,
    RMW_XOR,
    RMW_MAX,
    RMW_MIN,
    RMW_UMAX,
    RMW_UMIN,
    RMW_FADD,
    RMW_FSUB,
    RMW_FMAX,
    RMW_FMIN,
    RMW_UINC,
    RMW_UDEC
};

/* What an event's flags say beyond its kind. */
enum event_flag {
    EVF_ORDER = 0x7,       /* enum event_order */
    EVF_FORWARDED = 0x10,  /* load: some byte came from the own buffer */
    EVF_STALE = 0x20,      /* load: an older value than memory held */
    EVF_BUFFERED = 0x40,   /* store: went into the buffer */
    EVF_ATOMIC = 0x80,     /* inside fencer_atomic, or an RMW's own access */
    EVF_TIMED_OUT = 0x100, /* a timed wait that the scheduler ended */
    EVF_ALPHA = 0x200,     /* stale load: overtook one its address depends on */
    EVF_GHOST = 0x400,     /* on a fencer_ghost variable */
    EVF_SPURIOUS = 0x800,  /* a wait that nobody ended; also EVF_TIMED_OUT */
    EVF_PART = 0x1000,     /* of the access that the event before is of, too:
                              single-copy atomic.  Processors only. */
    EVF_OWN_SHIFT = 13,    /* RMW, CAS_FAIL: what the source has for that end of
                              a CAS, from bit 13 on, if EVF_ORDER has that of
                              its one instruction; else 0 */
    EVF_FENCE_SHIFT = 16   /* FENCE: enum model_fence bits, from bit 16 on */
};

/* Threads of one execution. */
#define EVENT_THREADS_MAX 1024

/* One event, as the runtime writes it and everybody reads it. */
struct event {
    uint8_t kind;    /* enum event_kind */
    uint8_t size;    /* bytes, 0 where there are none */
    uint16_t thread; /* 0 is main */
    uint32_t site;   /* index into the program's sites; 0: none */
    uint32_t object; /* index into the trace's objects; 0: none */
    uint32_t flags;  /* enum event_flag */
    uint64_t offset; /* of the access in its object */
    uint64_t value;  /* loaded or stored; CREATE, JOIN: the other thread */
    uint64_t wrote;  /* RMW: what it left in memory */
    uint32_t index;  /* in its thread, from 0: program order */
    uint32_t from;   /* LOAD, RMW: number + 1 of the store or RMW it read, 0:
                        the initial value; a stale load: of those it read, the
                        one that came last.  COMMIT: of its own STORE. */
    uint32_t co;     /* writes: position in the object's coherence order, from
                        1; a buffered STORE has 0, its COMMIT the position */
    uint32_t depth; /* STORE, COMMIT: own stores still buffered after it.  Of an
                       execution of a processor, which nobody ran: its place
                       in an order in which all take effect, from 1 */
};

/* FAILURE(KIND, words for the user) */
#define FAILURE_KINDS(FAILURE)                                                 \
    FAILURE(NONE, "no failure")                                                \
    FAILURE(ASSERT, "assertion failed")                                        \
    FAILURE(ABORT, "the program called abort")                                 \
    FAILURE(EXIT_CODE, "the program ended with a failing exit code")           \
    FAILURE(NULL_ACCESS, "access through a null pointer")                      \
    FAILURE(SEGV, "access to memory that is not there")                        \
    FAILURE(STACK_OVERFLOW, "stack overflow")                                  \
    FAILURE(ARITHMETIC, "arithmetic fault")                                    \
    FAILURE(ILLEGAL, "illegal instruction or trap")                            \
    FAILURE(SIGNAL, "killed by a signal")                                      \
    FAILURE(USE_AFTER_FREE, "use after free")                                  \
    FAILURE(DEAD_STACK, "use of a stack after its thread ended")               \
    FAILURE(DOUBLE_FREE, "double free")                                        \
    FAILURE(BAD_FREE, "free of a pointer that malloc did not return")          \
    FAILURE(OUT_OF_BOUNDS, "heap access out of bounds")                        \
    FAILURE(DEADLOCK, "deadlock")                                              \
    FAILURE(LOST_WAKEUP, "lost wake-up")                                       \
    FAILURE(LIVELOCK, "livelock")                                              \
    FAILURE(HANG, "a loop that does not end")                                  \
    FAILURE(MISUSE, "misuse of a synchronisation object")                      \
    FAILURE(UNDEFINED, "use of an undefined value")                            \
    FAILURE(UNSUPPORTED, "something Fencer cannot run")                        \
    FAILURE(OBSERVATION, "an observation that no serial execution has")

enum failure_kind {
#define FAILURE(kind, words) FAIL_##kind,
    FAILURE_KINDS(FAILURE)
#undef FAILURE
        FAIL_KIND_COUNT
};

const char *event_kind_words(enum event_kind kind);
char event_kind_letter(enum event_kind kind);
const char *failure_kind_words(enum failure_kind kind);
const char *order_words(enum event_order order);

/* What the order makes of a load, of a store, or of both halves of an RMW. */
static inline bool order_acquires(enum event_order order)
{
    return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL ||
           order == ORDER_SEQ_CST;
}

static inline bool order_releases(enum event_order order)
{
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL ||
           order == ORDER_SEQ_CST;
}

/* The weakest order that is as strong as both. */
static inline enum event_order order_join(enum event_order a,
                                          enum event_order b)
{
    enum event_order high = a > b ? a : b;

    return (a == ORDER_ACQUIRE && b == ORDER_RELEASE) ||
                   (a == ORDER_RELEASE && b == ORDER_ACQUIRE)
               ? ORDER_ACQ_REL
               : high;
}

bool event_reads(const struct event *e);
/* Does memory change at this event?  A buffered STORE writes nothing yet. */
bool event_writes(const struct event *e);

#endif
