/* SPDX-License-Identifier: MIT
 *
 * The steps of the execution under way: when one is over, what it touched is
 * known, and the next one opens.  Those that it has in common with the
 * execution before are still there and are not written again.
 */
#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "explore/explore_inside.h"

struct execution execution;

static uint32_t steps_of[THREADS_MAX], made_by[THREADS_MAX];
static uint32_t known_threads;

static void *map(uint64_t size)
{
    return mmap(NULL, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

bool steps_map(void)
{
    uint64_t steps = STEPS_MAX + 1;

    if (execution.steps)
        return true;
    execution.steps = map(steps * sizeof *execution.steps);
    execution.clocks = map(steps * sizeof *execution.clocks);
    return execution.steps != MAP_FAILED && execution.clocks != MAP_FAILED;
}

void steps_begin(void)
{
    memset(execution.last_of, 0, sizeof execution.last_of);
    memset(steps_of, 0, sizeof steps_of);
    memset(made_by, 0, sizeof made_by);
    execution.count = 0;
    execution.is_open = false;
    known_threads = 1;
}

void steps_first(const struct sched_view *view)
{
    known_threads = view->thread_count;
    footprint_clear(view->footprint);
}

/* A choice before the first look: the only thread there is goes on to the next
 * one, and nobody sees what it does in between. */
static bool close_alone(struct step *s, bool fresh)
{
    if (fresh) {
        footprint_clear(&s->foot);
        s->bloom = 0;
    }
    execution.is_open = false;
    return fresh;
}

bool steps_close(const struct sched_view *view)
{
    struct step *s = &execution.steps[execution.count - 1];
    bool fresh = steps_is_fresh(execution.count - 1);

    MUST(execution.count && execution.count <= STEPS_MAX);
    if (!view)
        return close_alone(s, fresh);
    for (; known_threads < view->thread_count; known_threads++)
        if (known_threads < THREADS_MAX)
            made_by[known_threads] = execution.count;
    if (execution.is_open && fresh) {
        MUST(view->footprint->count <= FOOTPRINT_MAX);
        s->foot = *view->footprint;
        if ((s->who & 7) == DECIDE_WAKE)
            s->foot.all = true;
        s->bloom = bloom_of(&s->foot);
    }
    footprint_clear(view->footprint);
    fresh = fresh && execution.is_open;
    execution.is_open = false;
    return fresh;
}

void steps_open(const struct sched_view *view, uint32_t who, uint32_t decision)
{
    struct step *s = &execution.steps[execution.count];
    uint32_t t = who_thread(who);

    MUST(execution.count < STEPS_MAX && !execution.is_open);
    MUST(t < THREADS_MAX);
    if (steps_is_fresh(execution.count)) {
        s->who = who;
        s->decision = decision;
        s->index = steps_of[t] + 1;
        s->before = execution.last_of[t];
        s->cause = execution.last_of[t] ? 0 : made_by[t];
        s->log_at = view ? view->log_count : 0;
    }
    steps_of[t]++;
    execution.last_of[t] = ++execution.count;
    execution.is_open = true;
}

uint64_t steps_enabled(const struct sched_view *view)
{
    uint64_t mask = 0;

    for (uint32_t i = 0; i < view->ready_count; i++)
        if (!view->would_wait(view->ready[i]))
            mask |= 1ull << view->ready[i];
    return mask;
}

/* It ended before its time: whatever else threads would have done comes too
 * late. */
void steps_end_abruptly(void)
{
    struct step *s = &execution.steps[execution.count - 1];

    s->foot.all = true;
    s->bloom = ~0ull;
}
