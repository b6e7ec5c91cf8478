/* SPDX-License-Identifier: MIT
 *
 * The memory machine: what loads, stores and RMWs do on any model
 * (docs/models.md), with the store buffers of buffer.c and the histories of
 * history.c.
 *
 * In sparse phases (rt.dense is false) no access is seen, so no buffer holds
 * anything: the switch from dense to sparse drains them all.
 */
#include "runtime/machine.h"

#include <string.h>

#include "event/must.h"
#include "graph/rmw.h"
#include "runtime/buffer.h"
#include "runtime/footprint.h"
#include "runtime/happened.h"
#include "runtime/history.h"
#include "runtime/labels.h"
#include "runtime/native.h"
#include "runtime/runtime_depend.h"
#include "runtime/runtime_hooks.h"
#include "runtime/runtime_record.h"
#include "runtime/sched.h"
#include "runtime/shadow.h"

static const struct model_recipe *recipe(enum event_kind kind,
                                         enum event_order order)
{
    return &rt.model->recipe[model_construct_of(kind, order)];
}

/* Ghost variables, and everything while one thread is alone or accesses are
 * not seen, live on SC. */
static bool is_sc(uint64_t address)
{
    return !rt.dense || !rt.multi || memory_is_ghost(address);
}

/* Commits that the tool decided on beforehand. */
static void commit_all(struct thread *t)
{
    while (t->buffered) {
        record_decision(DECIDE_COMMIT, t->id << 12);
        machine_commit(t, 0);
    }
}

/* The flags of an access in the log of what happened. */
static uint8_t happened_flags(uint64_t address)
{
    return memory_is_ghost(address) ? HAPPENED_GHOST : 0;
}

static bool is_full(const struct model_recipe *r)
{
    return (r->before | r->after) & FENCE_FULL;
}

/* The access is announced; `drains`: it will not leave a store buffered. */
static void step(enum event_kind kind, uint64_t address, unsigned size,
                 bool drains, uint32_t site)
{
    struct sched_thread *s = rt.current->sched;

    s->drains = drains;
    rt_step(kind, (const void *)address, size, site);
    s->drains = false;
}

/* The order that the tool gives to accesses of that site, as if it were in the
 * program.  `which`: CHANNEL_FENCE_FAILURE, or 0. */
static enum event_order order_there(uint32_t site, enum event_order order,
                                    uint32_t which)
{
    for (uint32_t i = 0; i < rt.fence_count; i++) {
        const struct channel_fence *f = &rt.channel->fences[i];

        if (f->site == site && f->bits & CHANNEL_FENCE_ORDER &&
            (f->bits & CHANNEL_FENCE_FAILURE) == which)
            order = order_join(order, f->bits & EVF_ORDER);
    }
    return order;
}

/* The fences that the tool puts after accesses of that site, as if they were
 * in the program. */
static void fence_behind(uint32_t site)
{
    for (uint32_t i = 0; i < rt.fence_count; i++) {
        const struct channel_fence *f = &rt.channel->fences[i];

        if (f->site != site || f->bits & CHANNEL_FENCE_ORDER)
            continue;
        if (f->bits == CHANNEL_FENCE_COMMIT)
            commit_all(rt.current);
        else
            __fencer_fence_bits(f->bits, site);
    }
}

/* ---- Loads ---- */

struct loaded {
    struct value v;
    uint32_t flags, from;
};

/* Which of so many views of these bytes.  A strategy that tries everything need
 * not go back to what memory held while the load was announced: it could have
 * been done then. */
static uint32_t choose_view(const struct thread *t, uint64_t address,
                            uint32_t need, uint32_t views)
{
    uint32_t left_out = 0, view = 0;

    if (views == 1)
        return 0;
    if (rt.view.footprint)
        left_out = history_changes(address, need, t->announced);
    if (left_out + 1 < views)
        view = rt.strategy->choose(DECIDE_STALE, views - left_out);
    MUST(left_out < views || !view);
    MUST(view + left_out < views || !view);
    if (view)
        view += left_out;
    /* As a replay counts them, which leaves out none. */
    record_decision(DECIDE_STALE, view);
    return view;
}

