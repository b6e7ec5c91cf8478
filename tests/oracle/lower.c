/* SPDX-License-Identifier: MIT
 *
 * The table "C on these models" of docs/models.md, row by row.  Written
 * from that text, not from src/shared/model: the point is that two people read
 * it.
 */
#include "lower.h"

#include <string.h>

/* Fences around an access on each model.  What an RMW waits for by
 * itself (on TSO everything, else its own address) is the machine's. */
struct around {
    uint8_t before, after;
};

enum row {
    R_LOAD,
    R_LOAD_ACQUIRE,
    R_STORE,
    R_STORE_RELEASE,
    R_STORE_SEQ_CST,
    R_RMW_RELAXED,
    R_RMW_ACQUIRE,
    R_RMW_RELEASE,
    R_RMW_ACQ_REL,
    R_RMW_SEQ_CST,
    R_FAIL_RELAXED,
    R_FAIL_ACQUIRE,
    R_LOCK,
    R_UNLOCK,
    R_POST,
    R_WAIT,
    R_PAPER_LOCK,
    R_PAPER_UNLOCK,
    R_COUNT
};

/* clang-format off */
static const struct around table[R_COUNT][AXIOMS_COUNT] = {
    /*                   SC      TSO           PSO           PSLO          Relaxed */
    [R_LOAD]          = {{0, 0}, {0, 0},       {0, 0},       {0, 0},       {0, 0}},
    [R_LOAD_ACQUIRE]  = {{0, 0}, {0, 0},       {0, 0},       {0, LL},      {0, LL | LS}},
    [R_STORE]         = {{0, 0}, {0, 0},       {0, 0},       {0, 0},       {0, 0}},
    [R_STORE_RELEASE] = {{0, 0}, {0, 0},       {SS, 0},      {SS, 0},      {LS | SS, 0}},
    [R_STORE_SEQ_CST] = {{0, 0}, {0, FULL},    {FULL, FULL}, {FULL, FULL}, {FULL, FULL}},
    [R_RMW_RELAXED]   = {{0, 0}, {0, 0},       {0, 0},       {0, 0},       {0, 0}},
    [R_RMW_ACQUIRE]   = {{0, 0}, {0, 0},       {0, 0},       {0, LL},      {0, LL | LS}},
    [R_RMW_RELEASE]   = {{0, 0}, {0, 0},       {SS, 0},      {SS, 0},      {LS | SS, 0}},
    [R_RMW_ACQ_REL]   = {{0, 0}, {0, 0},       {SS, 0},      {SS, LL},     {LS | SS, LL | LS}},
    [R_RMW_SEQ_CST]   = {{0, 0}, {FULL, FULL}, {FULL, FULL}, {FULL, FULL}, {FULL, FULL}},
    [R_FAIL_RELAXED]  = {{0, 0}, {0, 0},       {0, 0},       {0, 0},       {0, 0}},
    [R_FAIL_ACQUIRE]  = {{0, 0}, {0, 0},       {0, 0},       {0, LL},      {0, LL | LS}},
    [R_LOCK]          = {{0, 0}, {FULL, FULL}, {0, 0},       {0, LL},      {0, LL | LS}},
    [R_UNLOCK]        = {{0, 0}, {FULL, FULL}, {SS, 0},      {SS, 0},      {LS | SS, 0}},
    [R_POST]          = {{0, 0}, {FULL, FULL}, {SS, 0},      {SS, 0},      {LS | SS, 0}},
    [R_WAIT]          = {{0, 0}, {FULL, FULL}, {0, 0},       {0, LL},      {0, LL | LS}},
    [R_PAPER_LOCK]    = {{0, 0}, {0, LL},      {0, LL},      {0, LL},      {0, LL}},
    [R_PAPER_UNLOCK]  = {{0, 0}, {SS, 0},      {SS, 0},      {SS, 0},      {SS, 0}},
};
/* clang-format on */

static enum row row_of_rmw(enum order order)
{
    switch (order) {
    case CONSUME:
    case ACQUIRE:
        return R_RMW_ACQUIRE;
    case RELEASE:
        return R_RMW_RELEASE;
    case ACQ_REL:
        return R_RMW_ACQ_REL;
    case SEQ_CST:
        return R_RMW_SEQ_CST;
    default:
        return R_RMW_RELAXED;
    }
}

