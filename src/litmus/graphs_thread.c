/* SPDX-License-Identifier: MIT
 *
 * A thread of a litmus test as the engine of graphs asks for it: from one
 * operation to the next.  A pair of exclusives with nothing but arithmetic
 * between is one operation, of which it is chosen first whether it succeeds.
 */
#include <string.h>

#include "litmus/alu.h"
#include "litmus/graphs_inside.h"
#include "litmus/reader.h"
#include "model/relation.h"

#define STEPS_MAX 400
#define ROUNDS_MAX 4 /* of a loop */
#define PLACES_MAX 62
#define STATUS ((uint64_t)1 << 63) /* the result of a store exclusive */
#define NEVER ((uint64_t)1 << 62)  /* no value */

/* One call of interpreter_run. */
struct run {
    struct interpreter *in;
    struct behaviour *b;
    const struct thread *thread;
    unsigned number;
    struct place *at;
    struct op *op;
};

static void refuse(const struct run *r, const char *why)
{
    if (!r->in->unfold->why)
        r->in->unfold->why = why;
    r->op->kind = OP_BLOCK;
}

/* ---- Values ---- */

uint64_t interpreter_number(int64_t value, uint8_t size)
{
    int64_t cut = alu_cut(value, size);

    return size == 4 && cut < 0 ? (uint32_t)cut : (uint64_t)cut;
}

static struct known_value get(const struct place *p, int reg)
{
    return reg > REGISTER_ZERO ? p->registers[reg] : (struct known_value){0};
}

static struct known_value get_or(const struct place *p, const struct inst *i,
                                 int reg)
{
    return i->immediate ? (struct known_value){.number = i->imm} : get(p, reg);
}

static void set(struct place *p, int reg, struct known_value v)
{
    if (reg > REGISTER_ZERO)
        p->registers[reg] = v;
}

static struct known_value address_of(const struct place *p,
                                     const struct inst *i)
{
    struct known_value base = get(p, i->base), index = get(p, i->index);

    return (struct known_value){
        (int64_t)((uint64_t)base.number + (uint64_t)index.number +
                  (uint64_t)i->offset),
        base.deps | index.deps, base.picks | index.picks};
}

static void branch_on(struct place *p, struct known_value v)
{
    p->ctrl |= v.deps;
    p->pick_ctrl |= v.picks;
}

/* ---- What is no operation ---- */

static void do_alu(struct place *p, const struct inst *i)
{
    struct known_value a = get(p, i->a), b = get_or(p, i, i->b);

    set(p, i->d,
        (struct known_value){
            alu_cut(alu_compute(i->alu, a.number, b.number), i->size),
            a.deps | b.deps, a.picks | b.picks});
}

static void do_select(struct place *p, const struct inst *i)
{
    struct known_value flags = get(p, i->c);
    struct known_value chosen =
        get(p, alu_compute(i->alu, flags.number, 0) ? i->a : i->b);

    chosen.picks |= flags.deps | flags.picks;
    set(p, i->d, chosen);
}

static bool jump(struct place *p, uint32_t target)
{
    if (target <= p->pc && ++p->rounds > ROUNDS_MAX)
        return false;
    p->pc = target;
    return true;
}

static bool do_branch(struct place *p, const struct inst *i)
{
    struct known_value a = get(p, i->a), b = get_or(p, i, i->b);

    branch_on(p, a);
    branch_on(p, b);
    if (alu_compute(i->alu, a.number, b.number))
        return jump(p, i->target);
    p->pc++;
    return true;
}

enum went { WENT_ON, WENT_ROUND, IS_OPERATION };

static enum went step(struct place *p, const struct thread *t)
{
    const struct inst *i = &t->list[p->pc];

    switch ((enum inst_kind)i->kind) {
    case INST_SET:
        set(p, i->d, (struct known_value){.number = i->imm});
        break;
    case INST_ALU:
        do_alu(p, i);
        break;
    case INST_SELECT:
        do_select(p, i);
        break;
    case INST_TAINT:
        branch_on(p, get(p, i->a));
        break;
    case INST_JUMP:
        return jump(p, i->target) ? WENT_ON : WENT_ROUND;
    case INST_BRANCH:
        return do_branch(p, i) ? WENT_ON : WENT_ROUND;
    case INST_STOP:
        p->pc = (uint32_t)t->count;
        return WENT_ON;
    default:
        return IS_OPERATION;
    }
    p->pc++;
    return WENT_ON;
}

