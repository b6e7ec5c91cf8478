/* SPDX-License-Identifier: MIT
 *
 * Fibers and whose turn it is.
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
 * Spin loops.  An iteration that changed nothing, in the program's memory or
 * in the loop's own variables, is an await on what it read: the thread sleeps
 * until one of those values is different (DESIGN, section 3).  If everybody
 * waits and all buffers are empty, the program is stuck, and that is a finding.
 */
#include "runtime/sched.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/arch.h"
#include "runtime/hooks.h"
#include "runtime/layout.h"
#include "runtime/libc.h"
#include "runtime/machine.h"
#include "runtime/record.h"

#define FIRST_DENSE 60000u     /* steps of an execution's first dense phase */
#define DENSE 600u             /* of any later one */
#define LONE_TICKS (1ll << 22) /* back edges between looks at a lone thread */
#define LONE_DENSE 400u
#define LONE_LOOKS 4096u /* then its execution is cut */

/* Read and written by instrumented code. */
uint64_t __fencer_mask = ~0ull;
int64_t __fencer_countdown = INT64_MAX;
uint32_t __fencer_count;
uint32_t __fencer_site;
char *__fencer_tls;

struct rt rt;

static void *driver_sp;
static struct thread *blamed;
static uint32_t blamed_site;
static int *errno_at;
static uint32_t first_left; /* steps of the first dense phase not yet used */

/* For fencer-gdb.py. */
struct gdb_thread {
    uint32_t id, state;
    void *const *sp; /* where its stack pointer is saved while it waits */
    uint32_t site;
};
struct gdb_thread __fencer_gdb_threads[RT_MAX_THREADS];
uint32_t __fencer_gdb_thread_count;
uint32_t __fencer_gdb_current;

bool sched_map(void)
{
    static struct thread table[RT_MAX_THREADS];
    uint64_t size = FIBER_SIZE * RT_MAX_THREADS;

    rt.threads = table;
    rt.view.threads = rt.sched;
    rt.view.committable = machine_committable;
    errno_at = __errno_location();
    return mmap((void *)FIBER_AT, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                    MAP_FIXED_NOREPLACE,
                -1, 0) == (void *)FIBER_AT;
}

/* ---- Lists of the view ---- */

#define NOWHERE UINT32_MAX

static void list_add(uint16_t *list, uint32_t *count, uint32_t *at, uint32_t id)
{
    if (*at != NOWHERE)
        return;
    *at = *count;
    list[(*count)++] = (uint16_t)id;
}

/* Moves the last entry into the gap: `moved` is whose position changes. */
static uint32_t list_remove(uint16_t *list, uint32_t *count, uint32_t at)
{
    uint16_t last = list[--*count];

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
    list_add(rt.view.buffering, &rt.view.buffering_count, &t->sched->buffer_at,
             t->id);
}

void sched_buffer_empty(struct thread *t)
{
    uint32_t at = t->sched->buffer_at;

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
    __fencer_mask = dense || rt.tracing ? 0 : ~0ull;
}

/* From here on nobody sees accesses: no store may be left on its way. */
static void leave_dense(void)
{
    while (rt.view.buffering_count)
        machine_commit(&rt.threads[rt.view.buffering[0]], 0);
    set_dense(false);
}

static void enter_dense(uint32_t steps)
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
static void next_phase(void)
{
    uint32_t ticks = rt.strategy->ticks(rt.dense);

    rt.channel->events++; /* the tool watches it grow */
    record_decision(DECIDE_TICKS, ticks);
    if (ticks) {
        leave_dense();
        __fencer_countdown = ticks;
    } else {
        enter_dense(DENSE);
    }
}

/* A second thread lives now. */
static void together(void)
{
    rt.multi = true;
    if (first_left)
        enter_dense(first_left);
    else
        next_phase();
}

/* One thread is left, or there never was a second: nobody can see the order
 * of its accesses. */
static void alone(void)
{
    if (rt.multi && first_left)
        first_left = rt.dense_left;
    rt.multi = false;
    leave_dense();
    __fencer_countdown = LONE_TICKS;
}

