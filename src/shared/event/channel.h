/* SPDX-License-Identifier: MIT
 *
 * The memory that the tool and the tested program share: what to do, how far
 * it is, what went wrong, and what happened.  One sparse memfd, mapped by both
 * sides; its number reaches the program in the environment as FENCER_CHANNEL.
 * Without that variable the program runs once, on SC, and behaves as if Fencer
 * were not there (so that ./configure's probes work).
 *
 * The tool fills `struct channel` up to `state` and starts the program; the
 * program runs executions [first, first + count) and leaves its results.  If
 * it dies, all that it wrote until then is still here.
 */
#ifndef EVENT_CHANNEL_H
#define EVENT_CHANNEL_H

#include <stdint.h>

#include "event/event.h"

#define CHANNEL_ENV "FENCER_CHANNEL"
#define CHANNEL_MAGIC 0x314c4e4843434e46ull /* "FNCCHNL1" */
#define CHANNEL_ADDRESS 0x220000000000ull   /* in the program */

/* Regions after the header, at fixed offsets of the memfd.  All are sparse:
 * what nobody writes costs nothing. */
#define CHANNEL_OUTPUT_AT (1ull << 20) /* captured stdout and stderr */
#define CHANNEL_OUTPUT_MAX (16ull << 20)
#define CHANNEL_SCHEDULE_AT (32ull << 20) /* uint32_t decisions, see below */
#define CHANNEL_SCHEDULE_MAX (1ull << 26)
#define CHANNEL_OUTCOMES_AT (2ull << 30) /* struct outcome, packed */
#define CHANNEL_OUTCOMES_MAX 65536ull
#define CHANNEL_SPEC_AT (9ull << 28)       /* struct spec_text, or one text */
#define CHANNEL_EXECUTIONS_AT (5ull << 29) /* struct channel_execution */
#define CHANNEL_EXECUTIONS_MAX 500000ull
#define CHANNEL_OBJECTS_AT (3ull << 30) /* struct object_record */
#define CHANNEL_OBJECTS_MAX (1ull << 24)
#define CHANNEL_SEARCH_AT (4ull << 30) /* STRATEGY_EVERY's own */
#define CHANNEL_SEARCH_MAX (1ull << 30)
/* STRATEGY_GRAPH: what it gives away, in the same region. */
#define CHANNEL_GIVEN_AT (CHANNEL_SEARCH_AT + CHANNEL_SEARCH_MAX / 4)
#define CHANNEL_FACTS_AT (CHANNEL_SEARCH_AT + CHANNEL_SEARCH_MAX / 2)
#define CHANNEL_FACTS_MAX (1ull << 13) /* struct channel_fact */
#define CHANNEL_STEPS_AT (5ull << 30)  /* struct witness_step */
#define CHANNEL_STEPS_MAX ((1ull << 30) / sizeof(struct witness_step))
#define CHANNEL_LOG_AT (6ull << 30) /* struct happening */
#define CHANNEL_LOG_MAX (1ull << 24)
#define CHANNEL_EVENTS_AT (8ull << 30) /* struct event */
#define CHANNEL_EVENTS_MAX ((8ull << 30) / sizeof(struct event))
#define CHANNEL_SIZE (16ull << 30)

enum channel_strategy {
    STRATEGY_RANDOM,
    STRATEGY_PCT,
    STRATEGY_POS,
    STRATEGY_RR,
    STRATEGY_EVERY,   /* all executions, one after the other */
    STRATEGY_DESCENT, /* random executions as graphs (graph/), one by one */
    STRATEGY_FORWARD,
    STRATEGY_DEPTH,
    STRATEGY_MIXED,  /* descent and forward in turn */
    STRATEGY_REPLAY, /* the decisions in the schedule region */
    STRATEGY_RELAXER,
    STRATEGY_ORION,
    STRATEGY_DIRECTED, /* these three try to create the cycle in `goal` */
    STRATEGY_EXPLORE,  /* all executions up to equivalence (explore/) */
    STRATEGY_WITNESS,  /* the execution that `witness` describes */
    STRATEGY_GRAPH     /* all executions, as graphs (graph/) */
};