/* A seq_cst CAS is full on both sides also when it fails. */
static enum row row_of_failure(enum order success, enum order failure)
{
    if (success == SEQ_CST)
        return R_RMW_SEQ_CST;
    return failure == ACQUIRE || failure == CONSUME || failure == SEQ_CST
               ? R_FAIL_ACQUIRE
               : R_FAIL_RELAXED;
}

static uint8_t bits_of_c11_fence(enum model m, enum order order)
{
    static const uint8_t kept[AXIOMS_COUNT] = {
        [PSO] = SS, [PSLO] = SS | LL, [CHECKFENCE] = LL | LS | SS};
    uint8_t bits = 0;

    if (order == SEQ_CST)
        return FULL;
    if (order == RELEASE || order == ACQ_REL)
        bits |= LS | SS;
    if (order == ACQUIRE || order == CONSUME || order == ACQ_REL)
        bits |= LL | LS;
    return bits & kept[m];
}

/* The atoms of a place. */
static void find_atoms(const struct lowered *l, struct place place,
                       uint8_t *first, uint8_t *count)
{
    unsigned start = place.var * VAR_BYTES + place.offset;

    *first = *count = 0;
    for (size_t i = 0; i < l->atom_count; i++) {
        const struct atom *a = &l->atoms[i];

        if (a->start < start || a->start >= start + place.size)
            continue;
        if (!(*count)++)
            *first = (uint8_t)i;
    }
    REQUIRE(*count, "no atom for an access");
}

static struct place element(struct place array, unsigned index)
{
    array.offset = (uint8_t)(index * array.size);
    return array;
}

static void mark(struct place place, bool *used, bool *edge)
{
    unsigned start = place.var * VAR_BYTES + place.offset;

    for (unsigned i = 0; i < place.size; i++)
        used[start + i] = true;
    edge[start] = edge[start + place.size] = true;
}

/* All that it may access. */
static void mark_op(const struct op *op, bool *used, bool *edge)
{
    mark(op->place, used, edge);
    if (op->index)
        mark(element(op->place, 1), used, edge);
    for (uint8_t v = 0; op->through && v < POINTED_TO; v++)
        mark((struct place){v, 0, 4}, used, edge);
}

static void cut_atoms(struct lowered *l, const struct program *p)
{
    bool used[MAX_VARS * VAR_BYTES + 1] = {0};
    bool edge[MAX_VARS * VAR_BYTES + 1] = {0};

    for (size_t t = 0; t < p->thread_count; t++)
        for (size_t i = 0; i < p->threads[t].op_count; i++)
            if (op_accesses(&p->threads[t].ops[i]))
                mark_op(&p->threads[t].ops[i], used, edge);
    for (size_t i = 0; i < p->observed_count; i++)
        if (p->observed[i].reg < 0)
            mark(p->observed[i].place, used, edge);

    for (unsigned b = 0; b < MAX_VARS * VAR_BYTES;) {
        unsigned end = b + 1, var = b / VAR_BYTES;

        while (used[b] && !edge[end] && end % VAR_BYTES)
            end++;
        if (used[b]) {
            REQUIRE(l->atom_count < MAX_ATOMS, "%s: too many atoms", p->name);
            l->atoms[l->atom_count++] = (struct atom){
                (uint8_t)b, (uint8_t)(end - b),
                cut_to_size(p->vars[var].initial >> 8 * (b % VAR_BYTES),
                            end - b)};
        }
        b = end;
    }
}

static struct micro *add(struct lowered *l, size_t t, enum micro_kind kind)
{
    struct micro *m = &l->micros[t][l->micro_count[t]++];

    REQUIRE(l->micro_count[t] <= MAX_MICROS, "thread too long");
    memset(m, 0, sizeof *m);
    m->kind = (uint8_t)kind;
    m->dest = -1;
    m->value.reg = m->expected.reg = -1;
    return m;
}

static void add_fence(struct lowered *l, size_t t, uint8_t bits)
{
    if (bits && l->model != SC)
        add(l, t, M_FENCE)->bits = bits;
}

static struct micro *add_access(struct lowered *l, size_t t,
                                enum micro_kind kind, const struct op *op)
{
    struct micro *m = add(l, t, kind);

