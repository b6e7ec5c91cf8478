/* SPDX-License-Identifier: MIT
 *
 * One way of each thread through its code (paths.c) says what was loaded and
 * stored; every order <M that keeps what the model keeps of program order is
 * then walked along, one event after the other, and given up where a load
 * would not return what it was guessed to.  What is left at the end of <M are
 * outcomes.
 *
 * At its place in <M a load finds the last of the stores before it in <M or in
 * program order.  Own stores of one address are in <M as in the program, so
 * that is the newest own one that still has to come, or else what memory
 * holds.  Two walks that have done the same events and left the same memory go
 * on alike, and only one of them does.
 *
 * On Relaxed a load may come after a store that depends on it, so that two
 * guesses can confirm each other.  Such executions are none: where guesses
 * could, the walk remembers which store each load took, and no load may depend
 * on itself.
 */
#include "axioms.h"

#include <stdlib.h>
#include <string.h>

#include "kept.h"
#include "paths.h"
#include "seen.h"

enum { MAX_EVENTS = 40, MAX_PATHS = 20000, MAX_WAYS = 100000, MANY = 100000 };

/* What memory holds at first, where an event is asked for. */
enum { INITIAL = 0xff };

struct event {
    const struct step *step;
    uint8_t thread;
    uint8_t last;    /* of its atomic block, if it is the first of one */
    uint64_t before; /* events that must precede it in <M */
    uint64_t depends;
};

struct moment {
    uint64_t tried; /* number of the ways chosen: one set serves them all */
    uint64_t done;
    uint8_t memory[MAX_ATOMS]; /* the event that wrote it, or INITIAL */
    uint8_t source[MAX_EVENTS];
};

struct builder {
    struct lowered l;
    struct guesses guesses;
    const struct path *chosen[MAX_THREADS]; /* NULL: never started */
    uint8_t may_give[MAX_THREADS + 1][MAX_HELD];
    size_t count;
    struct event events[MAX_EVENTS];
    bool with_sources;
    uint64_t tried;
    struct seen seen;
    struct outcomes *out;
};

/* ---- the events of the ways chosen ---- */

static bool same_block(const struct event *x, const struct event *y)
{
    return x->thread == y->thread && x->step->block == y->step->block;
}

/* A block is as late as the latest of it must be. */
static void join_blocks(struct builder *b)
{
    for (size_t i = 0; i < b->count; i++) {
        struct event *first = &b->events[i];
        size_t end = i + 1;
        uint64_t own;

        first->last = (uint8_t)i;
        if (!first->step->block)
            continue;
        while (end < b->count && same_block(first, &b->events[end]))
            first->before |= b->events[end++].before;
        own = (1ull << end) - (1ull << i);
        first->before &= ~own;
        first->last = (uint8_t)(end - 1);
        for (size_t k = i + 1; k < end; k++)
            b->events[k].before = ~0ull; /* never by itself */
        i = end - 1;
    }
}

/* What lies between threads that start and wait for one another. */
static void relate_threads(struct builder *b)
{
    for (size_t i = 0; i < b->count; i++) {
        struct event *node = &b->events[i];

        for (size_t k = 0; k < b->count; k++) {
            if (b->events[k].thread != node->step->target)
                continue;
            if (node->step->kind == STEP_SPAWN)
                b->events[k].before |= 1ull << i;
            else if (node->step->kind == STEP_JOIN)
                node->before |= 1ull << k;
        }
    }
}

static void collect(struct builder *b)
{
    b->count = 0;
    for (size_t t = 0; t < b->l.program->thread_count; t++) {
        const struct path *p = b->chosen[t];
        size_t first = b->count;

        for (size_t i = 0; p && i < p->count; i++) {
            REQUIRE(b->count < MAX_EVENTS, "too many events");
            b->events[b->count++] = (struct event){
                .step = &p->steps[i],
                .thread = (uint8_t)t,
                .before = (uint64_t)p->before[i] << first,
                .depends = (uint64_t)p->steps[i].depends << first,
            };
        }
    }
    relate_threads(b);
    join_blocks(b);
}

/* ---- values that could depend on themselves ---- */

/* Might the load take that store's value? */
static bool may_read(const struct builder *b, size_t load, size_t store)
{
    const struct event *l = &b->events[load], *s = &b->events[store];

    return l->step->loads && s->step->writes &&
           l->step->atom == s->step->atom &&
           l->step->read == s->step->written && load != store &&
           (s->thread != l->thread || store < load);
}