/* From what memory held at some allowed moment: fills the needed bytes. */
static void look_back(struct thread *t, uint64_t address, uint32_t need,
                      uint32_t site, struct loaded *l)
{
    uint64_t dep = depend_moment(t, site);
    bool deps = rt.channel->flags & CHANNEL_DEPS;
    uint32_t views = history_views(t, address, need, deps ? dep : 0);
    uint32_t view = choose_view(t, address, need, views);
    struct history_taken taken;

    if (view) {
        l->flags |= EVF_STALE;
        t->last_stale = __fencer_count;
    }
    if (view && !deps && view >= history_views(t, address, need, dep))
        l->flags |= EVF_ALPHA;
    taken = history_take(t, address, need, view, (uint8_t *)&l->v);
    if (view || !(l->flags & EVF_FORWARDED))
        l->from = taken.writer;
    depend_note(t, site, taken.since);
}

static struct loaded look(struct thread *t, uint64_t address, unsigned size,
                          uint32_t site)
{
    struct loaded l = {{{0, 0}}, 0, 0};
    uint32_t all = (1u << size) - 1, need = all;

    if (t->buffered && !MUTANT(14))
        need = buffer_forward(t, address, size, &l.v, &l.from);
    if (need != all) {
        MUST(!(need & ~all));
        l.flags |= EVF_FORWARDED;
        footprint_own(address, size);
    }
    if (rt.model->reorders_loads && need != all)
        depend_note_own(t, site);
    if (!need)
        return l;
    footprint_read(address, size);
    if (rt.model->reorders_loads) {
        look_back(t, address, need, site, &l);
        return l;
    }
    if (need == all) {
        l.v = memory_read(address, size);
    } else {
        struct value m = memory_read(address, size);

        for (unsigned j = 0; j < size; j++)
            if (need >> j & 1)
                ((uint8_t *)&l.v)[j] = ((uint8_t *)&m)[j];
    }
    return l;
}

/* The flag of an access in a fencer_atomic block. */
static uint32_t in_block(const struct thread *t)
{
    return t->atomic_depth ? EVF_ATOMIC : 0;
}

static void trace_load(struct thread *t, uint64_t address, unsigned size,
                       enum event_order order, struct loaded *l, uint32_t site)
{
    struct event e = {.kind = EV_LOAD,
                      .size = (uint8_t)size,
                      .flags = l->flags | order | in_block(t),
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

    if (!t->atomic_depth || is_sc(address) || MUTANT(23))
        return;
    buffer_drain_before_rmw(t, address, size);
    if (!MUTANT(24))
        buffer_drain_before_write(t);
    if (rt.model->reorders_loads && !MUTANT(25))
        history_take(t, address, (1u << size) - 1, 0, (uint8_t *)&l.v);
}

/* The running thread's turn has come. */
static struct loaded load_here(uint64_t address, unsigned size,
                               enum event_order order, uint32_t site)
{
    struct thread *t = rt.current;
    struct loaded l = {{{0, 0}}, 0, 0};

    shadow_check(address, size, false, site);
    __fencer_count++;
    if (is_sc(address) || t->atomic_depth) {
        prepare_atomic(t, address, size);
        footprint_read(address, size);
        l.v = memory_read(address, size);
    } else {
        if (t->sl)
            buffer_drain_before_load(t);
        l = look(t, address, size, site);
    }
    if (order >= ORDER_ACQUIRE)
        rt_fence(recipe(EV_LOAD, order)->after);
    record_read(t, address, size, l.v.word[0]);
    HAPPENED(.kind = EV_LOAD, .address = address, .size = (uint8_t)size,
             .read = l.v.word[0], .order = (uint8_t)order, .site = site,
             .flags = happened_flags(address));
    if (rt.tracing)
        trace_load(t, address, size, order, &l, site);
    if (rt.fence_count)
        fence_behind(site);
    return l;
}

static struct loaded load(uint64_t address, unsigned size,
                          enum event_order order, uint32_t site)
{
    struct loaded l = {{{0, 0}}, 0, 0};

