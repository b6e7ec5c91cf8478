/* SPDX-License-Identifier: MIT
 *
 * A litmus test as a C program that every other command takes.  Its assertion
 * fails in the executions that the statement speaks of: where `exists P' or
 * `~exists P' has an example, where `forall P' has a counterexample.
 *
 * Every location and register is one type, as wide as the widest access.  What
 * assembly does becomes a relaxed, acquire or release access and Fencer's
 * fences; what has no counterpart in C (exclusives, isb) is refused.
 */
#include <inttypes.h>
#include <string.h>

#include "litmus/litmus.h"
#include "litmus/reader.h"
#include "litmus/taint.h"
#include "model/axioms.h"

struct writer {
    const struct litmus *test;
    struct buf *out;
    struct err *err;
    const char *type; /* of everything */
    size_t thread;
    bool has_ldapr; /* that is a load acquire then, and ldar a seq_cst one */
};

static bool refuse(struct writer *w, const struct inst *op, const char *what)
{
    return err_set(w->err, "line %u: %s has no counterpart in C", op->line,
                   what);
}

/* ---- values ---- */

static void put_number(struct writer *w, int64_t v)
{
    uint32_t element;
    int location = litmus_location_at(w->test, v, &element);
    const struct location *l;

    if (location < 0) {
        buf_printf(w->out, "%" PRId64, v);
        return;
    }
    l = &w->test->locations.list[location];
    if (l->initial.count > 1)
        buf_printf(w->out, "(long long)&m_%s[%u]", l->name, element);
    else
        buf_printf(w->out, "(long long)&m_%s", l->name);
}

/* r_X0; what an expression needs on its way is t_0. */
static void put_register(struct writer *w, int reg)
{
    const char *name;

    if (reg <= REGISTER_ZERO) {
        buf_putc(w->out, '0');
        return;
    }
    name = w->test->threads[w->thread].registers[reg];
    if (*name == '%')
        buf_printf(w->out, "t_%s", name + 1);
    else
        buf_printf(w->out, "r_%s", name);
}

static void put_or(struct writer *w, const struct inst *op, int reg)
{
    if (op->immediate)
        put_number(w, op->imm);
    else
        put_register(w, reg);
}

static void put_address(struct writer *w, const struct inst *op)
{
    buf_printf(w->out, "(%s *)(", w->type);
    put_number(w, op->offset);
    for (int i = 0; i < 2; i++) {
        int reg = i ? op->index : op->base;

        if (reg > REGISTER_ZERO) {
            buf_puts(w->out, " + ");
            put_register(w, reg);
        }
    }
    buf_putc(w->out, ')');
}

/* ---- orders ---- */

static const char *order_name(uint8_t order)
{
    static const char *const names[] = {"RELAXED", "RELAXED", "ACQUIRE",
                                        "RELEASE", "ACQ_REL", "SEQ_CST"};

    return names[order];
}

/* Of C as it is written; of assembly by its marks, a locked one fully. */
static const char *order_of(const struct writer *w, const struct inst *op)
{
    bool rmw = op->kind == INST_RMW || op->kind == INST_CAS;
    bool acquires = op->kind != INST_STORE && op->read & (MARK_A | MARK_Q);
    bool releases = op->kind != INST_LOAD && op->write & MARK_L;

    if (w->test->arch == ARCH_C)
        return order_name(op->order);
    if (rmw && w->test->arch == ARCH_X86)
        return "SEQ_CST";
    if (w->has_ldapr && op->kind == INST_LOAD && op->read & MARK_A)
        return "SEQ_CST";
    return acquires && releases ? "ACQ_REL"
           : acquires           ? "ACQUIRE"
           : releases           ? "RELEASE"
                                : "RELAXED";
}

static bool is_plain(const struct writer *w, const struct inst *op)
{
    return w->test->arch == ARCH_C && op->order == LITMUS_NA;
}

/* ---- instructions ---- */

