/* SPDX-License-Identifier: MIT
 *
 * The memory machine: store buffers, and how loads, stores, RMWs and fences
 * use them on any model (DESIGN, section 2).
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
 *
 * In sparse phases (rt.dense is false) no access is seen, so no buffer holds
 * anything: the switch from dense to sparse drains them all.
 */
#include "runtime/machine.h"

#include <string.h>
#include <sys/mman.h>

#include "runtime/history.h"
#include "runtime/layout.h"
#include "runtime/record.h"
#include "runtime/rmw.h"
#include "runtime/sched.h"
#include "runtime/shadow.h"

/* An access' bytes. */
struct value {
    uint64_t word[2];
};

extern char __start_fencer_ghost[] __attribute__((weak));
extern char __stop_fencer_ghost[] __attribute__((weak));

/* Between a load hook and the code around it: see event/program.h. */
uint64_t __fencer_dep, __fencer_tag;

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
    t->buffered--;
    memmove(&t->buffer[position], &t->buffer[position + 1],
            (t->buffered - position) * sizeof *t->buffer);
    if (!t->buffered) {
        t->bloom = 0;
        sched_buffer_empty(t);
    }
}

/* ---- Memory ---- */

static struct value read_raw(uint64_t address, unsigned size)
{
    struct value v = {{0, 0}};

    switch (size) {
    case 1:
        v.word[0] = *(const uint8_t *)address;
        break;
    case 2:
        memcpy(&v, (const void *)address, 2);
        break;
    case 4:
        memcpy(&v, (const void *)address, 4);
        break;
    case 8:
        memcpy(&v, (const void *)address, 8);
        break;
    default:
        memcpy(&v, (const void *)address, size);
    }
    return v;
}

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

static bool is_ghost(uint64_t address)
{
    return address >= (uint64_t)__start_fencer_ghost &&
           address < (uint64_t)__stop_fencer_ghost;
}

/* A write takes its place in memory, at a new moment.  A ghost's does not
 * count for store-load fences: they would order what only the ghost saw. */
static void write_memory(struct thread *t, uint64_t address, unsigned size,
                         const struct value *v, uint32_t event)
{
    rt.now++;
    if (!is_ghost(address))
        t->last_commit = rt.now;
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

    take_out(t, position);
    rt.channel->commits++;
    if (!b.on_commit)
        shadow_check(b.address, b.size, true, b.site);
    sched_blame(t, b.site);
    if (b.on_commit) {
        rt.now++;
        t->last_commit = rt.now;
        b.on_commit((void *)b.address);
    } else {
        write_memory(t, b.address, b.size, &v, b.event);
    }
    sched_blame(NULL, 0);
    /* "A store-load fence cuts the histories at the latest commit among the
     * stores before it", and this store was one. */
    if (b.sl < t->sl && !MUTANT(6))
        t->floor = rt.now;
    if (rt.tracing)
        trace_commit(t, &b);
}

