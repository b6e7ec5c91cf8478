/* SPDX-License-Identifier: MIT
 *
 * How it is made: first the number of threads and of accesses of each, then
 * access by access what it does, to which variable, and whether a fence comes
 * before it.  Every store has a value of its own, so that outcomes tell apart
 * all that can be told apart; every register and every variable that is used
 * is observed.
 */
#include "generate.h"

#include <stdio.h>
#include <string.h>

const char *const family_names[ALL_FAMILIES] = {
    "fences",  "c11",      "sizes",      "branch",   "locks", "threads",
    "seq_cst", "guarded",  "semaphores", "blocks",   "rings", "awaits",
    "choices", "seqlocks", "dependent",  "addresses"};

enum family family_find(const char *name)
{
    enum family f = ALL_FAMILIES;

    if (name)
        for (f = 0; f < ALL_FAMILIES && strcmp(name, family_names[f]);)
            f++;
    REQUIRE(!name || f < ALL_FAMILIES, "no family '%s'", name);
    return f;
}

enum { VAR_X, VAR_Y, VAR_Z, VAR_C, VAR_D, VAR_M, VAR_S };
enum { VAR_A = VAR_M, VAR_P = VAR_S }; /* FAMILY_ADDRESSES */
enum { GENERATED_REGS = 10, MAX_CHOICES = 2 };

struct maker {
    struct program *p;
    struct random *r;
    enum family family;
    unsigned next_value;
    int next_reg;
    unsigned vars;     /* how many of x, y, z */
    unsigned var_mask; /* variables used */
    bool in_block;
    int last_reg; /* of the thread being made, -1: none */
    unsigned choices;
};

