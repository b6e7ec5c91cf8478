/* SPDX-License-Identifier: MIT
 *
 * Inline assembly: what it does to memory becomes events.
 *
 * A template that is understood is replaced by the same computation in LLVM's
 * terms, with hooks where it touches memory: `lock` and xchg forms as seq_cst
 * read-modify-writes, plain mov as relaxed accesses (they are atomic on x86,
 * and order nothing).  Others run as they are, after a hook that drains.
 */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "instrument/pass.h"
#include "instrument/template.h"

struct machine {
    struct pass *p;
    LLVMValueRef call;
    const struct template *t;
    LLVMValueRef cell[CELL_REGISTERS + TEMPLATE_OPERANDS];
    LLVMValueRef zero, sign, carry; /* i1: the flags; NULL: unknown */
};

/* READS memory operand b, WRITES it, or neither */
enum family {
    FAMILY_FENCE,
    FAMILY_PAUSE,
    FAMILY_HINT, /* to bring a line near: it reads nothing */
    FAMILY_MOVE,
    FAMILY_RMW,
    FAMILY_UNARY,
    FAMILY_XADD,
    FAMILY_XCHG,
    FAMILY_CMPXCHG,
    FAMILY_CMPXCHG_WIDE,
    FAMILY_BIT,
    FAMILY_TEST, /* of a bit */
    FAMILY_BORROW,
    FAMILY_SET
};

/* What we know: OP(mnemonic, family, number: fence bits, RMW operation,
 * bytes) */
static const struct known {
    const char *name;
    enum family family;
    int number;
} knowns[] = {
    {"mfence", FAMILY_FENCE, BITS_FULL},
    {"sfence", FAMILY_FENCE, BITS_SS},
    {"lfence", FAMILY_FENCE, BITS_LL | BITS_LS},
    {"pause", FAMILY_PAUSE, 0},
    {"prefetcht0", FAMILY_HINT, 0},
    {"prefetcht1", FAMILY_HINT, 0},
    {"prefetcht2", FAMILY_HINT, 0},
    {"prefetchnta", FAMILY_HINT, 0},
    {"prefetchw", FAMILY_HINT, 0},
    {"mov", FAMILY_MOVE, 0},
    {"add", FAMILY_RMW, RMW_ADD},
    {"sub", FAMILY_RMW, RMW_SUB},
    {"and", FAMILY_RMW, RMW_AND},
    {"or", FAMILY_RMW, RMW_OR},
    {"xor", FAMILY_RMW, RMW_XOR},
    {"inc", FAMILY_UNARY, RMW_ADD},
    {"dec", FAMILY_UNARY, RMW_SUB},
    {"not", FAMILY_UNARY, RMW_XOR},
    {"xadd", FAMILY_XADD, RMW_ADD},
    {"xchg", FAMILY_XCHG, RMW_XCHG},
    {"cmpxchg", FAMILY_CMPXCHG, 0},
    {"cmpxchg8b", FAMILY_CMPXCHG_WIDE, 8},
    {"cmpxchg16b", FAMILY_CMPXCHG_WIDE, 16},
    {"bts", FAMILY_BIT, RMW_OR},
    {"btr", FAMILY_BIT, RMW_AND},
    {"btc", FAMILY_BIT, RMW_XOR},
    {"bt", FAMILY_TEST, 0},
    {"sbb", FAMILY_BORROW, 0},
    {"setc", FAMILY_SET, 0},
    {"sete", FAMILY_SET, 0},
    {"setz", FAMILY_SET, 0},
    {"setne", FAMILY_SET, 0},
    {"setnz", FAMILY_SET, 0},
    {"sets", FAMILY_SET, 0},
};

static const struct known *known_of(const struct step *s)
{
    for (size_t i = 0; i < sizeof(knowns) / sizeof(knowns[0]); i++) {
        if (strcmp(knowns[i].name, s->name) == 0)
            return &knowns[i];
    }
    return NULL;
}

/* ---- Sizes ---- */

