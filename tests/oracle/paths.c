/* SPDX-License-Identifier: MIT
 *
 * A thread is run alone; where it loads, it goes on with every value that the
 * atom may hold.
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
        size_t end; /* micro after the condition's body */
        uint32_t taint;
    } conditions[MAX_MICROS];
    size_t condition_count;
};

struct finder {
    struct guesses *g;
    const struct lowered *l;
    size_t t, max_paths;
    bool refused;
};

/* ---- values ---- */

/* Notes what the access does.  False: it would write what depends on itself. */
static bool note(const struct finder *f, struct path *p, const struct step *s)
{
    size_t number;

    if (s->loads) {
        number = domains_number(&f->g->domains, s->atom, s->read);
        p->loads[number]++;
        p->takes[number] += s->writes;
    }
    if (!s->writes)
        return true;
    number = domains_number(&f->g->domains, s->atom, s->written);
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
    const struct domain *d = &f->g->domains.atoms[m->first];

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
    f.refused = !domains_find(&g->domains, l);
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
    domains_free(&g->domains);
    for (size_t t = 0; t < MAX_THREADS; t++)
        free(g->paths[t].list);
    memset(g, 0, sizeof *g);
}
