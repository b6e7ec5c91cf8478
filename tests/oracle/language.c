/* SPDX-License-Identifier: MIT
 *
 * As language.h says.  An execution grows event by event, each after all before
 * it by po and rf; what breaks an axiom is given up, since adding events cannot
 * mend it.  Two ways to one execution are one.
 *
 * Relations are rows of bits: row[y] has x where x is before y.
 */
#include "language.h"

#include <string.h>

#include "seen.h"

enum { N = 32, INITIAL = -1 };

enum kind { READ, WRITE, FENCE, SPAWN, JOIN };

struct event {
    uint8_t kind, order, thread, index, var, target;
    bool atomic;
    int8_t rf, mate; /* INITIAL; mate: the other half of an RMW, or -1 */
    uint64_t value;
};

typedef uint32_t relation[N];

struct execution {
    size_t count;
    struct event events[N];
    int8_t co[MAX_VARS][N];
    uint8_t written[MAX_VARS];
    uint8_t pc[MAX_THREADS], length[MAX_THREADS];
    bool started[MAX_THREADS], waits[MAX_THREADS];
    uint64_t regs[MAX_REGS];
};

struct finder {
    const struct program *p;
    struct language *l;
    struct seen seen;
    size_t max_states;
    bool refused;
    struct place accessed[MAX_VARS]; /* of each variable; size 0: none */
};

/* ---- Relations ---- */

static void join_to(relation to, const relation from)
{
    for (int y = 0; y < N; y++)
        to[y] |= from[y];
}

/* first;second */
static void compose(relation to, const relation first, const relation second)
{
    relation out = {0};

    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            if (second[y] >> x & 1)
                out[y] |= first[x];
    memcpy(to, out, sizeof out);
}

static void close_over(relation r)
{
    for (int k = 0; k < N; k++)
        for (int y = 0; y < N; y++)
            if (r[y] >> k & 1)
                r[y] |= r[k];
}

static void add_identity(relation r)
{
    for (int y = 0; y < N; y++)
        r[y] |= 1u << y;
}

/* [from];r;[to] */
static void limit_to(relation r, uint32_t from, uint32_t to)
{
    for (int y = 0; y < N; y++)
        r[y] = to >> y & 1 ? r[y] & from : 0;
}

static bool is_irreflexive(const relation r)
{
    for (int y = 0; y < N; y++)
        if (r[y] >> y & 1)
            return false;
    return true;
}

static bool is_acyclic(const relation r)
{
    relation all;

    memcpy(all, r, sizeof all);
    close_over(all);
    return is_irreflexive(all);
}

/* ---- Sets ---- */

static bool acquires(const struct event *e)
{
    return (e->kind == READ || e->kind == FENCE) &&
           (e->order == CONSUME || e->order == ACQUIRE || e->order == ACQ_REL ||
            e->order == SEQ_CST);
}

static bool releases(const struct event *e)
{
    return (e->kind == WRITE || e->kind == FENCE) &&
           (e->order == RELEASE || e->order == ACQ_REL || e->order == SEQ_CST);
}

static bool is_fence(const struct event *e)
{
    return e->kind == FENCE;
}

static bool is_strong(const struct event *e)
{
    return e->order == SEQ_CST && e->kind <= FENCE;
}

static bool is_atomic(const struct event *e)
{
    return e->kind <= WRITE && e->atomic;
}

static uint32_t where(const struct execution *x,
                      bool (*holds)(const struct event *))
{
    uint32_t set = 0;

    for (size_t i = 0; i < x->count; i++)
        set |= (uint32_t)holds(&x->events[i]) << i;
    return set;
}

/* ---- The axioms ---- */

struct relations {
    relation po, sequence, rf, co, fr, rmw, hb, eco;
};

static int place_of(const struct execution *x, int write)
{
    const struct event *e = &x->events[write];

    for (int i = 0; i < x->written[e->var]; i++)
        if (x->co[e->var][i] == write)
            return i;
    return -1;
}