static uint64_t type_size(struct machine *m, LLVMTypeRef type)
{
    uint64_t size = ir_size(m->p, type);

    return size == 1 || size == 2 || size == 4 || size == 8 ? size : 0;
}

static uint64_t place_size(struct machine *m, const struct place *a)
{
    const struct slot *s = a->slot >= 0 ? &m->t->slots[a->slot] : NULL;

    if (a->size)
        return a->size;
    if (a->kind == PLACE_CELL && s) {
        if (s->argument >= 0)
            return type_size(m, LLVMTypeOf(LLVMGetArgOperand(
                                    m->call, (unsigned)s->argument)));
        LLVMTypeRef result = LLVMTypeOf(m->call);

        if (LLVMGetTypeKind(result) == LLVMStructTypeKind)
            result = LLVMStructGetTypeAtIndex(result, (unsigned)s->result);
        return type_size(m, result);
    }
    if (a->kind == PLACE_MEMORY && s && s->indirect) {
        LLVMAttributeRef type = LLVMGetCallSiteEnumAttribute(
            m->call, (unsigned)s->argument + 1,
            m->p->attribute[ATTRIBUTE_ELEMENTTYPE]);

        return type ? type_size(m, LLVMGetTypeAttributeValue(type)) : 0;
    }
    return 0;
}

static uint64_t step_size(struct machine *m, const struct step *s)
{
    if (s->size)
        return s->size;
    if (s->a.kind == PLACE_CELL && place_size(m, &s->a))
        return place_size(m, &s->a);
    if (s->b.kind == PLACE_CELL && place_size(m, &s->b))
        return place_size(m, &s->b);
    return place_size(m, s->b.kind == PLACE_MEMORY ? &s->b : &s->a);
}

/* ---- Is it understood? ---- */

static bool is_value(const struct place *a)
{
    return a->kind == PLACE_CELL || a->kind == PLACE_NUMBER;
}

static bool understood_move(const struct step *s)
{
    return s->a.kind != PLACE_STACK && s->b.kind != PLACE_STACK &&
           s->a.kind != PLACE_NONE && s->b.kind != PLACE_NUMBER &&
           !(s->a.kind == PLACE_MEMORY && s->b.kind == PLACE_MEMORY);
}

static bool understood_step(struct machine *m, const struct step *s)
{
    const struct known *k = known_of(s);

    if (!k)
        return false;
    switch (k->family) {
    case FAMILY_FENCE:
    case FAMILY_PAUSE:
        return s->b.kind == PLACE_NONE;
    case FAMILY_HINT:
        return s->b.kind == PLACE_MEMORY;
    case FAMILY_MOVE:
        return understood_move(s) && step_size(m, s);
    case FAMILY_RMW:
        if (s->b.kind == PLACE_STACK)
            return s->lock;
        return is_value(&s->a) && s->b.kind == PLACE_MEMORY && step_size(m, s);
    case FAMILY_UNARY:
        return s->b.kind == PLACE_MEMORY && step_size(m, s);
    case FAMILY_XADD:
    case FAMILY_CMPXCHG:
        return s->a.kind == PLACE_CELL && s->b.kind == PLACE_MEMORY &&
               s->lock && step_size(m, s);
    case FAMILY_XCHG:
        return ((s->a.kind == PLACE_CELL && s->b.kind == PLACE_MEMORY) ||
                (s->a.kind == PLACE_MEMORY && s->b.kind == PLACE_CELL)) &&
               step_size(m, s);
    case FAMILY_CMPXCHG_WIDE:
        return s->b.kind == PLACE_MEMORY && s->lock;
    case FAMILY_BIT:
        return is_value(&s->a) && s->b.kind == PLACE_MEMORY && s->lock &&
               step_size(m, s) > 1;
    case FAMILY_TEST:
        return is_value(&s->a) && s->b.kind == PLACE_MEMORY &&
               step_size(m, s) > 1;
    case FAMILY_BORROW: /* from itself: all bits are the carry */
        return s->a.kind == PLACE_CELL && s->b.kind == PLACE_CELL &&
               s->a.cell == s->b.cell && step_size(m, s);
    case FAMILY_SET:
        return s->b.kind == PLACE_CELL || s->b.kind == PLACE_MEMORY;
    }
    return false;
}

