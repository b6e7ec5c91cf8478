/* SPDX-License-Identifier: MIT */
#include "mini_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

#define NODES (1u << 20)

/* Runs what no other thread sees; false: the next instruction announces. */
static bool run_local(const struct mini_code *c, struct place *at,
                      struct op *op)
{
    bool same = mini_value_of(at, c->first) == mini_value_of(at, c->second);

    mini_taint_local(c, at);
    switch (c->kind) {
    case MINI_SUM:
        at->registers[c->to] =
            mini_value_of(at, c->first) + mini_value_of(at, c->second);
        break;
    case MINI_SELECT:
        at->registers[c->to] = mini_value_of(at, c->second);
        break;
    case MINI_SKIP:
        at->pc += same ? c->count : 0;
        break;
    case MINI_ASSUME:
    case MINI_ASSUME_NOT:
        if (same != (c->kind == MINI_ASSUME)) {
            op->kind = OP_BLOCK;
            return false;
        }
        break;
    default:
        return false;
    }
    at->pc++;
    return true;
}

/* ---- Several parts ----
 *
 * In a register each part has 4 bits, whatever size it has. */

static uint64_t spread(struct behaviour *b, const struct mini *p,
                       const struct mini_code *c, uint64_t value)
{
    uint64_t word[2] = {value & 15, value >> 4 & 15};

    if (!c->parts)
        return value;
    if (p->big)
        return behaviour_number(b, word);
    return (value & 15) | (value >> 4 & 15) << 8 | (value >> 8 & 15) << 16;
}

static uint64_t gather(const struct behaviour *b, const struct mini *p,
                       const struct mini_code *c, uint64_t value)
{
    if (!c->parts)
        return value;
    if (p->big)
        return (behaviour_wide(b, value)[0] & 15) |
               (behaviour_wide(b, value)[1] & 15) << 4;
    return (value & 15) | (value >> 8 & 15) << 4 | (value >> 16 & 15) << 8;
}

void mini_split(const struct behaviour *b, const struct op *op, uint64_t value,
                uint64_t parts[MINI_PARTS])
{
    unsigned each = op->size > 8 ? 8 : 1;

    parts[0] = value;
    for (unsigned i = 0; op->cuts && i < op->size / each; i++)
        parts[i] =
            each == 8 ? behaviour_wide(b, value)[i] : value >> 8 * i & 255;
}

static unsigned cuts_of(const struct mini *p, const struct mini_code *c)
{
    return !c->parts ? 0 : p->big ? 0x101 : (1u << c->parts) - 1;
}

/* Equal threads have the same places in the program. */
static uint32_t site_of(const struct mini *p, const struct mini_code *c)
{
    unsigned at = (unsigned)(c - p->code[0]);
    unsigned like = p->like[at / MINI_CODE];

    return (like ? (like - 1) * MINI_CODE + at % MINI_CODE : at) + 1;
}

static void announce(struct behaviour *b, const struct mini *p,
                     const struct mini_code *c, const struct place *at,
                     struct op *op)
{
    static const enum op_kind kinds[] = {
        [MINI_LOAD] = OP_LOAD,     [MINI_STORE] = OP_STORE,
        [MINI_ADD] = OP_RMW,       [MINI_XCHG] = OP_RMW,
        [MINI_CAS] = OP_CAS,       [MINI_LOCK] = OP_CAS,
        [MINI_FENCE] = OP_FENCE,   [MINI_CHOOSE] = OP_CHOOSE,
        [MINI_CREATE] = OP_CREATE, [MINI_JOIN] = OP_JOIN,
        [MINI_FREE] = OP_FREE};