static bool same_var(const struct event *a, const struct event *b)
{
    return a->kind <= WRITE && b->kind <= WRITE && a->var == b->var;
}

static bool is_co(const struct execution *x, int a, int b)
{
    return x->events[a].kind == WRITE && x->events[b].kind == WRITE &&
           same_var(&x->events[a], &x->events[b]) &&
           place_of(x, a) < place_of(x, b);
}

static bool is_fr(const struct execution *x, int a, int b)
{
    const struct event *e = &x->events[a];

    return e->kind == READ && x->events[b].kind == WRITE &&
           same_var(e, &x->events[b]) &&
           (e->rf < 0 ? -1 : place_of(x, e->rf)) < place_of(x, b);
}

static bool is_sequence(const struct event *a, const struct event *b)
{
    return (a->thread == b->thread && a->index < b->index) ||
           (a->kind == SPAWN && b->thread == a->target) ||
           (b->kind == JOIN && a->thread == b->target) ||
           (a->kind == SPAWN && b->kind == JOIN && a->target == b->target);
}

static void fill_base(const struct execution *x, struct relations *r)
{
    for (int y = 0; y < (int)x->count; y++)
        for (int e = 0; e < (int)x->count; e++) {
            const struct event *a = &x->events[e], *b = &x->events[y];

            if (e == y)
                continue;
            r->po[y] |=
                (uint32_t)(a->thread == b->thread && a->index < b->index) << e;
            r->sequence[y] |= (uint32_t)is_sequence(a, b) << e;
            r->rf[y] |= (uint32_t)(b->kind == READ && b->rf == e) << e;
            r->co[y] |= (uint32_t)is_co(x, e, y) << e;
            r->fr[y] |= (uint32_t)is_fr(x, e, y) << e;
            r->rmw[y] |= (uint32_t)(b->kind == WRITE && b->mate == e) << e;
        }
    join_to(r->eco, r->rf);
    join_to(r->eco, r->co);
    join_to(r->eco, r->fr);
    close_over(r->eco);
}

/* sw = [rel];([F];po)?;rs;rf;[R atomic];(po;[F])?;[acq],
 * rs = [W atomic];(rf;rmw)* */
static void fill_hb(const struct execution *x, struct relations *r)
{
    uint32_t fences = where(x, is_fence), atomic = where(x, is_atomic);
    relation rs, before, after, sw;

    compose(rs, r->rf, r->rmw);
    close_over(rs);
    add_identity(rs);
    limit_to(rs, atomic, atomic);
    memcpy(before, r->po, sizeof before);
    limit_to(before, fences, ~0u);
    add_identity(before);
    memcpy(after, r->po, sizeof after);
    limit_to(after, ~0u, fences);
    add_identity(after);
    compose(sw, before, rs);
    compose(sw, sw, r->rf);
    limit_to(sw, ~0u, atomic);
    compose(sw, sw, after);
    limit_to(sw, where(x, releases), where(x, acquires));
    join_to(r->hb, r->sequence);
    join_to(r->hb, sw);
    close_over(r->hb);
}

static void fill_scb(const struct execution *x, const struct relations *r,
                     relation scb)
{
    relation po; /* of different operations: an RMW is one */

    for (int y = 0; y < N; y++)
        po[y] = r->po[y] & ~r->rmw[y];
    compose(scb, po, r->hb);
    compose(scb, scb, po);
    join_to(scb, r->po);
    join_to(scb, r->co);
    join_to(scb, r->fr);
    for (size_t y = 0; y < x->count; y++)
        for (size_t e = 0; e < x->count; e++)
            if (r->hb[y] >> e & 1 && same_var(&x->events[e], &x->events[y]))
                scb[y] |= 1u << e;
}

