/* SPDX-License-Identifier: MIT
 *
 * Spin loops.  An iteration that changed nothing, in the program's memory or in
 * the loop's own variables, is an await on what it read: the thread sleeps
 * until one of those values is different (docs/models.md, Waiting).  Nothing is
 * pruned that could have happened: another iteration would have read the same
 * and changed nothing again.
 *
 * Memory that is the thread's own is unchanged if it has its old values again
 * (carried.c); in a search over graphs also if nobody reads what the iteration
 * left there (native_own.c).
 *
 * Instrumented code comes here at back edges, while accesses are seen at each
 * of them, else when the countdown is over.
 */
#include "event/must.h"
#include "runtime/carried.h"
#include "runtime/footprint.h"
#include "runtime/machine.h"
#include "runtime/modelled.h"
#include "runtime/native.h"
#include "runtime/runtime_record.h"
#include "runtime/sched.h"

#define COUNT_MOST (UINT32_MAX - (1u << 24)) /* so is one of so many events */
#define LONE_DENSE 400u    /* steps to look at a thread that is alone */
#define LONE_EVENTS 80000u /* that a look stands for */

static bool reads_there(const struct thread *t, uint64_t address, unsigned size)
{
    for (uint32_t i = 0; i < t->read_count; i++) {
        const struct rt_read *r = &t->reads[i];

        if (r->address < address + size && address < r->address + r->size &&
            machine_peek(t, r->address, r->size > 8 ? 8 : r->size) != r->value)
            return true;
    }
    return false;
}

void sched_memory_changed(uint64_t address, unsigned size)
{
    if (rt.strategy->explores)
        return;
    for (uint32_t i = 0; i < rt.thread_count && rt.awaiting; i++)
        if (rt.threads[i].state == THREAD_AWAITS &&
            reads_there(&rt.threads[i], address, size))
            sched_wake(&rt.threads[i]);
}

/* Would another iteration, with memory as it is, read the same? */
static bool reads_unchanged(const struct thread *t, uint32_t mark)
{
    for (uint32_t i = 0; i < t->read_count; i++) {
        const struct rt_read *r = &t->reads[i];

        if (r->at <= mark)
            continue;
        footprint_read(r->address, r->size);
        if (machine_peek(t, r->address, r->size > 8 ? 8 : r->size) != r->value)
            return false;
    }
    return true;
}

/* Is that the second failing iteration in a row that read the same?  It could
 * repeat for ever; without it the execution would be the same. */
static bool is_idle_again(struct thread *t, uint32_t mark)
{
    uint64_t h = 0xcbf29ce484222325ull;
    bool again;

    for (uint32_t i = 0; i < t->read_count; i++)
        if (t->reads[i].at > mark)
            h += (t->reads[i].address ^ t->reads[i].value << 20) *
                 0x100000001b3ull;
    again = t->idle_end >= mark && t->idle_reads == h;
    t->idle_end = __fencer_count + 1;
    t->idle_reads = h;
    return again;
}

bool sched_recheck_awaits(void)
{
    bool any = false;

    if (rt.strategy->explores)
        return false;
    for (uint32_t i = 0; i < rt.thread_count && rt.awaiting; i++) {
        struct thread *t = &rt.threads[i];

        if (t->state == THREAD_AWAITS && !reads_unchanged(t, 0)) {
            sched_wake(t);
            any = true;
        }
    }
    return any;
}

static void drop_reads_before(struct thread *t, uint32_t mark)
{
    uint32_t kept = 0;

    MUST(t->read_count <= RT_READS_MAX);
    for (uint32_t i = 0; i < t->read_count; i++)
        if (t->reads[i].at > mark)
            t->reads[kept++] = t->reads[i];
    t->read_count = kept;
}

/* ---- Explored ----
 *
 * A failing round is the last that its thread does.  What would follow it is
 * explored without that round, which changed nothing.  So there are fewer
 * executions, and they still have every outcome.  Who wants to see failing
 * rounds, too, has all of them but those that read the same as the one before
 * (native_keeps_rounds). */

/* Could it go on, were it not parked? */
bool await_is_over(const struct thread *t)
{
    for (uint32_t i = 0; i < t->read_count; i++) {
        const struct rt_read *r = &t->reads[i];

        if (machine_peek(t, r->address, r->size > 8 ? 8 : r->size) != r->value)
            return true;
    }
    return false;
}

