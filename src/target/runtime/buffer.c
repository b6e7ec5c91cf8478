/* SPDX-License-Identifier: MIT
 *
 * Store buffers: how stores wait, which may go, and who waits for them, on any
 * model (docs/models.md).
 *
 * A thread's stores wait in one list in issue order.  Which of them may commit
 * is the model's: on TSO the oldest, on PSO and PSLO any with no older one
 * that overlaps it or that a store-store fence puts before it.  A buffered
 * store carries its thread's counts of store-store and store-load fences.
 *
 *      T1: x=1; ss; y=1; z=1        buffer: x(ss 0)  y(ss 1)  z(ss 1)
 *      PSO may commit x; then y or z.
 *
 * Where an operation must wait for buffered stores, they are committed at
 * once, when its turn comes.  That loses nothing: the scheduler could have
 * committed any of them, in any order and with others running in between,
 * while the operation was announced and waiting for its turn.
 */
#include "runtime/buffer.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "runtime/footprint.h"
#include "runtime/happened.h"
#include "runtime/history.h"
#include "runtime/layout.h"
#include "runtime/machine.h"
#include "runtime/native.h"
#include "runtime/runtime_record.h"
#include "runtime/sched.h"
#include "runtime/shadow.h"

/* ---- Buffers ---- */

void machine_map(void)
{
    size_t size = sizeof(struct buffered) * RT_BUFFER_MAX * RT_MAX_THREADS;

    mmap((void *)BUFFERS_AT, size, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
         0);
    history_map();
}

void machine_forget(void)
{
    if (rt.model->reorders_loads)
        history_forget();
}

void machine_thread_start(struct thread *t)
{
    t->buffer = (struct buffered *)BUFFERS_AT + (size_t)t->id * RT_BUFFER_MAX;
    t->buffered = 0;
    t->ss = t->sl = 0;
    t->bloom = 0;
    t->floor = rt.now; /* a new thread's histories start at its creation */
    footprint_cut();
    t->last_commit = 0;
    t->newest_read = 0;
}

static bool overlap(uint64_t a, unsigned a_size, uint64_t b, uint64_t b_size)
{
    return a < b + b_size && b < a + a_size;
}

/* Must the older store of a thread commit before the younger one? */
static bool goes_first(const struct buffered *older,
                       const struct buffered *younger)
{
    if (!rt.model->reorders_stores && !MUTANT(3))
        return true;
    if (older->ss < younger->ss && !MUTANT(4))
        return true;
    return overlap(older->address, older->size, younger->address,
                   younger->size) &&
           !MUTANT(5);
}

bool machine_may_commit(const struct thread *t, uint32_t position)
{
    if (position >= t->buffered)
        return false;
    for (uint32_t i = 0; i < position; i++)
        if (goes_first(&t->buffer[i], &t->buffer[position]))
            return false;
    return true;
}

uint32_t machine_committable(uint32_t thread, uint16_t *positions, uint32_t max)
{
    const struct thread *t = &rt.threads[thread];
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->buffered && n < max; i++) {
        if (machine_may_commit(t, i))
            positions[n++] = (uint16_t)i;
        if (!rt.model->reorders_stores && !MUTANT(3))
            break;
    }
    return n;
}

struct sched_op machine_buffered(uint32_t thread, uint32_t position)
{
    const struct thread *t = &rt.threads[thread];
    const struct buffered *b = &t->buffer[position];

    if (position >= t->buffered)
        return (struct sched_op){.kind = EV_NONE};
    return (struct sched_op){.address = b->address,
                             .site = b->site,
                             .kind = b->kind,
                             .size = b->size,
                             .number = b->number};
}

uint32_t machine_buffered_count(uint32_t thread)
{
    return rt.threads[thread].buffered;
}

bool machine_load_waits(const struct thread *t)
{
    const struct sched_op *op = &t->sched->op;

    return t->buffered && t->buffer[0].sl < t->sl &&
           (op->kind == EV_LOAD || op->kind == EV_RMW) && op->address &&
           !memory_is_ghost(op->address);
}

static uint64_t bloom_of(uint64_t address)
{
    return 1ull << ((address >> 3) & 63);
}

static uint64_t bloom_range(uint64_t address, unsigned size)
{
    return bloom_of(address) | bloom_of(address + size - 1);
}

static void take_out(struct thread *t, uint32_t position)
{
    MUST(position < t->buffered);
    t->buffered--;
    memmove(&t->buffer[position], &t->buffer[position + 1],
            (t->buffered - position) * sizeof *t->buffer);
    if (!t->buffered) {
        t->bloom = 0;
        sched_buffer_empty(t);
    }
}

/* ---- Memory ---- */

static void write_raw(uint64_t address, unsigned size, const struct value *v)
{
    switch (size) {
    case 1:
        *(uint8_t *)address = (uint8_t)v->word[0];
        break;
    case 2:
        memcpy((void *)address, v, 2);
        break;
    case 4:
        memcpy((void *)address, v, 4);
        break;
    case 8:
        memcpy((void *)address, v, 8);
        break;
    default:
        memcpy((void *)address, v, size);
    }
}