    if (op->kind == OP_BLOCK)
        return;
    if (c->kind == MINI_CREATE || c->kind == MINI_JOIN) {
        *op =
            (struct op){.kind = kinds[c->kind], .thread = (uint16_t)c->thread};
        return;
    }
    if (c->kind == MINI_FREE) {
        *op =
            (struct op){.kind = OP_FREE, .operand = c->location, .expected = 1};
        return;
    }
    *op =
        (struct op){.kind = kinds[c->kind],
                    .rmw = c->kind == MINI_ADD ? RMW_ADD : RMW_XCHG,
                    .order = c->order,
                    .failure_order = c->failure_order,
                    .size = (uint8_t)(!c->parts ? 8
                                      : p->big  ? 16
                                                : c->parts),
                    .fence = (uint8_t)c->fence,
                    .everybody = c->everybody,
                    .locks = c->kind == MINI_LOCK && !p->plain_locks,
                    .location = (uint16_t)c->location,
                    .cuts = (uint16_t)cuts_of(p, c),
                    .site = site_of(p, c),
                    .operand = spread(b, p, c, mini_value_of(at, c->first)),
                    .expected = spread(b, p, c, mini_value_of(at, c->second))};
    if (p->depends)
        op->depends = mini_depends(b, c, at);
}

/* A fence that is no operation. */
static bool folds(const struct mini *p, const struct mini_code *c,
                  struct place *at)
{
    if (!p->folds || c->kind != MINI_FENCE || c->everybody)
        return false;
    at->fences |= (uint8_t)c->fence;
    at->pc++;
    return true;
}

/* Up to the next operation. */
static void run_on(struct mini_run *r, struct behaviour *b, unsigned thread,
                   struct place *at, struct op *op)
{
    const struct mini_code *code = r->program->code[thread];
    bool in_block;

    op->kind = OP_END;
    for (;;) {
        if (mini_run_block(r, thread, at, op, &in_block))
            return;
        if (in_block)
            continue;
        if (at->pc >= r->program->length[thread] ||
            (!folds(r->program, &code[at->pc], at) &&
             !run_local(&code[at->pc], at, op)))
            break;
    }
    if (at->pc < r->program->length[thread])
        announce(b, r->program, &code[at->pc], at, op);
}

static void run(void *context, struct behaviour *b, behaviour_node node,
                uint64_t value, struct op *op)
{
    struct mini_run *r = context;
    unsigned thread = behaviour_thread(b, node);
    behaviour_node parent = behaviour_parent(b, node);
    const struct mini_code *code = r->program->code[thread];
    struct place *at = &r->places[node.ix];

    if (node.ix >= NODES)
        abort();
    memset(at, 0, sizeof *at);
    if (parent.ix) {
        const struct op *last = behaviour_op(b, parent);

        *at = r->places[parent.ix];
        if (at->block.on) {
            mini_answer_block(at, last, value);
            b->entries[node.ix].effect = (struct effect){
                .order = ORDER_RELAXED, .construct = C_RMW_RELAXED};
        } else {
            mini_taint_answer(&code[at->pc], at, last, value);
            at->registers[code[at->pc].to] =
                gather(b, r->program, &code[at->pc], value);
            at->pc++;
            if (code[at->pc - 1].kind == MINI_LOCK && value) {
                op->kind = OP_BLOCK; /* it was taken */
                return;
            }
        }
    }
    run_on(r, b, thread, at, op);
    op->fence |= at->fences;
    at->fences = 0;
}

struct mini_run *mini_open(const struct mini *program)
{
    struct mini_run *r = calloc(1, sizeof *r);

    r->program = program;
    r->places = calloc(NODES, sizeof *r->places);
    r->behaviour = behaviour_new(run, r);
    return r;
}

struct behaviour *mini_behaviour(struct mini_run *r)
{
    return r->behaviour;
}

void mini_close(struct mini_run *r)
{
    behaviour_free(r->behaviour);
    free(r->places);
    free(r);
}

/* ---- Random programs ---- */

unsigned random_below(struct random *r, unsigned n)
{
    r->state = r->state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((r->state >> 33) % n);
}

struct maker {
    struct mini *p;
    struct random *r;
    unsigned rmws;   /* per cent */
    unsigned fences; /* per cent */
    bool spreads;    /* neighbours at different locations */
    unsigned last_location;
    int last_read; /* register, or -1 */
    unsigned used;
};

