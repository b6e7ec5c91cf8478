/* SPDX-License-Identifier: MIT
 *
 * The steps of the execution under way: when one is over, what it touched is
 * known, and the next one opens.  Those that it has in common with the
 * execution before are still there and are not written again.
 */
#include <string.h>
#include <sys/mman.h>

#include "explore/inside.h"

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
    uint64_t steps = STEPS_MAX + THREADS_MAX;

    if (execution.steps)
        return true;
    execution.steps = map(steps * sizeof *execution.steps);
    execution.clocks = map(steps * sizeof *execution.clocks);
    execution.sleepers = map(SLEEPERS_MAX * sizeof *execution.sleepers);
    return execution.steps != MAP_FAILED && execution.clocks != MAP_FAILED &&
           execution.sleepers != MAP_FAILED;
}

void steps_begin(void)
{
    memset(execution.last_of, 0, sizeof execution.last_of);
    memset(steps_of, 0, sizeof steps_of);
    memset(made_by, 0, sizeof made_by);
    execution.count = execution.pending = 0;
    execution.is_open = false;
}

void steps_first(const struct sched_view *view)
{
    known_threads = view->thread_count;
    footprint_clear(view->footprint);
}

bool steps_close(const struct sched_view *view)
{
    struct step *s = &execution.steps[execution.count - 1];
    bool fresh = steps_is_fresh(execution.count - 1);

    for (; known_threads < view->thread_count; known_threads++)
        if (known_threads < THREADS_MAX)
            made_by[known_threads] = execution.count;
    if (execution.is_open && fresh) {
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

struct step *steps_open(const struct sched_view *view, uint32_t who)
{
    struct step *s = &execution.steps[execution.count];
    uint32_t t = who_thread(who);

    if (steps_is_fresh(execution.count)) {
        s->who = who;
        s->node = s->choices = 0;
        s->index = steps_of[t] + 1;
        s->before = execution.last_of[t];
        s->cause = execution.last_of[t] ? 0 : made_by[t];
        s->log_at = view ? view->log_count : 0;
        s->enabled = 0;
        s->op = EV_CHOOSE;
        s->blocks = false;
        if ((who & 7) != DECIDE_CHOOSE) {
            s->op = view->threads[t].op.kind;
            s->blocks = view->threads[t].blocks;
        }
    }
    steps_of[t]++;
    execution.last_of[t] = ++execution.count;
    execution.is_open = true;
    return s;
}

static bool may_run(const struct sched_view *view, uint32_t t)
{
    const struct sched_thread *s = &view->threads[t];

    return s->ready_at != UINT32_MAX &&
           !(s->drains && s->buffer_at != UINT32_MAX) && !view->would_wait(t);
}

uint64_t steps_enabled(const struct sched_view *view)
{
    uint64_t mask = 0;

    for (uint32_t i = 0; i < view->ready_count; i++)
        if (may_run(view, view->ready[i]))
            mask |= 1ull << view->ready[i];
    return mask;
}

/* What threads were about to do when it ended: they may have come too late, or
 * wait for what another order would give them. */
void steps_add_pending(const struct sched_view *view)
{
    for (uint32_t t = 0; t < view->thread_count && t < THREADS_MAX; t++) {
        struct step *s = &execution.steps[execution.count + execution.pending];

        if (view->threads[t].ready_at == UINT32_MAX)
            continue;
        view->expected(t, &s->foot);
        s->bloom = bloom_of(&s->foot);
        s->who = who_of(DECIDE_RUN, t, 0);
        s->index = steps_of[t] + 1;
        s->before = execution.last_of[t];
        s->cause = execution.last_of[t] ? 0 : made_by[t];
        s->op = view->threads[t].op.kind;
        s->blocks = view->threads[t].blocks;
        execution.pending++;
    }
}

/* It ended before its time: whatever else threads would have done comes too
 * late. */
void steps_end_abruptly(void)
{
    struct step *s = &execution.steps[execution.count - 1];

    s->foot.all = true;
    s->bloom = ~0ull;
}