/* For the tool: which loops wait. */
static void note_await(uint32_t loop)
{
    struct channel *c = rt.channel;
    uint32_t i = 0;

    while (i < c->await_count && i < CHANNEL_AWAITS_MAX && c->awaits[i] != loop)
        i++;
    if (i == c->await_count && i < CHANNEL_AWAITS_MAX)
        c->awaits[c->await_count++] = loop;
}

static _Noreturn void await_for_good(struct thread *t, uint32_t mark,
                                     uint32_t loop, uint32_t site)
{
    drop_reads_before(t, mark);
    if (!t->read_count && !t->buffered)
        rt_fail(FAIL_HANG, site, NULL);
    t->site = site;
    if (rt.graphs)
        native_await(mark, loop, site);
    sched_sleep();
    __builtin_trap();
}

static void await(struct thread *t, uint32_t mark, uint32_t site)
{
    drop_reads_before(t, mark);
    if (!t->read_count && !t->buffered)
        rt_fail(FAIL_HANG, site, NULL);
    rt_event(EV_AWAIT, t->read_count ? (void *)t->reads[0].address : NULL,
             t->read_count ? t->reads[0].size : 0,
             t->read_count ? t->reads[0].value : 0, 0, site);
    t->site = site;
    sched_sleep();
}

/* A lone thread is looked at now and then: it may spin for ever. */
static void look_at_lone_thread(void)
{
    struct thread *t = rt.current;

    if (rt.dense) {
        if (--rt.dense_left)
            __fencer_countdown = 0;
        else
            sched_alone();
        return;
    }
    rt.channel->events++; /* the tool watches it grow */
    if (!rt.left_alone && ++rt.lone_looks > 1 + rt.max_events / LONE_EVENTS)
        rt_cut_execution();
    rt.left_alone = false;
    sched_look(LONE_DENSE);
    t->burst = rt.burst;
    t->dense_from = ++__fencer_count;
}

static bool is_own_memory_same(const struct thread *t, uint32_t mark,
                               uint32_t loop)
{
    return native_is_on() ? native_forgets(loop, mark)
                          : carried_is_same(t, mark);
}

/* Is all known since the rounds that began at `mark`, and own memory as it was?
 */
static bool is_all_seen(const struct thread *t, uint32_t mark, uint32_t loop)
{
    return mark >= t->dense_from && mark >= t->reads_from &&
           is_own_memory_same(t, mark, loop);
}

/* Has nothing changed since then, but for what these rounds have stored? */
static bool only_stored(const struct thread *t, uint32_t mark, uint32_t loop)
{
    return t->last_firm < mark && is_all_seen(t, mark, loop);
}

static bool changed_nothing(const struct thread *t, uint32_t mark,
                            uint32_t loop)
{
    return t->last_effect < mark && only_stored(t, mark, loop);
}

/* The same, also if what was stored will be stored again before anybody sees
 * it, or if a mutex was taken to read. */
static bool is_in_vain(const struct thread *t, uint32_t mark, uint32_t loop)
{
    return changed_nothing(t, mark, loop) ||
           (native_is_on() && only_stored(t, mark, loop) &&
            native_redoes(loop, mark)) ||
           (native_is_on() && native_could_poll(mark) &&
            is_all_seen(t, mark, loop) && native_polls(loop, mark));
}

/* ---- Several rounds ----
 *
 * A loop that does one thing and then another, by turns, may be after two
 * rounds where it was.  So rounds that left all registers as they were remember
 * when the one before them began. */

#define ROUNDS_MAX 8u /* that are looked at together, and kept */

static struct rounds {
    uint64_t execution;
    uint32_t count;
    struct {
        uint32_t began, before;
    } list[ROUNDS_MAX];
} rounds[RT_MAX_THREADS];

struct native_part await_part(uint32_t thread)
{
    return (struct native_part){&rounds[thread], sizeof *rounds};
}

static void note_round(const struct thread *t, uint32_t began, uint32_t before)
{
    struct rounds *r = &rounds[t->id];

    if (r->execution != rt.serial)
        r->count = 0;
    r->execution = rt.serial;
    r->list[r->count % ROUNDS_MAX].began = began;
    r->list[r->count++ % ROUNDS_MAX].before = before;
}