static enum event_order pick_order(struct random *r, unsigned set)
{
    static const enum event_order orders[][5] = {
        {ORDER_RELAXED, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_SEQ_CST,
         ORDER_PLAIN},
        {ORDER_RELAXED, ORDER_RELAXED, ORDER_RELEASE, ORDER_SEQ_CST,
         ORDER_PLAIN},
        {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL,
         ORDER_SEQ_CST},
        {ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST,
         ORDER_SEQ_CST}};

    return orders[set][random_below(r, 5)];
}

static struct mini_value number(uint64_t n)
{
    return (struct mini_value){-1, n};
}

static void make_rmw(struct maker *m, struct mini_code *c)
{
    static const enum event_order failure[] = {ORDER_RELAXED, ORDER_ACQUIRE,
                                               ORDER_SEQ_CST};

    c->kind = MINI_ADD + random_below(m->r, 3);
    c->order = pick_order(m->r, 2);
    c->failure_order = failure[random_below(m->r, 3)];
    c->first = number(1 + random_below(m->r, 2));
    c->second = number(random_below(m->r, 2));
    m->used += 2;
}

static void make_fence(struct maker *m, struct mini_code *c)
{
    c->kind = MINI_FENCE;
    c->order = pick_order(m->r, 3);
    c->fence = random_below(m->r, 3) ? 1u << random_below(m->r, 3) : FENCE_FULL;
    m->used++;
}

static void make_access(struct maker *m, struct mini_code *c)
{
    unsigned what = random_below(m->r, 100);
    unsigned loads = (100 - m->rmws - m->fences) / 2 + m->rmws;

    c->location = random_below(m->r, m->p->locations);
    if (m->spreads && c->location == m->last_location)
        c->location = (c->location + 1) % m->p->locations;
    m->last_location = c->location;
    if (what < m->rmws) {
        make_rmw(m, c);
    } else if (what < loads) {
        c->kind = MINI_LOAD;
        c->order = pick_order(m->r, 0);
        m->used++;
    } else if (what < 100 - m->fences) {
        c->kind = MINI_STORE;
        c->order = pick_order(m->r, 1);
        c->first = number(1 + random_below(m->r, 2));
        if (m->last_read >= 0 && random_below(m->r, 3) == 0)
            c->first = (struct mini_value){m->last_read, random_below(m->r, 2)};
        m->used++;
    } else {
        make_fence(m, c);
    }
}

/* A branch or an assumption about what was read last. */
static void make_local(struct maker *m, struct mini_code *c)
{
    static const enum mini_kind kinds[] = {MINI_ASSUME, MINI_ASSUME_NOT,
                                           MINI_SKIP, MINI_SKIP};

    c->kind = kinds[random_below(m->r, 4)];
    c->first = (struct mini_value){m->last_read, 0};
    c->second = number(random_below(m->r, 2));
    c->count = 1 + random_below(m->r, 2);
}

static void make_thread(struct maker *m, unsigned t, unsigned accesses)
{
    struct mini *p = m->p;

    m->used = 0;
    m->last_read = -1;
    m->last_location = p->locations;
    while (m->used < accesses && p->length[t] + 2 < MINI_CODE) {
        struct mini_code *c = &p->code[t][p->length[t]++];

        make_access(m, c);
        c->to = MINI_REGISTERS - 1;
        if (c->kind == MINI_LOAD ||
            (c->kind >= MINI_ADD && c->kind <= MINI_CAS)) {
            m->last_read = (m->last_read + 1) % (MINI_REGISTERS - 1);
            c->to = (unsigned)m->last_read;
            if (random_below(m->r, 7) == 0)
                make_local(m, &p->code[t][p->length[t]++]);
        }
    }
}

static void insert(struct mini *p, unsigned t, unsigned at, struct mini_code c)
{
    memmove(&p->code[t][at + 1], &p->code[t][at],
            (p->length[t] - at) * sizeof c);
    p->length[t]++;
    c.to = MINI_REGISTERS - 1;
    p->code[t][at] = c;
}

