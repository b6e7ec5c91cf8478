/* SPDX-License-Identifier: MIT
 *
 * Steps that nobody can see are taken at once, unless every step is asked for;
 * all others branch.
 */
#include "walk.h"

#include <stddef.h>
#include <string.h>

static void visit(struct walk *w, struct node *n);

static size_t thread_count(const struct walk *w)
{
    return w->machine.l.program->thread_count;
}

/* Steps from now on are those of n. */
static void enter(struct walk *w, struct node *n)
{
    w->machine.relations = w->with_relations ? &n->relations : NULL;
}

/* A step that makes no switch. */
static bool step_hidden(struct walk *w, struct node *n, size_t t)
{
    enum micro_kind kind = machine_next(&w->machine, &n->state, t)->kind;

    if (n->state.strands[t].phase != RUNNING)
        return false;
    if (w->bounded && (kind == M_SPAWN || kind == M_JOIN))
        return machine_step_seen(&w->machine, &n->state, t);
    return machine_step_unseen(&w->machine, &n->state, t);
}

static void settle(struct walk *w, struct node *n)
{
    bool any = true;

    enter(w, n);
    while (any) {
        any = false;
        for (size_t t = 0; t < thread_count(w); t++)
            while (step_hidden(w, n, t))
                any = true;
    }
}

/* All ways the thread's next load can go. */
static bool try_loads(struct walk *w, const struct node *n, size_t t)
{
    const struct state *s = &n->state;
    bool any = false;

    if (machine_next(&w->machine, s, t)->kind != M_LOAD)
        return false;
    for (unsigned moment = s->logged + 1u; moment-- > 0;) {
        struct node next;

        if (!machine_may_load(&w->machine, s, t, moment))
            break;
        if (machine_is_between(s, moment) ||
            machine_spins(&w->machine, s, t, moment))
            continue;
        next = *n;
        enter(w, &next);
        machine_load(&w->machine, &next.state, t, moment);
        visit(w, &next);
        any = true;
    }
    return any;
}

/* Nobody else sees a choice, so that it need not wait for others: the first
 * thread that has one makes it. */
static bool try_choices(struct walk *w, const struct node *n)
{
    for (size_t t = 0; t < thread_count(w); t++) {
        const struct micro *m = machine_next(&w->machine, &n->state, t);

        if (n->state.strands[t].phase != RUNNING || m->kind != M_CHOOSE)
            continue;
        for (unsigned i = 0; i < m->value.constant; i++) {
            struct node next = *n;

            enter(w, &next);
            machine_choose(&w->machine, &next.state, t, i);
            visit(w, &next);
        }
        return true;
    }
    return false;
}

static bool try_commits(struct walk *w, const struct node *n, size_t t)
{
    const struct strand *x = &n->state.strands[t];
    bool any = false;

    for (size_t i = 0; i < x->used; i++) {
        struct node next;

        if (!machine_may_commit(&w->machine, x, i))
            continue;
        next = *n;
        enter(w, &next);
        machine_commit(&w->machine, &next.state, t, i);
        visit(w, &next);
        any = true;
    }
    return any;
}

static bool try_thread(struct walk *w, const struct node *n, size_t t)
{
    bool any = try_commits(w, n, t);
    struct node next;

    if (n->state.strands[t].phase != RUNNING)
        return any;
    any |= try_loads(w, n, t);
    next = *n;
    enter(w, &next);
    if (machine_step_seen(&w->machine, &next.state, t) ||
        (w->machine.options.every_step &&
         machine_step_unseen(&w->machine, &next.state, t))) {
        visit(w, &next);
        any = true;
    }
    return any;
}

static bool can_go_on(struct walk *w, const struct node *n, size_t t)
{
    struct node next = *n;

    if (n->state.strands[t].phase != RUNNING)
        return false;
    enter(w, &next);
    if (machine_next(&w->machine, &n->state, t)->kind == M_LOAD)
        return !machine_spins(&w->machine, &n->state, t, n->state.logged);
    return machine_step_seen(&w->machine, &next.state, t);
}