static bool psc_holds(const struct execution *x, const struct relations *r)
{
    uint32_t strong = where(x, is_strong), fences = strong & where(x, is_fence);
    relation psc, hb, left, right, through;

    memcpy(hb, r->hb, sizeof hb);
    add_identity(hb);
    memcpy(left, hb, sizeof left);
    limit_to(left, fences, ~0u);
    memcpy(right, hb, sizeof right);
    limit_to(right, ~0u, fences);
    for (int i = 0; i < N; i++) {
        left[i] |= strong & 1u << i;
        right[i] |= strong & 1u << i;
    }
    fill_scb(x, r, psc);
    compose(psc, left, psc);
    compose(psc, psc, right);
    compose(through, r->hb, r->eco);
    compose(through, through, r->hb);
    join_to(through, r->hb);
    limit_to(through, fences, fences);
    join_to(psc, through);
    return is_acyclic(psc);
}

static bool rmws_hold(const struct execution *x)
{
    for (size_t i = 0; i < x->count; i++) {
        const struct event *e = &x->events[i];

        if (e->kind == READ && e->mate >= 0 &&
            place_of(x, e->mate) != (e->rf < 0 ? -1 : place_of(x, e->rf)) + 1)
            return false;
    }
    return true;
}

static bool is_allowed(const struct execution *x, const struct relations *r)
{
    relation bad;

    compose(bad, r->hb, r->eco);
    return is_irreflexive(r->hb) && is_irreflexive(bad) && psc_holds(x, r);
}

static bool has_race(const struct execution *x, const struct relations *r)
{
    for (size_t y = 0; y < x->count; y++)
        for (size_t e = 0; e < y; e++) {
            const struct event *a = &x->events[e], *b = &x->events[y];

            if (same_var(a, b) && a->thread != b->thread &&
                (a->kind == WRITE || b->kind == WRITE) &&
                !(a->atomic && b->atomic) && !(r->hb[y] >> e & 1) &&
                !(r->hb[e] >> y & 1))
                return true;
        }
    return false;
}

static bool is_sc(const struct relations *r)
{
    relation all = {0};

    join_to(all, r->sequence);
    join_to(all, r->rf);
    join_to(all, r->co);
    join_to(all, r->fr);
    return is_acyclic(all);
}

/* ---- Growing ---- */

static void grow(struct finder *f, const struct execution *x);

static int push(struct finder *f, struct execution *x, unsigned thread,
                enum kind kind, enum order order)
{
    int e = (int)x->count;

    if (e == N) {
        f->refused = true;
        return N - 1;
    }
    x->events[x->count++] = (struct event){.kind = (uint8_t)kind,
                                           .order = (uint8_t)order,
                                           .thread = (uint8_t)thread,
                                           .index = x->length[thread]++,
                                           .rf = INITIAL,
                                           .mate = -1};
    return e;
}

static void put_in_co(struct execution *x, int write, int place)
{
    unsigned var = x->events[write].var;

    memmove(&x->co[var][place + 1], &x->co[var][place],
            (size_t)(x->written[var] - place));
    x->co[var][place] = (int8_t)write;
    x->written[var]++;
}

struct access {
    const struct op *op;
    unsigned thread;
    enum order order;
    bool atomic;
};

static void try_write(struct finder *f, const struct execution *x,
                      const struct access *a, uint64_t value, int read)
{
    for (int place = 0; place <= x->written[a->op->place.var]; place++) {
        struct execution d = *x;
        int w = push(f, &d, a->thread, WRITE, a->order);

        d.events[w].var = a->op->place.var;
        d.events[w].atomic = a->atomic;
        d.events[w].value = value;
        d.events[w].mate = (int8_t)read;
        if (read >= 0)
            d.events[read].mate = (int8_t)w;
        put_in_co(&d, w, place);
        if (rmws_hold(&d))
            grow(f, &d);
    }
}

/* Of a variable that holds `whole`. */
static uint64_t value_of_place(uint64_t whole, const struct place *p)
{
    return p->size ? cut_to_size(whole >> 8 * p->offset, p->size) : whole;
}

