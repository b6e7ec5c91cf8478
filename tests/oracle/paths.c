/* SPDX-License-Identifier: MIT
 *
 * First, which values an atom or a register may hold at all: from the initial
 * ones, write by write in no order, until nothing is new.  A value that depends
 * on itself is none (DESIGN section 2): each has a trail, the writes that it
 * came by, and none of these makes it again.
 *
 * Then a thread is run alone; where it loads, it goes on with every value that
 * the atom may hold.
 *
 * A loop that waits is its last round: a load that did not get what it waited
 * for can be left out of an execution, and the rest is still one.
 */
#include "paths.h"

#include <stdlib.h>
#include <string.h>

struct runner {
    struct path path;
    size_t pc;
    uint8_t fences; /* since the last step */
    uint8_t block, blocks;
    size_t block_end;
    uint64_t regs[MAX_REGS];
    uint32_t taints[MAX_REGS]; /* loads that a register is computed from */
    uint32_t passed;           /* loads that had to return what they did */
    struct {
        size_t end; /* micro behind the condition's body */
        uint32_t taint;
    } conditions[MAX_MICROS];
    size_t condition_count;
};

struct finder {
    struct guesses *g;
    const struct lowered *l;
    size_t t, max_paths;
    bool refused;
    bool grown;                   /* a domain has a new value */
    struct domain regs[MAX_REGS]; /* what these may hold */
};

/* ---- values ---- */

