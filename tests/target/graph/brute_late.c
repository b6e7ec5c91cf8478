/* SPDX-License-Identifier: MIT
 *
 * Executions with cycles of po and rf, by brute force.  Threads run one after
 * the other, and each load returns every value that any store to its location
 * had so far, until no new value comes, or as often as there are stores.  Then
 * every source of that value, and every co.  Nothing here knows of an order in
 * which events could have come: the axioms alone say which of it is an
 * execution.
 */
#include "brute_inside.h"

#define VALUES_MAX 32
#define CANDIDATES_MAX 3000000

struct late {
    const struct mini *p;
    struct behaviour *b;
    struct canon_set *sets;
    uint64_t values[MINI_LOCATIONS][VALUES_MAX];
    unsigned value_count[MINI_LOCATIONS];
    unsigned candidates;
    bool judges, grew, too_many;
};

static void know_value(struct late *x, unsigned l, uint64_t value)
{
    for (unsigned i = 0; i < x->value_count[l]; i++)
        if (x->values[l][i] == value)
            return;
    if (x->value_count[l] == VALUES_MAX) {
        x->too_many = true;
        return;
    }
    x->values[l][x->value_count[l]++] = value;
    x->grew = true;
}

/* ---- Sources and places, when all threads have ended ---- */

static void judge(struct late *x, const struct candidate *c)
{
    struct canon text;

    x->too_many = x->too_many || ++x->candidates > CANDIDATES_MAX;
    if (!is_atomic(c))
        return;
    brute_text(x->p, c, &text);
    for (enum brute_model m = BRUTE_ARM;
         m < (x->p->everybody ? BRUTE_POWER : BRUTE_MODELS); m++)
        if (brute_is_of_processor(c, x->b, m))
            canon_add(&x->sets[m], &text);
}

/* Every place for the writes from e on. */
static void place_writes(struct late *x, const struct candidate *c, int e)
{
    unsigned l;

    while (e < c->count && !writes(&c->events[e]))
        e++;
    if (x->too_many)
        return;
    if (e == c->count) {
        judge(x, c);
        return;
    }
    l = c->events[e].location;
    for (int place = 0; place <= c->co_count[l]; place++) {
        struct candidate d = *c;

        memmove(&d.co[l][place + 1], &d.co[l][place],
                (size_t)(d.co_count[l] - place) * sizeof(int));
        d.co[l][place] = e;
        d.co_count[l]++;
        place_writes(x, &d, e + 1);
    }
}

/* Every source for the reads from e on. */
static void give_sources(struct late *x, const struct candidate *c, int e)
{
    const struct event_ *r;

    while (e < c->count && !reads(&c->events[e]))
        e++;
    if (e == c->count) {
        place_writes(x, c, 0);
        return;
    }
    r = &c->events[e];
    for (int w = -1; w < c->count && !x->too_many; w++) {
        struct candidate d = *c;

        if (w < 0 ? x->p->initial[r->location] != r->value[0]
                  : !writes(&c->events[w]) || w == r->mate ||
                        c->events[w].location != r->location ||
                        c->events[w].value[0] != r->value[0])
            continue;
        d.events[e].rf[0] = w;
        give_sources(x, &d, e + 1);
    }
}

/* ---- Threads ---- */

static void run(struct late *x, const struct candidate *c, unsigned t);

static void add_write(struct late *x, struct candidate *d, unsigned t,
                      enum kind kind, const struct op *op, uint64_t value,
                      int mate)
{
    int w = brute_push(x->b, d, t, kind, op);

    d->events[w].value[0] = value;
    d->events[w].mate = mate;
    if (mate >= 0)
        d->events[mate].mate = w;
    know_value(x, op->location, value);
}

static void read_value(struct late *x, const struct candidate *c, unsigned t,
                       const struct op *op, uint64_t value)
{
    struct candidate d = *c;
    int e = brute_push(x->b, &d, t, op->kind == OP_LOAD ? R : RX, op);

    d.events[e].value[0] = value;
    if (op->kind == OP_RMW || (op->kind == OP_CAS && value == op->expected)) {
        uint64_t stored = op->operand;

        if (op->kind == OP_RMW && op->rmw == RMW_ADD)
            stored = op->size < 8
                         ? (value + op->operand) & ((1ull << 8 * op->size) - 1)
                         : value + op->operand;
        add_write(x, &d, t, WX, op, stored, e);
    } else if (op->kind == OP_CAS) {
        d.events[e].order = op->failure_order;
        d.events[e].full = op->order == ORDER_SEQ_CST;
    }
    d.at[t] = behaviour_step(x->b, d.at[t], value);
    run(x, &d, t);
}

static void run(struct late *x, const struct candidate *c, unsigned t)
{
    const struct op *op = behaviour_op(x->b, c->at[t]);
    struct candidate d = *c;

    if (x->too_many || c->count + 2 > N) {
        x->too_many = true;
        return;
    }
    if (op->kind >= OP_END) {
        if (t + 1 < x->p->threads)
            run(x, c, t + 1);
        else if (x->judges)
            give_sources(x, c, 0);
        return;
    }
    if (op->kind == OP_STORE || op->kind == OP_FENCE) {
        if (op->kind == OP_STORE)
            add_write(x, &d, t, W, op, op->operand, -1);
        else
            brute_push(x->b, &d, t, F, op);
        d.at[t] = behaviour_step(x->b, d.at[t], 0);
        run(x, &d, t);
        return;
    }
    for (unsigned i = 0, n = x->value_count[op->location]; i < n; i++)
        read_value(x, c, t, op, x->values[op->location][i]);
}

static int stores_of(const struct mini *p)
{
    int count = 0;

    for (unsigned t = 0; t < p->threads; t++)
        for (unsigned i = 0; i < p->length[t]; i++)
            count += p->code[t][i].kind >= MINI_STORE &&
                     p->code[t][i].kind <= MINI_LOCK;
    return count;
}

bool brute_force_late(const struct mini *p, struct behaviour *b,
                      struct canon_set sets[BRUTE_SETS])
{
    struct late x = {.p = p, .b = b, .sets = sets};
    struct candidate c = {0};

    for (unsigned t = 0; t < p->threads; t++)
        c.at[t] = behaviour_root(b, t);
    for (unsigned l = 0; l < p->locations; l++)
        know_value(&x, l, p->initial[l]);
    x.grew = true;
    for (int i = stores_of(p); i > 0 && x.grew && !x.too_many; i--) {
        x.grew = false;
        run(&x, &c, 0);
    }
    x.judges = true;
    if (!x.too_many)
        run(&x, &c, 0);
    return !x.too_many;
}