enum channel_flag {
    CHANNEL_LOCKS_PAPER = 1,
    CHANNEL_CAS_BUFFERABLE = 2,
    CHANNEL_DEPS = 4,
    CHANNEL_TRACE = 8,       /* write events and objects of every execution */
    CHANNEL_RECORD = 16,     /* write the decisions of the last execution */
    CHANNEL_KEEP_GOING = 32, /* do not stop at the first failure */
    CHANNEL_BY_PROCESS = 64, /* a process per execution, always */
    CHANNEL_STOP = 128,      /* gdb waits: raise SIGTRAP at the failure */
    CHANNEL_STAY = 256,      /* at the end wait for another job */
    CHANNEL_LOG = 512,       /* write down what happened in the last execution,
                                as event/happening.h has it */
    CHANNEL_SERIAL = 1024,   /* operations of a test are steps */
    CHANNEL_NO_SPURIOUS = 2048, /* who waits for a condition is told */
    CHANNEL_NO_DEPENDS = 4096 /* nothing depends on anything (graph/depends.h):
                                 does a verdict hold without? */
};

enum channel_state {
    STATE_NEW,         /* the program has not come to main yet */
    STATE_RUNNING,     /* execution `run` is under way */
    STATE_DONE,        /* all executions asked for, or stopped at a failure */
    STATE_BAD_PROGRAM, /* message says why it cannot be run */
    STATE_BROKEN       /* message says which invariant of the runtime broke */
};

struct channel_failure {
    uint32_t kind; /* enum failure_kind */
    uint32_t thread;
    uint32_t site;
    uint32_t signal;
    int64_t exit_code;
    uint64_t run;      /* execution number it happened in */
    uint64_t pc;       /* of an instruction that faulted outside of any hook:
                          the site is the first one of its line; else 0 */
    char message[512]; /* in the user's words: "assertion failed: a == b" */
};

/* What the program asked of the world and may be answered otherwise next time:
 * the time-stamp counter, a random device, /proc.  The first of the job. */
struct channel_source {
    uint32_t site;
    char what[124]; /* "rdtsc", "read of /dev/urandom"; empty: nothing */
};

/* An instruction of the program and its site, if there is one. */
struct channel_place {
    uint64_t pc; /* 0: nobody asked */
    uint32_t site, reserved;
};

/* A distinct list of fencer_observe values and how often it was seen.  Text:
 * "label=value " for each, by thread and then in the order observed, with "| "
 * between the threads of a test; ends with NUL. */
#define OUTCOME_TEXT_MAX 240
struct outcome {
    uint64_t count;
    uint64_t first_run;
    char text[OUTCOME_TEXT_MAX];
};

/* What the threads of a test may observe. */
enum channel_spec {
    SPEC_NONE,
    SPEC_ALLOWED,  /* these texts, sorted, and no other */
    SPEC_FORBIDDEN /* all but what begins with this text, of any length */
};

struct spec_text {
    char text[OUTCOME_TEXT_MAX];
};

enum object_kind {
    OBJECT_NONE,
    OBJECT_GLOBAL,
    OBJECT_HEAP,
    OBJECT_STACK,
    OBJECT_TLS,
    OBJECT_OTHER
};

struct object_record {
    uint32_t kind;   /* enum object_kind */
    uint32_t number; /* global: index; heap: allocation number, from 1;
                        stack, tls: thread */
    uint32_t site;   /* heap: where it was allocated */
    uint32_t thread;
    uint64_t address, size;
};

/* A happens-before cycle to create: its accesses in cyclic order, as
 * predict/predict.h has them.  Edges go from each node to the next, and from
 * the last to the first: from a FIRST to the SECOND after it by program order,
 * all others by conflict. */
#define GOAL_NODES_MAX 16

enum goal_pair {
    GOAL_ALONE, /* the only access of its thread */
    GOAL_FIRST, /* first and second of a pair in program order */
    GOAL_SECOND
};

struct goal_node {
    uint32_t site;
    uint8_t role; /* number of its thread among those of the cycle, from 0 */
    uint8_t pair; /* enum goal_pair */
    uint8_t reads, writes;
};

enum goal_stop {
    GOAL_STOP_AT_HIT,     /* after an execution that seems to have created it */
    GOAL_STOP_AT_FAILURE, /* after one that created it and failed */
    GOAL_STOP_NEVER
};