/* A value that came by fewer writes can do all that another can. */
static void domain_add(struct finder *f, struct domain *d, uint64_t value,
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

static void domain_add_all(struct finder *f, struct domain *to,
                           const struct domain *from)
{
    for (size_t i = 0; i < from->count; i++)
        domain_add(f, to, from->list[i].value, from->list[i].trail);
}

/* What the write may make of an old value. */
static void spread_write(struct finder *f, const struct micro *m,
                         uint64_t number, uint64_t old, uint64_t trail)
{
    struct held nothing = {0, 0};
    const struct domain zero = {1, 1, &nothing};
    int8_t reg = m->value.reg;
    const struct domain *operands = reg >= 0 ? &f->regs[reg] : &zero;
    struct domain *to = &f->g->domains[m->first];

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

static void spread(struct finder *f, const struct micro *m, uint64_t number)
{
    const struct domain *d = &f->g->domains[m->first];

    if (m->dest >= 0 && m->kind != M_STORE)
        domain_add_all(f, &f->regs[m->dest], d);
    if (!changes(m) && m->kind != M_LOAD)
        spread_write(f, m, number, 0, 0);
    for (size_t i = 0; changes(m) && i < d->count; i++)
        if (d->list[i].value || m->op == OP_ADD || m->op == OP_POST)
            spread_write(f, m, number, d->list[i].value, d->list[i].trail);
}

/* Registers begin as 0; a lock or semaphore that is tried says 0 or BUSY. */
static void find_domains(struct finder *f)
{
    const struct lowered *l = f->l;

    for (size_t a = 0; a < l->atom_count; a++)
        domain_add(f, &f->g->domains[a], l->atoms[a].initial, 0);
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

/* Trails have done their work: every value once, numbered through. */
static void number_values(struct finder *f)
{
    struct guesses *g = f->g;

    for (size_t a = 0; a < f->l->atom_count; a++) {
        struct domain *d = &g->domains[a];
        size_t kept = 0;

        for (size_t i = 0; i < d->count; i++) {
            size_t k = 0;

            while (k < kept && d->list[k].value != d->list[i].value)
                k++;
            d->list[k].value = d->list[i].value;
            kept += k == kept;
        }
        d->count = kept;
        g->first_held[a] = g->held_count;
        g->held_count += kept;
    }
    f->refused |= g->held_count > MAX_HELD;
}

/* The value's number, or MAX_HELD: nobody can ever write it. */
static size_t held_number(const struct finder *f, size_t atom, uint64_t value)
{
    const struct domain *d = &f->g->domains[atom];

    for (size_t i = 0; i < d->count; i++)
        if (d->list[i].value == value)
            return f->g->first_held[atom] + i;
    return MAX_HELD;
}

/* Notes what the access does.  False: it would write what depends on itself. */
static bool note(const struct finder *f, struct path *p, const struct step *s)
{
    size_t number;

    if (s->loads) {
        number = held_number(f, s->atom, s->read);
        p->loads[number]++;
        p->takes[number] += s->writes;
    }
    if (!s->writes)
        return true;
    number = held_number(f, s->atom, s->written);
    if (number == MAX_HELD)
        return false;
    p->gives[number]++;
    return true;
}

static uint32_t taint_of(const struct runner *r, struct operand o)
{
    return o.reg >= 0 ? r->taints[o.reg] : 0;
}

static void set_register(struct runner *r, int8_t reg, uint64_t value,
                         uint32_t taint)
{
    if (reg < 0)
        return;
    r->regs[reg] = value;
    r->taints[reg] = taint;
    r->path.regs_set |= 1u << reg;
}

/* ---- steps ---- */

static void follow(struct finder *f, const struct runner *at);

static uint32_t control(const struct runner *r)
{
    uint32_t taint = r->passed;

    for (size_t i = 0; i < r->condition_count; i++)
        if (r->pc < r->conditions[i].end)
            taint |= r->conditions[i].taint;
    return taint;
}

/* The next step of the path, NULL if there are too many. */
static struct step *add_step(struct finder *f, struct runner *r,
                             enum step_kind kind)
{
    struct step *s = &r->path.steps[r->path.count];

    if (r->path.count == MAX_STEPS) {
        f->refused = true;
        return NULL;
    }
    r->path.count++;
    memset(s, 0, sizeof *s);
    s->kind = (uint8_t)kind;
    s->fences = r->fences;
    s->block = r->pc < r->block_end ? r->block : 0;
    s->depends = control(r);
    r->fences = 0;
    return s;
}

static struct step *add_access(struct finder *f, struct runner *r,
                               const struct micro *m)
{
    const struct op *op = &f->l->program->threads[f->t].ops[m->origin];
    struct step *s = add_step(f, r, STEP_ACCESS);

    if (!s)
        return NULL;
    s->atom = m->first;
    s->rmw = s->block || m->kind == M_RMW;
    s->atomic = op->order != PLAIN || m->kind == M_RMW;
    s->ghost = s->block && (m->dest >= 0 || m->value.reg >= 0);
    if (op->dep >= 0)
        s->depends |= r->taints[op->dep];
    return s;
}

static void follow_store(struct finder *f, struct runner *r,
                         const struct micro *m)
{
    struct step *s = add_access(f, r, m);

    if (!s)
        return;
    s->writes = true;
    s->written = cut_to_size(operand_value(m->value, r->regs), m->size);
    s->depends |= taint_of(r, m->value);
    if (!note(f, &r->path, s))
        return;
    r->pc++;
    follow(f, r);
}

/* Does a loop that waits end with that value? */
static bool ends_await(const struct micro *m, uint64_t value)
{
    return (value == m->value.constant) == !m->bits;
}

static void follow_load(struct finder *f, const struct runner *at,
                        const struct micro *m, uint64_t value)
{
    struct runner r = *at;
    bool awaits = m->op == OP_AWAIT;
    uint32_t own = 1u << r.path.count;
    struct step *s;

    if (awaits && !ends_await(m, value))
        return;
    s = add_access(f, &r, m);
    if (!s)
        return;
    s->loads = true;
    s->read = value;
    note(f, &r.path, s);
    set_register(&r, m->dest, value, own);
    if (awaits)
        r.passed |= own;
    r.pc = awaits ? m->target : r.pc + 1;
    follow(f, &r);
}

/* What an RMW makes of the old value; false: it writes nothing. */
static bool rmw_writes(const struct runner *r, const struct micro *m,
                       uint64_t old, uint64_t *result)
{
    uint64_t operand = operand_value(m->value, r->regs);

    switch (m->op) {
    case OP_POST:
        *result = old + 1;
        return true;
    case OP_WAIT:
    case OP_TRYWAIT:
        *result = old - 1;
        return old > 0;
    case OP_ADD:
        *result = cut_to_size(old + operand, m->size);
        return true;
    case OP_XCHG:
        *result = cut_to_size(operand, m->size);
        return true;
    default: /* also lock and trylock: from 0 to 1 */
        *result = cut_to_size(operand, m->size);
        return old == cut_to_size(operand_value(m->expected, r->regs), m->size);
    }
}

static void follow_rmw(struct finder *f, const struct runner *at,
                       const struct micro *m, uint64_t old)
{
    struct runner r = *at;
    uint32_t own = 1u << r.path.count;
    bool waits = m->op == OP_LOCK || m->op == OP_WAIT;
    bool tries = m->op == OP_TRYLOCK || m->op == OP_TRYWAIT;
    uint64_t result;
    bool writes = rmw_writes(&r, m, old, &result);
    struct step *s;

    if (waits && !writes)
        return;
    r.fences |= writes ? m->before : m->fail_before;
    s = add_access(f, &r, m);
    if (!s)
        return;
    s->loads = true;
    s->read = old;
    s->writes = writes;
    s->written = result;
    s->depends |= taint_of(&r, m->value) | taint_of(&r, m->expected);
    if (writes && m->op != OP_XCHG)
        s->depends |= own;
    if (!note(f, &r.path, s))
        return;
    set_register(&r, m->dest, tries ? (writes ? 0 : BUSY) : old, own);
    if (waits)
        r.passed |= own;
    r.fences |= writes ? m->after : m->fail_after;
    r.pc++;
    follow(f, &r);
}

static void follow_if(struct finder *f, struct runner *r, const struct micro *m)
{
    bool equal = operand_value(m->value, r->regs) == r->regs[m->dest];
    bool holds = equal == !m->bits;

    r->conditions[r->condition_count].end = m->target;
    r->conditions[r->condition_count].taint =
        r->taints[m->dest] | taint_of(r, m->value);
    r->condition_count++;
    r->pc = holds ? r->pc + 1 : m->target;
    follow(f, r);
}

static void follow_other_thread(struct finder *f, struct runner *r,
                                const struct micro *m)
{
    bool spawns = m->kind == M_SPAWN;
    struct step *s = add_step(f, r, spawns ? STEP_SPAWN : STEP_JOIN);

    if (!s)
        return;
    s->target = m->target;
    if (spawns)
        r->path.spawned |= (uint8_t)(1u << m->target);
    r->pc++;
    follow(f, r);
}

static void keep_path(struct finder *f, const struct runner *r)
{
    struct paths *p = &f->g->paths[f->t];

    if (p->count == f->max_paths) {
        f->refused = true;
        return;
    }
    if (p->count == p->room) {
        p->room = p->room ? 2 * p->room : 8;
        p->list = realloc(p->list, p->room * sizeof *p->list);
        REQUIRE(p->list, "out of memory");
    }
    p->list[p->count] = r->path;
    memcpy(p->list[p->count].regs, r->regs, sizeof r->regs);
    p->count++;
}

static void follow_all(struct finder *f, const struct runner *at,
                       const struct micro *m,
                       void (*one)(struct finder *, const struct runner *,
                                   const struct micro *, uint64_t))
{
    const struct domain *d = &f->g->domains[m->first];

    for (size_t i = 0; i < d->count && !f->refused; i++)
        one(f, at, m, d->list[i].value);
}

static void follow_choices(struct finder *f, const struct runner *at,
                           const struct micro *m)
{
    for (uint64_t i = 0; i < m->value.constant; i++) {
        struct runner r = *at;

        set_register(&r, m->dest, i, 0);
        r.pc++;
        follow(f, &r);
    }
}

static void follow(struct finder *f, const struct runner *at)
{
    const struct micro *m = &f->l->micros[f->t][at->pc];
    struct runner r;

    if (f->refused)
        return;
    r = *at;
    switch ((enum micro_kind)m->kind) {
    case M_LOAD:
        follow_all(f, at, m, follow_load);
        break;
    case M_STORE:
        follow_store(f, &r, m);
        break;
    case M_RMW:
        follow_all(f, at, m, follow_rmw);
        break;
    case M_CHOOSE:
        follow_choices(f, at, m);
        break;
    case M_FENCE:
        r.fences |= m->bits;
        r.pc++;
        follow(f, &r);
        break;
    case M_SPAWN:
    case M_JOIN:
        follow_other_thread(f, &r, m);
        break;
    case M_IF:
        follow_if(f, &r, m);
        break;
    case M_ATOMIC:
        r.block = ++r.blocks;
        r.block_end = m->target;
        r.pc++;
        follow(f, &r);
        break;
    case M_EXIT:
        keep_path(f, at);
        break;
    }
}

/* ---- all threads ---- */

/* Does a register belong to one thread? */
static bool registers_are_private(const struct guesses *g, size_t threads)
{
    uint32_t all = 0;

    for (size_t t = 0; t < threads; t++) {
        uint32_t own = 0;

        for (size_t i = 0; i < g->paths[t].count; i++)
            own |= g->paths[t].list[i].regs_set;
        if (own & all)
            return false;
        all |= own;
    }
    return true;
}

static bool sizes_are_mixed(const struct lowered *l)
{
    for (size_t t = 0; t < l->program->thread_count; t++)
        for (size_t i = 0; i < l->micro_count[t]; i++)
            if (l->micros[t][i].kind <= M_RMW && l->micros[t][i].count != 1)
                return true;
    return false;
}

bool guesses_find(struct guesses *g, const struct lowered *l, size_t max_paths)
{
    struct finder f = {.g = g, .l = l, .max_paths = max_paths};

    memset(g, 0, sizeof *g);
    if (sizes_are_mixed(l))
        return false;
    find_domains(&f);
    number_values(&f);
    for (f.t = 0; f.t < l->program->thread_count; f.t++) {
        struct runner start;

        memset(&start, 0, sizeof start);
        follow(&f, &start);
    }
    if (!f.refused && registers_are_private(g, l->program->thread_count))
        return true;
    guesses_free(g);
    return false;
}

void guesses_free(struct guesses *g)
{
    for (size_t a = 0; a < MAX_ATOMS; a++)
        free(g->domains[a].list);
    for (size_t t = 0; t < MAX_THREADS; t++)
        free(g->paths[t].list);
    memset(g, 0, sizeof *g);
}
