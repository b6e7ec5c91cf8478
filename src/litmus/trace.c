/* SPDX-License-Identifier: MIT
 *
 * Runs the threads of a litmus test, each by itself.  Where a load may return
 * several values the state is copied, and each is followed.
 *
 * Every register knows on which loads its value depends, and which loads only
 * selected it (a csel, the comparison of a CAS): Arm's model orders stores by
 * the latter, too.
 */
#include "litmus/trace.h"

#include <string.h>

#include "litmus/alu.h"
#include "litmus/reader.h"
#include "model/relation.h"

#define STEPS_MAX 400
#define ROUNDS_MAX 4 /* of a loop */
#define THREAD_EVENTS_MAX 48
#define TRACES_MAX 20000
#define DOMAIN_MAX 64

struct value {
    int64_t number;
    uint64_t deps, picks;
};

struct state {
    struct value registers[REGISTERS_MAX];
    uint32_t pc, steps, rounds;
    uint64_t ctrl, pick_ctrl;
    int exclusive; /* the last load exclusive, or -1 */
    size_t count;
    struct litmus_event events[THREAD_EVENTS_MAX];
};

struct walk {
    struct unfold *u;
    const struct thread *thread;
    struct traces *out; /* NULL: only domains grow */
    bool grown;
    uint32_t stores; /* at most, in one trace */
    size_t traces;
};

static bool cannot(struct unfold *u, const char *why)
{
    if (!u->why)
        u->why = why;
    return false;
}

/* ---- values ---- */

static struct value get(const struct state *s, int reg)
{
    return reg > REGISTER_ZERO ? s->registers[reg] : (struct value){0};
}

static void set(struct state *s, int reg, struct value v)
{
    if (reg > REGISTER_ZERO)
        s->registers[reg] = v;
}

/* The last source: a register or a number. */
static struct value get_or(const struct state *s, const struct inst *op,
                           int reg)
{
    return op->immediate ? (struct value){.number = op->imm} : get(s, reg);
}

/* ---- memory ---- */

/* An address is a part of a location, behind it, or no address. */
static const char *why_nowhere(const struct litmus *t, int64_t address)
{
    uint64_t number = (((uint64_t)address - ADDRESS_BASE) >> ADDRESS_SHIFT) - 1;
    const struct location *l;

    if (number >= t->locations.count)
        return "an access to no location";
    l = &t->locations.list[number];
    return (uint32_t)address < l->element * l->initial.count
               ? "accesses of different sizes"
               : "an access beyond the end of a location";
}

static bool overlaps(const struct unfold *u, int64_t address, uint8_t size)
{
    for (size_t i = 0; i < u->cells.count; i++) {
        const struct cell *c = &u->cells.list[i];

        if (address < c->address + c->size && c->address < address + size)
            return true;
    }
    return false;
}

static bool is_shown(const struct litmus *t, int64_t address)
{
    for (size_t i = 0; i < t->shown.count; i++)
        if (t->shown.list[i].memory && t->shown.list[i].place == address)
            return true;
    return false;
}

/* An access of several elements of an array is one of a larger number, unless
 * somebody can tell: by what they hold at first, or in the end. */
static bool parts_matter(const struct unfold *u, const struct location *l,
                         int64_t address, uint8_t size)
{
    uint32_t first = (uint32_t)address / l->element;

    for (uint32_t k = 1; k * l->element < size; k++)
        if (first + k < l->initial.count &&
            (l->initial.list[first + k] != 0 ||
             is_shown(u->test, address + k * l->element)))
            return true;
    return l->initial.count > 1 && size > l->element &&
           (l->initial.list[first] != 0 || is_shown(u->test, address));
}