static uint64_t value_at(const struct finder *f, const struct execution *x,
                         unsigned var, int i, int *from)
{
    *from = i < 0 ? INITIAL : x->co[var][i];
    return *from < 0
               ? value_of_place(f->p->vars[var].initial, &f->accessed[var])
               : x->events[*from].value;
}

/* What the variable holds at the end; nothing but one place was written. */
static uint64_t value_at_end(const struct finder *f, const struct execution *x,
                             unsigned var)
{
    const struct place *p = &f->accessed[var];
    uint64_t whole = f->p->vars[var].initial;
    int from;

    if (!p->size)
        return whole;
    whole &= ~(cut_to_size(UINT64_MAX, p->size) << 8 * p->offset);
    return whole | value_at(f, x, var, x->written[var] - 1, &from)
                       << 8 * p->offset;
}

static void set_register(struct execution *x, int8_t reg, uint64_t value)
{
    if (reg >= 0)
        x->regs[reg] = value;
}

/* A read of each source in turn; `then` says what comes of it. */
static void try_sources(struct finder *f, const struct execution *x,
                        const struct access *a,
                        void (*then)(struct finder *, struct execution *,
                                     const struct access *, int, uint64_t))
{
    unsigned var = a->op->place.var;

    for (int i = -1; i < x->written[var]; i++) {
        struct execution d = *x;
        int from, read;
        uint64_t value = value_at(f, x, var, i, &from);

        read = push(f, &d, a->thread, READ, a->order);
        d.events[read].var = (uint8_t)var;
        d.events[read].atomic = a->atomic;
        d.events[read].rf = (int8_t)from;
        d.events[read].value = value;
        then(f, &d, a, read, value);
    }
}

static void take_load(struct finder *f, struct execution *x,
                      const struct access *a, int read, uint64_t value)
{
    (void)read;
    set_register(x, a->op->dest, value);
    grow(f, x);
}

/* In vain: it stays there. */
static void take_await(struct finder *f, struct execution *x,
                       const struct access *a, int read, uint64_t value)
{
    (void)read;
    if ((value == a->op->value.constant) == !a->op->bits)
        set_register(x, a->op->dest, value);
    else
        x->waits[a->thread] = true;
    grow(f, x);
}

/* What an RMW makes of the old value; false: it writes nothing. */
static bool rmw_writes(const struct execution *x, const struct op *op,
                       uint64_t old, uint64_t *result)
{
    uint64_t operand = operand_value(op->value, x->regs);
    unsigned size = op->place.size;

    switch ((enum op_kind)op->kind) {
    case OP_LOCK:
    case OP_TRYLOCK:
        *result = 1;
        return old == 0;
    case OP_POST:
        *result = old + 1;
        return true;
    case OP_WAIT:
    case OP_TRYWAIT:
        *result = old - 1;
        return old > 0;
    case OP_ADD:
        *result = cut_to_size(old + operand, size);
        return true;
    case OP_CAS:
        *result = cut_to_size(operand, size);
        return old == cut_to_size(operand_value(op->expected, x->regs), size);
    default:
        *result = cut_to_size(operand, size);
        return true;
    }
}

static void take_rmw(struct finder *f, struct execution *x,
                     const struct access *a, int read, uint64_t old)
{
    const struct op *op = a->op;
    bool tries = op->kind == OP_TRYLOCK || op->kind == OP_TRYWAIT;
    uint64_t result;

    if (rmw_writes(x, op, old, &result)) {
        set_register(x, op->dest, tries ? 0 : old);
        try_write(f, x, a, result, read);
        return;
    }
    if (op->kind == OP_LOCK || op->kind == OP_WAIT)
        return; /* it has not happened */
    x->events[read].order = tries ? RELAXED : op->fail_order;
    set_register(x, op->dest, tries ? BUSY : old);
    grow(f, x);
}

/* What fencer.h makes of its fences. */
static enum order order_of_bits(unsigned bits)
{
    return bits == SS ? RELEASE : bits == LL || bits == LS ? ACQUIRE : SEQ_CST;
}