/* splitmix64: small, and every seed is a good one. */
static uint64_t random_next(struct random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t random_below(struct random *r, uint64_t n)
{
    return random_next(r) % n;
}

static bool chance(struct maker *k, unsigned percent)
{
    return random_below(k->r, 100) < percent;
}

static struct op *add(struct thread *t, enum op_kind kind)
{
    struct op *op = &t->ops[t->op_count++];

    REQUIRE(t->op_count <= MAX_OPS, "generated thread too long");
    memset(op, 0, sizeof *op);
    op->kind = (uint8_t)kind;
    op->dest = op->dep = -1;
    op->value.reg = op->expected.reg = -1;
    return op;
}

static enum order pick(struct maker *k, const enum order *list, size_t count)
{
    return list[random_below(k->r, count)];
}

static enum order pick_order(struct maker *k, enum op_kind kind)
{
    static const enum order loads[] = {PLAIN,   RELAXED, ACQUIRE,
                                       ACQUIRE, SEQ_CST, CONSUME};
    static const enum order stores[] = {PLAIN, RELAXED, RELEASE, RELEASE,
                                        SEQ_CST};
    static const enum order rmws[] = {RELAXED, ACQUIRE, RELEASE, ACQ_REL,
                                      SEQ_CST};

    if (k->family == FAMILY_SEQ_CST)
        return SEQ_CST;
    if (k->family == FAMILY_C11)
        return kind == OP_LOAD    ? pick(k, loads, 6)
               : kind == OP_STORE ? pick(k, stores, 5)
                                  : pick(k, rmws, 5);
    return kind == OP_LOAD || kind == OP_STORE ? PLAIN : RELAXED;
}

/* Never stronger than the success order, as C11 asks. */
static enum order pick_failure(struct maker *k, enum order success)
{
    if (success == SEQ_CST)
        return SEQ_CST;
    if (success == ACQUIRE || success == ACQ_REL)
        return chance(k, 50) ? ACQUIRE : RELAXED;
    return RELAXED;
}

static struct place pick_place(struct maker *k)
{
    struct place place = {0, 0, 4};

    if ((k->family == FAMILY_SIZES && chance(k, 75)) ||
        (k->family == FAMILY_BLOCKS && chance(k, 30))) {
        uint8_t size = (uint8_t)(1u << random_below(k->r, 4));

        place.var = (uint8_t)(VAR_C + random_below(k->r, 2));
        place.size = size;
        /* Low bytes, so that accesses meet. */
        place.offset = (uint8_t)(size * random_below(k->r, size == 8   ? 1
                                                           : size == 4 ? 2
                                                                       : 3));
    } else {
        place.var = (uint8_t)random_below(k->r, k->vars);
    }
    return place;
}

/* A value no other store has, in every byte of it. */
static uint64_t new_value(struct maker *k, unsigned size)
{
    uint64_t v = ++k->next_value, wide = 0;

    if (k->family != FAMILY_SIZES && k->family != FAMILY_BLOCKS)
        return v;
    for (unsigned i = 0; i < size; i++)
        wide |= v << (8 * i);
    return size == 8 ? wide & 0x7fffffffffffffffu : wide;
}

static int8_t new_reg(struct maker *k)
{
    return k->next_reg < GENERATED_REGS ? (int8_t)k->next_reg++ : -1;
}

static void add_fence(struct maker *k, struct thread *t)
{
    static const uint8_t bits[] = {SS, SL, LL, LS, FULL, SS, LL};
    static const enum order orders[] = {ACQUIRE, RELEASE, ACQ_REL, SEQ_CST};

    if (k->family == FAMILY_SEQ_CST || k->family == FAMILY_GUARDED)
        return;
    if (k->family == FAMILY_C11)
        add(t, OP_C11_FENCE)->order = (uint8_t)pick(k, orders, 4);
    else
        add(t, OP_FENCE)->bits = bits[random_below(k->r, 7)];
}

static enum op_kind pick_kind(struct maker *k)
{
    static const enum op_kind kinds[] = {OP_LOAD,  OP_LOAD,  OP_LOAD,
                                         OP_STORE, OP_STORE, OP_STORE,
                                         OP_XCHG,  OP_ADD,   OP_CAS};
    unsigned rmw_percent = k->family == FAMILY_GUARDED || k->in_block ? 0
                           : k->family == FAMILY_C11                  ? 30
                                                                      : 15;

    return kinds[chance(k, rmw_percent) ? 6 + random_below(k->r, 3)
                                        : random_below(k->r, 6)];
}

static void add_access_of(struct maker *k, struct thread *t, enum op_kind kind,
                          struct place place)
{
    struct op *op = add(t, kind);

    op->place = place;
    k->var_mask |= 1u << place.var;
    op->order = (uint8_t)pick_order(k, op->kind);
    if (op->kind != OP_LOAD)
        op->value.constant = new_value(k, op->place.size);
    if (op->kind == OP_ADD)
        op->value.constant = 1 + random_below(k->r, 2);
    if (op->kind == OP_STORE && k->last_reg >= 0 && chance(k, 15)) {
        op->value.reg = (int8_t)k->last_reg;
        op->value.constant = random_below(k->r, 2);
    }
    if (op->kind == OP_CAS) {
        op->fail_order = (uint8_t)pick_failure(k, op->order);
        op->expected.constant =
            chance(k, 60) ? 0 : random_below(k->r, k->next_value + 1);
    }
    if (op_loads(op)) {
        op->dest = new_reg(k);
        if (op->dest >= 0)
            k->last_reg = op->dest;
    }
}

/* For a value that somebody may write, or for any other than the first. */
static void add_await(struct maker *k, struct thread *t)
{
    struct op *op = add(t, OP_AWAIT);

    op->place = pick_place(k);
    k->var_mask |= 1u << op->place.var;
    op->bits = chance(k, 60);
    if (!op->bits)
        op->value.constant = random_below(k->r, k->next_value + 3);
}

static void add_access(struct maker *k, struct thread *t)
{
    enum op_kind kind = pick_kind(k);

    if (k->family == FAMILY_AWAITS && chance(k, 25)) {
        add_await(k, t);
        return;
    }
    add_access_of(k, t, kind, pick_place(k));
}

/* A choice that later conditions depend on. */
static void add_choice(struct maker *k, struct thread *t)
{
    int8_t reg = k->choices < MAX_CHOICES ? new_reg(k) : -1;
    struct op *op;

    if (reg < 0)
        return;
    k->choices++;
    op = add(t, OP_CHOOSE);
    op->dest = reg;
    op->value.constant = 2 + random_below(k->r, 2);
    k->last_reg = reg;
}

/* Maybe a fence, a choice, a condition, then the access. */
static void add_step(struct maker *k, struct thread *t)
{
    struct op *condition = NULL;

    if (chance(k, 25))
        add_fence(k, t);
    if (k->family == FAMILY_CHOICES && chance(k, 30))
        add_choice(k, t);
    if ((k->family == FAMILY_BRANCH || k->family == FAMILY_CHOICES) &&
        k->last_reg >= 0 && chance(k, 40)) {
        condition = add(t, OP_IF);
        condition->dest = (int8_t)k->last_reg;
        condition->value.constant =
            chance(k, 50) ? 0 : random_below(k->r, k->next_value + 2);
        condition->skip = 1;
    }
    add_access(k, t);
}

static void add_mutex_op(struct maker *k, struct thread *t, enum op_kind kind)
{
    (void)k;
    add(t, kind)->place = (struct place){VAR_M, 0, 4};
}

/* A thread whose accesses are all, or for some part, under the mutex. */
static void fill_locked(struct maker *k, struct thread *t, unsigned accesses)
{
    bool inside = false;

    for (unsigned i = 0; i < accesses; i++) {
        bool want = k->family == FAMILY_GUARDED || chance(k, 60);

        if (inside && (!want || chance(k, 30))) {
            add_mutex_op(k, t, OP_UNLOCK);
            inside = false;
        }
        if (want && !inside) {
            add_mutex_op(k, t, OP_LOCK);
            inside = true;
        }
        add_step(k, t);
    }
    if (inside)
        add_mutex_op(k, t, OP_UNLOCK);
}

static struct op *add_semaphore_op(struct thread *t, enum op_kind kind)
{
    struct op *op = add(t, kind);

    op->place = (struct place){VAR_S, 0, 4};
    return op;
}

/* What it takes it gives back, for others wait for it. */
static void add_trywait(struct maker *k, struct thread *t)
{
    int8_t reg = new_reg(k);
    struct op *op;

    if (reg < 0)
        return;
    add_semaphore_op(t, OP_TRYWAIT)->dest = reg;
    op = add(t, OP_IF);
    op->dest = reg;
    op->skip = 1;
    add_semaphore_op(t, OP_POST);
}

/* Thread 0 posts once for each other thread, which waits at most once, so that
 * nobody waits for ever. */
static void fill_posting(struct maker *k, struct thread *t, unsigned accesses)
{
    bool first = t == &k->p->threads[0];
    unsigned count = first ? (unsigned)k->p->thread_count - 1 : chance(k, 80);
    unsigned at[MAX_THREADS];

    for (unsigned i = 0; i < count; i++)
        at[i] = (unsigned)random_below(k->r, accesses + 1);
    for (unsigned i = 0; i <= accesses; i++) {
        for (unsigned j = 0; j < count; j++)
            if (at[j] == i)
                add_semaphore_op(t, first ? OP_POST : OP_WAIT);
        if (i == accesses)
            break;
        if (t->op_count < MAX_OPS / 2 && chance(k, 15))
            add_trywait(k, t);
        if (chance(k, 5))
            add_semaphore_op(t, OP_POST);
        add_step(k, t);
    }
}

/* Some accesses are together in a block. */
static void fill_blocks(struct maker *k, struct thread *t, unsigned accesses)
{
    for (unsigned i = 0; i < accesses;) {
        unsigned size = 2 + (unsigned)random_below(k->r, 2);
        size_t at;

        if (i + size > accesses || chance(k, 40)) {
            add_step(k, t);
            i++;
            continue;
        }
        if (chance(k, 15))
            add_fence(k, t);
        at = t->op_count;
        add(t, OP_ATOMIC)->skip = (uint8_t)size;
        k->in_block = true;
        for (unsigned j = 0; j < size; j++)
            add_access(k, t);
        k->in_block = false;
        REQUIRE(t->op_count == at + 1 + size, "a block of another size");
        i += size;
    }
}

/* Mostly, each thread loads what the one before it stores. */
static struct place ring_of(struct maker *k, const struct thread *t, bool next)
{
    size_t number = (size_t)(t - k->p->threads) + next;

    if (chance(k, 20))
        return pick_place(k);
    return (struct place){(uint8_t)(number % k->p->thread_count % k->vars), 0,
                          4};
}

/* if (r0 == 1) { r1 = x; x = r1 + 2; } */
static void add_counted(struct maker *k, struct thread *t)
{
    struct op *condition = add(t, OP_IF), *op;
    struct place place = ring_of(k, t, chance(k, 50));

    condition->dest = (int8_t)k->last_reg;
    condition->value.constant = random_below(k->r, 3);
    condition->skip = 2;
    add_access_of(k, t, OP_LOAD, place);
    op = add(t, OP_STORE);
    op->place = place;
    op->value.reg = (int8_t)k->last_reg;
    op->value.constant = 1 + random_below(k->r, 2);
}

/* Stores of few values that depend on what was loaded before, so that threads
 * could write just what the others need to write it. */
static void add_dependent(struct maker *k, struct thread *t)
{
    struct op *op;

    if (chance(k, 15)) {
        add_counted(k, t);
        return;
    }
    if (chance(k, 60)) {
        op = add(t, OP_IF);
        op->dest = (int8_t)k->last_reg;
        op->value.constant = chance(k, 20) ? 0 : 1 + random_below(k->r, 2);
        op->skip = 1;
    }
    op = add(t, OP_STORE);
    op->place = ring_of(k, t, true);
    k->var_mask |= 1u << op->place.var;
    op->value.constant = 1 + random_below(k->r, 2);
    if (chance(k, 40)) {
        op->value.reg = (int8_t)k->last_reg;
        op->value.constant = random_below(k->r, 2);
    }
}

static void fill_dependent(struct maker *k, struct thread *t, unsigned accesses)
{
    for (unsigned i = 0; i < accesses; i++) {
        if (chance(k, 8))
            add_fence(k, t);
        if (k->last_reg >= 0 && chance(k, 75))
            add_dependent(k, t);
        else
            add_access_of(k, t, chance(k, 90) ? OP_LOAD : OP_ADD,
                          ring_of(k, t, false));
    }
}

static void add_through(struct maker *k, struct thread *t)
{
    bool loads = chance(k, 60);
    struct op *op = add(t, loads ? OP_LOAD : OP_STORE);

    op->place = (struct place){VAR_P, 0, 8};
    op->through = true;
    k->var_mask |= 1u << VAR_X | 1u << VAR_Y;
    if (!loads) {
        op->value.constant = new_value(k, 4);
        return;
    }
    op->dest = new_reg(k);
    if (op->dest >= 0)
        k->last_reg = op->dest;
}

static void add_indexed(struct maker *k, struct thread *t)
{
    int reg = k->last_reg;
    struct op *op;

    add_access_of(k, t, pick_kind(k), (struct place){VAR_A, 0, 4});
    op = &t->ops[t->op_count - 1];
    if (reg < 0) {
        op->place.offset = (uint8_t)(4 * random_below(k->r, 2));
        return;
    }
    op->index = (uint8_t)(1 + reg);
    op->index_value = (uint8_t)random_below(k->r, k->next_value + 1);
}

/* Through the pointer, into the array, or to what the pointer may point to. */
static void fill_addresses(struct maker *k, struct thread *t, unsigned accesses)
{
    for (unsigned i = 0; i < accesses; i++) {
        uint64_t what = random_below(k->r, 10);

        if (chance(k, 15))
            add_fence(k, t);
        if (what < 2) {
            struct op *op = add(t, OP_STORE);

            op->place = (struct place){VAR_P, 0, 8};
            op->value.constant = ADDRESS_OF + random_below(k->r, POINTED_TO);
        } else if (what < 5) {
            add_through(k, t);
        } else if (what < 8) {
            add_indexed(k, t);
        } else {
            add_access(k, t);
        }
    }
}

/* Thread 0 starts the last thread somewhere, and waits for it, perhaps at its
 * own end only: a thread nobody waits for could outlive the program. */
static void add_spawn(struct maker *k, struct thread *t, bool end)
{
    size_t child = k->p->thread_count - 1;
    bool spawned = false, joined = false;

    if (t != &k->p->threads[0] || k->p->threads[child].started)
        return;
    for (size_t i = 0; i < t->op_count; i++) {
        spawned |= t->ops[i].kind == OP_SPAWN;
        joined |= t->ops[i].kind == OP_JOIN;
    }
    if (!spawned && (end || chance(k, 50))) {
        add(t, OP_SPAWN)->target = (uint8_t)child;
        spawned = true;
    } else if (spawned && !joined && chance(k, 30)) {
        add(t, OP_JOIN)->target = (uint8_t)child;
        joined = true;
    }
    if (end && !joined)
        add(t, OP_JOIN)->target = (uint8_t)child;
}

static void fill_thread(struct maker *k, struct thread *t, unsigned accesses)
{
    k->last_reg = -1;
    if (k->family == FAMILY_LOCKS || k->family == FAMILY_GUARDED) {
        fill_locked(k, t, accesses);
        return;
    }
    if (k->family == FAMILY_BLOCKS) {
        fill_blocks(k, t, accesses);
        return;
    }
    if (k->family == FAMILY_SEMAPHORES) {
        fill_posting(k, t, accesses);
        return;
    }
    if (k->family == FAMILY_DEPENDENT) {
        fill_dependent(k, t, accesses);
        return;
    }
    if (k->family == FAMILY_ADDRESSES) {
        fill_addresses(k, t, accesses);
        return;
    }
    for (unsigned i = 0; i < accesses; i++) {
        add_spawn(k, t, false);
        add_step(k, t);
    }
    add_spawn(k, t, true);
}

/* Threads in a ring: each has an access to what it shares with the thread
 * before it, then one to what it shares with the next, or one write for both.
 * So there is a critical cycle of four to eight accesses, and the machines
 * differ in whether they close it. */
struct ring {
    bool alone[MAX_THREADS];
    enum op_kind first[MAX_THREADS], second[MAX_THREADS];
};

static void plan_ring(struct maker *k, struct ring *ring)
{
    size_t n = k->p->thread_count;

    for (size_t t = 0; t < n; t++)
        ring->alone[t] = n > 2 && t % 2 == 0 && t + 1 < n && chance(k, 40);
    for (size_t t = 0; t < n; t++) {
        ring->first[t] = pick_kind(k);
        ring->second[t] = pick_kind(k);
    }
    for (size_t t = 0; t < n; t++) {
        size_t next = (t + 1) % n;

        if (ring->alone[t]) /* neighbours that both read do not conflict */
            ring->first[next] = ring->second[(t + n - 1) % n] = OP_LOAD;
        else if (!ring->alone[next] && ring->second[t] == OP_LOAD &&
                 ring->first[next] == OP_LOAD)
            ring->first[next] = OP_STORE;
    }
}

/* What thread t shares with the one before it. */
static struct place ring_place(const struct ring *ring, size_t t, size_t n)
{
    static const struct place places[MAX_THREADS] = {
        {VAR_X, 0, 4}, {VAR_Y, 0, 4}, {VAR_Z, 0, 4}, {VAR_C, 0, 4}};

    t %= n;
    return places[ring->alone[(t + n - 1) % n] ? (t + n - 1) % n : t];
}

static void fill_ring(struct maker *k, unsigned accesses)
{
    struct ring ring = {0};
    size_t n = k->p->thread_count;
    unsigned spare = accesses - 2 * (unsigned)n;

    plan_ring(k, &ring);
    for (size_t i = 0; i < n; i++) {
        struct thread *t = &k->p->threads[i];
        struct place in = ring_place(&ring, i, n);

        k->last_reg = -1;
        if (ring.alone[i]) {
            add_access_of(k, t, chance(k, 20) ? OP_XCHG : OP_STORE, in);
            continue;
        }
        add_access_of(k, t, ring.first[i], in);
        if (chance(k, 20))
            add_fence(k, t);
        if (spare && chance(k, 25)) {
            add_access(k, t);
            spare--;
        }
        add_access_of(k, t, ring.second[i], ring_place(&ring, i + 1, n));
    }
}

/* A sequence lock: x is the sequence, y and z the data.  Every fence may be
 * missing or of another kind.  If the sequence was odd there is a second round,
 * so that a load of one round meets the stores that one of the other saw. */
static void add_data(struct maker *k, struct thread *t, enum op_kind kind,
                     unsigned data, unsigned most)
{
    unsigned first = (unsigned)random_below(k->r, data);

    for (unsigned i = 0; i < data && i < most; i++)
        add_access_of(
            k, t, kind,
            (struct place){(uint8_t)(VAR_Y + (first + i) % data), 0, 4});
}

/* Mostly the right one. */
static void add_seqlock_fence(struct maker *k, struct thread *t,
                              enum op_kind kind)
{
    if (chance(k, 75))
        add(t, OP_FENCE)->bits = kind == OP_STORE ? SS : LL;
    else if (chance(k, 50))
        add_fence(k, t);
}

static void add_sequence(struct maker *k, struct thread *t, enum op_kind kind,
                         bool fence_after)
{
    struct place sequence = {VAR_X, 0, 4};

    if (!fence_after)
        add_seqlock_fence(k, t, kind);
    add_access_of(k, t, kind, sequence);
    if (fence_after)
        add_seqlock_fence(k, t, kind);
}

static void add_second_round(struct maker *k, struct thread *t, unsigned data,
                             unsigned accesses)
{
    struct op *condition = add(t, OP_IF);

    condition->dest = t->ops[0].dest;
    condition->value = k->p->threads[0].ops[0].value;
    add_data(k, t, OP_LOAD, data, accesses);
    if (accesses > data)
        add_access_of(k, t, OP_LOAD, (struct place){VAR_X, 0, 4});
    condition->skip = (uint8_t)(&t->ops[t->op_count] - condition - 1);
}

static void fill_seqlock(struct maker *k, unsigned accesses)
{
    struct thread *writer = &k->p->threads[0], *reader = writer + 1;
    unsigned data = accesses < 8 ? 1 : 2;

    k->last_reg = -1;
    add_sequence(k, writer, OP_STORE, true);
    add_data(k, writer, OP_STORE, data, data);
    if (accesses >= 5)
        add_sequence(k, writer, OP_STORE, false);
    if (accesses >= 6)
        add_sequence(k, reader, OP_LOAD, true);
    add_data(k, reader, OP_LOAD, data, data);
    add_sequence(k, reader, OP_LOAD, false);
    if (accesses > 4 + 2 * data)
        add_second_round(k, reader, data, accesses - 4 - 2 * data);
}

/* In place of the mutex and the semaphore. */
static void declare_addresses(struct program *p)
{
    p->vars[VAR_A] = (struct var){"a", VAR_ARRAY, 0};
    p->vars[VAR_P] = (struct var){"p", VAR_POINTER, ADDRESS_OF};
}

static void declare(struct program *p)
{
    static const struct {
        const char *name;
        enum var_kind kind;
    } vars[] = {{"x", VAR_INT},  {"y", VAR_INT},  {"z", VAR_INT},
                {"c", VAR_CELL}, {"d", VAR_CELL}, {"m", VAR_MUTEX},
                {"s", VAR_SEM}};

    p->var_count = sizeof vars / sizeof *vars;
    for (size_t i = 0; i < p->var_count; i++) {
        strcpy(p->vars[i].name, vars[i].name);
        p->vars[i].kind = vars[i].kind;
    }
    p->reg_count = GENERATED_REGS;
    for (size_t i = 0; i < p->reg_count; i++)
        snprintf(p->regs[i], MAX_NAME, "r%zu", i);
}

static void observe_elements(struct maker *k)
{
    for (uint8_t i = 0; i < 2; i++) {
        struct observed *o = &k->p->observed[k->p->observed_count++];

        snprintf(o->label, MAX_NAME, "a[%d]", i);
        o->reg = -1;
        o->place = (struct place){VAR_A, (uint8_t)(4 * i), 4};
    }
}

static void observe_all(struct maker *k)
{
    struct program *p = k->p;

    for (int i = 0; i < k->next_reg; i++) {
        struct observed *o = &p->observed[p->observed_count++];

        strcpy(o->label, p->regs[i]);
        o->reg = (int8_t)i;
    }
    for (uint8_t v = 0; v < VAR_M; v++) {
        bool cell = p->vars[v].kind == VAR_CELL;
        struct observed *o;

        if (!(k->var_mask >> v & 1))
            continue;
        o = &p->observed[p->observed_count++];
        snprintf(o->label, MAX_NAME, "%.20s%s", p->vars[v].name,
                 cell ? ".whole" : "");
        o->reg = -1;
        o->place = (struct place){v, 0, cell ? 8 : 4};
    }
    if (k->family == FAMILY_ADDRESSES && (k->var_mask >> VAR_A & 1))
        observe_elements(k);
}

void generate(struct program *p, enum family family, unsigned accesses,
              unsigned number, struct random *r)
{
    struct maker k = {.p = p, .r = r, .family = family};
    unsigned left = accesses;

    memset(p, 0, sizeof *p);
    snprintf(p->name, MAX_NAME, "p%u", number);
    declare(p);
    if (family == FAMILY_ADDRESSES)
        declare_addresses(p);
    k.vars = 2 + (unsigned)random_below(r, 2);
    p->thread_count = 2 + random_below(r, accesses >= 6 ? 3 : 2);
    if (family == FAMILY_THREADS && p->thread_count == 4)
        p->thread_count = 3;
    if (family == FAMILY_RINGS)
        p->thread_count =
            2 + random_below(r, accesses / 2 - 1 < 3 ? accesses / 2 - 1 : 3);
    if (family == FAMILY_SEQLOCKS)
        p->thread_count = 2;
    for (size_t t = 0; t < p->thread_count; t++) {
        snprintf(p->threads[t].name, MAX_NAME, "p%u_%c", number,
                 (char)('a' + t));
        p->threads[t].started =
            family != FAMILY_THREADS || t + 1 < p->thread_count;
    }
    if (family == FAMILY_RINGS || family == FAMILY_SEQLOCKS) {
        if (family == FAMILY_RINGS)
            fill_ring(&k, accesses);
        else
            fill_seqlock(&k, accesses);
        observe_all(&k);
        return;
    }
    for (size_t t = 0; t < p->thread_count; t++) {
        unsigned others = (unsigned)(p->thread_count - t - 1);
        unsigned most = left - others < 4 ? left - others : 4;
        unsigned own = others ? 1 + (unsigned)random_below(r, most) : most;

        fill_thread(&k, &p->threads[t], own);
        left -= own;
    }
    observe_all(&k);
}