    m->dest = op->dest;
    m->size = op->place.size;
    m->value = op->value;
    m->expected = op->expected;
    m->op = op->kind;
    find_atoms(l, op->place, &m->first, &m->count);
    m->slot = (uint16_t)l->slot_count;
    l->slot_count += m->count;
    return m;
}

static void add_rmw(struct lowered *l, size_t t, const struct op *op,
                    enum row success, enum row failure)
{
    struct micro *m = add_access(l, t, M_RMW, op);

    m->before = table[success][l->model].before;
    m->after = table[success][l->model].after;
    m->fail_before = table[failure][l->model].before;
    m->fail_after = table[failure][l->model].after;
    if (op->kind == OP_LOCK || op->kind == OP_TRYLOCK) {
        m->expected = (struct operand){-1, 0};
        m->value = (struct operand){-1, 1};
    }
}

static void add_plain(struct lowered *l, size_t t, const struct op *op,
                      enum micro_kind kind, enum row row)
{
    struct micro *m;

    add_fence(l, t, table[row][l->model].before);
    m = add_access(l, t, kind, op);
    if (op->kind == OP_UNLOCK)
        m->value = (struct operand){-1, 0};
    add_fence(l, t, table[row][l->model].after);
}

/* As many loads as there can be: each that fails reads another write than the
 * one before, and the last of them never fails. */
static void add_await(struct lowered *l, size_t t, const struct op *op)
{
    size_t loads = 2, first = l->micro_count[t];

    for (size_t i = 0; i < l->program->thread_count; i++)
        for (size_t k = 0; k < l->program->threads[i].op_count; k++)
            loads += l->program->threads[i].ops[k].place.var == op->place.var;
    for (size_t i = 0; i < loads; i++)
        add_access(l, t, M_LOAD, op)->bits = op->bits;
    for (size_t i = first; i < first + loads; i++)
        l->micros[t][i].target = (uint8_t)(first + loads);
}

static void lower_op(struct lowered *l, size_t t, const struct op *op,
                     const struct options *o);

/* The op at that place, if the register has that value; or, `other`, another.
 */
static void lower_case(struct lowered *l, size_t t, struct op op,
                       const struct options *o, int8_t reg, uint64_t value,
                       bool other)
{
    size_t at = l->micro_count[t];
    struct micro *m = add(l, t, M_IF);

    m->dest = reg;
    m->value.constant = value;
    m->bits = other;
    op.index = 0;
    op.through = false;
    lower_op(l, t, &op, o);
    l->micros[t][at].target = (uint8_t)l->micro_count[t];
}

static void lower_indexed(struct lowered *l, size_t t, const struct op *op,
                          const struct options *o)
{
    for (unsigned i = 0; i < 2; i++) {
        struct op one = *op;

        one.place = element(op->place, i);
        lower_case(l, t, one, o, (int8_t)(op->index - 1), op->index_value,
                   i == 0);
    }
}

/* First the pointer is loaded, into a register that is the thread's own. */
static void lower_through(struct lowered *l, size_t t, const struct op *op,
                          const struct options *o)
{
    int8_t hidden = (int8_t)(MAX_REGS - 1 - t);
    struct op first = {.kind = OP_LOAD,
                       .dest = hidden,
                       .dep = -1,
                       .place = op->place,
                       .value = {-1, 0},
                       .expected = {-1, 0}};

    REQUIRE(l->program->reg_count + MAX_THREADS <= MAX_REGS,
            "no register is left for a pointer");
    lower_op(l, t, &first, o);
    for (uint8_t v = 0; v < POINTED_TO; v++) {
        struct op one = *op;

        one.place = (struct place){v, 0, 4};
        lower_case(l, t, one, o, hidden, ADDRESS_OF + v, false);
    }
}