int unfold_cell(struct unfold *u, int64_t address, uint8_t size)
{
    const struct location *l;
    uint32_t element;
    int location;
    struct cell *c;

    for (size_t i = 0; i < u->cells.count; i++) {
        if (u->cells.list[i].address != address)
            continue;
        if (u->cells.list[i].size != size)
            return cannot(u, "accesses of different sizes"), -1;
        return (int)i;
    }
    location = litmus_location_at(u->test, address, &element);
    if (location < 0)
        return cannot(u, why_nowhere(u->test, address)), -1;
    l = &u->test->locations.list[location];
    if (overlaps(u, address, size) || parts_matter(u, l, address, size))
        return cannot(u, "accesses of different sizes"), -1;
    if (u->cells.count == CELLS_MAX)
        return cannot(u, "more locations than can be judged"), -1;
    c = VEC_ADD_IN(u->arena, &u->cells);
    c->address = address;
    c->size = size;
    c->initial = alu_cut(l->initial.list[element], size);
    VEC_PUSH_IN(u->arena, &c->domain, c->initial);
    c->known = 1;
    return (int)u->cells.count - 1;
}

static bool grow_domain(struct walk *w, int cell, int64_t value)
{
    struct cell *c = &w->u->cells.list[cell];

    for (size_t i = 0; i < c->domain.count; i++)
        if (c->domain.list[i] == value)
            return true;
    if (w->out) /* the last pass: what is new would need thin air */
        return true;
    if (c->domain.count == DOMAIN_MAX)
        return cannot(w->u, "a location with too many values");
    VEC_PUSH_IN(w->u->arena, &c->domain, value);
    w->grown = true;
    return true;
}

static struct litmus_event *add_event(struct walk *w, struct state *s)
{
    struct litmus_event *e;

    if (s->count == THREAD_EVENTS_MAX) {
        cannot(w->u, "a thread with too many accesses");
        return NULL;
    }
    e = &s->events[s->count++];
    *e = (struct litmus_event){
        .cell = -1, .rmw = -1, .ctrl = s->ctrl, .pick_ctrl = s->pick_ctrl};
    return e;
}

/* An access of this instruction, with its address; NULL: it cannot be. */
static struct litmus_event *add_access(struct walk *w, struct state *s,
                                       const struct inst *op, uint32_t marks)
{
    struct value base = get(s, op->base), index = get(s, op->index);
    int64_t address = (int64_t)((uint64_t)base.number + (uint64_t)index.number +
                                (uint64_t)op->offset);
    int cell = unfold_cell(w->u, address, op->size);
    struct litmus_event *e = cell < 0 ? NULL : add_event(w, s);

    if (!e)
        return NULL;
    e->marks = marks;
    e->cell = (int16_t)cell;
    e->size = op->size;
    e->addr = base.deps | index.deps;
    e->pick_addr = base.picks | index.picks;
    return e;
}

static uint64_t bit(size_t i)
{
    return (uint64_t)1 << i;
}

/* What selected the value that the thread itself stored there last. */
static uint64_t picks_of_store(const struct state *s, size_t load)
{
    for (size_t i = load; i-- > 0;) {
        const struct litmus_event *e = &s->events[i];

        if (e->marks & MARK_W && e->cell == s->events[load].cell)
            return e->pick_addr | e->pick_data;
    }
    return 0;
}

static struct value value_of_load(const struct state *s, size_t load)
{
    const struct litmus_event *e = &s->events[load];

    return (struct value){e->value, bit(load),
                          e->pick_addr | picks_of_store(s, load)};
}

static void store_value(struct litmus_event *e, struct value v)
{
    e->value = alu_cut(v.number, e->size);
    e->data = v.deps;
    e->pick_data = v.picks;
}

/* ---- instructions ---- */

static void walk_on(struct walk *w, struct state *s);

/* Follows every value that the load at the end may return.  `then' does the
 * rest of the instruction, with a state of its own. */
static void
for_each_value(struct walk *w, const struct state *s, const struct inst *op,
               void (*then)(struct walk *, struct state *, const struct inst *))
{
    size_t load = s->count - 1;
    int cell = s->events[load].cell;

    for (size_t i = 0; i < w->u->cells.list[cell].known; i++) {
        struct state copy = *s;

        if (w->u->why)
            return;
        copy.events[load].value = w->u->cells.list[cell].domain.list[i];
        then(w, &copy, op);
    }
}