/* Which flags does the step leave after that we compute?  NULL: it leaves
 * them as they were. */
static const char *flags_after(const struct step *s)
{
    switch (known_of(s)->family) {
    case FAMILY_RMW:
        return s->b.kind == PLACE_STACK ? "" : "ezns";
    case FAMILY_UNARY:
        return known_of(s)->number == RMW_XOR ? NULL : "ezns";
    case FAMILY_XADD:
        return "ezns";
    case FAMILY_CMPXCHG:
    case FAMILY_CMPXCHG_WIDE:
        return "ezn";
    case FAMILY_BIT:
    case FAMILY_TEST:
        return "c";
    case FAMILY_BORROW:
        return "";
    default:
        return NULL;
    }
}

static bool understood(struct machine *m)
{
    const char *flags = "";

    for (int i = 0; i < m->t->step_count; i++) {
        const struct step *s = &m->t->steps[i];

        if (!understood_step(m, s))
            return false;
        if (known_of(s)->family == FAMILY_SET && !strchr(flags, s->name[3]))
            return false;
        if (known_of(s)->family == FAMILY_BORROW && !strchr(flags, 'c'))
            return false;
        if (flags_after(s))
            flags = flags_after(s);
    }
    for (int i = 0; i < m->t->slot_count; i++) {
        const char *flag = m->t->slots[i].flag;

        if (*flag &&
            (!strstr(" c e z ne nz s ", flag) || !strchr(flags, *flag)))
            return false;
    }
    return true;
}

/* ---- Values ---- */

static LLVMValueRef resize(struct machine *m, LLVMValueRef v, uint64_t size)
{
    LLVMBuilderRef b = m->p->builder;
    LLVMTypeRef type = ir_int(m->p, size);

    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind)
        v = ir_to_int(m->p, v, ir_int(m->p, ir_size(m->p, LLVMTypeOf(v))));
    return LLVMBuildIntCast2(b, v, type, 0, "");
}

static LLVMValueRef read_cell(struct machine *m, int cell, uint64_t size)
{
    if (!m->cell[cell])
        return LLVMConstNull(ir_int(m->p, size));
    return resize(m, m->cell[cell], size);
}

static LLVMValueRef value_of(struct machine *m, const struct place *a,
                             uint64_t size)
{
    if (a->kind == PLACE_NUMBER)
        return LLVMConstInt(ir_int(m->p, size), (uint64_t)a->number, 1);
    return read_cell(m, a->cell, size);
}

static LLVMValueRef address_of(struct machine *m, const struct place *a)
{
    const struct slot *s = a->slot >= 0 ? &m->t->slots[a->slot] : NULL;
    LLVMBuilderRef b = m->p->builder;
    LLVMValueRef base, index = ir_i64(m->p, (uint64_t)a->number);

    if (s && s->indirect)
        base = LLVMGetArgOperand(m->call, (unsigned)s->argument);
    else if (m->cell[a->cell] && LLVMGetTypeKind(LLVMTypeOf(
                                     m->cell[a->cell])) == LLVMPointerTypeKind)
        base = m->cell[a->cell];
    else
        base = LLVMBuildIntToPtr(b, read_cell(m, a->cell, 8), m->p->ptr, "");
    return a->number ? LLVMBuildGEP2(b, m->p->i8, base, &index, 1, "") : base;
}

static void set_flags(struct machine *m, LLVMValueRef result)
{
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(result));
    LLVMBuilderRef b = m->p->builder;

    m->zero = LLVMBuildICmp(b, LLVMIntEQ, result, zero, "");
    m->sign = LLVMBuildICmp(b, LLVMIntSLT, result, zero, "");
}

/* i1: does that condition code hold? */
static LLVMValueRef condition(struct machine *m, const char *code)
{
    LLVMValueRef f = LLVMConstNull(m->p->i1);

    if (*code == 'c')
        return m->carry ? m->carry : f;
    if (*code == 's')
        return m->sign ? m->sign : f;
    if (!m->zero)
        return f;
    return *code == 'n' ? LLVMBuildNot(m->p->builder, m->zero, "") : m->zero;
}