/* ---- Switching ---- */

static void gdb_note(const struct thread *t)
{
    struct gdb_thread *g = &__fencer_gdb_threads[t->id];

    g->id = t->id;
    g->state = t->state;
    g->sp = &t->sp;
    g->site = t->site;
}

static void switch_to(struct thread *to)
{
    struct thread *from = rt.current;

    from->clock = __fencer_count;
    from->saved_errno = *errno_at;
    rt.current = to;
    rt.view.current = to->id;
    rt.channel->switches++;
    __fencer_count = to->clock;
    __fencer_tls = to->tls;
    if (rt.tracing) {
        gdb_note(from);
        __fencer_gdb_current = to->id;
    }
    __fencer_arch_switch(&from->sp, to->sp);
    *errno_at = rt.current->saved_errno;
}

uint32_t sched_choose(enum decision_kind kind, uint32_t n)
{
    uint32_t chosen;

    if (n <= 1)
        return 0;
    chosen = rt.strategy->choose(kind, n);
    if (chosen >= n)
        chosen = 0;
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
    if (t->state == THREAD_AWAITS)
        rt.awaiting--;
    t->state = THREAD_READY;
    t->timed_out = timed_out;
    t->blocked_on = NULL;
    ready_add(t);
}

void rt_wake(struct thread *t)
{
    if (t->state == THREAD_BLOCKED)
        end_wait(t, false);
}

/* Does a decision from a list fit the state it meets? */
static bool fits(uint32_t decision)
{
    uint32_t n = decision >> 3;

    switch (decision & 7) {
    case DECIDE_RUN:
        return n < rt.thread_count && rt.sched[n].ready_at != NOWHERE;
    case DECIDE_WAKE:
        return n < rt.thread_count && rt.sched[n].timed_at != NOWHERE;
    case DECIDE_COMMIT:
        return n >> 12 < rt.thread_count &&
               machine_may_commit(&rt.threads[n >> 12], n & 0xfff);
    default:
        return false;
    }
}

/* Something that can always be done. */
static uint32_t fallback(void)
{
    if (rt.view.ready_count)
        return DECISION(DECIDE_RUN, rt.view.ready[0]);
    if (rt.view.buffering_count)
        return DECISION(DECIDE_COMMIT, (uint32_t)rt.view.buffering[0] << 12);
    return DECISION(DECIDE_WAKE, rt.view.timed[0]);
}

static _Noreturn void stuck(void);

/* Decide until some thread is to run; returns it.  The last commit may leave
 * nothing to decide. */
static struct thread *decide(void)
{
    for (;;) {
        uint32_t d;

        if (!rt.view.ready_count && !rt.view.buffering_count &&
            !rt.view.timed_count)
            stuck();
        d = rt.strategy->next(&rt.view);
        if (!fits(d))
            d = fallback();
        record_decision(d & 7, d >> 3);
        if ((d & 7) == DECIDE_RUN)
            return &rt.threads[d >> 3];
        if ((d & 7) == DECIDE_COMMIT)
            machine_commit(&rt.threads[d >> 15], d >> 3 & 0xfff);
        else
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
        next_phase();
    }
}

static void take_turn(void)
{
    struct thread *to;

    count_step();
    to = decide();
    if (to != rt.current)
        switch_to(to);
    rt.current->sched->spun = false;
    if (rt.strategy->did)
        rt.strategy->did(&rt.view, rt.current->id);
}

uint32_t rt_take_site_quiet(void)
{
    uint32_t site = __fencer_site;

    __fencer_site = 0;
    rt.current->site = site;
    return site;
}

uint32_t rt_take_site(void)
{
    __fencer_count++;
    record_effect(rt.current);
    return rt_take_site_quiet();
}

