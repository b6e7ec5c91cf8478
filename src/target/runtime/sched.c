/* SPDX-License-Identifier: MIT
 *
 * Whose turn it is.
 *
 * The program's threads are fibers of one OS thread.  A thread announces each
 * operation (rt_step); the strategy then decides, again and again: commit a
 * buffered store, let a timed wait end, or run some thread, which performs
 * what it announced.  So an execution is the list of these decisions.
 *
 * Phases.  While a second thread lives, the strategy is asked how many back
 * edges to run without looking ("sparse"); 0 is "dense": every access comes
 * here.  Dense phases end after a number of steps, when it is asked again.
 * Programs the size of a test are dense from end to end; long programs run at
 * full speed and are looked at in bursts.
 *
 * If everybody waits (await.c has spin loops) and all buffers are empty, the
 * program is stuck, and that is a finding.
 */
#include "runtime/sched.h"

#include <string.h>

#include "event/must.h"
#include "libc/libc.h"
#include "runtime/driver.h"
#include "runtime/fiber.h"
#include "runtime/footprint.h"
#include "runtime/locals.h"
#include "runtime/machine.h"
#include "runtime/native.h"
#include "runtime/runtime_record.h"

#define FIRST_DENSE 60000u     /* steps of an execution's first dense phase */
#define DENSE 600u             /* of any later one */
#define NOWHERE UINT32_MAX     /* in no list of the view */
#define LONE_TICKS (1ll << 22) /* back edges between looks at a lone thread */
/* The same, when the others have just ended: does it wait for one of them? */
#define LEFT_TICKS (1ll << 6)

/* Read and written by instrumented code. */
uint64_t __fencer_mask = ~0ull;
int64_t __fencer_countdown = INT64_MAX;
uint32_t __fencer_count;
uint32_t __fencer_site;
uint32_t __fencer_checked;

struct rt rt;

static bool running;
static struct thread *blamed;
static uint32_t blamed_site;
static struct happening *happenings;
static uint32_t first_left; /* steps of the first dense phase not yet used */

static bool would_wait(uint32_t thread)
{
    const struct thread *t = &rt.threads[thread];

    if (t->would_wait)
        return t->would_wait(t, (const void *)t->sched->op.address);
    return machine_load_waits(t);
}

static bool fits(uint32_t decision)
{
    uint32_t n = decision >> 3;

    if (MUTANT(MUTANT_BROKEN))
        return false;
    switch (decision & 7) {
    case DECIDE_RUN:
        return n < rt.thread_count && rt.sched[n].ready_at != NOWHERE;
    case DECIDE_WAKE:
        return n < rt.thread_count && rt.sched[n].timed_at != NOWHERE;
    case DECIDE_END:
        return rt.view.footprint;
    case DECIDE_COMMIT:
        return n >> 12 < rt.thread_count &&
               machine_may_commit(&rt.threads[n >> 12], n & 0xfff);
    default:
        return false;
    }
}

bool sched_map(void)
{
    static struct thread table[RT_MAX_THREADS];

    rt.threads = table;
    rt.view.threads = rt.sched;
    rt.view.committable = machine_committable;
    rt.view.buffered = machine_buffered;
    rt.view.buffered_count = machine_buffered_count;
    rt.view.would_wait = would_wait;
    rt.view.fits = fits;
    rt.view.pending = machine_pending;
    return fiber_map();
}

/* ---- Lists of the view ---- */

static void list_add(uint16_t *list, uint32_t *count, uint32_t *at, uint32_t id)
{
    if (*at != NOWHERE)
        return;
    MUST(*count < SCHED_MAX_THREADS && id < rt.thread_count);
    *at = *count;
    list[(*count)++] = (uint16_t)id;
}

/* Moves the last entry into the gap: `moved` is whose position changes. */
static uint32_t list_remove(uint16_t *list, uint32_t *count, uint32_t at)
{
    uint16_t last;

    MUST(at < *count);
    last = list[--*count];
    list[at] = last;
    return last;
}

static void ready_add(struct thread *t)
{
    list_add(rt.view.ready, &rt.view.ready_count, &t->sched->ready_at, t->id);
}

static void ready_remove(struct thread *t)
{
    uint32_t at = t->sched->ready_at;

    if (at == NOWHERE)
        return;
    rt.sched[list_remove(rt.view.ready, &rt.view.ready_count, at)].ready_at =
        at;
    t->sched->ready_at = NOWHERE;
}

static void timed_add(struct thread *t)
{
    list_add(rt.view.timed, &rt.view.timed_count, &t->sched->timed_at, t->id);
}