/* ---- Pairs of exclusives ---- */

static size_t room_of(const struct run *r)
{
    return sizeof(struct place) +
           r->thread->register_count * sizeof(struct known_value);
}

static struct place *copy_of(const struct run *r, const struct place *from)
{
    struct place *p = arena_alloc(r->in->unfold->arena, room_of(r));

    memcpy(p, from, room_of(r));
    return p;
}

/* The thread at the store that ends the pair begun here, if the load returned
 * that; NULL: there is none, or something is between. */
static const struct place *at_store(const struct run *r, uint64_t value)
{
    struct place *p = copy_of(r, r->at);
    const struct inst *load = &r->thread->list[p->pc];

    set(p, load->d,
        (struct known_value){(int64_t)value, (uint64_t)1 << p->operations, 0});
    for (p->pc++; p->pc < r->thread->count; p->pc++) {
        const struct inst *i = &r->thread->list[p->pc];

        if (i->kind == INST_SX)
            return p;
        if (i->kind == INST_ALU)
            do_alu(p, i);
        else if (i->kind == INST_SELECT)
            do_select(p, i);
        else if (i->kind == INST_SET)
            set(p, i->d, (struct known_value){.number = i->imm});
        else
            return NULL;
    }
    return NULL;
}

static bool has_store_later(const struct run *r)
{
    for (size_t i = r->at->pc + 1; i < r->thread->count; i++) {
        if (r->thread->list[i].kind == INST_LX)
            return false;
        if (r->thread->list[i].kind == INST_SX)
            return true;
    }
    return false;
}

/* May the pair that begins here succeed? */
static bool is_pair(const struct run *r)
{
    const struct place *p = at_store(r, 0);
    const struct inst *load = &r->thread->list[r->at->pc];
    struct known_value from = address_of(r->at, load), to;

    if (!p) {
        if (has_store_later(r))
            refuse(r, "something between a load and a store exclusive");
        return false;
    }
    to = address_of(p, &r->thread->list[p->pc]);
    if (from.number != to.number)
        return false;
    if (from.deps != to.deps || from.picks != to.picks)
        refuse(r, "exclusives whose addresses depend on different loads");
    if (load->size != r->thread->list[p->pc].size)
        refuse(r, "accesses of different sizes");
    return true;
}

/* ---- Operations ---- */

static enum event_order order_of(uint8_t order)
{
    static const uint8_t orders[] = {
        [LITMUS_NA] = ORDER_PLAIN,        [LITMUS_RLX] = ORDER_RELAXED,
        [LITMUS_ACQ] = ORDER_ACQUIRE,     [LITMUS_REL] = ORDER_RELEASE,
        [LITMUS_ACQ_REL] = ORDER_ACQ_REL, [LITMUS_SC] = ORDER_SEQ_CST};

    return orders[order];
}

static void put_depends(const struct run *r, struct known_value address,
                        struct known_value data)
{
    struct depends d = {0};
    uint64_t all = 0;

    d.sets[DEPENDS_ADDR].word[0] = address.deps;
    d.sets[DEPENDS_DATA].word[0] = data.deps;
    d.sets[DEPENDS_CTRL].word[0] = r->at->ctrl;
    d.sets[DEPENDS_PICK_ADDR].word[0] = address.picks;
    d.sets[DEPENDS_PICK_DATA].word[0] = data.picks;
    d.sets[DEPENDS_PICK_CTRL].word[0] = r->at->pick_ctrl;
    for (int i = 0; i < DEPENDS_KINDS; i++)
        all |= d.sets[i].word[0];
    if (all & STATUS)
        refuse(r, "a dependency on the result of a store exclusive");
    r->op->depends = (uint16_t)depends_intern(&r->b->depends, &d);
}

/* The orders of an access: its own in C, else those of its row. */
static void put_order(const struct run *r, const struct inst *i, uint32_t read,
                      uint32_t write)
{
    r->op->failure_order = ORDER_RELAXED;
    if (!r->in->rows) {
        r->op->order = (uint8_t)order_of(i->order);
        if (r->op->kind == OP_CAS)
            r->op->failure_order = (uint8_t)order_of(i->failed);
        return;
    }
    r->op->order = ORDER_RELAXED;
    if (r->in->rows->mapping.name &&
        !rows_find(r->in->rows, r->op->kind, read, write, &r->op->order))
        refuse(r, "more kinds of one access than can be told apart");
}