static const char *sign_of(enum alu alu)
{
    static const char *const signs[] = {
        [ALU_ADD] = "+",     [ALU_SUB] = "-",  [ALU_AND] = "&", [ALU_OR] = "|",
        [ALU_XOR] = "^",     [ALU_MUL] = "*",  [ALU_EQ] = "==", [ALU_NE] = "!=",
        [ALU_LT] = "<",      [ALU_LE] = "<=",  [ALU_GT] = ">",  [ALU_GE] = ">=",
        [ALU_CLEAR] = "& ~", [ALU_SHL] = "<<", [ALU_SAR] = ">>"};

    return alu < sizeof(signs) / sizeof(signs[0]) ? signs[alu] : NULL;
}

/* r_X0 = */
static void put_result(struct writer *w, int reg)
{
    if (reg > REGISTER_ZERO) {
        put_register(w, reg);
        buf_puts(w->out, " = ");
    }
}

static bool may_overflow(enum alu alu)
{
    return alu == ALU_ADD || alu == ALU_SUB || alu == ALU_MUL || alu == ALU_SHL;
}

static bool put_alu(struct writer *w, const struct inst *op)
{
    const char *sign = sign_of(op->alu);

    if (!sign)
        return refuse(w, op, "this arithmetic");
    if (op->d <= REGISTER_ZERO) /* nop */
        return true;
    put_result(w, op->d);
    if (op->size == 4 && may_overflow(op->alu))
        buf_puts(w->out, "(int)");
    buf_putc(w->out, '(');
    put_register(w, op->a);
    buf_printf(w->out, " %s ", sign);
    put_or(w, op, op->b);
    buf_putc(w->out, ')');
    return true;
}

static void put_load(struct writer *w, const struct inst *op)
{
    put_result(w, op->d);
    buf_puts(w->out, is_plain(w, op) ? "*" : "__atomic_load_n(");
    put_address(w, op);
    if (!is_plain(w, op))
        buf_printf(w->out, ", __ATOMIC_%s)", order_of(w, op));
}

static void put_store(struct writer *w, const struct inst *op)
{
    buf_puts(w->out, is_plain(w, op) ? "*" : "__atomic_store_n(");
    put_address(w, op);
    buf_puts(w->out, is_plain(w, op) ? " = " : ", ");
    put_or(w, op, op->a);
    if (!is_plain(w, op))
        buf_printf(w->out, ", __ATOMIC_%s)", order_of(w, op));
}

static bool put_rmw(struct writer *w, const struct inst *op)
{
    static const char *const names[] = {
        [ALU_SWAP] = "exchange_n", [ALU_ADD] = "fetch_add",
        [ALU_SUB] = "fetch_sub",   [ALU_AND] = "fetch_and",
        [ALU_OR] = "fetch_or",     [ALU_XOR] = "fetch_xor"};

    if (op->alu >= sizeof(names) / sizeof(names[0]) || !names[op->alu])
        return refuse(w, op, "this RMW");
    put_result(w, op->d);
    buf_printf(w->out, "__atomic_%s(", names[op->alu]);
    put_address(w, op);
    buf_puts(w->out, ", ");
    put_or(w, op, op->a);
    buf_printf(w->out, ", __ATOMIC_%s)", order_of(w, op));
    return true;
}

/* What fails is a load of its failure order; of assembly, of what is left of
 * its order without a store. */
static void put_cas(struct writer *w, const struct inst *op)
{
    const char *order = order_of(w, op);
    const char *failed = w->test->arch == ARCH_C ? order_name(op->failed)
                         : strcmp(order, "RELEASE") == 0 ? "RELAXED"
                         : strcmp(order, "ACQ_REL") == 0 ? "ACQUIRE"
                                                         : order;

    buf_printf(w->out, "{ %s was = ", w->type);
    put_register(w, op->d);
    buf_puts(w->out, "; ");
    if (op->boolean)
        put_result(w, op->d2);
    buf_puts(w->out, "__atomic_compare_exchange_n(");
    put_address(w, op);
    buf_puts(w->out, ", &was, ");
    put_or(w, op, op->a);
    buf_printf(w->out, ", %d, __ATOMIC_%s, __ATOMIC_%s); ", op->weak, order,
               failed);
    put_result(w, op->d);
    buf_puts(w->out, "was; }");
}

