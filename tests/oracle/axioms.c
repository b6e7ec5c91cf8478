/* SPDX-License-Identifier: MIT
 *
 * Every order <M that keeps what the model keeps of program order is built,
 * one event after the other; each complete one gives an outcome.
 *
 * Whether a CAS swaps decides what it keeps, and is known only once values
 * are.  So we guess for every CAS, build the orders that fit the guess, and
 * drop those whose values say otherwise.
 *
 * Values are found last, by asking: a load may take the value of an own store
 * that comes later in <M (it was forwarded), and that store may depend on a
 * load that comes later still.  No value depends on itself: what feeds a
 * store comes before it in <M.
 */
#include "axioms.h"

#include <string.h>

enum { MAX_EVENTS = 12 };

struct event {
    const struct micro *m;
    uint8_t thread;
    uint8_t atom;
    bool loads, writes, rmw; /* rmw: also a CAS that fails */
    uint16_t before;         /* events that must precede it in <M */
    unsigned place;          /* in <M */
    bool known;              /* `read` is computed */
    uint64_t read;
};

struct builder {
    struct lowered l;
    size_t count;
    struct event events[MAX_EVENTS];
    unsigned cas_count;
    struct outcomes *out;
};

/* ---- what is kept of program order ---- */

static bool kept_on_tso(const struct event *x, const struct event *y,
                        unsigned between)
{
    return x->loads || (x->writes && y->writes) || y->rmw ||
           (between & (SL | FULL));
}

static bool kept_on_pslo(const struct event *x, const struct event *y,
                         unsigned between)
{
    bool same = x->atom == y->atom;

    if (between & FULL)
        return true;
    if (x->loads && (y->writes || y->rmw))
        return true;
    if (x->writes && y->writes && (same || (between & SS)))
        return true;
    /* A CAS that fails writes nothing, but waits for its own address. */
    if (x->writes && y->rmw && same)
        return true;
    if (x->writes && y->loads && (between & SL))
        return true;
    return x->loads && y->loads && (same || (between & LL));
}

static bool kept(enum model model, const struct event *x, const struct event *y,
                 unsigned between)
{
    switch (model) {
    case SC:
        return true;
    case TSO:
        return kept_on_tso(x, y, between);
    case PSO:
        return x->loads || kept_on_pslo(x, y, between);
    default:
        return kept_on_pslo(x, y, between);
    }
}

static unsigned fences_before(const struct event *e)
{
    return e->writes ? e->m->before : e->m->fail_before;
}

static unsigned fences_after(const struct event *e)
{
    return e->writes ? e->m->after : e->m->fail_after;
}

/* All fences of the thread between events x and y: fence micros, and those
 * that belong to RMWs. */
static unsigned fences_between(const struct builder *b, const struct event *x,
                               const struct event *y)
{
    unsigned bits = 0;

    for (const struct micro *m = x->m + 1; m < y->m; m++)
        if (m->kind == M_FENCE)
            bits |= m->bits;
    for (size_t i = 0; i < b->count; i++) {
        const struct event *e = &b->events[i];

        if (!e->rmw || e->m < x->m || e->m > y->m)
            continue;
        if (e->m > x->m)
            bits |= fences_before(e);
        if (e->m < y->m)
            bits |= fences_after(e);
    }
    return bits;
}

static void relate(struct builder *b)
{
    for (size_t j = 0; j < b->count; j++) {
        struct event *y = &b->events[j];

        y->before = 0;
        for (size_t i = 0; i < j; i++) {
            const struct event *x = &b->events[i];

            if (x->thread == y->thread &&
                kept(b->l.model, x, y, fences_between(b, x, y)))
                y->before |= (uint16_t)(1u << i);
        }
    }
}

/* ---- values ---- */

static uint64_t value_read(struct builder *b, struct event *e);

/* The value of a register in a thread's eyes at event e: what the latest
 * event before it in program order read into it. */
static uint64_t operand_at(struct builder *b, const struct event *e,
                           struct operand o)
{
    struct event *source = NULL;

    if (o.reg < 0)
        return o.constant;
    for (size_t i = 0; i < b->count; i++)
        if (b->events[i].thread == e->thread && &b->events[i] < e &&
            b->events[i].loads && b->events[i].m->dest == o.reg)
            source = &b->events[i];
    return o.constant + (source ? value_read(b, source) : 0);
}

static uint64_t value_written(struct builder *b, struct event *e)
{
    uint64_t value = operand_at(b, e, e->m->value);

    if (e->rmw && e->m->op == OP_ADD)
        value += value_read(b, e);
    return cut_to_size(value, e->m->size);
}