/* Its location, its size and what it depends on. */
static void put_access(const struct run *r, const struct inst *i,
                       struct known_value data)
{
    struct known_value address = address_of(r->at, i);
    int cell = unfold_cell(r->in->unfold, address.number, i->size);

    r->op->location = (uint16_t)(cell < 0 ? 0 : cell);
    r->op->size = i->size;
    r->op->operand = interpreter_number(data.number, i->size);
    put_depends(r, address, data);
    if (cell < 0)
        r->op->kind = OP_BLOCK;
}

static const uint8_t rmw_kinds[] = {
    [ALU_SWAP] = RMW_XCHG + 1, [ALU_ADD] = RMW_ADD + 1,
    [ALU_SUB] = RMW_SUB + 1,   [ALU_AND] = RMW_AND + 1,
    [ALU_OR] = RMW_OR + 1,     [ALU_XOR] = RMW_XOR + 1,
    [ALU_MAX] = RMW_MAX + 1,   [ALU_MIN] = RMW_MIN + 1,
    [ALU_UMAX] = RMW_UMAX + 1, [ALU_UMIN] = RMW_UMIN + 1};

/* What the load of an RMW is marked with, besides what every one is. */
static uint32_t marks_of_read(const struct inst *i)
{
    return i->no_result ? (i->read & ~(uint32_t)MARK_A) | MARK_NORET : i->read;
}

static void announce_rmw(const struct run *r, const struct inst *i)
{
    struct known_value by = get_or(r->at, i, i->a);

    if (i->alu == ALU_CLEAR) {
        by.number = ~by.number;
        r->op->rmw = RMW_AND;
    } else if (i->alu < sizeof(rmw_kinds) && rmw_kinds[i->alu]) {
        r->op->rmw = (uint8_t)(rmw_kinds[i->alu] - 1);
    } else {
        refuse(r, "an RMW of this kind");
        return;
    }
    r->op->kind = OP_RMW;
    put_order(r, i, marks_of_read(i), i->write);
    put_access(r, i, by);
}

static void announce_choice(const struct run *r)
{
    r->op->kind = OP_CHOOSE;
    r->op->operand = 2;
}

static void announce_cas(const struct run *r, const struct inst *i)
{
    struct known_value expected = get(r->at, i->d);
    struct known_value stored = get_or(r->at, i, i->a);

    if (i->weak && r->at->stage == STAGE_WHOLE) {
        announce_choice(r);
        return;
    }
    stored.picks |= expected.deps | expected.picks;
    r->op->kind = OP_CAS;
    r->op->expected = r->at->stage == STAGE_FAILS
                          ? NEVER
                          : interpreter_number(expected.number, i->size);
    put_order(r, i, marks_of_read(i), i->write);
    put_access(r, i, stored);
}

/* Both in one: as an exchange, or as what only the thread itself knows if the
 * value stored depends on the one read. */
static void announce_pair(const struct run *r, const struct inst *i)
{
    const struct place *p = at_store(r, 0);
    const struct inst *store = &r->thread->list[p->pc];
    struct known_value data = get(p, store->a);
    uint64_t me = (uint64_t)1 << r->at->operations;

    r->op->kind = (data.deps | data.picks) & me ? OP_SYNC : OP_RMW;
    r->op->rmw = RMW_XCHG;
    data.deps &= ~me;
    data.picks &= ~me;
    put_order(r, i, i->read, store->write);
    put_access(r, i, data);
    if (r->in->rows)
        r->in->rows->mapping.rmw_pairs = true;
}

static void announce_exclusive(const struct run *r, const struct inst *i)
{
    if (r->at->stage == STAGE_SUCCEEDS) {
        announce_pair(r, i);
        return;
    }
    r->at->succeeds = false;
    if (r->at->stage == STAGE_WHOLE && is_pair(r)) {
        if (r->op->kind != OP_BLOCK)
            announce_choice(r);
        return;
    }
    r->op->kind = OP_LOAD;
    put_order(r, i, i->read | MARK_X, 0);
    put_access(r, i, (struct known_value){0});
}