static bool put_fence(struct writer *w, const struct inst *op)
{
    static const struct {
        uint32_t mark, row;
        const char *name;
    } kinds[] = {{MARK_WW, MAPPED_FENCE_SS, "ss"},
                 {MARK_RR, MAPPED_FENCE_LL, "ll"},
                 {MARK_WR, MAPPED_FENCE_SL, "sl"},
                 {MARK_RW, MAPPED_FENCE_LS, "ls"},
                 {MARK_FULL, MAPPED_FENCE_FULL, "full"}};

    if (op->read & MARK_ISB)
        return refuse(w, op, "isb");
    if (w->test->arch == ARCH_C && !op->fence) {
        buf_printf(w->out, "__atomic_thread_fence(__ATOMIC_%s)",
                   order_name(op->order));
        return true;
    }
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (op->fence ? op->fence == kinds[i].row : op->read & kinds[i].mark)
            buf_printf(w->out, "fencer_fence_%s(); ", kinds[i].name);
    return true;
}

/* Does a branch of assembly only skip what computes? */
static bool skips_nothing(const struct writer *w, const struct inst *op)
{
    const struct thread *p = &w->test->threads[w->thread];
    size_t at = (size_t)(op - p->list);

    if (w->test->arch == ARCH_C || op->target <= at)
        return false;
    for (size_t i = at + 1; i < op->target; i++)
        if (p->list[i].kind != INST_ALU && p->list[i].kind != INST_SELECT &&
            p->list[i].kind != INST_SET)
            return false;
    return true;
}

/* if (a < b) goto L3
 *
 * A compiler drops a branch whose arms only compute, and with it what keeps
 * later stores behind its condition.  A load of what nobody stores to keeps
 * it, and has an order with nothing. */
static void put_branch(struct writer *w, const struct inst *op)
{
    buf_puts(w->out, "if (");
    put_register(w, op->a);
    buf_printf(w->out, " %s ", sign_of(op->alu));
    put_or(w, op, op->b);
    buf_printf(w->out, ") goto L%u", op->target);
    if (skips_nothing(w, op))
        buf_puts(w->out, ";\n    (void)skipped");
}

static void put_select(struct writer *w, const struct inst *op)
{
    put_result(w, op->d);
    put_register(w, op->c);
    buf_printf(w->out, " %s 0 ? ", sign_of(op->alu));
    put_register(w, op->a);
    buf_puts(w->out, " : ");
    put_register(w, op->b);
}

static bool put_op(struct writer *w, const struct inst *op)
{
    switch ((enum inst_kind)op->kind) {
    case INST_SET:
        put_result(w, op->d);
        put_number(w, op->imm);
        return true;
    case INST_ALU:
        return put_alu(w, op);
    case INST_LOAD:
        put_load(w, op);
        return true;
    case INST_STORE:
        put_store(w, op);
        return true;
    case INST_RMW:
        return put_rmw(w, op);
    case INST_CAS:
        put_cas(w, op);
        return true;
    case INST_FENCE:
        return put_fence(w, op);
    case INST_SELECT:
        put_select(w, op);
        return true;
    case INST_BRANCH:
        put_branch(w, op);
        return true;
    case INST_JUMP:
        buf_printf(w->out, "goto L%u", op->target);
        return true;
    case INST_STOP:
        buf_printf(w->out, "goto L%zu", w->test->threads[w->thread].count);
        return true;
    case INST_LX:
    case INST_SX:
        return refuse(w, op, "a pair of exclusives");
    case INST_TAINT:
        break;
    }
    return true;
}

/* ---- the program ---- */

static bool is_access(const struct inst *op)
{
    return op->kind == INST_LOAD || op->kind == INST_STORE ||
           op->kind == INST_RMW || op->kind == INST_CAS;
}

/* The widest access decides; narrow ones and arrays of another width do not
 * fit. */
