/* SPDX-License-Identifier: MIT
 *
 * A flat test as text: the threads with their events, and below the values
 * that these name.  For people who ask why something was encoded as it was.
 */
#include "flat_text.h"

#include <inttypes.h>

static const char *const kinds[] = {"load",  "store", "fence", "create",
                                    "start", "exit",  "join",  "free"};
static const char *const cuts[] = {"bound", "idle", "once"};
static const char *const constructs[] = {
#define CONSTRUCT(name, words) words,
    MODEL_CONSTRUCTS(CONSTRUCT)
#undef CONSTRUCT
};

static void put_value(const struct flat *f, uint32_t value, struct buf *out)
{
    if (value == FLAT_TRUE || value == FLAT_FALSE)
        buf_puts(out, value == FLAT_TRUE ? "true" : "false");
    else if (f->values[value].op == FLAT_CONSTANT)
        lsl_put_value(f->values[value].constant, out);
    else
        buf_printf(out, "v%" PRIu32, value);
}

static void put_operands(const struct flat *f, const struct flat_value *x,
                         const char *word, struct buf *out)
{
    const uint32_t operands[] = {x->a, x->b, x->c};

    buf_puts(out, word);
    for (int i = 0; i < 3 && operands[i]; i++) {
        buf_putc(out, ' ');
        put_value(f, operands[i], out);
    }
}

static void put_definition(const struct flat *f, uint32_t value,
                           struct buf *out)
{
    static const char *const words[] = {[FLAT_ITE] = "ite",
                                        [FLAT_NOT] = "not",
                                        [FLAT_AND] = "and",
                                        [FLAT_TRUTH] = "truth",
                                        [FLAT_IS_UNDEFINED] = "undefined",
                                        [FLAT_SAME] = "same"};
    const struct flat_value *x = &f->values[value];

    buf_printf(out, "  v%" PRIu32, value);
    if (x->width)
        buf_printf(out, ":%u", x->width);
    buf_puts(out, " = ");
    if (x->op == FLAT_LOADED)
        buf_printf(out, "loaded e%" PRIu32, x->a);
    else if (x->op == FLAT_CHOSEN)
        buf_printf(out, "chosen below %" PRIu64, x->constant.bits);
    else
        put_operands(f, x,
                     x->op == FLAT_PURE ? lsl_pure_word((enum lsl_pure)x->pure)
                                        : words[x->op],
                     out);
    buf_putc(out, '\n');
}

static void put_place(const struct flat *f, uint32_t guard, uint32_t site,
                      struct buf *out)
{
    if (guard != FLAT_TRUE) {
        buf_puts(out, " if ");
        put_value(f, guard, out);
    }
    if (site) {
        buf_puts(out, "  ; ");
        lsl_put_site(f->program, site, out);
    }
    buf_putc(out, '\n');
}

static void put_event(const struct flat *f, uint32_t number, struct buf *out)
{
    const struct flat_event *e = &f->events[number];

    buf_printf(out, "  e%" PRIu32 " %s", number, kinds[e->kind]);
    if (e->unit)
        buf_printf(out, " (unit %" PRIu32 ")", e->unit);
    if (e->kind == FLAT_CREATE || e->kind == FLAT_JOIN)
        buf_printf(out, " thread %" PRIu32, e->other);
    if (e->kind == FLAT_FENCE && e->fences)
        buf_printf(out, " %u", e->fences);
    if (e->address) {
        buf_putc(out, ' ');
        put_value(f, e->address, out);
    }
    if (e->kind == FLAT_LOAD || e->kind == FLAT_STORE) {
        buf_printf(out, ":%u %s ", e->size,
                   e->kind == FLAT_LOAD ? "gives" : "gets");
        put_value(f, e->value, out);
    }
    if (e->kind <= FLAT_FENCE && !e->fences)
        buf_printf(out, " [%s]", constructs[e->construct]);
    put_place(f, e->guard, e->site, out);
}

static void put_ends(const struct flat *f, struct buf *out)
{
    for (uint32_t i = 0; i < f->assume_count; i++) {
        buf_puts(out, "assume ");
        put_value(f, f->assumes[i].condition, out);
        put_place(f, f->assumes[i].guard, f->assumes[i].site, out);
    }
    for (uint32_t i = 0; i < f->error_count; i++) {
        buf_printf(out, "error \"%s\"",
                   f->errors[i].text ? f->errors[i].text : "");
        put_place(f, f->errors[i].guard, f->errors[i].site, out);
    }
    for (uint32_t i = 0; i < f->cut_count; i++) {
        buf_printf(out, "cut %s", cuts[f->cuts[i].kind]);
        put_place(f, f->cuts[i].guard, f->cuts[i].site, out);
    }
    for (uint32_t i = 0; i < f->observe_count; i++) {
        buf_printf(out, "observe %s ", f->observes[i].label);
        put_value(f, f->observes[i].value, out);
        put_place(f, f->observes[i].guard, f->observes[i].site, out);
    }
}

void flat_put(const struct flat *f, struct buf *out)
{
    for (uint32_t t = 0; t < f->thread_count; t++) {
        buf_printf(out, "thread %" PRIu32 "\n", t);
        for (uint32_t i = 0; i < f->threads[t].count; i++)
            put_event(f, f->threads[t].first + i, out);
    }
    put_ends(f, out);
    for (uint32_t i = FLAT_FALSE + 1; i < f->value_count; i++)
        if (f->values[i].op != FLAT_CONSTANT)
            put_definition(f, i, out);
}