static void timed_remove(struct thread *t)
{
    uint32_t at = t->sched->timed_at;

    if (at == NOWHERE)
        return;
    rt.sched[list_remove(rt.view.timed, &rt.view.timed_count, at)].timed_at =
        at;
    t->sched->timed_at = NOWHERE;
}

void sched_buffer_used(struct thread *t)
{
    MUST(t->sched->buffer_at == NOWHERE);
    list_add(rt.view.buffering, &rt.view.buffering_count, &t->sched->buffer_at,
             t->id);
}

void sched_buffer_empty(struct thread *t)
{
    uint32_t at = t->sched->buffer_at;

    MUST(!t->buffered);
    rt.sched[list_remove(rt.view.buffering, &rt.view.buffering_count, at)]
        .buffer_at = at;
    t->sched->buffer_at = NOWHERE;
}

void sched_blame(struct thread *t, uint32_t site)
{
    blamed = t;
    blamed_site = site;
}

struct thread *sched_blamed(uint32_t *site)
{
    if (blamed)
        *site = blamed_site;
    return blamed;
}

/* ---- Phases ---- */

static void set_dense(bool dense)
{
    rt.dense = dense;
    __fencer_mask =
        dense || (rt.tracing && !rt.untold) || rt.view.log ? 0 : ~0ull;
}

void sched_end_trace(void)
{
    rt.untold = true;
    set_dense(rt.dense);
}

/* From here on nobody sees accesses: no store may be left on its way. */
static void leave_dense(void)
{
    while (rt.view.buffering_count)
        machine_commit(&rt.threads[rt.view.buffering[0]], 0);
    set_dense(false);
}

void sched_look(uint32_t steps)
{
    if (!rt.dense) {
        machine_forget();
        rt.burst++;
    }
    set_dense(true);
    rt.dense_left = steps;
    __fencer_countdown = 0;
}

/* Dense or sparse from here: the strategy's choice. */
void sched_next_phase(void)
{
    uint32_t ticks = rt.strategy->ticks(rt.dense);

    rt.channel->events++; /* the tool watches it grow */
    record_decision(DECIDE_TICKS, ticks);
    if (ticks) {
        leave_dense();
        __fencer_countdown = ticks;
    } else {
        sched_look(DENSE);
    }
}

/* A second thread lives now. */
static void together(void)
{
    rt.multi = true;
    rt.left_alone = false;
    rt.view.log = happenings;
    footprint_all(); /* what it touched while alone was not seen */
    if (first_left)
        sched_look(first_left);
    else
        sched_next_phase();
}

/* One thread is left, or there never was a second: nobody can see the order
 * of its accesses. */
void sched_alone(void)
{
    if (rt.multi && first_left)
        first_left = rt.dense_left;
    rt.multi = false;
    leave_dense();
    MUST(!rt.view.buffering_count);
    __fencer_countdown = LONE_TICKS;
}

uint32_t sched_choose(enum decision_kind kind, uint32_t n)
{
    uint32_t chosen;

    if (n <= 1)
        return 0;
    if (rt.graphs)
        return native_choose(n);
    chosen = rt.strategy->choose(kind, n);
    MUST(chosen < n);
    record_decision(kind, chosen);
    return chosen;
}

uint32_t rt_choose(uint32_t n)
{
    return sched_choose(DECIDE_CHOOSE, n);
}

static void end_wait(struct thread *t, bool timed_out)
{
    timed_remove(t);
    if (t->state == THREAD_AWAITS) {
        MUST(rt.awaiting);
        rt.awaiting--;
    } else {
        MUST(t->state == THREAD_BLOCKED);
    }
    t->state = THREAD_READY;
    t->timed_out = timed_out;
    t->blocked_on = NULL;
    ready_add(t);
}

void sched_wake(struct thread *t)
{
    end_wait(t, false);
}

void rt_wake(struct thread *t)
{
    if (t->state == THREAD_BLOCKED)
        end_wait(t, false);
}

/* Something that can always be done. */
static uint32_t fallback(void)
{
    if (rt.view.ready_count)
        return DECISION(DECIDE_RUN, rt.view.ready[0]);
    if (rt.view.buffering_count)
        return DECISION(DECIDE_COMMIT, (uint32_t)rt.view.buffering[0] << 12);
    MUST(rt.view.timed_count);
    return DECISION(DECIDE_WAKE, rt.view.timed[0]);
}

static _Noreturn void stuck(void);

/* A thread that goes no further is not to be waited for, nor one in a spin loop
 * that is explored elsewhere: the others did what they could. */