static bool choose_type(struct writer *w)
{
    uint8_t width = 4;

    for (size_t i = 0; i < w->test->thread_count; i++) {
        const struct thread *p = &w->test->threads[i];

        if (w->test->arch == ARCH_AARCH64 && taint_mixes_cas(p))
            return err_set(w->err,
                           "P%zu: a CAS that compares with what was "
                           "loaded, and whose result is used, has no "
                           "counterpart in C",
                           i);
        for (size_t j = 0; j < p->count; j++) {
            if (is_access(&p->list[j]) && p->list[j].size < 4)
                return refuse(w, &p->list[j], "an access of this size");
            if (is_access(&p->list[j]) && p->list[j].size > width)
                width = p->list[j].size;
            if (w->test->arch == ARCH_AARCH64 && p->list[j].no_result)
                return refuse(w, &p->list[j], "an RMW without a result");
            w->has_ldapr |= (p->list[j].read & MARK_Q) != 0;
        }
    }
    for (size_t i = 0; i < w->test->locations.count; i++) {
        const struct location *l = &w->test->locations.list[i];

        if (l->initial.count > 1 && l->element != width)
            return err_set(w->err, "%s: an array of another width", l->name);
    }
    w->type = width == 8 ? "long long" : "int";
    return true;
}

static void put_locations(struct writer *w)
{
    for (size_t i = 0; i < w->test->locations.count; i++) {
        const struct location *l = &w->test->locations.list[i];

        buf_printf(w->out, "static %s m_%s", w->type, l->name);
        if (l->initial.count > 1)
            buf_printf(w->out, "[%zu]", l->initial.count);
        buf_puts(w->out, ";\n");
    }
}

static void put_initial(struct writer *w)
{
    for (size_t i = 0; i < w->test->locations.count; i++) {
        const struct location *l = &w->test->locations.list[i];

        for (size_t j = 0; j < l->initial.count; j++) {
            if (!l->initial.list[j])
                continue;
            buf_printf(w->out, "    m_%s", l->name);
            if (l->initial.count > 1)
                buf_printf(w->out, "[%zu]", j);
            buf_puts(w->out, " = ");
            put_number(w, l->initial.list[j]);
            buf_puts(w->out, ";\n");
        }
    }
}

static bool is_target(const struct thread *p, size_t at)
{
    for (size_t i = 0; i < p->count; i++)
        if ((p->list[i].kind == INST_BRANCH || p->list[i].kind == INST_JUMP) &&
            p->list[i].target == at)
            return true;
    return false;
}

static bool put_thread(struct writer *w)
{
    const struct thread *p = &w->test->threads[w->thread];

    buf_printf(w->out, "static void *thread_%zu(void *unused)\n{\n", w->thread);
    for (size_t i = REGISTER_FLAGS; i < p->register_count; i++) {
        buf_puts(w->out, "    long long ");
        put_result(w, (int)i);
        put_number(w, p->initial[i]);
        buf_puts(w->out, ";\n");
    }
    buf_puts(w->out, "\n    (void)unused;\n");
    for (size_t i = 0; i < p->count; i++) {
        if (is_target(p, i))
            buf_printf(w->out, "L%zu:;\n", i);
        buf_puts(w->out, "    ");
        if (!put_op(w, &p->list[i]))
            return false;
        buf_puts(w->out, ";\n");
    }
    buf_printf(w->out, "    goto L%zu;\nL%zu:;\n", p->count, p->count);
    for (size_t i = 0; i < w->test->shown.count; i++) {
        const struct shown *s = &w->test->shown.list[i];

        if (s->memory || s->thread != w->thread)
            continue;
        buf_printf(w->out, "    shown[%zu] = ", i);
        put_register(w, (int)s->place);
        buf_puts(w->out, ";\n");
    }
    buf_puts(w->out, "    return NULL;\n}\n\n");
    return true;
}

