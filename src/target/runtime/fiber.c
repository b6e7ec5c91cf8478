/* SPDX-License-Identifier: MIT
 *
 * Fibers: a stack each, at a place that depends on the thread's number alone,
 * with its copy of the program's __thread data on top:
 *
 *   | guard page | stack ......................... <- | thread's data |
 *
 * What belongs to a thread and lives in one place of the process, errno and the
 * variables that instrumented code reads, changes hands at each switch.
 */
#include "runtime/fiber.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "runtime/arch.h"
#include "runtime/footprint.h"
#include "runtime/layout.h"
#include "runtime/runtime_record.h"
#include "runtime/shadow.h"

/* Stacks begin in different places of their pages: caches have few places for
 * addresses that are alike in their lower bits. */
#define COLOURS 16
#define COLOUR 1088

/* Read and written by instrumented code. */
char *__fencer_tls;

static void *driver_sp;
static int *errno_at;

/* For fencer-gdb.py. */
struct gdb_thread {
    uint32_t id, state;
    void *const *sp; /* where its stack pointer is saved while it waits */
    uint32_t site;
};
struct gdb_thread __fencer_gdb_threads[RT_MAX_THREADS];
uint32_t __fencer_gdb_thread_count;
uint32_t __fencer_gdb_current;

bool fiber_map(void)
{
    uint64_t size = FIBER_SIZE * RT_MAX_THREADS;

    errno_at = __errno_location();
    return mmap((void *)FIBER_AT, size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
                    MAP_FIXED_NOREPLACE,
                -1, 0) == (void *)FIBER_AT;
}

static void gdb_note(const struct thread *t)
{
    struct gdb_thread *g = &__fencer_gdb_threads[t->id];

    g->id = t->id;
    g->state = t->state;
    g->sp = &t->sp;
    g->site = t->site;
}

static void start(void *argument)
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
    t->tls = slot + FIBER_SIZE - tls;
    t->stack_end = t->tls - 64 - t->id % COLOURS * COLOUR;
    if (__fencer_program.tls_size)
        memcpy(t->tls, __fencer_program.tls_image, __fencer_program.tls_size);
}

void fiber_prepare(struct thread *t)
{
    MUST(t->id < RT_MAX_THREADS);
    place_stack(t);
    t->sp = arch_prepare(t->stack_end, start, t);
    __fencer_gdb_thread_count = t->id + 1;
    gdb_note(t);
}

/* ---- Stacks of threads that have ended ---- */

/* How much of a stack is looked at, from its beginning. */
#define MORTAL (8ull << 10)

static uint16_t dead[RT_MAX_THREADS];
static uint32_t dead_count;

uint32_t fiber_of(uint64_t address)
{
    return (uint32_t)((address - FIBER_AT) / FIBER_SIZE);
}

/* Much code takes it that main's locals outlive main's pthread_exit. */
struct fiber_range fiber_mortal(const struct thread *t)
{
    uint64_t end = FIBER_AT + (t->id + 1) * FIBER_SIZE;

    if (!t->id)
        return (struct fiber_range){end, end};
    return (struct fiber_range){((uint64_t)t->stack_end - MORTAL) & ~15ull,
                                end};
}

static void paint(const struct thread *t, uint8_t byte)
{
    struct fiber_range r = fiber_mortal(t);

    memset(shadow_of(r.start), byte, (r.end - r.start) >> SHADOW_SHIFT);
}

void fiber_die(const struct thread *t)
{
    struct fiber_range r = fiber_mortal(t);

    if (r.start == r.end)
        return;
    footprint_change(r.start, r.end - r.start);
    paint(t, SHADOW_DEAD_STACK);
    dead[dead_count++] = (uint16_t)t->id;
}

void fiber_revive(void)
{
    while (dead_count)
        paint(&rt.threads[dead[--dead_count]], SHADOW_CLEAN);
}

void fiber_switch(struct thread *to)
{
    struct thread *from = rt.current;

    MUST(to != from && to->state == THREAD_READY);
    MUST((char *)to->sp >= to->stack && (char *)to->sp < to->stack_end);
    MUST(__fencer_count >= from->clock); /* it only grows */
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

void fiber_run(struct thread *first)
{
    __fencer_count = 0;
    __fencer_tls = first->tls;
    __fencer_arch_switch(&driver_sp, first->sp);
}

void fiber_resume(struct thread *t)
{
    MUST((char *)t->sp >= t->stack && (char *)t->sp < t->stack_end);
    rt.current = t;
    rt.view.current = t->id;
    __fencer_count = t->clock;
    __fencer_tls = t->tls;
    __fencer_arch_switch(&driver_sp, t->sp);
}

void fiber_pause(void)
{
    struct thread *t = rt.current;

    MUST(__fencer_count >= t->clock);
    t->clock = __fencer_count;
    t->saved_errno = *errno_at;
    __fencer_arch_switch(&t->sp, driver_sp);
    *errno_at = t->saved_errno;
}

void fiber_leave(void)
{
    void *nowhere;

    __fencer_arch_switch(&nowhere, driver_sp);
    __builtin_trap();
}