void rt_step(enum event_kind kind, const void *address, unsigned size,
             uint32_t site)
{
    struct thread *t = rt.current;

    t->site = site;
    if (!rt.multi || t->atomic_depth)
        return;
    t->sched->op = (struct sched_op){(uint64_t)address, site, (uint8_t)kind,
                                     (uint8_t)size};
    if (rt.dense && t->burst != rt.burst) {
        t->burst = rt.burst;
        t->dense_from = ++__fencer_count;
    }
    take_turn();
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

static void wait_for_turn(void)
{
    if (!rt.view.ready_count && !rt.view.buffering_count &&
        !rt.view.timed_count)
        stuck();
    take_turn();
}

bool rt_block(enum event_kind kind, const void *address, bool timed,
              const char *words)
{
    struct thread *t = rt.current;

    t->state = THREAD_BLOCKED;
    t->blocked_on = address;
    t->blocked_kind = (uint8_t)kind;
    t->blocked_words = words;
    t->timed_out = false;
    ready_remove(t);
    if (timed)
        timed_add(t);
    t->sched->op =
        (struct sched_op){(uint64_t)address, t->site, (uint8_t)kind, 0};
    wait_for_turn();
    return !t->timed_out;
}

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
    for (uint32_t i = 0; i < rt.thread_count && rt.awaiting; i++)
        if (rt.threads[i].state == THREAD_AWAITS &&
            reads_there(&rt.threads[i], address, size))
            end_wait(&rt.threads[i], false);
}

void rt_wake_all(const void *address)
{
    for (uint32_t i = 0; i < rt.thread_count; i++)
        if (rt.threads[i].state == THREAD_BLOCKED &&
            rt.threads[i].blocked_on == address)
            end_wait(&rt.threads[i], false);
    if (rt.awaiting)
        sched_memory_changed((uint64_t)address, 8);
}

/* ---- Back edges ---- */

/* Would another iteration, with memory as it is, read the same? */
static bool reads_unchanged(const struct thread *t, uint32_t mark)
{
    for (uint32_t i = 0; i < t->read_count; i++) {
        const struct rt_read *r = &t->reads[i];

        if (r->at > mark &&
            machine_peek(t, r->address, r->size > 8 ? 8 : r->size) != r->value)
            return false;
    }
    return true;
}

static void drop_reads_before(struct thread *t, uint32_t mark)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < t->read_count; i++)
        if (t->reads[i].at > mark)
            t->reads[kept++] = t->reads[i];
    t->read_count = kept;
}

static void await(struct thread *t, uint32_t mark, uint32_t site)
{
    drop_reads_before(t, mark);
    if (!t->read_count && !t->buffered)
        rt_fail(FAIL_HANG, site, NULL);
    rt_event(EV_AWAIT, t->read_count ? (void *)t->reads[0].address : NULL,
             t->read_count ? t->reads[0].size : 0,
             t->read_count ? t->reads[0].value : 0, 0, site);
    t->state = THREAD_AWAITS;
    t->blocked_kind = EV_AWAIT;
    t->site = site;
    rt.awaiting++;
    ready_remove(t);
    t->sched->op = (struct sched_op){0, site, EV_AWAIT, 0};
    wait_for_turn();
}

/* A lone thread is looked at now and then: it may spin for ever. */
static void look_at_lone_thread(void)
{
    struct thread *t = rt.current;

    if (rt.dense) {
        if (--rt.dense_left)
            __fencer_countdown = 0;
        else
            alone();
        return;
    }
    rt.channel->events++; /* the tool watches it grow */
    if (++rt.lone_looks > LONE_LOOKS)
        rt_cut_execution();
    enter_dense(LONE_DENSE);
    t->burst = rt.burst;
    t->dense_from = ++__fencer_count;
}

uint32_t __fencer_tick(uint32_t mark, uint32_t changed, uint32_t site)
{
    struct thread *t = rt.current;

    __fencer_countdown = 0;
    if (rt.dense && !changed && t->last_effect < mark &&
        mark >= t->dense_from && mark >= t->reads_from &&
        reads_unchanged(t, mark))
        await(t, mark, site);
    if (!rt.multi) {
        look_at_lone_thread();
    } else if (!rt.dense) {
        next_phase();
    } else if (mark == __fencer_count && ++rt.silent_ticks > SILENT_TICKS) {
        /* A loop without events still lets others run. */
        rt.silent_ticks = 0;
        rt_step(EV_YIELD, NULL, 0, site);
    }
    return ++__fencer_count;
}