/* A number of 32 bits may be written with its sign or without. */
static void put_comparison(struct writer *w, const struct condition *c,
                           size_t shown)
{
    bool whole = c->op == CONDITION_REGISTER &&
                 w->test->threads[c->thread].types[c->place].width == 8;
    bool half = !whole && c->value >= INT32_MIN && c->value <= UINT32_MAX;

    buf_printf(w->out, "%sshown[%zu] == ", half ? "(int)" : "", shown);
    put_number(w, half ? (int32_t)c->value : c->value);
}

static void put_condition(struct writer *w, uint32_t at)
{
    const struct condition *c = &w->test->conditions.list[at];
    size_t shown = 0;

    switch ((enum condition_op)c->op) {
    case CONDITION_TRUE:
        buf_putc(w->out, '1');
        return;
    case CONDITION_NOT:
        buf_puts(w->out, "!(");
        put_condition(w, c->a);
        buf_putc(w->out, ')');
        return;
    case CONDITION_AND:
    case CONDITION_OR:
        buf_putc(w->out, '(');
        put_condition(w, c->a);
        buf_puts(w->out, c->op == CONDITION_AND ? " && " : " || ");
        put_condition(w, c->b);
        buf_putc(w->out, ')');
        return;
    case CONDITION_REGISTER:
    case CONDITION_MEMORY:
        break;
    }
    for (; shown < w->test->shown.count; shown++) {
        const struct shown *s = &w->test->shown.list[shown];

        if (s->memory == (c->op == CONDITION_MEMORY) &&
            s->thread == c->thread && s->place == c->place)
            break;
    }
    put_comparison(w, c, shown);
}

static void put_main(struct writer *w)
{
    const struct litmus *t = w->test;

    buf_printf(w->out, "int main(void)\n{\n    pthread_t threads[%zu];\n\n",
               t->thread_count);
    put_initial(w);
    for (size_t i = 0; i < t->thread_count; i++)
        buf_printf(w->out,
                   "    pthread_create(&threads[%zu], NULL, thread_%zu, "
                   "NULL);\n",
                   i, i);
    for (size_t i = 0; i < t->thread_count; i++)
        buf_printf(w->out, "    pthread_join(threads[%zu], NULL);\n", i);
    for (size_t i = 0; i < t->shown.count; i++) {
        if (!t->shown.list[i].memory)
            continue;
        buf_printf(w->out, "    shown[%zu] = *(%s *)(", i, w->type);
        put_number(w, t->shown.list[i].place);
        buf_puts(w->out, ");\n");
    }
    buf_puts(w->out, "    if (");
    put_condition(w, t->filter);
    buf_puts(w->out, t->quantifier == QUANTIFIER_FORALL
                         ? ")\n        assert("
                         : ")\n        assert(!");
    buf_putc(w->out, '(');
    put_condition(w, t->condition);
    buf_puts(w->out, "));\n    return 0;\n}\n");
}

static bool skips_anywhere(struct writer *w)
{
    bool found = false;

    for (w->thread = 0; w->thread < w->test->thread_count; w->thread++) {
        const struct thread *p = &w->test->threads[w->thread];

        for (size_t i = 0; i < p->count; i++)
            found |=
                p->list[i].kind == INST_BRANCH && skips_nothing(w, &p->list[i]);
    }
    w->thread = 0;
    return found;
}

bool litmus_to_c(const struct litmus *t, struct buf *out, struct err *e)
{
    struct writer w = {.test = t, .out = out, .err = e};

    if (!choose_type(&w))
        return false;
    buf_printf(out,
               "/* %s%s */\n#include <assert.h>\n#include <fencer.h>\n#include "
               "<pthread.h>\n#include <stddef.h>\n\n",
               t->name,
               w.has_ldapr ? ".  Acquire loads are ldapr: --model arm --rcpc"
                           : "");
    put_locations(&w);
    if (skips_anywhere(&w))
        buf_puts(out, "static volatile int skipped;\n");
    buf_printf(out, "static fencer_ghost long long shown[%zu];\n\n",
               t->shown.count + 1);
    for (; w.thread < t->thread_count; w.thread++)
        if (!put_thread(&w))
            return false;
    put_main(&w);
    return true;
}