/* ---- Hooks ---- */

/* A site for what the step does to that memory, or for a fence (NULL). */
static LLVMValueRef site(struct machine *m, enum event_kind kind,
                         const struct place *at, uint64_t size)
{
    const char *name = "";

    if (at && at->slot >= 0 && at->number == 0 &&
        m->t->slots[at->slot].argument >= 0)
        name =
            names_get(m->p, m->call, (unsigned)m->t->slots[at->slot].argument);
    return site_value(m->p, m->call, kind, size | SITE_ASSEMBLY, name);
}

static LLVMValueRef load(struct machine *m, const struct place *a,
                         uint64_t size)
{
    LLVMValueRef args[] = {address_of(m, a), ir_i32(m->p, ORDER_RELAXED),
                           site(m, EV_LOAD, a, size)};

    return ir_call_hook(m->p, ir_sized_hook(HOOK_atomic_load1, size), args, 3,
                        "");
}

static void store(struct machine *m, const struct place *a, uint64_t size,
                  LLVMValueRef value)
{
    LLVMValueRef args[] = {address_of(m, a), value, ir_i32(m->p, ORDER_RELAXED),
                           site(m, EV_STORE, a, size)};

    ir_call_hook(m->p, ir_sized_hook(HOOK_atomic_store1, size), args, 4, "");
}

static LLVMValueRef rmw(struct machine *m, const struct place *a, uint64_t size,
                        int op, LLVMValueRef operand)
{
    LLVMValueRef args[] = {address_of(m, a), ir_i32(m->p, (uint64_t)op),
                           operand, ir_i32(m->p, ORDER_SEQ_CST),
                           site(m, EV_RMW, a, size)};

    return ir_call_hook(m->p, ir_sized_hook(HOOK_rmw1, size), args, 5, "");
}

static void call_fence(struct machine *m, uint64_t bits)
{
    LLVMValueRef args[] = {ir_i32(m->p, bits), site(m, EV_FENCE, NULL, 0)};

    ir_call_hook(m->p, HOOK_fence_bits, args, 2, "");
}

/* The fence that a call of an intrinsic is, or 0. */
static uint64_t fence_bits(LLVMValueRef call)
{
    static const struct {
        const char *name;
        uint64_t bits;
    } fences[] = {{"llvm.x86.sse2.mfence", BITS_FULL},
                  {"llvm.x86.sse.sfence", BITS_SS},
                  {"llvm.x86.sse2.lfence", BITS_LL | BITS_LS},
                  {"llvm.x86.serialize", BITS_FULL}};
    LLVMValueRef callee = LLVMIsACallInst(call) ? ir_callee(call) : NULL;

    for (size_t i = 0; callee && i < sizeof(fences) / sizeof(fences[0]); i++) {
        if (ir_is_intrinsic(callee, fences[i].name))
            return fences[i].bits;
    }
    return 0;
}

bool assembly_is_fence(LLVMValueRef inst)
{
    return fence_bits(inst) != 0;
}

bool assembly_fence(struct pass *p, LLVMValueRef inst)
{
    struct machine m = {.p = p, .call = inst};
    uint64_t bits = fence_bits(inst);

    if (!bits)
        return false;
    ir_before(p, inst);
    call_fence(&m, bits);
    ir_replace(inst, NULL);
    return true;
}

static LLVMValueRef compute(struct machine *m, int op, LLVMValueRef a,
                            LLVMValueRef b)
{
    LLVMBuilderRef builder = m->p->builder;

    switch (op) {
    case RMW_ADD:
        return LLVMBuildAdd(builder, a, b, "");
    case RMW_SUB:
        return LLVMBuildSub(builder, a, b, "");
    case RMW_AND:
        return LLVMBuildAnd(builder, a, b, "");
    case RMW_OR:
        return LLVMBuildOr(builder, a, b, "");
    default:
        return LLVMBuildXor(builder, a, b, "");
    }
}

/* ---- Steps ---- */