static void try_fence(struct finder *f, const struct execution *x, unsigned t,
                      enum order order)
{
    struct execution d = *x;

    if (order > RELAXED)
        push(f, &d, t, FENCE, order);
    grow(f, &d);
}

static void try_thread(struct finder *f, const struct execution *x, unsigned t,
                       const struct op *op)
{
    struct execution d = *x;
    int e = push(f, &d, t, op->kind == OP_SPAWN ? SPAWN : JOIN, PLAIN);

    d.events[e].target = op->target;
    d.started[op->target] = true;
    grow(f, &d);
}

static enum order order_of(const struct op *op)
{
    switch ((enum op_kind)op->kind) {
    case OP_LOCK:
    case OP_TRYLOCK:
    case OP_WAIT:
    case OP_TRYWAIT:
        return ACQUIRE;
    case OP_UNLOCK:
    case OP_POST:
        return RELEASE;
    default:
        return op->order;
    }
}

/* One step of thread t, whose next operation that is. */
static void take(struct finder *f, const struct execution *given, unsigned t,
                 const struct op *op)
{
    struct execution x = *given;
    struct access a = {op, t, order_of(op),
                       op->order != PLAIN || op_synchronises(op) ||
                           op_is_rmw(op)};

    x.pc[t]++;
    switch ((enum op_kind)op->kind) {
    case OP_LOAD:
        try_sources(f, &x, &a, take_load);
        break;
    case OP_AWAIT:
        try_sources(f, &x, &a, take_await);
        break;
    case OP_STORE:
        try_write(f, &x, &a,
                  cut_to_size(operand_value(op->value, x.regs), op->place.size),
                  -1);
        break;
    case OP_UNLOCK:
        try_write(f, &x, &a, 0, -1);
        break;
    case OP_FENCE:
        try_fence(f, &x, t, order_of_bits(op->bits));
        break;
    case OP_C11_FENCE:
        try_fence(f, &x, t, op->order);
        break;
    case OP_SPAWN:
    case OP_JOIN:
        try_thread(f, &x, t, op);
        break;
    case OP_CHOOSE:
        for (uint64_t i = 0; i < op->value.constant; i++) {
            set_register(&x, op->dest, i);
            grow(f, &x);
        }
        break;
    default:
        try_sources(f, &x, &a, take_rmw);
    }
}

/* ---- All of them ---- */

/* What is no event is done at once: conditions, barriers of the compiler. */
static const struct op *next_op(const struct finder *f, struct execution *x,
                                unsigned t)
{
    const struct thread *th = &f->p->threads[t];

    while (x->pc[t] < th->op_count) {
        const struct op *op = &th->ops[x->pc[t]];
        bool equal;

        if (op->kind != OP_IF && op->kind != OP_NOTHING)
            return op;
        x->pc[t]++;
        if (op->kind == OP_NOTHING)
            continue;
        equal = operand_value(op->value, x->regs) == x->regs[op->dest];
        if (equal != !op->bits)
            x->pc[t] = (uint8_t)(x->pc[t] + op->skip);
    }
    return NULL;
}

/* Names of events do not depend on the order in which they came. */
static unsigned name_of(const struct execution *x, int e)
{
    return e < 0 ? 0 : 1u + x->events[e].thread * N + x->events[e].index;
}

static struct fingerprint print_of(const struct execution *x)
{
    uint8_t text[4 * N + MAX_VARS * (N + 1) + sizeof x->regs + MAX_THREADS] = {
        0};
    size_t n = 0;