/* The <M-last of the stores before e in <M or in program order. */
static uint64_t value_read(struct builder *b, struct event *e)
{
    struct event *source = NULL;

    if (e->known)
        return e->read;
    for (size_t i = 0; i < b->count; i++) {
        struct event *w = &b->events[i];

        if (!w->writes || w == e || w->atom != e->atom)
            continue;
        if (w->place > e->place && (e->rmw || w->thread != e->thread || w > e))
            continue;
        if (!source || w->place > source->place)
            source = w;
    }
    e->read = source ? value_written(b, source) : b->l.atoms[e->atom].initial;
    e->known = true;
    return e->read;
}

static bool guess_was_right(struct builder *b)
{
    for (size_t i = 0; i < b->count; i++) {
        struct event *e = &b->events[i];
        uint64_t expected;

        if (!e->rmw || e->m->op != OP_CAS)
            continue;
        expected = cut_to_size(operand_at(b, e, e->m->expected), e->m->size);
        if ((value_read(b, e) == expected) != e->writes)
            return false;
    }
    return true;
}

static uint64_t register_at_end(struct builder *b, int8_t reg)
{
    uint64_t value = 0;

    for (size_t i = 0; i < b->count; i++)
        if (b->events[i].loads && b->events[i].m->dest == reg)
            value = value_read(b, &b->events[i]);
    return value;
}

static uint64_t memory_at_end(struct builder *b, size_t atom)
{
    struct event *last = NULL;

    for (size_t i = 0; i < b->count; i++) {
        struct event *w = &b->events[i];

        if (w->writes && w->atom == atom && (!last || w->place > last->place))
            last = w;
    }
    return last ? value_written(b, last) : b->l.atoms[atom].initial;
}

static void add_outcome(struct builder *b)
{
    const struct program *p = b->l.program;
    uint64_t values[MAX_OBSERVED];

    for (size_t i = 0; i < b->count; i++)
        b->events[i].known = false;
    if (!guess_was_right(b))
        return;
    for (size_t i = 0; i < p->observed_count; i++)
        values[i] = p->observed[i].reg >= 0
                        ? register_at_end(b, p->observed[i].reg)
                        : memory_at_end(b, b->l.observed[i].first);
    outcomes_add(b->out, values);
}

/* ---- orders ---- */

static void build(struct builder *b, uint16_t placed, unsigned depth)
{
    if (depth == b->count) {
        add_outcome(b);
        return;
    }
    for (size_t i = 0; i < b->count; i++) {
        struct event *e = &b->events[i];

        if ((placed >> i & 1) || (e->before & ~placed))
            continue;
        e->place = depth;
        build(b, placed | (uint16_t)(1u << i), depth + 1);
    }
}

/* Sets what each CAS does by the bits of the guess. */
static void apply_guess(struct builder *b, unsigned guess)
{
    unsigned bit = 0;

    for (size_t i = 0; i < b->count; i++) {
        struct event *e = &b->events[i];

        if (e->rmw && e->m->op == OP_CAS)
            e->writes = guess >> bit++ & 1;
    }
}

static bool collect(struct builder *b, unsigned max_events)
{
    const struct program *p = b->l.program;

    for (size_t t = 0; t < p->thread_count; t++)
        for (size_t i = 0; i < b->l.micro_count[t]; i++) {
            const struct micro *m = &b->l.micros[t][i];

            if (m->kind == M_FENCE || m->kind == M_EXIT)
                continue;
            if (m->kind > M_RMW || micro_synchronises(m) || m->count != 1 ||
                b->count == max_events || b->count == MAX_EVENTS)
                return false;
            b->events[b->count++] = (struct event){
                .m = m,
                .thread = (uint8_t)t,
                .atom = m->first,
                .loads = m->kind != M_STORE,
                .writes = m->kind != M_LOAD,
                .rmw = m->kind == M_RMW,
            };
            b->cas_count += m->kind == M_RMW && m->op == OP_CAS;
        }
    for (size_t i = 0; i < p->observed_count; i++)
        if (p->observed[i].reg < 0 && b->l.observed[i].count != 1)
            return false;
    return true;
}

bool axioms_outcomes(struct outcomes *out, const struct program *p,
                     enum model model, unsigned max_events)
{
    static const struct options none;
    struct builder b;

    memset(&b, 0, sizeof b);
    lower(&b.l, p, model, &none);
    if (!collect(&b, max_events))
        return false;
    outcomes_init(out, p->observed_count);
    b.out = out;
    for (unsigned guess = 0; guess < 1u << b.cas_count; guess++) {
        apply_guess(&b, guess);
        relate(&b);
        build(&b, 0, 0);
    }
    return true;
}