struct channel_goal {
    /* Written by the tool. */
    uint32_t node_count; /* 0: there is no goal */
    uint32_t reorder;    /* bit i: the pair of nodes i, i + 1 may be what is
                            reordered; others are kept in order */
    uint32_t stop;       /* enum goal_stop */
    uint32_t reserved;
    struct goal_node nodes[GOAL_NODES_MAX];
    /* Written by the program.  A hit is the strategy's opinion; the tool looks
     * at the trace. */
    uint64_t hits;
    uint64_t hit_run; /* the last of them */
};

/* What is not in the program: a fence after each access of that site, or a
 * stronger order of these accesses. */
#define CHANNEL_FENCES_MAX 16
#define CHANNEL_DRAINS_MAX 16
struct channel_fence {
    uint32_t site;
    uint32_t bits; /* enum model_fence; or one of those below */
};

/* No fence: the order in the lowest bits, and what the access has; of a CAS
 * that of its success, or that of its failure. */
#define CHANNEL_FENCE_ORDER (1u << 30)
#define CHANNEL_FENCE_FAILURE (1u << 29)
#define CHANNEL_FENCE_FROM 8 /* the order in the source, from this bit on */

/* No fence either: the thread's stores commit here, as decisions that a
 * replay takes without any fence.  An execution of the program as it is. */
#define CHANNEL_FENCE_COMMIT (1u << 31)

enum execution_end {
    END_COMPLETE,
    END_FAILED,
    END_CUT,      /* max_events */
    END_ASSUMED,  /* fencer_assume */
    END_REDUNDANT /* another execution shows the same: counts for nothing */
};

/* With CHANNEL_TRACE: where an execution's events and objects lie.  `from` and
 * object numbers in its events count from its own first ones. */
struct channel_execution {
    uint64_t run;
    uint64_t first_event, event_count;
    uint64_t first_object, object_count;
    uint64_t outcome;     /* number of its struct outcome + 1; 0: none */
    uint64_t output_hash; /* of all it printed; equal outputs, equal hashes */
    uint32_t end;         /* enum execution_end */
    uint32_t unlike;      /* 1: what engines were told is not what the trace
                             says; a mistake of ours */
    struct channel_failure failure; /* if it failed */
};

/* ---- STRATEGY_EXPLORE ---- */

#define CHANNEL_MONITORS_MAX 8
#define CHANNEL_RACES_MAX 64
#define EXPLORE_TREE_SIZE CHANNEL_SEARCH_MAX /* sparse */

enum explore_flag {
    EXPLORE_PLAIN = 1,   /* every interleaving (--no-dpor) */
    EXPLORE_BOUNDED = 2, /* at most `bound` preemptions */
    EXPLORE_RACES = 4,   /* look for data races */
    EXPLORE_COUNT = 8,   /* count distinct traces; for tests */
    EXPLORE_ONCE = 16    /* monitors that are `known` need not look any more */
};

/* monitor/monitor.h's report, with the execution it was found in. */
struct channel_report {
    uint32_t found; /* 1: there is one */
    uint32_t e_thread, e_site, e_index, e_number, e_kind;
    uint32_t w_thread, w_site, w_index, w_number;
    uint64_t address;
    uint64_t run;
};

struct channel_race {
    uint32_t first, second; /* sites */
    uint32_t first_thread, second_thread;
    uint64_t address;
    uint64_t run;
};

struct channel_explore {
    /* Written by the tool. */
    uint32_t flags;    /* enum explore_flag */
    uint32_t bound;    /* preemptions, with EXPLORE_BOUNDED */
    uint32_t unroll;   /* iterations of a loop with effects; 0: no limit */
    uint32_t monitors; /* bit i: enum monitor_kind i is on */
    uint32_t known;    /* monitors that need not report again: a new report of
                          any other ends the job after that execution */
    int32_t tree_fd;   /* the search tree, which outlives its worker; -1: in the
                          search region of this channel */
    uint32_t news;     /* 0; set to 1 by a report or race that is not known: the
                          job ends after that execution */
    /* Written by the program; sums over this job. */
    uint64_t traces;   /* executions that are none of the others again */
    uint64_t distinct; /* EXPLORE_COUNT: different traces among them */
    uint64_t borderline[CHANNEL_MONITORS_MAX]; /* executions reported on */
    uint32_t doubts[CHANNEL_MONITORS_MAX];     /* enum monitor_doubt */
    struct channel_report reports[CHANNEL_MONITORS_MAX];
    uint32_t unroll_site; /* a loop that was cut; 0: none */
    uint32_t incomplete;  /* 1: something was left out, for `why` */
    char why[128];
    uint32_t race_count;
    uint32_t too_long; /* executions cut for another reason than `unroll` */
    struct channel_race races[CHANNEL_RACES_MAX];
};

