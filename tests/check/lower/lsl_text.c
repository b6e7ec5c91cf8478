/* SPDX-License-Identifier: MIT
 *
 * The load-store language as text, for tests and for people who look for a
 * mistake:
 *
 *   proc left_body()
 *     block 0
 *       store4 #1, 1                    ; sb.c:17:7 x
 *       %2 = load4 #2                   ; sb.c:18:10 y
 *       return
 *
 * Registers are %n, constants their value, parameters %0, %1, ...
 */
#include "lsl_text.h"

#define COMMENT_COLUMN 48

static const char *const inst_words[] = {
#define INST(name, word) word,
    LSL_INSTS(INST)
#undef INST
};

static const char *const rmw_words[] = {"xchg", "add",  "sub", "and",
                                        "nand", "or",   "xor", "max",
                                        "min",  "umax", "umin"};

struct dump {
    const struct lsl_program *program;
    const struct lsl_proc *proc;
    struct buf *out;
};

/* ---- Instructions ---- */

static void put_reg(struct dump *d, uint32_t reg)
{
    const struct lsl_proc *p = d->proc;

    if (reg == LSL_NONE)
        buf_puts(d->out, "-");
    else if (reg >= p->param_count && reg - p->param_count < p->constant_count)
        lsl_put_value(p->constants[reg - p->param_count], d->out);
    else
        buf_printf(d->out, "%%%u", reg);
}

static void put_regs(struct dump *d, const struct lsl_inst *i)
{
    const uint32_t regs[] = {i->a, i->b, i->c};
    const char *between = " ";

    for (int k = 0; k < 3; k++) {
        if (regs[k] == LSL_NONE)
            continue;
        buf_puts(d->out, between);
        put_reg(d, regs[k]);
        between = ", ";
    }
}

static void put_call(struct dump *d, const struct lsl_inst *i)
{
    buf_putc(d->out, ' ');
    if (i->proc == LSL_NONE) {
        buf_putc(d->out, '*');
        put_reg(d, i->a);
    } else {
        buf_puts(d->out, d->program->procs[i->proc].name);
    }
    buf_putc(d->out, '(');
    for (uint32_t k = 0; k < i->count; k++) {
        if (k)
            buf_puts(d->out, ", ");
        put_reg(d, d->proc->args[i->first + k]);
    }
    buf_putc(d->out, ')');
}

static void put_phi(struct dump *d, const struct lsl_inst *i)
{
    for (uint32_t k = 0; k < i->count; k++) {
        const struct lsl_edge *e = &d->proc->edges[i->first + k];

        buf_printf(d->out, "%s%u: ", k ? ", " : " ", e->block);
        put_reg(d, e->reg);
    }
}

static void put_fences(struct dump *d, unsigned bits)
{
    static const char *const words[] = {"ss", "sl", "ll", "ls", "full"};

    for (int k = 0; k < 5; k++) {
        if (bits & (1u << k))
            buf_printf(d->out, " %s", words[k]);
    }
}

/* What kind of it: "4 acquire private", "add i32". */
static void put_kind(struct dump *d, const struct lsl_inst *i)
{
    struct buf *out = d->out;

    if (i->op == LSL_PURE)
        buf_puts(out, lsl_pure_word(i->pure));
    else
        buf_puts(out, inst_words[i->op]);
    if (i->size)
        buf_printf(out, "%u", i->size);
    if (i->op == LSL_PURE && i->in_width != i->width)
        buf_printf(out, " i%u", i->in_width);
    if (i->width && i->width != 8u * i->size)
        buf_printf(out, " i%u", i->width);
    if (i->op == LSL_RMW)
        buf_printf(out, " %s", rmw_words[i->pure]);
    if (i->order != ORDER_PLAIN)
        buf_printf(out, " %s", order_words(i->order));
    if (i->op == LSL_CAS)
        buf_printf(out, "/%s", order_words(i->fail_order));
    if (i->flags & LSL_PRIVATE)
        buf_puts(out, " private");
    if (i->flags & LSL_GHOST)
        buf_puts(out, " ghost");
    if (i->flags & LSL_ZEROED)
        buf_puts(out, " zeroed");
    if (i->flags & LSL_WEAK)
        buf_puts(out, " weak");
    if (i->flags & LSL_WIDE)
        buf_puts(out, " wide");
    if (i->flags & LSL_UPPER)
        buf_puts(out, " upper");
}

static void put_operands(struct dump *d, const struct lsl_inst *i)
{
    switch (i->op) {
    case LSL_CALL:
        put_call(d, i);
        break;
    case LSL_PHI:
        put_phi(d, i);
        break;
    case LSL_FENCE:
        put_fences(d, i->fences);
        break;
    case LSL_STACK:
        buf_printf(d->out, " %llu", (unsigned long long)i->bytes);
        break;
    default:
        put_regs(d, i);
    }
    if (i->text)
        buf_printf(d->out, " \"%s\"", i->text);
}

