/* SPDX-License-Identifier: MIT
 *
 * The cycle of a finding as a test in herd's format, in C: herd, and fencer
 * litmus, say of it what they say of any test.  Only the accesses of the cycle
 * are in it, with their orders and the fences between them; what else keeps a
 * pair in order, a dependency or an access between, is not.  So the model that
 * allows the execution allows the test, and SC does not.
 *
 *     P0 (atomic_int* x, atomic_int* y) {
 *       atomic_store_explicit(x, 1, memory_order_relaxed);
 *       int r0 = atomic_load_explicit(y, memory_order_relaxed);
 *     }
 *     exists (0:r0=0 /\ ...)
 */
#include <ctype.h>
#include <string.h>

#include "report/report.h"

#define NODES GOAL_NODES_MAX

/* One access of the cycle. */
struct access {
    const struct event *event;
    uint32_t number; /* in the trace */
    unsigned process, location, reg;
    unsigned value; /* that it writes; 0: it does not */
    uint32_t co;
    bool reads;
};

struct test {
    const struct shown *shown;
    struct access list[NODES];
    unsigned count, processes, locations;
    bool atomic[NODES];     /* per location */
    unsigned writes[NODES]; /* the same */
    uint16_t thread[NODES]; /* per process */
    struct buf *out;
    bool any; /* a part of the condition was written */
};

/* ---- What is in the cycle ---- */

static bool is_of_location(const struct access *a, const struct event *e)
{
    return a->event->object == e->object && a->event->offset == e->offset;
}

static unsigned location_of(struct test *t, const struct event *e)
{
    for (unsigned i = 0; i < t->count; i++) {
        if (is_of_location(&t->list[i], e))
            return t->list[i].location;
    }
    return t->locations++;
}

static unsigned process_of(struct test *t, const struct event *e)
{
    unsigned i = 0;

    while (i < t->processes && t->thread[i] != e->thread)
        i++;
    if (i == t->processes)
        t->thread[t->processes++] = e->thread;
    return i;
}

/* Where it stands in co: a store that waited has its place when it commits, or
 * after all others. */
static uint32_t place_of(const struct trace *t, uint32_t number)
{
    if (t->events[number].co || t->events[number].kind != EV_STORE)
        return t->events[number].co;
    for (size_t i = number; i < t->event_count; i++) {
        if (t->events[i].kind == EV_COMMIT && t->events[i].from == number + 1)
            return t->events[i].co;
    }
    return UINT32_MAX;
}

static void add_access(struct test *t, uint32_t number)
{
    const struct event *e = &t->shown->trace.events[number];
    struct access a = {.event = e,
                       .number = number,
                       .process = process_of(t, e),
                       .location = location_of(t, e),
                       .reg = t->count,
                       .reads = e->kind != EV_STORE};

    if (e->kind == EV_STORE || e->kind == EV_RMW) {
        a.co = place_of(&t->shown->trace, number);
        a.value = 1;
        t->writes[a.location]++;
    }
    if ((e->flags & EVF_ORDER) >= ORDER_RELAXED || e->kind == EV_RMW)
        t->atomic[a.location] = true;
    t->list[t->count++] = a;
}

/* Writes of a location have the values 1, 2, ... in the order of co. */
static void number_writes(struct test *t)
{
    for (unsigned i = 0; i < t->count; i++)
        for (unsigned k = 0; k < t->count; k++)
            if (t->list[i].value && t->list[k].value &&
                t->list[i].location == t->list[k].location &&
                (t->list[k].co < t->list[i].co ||
                 (t->list[k].co == t->list[i].co && k < i)))
                t->list[i].value++;
}

/* Mutexes and the like have no counterpart there. */
static bool is_data(const struct event *e)
{
    return e->kind == EV_LOAD || e->kind == EV_STORE || e->kind == EV_RMW ||
           e->kind == EV_CAS_FAIL;
}

static bool gather(struct test *t)
{
    const struct shown_cycle *c = &t->shown->cycle;

    for (uint32_t i = 0; i < c->length; i++) {
        if (!is_data(&t->shown->trace.events[c->events[i]]))
            return false;
        add_access(t, c->events[i]);
    }
    number_writes(t);
    return t->count > 0;
}

/* ---- Statements ---- */

static const char *c_order(unsigned order)
{
    switch (order) {
    case ORDER_ACQUIRE:
        return "memory_order_acquire";
    case ORDER_RELEASE:
        return "memory_order_release";
    case ORDER_ACQ_REL:
        return "memory_order_acq_rel";
    case ORDER_SEQ_CST:
        return "memory_order_seq_cst";
    default:
        return "memory_order_relaxed";
    }
}

/* A CAS that fails only reads. */
static unsigned load_order(unsigned order)
{
    return order == ORDER_RELEASE   ? ORDER_RELAXED
           : order == ORDER_ACQ_REL ? ORDER_ACQUIRE
                                    : order;
}

static void put_location(struct buf *out, unsigned location)
{
    buf_printf(out, "%c%s", "xyzwabcdefghijklm"[location % 17],
               location < 17 ? "" : "2");
}

