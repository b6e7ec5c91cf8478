/* SPDX-License-Identifier: MIT
 *
 * What every part of the oracles asks about a program.
 */
#include "program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const model_names[AXIOMS_COUNT] = {"sc", "tso", "pso", "pslo",
                                               "relaxed"};

_Noreturn void require_failed(const char *file, int line, const char *format,
                              ...)
{
    va_list args;

    fprintf(stderr, "%s:%d: ", file, line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(3);
}

uint64_t cut_to_size(uint64_t v, unsigned size)
{
    return size >= 8 ? v : v & ((1ull << (8 * size)) - 1);
}

uint64_t operand_value(struct operand o, const uint64_t *regs)
{
    return o.constant + (o.reg >= 0 ? regs[o.reg] : 0);
}

bool op_is_rmw(const struct op *op)
{
    return op->kind == OP_XCHG || op->kind == OP_ADD || op->kind == OP_CAS;
}

bool op_loads(const struct op *op)
{
    return op->kind == OP_LOAD || op_is_rmw(op);
}

bool op_synchronises(const struct op *op)
{
    return op->kind >= OP_LOCK && op->kind <= OP_TRYWAIT;
}

bool op_accesses(const struct op *op)
{
    return op_loads(op) || op->kind == OP_STORE || op->kind == OP_AWAIT ||
           op_synchronises(op);
}

bool program_holds(const struct program *p, const uint64_t *values)
{
    uint64_t stack[MAX_TERMS];
    size_t depth = 0;

    for (size_t i = 0; i < p->term_count; i++) {
        const struct term *t = &p->terms[i];
        uint64_t a, b;

        if (t->kind == TERM_OBSERVED || t->kind == TERM_CONSTANT) {
            stack[depth++] =
                t->kind == TERM_CONSTANT ? t->value : values[t->value];
            continue;
        }
        REQUIRE(depth >= 2, "%s: broken condition", p->name);
        b = stack[--depth];
        a = stack[--depth];
        stack[depth++] = t->kind == TERM_EQ    ? a == b
                         : t->kind == TERM_NE  ? a != b
                         : t->kind == TERM_AND ? a && b
                                               : a || b;
    }
    return depth == 1 && stack[0];
}

static bool place_equal(struct place a, struct place b)
{
    return a.var == b.var && a.offset == b.offset && a.size == b.size;
}

static bool operand_equal(struct operand a, struct operand b)
{
    return a.reg == b.reg && a.constant == b.constant;
}

static bool op_equal(const struct op *a, const struct op *b)
{
    return a->kind == b->kind && a->order == b->order &&
           a->fail_order == b->fail_order && a->bits == b->bits &&
           a->skip == b->skip && a->target == b->target && a->dest == b->dest &&
           a->dep == b->dep && a->index == b->index &&
           a->index_value == b->index_value && a->through == b->through &&
           place_equal(a->place, b->place) &&
           operand_equal(a->value, b->value) &&
           operand_equal(a->expected, b->expected);
}

static bool thread_equal(const struct thread *a, const struct thread *b)
{
    if (strcmp(a->name, b->name) || a->started != b->started ||
        a->op_count != b->op_count)
        return false;
    for (size_t i = 0; i < a->op_count; i++)
        if (!op_equal(&a->ops[i], &b->ops[i]))
            return false;
    return true;
}

static bool observed_equal(const struct observed *a, const struct observed *b)
{
    return !strcmp(a->label, b->label) && a->reg == b->reg &&
           place_equal(a->place, b->place);
}

bool program_equal(const struct program *a, const struct program *b)
{
    if (a->var_count != b->var_count || a->reg_count != b->reg_count ||
        a->thread_count != b->thread_count ||
        a->observed_count != b->observed_count ||
        a->term_count != b->term_count)
        return false;
    for (size_t i = 0; i < a->var_count; i++)
        if (strcmp(a->vars[i].name, b->vars[i].name) ||
            a->vars[i].kind != b->vars[i].kind ||
            a->vars[i].initial != b->vars[i].initial)
            return false;
    for (size_t i = 0; i < a->reg_count; i++)
        if (strcmp(a->regs[i], b->regs[i]))
            return false;
    for (size_t i = 0; i < a->thread_count; i++)
        if (!thread_equal(&a->threads[i], &b->threads[i]))
            return false;
    for (size_t i = 0; i < a->observed_count; i++)
        if (!observed_equal(&a->observed[i], &b->observed[i]))
            return false;
    for (size_t i = 0; i < a->term_count; i++)
        if (a->terms[i].kind != b->terms[i].kind ||
            a->terms[i].value != b->terms[i].value)
            return false;
    return true;
}