/* A write takes its place in memory, at a new moment; those of fencer_atomic
 * share one, for memory never was between them.  A ghost's does not
 * count for store-load fences: they would order what only the ghost saw. */
void memory_write(struct thread *t, uint64_t address, unsigned size,
                  const struct value *v, uint32_t event)
{
    if (!t->atomic_depth || MUTANT(22))
        rt.now++;
    MUST(t->last_commit <= rt.now);
    if (!memory_is_ghost(address))
        t->last_commit = rt.now;
    if (memory_is_ghost(address))
        footprint_change(address, size);
    else
        footprint_write(address, size);
    shadow_touch(address, size);
    if (rt.model->reorders_loads && rt.dense)
        history_note(t, address, size, event);
    write_raw(address, size, v);
    if (rt.awaiting)
        sched_memory_changed(address, size);
}

static uint32_t trace_commit(struct thread *t, const struct buffered *b)
{
    struct event e = {.kind = EV_COMMIT,
                      .size = b->size,
                      .flags = EVF_BUFFERED,
                      .site = b->site,
                      .value = b->value[0],
                      .from = b->event,
                      .depth = t->buffered};

    e.co = record_wrote(b->address, b->size, b->event);
    return record_event(t, &e, b->address);
}

void machine_commit(struct thread *t, uint32_t position)
{
    struct buffered b = t->buffer[position];
    struct value v = {{b.value[0], b.value[1]}};

    MUST(!position || machine_may_commit(t, position)); /* it keeps order */
    MUST(b.ss <= t->ss && b.sl <= t->sl);
    take_out(t, position);
    rt.channel->commits++;
    if (!b.on_commit)
        shadow_check(b.address, b.size, true, b.site);
    sched_blame(t, b.site);
    if (b.on_commit) {
        rt.now++;
        t->last_commit = rt.now;
        footprint_write(b.address, b.size);
        b.on_commit((void *)b.address);
    } else {
        memory_write(t, b.address, b.size, &v, b.event);
    }
    sched_blame(NULL, 0);
    /* "A store-load fence cuts the histories at the latest commit among the
     * stores before it", and this store was one. */
    if (b.sl < t->sl && !MUTANT(6))
        t->floor = t->announced = rt.now;
    if (rt.tracing)
        trace_commit(t, &b);
}

/* Commit that one, after all that must go before it. */
static void force(struct thread *t, uint32_t position)
{
    MUST(position < t->buffered);
    for (uint32_t i = 0; i < position;) {
        if (goes_first(&t->buffer[i], &t->buffer[position])) {
            uint32_t before = t->buffered;

            force(t, i);
            position -= before - t->buffered;
            i = 0;
        } else {
            i++;
        }
    }
    machine_commit(t, position);
}

void rt_drain(struct thread *t)
{
    while (t->buffered)
        machine_commit(t, 0);
}

void rt_drain_range(uint64_t address, uint64_t size)
{
    struct thread *t = rt.current;

    for (uint32_t i = 0; i < t->buffered;) {
        const struct buffered *b = &t->buffer[i];

        if (overlap(b->address, b->size, address, size)) {
            force(t, i);
            i = 0;
        } else {
            i++;
        }
    }
}

/* A load or RMW waits while its thread buffers a store from before a
 * store-load fence. */
void buffer_drain_before_load(struct thread *t)
{
    if (MUTANT(7))
        return;
    while (t->buffered && t->buffer[0].sl < t->sl)
        machine_commit(t, 0);
}

/* A write that is not buffered waits for the stores before a store-store
 * fence. */
void buffer_drain_before_write(struct thread *t)
{
    if (MUTANT(8))
        return;
    while (t->buffered && t->buffer[0].ss < t->ss)
        machine_commit(t, 0);
}

void buffer_drain_before_rmw(struct thread *t, uint64_t address, unsigned size)
{
    if (!t->buffered && !rt.view.footprint)
        return;
    if (rt.model->rmw_drains_all && !MUTANT(9)) {
        rt_drain(t);
        return;
    }
    buffer_drain_before_load(t);
    if (!MUTANT(10))
        rt_drain_range(address, size);
}

/* ---- Fences ---- */

void rt_cut(void)
{
    rt.current->floor = rt.now;
    footprint_cut();
}

void rt_fence(unsigned bits)
{
    struct thread *t = rt.current;

    if (!bits)
        return;
    if (bits & FENCE_FULL && !MUTANT(11)) {
        rt_drain(t);
        rt_cut();
        return;
    }
    if (bits & FENCE_SS && t->buffered)
        t->ss++;
    if (bits & FENCE_SL && !MUTANT(12)) {
        if (t->buffered)
            t->sl++;
        if (t->floor < t->last_commit)
            t->floor = t->last_commit;
        /* From now on it matters what was written before its last commit. */
        rt.view.writes_ordered = rt.model->reorders_loads;
    }
    if (bits & FENCE_LL && !MUTANT(13))
        rt_cut();
}