/* ---- STRATEGY_GRAPH, and random executions as graphs ---- */

#define CHANNEL_AWAITS_MAX 32
#define CHANNEL_KNOWN_MAX 64
#define GRAPH_RACES_MAX 16

/* Why a search ended before its end. */
enum graph_found {
    FOUND_NOTHING,
    FOUND_FAILURE,   /* an execution that fails, and is not known */
    FOUND_STRANGE,   /* one that observes what is not in the spec region */
    FOUND_NOT_SC,    /* one that SC does not have */
    FOUND_RACE,      /* one with a data race that is not known */
    FOUND_UNORDERED, /* one of SC, with a data race by C11's happens-before */
    FOUND_LATE       /* by a model that is the weakest of several: a load that
                        may be late, or what any of the others would be; no
                        execution is shown */
};

#define CHANNEL_WEIGHTS_MAX 65536ull

/* Accesses of a site, and in how many ways they could happen. */
#define CHANNEL_BRANCHES_MAX 4
struct channel_branch {
    uint32_t site;
    uint32_t threads; /* bit n: thread n came there */
    uint32_t times;   /* in one execution by one of them, at most */
    uint32_t reserved;
    double bits; /* of choice, over all descents */
};

/* Of a loop and 8 bytes of memory, a bit a byte: what was found out about them
 * so far (runtime/native_own.c).  Of all who explore one tree together, no byte
 * may be both live and relied on, unless it was known to be when they began. */
struct channel_fact {
    uint64_t word;
    uint32_t loop;
    uint8_t live, relied, known, reserved;
};

/* Graphs that are looked at for late loads, at most. */
#define CHANNEL_LATE_MAX (1u << 18)

struct channel_graph {
    /* Written by the tool. */
    uint32_t wants_not_sc;    /* 1: FOUND_NOT_SC, too */
    uint32_t wants_races;     /* 1: FOUND_RACE, too, on SC; C11 always does */
    uint32_t wants_unordered; /* 1: on SC, FOUND_UNORDERED, too; once */
    uint32_t knows_unordered; /* 1: that was it */
    uint32_t wants_pairs;     /* 1: on C11, `unprotected` for processors */
    uint32_t doubts;          /* 1: a job before this one said `unprotected` */
    uint32_t all_known;       /* 1: no failure is to be reported */
    uint32_t only_counts;     /* 1: nothing is reported, all are counted */
    uint32_t judges;          /* 1: a test that observes what is not in the spec
                                 region fails */
    uint32_t symmetric; /* 1: of executions that differ only in the names of
                           equal threads, one */
    uint32_t lists;     /* 1: all of them are written down, each as a list of
                           steps (WITNESS_LIST) */
    uint32_t tells; /* on a model without a machine: so many of those that SC
                       does not have are written down, each as a trace, as long
                       as there is room; then `full` is set */
    uint32_t keeps_rounds; /* 1: a thread may go on after a failing round of a
                              spin loop, to one that reads something else */
    uint32_t forgets; /* 1: what threads do, at each look: as if there were no
                         room for it */
    uint32_t known_count;
    uint64_t known[CHANNEL_KNOWN_MAX]; /* signatures of failures, races */
    uint32_t shared; /* 1: others explore other parts of the tree, or did */
    uint32_t tree;   /* a number; what a worker learnt in its last job holds if
                        that had the same, which is not 0 */
    uint32_t gives;  /* set while it runs, before it is to pause: of what is
                        left some is given away, cut off so many levels down,
                        less 1; 0: nothing */
    /* Which part of the tree is left: bytes in the search region, which the
     * program alone understands.  Given by the tool, 0: all of it; then the
     * program's.  What was given away is another such part. */
    uint64_t state_size, given_size;
    uint32_t ends; /* set while it runs, before it is to pause: 1: for good, so
                      late loads are left, too */
    uint32_t only_learns; /* 1: it begins, and takes from the state only what
                             the program is like */
    uint32_t lost;        /* 1: a process died in the middle of it */
    /* Written by the program.  The execution that was found is in the steps
     * region, for STRATEGY_WITNESS; of a model without a machine, and where it
     * is FOUND_UNORDERED, it is a trace, in the events and objects regions. */
    uint32_t over;
    uint32_t found; /* enum graph_found */
    uint64_t signature;
    uint32_t race[2]; /* FOUND_RACE on C11, FOUND_UNORDERED: numbers + 1 of the
                         two, in the trace */
    /* On SC: the races of what was found that are not known. */
    uint32_t race_count;
    struct graph_race_sites {
        uint32_t first, second;
        uint64_t signature;
    } races[GRAPH_RACES_MAX];
    uint64_t step_count;
    uint64_t blocked;    /* graphs that are no execution: a read in vain */
    uint64_t racy;       /* graphs with a data race */
    uint32_t not_sc;     /* 1: there was one that SC does not have */
    uint32_t begun_anew; /* 1: what was counted before does not count */
    uint64_t fact_count;
    uint32_t late; /* 1: all is explored, but for late loads */
    /* Processors: 1: a load and a later store that nothing keeps in order, so
     * that there may be executions which a search does not find; their sites,
     * or 0. */
    uint32_t unprotected, unprotected_load, unprotected_store;
    uint32_t settled;         /* 1: of what jobs before it doubted nothing is
                                 left: everything was looked at again */
    uint32_t mappings_differ; /* 1: how C is compiled for it matters */
    uint32_t too_large;       /* 1: there is too much of it, however explored */
    char refused[128]; /* why that program is not explored so; empty: it is */
    /* STRATEGY_DESCENT: what each estimates the number of executions to be, a
     * double each, in the steps region unless something was found; and where
     * most of the choices are, most first. */
    uint64_t weight_count; /* of the first CHANNEL_WEIGHTS_MAX */
    uint32_t branch_count;
    uint32_t has_equals; /* 1: some threads are equal, and `symmetric` is */
    double bits;         /* of choice, everywhere */
    struct channel_branch branches[CHANNEL_BRANCHES_MAX];
};

