/* SPDX-License-Identifier: MIT
 *
 * The inverse of parse.c: parse(print(p)) is p, which test_parse.c checks. Only
 * arrays and pointers are not read back.
 */
#include "print.h"

#include <inttypes.h>

static const char *const order_names[ORDER_COUNT] = {
    [PLAIN] = "plain",
    [RELAXED] = "__ATOMIC_RELAXED",
    [CONSUME] = "__ATOMIC_CONSUME",
    [ACQUIRE] = "__ATOMIC_ACQUIRE",
    [RELEASE] = "__ATOMIC_RELEASE",
    [ACQ_REL] = "__ATOMIC_ACQ_REL",
    [SEQ_CST] = "__ATOMIC_SEQ_CST",
};

static void print_place(FILE *out, const struct program *p, struct place place)
{
    const char *part = place.size == 4   ? "word"
                       : place.size == 2 ? "half"
                                         : "byte";

    fputs(p->vars[place.var].name, out);
    if (p->vars[place.var].kind == VAR_ARRAY)
        fprintf(out, "[%d]", place.offset / place.size);
    if (p->vars[place.var].kind != VAR_CELL)
        return;
    if (place.size == 8)
        fputs(".whole", out);
    else
        fprintf(out, ".%s[%d]", part, place.offset / place.size);
}

/* x, a[r0 == 1], *p */
static void print_target(FILE *out, const struct program *p,
                         const struct op *op)
{
    if (op->index) {
        fprintf(out, "%s[%s == %d]", p->vars[op->place.var].name,
                p->regs[op->index - 1], op->index_value);
        return;
    }
    fputs(op->through ? "*" : "", out);
    print_place(out, p, op->place);
}

static void print_address(FILE *out, const struct program *p,
                          const struct op *op)
{
    fputs(op->dep >= 0 ? "dep(&" : "&", out);
    print_target(out, p, op);
    if (op->dep >= 0)
        fprintf(out, ", %s)", p->regs[op->dep]);
}

static void print_operand(FILE *out, const struct program *p, struct operand o)
{
    if (o.reg < 0)
        fprintf(out, "%" PRIu64, o.constant);
    else if (o.constant)
        fprintf(out, "%s + %" PRIu64, p->regs[o.reg], o.constant);
    else
        fputs(p->regs[o.reg], out);
}

/* name(&x, value, order) */
static void print_access(FILE *out, const struct program *p,
                         const struct op *op, const char *name, bool value)
{
    fprintf(out, "%s(", name);
    print_address(out, p, op);
    if (op->kind == OP_CAS) {
        fputs(", ", out);
        print_operand(out, p, op->expected);
    }
    if (value) {
        fputs(", ", out);
        print_operand(out, p, op->value);
    }
    fprintf(out, ", %s", order_names[op->order]);
    if (op->kind == OP_CAS)
        fprintf(out, ", %s", order_names[op->fail_order]);
    fputc(')', out);
}

static void print_load(FILE *out, const struct program *p, const struct op *op)
{
    if (op->order != PLAIN) {
        print_access(out, p, op, "__atomic_load_n", false);
    } else if (op->dep >= 0) {
        fputc('*', out);
        print_address(out, p, op);
    } else {
        print_target(out, p, op);
    }
}

static void print_store(FILE *out, const struct program *p, const struct op *op)
{
    if (op->order != PLAIN) {
        print_access(out, p, op, "__atomic_store_n", true);
        return;
    }
    print_target(out, p, op);
    fputs(" = ", out);
    if (p->vars[op->place.var].kind == VAR_POINTER && !op->through)
        fprintf(out, "&%s", p->vars[op->value.constant - ADDRESS_OF].name);
    else
        print_operand(out, p, op->value);
}

static const char *fence_name(unsigned bits)
{
    return bits == SS   ? "ss"
           : bits == SL ? "sl"
           : bits == LL ? "ll"
           : bits == LS ? "ls"
                        : "full";
}