static void branch_on(struct state *s, struct value v)
{
    s->ctrl |= v.deps;
    s->pick_ctrl |= v.picks;
}

static void after_load(struct walk *w, struct state *s, const struct inst *op)
{
    struct value v = value_of_load(s, s->count - 1);

    set(s, op->d, v);
    if (op->kind == INST_LX)
        s->exclusive = (int)s->count - 1;
    if (op->branch)
        branch_on(s, v);
    walk_on(w, s);
}

static void do_load(struct walk *w, struct state *s, const struct inst *op)
{
    uint32_t marks = MARK_R | op->read | (op->kind == INST_LX ? MARK_X : 0u);

    if (add_access(w, s, op, marks))
        for_each_value(w, s, op, after_load);
}

static void do_store(struct walk *w, struct state *s, const struct inst *op)
{
    struct litmus_event *e = add_access(w, s, op, MARK_W | op->write);

    if (!e)
        return;
    store_value(e, get_or(s, op, op->a));
    if (grow_domain(w, e->cell, e->value))
        walk_on(w, s);
}

/* A store exclusive may fail; it succeeds only where the last load exclusive
 * was of that address. */
static void do_exclusive(struct walk *w, struct state *s, const struct inst *op)
{
    struct state failed = *s;
    int load = s->exclusive;
    struct litmus_event *e = add_access(w, s, op, MARK_W | MARK_X | op->write);

    if (!e)
        return;
    failed.exclusive = -1;
    set(&failed, op->d, (struct value){.number = 1});
    walk_on(w, &failed);
    if (load < 0 || s->events[load].cell != e->cell)
        return;
    store_value(e, get(s, op->a));
    e->rmw = (int8_t)load;
    e->pair = true;
    set(s, op->d,
        (struct value){.deps = w->u->status_depends ? bit(s->count - 1) : 0});
    s->exclusive = -1;
    if (grow_domain(w, e->cell, e->value))
        walk_on(w, s);
}

/* The store of an RMW, right after its load. */
static struct litmus_event *add_half(struct walk *w, struct state *s,
                                     const struct inst *op)
{
    size_t load = s->count - 1;
    uint32_t kind = MARK_RMW | (op->pair ? MARK_X : MARK_AMO);
    bool both = s->events[load].marks & MARK_A && op->write & MARK_L;
    struct litmus_event *e =
        add_access(w, s, op,
                   MARK_W | op->write | kind |
                       (both && !op->pair ? (uint32_t)MARK_AL : 0u));

    if (!e)
        return NULL;
    e->rmw = (int8_t)load;
    e->pair = op->pair;
    return e;
}

static void end_rmw(struct walk *w, struct state *s, const struct inst *op,
                    size_t load)
{
    if (op->branch)
        s->ctrl |= bit(load);
    if (op->branch && op->status_branch && s->count - 1 > load)
        s->ctrl |= bit(s->count - 1);
    walk_on(w, s);
}

static void after_rmw_load(struct walk *w, struct state *s,
                           const struct inst *op)
{
    size_t load = s->count - 1;
    struct value old = value_of_load(s, load), by = get_or(s, op, op->a);
    struct litmus_event *e = add_half(w, s, op);

    if (!e)
        return;
    by.number = alu_compute(op->alu, old.number, by.number);
    if (op->alu != ALU_SWAP)
        by.deps |= bit(load);
    store_value(e, by);
    set(s, op->d, old);
    if (grow_domain(w, e->cell, e->value))
        end_rmw(w, s, op, load);
}

static uint32_t marks_of_half(const struct inst *op)
{
    uint32_t marks =
        MARK_R | MARK_RMW | op->read | (op->pair ? MARK_X : MARK_AMO);

    if (op->no_result)
        marks = (marks & ~(uint32_t)MARK_A) | MARK_NORET;
    return marks;
}

