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

/* Which step put a store into its thread's buffer; the last few of each. */
#define ISSUED_MAX 4096
static uint32_t issued[THREADS_MAX][ISSUED_MAX];
static uint16_t stores_of[THREADS_MAX];
static struct footprint set_aside;
static uint32_t forced_from; /* position in the buffer */

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
    memset(stores_of, 0, sizeof stores_of);
    execution.count = execution.pending = execution.commit_count = 0;
    execution.is_open = false;
    known_threads = 1;
}

void steps_first(const struct sched_view *view)
{
    known_threads = view->thread_count;
    footprint_clear(view->footprint);
}

/* The last step was an operation of that thread: what did it leave in the
 * buffer? */
static void note_stores(const struct sched_view *view, uint32_t t)
{
    for (; stores_of[t] != view->threads[t].stores; stores_of[t]++)
        issued[t][stores_of[t] % ISSUED_MAX] = execution.count;
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
    note_stores(view, who_thread(s->who));
    if (execution.is_open && fresh) {
        struct footprint was = s->foot;

        MUST(view->footprint->count <= FOOTPRINT_MAX);
        s->foot = *view->footprint;
        if ((s->who & 7) == DECIDE_COMMIT) {
            s->foot.commits = true;
            s->foot.number = was.number;
            s->foot.fences = was.fences;
        }
        if ((s->who & 7) == DECIDE_WAKE)
            s->foot.all = true;
        s->bloom = bloom_of(&s->foot);
    }
    footprint_clear(view->footprint);
    fresh = fresh && execution.is_open;
    execution.is_open = false;
    return fresh;
}

/* A commit: a process of its own, made by the store's issue. */
static struct step *open_commit(uint32_t who, uint32_t decision)
{
    struct step *s = &execution.steps[execution.count];

    MUST(execution.commit_count < COMMIT_SLOTS);
    if (steps_is_fresh(execution.count)) {
        s->who = who;
        s->decision = decision;
        s->node = s->choices = s->before = 0;
        s->slot = (uint16_t)(THREADS_MAX + execution.commit_count);
        s->index = 1;
        s->cause = issued[who_thread(who)][(who >> 13) % ISSUED_MAX];
        s->enabled = 0;
        s->op = EV_COMMIT;
        s->blocks = false;
    }
    execution.commits[execution.commit_count++] = execution.count++;
    execution.is_open = true;
    return s;
}

struct step *steps_open(const struct sched_view *view, uint32_t who,
                        uint32_t decision)
{
    struct step *s = &execution.steps[execution.count];
    uint32_t t = who_thread(who);

    MUST(execution.count < STEPS_MAX && !execution.is_open);
    MUST(t < THREADS_MAX);
    if ((who & 7) == DECIDE_COMMIT)
        return open_commit(who, decision);
    if (steps_is_fresh(execution.count)) {
        s->who = who;
        s->decision = decision;
        s->slot = (uint16_t)t;
        s->node = s->choices = 0;
        s->index = steps_of[t] + 1;
        s->before = execution.last_of[t];
        s->cause = execution.last_of[t] ? 0 : made_by[t];
        s->log_at = view ? view->log_count : 0;
        s->enabled = 0;
        s->op = EV_CHOOSE;
        s->blocks = false;
        if ((who & 7) != DECIDE_CHOOSE) {
            MUST(t < view->thread_count);
            s->op = view->threads[t].op.kind;
            s->blocks = view->threads[t].blocks;
        }
    }
    steps_of[t]++;
    execution.last_of[t] = ++execution.count;
    execution.is_open = true;
    return s;
}

/* An RMW or a lock waits for own stores to the same memory. */
static bool waits_for_own(const struct sched_view *view, uint32_t t)
{
    const struct sched_op *op = &view->threads[t].op;
    uint32_t size = op->size ? op->size : 8;

    if (!op->address || (op->kind != EV_RMW && op->kind != EV_LOCK &&
                         op->kind != EV_WAIT && op->kind != EV_POST))
        return false;
    for (uint32_t i = view->buffered_count(t); i--;) {
        struct sched_op b = view->buffered(t, i);

        if (b.address < op->address + size && op->address < b.address + b.size)
            return true;
    }
    return false;
}

static bool may_run(const struct sched_view *view, uint32_t t)
{
    const struct sched_thread *s = &view->threads[t];

    if (s->ready_at == UINT32_MAX || view->would_wait(t))
        return false;
    return s->buffer_at == UINT32_MAX ||
           (!s->drains && !waits_for_own(view, t));
}

uint64_t steps_free(const struct sched_view *view)
{
    uint64_t mask = 0;

    for (uint32_t i = 0; i < view->ready_count; i++)
        if (!view->would_wait(view->ready[i]))
            mask |= 1ull << view->ready[i];
    return mask;
}

static uint32_t position_of(const struct sched_view *view, uint32_t thread,
                            uint16_t number)
{
    uint32_t n = view->buffered_count(thread), i = 0;

    while (i < n && view->buffered(thread, i).number != number)
        i++;
    return i;
}

uint32_t steps_commit(const struct sched_view *view, uint32_t who)
{
    uint16_t positions[COMMITS_MAX];
    uint32_t t = who_thread(who), n;

    if (t >= view->thread_count || view->threads[t].buffer_at == UINT32_MAX)
        return 0;
    n = view->committable(t, positions, COMMITS_MAX);
    for (uint32_t i = 0; i < n; i++)
        if (view->buffered(t, positions[i]).number == who >> 13)
            return DECISION(DECIDE_COMMIT, t << 12 | positions[i]);
    return 0;
}

/* The open step becomes two.  What it said it would touch it has not touched
 * yet.  A store that it issued itself is a part of it. */
bool steps_forced(const struct sched_view *view, uint32_t thread,
                  const struct sched_op *store, bool over)
{
    uint32_t last = execution.count - 1;
    struct step *s = &execution.steps[last], later = *s;

    if (!execution.count || !execution.is_open || !steps_is_fresh(last) ||
        later.node || who_thread(later.who) != thread ||
        execution.commit_count == COMMIT_SLOTS ||
        (uint16_t)(store->number - stores_of[thread]) < ISSUED_MAX)
        return false;
    if (!over) {
        set_aside = *view->footprint;
        footprint_clear(view->footprint);
        forced_from = position_of(view, thread, store->number);
        MUST(forced_from < view->buffered_count(thread));
        return false;
    }
    execution.count--;
    open_commit(who_of(DECIDE_COMMIT, thread, store->number),
                DECISION(DECIDE_COMMIT, thread << 12 | forced_from));
    s->foot = *view->footprint;
    s->foot.commits = true;
    s->foot.number = store->number;
    s->foot.fences = store->fences;
    s->bloom = bloom_of(&s->foot);
    execution.steps[execution.count++] = later;
    execution.last_of[thread] = execution.count;
    *view->footprint = set_aside;
    return true;
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
        MUST(execution.pending < THREADS_MAX);
        view->expected(t, &s->foot);
        s->bloom = bloom_of(&s->foot);
        s->who = who_of(DECIDE_RUN, t, 0);
        s->slot = (uint16_t)t;
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
