/* SPDX-License-Identifier: MIT
 *
 * From the initial values, write by write in no order, until nothing is new.
 * A value that depends on itself is none (docs/models.md): each has a trail,
 * the writes that it came by, and none of these makes it again.
 */
#include "domains.h"

#include <stdlib.h>
#include <string.h>

struct spreader {
    struct domains *found;
    const struct lowered *l;
    bool grown;                   /* a domain has a new value */
    struct domain regs[MAX_REGS]; /* what these may hold */
};

/* A value that came by fewer writes can do all that another can. */
static void domain_add(struct spreader *f, struct domain *d, uint64_t value,
                       uint64_t trail)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->list[i].value == value && !(d->list[i].trail & ~trail))
            return;
    if (d->count == d->room) {
        d->room = d->room ? 2 * d->room : 8;
        d->list = realloc(d->list, d->room * sizeof *d->list);
        REQUIRE(d->list, "out of memory");
    }
    d->list[d->count].value = value;
    d->list[d->count++].trail = trail;
    f->grown = true;
}

static void domain_add_all(struct spreader *f, struct domain *to,
                           const struct domain *from)
{
    for (size_t i = 0; i < from->count; i++)
        domain_add(f, to, from->list[i].value, from->list[i].trail);
}

/* What the write may make of an old value. */
static void spread_write(struct spreader *f, const struct micro *m,
                         uint64_t number, uint64_t old, uint64_t trail)
{
    struct held nothing = {0, 0};
    const struct domain zero = {1, 1, &nothing};
    int8_t reg = m->value.reg;
    const struct domain *operands = reg >= 0 ? &f->regs[reg] : &zero;
    struct domain *to = &f->found->atoms[m->first];

    for (size_t i = 0; i < operands->count; i++) {
        uint64_t value = m->value.constant + operands->list[i].value;
        uint64_t all = trail | operands->list[i].trail;

        if (m->op == OP_POST || m->op == OP_ADD)
            value = old + (m->op == OP_POST ? 1 : value);
        else if (m->op == OP_WAIT || m->op == OP_TRYWAIT)
            value = old - 1;
        if (!(all >> number & 1))
            domain_add(f, to, cut_to_size(value, m->size),
                       all | 1ull << number);
    }
}

/* Does what it writes depend on what was there? */
static bool changes(const struct micro *m)
{
    return m->kind == M_RMW && (m->op == OP_ADD || m->op == OP_POST ||
                                m->op == OP_WAIT || m->op == OP_TRYWAIT);
}

static void spread(struct spreader *f, const struct micro *m, uint64_t number)
{
    const struct domain *d = &f->found->atoms[m->first];

    if (m->dest >= 0 && m->kind != M_STORE)
        domain_add_all(f, &f->regs[m->dest], d);
    if (!changes(m) && m->kind != M_LOAD)
        spread_write(f, m, number, 0, 0);
    for (size_t i = 0; changes(m) && i < d->count; i++)
        if (d->list[i].value || m->op == OP_ADD || m->op == OP_POST)
            spread_write(f, m, number, d->list[i].value, d->list[i].trail);
}

/* Registers begin as 0; a lock or semaphore that is tried says 0 or BUSY. */
static void spread_all(struct spreader *f)
{
    const struct lowered *l = f->l;

    for (size_t a = 0; a < l->atom_count; a++)
        domain_add(f, &f->found->atoms[a], l->atoms[a].initial, 0);
    for (size_t i = 0; i < MAX_REGS; i++) {
        domain_add(f, &f->regs[i], 0, 0);
        domain_add(f, &f->regs[i], BUSY, 0);
    }
    while (f->grown) {
        uint64_t number = 0;

        f->grown = false;
        for (size_t t = 0; t < l->program->thread_count; t++)
            for (size_t i = 0; i < l->micro_count[t]; i++) {
                const struct micro *m = &l->micros[t][i];

                if (m->kind == M_CHOOSE)
                    for (uint64_t v = 0; v < m->value.constant; v++)
                        domain_add(f, &f->regs[m->dest], v, 0);
                if (m->kind <= M_RMW)
                    spread(f, m, number++);
            }
        REQUIRE(number <= 64, "%s: too many accesses", l->program->name);
    }
    for (size_t i = 0; i < MAX_REGS; i++)
        free(f->regs[i].list);
}

/* Trails have done their work: every value once. */
static void keep_values(struct domain *d)
{
    size_t kept = 0;

    for (size_t i = 0; i < d->count; i++) {
        size_t k = 0;

        while (k < kept && d->list[k].value != d->list[i].value)
            k++;
        d->list[k].value = d->list[i].value;
        kept += k == kept;
    }
    d->count = kept;
}

bool domains_find(struct domains *d, const struct lowered *l)
{
    struct spreader f = {.found = d, .l = l};

    memset(d, 0, sizeof *d);
    spread_all(&f);
    for (size_t a = 0; a < l->atom_count; a++) {
        keep_values(&d->atoms[a]);
        d->first[a] = d->count;
        d->count += d->atoms[a].count;
    }
    return d->count <= MAX_HELD;
}

void domains_free(struct domains *d)
{
    for (size_t a = 0; a < MAX_ATOMS; a++)
        free(d->atoms[a].list);
    memset(d, 0, sizeof *d);
}

size_t domains_number(const struct domains *d, size_t atom, uint64_t value)
{
    for (size_t i = 0; i < d->atoms[atom].count; i++)
        if (d->atoms[atom].list[i].value == value)
            return d->first[atom] + i;
    return MAX_HELD;
}
