/* SPDX-License-Identifier: MIT
 *
 * A depth-first walk over the choices of who is next.  What no other thread
 * can notice (branches, fences, the end) goes with the operation before it.
 *
 * Thread t of the program is thread t + 1 here; thread 0 makes those that the
 * program starts with.
 */
#include "interleave.h"

#include <string.h>

enum { BYTES = MAX_VARS * VAR_BYTES, BASE = 0x1000 };

enum life { UNMADE, ALIVE, OVER };

struct world {
    uint8_t memory[BYTES];
    uint8_t written[BYTES]; /* how often */
    uint64_t regs[MAX_REGS];
    struct {
        enum life life;
        size_t at;
    } threads[MAX_THREADS];
    struct interleaving so_far;
};

struct walk {
    const struct program *p;
    size_t most, count;
    void (*each)(const struct interleaving *i, void *context);
    void *context;
};

/* ---- Memory, and the trace ---- */

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h + v) * 0x9e3779b97f4a7c15u + 0x1234567;
    h ^= h >> 32;
    return h * 0xd6e8feb86659fd93u;
}

static unsigned start_of(struct place place)
{
    return place.var * VAR_BYTES + place.offset;
}

static uint64_t peek(const struct world *w, struct place place)
{
    uint64_t v = 0;

    memcpy(&v, w->memory + start_of(place), place.size);
    return v;
}

static void poke(struct world *w, struct place place, uint64_t v)
{
    memcpy(w->memory + start_of(place), &v, place.size);
    for (unsigned i = 0; i < place.size; i++)
        w->written[start_of(place) + i]++;
}

/* An access is known by its thread and op; it read the newest writes. */
static void note_in_trace(struct world *w, size_t t, const struct op *op,
                          bool reads, bool writes, const struct program *p)
{
    uint64_t h = mix(t * MAX_OPS, (uint64_t)(op - p->threads[t].ops));

    h = mix(h, reads + 2u * writes);
    for (unsigned i = 0; i < op->place.size; i++)
        h = mix(h, w->written[start_of(op->place) + i]);
    w->so_far.trace += h;
}

/* ---- Happenings ---- */

static uint8_t order_of(enum order order)
{
    static const uint8_t orders[ORDER_COUNT] = {
        [PLAIN] = ORDER_PLAIN,     [RELAXED] = ORDER_RELAXED,
        [CONSUME] = ORDER_ACQUIRE, [ACQUIRE] = ORDER_ACQUIRE,
        [RELEASE] = ORDER_RELEASE, [ACQ_REL] = ORDER_ACQ_REL,
        [SEQ_CST] = ORDER_SEQ_CST};

    return orders[order];
}

static struct happening *tell(struct world *w, size_t t, enum event_kind kind)
{
    struct happening *h = &w->so_far.log[w->so_far.count++];

    REQUIRE(w->so_far.count <= MAX_HAPPENED, "a long execution");
    memset(h, 0, sizeof *h);
    h->kind = (uint8_t)kind;
    h->thread = (uint16_t)(t + 1);
    return h;
}

static void fill_access(struct happening *h, const struct op *op)
{
    h->address = BASE + start_of(op->place);
    h->size = op_synchronises(op) ? 8 : op->place.size;
    h->order = order_of(op->order);
    h->failure = order_of(op->fail_order);
    h->site = 1;
}

static struct happening *tell_access(struct world *w, size_t t,
                                     enum event_kind kind, const struct op *op)
{
    struct happening *h = tell(w, t, kind);

    fill_access(h, op);
    h->read = peek(w, op->place);
    return h;
}

/* ---- Operations ---- */

static uint64_t operand(const struct world *w, struct operand o)
{
    return o.constant + (o.reg >= 0 ? w->regs[o.reg] : 0);
}

static void set_reg(struct world *w, int8_t reg, uint64_t v)
{
    if (reg >= 0)
        w->regs[reg] = v;
}