static void step_move(struct machine *m, const struct step *s)
{
    uint64_t size = step_size(m, s);
    LLVMValueRef value = s->a.kind == PLACE_MEMORY ? load(m, &s->a, size)
                                                   : value_of(m, &s->a, size);

    if (s->b.kind == PLACE_MEMORY)
        store(m, &s->b, size, value);
    else
        m->cell[s->b.cell] = value;
}

static void step_rmw(struct machine *m, const struct step *s,
                     const struct known *k)
{
    uint64_t size;
    LLVMValueRef operand, old;

    if (s->b.kind == PLACE_STACK) {
        call_fence(m, BITS_FULL);
        return;
    }
    size = step_size(m, s);
    if (k->family == FAMILY_RMW)
        operand = value_of(m, &s->a, size);
    else
        operand = k->number == RMW_XOR ? LLVMConstAllOnes(ir_int(m->p, size))
                                       : LLVMConstInt(ir_int(m->p, size), 1, 0);
    old = s->lock ? rmw(m, &s->b, size, k->number, operand)
                  : load(m, &s->b, size);

    LLVMValueRef result = compute(m, k->number, old, operand);

    if (!s->lock)
        store(m, &s->b, size, result);
    set_flags(m, result);
}

static void step_exchange(struct machine *m, const struct step *s,
                          const struct known *k)
{
    uint64_t size = step_size(m, s);
    bool swapped = s->a.kind == PLACE_MEMORY; /* xchg mem, reg */
    const struct place *memory = swapped ? &s->a : &s->b;
    const struct place *cell = swapped ? &s->b : &s->a;
    LLVMValueRef operand = value_of(m, cell, size);
    LLVMValueRef old = rmw(m, memory, size, k->number, operand);

    if (k->number == RMW_ADD)
        set_flags(m, compute(m, RMW_ADD, old, operand));
    m->cell[cell->cell] = old;
}

static void step_cmpxchg(struct machine *m, const struct step *s)
{
    uint64_t size = step_size(m, s);
    LLVMValueRef expected = read_cell(m, CELL_AX, size);
    LLVMValueRef o = ir_i32(m->p, ORDER_SEQ_CST);
    LLVMValueRef args[] = {
        address_of(m, &s->b),        expected, value_of(m, &s->a, size), o, o,
        site(m, EV_RMW, &s->b, size)};
    LLVMValueRef old =
        ir_call_hook(m->p, ir_sized_hook(HOOK_cas1, size), args, 6, "");

    m->zero = LLVMBuildICmp(m->p->builder, LLVMIntEQ, old, expected, "");
    m->sign = NULL;
    m->cell[CELL_AX] = old;
}

/* high:low as one integer of twice the size. */
static LLVMValueRef pair(struct machine *m, int high, int low, uint64_t half)
{
    LLVMBuilderRef b = m->p->builder;
    LLVMTypeRef type = ir_int(m->p, half * 2);
    LLVMValueRef h = LLVMBuildZExt(b, read_cell(m, high, half), type, "");
    LLVMValueRef l = LLVMBuildZExt(b, read_cell(m, low, half), type, "");

    h = LLVMBuildShl(b, h, LLVMConstInt(type, half * 8, 0), "");
    return LLVMBuildOr(b, h, l, "");
}

