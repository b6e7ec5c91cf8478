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

/* One step of the execution: a thread's operation with all that follows it up
 * to the next one, or what fencer_choose chose in it.
 *
 * `who` names it among all steps that can be taken in a state: decision kind,
 * thread, and for a choice the number chosen. */
struct step {
    struct footprint foot;
    uint64_t bloom; /* of what it touched; no common bit: no conflict */
    uint32_t who;
    uint32_t decision;
    uint32_t index;   /* in its thread, from 1 */
    uint32_t before;  /* number + 1 of its thread's step before it */
    uint32_t cause;   /* of the step that made its thread, if it is the
                         first */
    uint64_t hash[2]; /* of the trace before it */
    uint32_t log_at;  /* happenings before it */
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

/* The execution under way, or the last one. */
struct execution {
    struct step *steps; /* STEPS_MAX + 1 */
    uint32_t count;
    uint32_t fresh;  /* steps before this are as in the execution before */
    bool is_open;    /* the last step is not over */
    bool is_tracked; /* on SC; elsewhere nobody asks for its steps */
    bool hashed;     /* steps have hashes */
    uint16_t (*clocks)[THREADS_MAX]; /* of each step: which happened before */
    uint32_t last_of[THREADS_MAX];   /* number + 1 of a thread's last step */
};
extern struct execution execution;

static inline bool steps_conflict(uint32_t a, uint32_t b)
{
    const struct step *s = &execution.steps[a], *t = &execution.steps[b];

    return s->foot.all || t->foot.all ||
           (s->bloom & t->bloom && footprints_meet(&s->foot, &t->foot, false));
}

static inline bool steps_is_fresh(uint32_t step)
{
    return step >= execution.fresh;
}

/* ---- steps.c ---- */

bool steps_map(void);
void steps_begin(void);
void steps_first(const struct sched_view *view);
void steps_open(const struct sched_view *view, uint32_t who, uint32_t decision);
/* The last step is over.  Is it a fresh one?  No view: nothing was looked at
 * yet. */
bool steps_close(const struct sched_view *view);
/* Threads that could run. */
uint64_t steps_enabled(const struct sched_view *view);
/* It ended before its time: whatever else threads would have done comes too
 * late. */
void steps_end_abruptly(void);

/* ---- explore.c ---- */

/* How the executions come one after the other. */
struct explore_way {
    bool (*open)(const struct channel_explore *orders, void *region);
    /* Is there one to come?  Then it is prepared. */
    bool (*prepare)(const struct channel *job);
    void (*begin)(void);
    /* The last step is over, and what it touched is there still; NULL: nobody
     * looks. */
    void (*closing)(const struct sched_view *view);
    /* UINT32_MAX: what was to be done cannot be. */
    uint32_t (*next)(const struct sched_view *view);
    uint32_t (*choose)(uint32_t thread, enum decision_kind kind, uint32_t n);
    bool (*counts)(void); /* it is none that was had before */
    void (*end)(const struct sched_view *view);
    void (*abandon)(const struct sched_view *view);
    void (*lost)(const char *why);
    void (*tell)(struct channel_explore *orders);
    bool (*is_complete)(void);
};
extern const struct explore_way explore_by_sleep, explore_bounded;

/* Something is left out. */
void explore_lost(const char *why);

/* ---- explore_races.c ---- */

void races_begin(void);
/* The clock of a step that is over, and the races that end in it. */
void races_find(uint32_t step);
/* The n-th of them; false: there are not so many. */
bool races_get(uint32_t n, uint32_t *early, uint32_t *late);
/* ---- explore_judge.c ---- */

void judge_open(const struct channel_explore *orders);
/* Has monitors and race detection look at the execution. */
void judge(struct channel_explore *orders, const struct sched_view *view);

#endif