    order = order_there(site, order, 0);
    if (native_is_on()) {
        l.v = native_load(address, size, order, site);
        return l;
    }
    rt.current->site = site; /* of a fault here, in phases without steps too */
    if (rt.dense)
        rt_step(EV_LOAD, (const void *)address, size, site);
    return load_here(address, size, order, site);
}

uint64_t rt_load_fenced(const void *address, unsigned size, uint32_t site)
{
    rt.current->in_model = false;
    if (native_is_on()) {
        native_fence(FENCE_FULL, ORDER_SEQ_CST, site);
        return native_load((uint64_t)address, size, ORDER_RELAXED, site)
            .word[0];
    }
    step(EV_LOAD, (uint64_t)address, size, true, site);
    rt_drain_and_cut();
    return load_here((uint64_t)address, size, ORDER_RELAXED, site).v.word[0];
}

uint64_t rt_load(const void *address, unsigned size, enum event_order order,
                 uint32_t site)
{
    rt.current->in_model = false;
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
        need = buffer_forward(t, address, size, &v, &from);
    m = memory_read(address, size);
    for (unsigned j = 0; j < size; j++)
        if (need >> j & 1)
            ((uint8_t *)&v)[j] = ((uint8_t *)&m)[j];
    return v.word[0];
}

/* ---- Stores ---- */

static uint32_t trace_store(struct thread *t, uint64_t address, unsigned size,
                            const struct value *v, uint32_t flags,
                            uint32_t site)
{
    struct event e = {.kind = EV_STORE,
                      .size = (uint8_t)size,
                      .flags = flags | in_block(t),
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
    struct thread *t = rt.current;
    uint32_t event;
    bool buffers;

    order = order_there(site, order, 0);
    if (native_is_on()) {
        native_store(address, size, v, order, site);
        return;
    }
    t->site = site;
    if (rt.dense)
        step(EV_STORE, address, size,
             order >= ORDER_RELEASE && is_full(recipe(EV_STORE, order)), site);
    shadow_check(address, size, true, site);
    __fencer_count++;
    record_effect(t);
    if (order >= ORDER_RELEASE)
        rt_fence(recipe(EV_STORE, order)->before);
    buffers = rt.model->delays_stores && !is_sc(address) && !t->atomic_depth;
    HAPPENED(.kind = EV_STORE, .address = address, .size = (uint8_t)size,
             .read = memory_read(address, size).word[0], .wrote = v->word[0],
             .order = (uint8_t)order, .site = site,
             .flags = happened_flags(address));
    if (buffers) {
        /* Touch it now, so that a bad address faults at its own line. */
        (void)*(volatile char *)address;
        event = trace_store(t, address, size, v, (uint32_t)order | EVF_BUFFERED,
                            site);
        buffer_push(t, address, size, v, NULL, EV_STORE, site, event);
    } else {
        prepare_atomic(t, address, size);
        event = trace_store(t, address, size, v, order, site);
        memory_write(t, address, size, v, event);
    }
    if (order >= ORDER_RELEASE)
        rt_fence(recipe(EV_STORE, order)->after);
    if (rt.fence_count)
        fence_behind(site);
}

void rt_store(void *address, unsigned size, uint64_t value,
              enum event_order order, uint32_t site)
{
    struct value v = {{value, 0}};

    rt.current->in_model = false;
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
                      .flags = order | in_block(t),
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

        HAPPENED(.kind = EV_STORE, .address = address, .size = (uint8_t)size,
                 .wrote = new->word[0], .order = (uint8_t)order, .site = site,
                 .flags = happened_flags(address));
        buffer_push(t, address, size, new, NULL, EV_STORE, site, event);
        return;
    }
    trace_rmw(t, EV_RMW, address, size, old, new, order, site);
    memory_write(t, address, size, new,
                 rt.tracing ? record_writer(address) : 0);
}

static struct thread *rmw_begin(uint64_t address, unsigned size,
                                enum event_order order, uint32_t site)
{
    rt.current->pending.order = (uint8_t)order;
    rt.current->site = site;
    if (rt.dense)
        step(EV_RMW, address, size,
             is_full(recipe(EV_RMW, order)) ||
                 (rt.model->rmw_drains_all && !memory_is_ghost(address)),
             site);
    shadow_check(address, size, true, site);
    __fencer_count++;
    rt.current->sched->cas_failed = false;
    return rt.current;
}

/* The loading half reads current memory, and nothing older after it. */
static struct value rmw_read(struct thread *t, uint64_t address, unsigned size)
{
    footprint_read(address, size);
    if (rt.dense && !is_sc(address)) {
        buffer_drain_before_rmw(t, address, size);
        if (rt.model->reorders_loads) {
            struct value v = {{0, 0}};

            history_take(t, address, (1u << size) - 1, 0, (uint8_t *)&v);
            depend_note(t, t->site, rt.now);
        }
    }
    return memory_read(address, size);
}

static struct value rmw(uint64_t address, unsigned size, enum rmw_op op,
                        const struct value *operand, enum event_order order,
                        uint32_t site)
{
    const struct model_recipe *r;
    struct value old = {{0, 0}}, new;
    struct thread *t;

    order = order_there(site, order, 0);
    r = recipe(EV_RMW, order);
    if (native_is_on())
        return native_rmw(address, size, op, operand, order, site);
    t = rmw_begin(address, size, order, site);
    rt_fence(r->before);
    old = rmw_read(t, address, size);
    buffer_drain_before_write(t);
    new.word[0] = old.word[0];
    new.word[1] = old.word[1];
    rmw_apply(op, size, new.word, operand->word);
    HAPPENED(.kind = EV_RMW, .address = address, .size = (uint8_t)size,
             .read = old.word[0], .wrote = new.word[0], .order = (uint8_t)order,
             .site = site, .flags = happened_flags(address));
    rmw_write(t, address, size, &old, &new, order, site, false);
    rt_fence(r->after);
    if (rt.fence_count)
        fence_behind(site);
    return old;
}

uint64_t rt_rmw(void *address, unsigned size, enum rmw_op op, uint64_t operand,
                enum event_order order, uint32_t site)
{
    struct value v = {{operand, 0}};