static void put_access(struct test *t, const struct access *a)
{
    unsigned order = a->event->flags & EVF_ORDER;
    bool atomic = t->atomic[a->location];

    buf_puts(t->out, "  ");
    if (a->reads)
        buf_printf(t->out, "int r%u = ", a->reg);
    if (!atomic)
        buf_puts(t->out, "*");
    else
        buf_puts(t->out, a->reads && a->value ? "atomic_exchange_explicit("
                         : a->reads           ? "atomic_load_explicit("
                                              : "atomic_store_explicit(");
    put_location(t->out, a->location);
    if (a->value)
        buf_printf(t->out, atomic ? ", %u" : " = %u", a->value);
    if (atomic)
        buf_printf(t->out, ", %s)",
                   c_order(a->reads && !a->value ? load_order(order) : order));
    buf_puts(t->out, ";\n");
}

/* Of fencer.h's fences the C11 fence that keeps the same, or more. */
static unsigned fence_order(const struct event *e)
{
    unsigned bits = e->flags >> EVF_FENCE_SHIFT & 31;
    unsigned order = e->flags & EVF_ORDER;

    if (order != ORDER_SEQ_CST || !bits || bits & (FENCE_FULL | FENCE_SL))
        return order;
    return bits & FENCE_SS
               ? bits & ~(unsigned)FENCE_SS ? ORDER_ACQ_REL : ORDER_RELEASE
               : ORDER_ACQUIRE;
}

static void put_fences(struct test *t, uint32_t from, uint32_t to)
{
    const struct event *e = t->shown->trace.events;

    for (uint32_t i = from + 1; i < to; i++) {
        if (e[i].kind == EV_FENCE && e[i].thread == e[from].thread &&
            fence_order(&e[i]) > ORDER_RELAXED)
            buf_printf(t->out, "  atomic_thread_fence(%s);\n",
                       c_order(fence_order(&e[i])));
    }
}

/* The next of the process in the trace, after that one; NULL: none. */
static const struct access *next_of(const struct test *t, unsigned process,
                                    const struct access *after)
{
    const struct access *best = NULL;

    for (unsigned i = 0; i < t->count; i++) {
        const struct access *a = &t->list[i];

        if (a->process == process && (!after || a->number > after->number) &&
            (!best || a->number < best->number))
            best = a;
    }
    return best;
}

static void put_process(struct test *t, unsigned process)
{
    const struct access *a = NULL, *next;

    buf_printf(t->out, "P%u (", process);
    for (unsigned i = 0; i < t->locations; i++) {
        buf_printf(t->out, "%s%s* ", i ? ", " : "",
                   t->atomic[i] ? "atomic_int" : "int");
        put_location(t->out, i);
    }
    buf_puts(t->out, ") {\n");
    while ((next = next_of(t, process, a))) {
        if (a)
            put_fences(t, a->number, next->number);
        put_access(t, next);
        a = next;
    }
    buf_puts(t->out, "}\n");
}

/* ---- The condition ---- */

static void put_part(struct test *t)
{
    buf_puts(t->out, t->any ? " /\\ " : "exists (");
    t->any = true;
}

/* What it reads: what the edge to it says, or that from it. */
static void put_read(struct test *t, unsigned i)
{
    const struct access *a = &t->list[i];
    const struct access *before = &t->list[(i + t->count - 1) % t->count];
    const struct access *next = &t->list[(i + 1) % t->count];
    bool reads_it = before->process != a->process && before->value;
    bool is_older = next->process != a->process && next->value && !a->value;

    if (!a->reads || (!reads_it && !is_older))
        return;
    put_part(t);
    buf_printf(t->out, "%u:r%u=%u", a->process, a->reg,
               reads_it ? before->value : next->value - 1);
}

static void put_condition(struct test *t)
{
    for (unsigned i = 0; i < t->count; i++)
        put_read(t, i);
    for (unsigned i = 0; i < t->locations; i++) {
        if (t->writes[i] < 2)
            continue;
        put_part(t);
        put_location(t->out, i);
        buf_printf(t->out, "=%u", t->writes[i]);
    }
    buf_puts(t->out, ")\n");
}

/* ---- The file ---- */

/* The program's name, as a word. */
static void put_name(struct test *t)
{
    const char *name = t->shown->finding.program, *slash = strrchr(name, '/');

    name = slash ? slash + 1 : name;
    buf_puts(t->out, "C ");
    for (; *name && strcmp(name, ".c") != 0; name++)
        buf_putc(t->out, isalnum((unsigned char)*name) ? *name : '-');
    buf_printf(t->out, "-%s\n", t->shown->finding.model->name);
}

/* What the locations are in the program. */
static void put_places(struct test *t)
{
    for (unsigned i = 0; i < t->count; i++) {
        const struct access *a = &t->list[i];
        const struct fencer_site *s = &t->shown->trace.sites[a->event->site];

        buf_puts(t->out, "(* ");
        put_location(t->out, a->location);
        buf_printf(t->out, " in P%u: ", a->process);
        for (const char *c = *s->name ? s->name : "memory"; *c; c++)
            buf_putc(t->out, *c == '*' || *c == '(' || *c == ')' ? ' ' : *c);
        buf_printf(t->out, ", %s:%u *)\n", s->file, s->line);
    }
}

static bool put_test(const struct shown *s, struct buf *out)
{
    struct test t = {.shown = s, .out = out};

    if (!s->cycle.length || !gather(&t))
        return false;
    put_name(&t);
    put_places(&t);
    buf_puts(out, "{ }\n");
    for (unsigned i = 0; i < t.processes; i++)
        put_process(&t, i);
    put_condition(&t);
    return true;
}

void report_litmus(const struct report *r, struct buf *out)
{
    for (size_t i = 0; i < r->finding_count; i++) {
        if (put_test(r->findings[i], out))
            return;
    }
    buf_puts(out, "(* no finding has a cycle of data accesses *)\n");
}
