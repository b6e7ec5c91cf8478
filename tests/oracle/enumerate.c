/* SPDX-License-Identifier: MIT
 *
 * A depth-first walk over all states of a machine.  A state that was there
 * before is not entered again; states are remembered by fingerprint.
 */
#include "enumerate.h"

#include <stdlib.h>
#include <string.h>

#include "machine.h"

struct fingerprint {
    uint64_t a, b;
};

struct walk {
    struct machine machine;
    struct fingerprint *seen;
    size_t seen_room, max_states;
    struct enumerated *result;
};

static void visit(struct walk *w, struct state *s);

static size_t thread_count(const struct walk *w)
{
    return w->machine.l.program->thread_count;
}

static void settle(struct walk *w, struct state *s)
{
    for (size_t t = 0; t < thread_count(w); t++)
        while (s->strands[t].phase == RUNNING &&
               machine_step_unseen(&w->machine, s, t))
            ;
}

/* All ways the thread's next load can go. */
static bool try_loads(struct walk *w, const struct state *s, size_t t)
{
    bool any = false;

    if (machine_next(&w->machine, s, t)->kind != M_LOAD)
        return false;
    for (unsigned moment = s->logged + 1u; moment-- > 0;) {
        struct state next = *s;

        if (!machine_may_load(&w->machine, s, t, moment))
            break;
        if (machine_is_between(s, moment))
            continue;
        machine_load(&w->machine, &next, t, moment);
        visit(w, &next);
        any = true;
    }
    return any;
}

static bool try_thread(struct walk *w, const struct state *s, size_t t)
{
    const struct strand *x = &s->strands[t];
    struct state next;
    bool any = false;

    for (size_t i = 0; i < x->used; i++) {
        if (!machine_may_commit(&w->machine, x, i))
            continue;
        next = *s;
        machine_commit(&w->machine, &next, t, i);
        visit(w, &next);
        any = true;
    }
    if (x->phase != RUNNING)
        return any;
    any |= try_loads(w, s, t);
    next = *s;
    if (machine_step_seen(&w->machine, &next, t) ||
        (w->machine.options.every_step &&
         machine_step_unseen(&w->machine, &next, t))) {
        visit(w, &next);
        any = true;
    }
    return any;
}

static void add_outcome(struct walk *w, const struct state *s)
{
    const struct machine *m = &w->machine;
    const struct program *p = m->l.program;
    uint64_t values[MAX_OBSERVED];

    for (size_t i = 0; i < p->observed_count; i++)
        values[i] = p->observed[i].reg >= 0
                        ? m->values[s->regs[p->observed[i].reg]]
                        : machine_memory(m, s, m->l.observed[i].first,
                                         m->l.observed[i].count);
    outcomes_add(&w->result->outcomes, values);
}

static bool all_ended(const struct walk *w, const struct state *s)
{
    for (size_t t = 0; t < thread_count(w); t++)
        if (s->strands[t].phase == RUNNING)
            return false;
    return true;
}

/* 128 bits stand for the state: with a million states the chance that two of
 * them share a fingerprint is below 10^-26. */
static struct fingerprint fingerprint_of(const struct state *s)
{
    enum { WORDS = sizeof *s / 8, REST = sizeof *s % 8 };
    struct fingerprint f = {0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu};
    const unsigned char *bytes = (const unsigned char *)s;

    for (size_t i = 0; i < WORDS + (REST > 0); i++) {
        uint64_t word = 0;

        memcpy(&word, bytes + 8 * i, i < WORDS ? 8 : REST);
        f.a = (f.a ^ word) * 0xff51afd7ed558ccdu;
        f.a ^= f.a >> 32;
        f.b = (f.b + word) * 0xc4ceb9fe1a85ec53u;
        f.b ^= f.b >> 29;
    }
    f.a |= 1; /* {0, 0} is an empty slot */
    return f;
}

static void grow(struct walk *w)
{
    size_t old_room = w->seen_room;
    struct fingerprint *old = w->seen;

    w->seen_room = old_room ? 4 * old_room : 4096;
    w->seen = calloc(w->seen_room, sizeof *w->seen);
    REQUIRE(w->seen, "out of memory");
    for (size_t i = 0; i < old_room; i++) {
        size_t at = old[i].b & (w->seen_room - 1);

        if (!old[i].a)
            continue;
        while (w->seen[at].a)
            at = (at + 1) & (w->seen_room - 1);
        w->seen[at] = old[i];
    }
    free(old);
}

static bool is_new(struct walk *w, const struct state *s)
{
    struct fingerprint f = fingerprint_of(s);
    size_t at;

    if (2 * (w->result->states + 1) > w->seen_room)
        grow(w);
    for (at = f.b & (w->seen_room - 1); w->seen[at].a;
         at = (at + 1) & (w->seen_room - 1))
        if (w->seen[at].a == f.a && w->seen[at].b == f.b)
            return false;
    w->seen[at] = f;
    w->result->states++;
    return true;
}

static void visit(struct walk *w, struct state *s)
{
    bool any = false;

    if (w->max_states && w->result->states >= w->max_states)
        return;
    if (!w->machine.options.every_step)
        settle(w, s);
    machine_normalise(&w->machine, s);
    if (!is_new(w, s))
        return;
    if (all_ended(w, s)) {
        add_outcome(w, s);
        return;
    }
    for (size_t t = 0; t < thread_count(w); t++)
        any |= try_thread(w, s, t);
    w->result->stuck += !any;
}

bool enumerate(struct enumerated *e, const struct program *p, enum model model,
               const struct options *options, size_t max_states)
{
    struct walk *w = calloc(1, sizeof *w);
    struct state start;

    REQUIRE(w, "out of memory");
    memset(e, 0, sizeof *e);
    outcomes_init(&e->outcomes, p->observed_count);
    w->result = e;
    w->max_states = max_states;
    machine_init(&w->machine, p, model, options, &start);
    visit(w, &start);
    free(w->seen);
    free(w);
    return !max_states || e->states < max_states;
}