    rt.current->in_model = false;
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

static void happened_cas(enum event_kind kind, uint64_t address, unsigned size,
                         const struct value *old, const struct value *expected,
                         const struct value *new, enum event_order success,
                         enum event_order failure, uint32_t site)
{
    HAPPENED(.kind = (uint8_t)kind, .address = address, .size = (uint8_t)size,
             .read = old->word[0], .wrote = new->word[0],
             .expected = expected->word[0], .order = (uint8_t)success,
             .failure = (uint8_t)failure, .site = site,
             .flags = HAPPENED_CAS | happened_flags(address));
}

/* With --cas bufferable, to all but SC, a CAS looks at memory and then stores
 * as others do: unless it is a full fence, or in an atomic block. */
static bool is_bufferable(uint64_t address, const struct model_recipe *r)
{
    return rt.channel->flags & CHANNEL_CAS_BUFFERABLE &&
           rt.model->delays_stores && !is_sc(address) &&
           !rt.current->atomic_depth && !(r->after & FENCE_FULL);
}

/* A CAS of success order seq_cst is a full fence on both sides, also when it
 * fails; any other one that fails is a load of its failure order. */
static struct value cas(uint64_t address, unsigned size,
                        const struct value *expected,
                        const struct value *desired, enum event_order success,
                        enum event_order failure, uint32_t site)
{
    struct thread *t;
    const struct model_recipe *r;
    bool bufferable;
    struct value old = {{0, 0}};