static void end_if_parked(void)
{
    if (rt.parked)
        driver_end(rt.parked);
    for (uint32_t i = 0; i < rt.thread_count && rt.awaiting; i++)
        if (rt.strategy->explores && rt.threads[i].state == THREAD_AWAITS &&
            await_is_over(&rt.threads[i]))
            driver_end(END_ASSUMED);
}

/* What is done so far says all there is to say. */
static _Noreturn void end(uint32_t how)
{
    if (how == SCHED_END_REDUNDANT)
        rt_end_redundant();
    rt_cut_execution();
}

/* Decide until some thread is to run; returns it.  The last commit may leave
 * nothing to decide. */
static struct thread *decide(void)
{
    for (;;) {
        uint32_t d;

        if (!rt.view.ready_count && !rt.view.buffering_count &&
            !rt.view.timed_count && !sched_recheck_awaits())
            stuck();
        d = rt.strategy->next(&rt.view);
        if (!fits(d)) {
            MUST(rt.strategy->repeats);
            d = fallback();
        }
        if (d == DECISION(DECIDE_END, SCHED_END_STUCK)) {
            end_if_parked();
            d = fallback(); /* one after the other finds that it must wait */
        }
        if ((d & 7) == DECIDE_END)
            end(d >> 3);
        record_decision(d & 7, d >> 3);
        if ((d & 7) == DECIDE_RUN)
            return &rt.threads[d >> 3];
        if ((d & 7) == DECIDE_COMMIT) {
            rt.deciding = true;
            machine_commit(&rt.threads[d >> 15], d >> 3 & 0xfff);
            rt.deciding = false;
        } else
            end_wait(&rt.threads[d >> 3], true);
    }
}

static void count_step(void)
{
    rt.view.steps++;
    if (++rt.events > rt.max_events)
        rt_cut_execution();
    if (rt.dense && !--rt.dense_left) {
        first_left = 0;
        sched_next_phase();
    }
}

static void take_turn(void)
{
    struct thread *to;

    count_step();
    to = decide();
    if (to != rt.current)
        fiber_switch(to);
    rt.current->sched->spun = false;
    if (rt.current->in_model)
        footprint_all();
    if (rt.strategy->did)
        rt.strategy->did(&rt.view, rt.current->id);
}

static uint32_t take_site(void)
{
    uint32_t site = __fencer_site;

    __fencer_site = 0;
    rt.current->site = site;
    rt.current->in_model = false;
    return site;
}

uint32_t rt_take_site_known_quiet(void)
{
    native_leaves_trace();
    return take_site();
}

uint32_t rt_take_site_of_end(void)
{
    __fencer_count++;
    record_effect(rt.current);
    return take_site();
}

uint32_t rt_take_site_known(void)
{
    __fencer_count++;
    record_effect(rt.current);
    return rt_take_site_known_quiet();
}

uint32_t rt_take_site_quiet(void)
{
    uint32_t site = rt_take_site_known_quiet();

    rt.current->in_model = true;
    footprint_all();
    return site;
}

uint32_t rt_take_site(void)
{
    __fencer_count++;
    record_effect(rt.current);
    return rt_take_site_quiet();
}

static void step_inside(const struct thread *t, enum event_kind kind,
                        uint64_t address, unsigned size, uint32_t site)
{
    struct sched_op op = {.address = address,
                          .site = site,
                          .kind = (uint8_t)kind,
                          .size = (uint8_t)size};

    if (rt.strategy->inside)
        rt.strategy->inside(&rt.view, t->id, &op);
}

/* Of a thread that is run by itself: accesses and fences have been announced,
 * and what others cannot see is no step. */
static void step_alone(enum event_kind kind, const void *address, unsigned size,
                       uint32_t site)
{
    switch (kind) {
    case EV_LOCK:
    case EV_UNLOCK:
    case EV_LOCK_FAIL:
    case EV_POST:
    case EV_WAIT:
    case EV_LOAD:
        if (address)
            native_sync(address, size,
                        kind == EV_UNLOCK ? ROLE_UNLOCKS : ROLE_OTHER, site);
        return;
    case EV_RMW:
        native_begin_block(site);
        return;
    default:
        return;
    }
}

void rt_step(enum event_kind kind, const void *address, unsigned size,
             uint32_t site)
{
    struct thread *t = rt.current;

    t->site = site;
    if (!rt.multi)
        return;
    if (rt.graphs) {
        step_alone(kind, address, size, site);
        return;
    }
    if (t->atomic_depth) {
        step_inside(t, kind, (uint64_t)address, size, site);
        return;
    }
    t->announced = rt.now;
    t->sched->op = (struct sched_op){.address = (uint64_t)address,
                                     .site = site,
                                     .kind = (uint8_t)kind,
                                     .size = (uint8_t)size};
    if (rt.dense && t->burst != rt.burst) {
        t->burst = rt.burst;
        t->dense_from = ++__fencer_count;
    }
    take_turn();
    if (t->interrupted && libc_interrupt(false))
        rt_step(kind, address, size, site);
}