/* ---- STRATEGY_WITNESS ---- */

/* What the threads are to do, in the order in which it is to take effect.
 * Fences are not listed: they come as they come.  Threads have numbers of the
 * list's own, 0 for main; which one a create makes is said there. */
enum witness_kind {
    WITNESS_FREE,      /* create, start, exit, join: as they come */
    WITNESS_ENDED,     /* a join that may give up, and does not: done when the
                          thread has ended */
    WITNESS_GIVEN_UP,  /* one that does */
    WITNESS_LOAD,      /* reads what memory holds at its turn */
    WITNESS_STORE,     /* is issued as soon as it can be, commits at its turn */
    WITNESS_LATE,      /* is issued and commits at its turn */
    WITNESS_NOW,       /* an RMW, a lock: takes effect when it is done */
    WITNESS_EVERYBODY, /* the same, and nobody goes ahead of it: a fence of
                          every thread */
    WITNESS_WAKE,      /* a wait is over, because its time is */
    WITNESS_EXIT,      /* the thread ends when it is joined */
    WITNESS_CHOICE,    /* fencer_choose and the like: `chosen`; has no turn */
    WITNESS_LIST       /* the head of one of several lists: `next` steps follow,
                          which are those of execution 0, 1, ...; `chosen`: 1 if
                          it fails */
};

#define WITNESS_NONE UINT32_MAX

struct witness_step {
    uint16_t thread;
    uint8_t kind;    /* enum witness_kind */
    uint8_t first;   /* 1: of its thread; of its choices */
    uint32_t next;   /* the step that its thread makes next; WITNESS_NONE */
    uint32_t chosen; /* a choice; of a create or join: the thread, or
                        WITNESS_NONE */
    uint32_t site;   /* of the access: others of its thread that come before it
                        are not in the list; 0: it is the next one */
    uint32_t skips;  /* accesses of its thread that come before it and are not
                        in the list */
    /* The strategy's own. */
    uint32_t batch;  /* steps of one atomic block have the same */
    uint32_t passed; /* accesses of `skips` that were made */
    uint64_t address;
    uint16_t number; /* of a buffered store */
    uint8_t size;
    uint8_t state;
};

struct channel {
    uint64_t magic;
    uint64_t size; /* sizeof(struct channel): both sides must agree */

