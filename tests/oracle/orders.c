/* SPDX-License-Identifier: MIT
 *
 * An access is one event of <M, whatever its size, and reads and writes atoms,
 * each of which has a source of its own.  Which CAS succeeds is guessed, so
 * that what fences there are is known; then come all orders that keep what is
 * kept for sure, and at the end of each it is seen what was read, whether the
 * guesses were right, and whether loads of one place stayed in order.
 */
#include "orders.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ACCESSES = 10, NONE = -1 };

struct access {
    const struct micro *micro;
    size_t thread;
    bool reads, writes, atomic;
    unsigned fences; /* between it and the one before it in its thread */
};

struct orders {
    struct lowered l;
    unsigned cas_count, guess;
    size_t count;
    struct access list[MAX_ACCESSES];
    uint32_t before[MAX_ACCESSES]; /* kept for sure */
    int place[MAX_ACCESSES];
    int row[MAX_ACCESSES];
    uint64_t written[MAX_ACCESSES]; /* all of it */
    struct outcomes *out;
};

/* ---- A program as accesses ---- */

static bool is_simple(const struct program *p)
{
    for (size_t t = 0; t < p->thread_count; t++) {
        if (!p->threads[t].started)
            return false;
        for (size_t i = 0; i < p->threads[t].op_count; i++) {
            const struct op *op = &p->threads[t].ops[i];

            if (op->kind > OP_NOTHING || op->dep >= 0 || op->index ||
                op->through || op->value.reg >= 0 || op->expected.reg >= 0)
                return false;
        }
    }
    return true;
}

static bool is_atomic(const struct orders *o, size_t thread,
                      const struct micro *m)
{
    return m->kind == M_RMW ||
           o->l.program->threads[thread].ops[m->origin].order >= RELAXED;
}

/* Adds the access; the fences behind it. */
static unsigned add_access(struct orders *o, size_t thread,
                           const struct micro *m, unsigned fences)
{
    bool rmw = m->kind == M_RMW, writes = m->kind != M_LOAD;

    if (rmw && m->op == OP_CAS)
        writes = o->guess >> o->cas_count++ & 1;
    if (rmw)
        fences |= writes ? m->before : m->fail_before;
    o->list[o->count++] = (struct access){.micro = m,
                                          .thread = thread,
                                          .reads = m->kind != M_STORE,
                                          .writes = writes,
                                          .atomic = is_atomic(o, thread, m),
                                          .fences = fences};
    return !rmw ? 0 : writes ? m->after : m->fail_after;
}

static bool collect(struct orders *o)
{
    o->count = o->cas_count = 0;
    for (size_t t = 0; t < o->l.program->thread_count; t++) {
        unsigned fences = 0;

        for (size_t i = 0; i < o->l.micro_count[t]; i++) {
            const struct micro *m = &o->l.micros[t][i];

            if (m->kind == M_FENCE)
                fences |= m->bits;
            if (m->kind > M_RMW)
                continue;
            if (o->count == MAX_ACCESSES)
                return false;
            fences = add_access(o, t, m, fences);
        }
    }
    return true;
}

/* ---- What is kept ---- */

static bool has_atom(const struct access *x, size_t atom)
{
    return atom >= x->micro->first &&
           atom < (size_t)x->micro->first + x->micro->count;
}

static bool share(const struct access *x, const struct access *y)
{
    for (size_t a = x->micro->first;
         a < (size_t)x->micro->first + x->micro->count; a++)
        if (has_atom(y, a))
            return true;
    return false;
}

static bool fenced(const struct access *x, const struct access *y,
                   unsigned bits)
{
    return bits & FULL || (bits & LL && x->reads && y->reads) ||
           (bits & LS && x->reads && y->writes) ||
           (bits & SL && x->writes && y->reads) ||
           (bits & SS && x->writes && y->writes);
}

static void find_kept(struct orders *o)
{
    memset(o->before, 0, sizeof o->before);
    for (size_t y = 0; y < o->count; y++) {
        unsigned bits = o->list[y].fences;

        for (size_t x = y; x-- > 0 && o->list[x].thread == o->list[y].thread;) {
            if (fenced(&o->list[x], &o->list[y], bits) ||
                (o->list[y].writes && share(&o->list[x], &o->list[y])))
                o->before[y] |= 1u << x;
            bits |= o->list[x].fences;
        }
    }
}

/* ---- An order ---- */

/* The last write of the atom that the access sees. */
static int source_of(const struct orders *o, int access, size_t atom)
{
    const struct access *x = &o->list[access];
    int found = NONE;

    for (int i = 0; i < (int)o->count; i++) {
        const struct access *w = &o->list[i];
        bool own = w->thread == x->thread && i < access;

        if (i == access || !w->writes || !has_atom(w, atom) ||
            !(own || o->place[i] < o->place[access]))
            continue;
        if (found == NONE || o->place[i] > o->place[found])
            found = i;
    }
    return found;
}

static uint64_t atom_of(const struct orders *o, int source, size_t atom)
{
    return source == NONE ? o->l.atoms[atom].initial
                          : atom_part(&o->l, o->list[source].micro->first, atom,
                                      o->written[source]);
}