/* Loads and stores, in a block or not. */
static struct happening *simple(const struct program *p, struct world *w,
                                size_t t, const struct op *op)
{
    bool loads = op->kind == OP_LOAD;
    struct happening *h = tell_access(w, t, loads ? EV_LOAD : EV_STORE, op);

    note_in_trace(w, t, op, loads, !loads, p);
    if (loads) {
        set_reg(w, op->dest, h->read);
    } else {
        h->wrote = cut_to_size(operand(w, op->value), op->place.size);
        poke(w, op->place, h->wrote);
    }
    return h;
}

static void block(const struct program *p, struct world *w, size_t t,
                  const struct op *op)
{
    for (unsigned i = 1; i <= op->skip; i++) {
        struct happening *h = simple(p, w, t, op + i);

        h->flags = HAPPENED_BLOCK | (i == 1 ? HAPPENED_FIRST : 0);
    }
    w->threads[t].at += op->skip;
}

/* What it writes if it reads `old`; false: nothing. */
static bool result_of(const struct world *w, const struct op *op, uint64_t old,
                      uint64_t *new)
{
    uint64_t v = operand(w, op->value);

    *new = cut_to_size(op->kind == OP_ADD                              ? old + v
                       : op->kind == OP_POST                           ? old + 1
                       : op->kind == OP_WAIT || op->kind == OP_TRYWAIT ? old - 1
                       : op->kind == OP_LOCK || op->kind == OP_TRYLOCK ? 1
                                                                       : v,
                       op->place.size);
    switch ((enum op_kind)op->kind) {
    case OP_CAS:
        return old == cut_to_size(operand(w, op->expected), op->place.size);
    case OP_LOCK:
    case OP_TRYLOCK:
        return old == 0;
    case OP_WAIT:
    case OP_TRYWAIT:
        return old != 0;
    default:
        return true;
    }
}

static enum event_kind kind_of_rmw(const struct op *op, bool writes)
{
    switch ((enum op_kind)op->kind) {
    case OP_LOCK:
    case OP_TRYLOCK:
        return writes ? EV_LOCK : EV_LOCK_FAIL;
    case OP_WAIT:
    case OP_TRYWAIT:
        return writes ? EV_WAIT : EV_LOCK_FAIL;
    case OP_POST:
        return EV_POST;
    default:
        return writes ? EV_RMW : EV_CAS_FAIL;
    }
}

static uint8_t flags_of_rmw(const struct op *op, bool writes)
{
    bool tries =
        op->kind == OP_CAS || op->kind == OP_TRYLOCK || op->kind == OP_TRYWAIT;

    return (uint8_t)((tries ? HAPPENED_CAS : 0) |
                     (op->kind == OP_TRYWAIT && !writes ? HAPPENED_COUNT : 0));
}

static void rmw(const struct program *p, struct world *w, size_t t,
                const struct op *op)
{
    uint64_t old = peek(w, op->place), new;
    bool writes = result_of(w, op, old, &new);
    struct happening *h = tell_access(w, t, kind_of_rmw(op, writes), op);

    note_in_trace(w, t, op, true, writes, p);
    h->wrote = writes ? new : old;
    h->flags = flags_of_rmw(op, writes);
    if (op->kind == OP_CAS)
        h->expected = cut_to_size(operand(w, op->expected), op->place.size);
    if (writes)
        poke(w, op->place, new);
    if (op->kind == OP_TRYLOCK || op->kind == OP_TRYWAIT)
        old = writes ? 0 : BUSY;
    set_reg(w, op->dest, old);
}

static void unlock(const struct program *p, struct world *w, size_t t,
                   const struct op *op)
{
    note_in_trace(w, t, op, false, true, p);
    tell_access(w, t, EV_UNLOCK, op);
    poke(w, op->place, 0);
}

static void make(struct world *w, size_t maker, size_t t)
{
    tell(w, maker, EV_CREATE)->other = (uint16_t)(t + 1);
    w->threads[t].life = ALIVE;
}