static void lower_op(struct lowered *l, size_t t, const struct op *op,
                     const struct options *o)
{
    enum order order = op->order;

    if (op->index) {
        lower_indexed(l, t, op, o);
        return;
    }
    if (op->through) {
        lower_through(l, t, op, o);
        return;
    }

    switch ((enum op_kind)op->kind) {
    case OP_LOAD:
        add_plain(l, t, op, M_LOAD,
                  order == ACQUIRE || order == CONSUME || order == SEQ_CST
                      ? R_LOAD_ACQUIRE
                      : R_LOAD);
        break;
    case OP_STORE:
        add_plain(l, t, op, M_STORE,
                  order == SEQ_CST   ? R_STORE_SEQ_CST
                  : order == RELEASE ? R_STORE_RELEASE
                                     : R_STORE);
        break;
    case OP_XCHG:
    case OP_ADD:
        add_rmw(l, t, op, row_of_rmw(order), R_FAIL_RELAXED);
        break;
    case OP_CAS:
        add_rmw(l, t, op, row_of_rmw(order),
                row_of_failure(order, op->fail_order));
        break;
    case OP_LOCK:
    case OP_TRYLOCK:
        add_rmw(l, t, op, o->locks_paper ? R_PAPER_LOCK : R_LOCK,
                R_FAIL_RELAXED);
        break;
    case OP_POST:
        add_rmw(l, t, op, R_POST, R_FAIL_RELAXED);
        break;
    case OP_WAIT:
    case OP_TRYWAIT:
        add_rmw(l, t, op, R_WAIT, R_FAIL_RELAXED);
        break;
    case OP_UNLOCK:
        add_plain(l, t, op, M_STORE,
                  o->locks_paper ? R_PAPER_UNLOCK : R_UNLOCK);
        break;
    case OP_FENCE:
        add_fence(l, t, op->bits);
        break;
    case OP_C11_FENCE:
        add_fence(l, t, bits_of_c11_fence(l->model, order));
        break;
    case OP_SPAWN:
        add(l, t, M_SPAWN)->target = op->target;
        break;
    case OP_JOIN:
        add(l, t, M_JOIN)->target = op->target;
        break;
    case OP_IF: {
        struct micro *m = add(l, t, M_IF);

        m->dest = op->dest;
        m->value = op->value;
        break;
    }
    case OP_ATOMIC:
        add(l, t, M_ATOMIC);
        break;
    case OP_AWAIT:
        add_await(l, t, op);
        break;
    case OP_CHOOSE: {
        struct micro *m = add(l, t, M_CHOOSE);

        m->dest = op->dest;
        m->value = op->value;
        m->slot = (uint16_t)l->slot_count++;
        break;
    }
    case OP_NONE:
    case OP_NOTHING:
        break;
    }
}

/* Lowers a thread; an OP_IF or OP_ATOMIC gets its target once its last op is
 * through. */
static void lower_thread(struct lowered *l, size_t t, const struct options *o)
{
    const struct thread *thread = &l->program->threads[t];
    size_t at[MAX_OPS + 1]; /* micro that op i begins with */

    for (size_t i = 0; i < thread->op_count; i++) {
        at[i] = l->micro_count[t];
        lower_op(l, t, &thread->ops[i], o);
        for (size_t k = at[i]; k < l->micro_count[t]; k++)
            l->micros[t][k].origin = (uint8_t)i;
    }
    at[thread->op_count] = l->micro_count[t];
    add(l, t, M_EXIT);
    for (size_t i = 0; i < thread->op_count; i++)
        if (thread->ops[i].kind == OP_IF || thread->ops[i].kind == OP_ATOMIC)
            l->micros[t][at[i]].target =
                (uint8_t)at[i + 1 + thread->ops[i].skip];
}

void lower(struct lowered *l, const struct program *p, enum model model,
           const struct options *options)
{
    memset(l, 0, sizeof *l);
    l->program = p;
    l->model = model;
    l->slot_count = 1;
    cut_atoms(l, p);
    for (size_t t = 0; t < p->thread_count; t++)
        lower_thread(l, t, options);
    for (size_t i = 0; i < p->observed_count; i++)
        if (p->observed[i].reg < 0)
            find_atoms(l, p->observed[i].place, &l->observed[i].first,
                       &l->observed[i].count);
}

bool micro_synchronises(const struct micro *m)
{
    return m->kind <= M_RMW && m->op >= OP_LOCK && m->op <= OP_TRYWAIT;
}

unsigned atom_shift(const struct lowered *l, size_t first, size_t atom)
{
    return 8u * (unsigned)(l->atoms[atom].start - l->atoms[first].start);
}

uint64_t atom_part(const struct lowered *l, size_t first, size_t atom,
                   uint64_t value)
{
    return cut_to_size(value >> atom_shift(l, first, atom),
                       l->atoms[atom].length);
}