static uint64_t read_by(const struct orders *o, int access)
{
    const struct micro *m = o->list[access].micro;
    uint64_t value = 0;

    for (size_t a = m->first; a < (size_t)m->first + m->count; a++)
        value |= atom_of(o, source_of(o, access, a), a)
                 << atom_shift(&o->l, m->first, a);
    return value;
}

static uint64_t cut(const struct micro *m, uint64_t value)
{
    return m->size < 8 ? value & ((1ull << (8 * m->size)) - 1) : value;
}

/* What it leaves; false: a CAS ends otherwise than it was guessed. */
static bool write(struct orders *o, int access)
{
    const struct access *x = &o->list[access];
    const struct micro *m = x->micro;
    uint64_t old, new = m->value.constant;

    if (m->kind == M_RMW) {
        old = read_by(o, access);
        if (m->op == OP_CAS &&
            (old == cut(m, m->expected.constant)) != x->writes)
            return false;
        if (m->op == OP_ADD)
            new += old;
    }
    o->written[access] = cut(m, new);
    return true;
}

/* Does y take the atom from a store of its thread behind x? */
static bool hides(const struct orders *o, int x, int y, size_t atom)
{
    int source = source_of(o, y, atom);

    return o->list[y].micro->count > 1 && source > x &&
           o->list[source].thread == o->list[y].thread &&
           o->list[source].micro->kind == M_STORE;
}

/* Two atomic loads of an atom, in program order. */
static bool stay(const struct orders *o, int x, int y, size_t atom)
{
    const struct access *first = &o->list[x];
    bool parts = first->micro->count > 1 || o->list[y].micro->count > 1;
    bool loose = !first->writes && parts &&
                 (first->micro->count > 1 || first->micro->kind == M_RMW);
    int source = source_of(o, x, atom);

    if (hides(o, x, y, atom))
        return true;
    if (!loose)
        return o->place[x] < o->place[y];
    return source == NONE || o->list[source].thread == first->thread ||
           o->place[source] < o->place[y];
}

static bool loads_stay(const struct orders *o)
{
    for (int y = 0; y < (int)o->count; y++)
        for (int x = 0; x < y; x++) {
            const struct access *first = &o->list[x], *then = &o->list[y];

            if (first->thread != then->thread || !first->reads ||
                !then->reads || !first->atomic || !then->atomic)
                continue;
            for (size_t a = first->micro->first;
                 a < (size_t)first->micro->first + first->micro->count; a++)
                if (has_atom(then, a) && !stay(o, x, y, a))
                    return false;
        }
    return true;
}

static uint64_t left_in(const struct orders *o, size_t atom)
{
    int last = NONE;

    for (int i = 0; i < (int)o->count; i++)
        if (o->list[i].writes && has_atom(&o->list[i], atom) &&
            (last == NONE || o->place[i] > o->place[last]))
            last = i;
    return atom_of(o, last, atom);
}

static void add_outcome(struct orders *o)
{
    const struct program *p = o->l.program;
    uint64_t regs[MAX_REGS] = {0}, values[MAX_OBSERVED] = {0};

    for (int i = 0; i < (int)o->count; i++)
        if (o->list[i].reads && o->list[i].micro->dest >= 0)
            regs[o->list[i].micro->dest] = read_by(o, i);
    for (size_t i = 0; i < p->observed_count; i++) {
        size_t first = o->l.observed[i].first;

        if (p->observed[i].reg >= 0)
            values[i] = regs[p->observed[i].reg];
        for (size_t a = first;
             p->observed[i].reg < 0 && a < first + o->l.observed[i].count; a++)
            values[i] |= left_in(o, a) << atom_shift(&o->l, first, a);
    }
    outcomes_add(o->out, values);
}

static void look(struct orders *o)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->list[o->row[i]].micro->kind != M_LOAD && !write(o, o->row[i]))
            return;
    if (loads_stay(o))
        add_outcome(o);
}

static void walk(struct orders *o, size_t n, uint32_t done)
{
    if (n == o->count) {
        look(o);
        return;
    }
    for (int i = 0; i < (int)o->count; i++) {
        if (done >> i & 1 || o->before[i] & ~done)
            continue;
        o->row[n] = i;
        o->place[i] = (int)n;
        walk(o, n + 1, done | 1u << i);
    }
}

bool orders_outcomes(struct outcomes *out, const struct program *p)
{
    static const struct options none;
    struct orders *o = calloc(1, sizeof *o);
    bool ok;

    REQUIRE(o, "out of memory");
    lower(&o->l, p, CHECKFENCE, &none);
    o->out = out;
    ok = is_simple(p) && collect(o);
    if (ok) {
        unsigned ways = 1u << o->cas_count;

        outcomes_init(out, p->observed_count);
        for (o->guess = 0; o->guess < ways; o->guess++) {
            collect(o);
            find_kept(o);
            walk(o, 0, 0);
        }
    }
    free(o);
    return ok;
}