    for (unsigned t = 0; t < MAX_THREADS; t++) {
        text[n++] = x->pc[t];
        for (size_t e = 0; e < x->count; e++)
            if (x->events[e].thread == t && x->events[e].kind == READ) {
                text[n++] = (uint8_t)name_of(x, (int)e);
                text[n++] = (uint8_t)name_of(x, x->events[e].rf);
            }
    }
    for (unsigned v = 0; v < MAX_VARS; v++) {
        text[n++] = 255;
        for (int i = 0; i < x->written[v]; i++)
            text[n++] = (uint8_t)name_of(x, x->co[v][i]);
    }
    memcpy(text + n, x->regs, sizeof x->regs); /* what was chosen */
    return fingerprint_add(fingerprint_start, text, n + sizeof x->regs);
}

static void add_outcome(struct finder *f, const struct execution *x)
{
    const struct program *p = f->p;
    uint64_t values[MAX_OBSERVED];

    for (size_t i = 0; i < p->observed_count; i++) {
        const struct observed *o = &p->observed[i];

        values[i] =
            o->reg >= 0
                ? x->regs[o->reg]
                : value_of_place(value_at_end(f, x, o->place.var), &o->place);
    }
    outcomes_add(&f->l->outcomes, values);
}

static bool is_enabled(const struct finder *f, const struct execution *x,
                       unsigned t, const struct op *op)
{
    struct execution other = *x;

    if (!x->started[t] || x->waits[t])
        return false;
    return op->kind != OP_JOIN ||
           (x->started[op->target] && !x->waits[op->target] &&
            !next_op(f, &other, op->target));
}

static void grow(struct finder *f, const struct execution *given)
{
    struct execution x = *given;
    struct relations r = {0};
    bool left = false;
    const struct op *ops[MAX_THREADS];

    if (f->refused)
        return;
    for (unsigned t = 0; t < f->p->thread_count; t++)
        ops[t] = next_op(f, &x, t);
    if (!seen_add(&f->seen, print_of(&x)))
        return;
    f->refused = f->seen.count > f->max_states;
    fill_base(&x, &r);
    fill_hb(&x, &r);
    if (!is_allowed(&x, &r))
        return;
    f->l->races = f->l->races || has_race(&x, &r);
    for (unsigned t = 0; t < f->p->thread_count; t++) {
        left = left || (x.started[t] && (ops[t] || x.waits[t]));
        if (ops[t] && is_enabled(f, &x, t, ops[t]))
            take(f, &x, t, ops[t]);
    }
    if (left)
        return;
    add_outcome(f, &x);
    f->l->leaves = f->l->leaves || !is_sc(&r);
}

/* Every access to a variable is of one size at one place. */
static bool is_spoken_of(const struct program *p, struct place *first)
{
    for (size_t t = 0; t < p->thread_count; t++)
        for (size_t i = 0; i < p->threads[t].op_count; i++) {
            const struct op *op = &p->threads[t].ops[i];
            struct place *f = &first[op->place.var];

            if (op->kind == OP_ATOMIC || op->index || op->through)
                return false;
            if (!op_accesses(op) && op->kind != OP_AWAIT)
                continue;
            if (!f->size)
                *f = op->place;
            if (f->size != op->place.size || f->offset != op->place.offset)
                return false;
        }
    return true;
}

static bool waits_somewhere(const struct program *p)
{
    for (size_t t = 0; t < p->thread_count; t++)
        for (size_t i = 0; i < p->threads[t].op_count; i++)
            switch (p->threads[t].ops[i].kind) {
            case OP_LOCK:
            case OP_WAIT:
            case OP_AWAIT:
                return true;
            default:
                break;
            }
    return false;
}

bool language_find(struct language *l, const struct program *p,
                   size_t max_states)
{
    struct finder f = {.p = p, .l = l, .max_states = max_states};
    struct execution x = {.count = 0};

    *l = (struct language){.stuck = waits_somewhere(p)};
    outcomes_init(&l->outcomes, p->observed_count);
    if (!is_spoken_of(p, f.accessed))
        return false;
    for (size_t t = 0; t < p->thread_count; t++)
        x.started[t] = p->threads[t].started;
    grow(&f, &x);
    seen_free(&f.seen);
    return !f.refused;
}