static void do_rmw(struct walk *w, struct state *s, const struct inst *op)
{
    if (add_access(w, s, op, marks_of_half(op)))
        for_each_value(w, s, op, after_rmw_load);
}

static void fail_cas(struct walk *w, struct state *s, const struct inst *op)
{
    size_t load = s->count - 1;
    struct value old = value_of_load(s, load), expected = get(s, op->d);

    set(s, op->d, old);
    if (op->boolean)
        set(s, op->d2, (struct value){0, bit(load) | expected.deps, 0});
    if (op->failed)
        s->events[load].marks &= ~(uint32_t)(MARK_A | MARK_SC | MARK_L);
    if (op->failed == LITMUS_ACQ || op->failed == LITMUS_SC)
        s->events[load].marks |= MARK_A;
    if (op->failed == LITMUS_SC)
        s->events[load].marks |= MARK_SC;
    end_rmw(w, s, op, load);
}

/* The register of the result holds what was read, or still what it was compared
 * with: then the load only selected it.  Both are executions. */
static void succeed_cas(struct walk *w, struct state *s, const struct inst *op,
                        bool read_back)
{
    size_t load = s->count - 1;
    struct value old = value_of_load(s, load), expected = get(s, op->d);
    struct value stored = get_or(s, op, op->a);
    struct litmus_event *e = add_half(w, s, op);

    if (!e)
        return;
    if (w->u->picks)
        stored.picks |= expected.deps | expected.picks | bit(load);
    store_value(e, stored);
    if (!read_back) {
        old = expected;
        old.picks |= bit(load);
    }
    set(s, op->d, old);
    if (op->boolean)
        set(s, op->d2,
            (struct value){1, expected.deps | bit(load), expected.picks});
    if (grow_domain(w, e->cell, e->value))
        end_rmw(w, s, op, load);
}

static void after_cas_load(struct walk *w, struct state *s,
                           const struct inst *op)
{
    struct state copy = *s;

    if (s->events[s->count - 1].value !=
        alu_cut(get(s, op->d).number, op->size)) {
        fail_cas(w, s, op);
        return;
    }
    succeed_cas(w, s, op, true);
    if (op->weak) {
        struct state failed = copy;

        fail_cas(w, &failed, op);
    }
    if (w->u->picks && !op->pair)
        succeed_cas(w, &copy, op, false);
}

static void do_cas(struct walk *w, struct state *s, const struct inst *op)
{
    if (add_access(w, s, op, marks_of_half(op)))
        for_each_value(w, s, op, after_cas_load);
}

static void do_fence(struct walk *w, struct state *s, const struct inst *op)
{
    struct litmus_event *e = add_event(w, s);

    if (!e)
        return;
    e->marks = MARK_F | op->read;
    walk_on(w, s);
}

static void do_alu(struct state *s, const struct inst *op)
{
    struct value a = get(s, op->a), b = get_or(s, op, op->b);

    set(s, op->d,
        (struct value){
            alu_cut(alu_compute(op->alu, a.number, b.number), op->size),
            a.deps | b.deps, a.picks | b.picks});
}

static void do_select(struct state *s, const struct inst *op)
{
    struct value flags = get(s, op->c);
    struct value chosen =
        get(s, alu_compute(op->alu, flags.number, 0) ? op->a : op->b);

    chosen.picks |= flags.deps | flags.picks;
    set(s, op->d, chosen);
}

static bool jump(struct walk *w, struct state *s, const struct inst *op)
{
    if (op->target < s->pc && ++s->rounds > ROUNDS_MAX) {
        w->u->cut = true;
        return false;
    }
    s->pc = op->target;
    return true;
}

static bool do_branch(struct walk *w, struct state *s, const struct inst *op)
{
    struct value a = get(s, op->a), b = get_or(s, op, op->b);

    branch_on(s, a);
    branch_on(s, b);
    return !alu_compute(op->alu, a.number, b.number) || jump(w, s, op);
}