static void step_cmpxchg_wide(struct machine *m, const struct step *s,
                              uint64_t size)
{
    LLVMBuilderRef b = m->p->builder;
    LLVMTypeRef type = ir_int(m->p, size);
    uint64_t half = size / 2;
    LLVMValueRef expected = pair(m, CELL_DX, CELL_AX, half);
    LLVMValueRef desired = pair(m, CELL_CX, CELL_BX, half), old;
    LLVMValueRef o = ir_i32(m->p, ORDER_SEQ_CST);
    LLVMValueRef where = site(m, EV_RMW, &s->b, size);

    if (size == 16) {
        LLVMValueRef out = ir_wide_slot(m->p, m->call, type, NULL);
        LLVMValueRef args[] = {address_of(m, &s->b),
                               ir_wide_slot(m->p, m->call, type, expected),
                               ir_wide_slot(m->p, m->call, type, desired),
                               out,
                               o,
                               o,
                               where};

        ir_call_hook(m->p, HOOK_cas16, args, 7, "");
        old = LLVMBuildLoad2(b, type, out, "");
    } else {
        LLVMValueRef args[] = {
            address_of(m, &s->b), expected, desired, o, o, where};

        old = ir_call_hook(m->p, HOOK_cas8, args, 6, "");
    }
    m->zero = LLVMBuildICmp(b, LLVMIntEQ, old, expected, "");
    m->sign = NULL;
    m->cell[CELL_AX] = LLVMBuildTrunc(b, old, ir_int(m->p, half), "");
    old = LLVMBuildLShr(b, old, LLVMConstInt(type, half * 8, 0), "");
    m->cell[CELL_DX] = LLVMBuildTrunc(b, old, ir_int(m->p, half), "");
}

/* A bit number in a register reaches beyond the operand: bit 100 of a long is
 * bit 36 of the next one.  op -1: only looks at it. */
static void step_bit(struct machine *m, const struct step *s, int op)
{
    LLVMBuilderRef b = m->p->builder;
    uint64_t size = step_size(m, s), bits = size * 8;
    LLVMTypeRef type = ir_int(m->p, size);
    LLVMValueRef n = value_of(m, &s->a, size);
    LLVMValueRef mask = LLVMBuildShl(
        b, LLVMConstInt(type, 1, 0),
        LLVMBuildAnd(b, n, LLVMConstInt(type, bits - 1, 0), ""), "");
    LLVMValueRef address = address_of(m, &s->b), old;

    if (s->a.kind == PLACE_CELL) {
        unsigned log = size == 8 ? 6 : size == 4 ? 5 : 4;
        LLVMValueRef word = LLVMBuildAShr(b, n, LLVMConstInt(type, log, 0), "");

        word = LLVMBuildSExtOrBitCast(b, word, m->p->i64, "");
        address = LLVMBuildGEP2(b, type, address, &word, 1, "");
    }
    if (op < 0) {
        LLVMValueRef args[] = {address, ir_i32(m->p, ORDER_RELAXED),
                               site(m, EV_LOAD, &s->b, size)};

        old = ir_call_hook(m->p, ir_sized_hook(HOOK_atomic_load1, size), args,
                           3, "");
    } else {
        LLVMValueRef args[] = {address, ir_i32(m->p, (uint64_t)op),
                               op == RMW_AND ? LLVMBuildNot(b, mask, "") : mask,
                               ir_i32(m->p, ORDER_SEQ_CST),
                               site(m, EV_RMW, &s->b, size)};

        old = ir_call_hook(m->p, ir_sized_hook(HOOK_rmw1, size), args, 5, "");
    }
    m->carry = LLVMBuildICmp(b, LLVMIntNE, LLVMBuildAnd(b, old, mask, ""),
                             LLVMConstNull(type), "");
}

static void step_set(struct machine *m, const struct step *s)
{
    LLVMValueRef byte =
        LLVMBuildZExt(m->p->builder, condition(m, s->name + 3), m->p->i8, "");

    if (s->b.kind == PLACE_MEMORY)
        store(m, &s->b, 1, byte);
    else
        m->cell[s->b.cell] = byte;
}

static void run_step(struct machine *m, const struct step *s)
{
    const struct known *k = known_of(s);
    LLVMValueRef where;

    switch (k->family) {
    case FAMILY_FENCE:
        call_fence(m, (uint64_t)k->number);
        break;
    case FAMILY_PAUSE:
        where = site(m, EV_YIELD, NULL, 0);
        ir_call_hook(m->p, HOOK_spin, &where, 1, "");
        break;
    case FAMILY_HINT:
        break;
    case FAMILY_MOVE:
        step_move(m, s);
        break;
    case FAMILY_RMW:
    case FAMILY_UNARY:
        step_rmw(m, s, k);
        break;
    case FAMILY_XADD:
    case FAMILY_XCHG:
        step_exchange(m, s, k);
        break;
    case FAMILY_CMPXCHG:
        step_cmpxchg(m, s);
        break;
    case FAMILY_CMPXCHG_WIDE:
        step_cmpxchg_wide(m, s, (uint64_t)k->number);
        break;
    case FAMILY_BIT:
        step_bit(m, s, k->number);
        break;
    case FAMILY_TEST:
        step_bit(m, s, -1);
        break;
    case FAMILY_BORROW:
        m->cell[s->b.cell] = LLVMBuildSExt(m->p->builder, condition(m, "c"),
                                           ir_int(m->p, step_size(m, s)), "");
        break;
    case FAMILY_SET:
        step_set(m, s);
        break;
    }
}