/* Of C: what the model makes of it, as the runtime says it to the engine
 * (runtime/native_access.c). */
static void put_fence_of_c(const struct run *r, const struct inst *i)
{
    static const uint8_t own[] = {FENCE_SS, FENCE_LL, FENCE_SL, FENCE_LS,
                                  FENCE_FULL};
    const struct model *m = r->in->model;
    unsigned which = i->fence ? i->fence - MAPPED_FENCE_SS : 0;
    enum event_order order =
        i->order == LITMUS_NA ? ORDER_RELAXED : order_of(i->order);

    if (i->fence) {
        r->op->order = m->by_language
                           ? (uint8_t)model_language_fence(own[which])
                           : ORDER_SEQ_CST;
        r->op->fence = m->by_language ? 0 : own[which];
        return;
    }
    r->op->order = (uint8_t)order;
    if (!m->by_language && !m->by_axioms && order > ORDER_RELAXED)
        r->op->fence = m->recipe[model_construct_of(EV_FENCE, order)].before;
}

/* False: it orders nothing, and is no operation. */
static bool announce_fence(const struct run *r, const struct inst *i)
{
    r->op->kind = OP_FENCE;
    put_depends(r, (struct known_value){0}, (struct known_value){0});
    if (!r->in->rows)
        put_fence_of_c(r, i);
    else if (!rows_find_fence(r->in->rows, i->read, &r->op->order,
                              &r->op->fence))
        refuse(r, "more kinds of fences than can be told apart");
    if (r->op->kind == OP_BLOCK || r->op->fence)
        return true;
    return model_has_machine(r->in->model) ? false
                                           : r->op->order > ORDER_RELAXED;
}

/* False: there is nothing to announce. */
static bool announce(const struct run *r)
{
    bool is_one = true;

    const struct inst *i = &r->thread->list[r->at->pc];

    r->op->site = r->number << 16 | (r->at->pc + 1) << 2 | r->at->stage;
    switch ((enum inst_kind)i->kind) {
    case INST_LOAD:
        r->op->kind = OP_LOAD;
        put_order(r, i, i->read, 0);
        put_access(r, i, (struct known_value){0});
        break;
    case INST_STORE:
        r->op->kind = OP_STORE;
        put_order(r, i, 0, i->write);
        put_access(r, i, get_or(r->at, i, i->a));
        break;
    case INST_LX:
        announce_exclusive(r, i);
        break;
    case INST_RMW:
        announce_rmw(r, i);
        break;
    case INST_CAS:
        announce_cas(r, i);
        break;
    default:
        is_one = announce_fence(r, i);
        break;
    }
    if (r->at->operations > PLACES_MAX)
        refuse(r, "a thread with too many accesses");
    return is_one;
}

/* ---- Answers ---- */

/* What the operation at the parent returned, as the thread has it. */
struct answer {
    const struct inst *inst;
    const struct op *op;
    struct known_value value;
    uint64_t me;
};

static struct answer answer_of(const struct run *r, const struct op *op,
                               uint64_t value)
{
    const struct inst *i = &r->thread->list[r->at->pc];
    struct answer a = {.inst = i, .op = op};

    a.me = (uint64_t)1 << r->at->operations;
    a.value.number = alu_cut((int64_t)value, i->size);
    a.value.deps = a.me;
    if (op->kind <= OP_SYNC && op->kind != OP_STORE)
        a.value.picks =
            address_of(r->at, i).picks | r->at->stored[op->location];
    return a;
}

static void note_store(const struct run *r, const struct op *op, uint64_t me)
{
    const struct depends *d = depends_get(&r->b->depends, op->depends);
    uint64_t *stored =
        arena_array(r->in->unfold->arena, CELLS_MAX, sizeof(*stored));

    memcpy(stored, r->at->stored, CELLS_MAX * sizeof(*stored));
    stored[op->location] = d->sets[DEPENDS_PICK_ADDR].word[0] |
                           d->sets[DEPENDS_PICK_DATA].word[0] | me;
    r->at->stored = stored;
}

