/* SPDX-License-Identifier: MIT
 *
 * What the files of this folder share: the steps of the execution under way.
 */
#ifndef EXPLORE_EXPLORE_INSIDE_H
#define EXPLORE_EXPLORE_INSIDE_H

#include "explore/explore.h"
#include "schedule/touch.h"

#define STEPS_MAX 65535u /* of one execution */
#define THREADS_MAX 64
#define SLOTS_MAX 512 /* threads, and stores that commit by themselves */
#define COMMIT_SLOTS (SLOTS_MAX - THREADS_MAX)

/* One step of the execution: a thread's operation with all that follows it up
 * to the next one, or what fencer_choose chose in it.
 *
 * `who` names it among all steps that can be taken in a state: decision kind,
 * thread, and for a choice the number chosen. */
struct step {
    struct footprint foot;
    uint64_t bloom;   /* of what it touched; no common bit: no conflict */
    uint64_t enabled; /* threads that could have run instead */
    uint32_t node;    /* of the tree, 0: not there */
    uint32_t serial;  /* its, for numbers are used again */
    uint32_t who;
    uint32_t decision;
    uint16_t slot;    /* of its process in clocks: a thread's, or its own */
    uint16_t width;   /* of its clock */
    uint32_t choices; /* of a choice: so many; else 0 */
    uint32_t index;   /* in its thread, from 1 */
    uint32_t before;  /* number + 1 of its thread's step before it */
    uint32_t cause;   /* of the step that made its thread, if it is the
                         first */
    uint32_t sleep_at, sleep_count; /* before it: in `sleepers` */
    uint64_t hash[2];               /* of the trace before it */
    uint32_t log_at;                /* happenings before it */
    uint8_t op;                     /* enum event_kind of its operation */
    bool blocks;                    /* and that may have to wait */
};

static inline uint32_t who_of(enum decision_kind kind, uint32_t thread,
                              uint32_t number)
{
    return (uint32_t)kind | thread << 3 | number << 13;
}

static inline uint32_t who_thread(uint32_t who)
{
    return who >> 3 & 0x3ff;
}

/* Bits for the lines that a footprint touches. */
static inline uint64_t bloom_of(const struct footprint *f)
{
    uint64_t bits = f->all || f->reads_all ? ~0ull : 0;

    for (uint32_t i = 0; i < f->count; i++) {
        uint64_t first = f->touch[i].address >> 3;
        uint64_t last = (f->touch[i].address + f->touch[i].size - 1) >> 3;

        if (last - first > 7)
            return ~0ull;
        for (; first <= last; first++)
            bits |= 1ull << (first * 0x9e3779b97f4a7c15ull >> 58);
    }
    return bits;
}

/* The execution under way, or the last one.  After its `count` steps lie
 * those that threads were about to take when it ended. */
struct execution {
    struct step *steps; /* STEPS_MAX + THREADS_MAX */
    uint32_t count, pending;
    uint32_t fresh;       /* steps before this are as in the execution before */
    bool is_open;         /* the last step is not over */
    bool hashed;          /* steps have hashes */
    bool reorders_stores; /* the model does */
    uint16_t (*clocks)[SLOTS_MAX]; /* of each step: which happened before */
    uint32_t commits[SLOTS_MAX];   /* numbers of the steps that are */
    uint32_t commit_count;
    uint32_t *sleepers;            /* nodes of the tree */
    uint32_t last_of[THREADS_MAX]; /* number + 1 of a thread's last step */
};
extern struct execution execution;

/* A thread's operations are one process; each store that commits is one of its
 * own. */
static inline uint32_t process_of(uint32_t who)
{
    return (who & 7) == DECIDE_COMMIT ? who
                                      : who_of(DECIDE_RUN, who_thread(who), 0);
}