/* ---- Start and end ---- */

static void load_cells(struct machine *m)
{
    for (int i = 0; i < m->t->slot_count; i++) {
        const struct slot *s = &m->t->slots[i];

        if (!s->output && s->cell >= 0)
            m->cell[s->cell] =
                LLVMGetArgOperand(m->call, (unsigned)s->argument);
    }
}

static LLVMValueRef result_of(struct machine *m, const struct slot *s,
                              LLVMTypeRef type)
{
    uint64_t size = ir_size(m->p, type);
    LLVMValueRef v =
        *s->flag
            ? LLVMBuildZExt(m->p->builder, condition(m, s->flag), m->p->i8, "")
            : m->cell[s->cell];

    if (!v)
        return LLVMConstNull(type);
    if (LLVMTypeOf(v) == type)
        return v;
    return ir_from_int(m->p, resize(m, v, size), type);
}

static LLVMValueRef results(struct machine *m)
{
    LLVMTypeRef type = LLVMTypeOf(m->call);
    bool several = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    LLVMValueRef all = several ? LLVMGetUndef(type) : NULL;

    for (int i = 0; i < m->t->slot_count; i++) {
        const struct slot *s = &m->t->slots[i];

        if (s->result < 0)
            continue;

        LLVMTypeRef part =
            several ? LLVMStructGetTypeAtIndex(type, (unsigned)s->result)
                    : type;
        LLVMValueRef v = result_of(m, s, part);

        all = several ? LLVMBuildInsertValue(m->p->builder, all, v,
                                             (unsigned)s->result, "")
                      : v;
    }
    return all;
}

/* One line of the limits for each template. */
static uint32_t name_limit(struct pass *p, const char *text, size_t length,
                           LLVMValueRef call)
{
    char shown[64];
    size_t n = 0;
    uint32_t site = site_new(p, call, EV_CALL, 0, "");
    const struct site *place = &VEC_AT(&p->sites, site);

    for (size_t i = 0; i < length && n + 1 < sizeof(shown); i++)
        shown[n++] = text[i] == '\n' || text[i] == '\t' ? ' ' : text[i];
    shown[n] = '\0';

    const char *start =
        arena_printf(&p->arena, "inline assembly \"%s\"", shown);

    for (size_t i = 0; i < p->limits.count; i++) {
        if (ir_has_prefix(p->limits.list[i], start))
            return (uint32_t)i;
    }
    strs_addf(&p->limits, "%s at %s:%u is not understood: it drains", start,
              place->file, place->line);
    return (uint32_t)p->limits.count - 1;
}

/* Instructions that work on registers, and order nothing; with a size or
 * without. */
static bool is_arithmetic(const char *text)
{
    static const char *const known[] = {"rdtsc", "rdtscp", "crc32", "bsf",
                                        "bsr",   "popcnt", "tzcnt", "lzcnt",
                                        "cpuid", "bswap",  "nop"};

    while (*text) {
        size_t n = strcspn(text, " \t\n;"), i = 0;

        while (i < sizeof(known) / sizeof(known[0]) &&
               !(ir_has_prefix(text, known[i]) && n <= strlen(known[i]) + 1))
            i++;
        if (i == sizeof(known) / sizeof(known[0]))
            return false;
        text += strcspn(text, "\n;");
        text += strspn(text, " \t\n;");
    }
    return true;
}