void rt_step_draining(enum event_kind kind, uint32_t site)
{
    struct thread *t = rt.current;

    t->sched->drains = true;
    rt_step(kind, NULL, 0, site);
    t->sched->drains = false;
}

void rt_yield(void)
{
    rt.current->sched->spun = true;
    rt_step(EV_YIELD, NULL, 0, rt.current->site);
}

/* ---- Waiting ---- */

/* Nobody can run, nothing is on its way: whose fault is it?  Spinning threads
 * make it a livelock, a condition or semaphore nobody will signal any more a
 * lost wake-up, everything else a deadlock. */
static _Noreturn void stuck(void)
{
    enum failure_kind kind = FAIL_DEADLOCK;
    const struct thread *worst = NULL;

    end_if_parked();
    libc_refuse_stuck();
    for (uint32_t i = 0; i < rt.thread_count; i++) {
        const struct thread *t = &rt.threads[i];

        if (t->state == THREAD_AWAITS) {
            kind = FAIL_LIVELOCK;
            worst = t;
            break;
        }
        if (t->state != THREAD_BLOCKED)
            continue;
        if (t->blocked_kind == EV_WAIT) {
            kind = FAIL_LOST_WAKEUP;
            worst = t;
        } else if (!worst || worst->blocked_kind == EV_JOIN) {
            worst = t;
        }
    }
    rt_fail_stuck(kind, worst);
}

/* A step that would have to wait for another one in its middle is none; the
 * time, though, may come. */
static bool waits_within(const struct thread *t, bool timed)
{
    bool within = t->atomic_depth && rt.channel->flags & CHANNEL_SERIAL;

    if (within && !timed)
        rt_end_execution();
    return within;
}

bool rt_block(enum event_kind kind, const void *address, bool timed,
              const char *words)
{
    struct thread *t = rt.current;

    MUST(t->state == THREAD_READY);
    if (waits_within(t, timed))
        return false;
    if (native_is_on())
        return native_block(kind, address, timed);
    if (t->interrupted && libc_interrupt(true))
        return true;
    footprint_read((uint64_t)address, 8);
    t->state = THREAD_BLOCKED;
    t->blocked_on = address;
    t->blocked_kind = (uint8_t)kind;
    t->blocked_words = words;
    t->timed_out = false;
    ready_remove(t);
    if (timed)
        timed_add(t);
    t->sched->op = (struct sched_op){
        .address = (uint64_t)address, .site = t->site, .kind = (uint8_t)kind};
    take_turn();
    if (t->interrupted)
        libc_interrupt(false);
    return !t->timed_out;
}

void sched_sleep(void)
{
    struct thread *t = rt.current;

    MUST(t->state == THREAD_READY && rt.awaiting < rt.live);
    waits_within(t, false);
    if (t->interrupted && libc_interrupt(true))
        return;
    t->state = THREAD_AWAITS;
    t->blocked_kind = EV_AWAIT;
    rt.awaiting++;
    ready_remove(t);
    t->sched->op = (struct sched_op){.site = t->site, .kind = EV_AWAIT};
    take_turn();
}

void rt_park(enum execution_end how)
{
    struct thread *t = rt.current;

    if (!rt.multi)
        driver_end(how);
    if (rt.graphs)
        native_park(how);
    MUST(t->state == THREAD_READY && how != END_COMPLETE);
    t->state = THREAD_PARKED;
    if (rt.parked != END_CUT)
        rt.parked = how;
    ready_remove(t);
    take_turn();
    __builtin_trap();
}

void rt_wake_all(const void *address)
{
    if (native_is_on())
        return; /* who waits for it is not here */
    footprint_change((uint64_t)address, 8);
    for (uint32_t i = 0; i < rt.thread_count; i++)
        if (rt.threads[i].state == THREAD_BLOCKED &&
            rt.threads[i].blocked_on == address)
            end_wait(&rt.threads[i], false);
    if (rt.awaiting)
        sched_memory_changed((uint64_t)address, 8);
}

/* ---- Threads ---- */

struct thread *rt_thread_make(void (*entry)(struct thread *t))
{
    uint32_t id = native_is_on() ? native_child() : rt.thread_count;
    struct thread *t;
    char *stack;