/* ---- the walk ---- */

static void keep_trace(struct walk *w, const struct state *s)
{
    struct arena *a = w->u->arena;
    struct trace t = {.count = s->count};
    uint32_t stores = 0;

    for (size_t i = 0; i < s->count; i++)
        stores += (s->events[i].marks & MARK_W) != 0;
    if (stores > w->stores)
        w->stores = stores;
    if (++w->traces > TRACES_MAX)
        cannot(w->u, "a thread with too many behaviours");
    if (!w->out)
        return;
    t.events = arena_array(a, s->count + 1, sizeof(*t.events));
    memcpy(t.events, s->events, s->count * sizeof(*t.events));
    t.registers = arena_array(a, w->thread->register_count, sizeof(int64_t));
    for (size_t i = 0; i < w->thread->register_count; i++)
        t.registers[i] = s->registers[i].number;
    VEC_PUSH_IN(a, w->out, t);
}

/* What is no access is done at once; an access goes on by itself. */
static void walk_on(struct walk *w, struct state *s)
{
    while (s->pc < w->thread->count && !w->u->why) {
        const struct inst *op = &w->thread->list[s->pc++];

        if (++s->steps > STEPS_MAX) {
            w->u->cut = true;
            return;
        }
        switch ((enum inst_kind)op->kind) {
        case INST_SET:
            set(s, op->d, (struct value){.number = op->imm});
            break;
        case INST_ALU:
            do_alu(s, op);
            break;
        case INST_SELECT:
            do_select(s, op);
            break;
        case INST_TAINT:
            branch_on(s, get(s, op->a));
            break;
        case INST_JUMP:
            if (!jump(w, s, op))
                return;
            break;
        case INST_BRANCH:
            if (!do_branch(w, s, op))
                return;
            break;
        case INST_STOP:
            s->pc = (uint32_t)w->thread->count;
            break;
        case INST_LOAD:
        case INST_LX:
            do_load(w, s, op);
            return;
        case INST_STORE:
            do_store(w, s, op);
            return;
        case INST_SX:
            do_exclusive(w, s, op);
            return;
        case INST_RMW:
            do_rmw(w, s, op);
            return;
        case INST_CAS:
            do_cas(w, s, op);
            return;
        case INST_FENCE:
            do_fence(w, s, op);
            return;
        }
    }
    if (!w->u->why)
        keep_trace(w, s);
}

static void walk_thread(struct walk *w, size_t thread)
{
    struct state s = {.exclusive = -1};

    w->thread = &w->u->threads[thread];
    w->stores = 0;
    w->traces = 0;
    for (size_t i = 0; i < w->thread->register_count; i++)
        s.registers[i].number = w->thread->initial[i];
    walk_on(w, &s);
}

static void know_domains(struct unfold *u)
{
    for (size_t i = 0; i < u->cells.count; i++)
        u->cells.list[i].known = u->cells.list[i].domain.count;
}

/* Each pass adds what one more store can compute from.  A chain of values goes
 * through a store once, so there are no more passes than stores. */
static void grow_domains(struct unfold *u)
{
    uint32_t passes = 0, stores;

    do {
        struct walk w = {.u = u};

        u->cut = false;
        stores = 0;
        know_domains(u);
        for (size_t i = 0; i < u->test->thread_count && !u->why; i++) {
            walk_thread(&w, i);
            stores += w.stores;
        }
        if (!w.grown)
            break;
    } while (passes++ <= stores && !u->why);
}

bool unfold_threads(struct unfold *u)
{
    grow_domains(u);
    know_domains(u);
    u->cut = false;
    for (size_t i = 0; i < u->test->thread_count && !u->why; i++) {
        struct walk w = {.u = u, .out = &u->traces[i]};

        walk_thread(&w, i);
    }
    return !u->why;
}