static void make_ring_access(struct maker *m, unsigned t, unsigned location)
{
    struct mini *p = m->p;
    struct mini_code *c = &p->code[t][p->length[t]++];

    if (random_below(m->r, 12) == 0)
        make_rmw(m, c);
    else
        c->kind = random_below(m->r, 2) ? MINI_LOAD : MINI_STORE;
    if (c->kind < MINI_ADD) {
        c->order = pick_order(m->r, c->kind == MINI_STORE);
        c->first = number(1 + random_below(m->r, 2));
    }
    c->location = location;
    c->to = c->kind == MINI_STORE ? MINI_REGISTERS - 1 : location;
}

/* Threads go from place to place around a ring, mostly with a fence on the way:
 * the shapes that tell models, and fences, apart. */
static void make_ring(struct maker *m)
{
    struct mini *p = m->p;

    p->threads = p->started = 2 + random_below(m->r, 3);
    p->locations = 2 + (p->threads > 2 && random_below(m->r, 2));
    for (unsigned t = 0; t < p->threads; t++) {
        bool single = p->threads > 2 && random_below(m->r, 3) == 0;

        make_ring_access(m, t, t % p->locations);
        if (single)
            continue;
        if (random_below(m->r, 4)) {
            make_fence(m, &p->code[t][p->length[t]++]);
            p->code[t][p->length[t] - 1].to = MINI_REGISTERS - 1;
        }
        make_ring_access(m, t, (t + 1) % p->locations);
    }
}

void mini_random(struct mini *p, unsigned accesses, struct random *r)
{
    struct maker m = {.p = p, .r = r, .rmws = 18, .fences = 10};
    unsigned style = random_below(r, 8), share[MINI_THREADS] = {0};

    memset(p, 0, sizeof *p);
    if (random_below(r, 3) == 0) {
        make_ring(&m);
        return;
    }
    p->threads = 2 + (random_below(r, 3) == 0) + (random_below(r, 8) == 0);
    p->started = p->threads;
    p->locations = 1 + random_below(r, 3);
    m.rmws = style == 0 ? 45 : style == 1 ? 0 : 18;
    m.fences = random_below(r, 4) == 0 ? 24 : 10;
    m.spreads = random_below(r, 3) == 0;
    if (m.spreads)
        p->locations = 2 + random_below(r, 2);
    for (unsigned i = random_below(r, 3); i < accesses; i++)
        share[random_below(r, p->threads)]++;
    for (unsigned t = 0; t < p->threads; t++)
        make_thread(&m, t, share[t]);
    if (random_below(r, 6) == 0)
        insert(
            p, 0, random_below(r, p->length[0] + 1),
            (struct mini_code){.kind = MINI_JOIN,
                               .thread = 1 + random_below(r, p->threads - 1)});
    if (random_below(r, 5) == 0) { /* thread 0 starts the others */
        p->started = 1;
        for (unsigned t = 1; t < p->threads; t++)
            insert(p, 0, t == 1 ? random_below(r, 2) % (p->length[0] + 1) : 0,
                   (struct mini_code){.kind = MINI_CREATE, .thread = t});
    }
}

/* An access of several parts, where it was alone. */
static void widen(struct mini *p, struct mini_code *c, struct random *r)
{
    unsigned most = p->big ? 2 : p->locations;

    if (c->kind > MINI_CAS || random_below(r, 2))
        return;
    if (p->torn && c->kind > MINI_STORE)
        return;
    if (p->torn && c->kind == MINI_STORE && random_below(r, 3))
        return;
    c->parts = most == 2 || random_below(r, 4) ? 2 : 3;
    c->location = random_below(r, p->locations - c->parts + 1);
    if (c->kind != MINI_LOAD && c->first.from < 0)
        c->first.add |= (uint64_t)random_below(r, 3) << 4 |
                        (uint64_t)random_below(r, 2) << 8;
    if (c->kind == MINI_CAS && random_below(r, 3) == 0)
        c->second.add |= (uint64_t)random_below(r, 3) << 4;
}

void mini_random_bundles(struct mini *p, unsigned accesses, struct random *r)
{
    do
        mini_random(p, accesses, r);
    while (p->locations < 2);
    p->bundles = true;
    p->torn = random_below(r, 3) == 0;
    p->big = random_below(r, 4) == 0;
    for (unsigned t = 0; t < p->threads; t++) {
        for (unsigned i = 0; i < p->length[t]; i++)
            widen(p, &p->code[t][i], r);
    }
}