static void print_simple(FILE *out, const struct program *p,
                         const struct op *op)
{
    switch ((enum op_kind)op->kind) {
    case OP_LOAD:
        print_load(out, p, op);
        break;
    case OP_STORE:
        print_store(out, p, op);
        break;
    case OP_XCHG:
        print_access(out, p, op, "__atomic_exchange_n", true);
        break;
    case OP_ADD:
        print_access(out, p, op, "__atomic_fetch_add", true);
        break;
    case OP_CAS:
        print_access(out, p, op, "cas", true);
        break;
    case OP_FENCE:
        fprintf(out, "fencer_fence_%s()", fence_name(op->bits));
        break;
    case OP_C11_FENCE:
        fprintf(out, "__atomic_thread_fence(%s)", order_names[op->order]);
        break;
    case OP_LOCK:
        fprintf(out, "pthread_mutex_lock(&%s)", p->vars[op->place.var].name);
        break;
    case OP_TRYLOCK:
        fprintf(out, "pthread_mutex_trylock(&%s)", p->vars[op->place.var].name);
        break;
    case OP_UNLOCK:
        fprintf(out, "pthread_mutex_unlock(&%s)", p->vars[op->place.var].name);
        break;
    case OP_POST:
        fprintf(out, "sem_post(&%s)", p->vars[op->place.var].name);
        break;
    case OP_WAIT:
        fprintf(out, "sem_wait(&%s)", p->vars[op->place.var].name);
        break;
    case OP_TRYWAIT:
        fprintf(out, "trywait(&%s)", p->vars[op->place.var].name);
        break;
    case OP_SPAWN:
        fprintf(out, "SPAWN(%s)", p->threads[op->target].name);
        break;
    case OP_JOIN:
        fprintf(out, "JOIN(%s)", p->threads[op->target].name);
        break;
    case OP_AWAIT:
        fputs("while (", out);
        print_place(out, p, op->place);
        fprintf(out, " %s %" PRIu64 ")\n        ",
                op->bits ? "==" : "!=", op->value.constant);
        break;
    case OP_CHOOSE:
        fprintf(out, "fencer_choose(%" PRIu64 ")", op->value.constant);
        break;
    case OP_NONE:
    case OP_NOTHING:
    case OP_IF:
    case OP_ATOMIC:
        fputs("compiler_barrier()", out);
        break;
    }
}

static void print_ops(FILE *out, const struct program *p,
                      const struct thread *t, size_t from, size_t to,
                      int indent)
{
    for (size_t i = from; i < to; i++) {
        const struct op *op = &t->ops[i];

        fprintf(out, "%*s", indent, "");
        if (op->kind == OP_IF) {
            fprintf(out, "if (%s == %" PRIu64 ") {\n", p->regs[op->dest],
                    op->value.constant);
            print_ops(out, p, t, i + 1, i + 1 + op->skip, indent + 4);
            fprintf(out, "%*s}\n", indent, "");
            i += op->skip;
            continue;
        }
        if (op->kind == OP_ATOMIC) {
            fputs("fencer_atomic {\n", out);
            print_ops(out, p, t, i + 1, i + 1 + op->skip, indent + 4);
            fprintf(out, "%*s}\n", indent, "");
            i += op->skip;
            continue;
        }
        if (op->dest >= 0)
            fprintf(out, "%s = ", p->regs[op->dest]);
        print_simple(out, p, op);
        fputs(";\n", out);
    }
}

static void print_threads(FILE *out, const struct program *p)
{
    /* A thread that another starts must be known before. */
    for (int started = 0; started < 2; started++)
        for (size_t t = 0; t < p->thread_count; t++) {
            if (p->threads[t].started != started)
                continue;
            fprintf(out, "\nTHREAD(%s)\n{\n", p->threads[t].name);
            print_ops(out, p, &p->threads[t], 0, p->threads[t].op_count, 4);
            fputs("}\n", out);
        }
}