static void put_comment(struct dump *d, size_t start, uint32_t site)
{
    const struct fencer_site *s = &d->program->sites[site];
    size_t length = d->out->count - start;

    if (site) {
        buf_pad(d->out, ' ',
                length < COMMENT_COLUMN ? COMMENT_COLUMN - length : 1);
        buf_printf(d->out, "; %u:%u", s->line, s->column);
        if (*s->name)
            buf_printf(d->out, " %s", s->name);
    }
    buf_putc(d->out, '\n');
}

static void put_inst(struct dump *d, const struct lsl_inst *i)
{
    size_t start = d->out->count;

    buf_puts(d->out, "        ");
    if (i->dst != LSL_NONE) {
        put_reg(d, i->dst);
        buf_puts(d->out, " = ");
    }
    put_kind(d, i);
    put_operands(d, i);
    put_comment(d, start, i->site);
}

/* ---- Blocks ---- */

static void put_end(struct dump *d, const struct lsl_block *b)
{
    size_t start = d->out->count;

    buf_puts(d->out, "        ");
    if (b->then == LSL_NONE) {
        buf_puts(d->out, "return");
        if (b->result != LSL_NONE) {
            buf_putc(d->out, ' ');
            put_reg(d, b->result);
        }
    } else if (b->cond == LSL_NONE) {
        buf_printf(d->out, "goto %u", b->then);
    } else {
        buf_puts(d->out, "if ");
        put_reg(d, b->cond);
        buf_printf(d->out, " goto %u else %u", b->then, b->otherwise);
    }
    put_comment(d, start, b->cond == LSL_NONE ? 0 : b->site);
}

static void put_loops(struct dump *d)
{
    for (uint32_t i = 0; i < d->proc->loop_count; i++) {
        const struct lsl_loop *l = &d->proc->loops[i];

        buf_printf(d->out, "    loop %u: blocks %u to %u", i, l->header,
                   l->last);
        if (l->parent != LSL_NONE)
            buf_printf(d->out, ", in loop %u", l->parent);
        buf_printf(d->out, ", line %u\n", d->program->sites[l->site].line);
    }
}

static void put_proc(struct dump *d)
{
    const struct lsl_proc *p = d->proc;

    buf_printf(d->out, "proc %s(", p->name);
    for (uint32_t i = 0; i < p->param_count; i++)
        buf_printf(d->out, "%s%%%u", i ? ", " : "", i);
    buf_printf(d->out, ")%s%s\n", p->address_taken ? " address-taken" : "",
               p->defined ? "" : " undefined");
    put_loops(d);
    for (uint32_t i = 0; i < p->block_count; i++) {
        const struct lsl_block *b = &p->blocks[i];

        buf_printf(d->out, "    block %u", i);
        if (b->loop != LSL_NONE)
            buf_printf(d->out, " in loop %u", b->loop);
        buf_putc(d->out, '\n');
        for (uint32_t k = 0; k < b->count; k++)
            put_inst(d, &p->insts[b->first + k]);
        put_end(d, b);
    }
}

/* ---- The program ---- */

static void put_object(const struct lsl_program *p, uint32_t number,
                       struct buf *out)
{
    const struct lsl_object *o = &p->objects[number];

    buf_printf(out, "object #%u %s", number, o->name);
    if (o->proc != LSL_NONE) {
        buf_printf(out, ": proc %s\n", p->procs[o->proc].name);
        return;
    }
    buf_printf(out, ": %llu bytes%s%s%s", (unsigned long long)o->size,
               o->ghost ? ", ghost" : "", o->constant ? ", constant" : "",
               o->thread_local ? ", thread-local" : "");
    if (o->fields)
        buf_printf(out, " (%s)", o->fields);
    for (uint32_t i = 0; i < o->cell_count; i++) {
        const struct lsl_cell *c = &o->cells[i];

        buf_printf(out, "%s+%llu:%u ", i ? ", " : " = ",
                   (unsigned long long)c->offset, c->size);
        lsl_put_value(c->value, out);
    }
    buf_putc(out, '\n');
}

void lsl_put_program(const struct lsl_program *p, struct buf *out)
{
    for (uint32_t i = 1; i < p->object_count; i++)
        put_object(p, i, out);
    if (p->init != LSL_NONE)
        buf_printf(out, "init %s\n", p->procs[p->init].name);
    if (p->main != LSL_NONE)
        buf_printf(out, "main %s\n", p->procs[p->main].name);
    for (uint32_t i = 0; i < p->operation_count; i++)
        buf_printf(out, "operation %s: %s\n", p->operations[i].name,
                   p->procs[p->operations[i].proc].name);
    for (uint32_t i = 0; i < p->test_count; i++)
        buf_printf(out, "test %s: %s\n", p->tests[i].name,
                   p->tests[i].notation);
    for (uint32_t i = 0; i < p->proc_count; i++) {
        struct dump d = {p, &p->procs[i], out};

        put_proc(&d);
    }
}