/* Is there a cycle in a relation of events? */
static bool has_cycle(const uint64_t *leads_to, size_t count)
{
    uint64_t left = count == 64 ? ~0ull : (1ull << count) - 1;
    bool any = true;

    while (any) {
        any = false;
        for (size_t i = 0; i < count; i++)
            if ((left >> i & 1) && !(leads_to[i] & left)) {
                left &= ~(1ull << i);
                any = true;
            }
    }
    return left != 0;
}

static bool could_depend_on_itself(const struct builder *b)
{
    uint64_t needs[MAX_EVENTS];

    for (size_t i = 0; i < b->count; i++) {
        needs[i] = b->events[i].depends & ~(1ull << i);
        for (size_t k = 0; k < b->count; k++)
            if (may_read(b, i, k))
                needs[i] |= 1ull << k;
    }
    return has_cycle(needs, b->count);
}

static bool depends_on_itself(const struct builder *b, const struct moment *m)
{
    uint64_t needs[MAX_EVENTS];

    for (size_t i = 0; i < b->count; i++) {
        needs[i] = b->events[i].depends & ~(1ull << i);
        if (b->events[i].step->loads && m->source[i] != INITIAL)
            needs[i] |= 1ull << m->source[i];
    }
    return has_cycle(needs, b->count);
}

/* ---- the walk along <M ---- */

/* The newest own store of that address that is still to come, or what memory
 * holds. */
static uint8_t source_of(const struct builder *b, const struct moment *m,
                         size_t load)
{
    const struct event *e = &b->events[load];

    for (size_t i = load; i-- > 0 && b->events[i].thread == e->thread;) {
        const struct step *s = b->events[i].step;

        if (s->kind == STEP_ACCESS && s->writes && s->atom == e->step->atom &&
            !(m->done >> i & 1))
            return (uint8_t)i;
    }
    return m->memory[e->step->atom];
}

static uint64_t value_of(const struct builder *b, size_t atom, uint8_t source)
{
    return source == INITIAL ? b->l.atoms[atom].initial
                             : b->events[source].step->written;
}

/* False: the load would return something else. */
static bool perform(const struct builder *b, struct moment *m, size_t i)
{
    const struct step *s = b->events[i].step;

    if (s->kind == STEP_ACCESS && s->loads) {
        uint8_t source = source_of(b, m, i);

        if (value_of(b, s->atom, source) != s->read)
            return false;
        if (b->with_sources)
            m->source[i] = source;
    }
    if (s->kind == STEP_ACCESS && s->writes)
        m->memory[s->atom] = (uint8_t)i;
    m->done |= 1ull << i;
    return true;
}

static uint64_t register_at_end(const struct builder *b, int8_t reg)
{
    for (size_t t = 0; t < MAX_THREADS; t++)
        if (b->chosen[t] && (b->chosen[t]->regs_set >> reg & 1))
            return b->chosen[t]->regs[reg];
    return 0;
}

static void add_outcome(struct builder *b, const struct moment *m)
{
    const struct program *p = b->l.program;
    uint64_t values[MAX_OBSERVED];

    if (b->with_sources && depends_on_itself(b, m))
        return;
    for (size_t i = 0; i < p->observed_count; i++) {
        size_t atom = b->l.observed[i].first;

        values[i] = p->observed[i].reg >= 0
                        ? register_at_end(b, p->observed[i].reg)
                        : value_of(b, atom, m->memory[atom]);
    }
    outcomes_add(b->out, values);
}

static void walk(struct builder *b, const struct moment *m)
{
    if (!seen_add(&b->seen, fingerprint_add(fingerprint_start, m, sizeof *m)))
        return;
    if (m->done == (1ull << b->count) - 1) {
        add_outcome(b, m);
        return;
    }
    for (size_t i = 0; i < b->count; i++) {
        const struct event *e = &b->events[i];
        struct moment next = *m;
        bool fits = true;

        if ((m->done >> i & 1) || (e->before & ~m->done))
            continue;
        for (size_t k = i; k <= e->last && fits; k++)
            fits = perform(b, &next, k);
        if (fits)
            walk(b, &next);
    }
}

/* ---- all ways of all threads ---- */

/* How often values are written, loaded and replaced by the ways chosen so
 * far. */
struct sums {
    uint8_t gives[MAX_HELD], loads[MAX_HELD], takes[MAX_HELD];
};

static void sums_add(struct sums *s, const struct path *p)
{
    for (size_t i = 0; i < MAX_HELD; i++) {
        s->gives[i] = (uint8_t)(s->gives[i] + p->gives[i]);
        s->loads[i] = (uint8_t)(s->loads[i] + p->loads[i]);
        s->takes[i] = (uint8_t)(s->takes[i] + p->takes[i]);
    }
}