/* Commit that one, after all that must go before it. */
static void force(struct thread *t, uint32_t position)
{
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
static void drain_before_load(struct thread *t)
{
    if (MUTANT(7))
        return;
    while (t->buffered && t->buffer[0].sl < t->sl)
        machine_commit(t, 0);
}

/* A write that is not buffered waits for the stores before a store-store
 * fence. */
static void drain_before_write(struct thread *t)
{
    if (MUTANT(8))
        return;
    while (t->buffered && t->buffer[0].ss < t->ss)
        machine_commit(t, 0);
}

static void drain_before_rmw(struct thread *t, uint64_t address, unsigned size)
{
    if (!t->buffered)
        return;
    if (rt.model->rmw_drains_all && !MUTANT(9)) {
        rt_drain(t);
        return;
    }
    drain_before_load(t);
    if (!MUTANT(10))
        rt_drain_range(address, size);
}

/* ---- Fences ---- */

void rt_cut(void)
{
    rt.current->floor = rt.now;
}

void rt_fence(unsigned bits)
{
    struct thread *t = rt.current;

    if (!bits)
        return;
    if (bits & FENCE_FULL && !MUTANT(11)) {
        rt_drain(t);
        t->floor = rt.now;
        return;
    }
    if (bits & FENCE_SS && t->buffered)
        t->ss++;
    if (bits & FENCE_SL && !MUTANT(12)) {
        if (t->buffered)
            t->sl++;
        if (t->floor < t->last_commit)
            t->floor = t->last_commit;
    }
    if (bits & FENCE_LL && !MUTANT(13))
        t->floor = rt.now;
}

void rt_drain_and_cut(void)
{
    rt_fence(FENCE_FULL);
}

static const struct model_recipe *recipe(enum event_kind kind,
                                         enum event_order order)
{
    return &rt.model->recipe[model_construct_of(kind, order)];
}

/* Ghost variables, and everything while one thread is alone or accesses are
 * not seen, live on SC. */
static bool is_sc(uint64_t address)
{
    return !rt.dense || !rt.multi || is_ghost(address);
}

/* ---- Loads ---- */

/* Takes what it can from the own buffer; returns the bytes still needed. */
static uint32_t forward(const struct thread *t, uint64_t address, unsigned size,
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

struct loaded {
    struct value v;
    uint32_t flags, from;
};

/* Loads that the address depends on were satisfied at this moment or later. */
static uint64_t dependency(const struct thread *t)
{
    uint64_t dep = __fencer_dep;

    __fencer_dep = 0;
    return dep == DEP_ALL ? t->newest_read : dep;
}

/* From what memory held at some allowed moment: fills the needed bytes. */
static void look_back(struct thread *t, uint64_t address, uint32_t need,
                      struct loaded *l)
{
    uint64_t dep = dependency(t);
    bool deps = rt.channel->flags & CHANNEL_DEPS;
    uint32_t views = history_views(t, address, need, deps ? dep : 0);
    uint32_t view = views > 1 ? sched_choose(DECIDE_STALE, views) : 0;
    struct history_taken taken;

    if (view)
        l->flags |= EVF_STALE;
    if (view && !deps && view >= history_views(t, address, need, dep))
        rt.channel->alpha_loads++;
    taken = history_take(t, address, need, view, (uint8_t *)&l->v);
    l->from = taken.writer;
    if (t->newest_read < taken.since)
        t->newest_read = taken.since;
    __fencer_tag = taken.since;
}

static struct loaded look(struct thread *t, uint64_t address, unsigned size)
{
    struct loaded l = {{{0, 0}}, 0, 0};
    uint32_t all = (1u << size) - 1, need = all;

    /* A value from the own buffer may be one that an earlier load returned. */
    __fencer_tag = t->newest_read;

    if (t->buffered && !MUTANT(14))
        need = forward(t, address, size, &l.v, &l.from);
    if (need != all)
        l.flags |= EVF_FORWARDED;
    if (!need)
        return l;
    if (rt.model->reorders_loads) {
        look_back(t, address, need, &l);
        return l;
    }
    if (need == all) {
        l.v = read_raw(address, size);
    } else {
        struct value m = read_raw(address, size);

        for (unsigned j = 0; j < size; j++)
            if (need >> j & 1)
                ((uint8_t *)&l.v)[j] = ((uint8_t *)&m)[j];
    }
    return l;
}

static void trace_load(struct thread *t, uint64_t address, unsigned size,
                       enum event_order order, struct loaded *l, uint32_t site)
{
    struct event e = {.kind = EV_LOAD,
                      .size = (uint8_t)size,
                      .flags = l->flags | order,
                      .site = site,
                      .value = l->v.word[0],
                      .from = l->from};

    if (!(l->flags & (EVF_FORWARDED | EVF_STALE)))
        e.from = record_writer(address);
    record_event(t, &e, address);
}

/* In fencer_atomic each address is treated as by a relaxed RMW. */
static void prepare_atomic(struct thread *t, uint64_t address, unsigned size)
{
    struct loaded l;

    drain_before_rmw(t, address, size);
    if (rt.model->reorders_loads)
        history_take(t, address, (1u << size) - 1, 0, (uint8_t *)&l.v);
}

static struct loaded load(uint64_t address, unsigned size,
                          enum event_order order, uint32_t site)
{
    struct thread *t;
    struct loaded l = {{{0, 0}}, 0, 0};

    if (rt.dense)
        rt_step(EV_LOAD, (const void *)address, size, site);
    t = rt.current;
    shadow_check(address, size, false, site);
    __fencer_clock++;
    if (is_sc(address) || t->atomic_depth) {
        if (t->atomic_depth && rt.dense)
            prepare_atomic(t, address, size);
        l.v = read_raw(address, size);
        __fencer_dep = __fencer_tag = 0;
    } else {
        if (t->sl)
            drain_before_load(t);
        l = look(t, address, size);
    }
    if (order >= ORDER_ACQUIRE)
        rt_fence(recipe(EV_LOAD, order)->after);
    record_read(t, address, size, l.v.word[0]);
    if (rt.tracing)
        trace_load(t, address, size, order, &l, site);
    return l;
}

uint64_t rt_load(const void *address, unsigned size, enum event_order order,
                 uint32_t site)
{
    return load((uint64_t)address, size, order, site).v.word[0];
}

void machine_load16(const void *address, void *out, enum event_order order,
                    uint32_t site)
{
    struct loaded l = load((uint64_t)address, 16, order, site);

    memcpy(out, &l.v, 16);
}

uint64_t machine_peek(const struct thread *t, uint64_t address, unsigned size)
{
    struct value v = {{0, 0}}, m;
    uint32_t from = 0, need = (1u << size) - 1;

    if (t->buffered)
        need = forward(t, address, size, &v, &from);
    m = read_raw(address, size);
    for (unsigned j = 0; j < size; j++)
        if (need >> j & 1)
            ((uint8_t *)&v)[j] = ((uint8_t *)&m)[j];
    return v.word[0];
}

/* ---- Stores ---- */

static void push(struct thread *t, uint64_t address, unsigned size,
                 const struct value *v, rt_commit_fn *on_commit,
                 enum event_kind kind, uint32_t site, uint32_t event)
{
    struct buffered *b;

    /* A full buffer makes room before it takes another. */
    while (t->buffered >= rt.buffer_limit)
        machine_commit(t, 0);
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
    t->bloom |= bloom_range(address, size);
    if (t->buffered == 1)
        sched_buffer_used(t);
}

static uint32_t trace_store(struct thread *t, uint64_t address, unsigned size,
                            const struct value *v, uint32_t flags,
                            uint32_t site)
{
    struct event e = {.kind = EV_STORE,
                      .size = (uint8_t)size,
                      .flags = flags,
                      .site = site,
                      .value = v->word[0],
                      .depth = t->buffered + !!(flags & EVF_BUFFERED)};
    uint32_t number;

    if (!rt.tracing)
        return 0;
    number = record_event(t, &e, address);
    if (!(flags & EVF_BUFFERED))
        record_co(number, record_wrote(address, size, number));
    return number;
}

static void store(uint64_t address, unsigned size, const struct value *v,
                  enum event_order order, uint32_t site)
{
    struct thread *t;
    uint32_t event;
    bool buffers;

    if (rt.dense)
        rt_step(EV_STORE, (void *)address, size, site);
    t = rt.current;
    shadow_check(address, size, true, site);
    __fencer_clock++;
    record_effect(t);
    if (order >= ORDER_RELEASE)
        rt_fence(recipe(EV_STORE, order)->before);
    buffers = rt.model->delays_stores && !is_sc(address) && !t->atomic_depth;
    if (buffers) {
        /* Touch it now, so that a bad address faults at its own line. */
        (void)*(volatile char *)address;
        event = trace_store(t, address, size, v, (uint32_t)order | EVF_BUFFERED,
                            site);
        push(t, address, size, v, NULL, EV_STORE, site, event);
    } else {
        if (t->atomic_depth && rt.dense) {
            drain_before_rmw(t, address, size);
            drain_before_write(t);
        }
        event = trace_store(t, address, size, v, order, site);
        write_memory(t, address, size, v, event);
    }
    if (order >= ORDER_RELEASE)
        rt_fence(recipe(EV_STORE, order)->after);
}

void rt_store(void *address, unsigned size, uint64_t value,
              enum event_order order, uint32_t site)
{
    struct value v = {{value, 0}};

    store((uint64_t)address, size, &v, order, site);
}

void machine_store16(void *address, const void *value, enum event_order order,
                     uint32_t site)
{
    struct value v;

    memcpy(&v, value, 16);
    store((uint64_t)address, 16, &v, order, site);
}

/* ---- Read-modify-write ---- */

static void trace_rmw(struct thread *t, enum event_kind kind, uint64_t address,
                      unsigned size, const struct value *old,
                      const struct value *new, enum event_order order,
                      uint32_t site)
{
    struct event e = {.kind = kind,
                      .size = (uint8_t)size,
                      .flags = order,
                      .site = site,
                      .value = old->word[0],
                      .wrote = new->word[0]};
    uint32_t number;

    if (!rt.tracing)
        return;
    e.from = record_writer(address);
    number = record_event(t, &e, address);
    if (kind == EV_RMW)
        record_co(number, record_wrote(address, size, number));
}

/* The writing half: in memory at once, or, with --cas bufferable, as a store
 * of its own. */
static void rmw_write(struct thread *t, uint64_t address, unsigned size,
                      const struct value *old, const struct value *new,
                      enum event_order order, uint32_t site, bool bufferable)
{
    if (memcmp(old, new, sizeof *old) != 0)
        record_effect(t);
    else
        record_read(t, address, size, old->word[0]);
    if (bufferable) {
        uint32_t event = trace_store(t, address, size, new,
                                     (uint32_t)order | EVF_BUFFERED, site);

        push(t, address, size, new, NULL, EV_STORE, site, event);
        return;
    }
    trace_rmw(t, EV_RMW, address, size, old, new, order, site);
    write_memory(t, address, size, new,
                 rt.tracing ? record_writer(address) : 0);
}

static struct thread *rmw_begin(uint64_t address, unsigned size, uint32_t site)
{
    if (rt.dense)
        rt_step(EV_RMW, (void *)address, size, site);
    shadow_check(address, size, true, site);
    __fencer_clock++;
    return rt.current;
}

/* The loading half reads current memory, and nothing older after it. */
static struct value rmw_read(struct thread *t, uint64_t address, unsigned size)
{
    if (rt.dense && !is_sc(address)) {
        drain_before_rmw(t, address, size);
        if (rt.model->reorders_loads) {
            struct value v = {{0, 0}};

            history_take(t, address, (1u << size) - 1, 0, (uint8_t *)&v);
        }
    }
    return read_raw(address, size);
}

static struct value rmw(uint64_t address, unsigned size, enum rmw_op op,
                        const struct value *operand, enum event_order order,
                        uint32_t site)
{
    struct thread *t = rmw_begin(address, size, site);
    const struct model_recipe *r = recipe(EV_RMW, order);
    struct value old, new;

    rt_fence(r->before);
    old = rmw_read(t, address, size);
    drain_before_write(t);
    new.word[0] = old.word[0];
    new.word[1] = old.word[1];
    rmw_apply(op, size, new.word, operand->word);
    rmw_write(t, address, size, &old, &new, order, site, false);
    rt_fence(r->after);
    return old;
}

uint64_t rt_rmw(void *address, unsigned size, enum rmw_op op, uint64_t operand,
                enum event_order order, uint32_t site)
{
    struct value v = {{operand, 0}};

    return rmw((uint64_t)address, size, op, &v, order, site).word[0];
}

void machine_rmw16(void *address, enum rmw_op op, const void *operand,
                   void *old, enum event_order order, uint32_t site)
{
    struct value v;

    memcpy(&v, operand, 16);
    v = rmw((uint64_t)address, 16, op, &v, order, site);
    memcpy(old, &v, 16);
}

/* A CAS of success order seq_cst is a full fence on both sides, also when it
 * fails; any other one that fails is a load of its failure order. */
static struct value cas(uint64_t address, unsigned size,
                        const struct value *expected,
                        const struct value *desired, enum event_order success,
                        enum event_order failure, uint32_t site)
{
    struct thread *t = rmw_begin(address, size, site);
    const struct model_recipe *r = recipe(EV_RMW, success);
    bool bufferable = rt.channel->flags & CHANNEL_CAS_BUFFERABLE &&
                      rt.model->delays_stores && !is_sc(address);
    struct value old;

    if (success == ORDER_SEQ_CST)
        rt_fence(r->before);
    old = rmw_read(t, address, size);
    if (memcmp(&old, expected, sizeof old) == 0) {
        if (success != ORDER_SEQ_CST)
            rt_fence(r->before);
        if (!bufferable)
            drain_before_write(t);
        rmw_write(t, address, size, &old, desired, success, site, bufferable);
        rt_fence(r->after);
        return old;
    }
    record_read(t, address, size, old.word[0]);
    trace_rmw(t, EV_CAS_FAIL, address, size, &old, &old, failure, site);
    rt_fence(success == ORDER_SEQ_CST ? r->after
                                      : recipe(EV_CAS_FAIL, failure)->after);
    return old;
}

uint64_t rt_cas(void *address, unsigned size, uint64_t expected,
                uint64_t desired, enum event_order success,
                enum event_order failure, uint32_t site)
{
    struct value e = {{expected, 0}}, d = {{desired, 0}};

    return cas((uint64_t)address, size, &e, &d, success, failure, site).word[0];
}

void machine_cas16(void *address, const void *expected, const void *desired,
                   void *old, enum event_order success,
                   enum event_order failure, uint32_t site)
{
    struct value e, d;

    memcpy(&e, expected, 16);
    memcpy(&d, desired, 16);
    e = cas((uint64_t)address, 16, &e, &d, success, failure, site);
    memcpy(old, &e, 16);
}

/* ---- Ranges ---- */

/* The largest aligned access of at most 8 bytes at that address. */
static unsigned chunk(uint64_t address, uint64_t left)
{
    unsigned size = 8;

    while (size > left || address & (size - 1))
        size /= 2;
    return size;
}

void machine_copy_out(const void *address, void *to, uint64_t size,
                      uint32_t site)
{
    uint64_t from = (uint64_t)address;
    char *out = to;

    while (size) {
        unsigned n = chunk(from, size);
        struct loaded l = load(from, n, ORDER_PLAIN, site);

        memcpy(out, &l.v, n);
        from += n;
        out += n;
        size -= n;
    }
}

void machine_copy_in(void *address, const void *from, uint64_t size,
                     uint32_t site)
{
    uint64_t to = (uint64_t)address;
    const char *in = from;

    while (size) {
        unsigned n = chunk(to, size);
        struct value v = {{0, 0}};

        memcpy(&v, in, n);
        store(to, n, &v, ORDER_PLAIN, site);
        to += n;
        in += n;
        size -= n;
    }
}

/* ---- Synchronisation objects ---- */

void rt_acquire(enum model_construct construct, void *address)
{
    struct thread *t = rt.current;

    if (!t->buffered && !rt.model->reorders_loads)
        return;
    rt_fence(rt_recipe(construct).before);
    drain_before_rmw(t, (uint64_t)address, 8);
    if (construct != C_LOCK_FAIL)
        drain_before_write(t);
}

void rt_acquired(enum model_construct construct, void *address)
{
    (void)address;
    rt_fence(rt_recipe(construct).after);
}

void rt_release(enum model_construct construct, void *address,
                rt_commit_fn *on_commit)
{
    struct model_recipe r = rt_recipe(construct);
    struct thread *t = rt.current;
    struct value none = {{0, 0}};

    rt_fence(r.before);
    if (rt_release_flags(construct)) {
        push(t, (uint64_t)address, 8, &none, on_commit, EV_UNLOCK, t->site,
             rt.tracing ? (uint32_t)rt.channel->event_count : 0);
        rt_fence(r.after);
        return;
    }
    if (t->buffered) {
        drain_before_rmw(t, (uint64_t)address, 8);
        drain_before_write(t);
    }
    rt.now++;
    on_commit(address);
    rt_fence(r.after);
}