/* One operation that others can notice. */
static void perform(const struct program *p, struct world *w, size_t t)
{
    const struct op *op = &p->threads[t].ops[w->threads[t].at];

    switch ((enum op_kind)op->kind) {
    case OP_LOAD:
    case OP_STORE:
        simple(p, w, t, op);
        break;
    case OP_ATOMIC:
        block(p, w, t, op);
        break;
    case OP_UNLOCK:
        unlock(p, w, t, op);
        break;
    case OP_SPAWN:
        make(w, t, op->target);
        break;
    case OP_JOIN:
        tell(w, t, EV_JOIN)->other = (uint16_t)(op->target + 1);
        break;
    default:
        rmw(p, w, t, op);
    }
    w->threads[t].at++;
}

/* What nobody else notices, up to the next that somebody does. */
static void settle(const struct program *p, struct world *w, size_t t)
{
    const struct thread *thread = &p->threads[t];

    for (; w->threads[t].at < thread->op_count; w->threads[t].at++) {
        const struct op *op = &thread->ops[w->threads[t].at];

        if (op->kind == OP_IF) {
            if (w->regs[op->dest] != operand(w, op->value))
                w->threads[t].at += op->skip;
        } else if (op->kind == OP_FENCE) {
            tell(w, t, EV_FENCE)->bits = op->bits;
        } else if (op->kind == OP_C11_FENCE) {
            tell(w, t, EV_FENCE)->order = order_of(op->order);
        } else if (op->kind != OP_NOTHING && op->kind != OP_NONE) {
            return;
        }
    }
    tell(w, t, EV_EXIT);
    w->threads[t].life = OVER;
}

static void settle_all(const struct program *p, struct world *w)
{
    for (size_t t = 0; t < p->thread_count; t++)
        if (w->threads[t].life == ALIVE)
            settle(p, w, t);
}

/* ---- The walk ---- */

static bool is_enabled(const struct program *p, const struct world *w, size_t t)
{
    const struct op *op = &p->threads[t].ops[w->threads[t].at];

    if (w->threads[t].life != ALIVE)
        return false;
    if (op->kind == OP_LOCK)
        return peek(w, op->place) == 0;
    if (op->kind == OP_WAIT)
        return peek(w, op->place) != 0;
    if (op->kind == OP_JOIN)
        return w->threads[op->target].life == OVER;
    return true;
}

static void add_pending(const struct program *p, struct world *w)
{
    for (size_t t = 0; t < p->thread_count; t++) {
        const struct op *op = &p->threads[t].ops[w->threads[t].at];
        struct happening *h = &w->so_far.pending[w->so_far.pending_count];

        if (w->threads[t].life != ALIVE || op->kind == OP_JOIN)
            continue;
        w->so_far.pending_count++;
        *h = (struct happening){.thread = (uint16_t)(t + 1)};
        h->kind = op->kind == OP_LOCK ? EV_LOCK : EV_WAIT;
        fill_access(h, op);
    }
}

static void visit(struct walk *walk, struct world *w)
{
    bool any = false;

    settle_all(walk->p, w);
    for (size_t t = 0; t < walk->p->thread_count; t++) {
        struct world next;

        if (walk->count > walk->most || !is_enabled(walk->p, w, t))
            continue;
        any = true;
        next = *w;
        perform(walk->p, &next, t);
        visit(walk, &next);
    }
    if (any || walk->count++ >= walk->most)
        return;
    add_pending(walk->p, w);
    walk->each(&w->so_far, walk->context);
}

bool interleave(const struct program *p, size_t most,
                void (*each)(const struct interleaving *i, void *context),
                void *context)
{
    struct walk walk = {.p = p, .most = most, .each = each, .context = context};
    struct world start;

    memset(&start, 0, sizeof start);
    for (size_t v = 0; v < p->var_count; v++)
        memcpy(start.memory + v * VAR_BYTES, &p->vars[v].initial, VAR_BYTES);
    for (size_t t = 0; t < p->thread_count; t++)
        if (p->threads[t].started)
            make(&start, (size_t)-1, t);
    visit(&walk, &start);
    return walk.count <= most;
}