/* All that can be done: false if that is nothing. */
static bool try_all(struct walk *w, const struct node *n)
{
    bool preempts = n->current && can_go_on(w, n, n->current - 1u);
    bool any = false;

    for (size_t t = 0; t < thread_count(w); t++) {
        bool costs = preempts && t + 1 != n->current;
        struct node turn = *n;

        if (costs && n->spent == w->bound)
            continue;
        if (w->bounded)
            turn.current = (uint8_t)(t + 1);
        turn.spent = (uint8_t)(n->spent + costs);
        any |= try_thread(w, &turn, t);
    }
    return any;
}

static bool all_ended(const struct walk *w, const struct state *s)
{
    for (size_t t = 0; t < thread_count(w); t++)
        if (s->strands[t].phase == RUNNING)
            return false;
    return true;
}

static char *put(char *at, const void *bytes, size_t size)
{
    memcpy(at, bytes, size);
    return at + size;
}

/* What is used of a state: all else is zero. */
static size_t pack(const struct walk *w, const struct state *s, char *to)
{
    size_t atoms = w->machine.l.atom_count;
    char *at = put(to, s->memory, atoms);

    at = put(at, s->base, atoms);
    at = put(at, &s->logged, 1);
    at = put(at, s->log, s->logged * sizeof *s->log);
    at = put(at, s->regs, w->machine.l.program->reg_count);
    for (size_t t = 0; t < thread_count(w); t++) {
        const struct strand *x = &s->strands[t];

        at = put(at, x, offsetof(struct strand, buffer));
        at = put(at, x->buffer, x->used * sizeof *x->buffer);
        at = put(at, x->floor, atoms);
    }
    return (size_t)(at - to);
}

static bool is_new(struct walk *w, const struct node *n)
{
    const struct relations *r = &n->relations;
    size_t slots = w->machine.l.slot_count;
    char used[sizeof n->state];
    size_t size = pack(w, &n->state, used);
    struct fingerprint f = fingerprint_add(fingerprint_start, used, size);

    f = fingerprint_add(f, &n->current, 1);
    f = fingerprint_add(f, &n->spent, 1);
    if (w->with_relations) {
        f = fingerprint_add(f, r->written, sizeof r->written);
        f = fingerprint_add(f, r->place, slots);
        f = fingerprint_add(f, r->source, slots);
    }
    return seen_add(&w->seen, f);
}

static void visit(struct walk *w, struct node *n)
{
    if (w->enough || (w->max_states && w->states >= w->max_states))
        return;
    if (!w->machine.options.every_step)
        settle(w, n);
    machine_normalise(&w->machine, &n->state);
    if (!is_new(w, n))
        return;
    w->states++;
    if (all_ended(w, &n->state)) {
        w->ended(w, n);
        return;
    }
    if (try_choices(w, n))
        return;
    if (try_all(w, n))
        return;
    w->stuck++;
    if (w->with_stuck)
        w->ended(w, n);
}

/* What has no slot is not recorded. */
static void forget_sync(struct lowered *l)
{
    for (size_t t = 0; t < l->program->thread_count; t++)
        for (size_t i = 0; i < l->micro_count[t]; i++)
            if (micro_synchronises(&l->micros[t][i]))
                l->micros[t][i].slot = 0;
}

bool walk_all(struct walk *w, const struct program *p, enum model model,
              const struct options *options)
{
    struct node start = {0};

    machine_init(&w->machine, p, model, options, &start.state);
    REQUIRE(!w->bounded || (model == SC && !options->every_step),
            "bounds are for SC");
    REQUIRE(!w->with_relations || w->machine.l.slot_count <= MAX_SLOTS,
            "%s: too many accesses", p->name);
    if (!w->with_sync)
        forget_sync(&w->machine.l);
    visit(w, &start);
    seen_free(&w->seen);
    return !w->max_states || w->states < w->max_states;
}