/* Two commits of one thread, or a commit and an operation. */
static inline bool conflict_within(const struct footprint *f,
                                   const struct footprint *g)
{
    if (f->commits && g->commits)
        return !execution.reorders_stores || f->fences != g->fences ||
               footprints_meet(f, g, true);
    return (f->commits && f->number < g->drained) ||
           (g->commits && g->number < f->drained) || f->buffer || g->buffer ||
           footprints_meet(f, g, true);
}

/* Do two steps of different processes conflict? */
static inline bool conflict(uint32_t f_who, const struct footprint *f,
                            uint64_t f_bloom, uint32_t g_who,
                            const struct footprint *g, uint64_t g_bloom)
{
    if (f->all || g->all)
        return true;
    if (who_thread(f_who) == who_thread(g_who))
        return conflict_within(f, g);
    return f_bloom & g_bloom && footprints_meet(f, g, false);
}

static inline bool steps_conflict(uint32_t a, uint32_t b)
{
    const struct step *s = &execution.steps[a], *t = &execution.steps[b];

    return conflict(s->who, &s->foot, s->bloom, t->who, &t->foot, t->bloom);
}

static inline bool happened_before(uint32_t a, uint32_t b)
{
    const struct step *s = &execution.steps[a];

    return s->slot < execution.steps[b].width &&
           execution.clocks[b][s->slot] >= s->index;
}

static inline bool steps_is_fresh(uint32_t step)
{
    return step >= execution.fresh;
}

/* ---- steps.c ---- */

#define SLEEPERS_MAX (1u << 20)

bool steps_map(void);
void steps_begin(void);
void steps_first(const struct sched_view *view);
/* A step, of which the strategy has yet to fill in `enabled` and `node`. */
struct step *steps_open(const struct sched_view *view, uint32_t who,
                        uint32_t decision);
/* The last step is over.  Is it a fresh one?  No view: nothing was looked at
 * yet. */
bool steps_close(const struct sched_view *view);
/* Threads that could run; those that would not have to wait for others. */
uint64_t steps_enabled(const struct sched_view *view);
uint64_t steps_free(const struct sched_view *view);
/* In the middle of the open step a store commits, which is a step before it. */
bool steps_forced(const struct sched_view *view, uint32_t thread,
                  const struct sched_op *store, bool over);
/* The decision that takes that commit, or 0: it cannot be taken now. */
#define COMMITS_MAX 256
uint32_t steps_commit(const struct sched_view *view, uint32_t who);
/* It ended before its time: whatever else threads would have done comes too
 * late. */
void steps_end_abruptly(void);
void steps_add_pending(const struct sched_view *view);

/* ---- explore.c ---- */

/* How the executions come one after the other. */
struct explore_way {
    bool (*open)(const struct channel_explore *orders, void *region);
    /* Is there one to come?  Then it is prepared. */
    bool (*prepare)(void);
    void (*begin)(void);
    /* The last step is over; is it a fresh one? */
    void (*closed)(const struct sched_view *view, bool fresh);
    /* That step came before the open one; NULL: none does. */
    void (*forced)(uint32_t step);
    /* UINT32_MAX: what was to be done cannot be. */
    uint32_t (*next)(const struct sched_view *view);
    uint32_t (*choose)(uint32_t thread, uint32_t n);
    bool (*counts)(void); /* it is none that was had before */
    void (*end)(struct channel_explore *orders, const struct sched_view *view);
    void (*abandon)(void);
    void (*lost)(const char *why);
    void (*tell)(struct channel_explore *orders);
    bool (*is_complete)(void);
};
extern const struct explore_way explore_by_trace, explore_bounded;

/* Something is left out. */
void explore_lost(const char *why);

/* ---- explore_races.c ---- */

void races_begin(void);
/* The clock of a step that is over, and the races that end in it. */
void races_find(uint32_t step);
void races_find_pending(void);
/* The n-th of them; false: there are not so many. */
bool races_get(uint32_t n, uint32_t *early, uint32_t *late);
/* ---- explore_judge.c ---- */

void judge_open(const struct channel_explore *orders);
/* Has monitors and race detection look at the execution. */
void judge(struct channel_explore *orders, const struct sched_view *view);

#endif