/* When the round before the one that began then did; 0: nobody knows. */
static uint32_t round_before(const struct thread *t, uint32_t began)
{
    const struct rounds *r = &rounds[t->id];
    uint32_t kept = r->count < ROUNDS_MAX ? r->count : ROUNDS_MAX;

    for (uint32_t i = 0; r->execution == rt.serial && i < kept; i++)
        if (r->list[i].began == began)
            return r->list[i].before;
    return 0;
}

/* The last round, or some together, changed nothing: when they began.  0: they
 * did change something. */
static uint32_t find_idle(const struct thread *t, uint32_t mark,
                          uint32_t changed, uint32_t loop)
{
    if (!rt.dense || !loop || changed & (CHANGED_REGISTERS | CHANGED_BOUND))
        return 0;
    while (mark && !is_in_vain(t, mark, loop))
        mark = round_before(t, mark);
    return mark;
}

/* A CAS that failed was all that the round did. */
static bool has_only_retried(const struct thread *t, uint32_t mark,
                             uint32_t loop)
{
    return rt.dense && loop && mark && changed_nothing(t, mark, loop);
}

/* A round of a loop with a count that ends it. */
static void end_bounded(const struct thread *t, uint32_t mark, uint32_t changed,
                        uint32_t loop, uint32_t site)
{
    bool nothing =
        !(changed & CHANGED_REGISTERS) && changed_nothing(t, mark, loop);

    if (nothing)
        note_await(loop);
    native_end_bounded(loop, mark, nothing, site);
}

/* That wait for a condition was all that the round did (sync_cond.c). */
static void look_at_wait(const struct thread *t, struct rt_wait *s,
                         uint32_t mark, uint32_t changed, uint32_t loop)
{
    if (!s->mutex || s->from <= mark)
        return;
    s->round = 0;
    if (rt.dense && loop && mark >= t->dense_from && mark >= t->reads_from &&
        !(changed & (CHANGED_REGISTERS | CHANGED_BOUND)) && s->before < mark &&
        t->last_effect <= s->to && is_own_memory_same(t, mark, loop))
        s->round = mark;
    if (s->round && native_is_on())
        native_only_waited(s->mutex, mark, s == &t->polled ? loop : 0);
}

HIDDEN(uint32_t, tick,
       (uint32_t mark, uint32_t changed, uint32_t loop, uint32_t site))
{
    struct thread *t = rt.current;
    uint32_t idle;

    MUST(mark <= __fencer_count && t->state == THREAD_READY);
    if (__fencer_count > COUNT_MOST)
        rt_cut_execution();
    __fencer_countdown = 0;
    t->in_model = false;
    if (t->once && mark && !changed)
        rt_assume_not();
    idle = find_idle(t, mark, changed, loop);
    look_at_wait(t, &t->spurious, mark, changed, loop);
    look_at_wait(t, &t->told, mark, changed, loop);
    look_at_wait(t, &t->polled, mark, changed, loop);
    if (idle) {
        note_await(loop);
        bool again = is_idle_again(t, idle);

        if (rt.strategy->explores && rt.multi) {
            if (again || !native_keeps_rounds())
                await_for_good(t, idle, loop, site);
        } else if (reads_unchanged(t, idle)) {
            await(t, idle, site);
        } else if (rt.view.footprint && again && t->last_stale > idle) {
            rt_end_redundant();
        }
    }
    if (native_is_on() && changed & CHANGED_EXPECTED &&
        has_only_retried(t, mark, loop))
        native_retry(mark, site);
    if (native_is_on() && changed & CHANGED_BOUND && !native_gives_up(loop))
        end_bounded(t, mark, changed, loop, site);
    if (loop && native_is_on())
        native_pass_loop(loop, false);
    if (loop && native_is_on() && native_gives_up(loop))
        return ++__fencer_count;
    if (rt.strategy->explores)
        unroll_count(t, mark, site);
    if (!rt.multi) {
        look_at_lone_thread();
    } else if (!rt.dense) {
        sched_next_phase();
    } else if (mark == __fencer_count && ++t->silent_ticks > SILENT_TICKS) {
        /* A loop without events still lets others run. */
        t->silent_ticks = 0;
        native_count_silence();
        rt_step(EV_YIELD, NULL, 0, site);
    }
    ++__fencer_count;
    if (rt.dense && loop && !(changed & (CHANGED_REGISTERS | CHANGED_BOUND)))
        note_round(t, __fencer_count, mark);
    return __fencer_count;
}