static void answer_cas(const struct run *r, const struct answer *a,
                       uint64_t value)
{
    struct known_value expected = get(r->at, a->inst->d);
    bool succeeds = value == a->op->expected;

    set(r->at, a->inst->d, a->value);
    if (a->inst->boolean)
        set(r->at, a->inst->d2,
            (struct known_value){succeeds, a->me | expected.deps,
                                 expected.picks});
    if (succeeds)
        note_store(r, a->op, r->in->unfold->picks ? a->me : 0);
}

/* Up to the store of the pair, and that one too. */
static void answer_pair(const struct run *r, const struct answer *a,
                        behaviour_node node, uint64_t value)
{
    const struct place *p = at_store(r, (uint64_t)a->value.number);
    const struct inst *store = &r->thread->list[p->pc];
    int64_t stored = get(p, store->a).number;

    if (a->op->kind == OP_SYNC)
        r->b->entries[node.ix].effect =
            (struct effect){.writes = 1,
                            .written = interpreter_number(stored, store->size),
                            .order = a->op->order,
                            .construct = C_RMW_RELAXED};
    note_store(r, a->op, 0);
    set(r->at, a->inst->d, a->value);
    r->at->succeeds = true;
    (void)value;
}

static void take_answer(const struct run *r, const struct op *op,
                        behaviour_node node, uint64_t value)
{
    struct answer a = answer_of(r, op, value);

    r->at->operations++;
    if (op->kind == OP_CHOOSE) {
        r->at->stage = value ? STAGE_SUCCEEDS : STAGE_FAILS;
        return;
    }
    r->at->operations--; /* at_store looks at it */
    if (op->kind == OP_STORE)
        note_store(r, op, 0);
    else if (op->kind == OP_CAS)
        answer_cas(r, &a, value);
    else if (a.inst->kind == INST_LX && r->at->stage == STAGE_SUCCEEDS)
        answer_pair(r, &a, node, value);
    else if (op->kind == OP_RMW)
        note_store(r, op, 0);
    if (a.inst->kind == INST_RMW || a.inst->kind == INST_LX ||
        a.inst->kind == INST_LOAD)
        set(r->at, a.inst->d, a.value);
    r->at->operations++;
    r->at->stage = STAGE_WHOLE;
    r->at->pc++;
}

/* ---- The run ---- */

/* A store exclusive is no operation: the load before it did it, or it fails. */
static void end_pair(const struct run *r)
{
    const struct inst *i = &r->thread->list[r->at->pc++];
    bool depends = r->in->unfold->status_depends && r->at->succeeds;

    set(r->at, i->d,
        (struct known_value){.number = !r->at->succeeds,
                             .deps = depends ? STATUS : 0});
    r->at->succeeds = false;
}

static void run_on(const struct run *r)
{
    while (r->at->pc < r->thread->count) {
        enum went went;

        if (r->thread->list[r->at->pc].kind == INST_SX) {
            end_pair(r);
            continue;
        }
        went = step(r->at, r->thread);
        if (went == IS_OPERATION && announce(r))
            return;
        if (went == IS_OPERATION)
            r->at->pc++;
        if (went == WENT_ROUND || ++r->at->steps > STEPS_MAX) {
            r->op->kind = OP_BLOCK;
            return;
        }
    }
    r->op->kind = OP_END;
}

static struct place *begin(const struct run *r)
{
    struct arena *a = r->in->unfold->arena;
    struct place *p = arena_alloc(a, room_of(r));

    memset(p, 0, room_of(r));
    p->stored = arena_array(a, CELLS_MAX, sizeof(*p->stored));
    for (size_t i = 0; i < r->thread->register_count; i++)
        p->registers[i].number = r->thread->initial[i];
    return p;
}

void interpreter_run(void *context, struct behaviour *b, behaviour_node node,
                     uint64_t value, struct op *op)
{
    struct interpreter *in = context;
    behaviour_node parent = behaviour_parent(b, node);
    struct run r = {
        .in = in, .b = b, .number = behaviour_thread(b, node), .op = op};

    memset(op, 0, sizeof(*op));
    r.thread = &in->unfold->threads[r.number];
    r.at = parent.ix ? copy_of(&r, in->places[parent.ix]) : begin(&r);
    in->places[node.ix] = r.at;
    if (in->unfold->why) {
        op->kind = OP_BLOCK;
        return;
    }
    if (parent.ix)
        take_answer(&r, behaviour_op(b, parent), node, value);
    run_on(&r);
}