/* Registers only: it can neither read nor write memory.  A "memory" clobber may
 * mean that it does, or hold back the compiler. */
static bool touches_no_memory(LLVMValueRef call, const char *text,
                              const char *constraints)
{
    if (strchr(constraints, '*') ||
        (strstr(constraints, "~{memory}") && !is_arithmetic(text)))
        return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetArgOperand(call, i))) ==
            LLVMPointerTypeKind)
            return false;
    }
    return true;
}

static void call_drain(struct pass *p, LLVMValueRef call, const char *text,
                       size_t length)
{
    uint32_t limit = name_limit(p, text, length, call);
    LLVMValueRef args[] = {ir_i32(p, limit),
                           site_value(p, call, EV_CALL, 0, "")};

    ir_before(p, call);
    ir_call_hook(p, HOOK_asm, args, 2, "");
}

void assembly_note_nondeterministic(struct pass *p, LLVMValueRef call,
                                    const char *text)
{
    static const char *const known[] = {"rdtsc", "rdrand", "rdseed", "rdpmc",
                                        "readcyclecounter"};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (!strstr(text, known[i]))
            continue;

        LLVMValueRef where = site_value(p, call, EV_CALL, 0, known[i]);

        ir_before(p, call);
        ir_call_hook(p, HOOK_nondeterministic, &where, 1, "");
        return;
    }
}

/* "mov %fs:0, $0": the running thread's own address.  Threads of the tested
 * program share the kernel's %fs, so each gets another number. */
static bool is_thread_pointer(LLVMValueRef call, const char *text)
{
    unsigned given = LLVMGetNumArgOperands(call);
    char plain[32];
    size_t n = 0;

    for (; *text && n + 1 < sizeof(plain); text++) {
        if (!strchr(" \t\n;", *text))
            plain[n++] = *text;
    }
    plain[n] = '\0';
    text = ir_has_prefix(plain, "movq") || ir_has_prefix(plain, "movl")
               ? plain + 4
               : plain + 3;
    if (!ir_has_prefix(plain, "mov"))
        return false;
    if (strcmp(text, "%fs:$1,$0") == 0)
        return given == 1 && LLVMIsNull(LLVMGetArgOperand(call, 0));
    return given == 0 &&
           (strcmp(text, "%fs:0,$0") == 0 || strcmp(text, "%fs:0x0,$0") == 0 ||
            strcmp(text, "%fs:(0),$0") == 0);
}

static void give_thread_pointer(struct pass *p, LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef pointer = globals_thread_pointer(p, call);

    if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
        pointer = LLVMBuildPtrToInt(p->builder, pointer, type, "");
    ir_replace(call, pointer);
}

void assembly_instrument(struct pass *p, LLVMValueRef call)
{
    LLVMValueRef code = LLVMGetCalledValue(call);
    size_t length, constraint_length;
    const char *text = LLVMGetInlineAsmAsmString(code, &length);
    const char *list =
        LLVMGetInlineAsmConstraintString(code, &constraint_length);
    const char *own = arena_copy_n(&p->arena, text, length);
    const char *constraints = arena_copy_n(&p->arena, list, constraint_length);
    struct template t;
    struct machine m = {.p = p, .call = call, .t = &t};

    if (is_thread_pointer(call, own)) {
        give_thread_pointer(p, call);
        return;
    }
    if (!LLVMIsACallInst(call) || !template_parse(&t, own, constraints) ||
        !understood(&m)) {
        assembly_note_nondeterministic(p, call, own);
        ir_before(p, call);
        if (!touches_no_memory(call, own, constraints))
            call_drain(p, call, own, length);
        else if (strstr(own, "cpuid")) /* it serializes */
            call_fence(&m, BITS_FULL);
        return;
    }
    /* Nothing in it: it only holds the compiler back, and keeps doing so. */
    if (t.step_count == 0)
        return;
    ir_before(p, call);
    load_cells(&m);
    for (int i = 0; i < t.step_count; i++)
        run_step(&m, &t.steps[i]);
    ir_replace(call, LLVMGetFirstUse(call) ? results(&m) : NULL);
}