    if (id == RT_MAX_THREADS)
        return NULL;
    footprint_change((uint64_t)&rt.thread_count, sizeof rt.thread_count);
    t = &rt.threads[id];
    stack = t->stack;
    memset(t, 0, offsetof(struct thread, reads));
    memset(t->keys, 0,
           (rt.graphs ? rt.key_most : rt.key_end) * sizeof *t->keys);
    t->stack = stack;
    t->id = id;
    if (rt.thread_count <= id)
        rt.thread_count = id + 1;
    MUST(rt.live < rt.thread_count || rt.graphs);
    t->sched = &rt.sched[t->id];
    *t->sched = (struct sched_thread){
        .ready_at = NOWHERE, .timed_at = NOWHERE, .buffer_at = NOWHERE};
    t->state = THREAD_READY;
    t->entry = entry;
    machine_thread_start(t);
    if (MUTANT(18))
        t->floor = 0;
    fiber_prepare(t);
    if (rt.dense) /* it will be seen from its beginning */
        t->burst = rt.burst;
    rt.view.thread_count = rt.thread_count;
    rt.live++;
    if (rt.graphs)
        native_made(t->id);
    else
        ready_add(t);
    t->sched->op.kind = EV_START;
    if (rt.strategy->made)
        rt.strategy->made(&rt.view, t->id);
    if (rt.live == 2 && !rt.multi)
        together();
    return t;
}

struct thread *rt_thread_of(uint32_t id)
{
    return id < rt.thread_count ? &rt.threads[id] : NULL;
}

/* The last thread may still read what others wrote over.  A strategy that
 * tries everything must not find that this depends on when they ended; nor one
 * that explores, what a step is. */
static bool sees_the_past(void)
{
    return rt.strategy->explores ||
           (rt.view.footprint && rt.model->reorders_loads);
}

void rt_thread_end(void)
{
    struct thread *t = rt.current;

    MUST(t->state == THREAD_READY && rt.live);
    MUST(rt.live <= rt.thread_count || rt.graphs);
    if (native_is_on()) {
        struct fiber_range r = fiber_mortal(t);

        native_stack_ends(r.start, r.end);
        native_return((uint64_t)t->result);
    }
    if (!MUTANT(16))
        rt_drain(t);
    if (rt.live == 1) {
        libc_run_exit_handlers();
        rt_exit(0);
    }
    t->state = THREAD_DONE;
    fiber_die(t);
    ready_remove(t);
    rt.live--;
    if (rt.live == 1 && !sees_the_past()) {
        sched_alone();
        __fencer_countdown = LEFT_TICKS;
        rt.left_alone = true;
    }
    take_turn();
    __builtin_trap();
}

/* ---- One execution ---- */

/* What the first thread does before there is a second, everybody sees: it is
 * told to nobody. */
static void tell_nobody_yet(void)
{
    if (rt.view.log)
        happenings = rt.view.log;
    if (!rt.strategy->logs && !(rt.channel->flags & CHANNEL_LOG))
        happenings = NULL;
    rt.view.log = NULL;
    rt.view.log_count = 0;
}

void sched_begin(void (*entry)(struct thread *t))
{
    fiber_revive();
    locals_forget();
    tell_nobody_yet();
    rt.view.ready_count = rt.view.timed_count = rt.view.buffering_count = 0;
    rt.view.model = rt.model;
    for (uint32_t i = 0; rt.graphs && i < rt.thread_count; i++)
        rt.threads[i].state = THREAD_UNUSED; /* not all are made again */
    rt.view.thread_count = rt.thread_count = 0;
    rt.view.current = 0;
    rt.view.steps = 0;
    rt.live = rt.awaiting = rt.burst = 0;
    rt.parked = END_COMPLETE;
    rt.lone_looks = 0;
    rt.left_alone = false;
    if (rt.key_most < rt.key_end)
        rt.key_most = rt.key_end;
    rt.key_end = 0;
    rt.events = 0;
    rt.now = 0;
    rt.multi = false;
    rt.view.writes_ordered = rt.view.lossy = false;
    first_left = FIRST_DENSE;
    set_dense(false);
    __fencer_countdown = LONE_TICKS;
    machine_forget();
    rt.current = rt_thread_make(entry);
}

void sched_run(void)
{
    __fencer_site = 0;
    running = true;
    fiber_run(rt.current);
    running = false;
}

void sched_resume(struct thread *t)
{
    running = true;
    fiber_resume(t);
    running = false;
}

bool sched_is_running(void)
{
    return running;
}

void sched_stop(void)
{
    set_dense(false);
    __fencer_mask = ~0ull;
    __fencer_countdown = INT64_MAX;
    fiber_leave();
}