    success = order_there(site, success, 0);
    failure = order_there(site, failure, CHANNEL_FENCE_FAILURE);
    r = recipe(EV_RMW, success);
    bufferable = is_bufferable(address, r);
    if (native_is_on())
        return native_cas(address, size, expected, desired, success, failure,
                          site);
    rt.current->pending = (struct rt_pending){.expected = expected->word[0],
                                              .failure = (uint8_t)failure,
                                              .flags = HAPPENED_CAS};
    t = rmw_begin(address, size, success, site);
    t->pending = (struct rt_pending){0};
    if (success == ORDER_SEQ_CST)
        rt_fence(r->before);
    old = rmw_read(t, address, size);
    if (memcmp(&old, expected, sizeof old) == 0) {
        if (success != ORDER_SEQ_CST)
            rt_fence(r->before);
        if (!bufferable)
            buffer_drain_before_write(t);
        happened_cas(bufferable ? EV_CAS_FAIL : EV_RMW, address, size, &old,
                     expected, desired, success, failure, site);
        rmw_write(t, address, size, &old, desired, success, site, bufferable);
        rt_fence(r->after);
    } else {
        t->sched->cas_failed = true;
        happened_cas(EV_CAS_FAIL, address, size, &old, expected, &old, success,
                     failure, site);
        record_read(t, address, size, old.word[0]);
        trace_rmw(t, EV_CAS_FAIL, address, size, &old, &old, failure, site);
        rt_fence(success == ORDER_SEQ_CST
                     ? r->after
                     : recipe(EV_CAS_FAIL, failure)->after);
    }
    if (rt.fence_count)
        fence_behind(site);
    return old;
}

uint64_t rt_cas(void *address, unsigned size, uint64_t expected,
                uint64_t desired, enum event_order success,
                enum event_order failure, uint32_t site)
{
    struct value e = {{expected, 0}}, d = {{desired, 0}};

    rt.current->in_model = false;
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

/* ---- What is pending ---- */

/* In a spin loop, what its last iteration read there. */
static bool awaits(const struct thread *t, struct happening *h)
{
    for (uint32_t i = 0; i < t->read_count; i++) {
        if (t->reads[i].address != h->address)
            continue;
        h->flags |= HAPPENED_AWAIT;
        h->read = t->reads[i].value;
        if (!(h->flags & HAPPENED_CAS))
            h->expected = h->read;
        return true;
    }
    return false;
}

bool machine_pending(uint32_t thread, struct happening *h)
{
    const struct thread *t = &rt.threads[thread];
    const struct rt_pending *p = &t->pending;
    const struct sched_op *op = &t->sched->op;

    *h = (struct happening){.kind = p->kind ? p->kind : op->kind,
                            .address = op->address,
                            .size = op->size,
                            .site = op->site,
                            .thread = (uint16_t)thread,
                            .expected = p->expected,
                            .order = p->order,
                            .failure = p->failure,
                            .flags = p->flags};
    switch (h->kind) {
    case EV_LOCK:
    case EV_WAIT:
        h->size = happened_size(p->size);
        return true;
    case EV_LOAD:
    case EV_RMW:
        h->flags |= happened_flags(h->address);
        return awaits(t, h);
    default:
        return false;
    }
}

/* ---- Ranges ---- */

unsigned machine_chunk(uint64_t address, uint64_t left)
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

    if (labels_are_on()) {
        native_copy_out(from, to, size, site);
        return;
    }
    while (size) {
        unsigned n = machine_chunk(from, size);
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

    if (labels_are_on()) {
        native_copy_in(to, from, size, site);
        return;
    }
    while (size) {
        unsigned n = machine_chunk(to, size);
        struct value v = {{0, 0}};

        memcpy(&v, in, n);
        store(to, n, &v, ORDER_PLAIN, site);
        to += n;
        in += n;
        size -= n;
    }
}