/* ---- Threads ---- */

static void fiber_start(void *argument)
{
    struct thread *t = argument;

    *errno_at = 0;
    t->entry(t);
    __builtin_trap();
}

static void place_stack(struct thread *t)
{
    char *slot = (char *)FIBER_AT + (size_t)t->id * FIBER_SIZE;
    uint64_t tls = (__fencer_program.tls_size + 63) & ~63ull;

    if (!t->stack) {
        mprotect(slot, FIBER_GUARD, PROT_NONE);
        t->stack = slot + FIBER_GUARD;
    }
    t->stack_end = slot + FIBER_SIZE - tls - 64;
    t->tls = t->stack_end;
    t->stack_end -= (uint64_t)t->stack_end & 63;
    t->tls = slot + FIBER_SIZE - tls;
    if (__fencer_program.tls_size)
        memcpy(t->tls, __fencer_program.tls_image, __fencer_program.tls_size);
}

struct thread *rt_thread_make(void (*entry)(struct thread *t))
{
    struct thread *t;
    char *stack;

    if (rt.thread_count == RT_MAX_THREADS)
        return NULL;
    t = &rt.threads[rt.thread_count];
    stack = t->stack;
    memset(t, 0, offsetof(struct thread, reads));
    memset(t->keys, 0, rt.key_end * sizeof *t->keys);
    t->stack = stack;
    t->id = rt.thread_count++;
    t->sched = &rt.sched[t->id];
    *t->sched = (struct sched_thread){
        .ready_at = NOWHERE, .timed_at = NOWHERE, .buffer_at = NOWHERE};
    t->state = THREAD_READY;
    t->entry = entry;
    machine_thread_start(t);
    if (MUTANT(18))
        t->floor = 0;
    place_stack(t);
    t->sp = arch_prepare(t->stack_end, fiber_start, t);
    rt.view.thread_count = rt.thread_count;
    rt.live++;
    ready_add(t);
    t->sched->op.kind = EV_START;
    if (rt.strategy->made)
        rt.strategy->made(&rt.view, t->id);
    __fencer_gdb_thread_count = rt.thread_count;
    gdb_note(t);
    if (rt.live == 2 && !rt.multi)
        together();
    return t;
}

struct thread *rt_thread_of(uint32_t id)
{
    return id < rt.thread_count ? &rt.threads[id] : NULL;
}

void rt_thread_end(void)
{
    struct thread *t = rt.current;

    if (!MUTANT(16))
        rt_drain(t);
    if (rt.live == 1) {
        libc_run_exit_handlers();
        rt_exit(0);
    }
    t->state = THREAD_DONE;
    ready_remove(t);
    rt.live--;
    if (rt.live == 1)
        alone();
    wait_for_turn();
    __builtin_trap();
}

/* ---- One execution ---- */

void sched_begin(void (*entry)(struct thread *t))
{
    rt.view.ready_count = rt.view.timed_count = rt.view.buffering_count = 0;
    rt.view.thread_count = rt.thread_count = 0;
    rt.view.current = 0;
    rt.view.steps = 0;
    rt.live = rt.awaiting = rt.burst = rt.silent_ticks = 0;
    rt.lone_looks = 0;
    rt.key_end = 0;
    rt.events = 0;
    rt.now = 0;
    rt.multi = false;
    first_left = FIRST_DENSE;
    set_dense(false);
    __fencer_countdown = LONE_TICKS;
    machine_forget();
    rt.current = rt_thread_make(entry);
}

void sched_run(void)
{
    struct thread *t = rt.current;

    __fencer_count = 0;
    __fencer_site = 0;
    __fencer_tls = t->tls;
    __fencer_arch_switch(&driver_sp, t->sp);
}

void sched_stop(void)
{
    void *nowhere;

    set_dense(false);
    __fencer_mask = ~0ull;
    __fencer_countdown = INT64_MAX;
    __fencer_arch_switch(&nowhere, driver_sp);
    __builtin_trap();
}