    /* What to do.  Written by the tool, never by the program. */
    char model[16];
    uint32_t strategy; /* enum channel_strategy */
    uint32_t flags;    /* enum channel_flag */
    uint64_t seed;
    uint64_t first, count;
    uint64_t buffer;     /* entries a store buffer holds; 0: no limit */
    uint64_t max_events; /* of one execution; 0: the runtime's default */
    uint32_t pct_depth;  /* 0: the runtime's default */
    uint32_t reserved;
    uint64_t schedule_count; /* decisions given to STRATEGY_REPLAY */
    uint32_t job;            /* STAY: the tool counts it up and wakes us */
    int32_t done_fd;         /* STAY: an eventfd, told at the end of a job */
    uint32_t fence_count;
    struct channel_fence fences[CHANNEL_FENCES_MAX];
    struct channel_goal goal;
    struct channel_explore explore;
    struct channel_graph graph;
    uint64_t witness_count; /* in the steps region */
    uint32_t spec;          /* enum channel_spec */
    uint32_t spec_count;    /* in the spec region */

    /* How far it is.  Written by the program. */
    uint32_t state;      /* enum channel_state */
    uint32_t misfit;     /* 1: a decision given to REPLAY could not be taken, or
                            WITNESS could not do its steps */
    uint32_t by_process; /* 1: the program needs a process per execution */
    uint32_t exhausted;  /* 1: STRATEGY_EVERY ran every execution, and none of
                            them was cut */
    uint32_t full;       /* 1: stopped before `count`: no room for a trace */
    uint32_t outside_site;
    char outside[64]; /* name of the unknown function that runs now, or empty;
                         it is called at `outside_site` */
    uint64_t run;     /* execution under way */
    uint64_t done;    /* executions that came to an end, failed ones included */
    uint64_t complete; /* of those, not cut by a limit or fencer_assume */
    uint64_t failed;
    uint64_t cut;       /* ended by max_events */
    uint64_t assumed;   /* ended by fencer_assume */
    uint64_t redundant; /* begun by STRATEGY_EVERY, and ended as one that
                           was run before; at most ten or so for each of
                           `count` */
    uint64_t events, switches, commits; /* sums over all executions */
    char by_process_why[128];           /* name of the call */

    struct channel_failure failure; /* the first; with KEEP_GOING the last */
    uint64_t failures_by_kind[FAIL_KIND_COUNT];
    char message[512]; /* STATE_BAD_PROGRAM, STATE_BROKEN */
    struct channel_source nondeterministic;
    struct channel_place place; /* the last that was asked for */

    uint64_t output_count;   /* bytes captured in the last execution */
    uint64_t output_lost;    /* bytes that did not fit */
    uint64_t recorded_count; /* decisions written by RECORD */
    uint64_t outcome_count;
    uint64_t outcomes_lost;
    uint64_t object_count; /* these two: of all executions together */
    uint64_t event_count;
    uint64_t events_lost;
    uint64_t happening_count; /* in the log region, with LOG */
    uint64_t execution_count; /* entries in the executions region */
    uint64_t extern_hits[8];  /* bit per externs[] index: really called */
    uint32_t checked;         /* 1: an assertion or the like was reached */
    uint32_t unwatched_local; /* a return: nobody looks who uses its locals */
    /* Calls that acted as a full fence while there were threads. */
    uint32_t drain_count;
    uint32_t drain_sites[CHANNEL_DRAINS_MAX];
    uint32_t await_count;                /* loops that waited: */
    uint32_t awaits[CHANNEL_AWAITS_MAX]; /* sites */
};

/* A decision: enum decision_kind in the low 3 bits, its number above. */
enum decision_kind {
    DECIDE_RUN,    /* thread to run next */
    DECIDE_COMMIT, /* thread << 12 | position in its buffer */
    DECIDE_STALE,  /* a load takes the n-th older value */
    DECIDE_CHOOSE, /* fencer_choose, cond_signal's thread, ... */
    DECIDE_WAKE,   /* thread whose timed wait ends now */
    DECIDE_TICKS,  /* back edges to run before looking again */
    DECIDE_END     /* the execution ends here: enum sched_end */
};
#define DECISION(kind, number) ((uint32_t)(number) << 3 | (uint32_t)(kind))

#endif