/* What is loaded somebody writes, and what an RMW replaces no other does: if
 * it is not so, no order will help.  The threads from t on may still write. */
static bool is_hopeless(const struct builder *b, const struct sums *s, size_t t)
{
    for (size_t i = 0; i < b->guesses.domains.count; i++) {
        unsigned most = s->gives[i] + b->may_give[t][i];

        if (s->takes[i] > most || (s->loads[i] && !most))
            return true;
    }
    return false;
}

/* How often the threads from each on write a value at most. */
static void look_ahead(struct builder *b)
{
    for (size_t t = b->l.program->thread_count; t-- > 0;)
        for (size_t k = 0; k < MAX_HELD; k++) {
            uint8_t most = 0;

            for (size_t i = 0; i < b->guesses.paths[t].count; i++)
                if (b->guesses.paths[t].list[i].gives[k] > most)
                    most = b->guesses.paths[t].list[i].gives[k];
            b->may_give[t][k] = (uint8_t)(b->may_give[t + 1][k] + most);
        }
}

static void try_chosen(struct builder *b)
{
    struct moment start;

    collect(b);
    memset(&start, 0, sizeof start);
    memset(start.memory, INITIAL, sizeof start.memory);
    start.tried = ++b->tried;
    b->with_sources = could_depend_on_itself(b);
    if (b->seen.count > MANY)
        seen_free(&b->seen);
    walk(b, &start);
}

/* Who was started, and who waits for one that was not and never goes on. */
static bool starts_fit(const struct builder *b)
{
    const struct program *p = b->l.program;
    uint8_t spawned = 0;

    for (size_t t = 0; t < p->thread_count; t++)
        spawned |= b->chosen[t] ? b->chosen[t]->spawned : 0;
    for (size_t t = 0; t < p->thread_count; t++) {
        const struct path *path = b->chosen[t];

        if (!p->threads[t].started && !!path != (spawned >> t & 1))
            return false;
        for (size_t i = 0; path && i < path->count; i++)
            if (path->steps[i].kind == STEP_JOIN &&
                !b->chosen[path->steps[i].target])
                return false;
    }
    return true;
}

static void choose(struct builder *b, size_t t, const struct sums *so_far)
{
    const struct program *p = b->l.program;

    if (is_hopeless(b, so_far, t))
        return;
    if (t == p->thread_count) {
        if (starts_fit(b))
            try_chosen(b);
        return;
    }
    for (size_t i = 0; i < b->guesses.paths[t].count; i++) {
        struct sums sums = *so_far;

        b->chosen[t] = &b->guesses.paths[t].list[i];
        sums_add(&sums, b->chosen[t]);
        choose(b, t + 1, &sums);
    }
    b->chosen[t] = NULL;
    if (!p->threads[t].started)
        choose(b, t + 1, so_far);
}

static void choose_all(struct builder *b)
{
    struct sums initial = {0};

    for (size_t a = 0; a < b->l.atom_count; a++)
        initial.gives[b->guesses.domains.first[a]] = 1;
    look_ahead(b);
    choose(b, 0, &initial);
}

/* Memory that is observed in another size than it is accessed? */
static bool observes_parts(const struct lowered *l)
{
    for (size_t i = 0; i < l->program->observed_count; i++)
        if (l->program->observed[i].reg < 0 && l->observed[i].count != 1)
            return true;
    return false;
}

static bool too_many_ways(const struct builder *b)
{
    size_t ways = 1;

    for (size_t t = 0; t < b->l.program->thread_count; t++) {
        size_t own = b->guesses.paths[t].count;

        ways *= own ? own : 1;
        if (ways > MAX_WAYS)
            return true;
    }
    return false;
}

bool axioms_outcomes(struct outcomes *out, const struct program *p,
                     enum model model)
{
    static const struct options none;
    struct builder *b = calloc(1, sizeof *b);
    bool possible;

    REQUIRE(b, "out of memory");
    lower(&b->l, p, model, &none);
    possible =
        !observes_parts(&b->l) && guesses_find(&b->guesses, &b->l, MAX_PATHS);
    if (possible && too_many_ways(b)) {
        guesses_free(&b->guesses);
        possible = false;
    }
    if (possible) {
        outcomes_init(out, p->observed_count);
        b->out = out;
        for (size_t t = 0; t < p->thread_count; t++)
            for (size_t i = 0; i < b->guesses.paths[t].count; i++)
                kept_relate(&b->guesses.paths[t].list[i], model);
        choose_all(b);
        guesses_free(&b->guesses);
        seen_free(&b->seen);
    }
    free(b);
    return possible;
}