void rt_drain_and_cut(void)
{
    if (native_is_on())
        native_fence(FENCE_FULL, ORDER_RELAXED, rt.current->site);
    rt_fence(FENCE_FULL);
    HAPPENED(.kind = EV_FENCE, .bits = FENCE_FULL, .order = ORDER_SEQ_CST,
             .site = rt.current->site);
}

void rt_fence_everybody(void)
{
    rt_drain_and_cut();
    footprint_all();
    for (uint32_t i = 0; i < rt.thread_count; i++) {
        rt_drain(&rt.threads[i]);
        rt.threads[i].floor = rt.threads[i].announced = rt.now;
    }
}

/* ---- In and out ---- */

void buffer_push(struct thread *t, uint64_t address, unsigned size,
                 const struct value *v, rt_commit_fn *on_commit,
                 enum event_kind kind, uint32_t site, uint32_t event)
{
    struct buffered *b;

    /* A full buffer makes room before it takes another. */
    while (t->buffered >= rt.buffer_limit) {
        footprint_buffer();
        machine_commit(t, 0);
    }
    MUST(t->buffered < RT_BUFFER_MAX && size && size <= 16);
    MUST(!t->buffered || (t->buffer[t->buffered - 1].ss <= t->ss &&
                          t->buffer[t->buffered - 1].sl <= t->sl));
    b = &t->buffer[t->buffered++];
    b->address = address;
    b->value[0] = v->word[0];
    b->value[1] = v->word[1];
    b->on_commit = on_commit;
    b->ss = t->ss;
    b->sl = t->sl;
    b->site = site;
    b->event = event;
    b->size = (uint8_t)size;
    b->kind = (uint8_t)kind;
    b->number = t->stores++;
    t->bloom |= bloom_range(address, size);
    if (t->buffered == 1)
        sched_buffer_used(t);
}

/* Takes what it can from the own buffer; returns the bytes still needed. */
uint32_t buffer_forward(const struct thread *t, uint64_t address, unsigned size,
                        struct value *v, uint32_t *from)
{
    uint32_t need = (1u << size) - 1;
    uint8_t *out = (uint8_t *)v;

    if (!(t->bloom & bloom_range(address, size)))
        return need;
    for (uint32_t i = t->buffered; i-- && need;) {
        const struct buffered *b = &t->buffer[i];

        if (b->on_commit || !overlap(b->address, b->size, address, size))
            continue;
        for (unsigned j = 0; j < size; j++) {
            uint64_t at = address + j - b->address;

            if (!(need >> j & 1) || at >= b->size)
                continue;
            out[j] = ((const uint8_t *)b->value)[at];
            need &= ~(1u << j);
            if (!*from)
                *from = b->event;
        }
    }
    return need;
}

/* ---- Synchronisation objects ---- */

void rt_acquire(enum model_construct construct, void *address)
{
    struct thread *t = rt.current;

    if (native_is_on())
        return;
    if (!t->buffered && !rt.model->reorders_loads && !rt.view.footprint)
        return;
    if (construct == C_LOCK_FAIL && MUTANT(19))
        return;
    rt_fence(rt_recipe(construct).before);
    buffer_drain_before_rmw(t, (uint64_t)address, 8);
    if (construct != C_LOCK_FAIL || MUTANT(20))
        buffer_drain_before_write(t);
}

void rt_acquired(enum model_construct construct, void *address)
{
    if (native_is_on()) {
        native_did(construct, address);
        return;
    }
    /* What took the object wrote to it now: a later store-load fence cuts the
     * histories there. */
    if (construct != C_LOCK_FAIL && !MUTANT(21)) {
        rt.current->last_commit = rt.now;
        footprint_cut();
    }
    rt_fence(rt_recipe(construct).after);
}

void rt_release(enum model_construct construct, void *address,
                rt_commit_fn *on_commit)
{
    struct model_recipe r = rt_recipe(construct);
    struct thread *t = rt.current;
    struct value none = {{0, 0}};

    if (native_is_on()) {
        native_did(construct, address);
        on_commit(address);
        return;
    }
    rt_fence(r.before);
    if (rt_release_flags(construct)) {
        buffer_push(t, (uint64_t)address, 8, &none, on_commit, EV_UNLOCK,
                    t->site, rt.tracing ? record_last() : 0);
        rt_fence(r.after);
        return;
    }
    if (t->buffered || rt.view.footprint) {
        buffer_drain_before_rmw(t, (uint64_t)address, 8);
        buffer_drain_before_write(t);
    }
    rt.now++;
    footprint_write((uint64_t)address, 8);
    on_commit(address);
    rt_fence(r.after);
}