static void print_declarations(FILE *out, const struct program *p)
{
    static const char *const types[] = {
        [VAR_INT] = "int",         [VAR_ATOMIC] = "_Atomic int",
        [VAR_CELL] = "union cell", [VAR_MUTEX] = "pthread_mutex_t",
        [VAR_SEM] = "sem_t",       [VAR_ARRAY] = "int",
        [VAR_POINTER] = "int *",
    };

    fputs("#include \"litmus.h\"\n\n", out);
    for (size_t i = 0; i < p->var_count; i++) {
        const struct var *v = &p->vars[i];

        fprintf(out, "%s %s", types[v->kind], v->name);
        if (v->kind == VAR_ARRAY)
            fputs("[2]", out);
        else if (v->kind == VAR_POINTER)
            fprintf(out, " = &%s", p->vars[v->initial - ADDRESS_OF].name);
        else if (v->kind == VAR_MUTEX)
            fputs(" = PTHREAD_MUTEX_INITIALIZER", out);
        else if (v->initial)
            fprintf(out, " = %" PRIu64, v->initial);
        fputs(";\n", out);
    }
    for (size_t i = 0; i < p->reg_count; i++)
        fprintf(out, "%s%s", i ? ", " : "fencer_ghost long ", p->regs[i]);
    fputs(p->reg_count ? ";\n" : "", out);
}

static void print_condition(FILE *out, const struct program *p, size_t end);

/* An operand of && or ||, in the parentheses it needs to be read back. */
static void print_side(FILE *out, const struct program *p, size_t end,
                       bool parentheses)
{
    fputs(parentheses ? "(" : "", out);
    print_condition(out, p, end);
    fputs(parentheses ? ")" : "", out);
}

/* Back from postfix; the terms before `end` are one condition, and every
 * comparison is three of them. */
static void print_condition(FILE *out, const struct program *p, size_t end)
{
    enum term_kind kind = p->terms[end - 1].kind, left, right;
    size_t split = end - 1, open = 1;

    if (kind == TERM_EQ || kind == TERM_NE) {
        fprintf(out, "%s %s %" PRIu64,
                p->observed[p->terms[end - 3].value].label,
                kind == TERM_EQ ? "==" : "!=", p->terms[end - 2].value);
        return;
    }
    /* The right side is the shortest run of terms that makes one value. */
    while (open) {
        enum term_kind k = p->terms[--split].kind;

        if (k == TERM_OBSERVED || k == TERM_CONSTANT)
            open--;
        else
            open++;
    }
    left = p->terms[split - 1].kind;
    right = p->terms[end - 2].kind;
    print_side(out, p, split, kind == TERM_AND && left == TERM_OR);
    fputs(kind == TERM_AND ? " && " : " || ", out);
    print_side(out, p, end - 1,
               right == TERM_OR || (kind == TERM_AND && right == TERM_AND));
}

static void print_look(FILE *out, const struct program *p)
{
    bool first = true;

    for (size_t t = 0; t < p->thread_count; t++) {
        if (!p->threads[t].started)
            continue;
        fprintf(out, "%s%s", first ? "" : ", ", p->threads[t].name);
        first = false;
    }
    fputs(")\n{\n", out);
    for (size_t i = 0; i < p->observed_count; i++)
        fprintf(out, "    OBSERVE(%s);\n", p->observed[i].label);
    if (p->term_count) {
        fputs("    EXISTS(", out);
        print_condition(out, p, p->term_count);
        fputs(");\n", out);
    }
    fputs("}\n", out);
}

void print_litmus(FILE *out, const struct program *p)
{
    print_declarations(out, p);
    print_threads(out, p);
    fputs("\nLITMUS(", out);
    print_look(out, p);
}

void print_batch(FILE *out, const struct program *list, size_t count)
{
    print_declarations(out, &list[0]);
    for (size_t i = 0; i < count; i++) {
        print_threads(out, &list[i]);
        fprintf(out, "\nPROGRAM(%s, ", list[i].name);
        print_look(out, &list[i]);
    }
    fputs("\nBATCH(", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%s", i ? ", " : "", list[i].name);
    fputs(")\n", out);
}