/* Every second fence, and one more for each program. */
void mini_random_everybody(struct mini *p, unsigned accesses, struct random *r)
{
    unsigned thread;

    mini_random(p, accesses, r);
    p->everybody = true;
    for (unsigned t = 0; t < p->threads; t++) {
        for (unsigned i = 0; i < p->length[t]; i++) {
            struct mini_code *c = &p->code[t][i];

            c->everybody = c->kind == MINI_FENCE && random_below(r, 2);
            if (c->everybody)
                c->fence = FENCE_FULL;
        }
    }
    thread = random_below(r, p->threads);
    insert(p, thread, random_below(r, p->length[thread] + 1),
           (struct mini_code){.kind = MINI_FENCE,
                              .fence = FENCE_FULL,
                              .order = ORDER_SEQ_CST,
                              .everybody = true});
}

static void put_code(struct mini *p, unsigned t, struct mini_code c)
{
    c.to = MINI_REGISTERS - 1;
    p->code[t][p->length[t]++] = c;
}

static void put_lock(struct mini *p, unsigned t, unsigned mutex)
{
    put_code(p, t,
             (struct mini_code){.kind = MINI_LOCK,
                                .location = mutex,
                                .order = ORDER_ACQUIRE,
                                .failure_order = ORDER_ACQUIRE,
                                .first = number(1),
                                .second = number(0)});
}

static void put_unlock(struct mini *p, unsigned t, unsigned mutex)
{
    put_code(p, t,
             (struct mini_code){.kind = MINI_STORE,
                                .location = mutex,
                                .order = ORDER_RELEASE,
                                .first = number(0)});
}

static void put_data(struct mini *p, unsigned t, struct random *r)
{
    unsigned what = random_below(r, 4);

    if (what < 3)
        put_code(p, t,
                 (struct mini_code){.kind = what < 2 ? MINI_LOAD : MINI_STORE,
                                    .location = 2 + random_below(r, 2),
                                    .order = what ? ORDER_PLAIN : ORDER_RELAXED,
                                    .first = number(1 + t)});
}

static void put_section(struct mini *p, unsigned t, unsigned mutexes,
                        struct random *r)
{
    unsigned outer = random_below(r, mutexes), inner = random_below(r, mutexes);
    bool nests = outer != inner && random_below(r, 3) == 0;

    if (random_below(r, 3) == 0)
        put_data(p, t, r);
    put_lock(p, t, outer);
    if (nests) {
        if (random_below(r, 2))
            put_data(p, t, r);
        put_lock(p, t, inner);
    }
    put_data(p, t, r);
    if (nests)
        put_unlock(p, t, inner);
    put_unlock(p, t, outer);
    if (random_below(r, 3) == 0)
        put_data(p, t, r);
}

void mini_random_locks(struct mini *p, struct random *r)
{
    unsigned mutexes = 1 + random_below(r, 2);

    memset(p, 0, sizeof *p);
    p->threads = p->started = 2 + random_below(r, 2);
    p->locations = 4;
    for (unsigned t = 0; t < p->threads; t++) {
        for (unsigned n = 1 + random_below(r, 2); n > 0; n--)
            put_section(p, t, mutexes, r);
    }
}

/* Not the first thread, if it makes or joins others. */
static unsigned first_equal(const struct mini *p)
{
    for (unsigned i = 0; i < p->length[0]; i++)
        if (p->code[0][i].kind == MINI_CREATE ||
            p->code[0][i].kind == MINI_JOIN)
            return 1;
    return 0;
}

static void copy_thread(struct mini *p, unsigned from, unsigned to)
{
    memcpy(p->code[to], p->code[from], sizeof p->code[to]);
    p->length[to] = p->length[from];
    p->like[to] = from + 1;
}

void mini_make_equal(struct mini *p, struct random *r)
{
    unsigned first = first_equal(p), count = p->threads - first;
    unsigned from = first + random_below(r, count);
    bool copied = false;

    if (random_below(r, 6) == 0)
        insert(p, from, random_below(r, 2) % (p->length[from] + 1),
               (struct mini_code){.kind = MINI_CHOOSE, .first = number(2)});
    for (unsigned t = first; t < p->threads; t++) {
        if (t == from || random_below(r, 3) == 0)
            continue;
        copy_thread(p, from, t);
        copied = true;
        if (random_below(r, 6) == 0 && p->length[t])
            p->code[t][random_below(r, p->length[t])].first.add++;
    }
    if (copied && (p->threads > 2 || random_below(r, 2)))
        return;
    copy_thread(p, from, p->threads++);
    if (p->started + 1 == p->threads)
        p->started++;
    else
        insert(
            p, 0, 0,
            (struct mini_code){.kind = MINI_CREATE, .thread = p->threads - 1});
}

/* Waits until something is, or is not, that value. */
static void put_await(struct mini *p, unsigned t, struct random *r)
{
    put_code(p, t,
             (struct mini_code){.kind = MINI_LOAD,
                                .location = 2 + random_below(r, 2),
                                .order = random_below(r, 2) ? ORDER_ACQUIRE
                                                            : ORDER_RELAXED});
    if (random_below(r, 4) == 0)
        put_code(p, t,
                 (struct mini_code){.kind = MINI_FENCE,
                                    .order = ORDER_SEQ_CST,
                                    .fence = FENCE_FULL});
    put_code(p, t,
             (struct mini_code){.kind = random_below(r, 2) ? MINI_ASSUME
                                                           : MINI_ASSUME_NOT,
                                .first = {.from = MINI_REGISTERS - 1},
                                .second = number(random_below(r, 3))});
}

static void put_change(struct mini *p, unsigned t, struct random *r)
{
    put_code(p, t,
             (struct mini_code){
                 .kind = random_below(r, 4) ? MINI_STORE : MINI_ADD,
                 .location = 2 + random_below(r, 2),
                 .order = random_below(r, 2) ? ORDER_RELEASE : ORDER_RELAXED,
                 .first = number(random_below(r, 3))});
}

void mini_random_waits(struct mini *p, struct random *r)
{
    memset(p, 0, sizeof *p);
    p->threads = p->started = 2 + random_below(r, 3);
    p->locations = 4;
    for (unsigned t = 0; t < p->threads; t++) {
        for (unsigned n = 1 + random_below(r, 5 - p->threads / 2); n > 0; n--) {
            unsigned what = random_below(r, 12);

            if (what == 0)
                put_section(p, t, 1, r);
            else if (what < 6)
                put_await(p, t, r);
            else
                put_change(p, t, r);
        }
    }
}

static void print_value(struct mini_value v)
{
    if (v.from >= 0)
        printf(" r%d+%llu", v.from, (unsigned long long)v.add);
    else
        printf(" %llu", (unsigned long long)v.add);
}

void mini_print(const struct mini *p)
{
    static const char *const names[] = {
        "load",   "store",      "add",    "xchg",  "cas", "lock",
        "fence",  "choose",     "create", "join",  "sum", "skip",
        "assume", "assume-not", "select", "block", "free"};

    for (unsigned t = 0; t < p->threads; t++) {
        printf("  thread %u%s:", t, t < p->started ? "" : " (created)");
        for (unsigned i = 0; i < p->length[t]; i++) {
            const struct mini_code *c = &p->code[t][i];

            printf(" %s", names[c->kind]);
            if (c->kind == MINI_BLOCK)
                printf(" of %u", c->count);
            if (c->kind <= MINI_CAS)
                printf(" r%u %c/%u+r%d", c->to, (int)('x' + c->location),
                       c->parts, (int)c->index - 1);
            if (c->kind == MINI_SKIP)
                printf(" %u", c->count);
            if (c->pointer)
                printf(" [r%u]", c->pointer - 1);
            print_value(c->first);
            print_value(c->second);
            printf(" o%d/%d f%u%s t%u;", (int)c->order, (int)c->failure_order,
                   c->fence, c->everybody ? "!" : "", c->thread);
        }
        printf("\n");
    }
}
