/* SPDX-License-Identifier: MIT
 *
 * Ask, take what was found, forbid its observation, ask again.
 */
#include "sat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "axioms/axioms.h"
#include "encode/encode.h"
#include "lower/lower.h"

enum { MAX_BOUND = 16, MAX_WIDTH = 64 };

struct sat_file {
    struct arena arena;
    struct lsl_program program;
};

/* One program of the file on one model. */
struct session {
    const struct sat_file *file;
    const struct sat_wish *wish;
    const struct model *model;
    struct sat_counts *counts;
    struct flat_bounds *bounds;
    struct arena arena; /* of the flat */
    struct flat flat;
    struct encoding *x;
    struct err *e;
};

struct sat_file *sat_file_new(const char *source, const char *cflags,
                              char *error, size_t error_size)
{
    struct sat_file *f = calloc(1, sizeof *f);
    struct err e = {""};

    CHECK(f != NULL);
    if (lower_sources(&source, 1, cflags, &f->arena, &f->program, &e) ==
        LOWER_DONE)
        return f;
    snprintf(error, error_size, "%s", e.text);
    sat_file_free(f);
    return NULL;
}

void sat_file_free(struct sat_file *f)
{
    arena_free(&f->arena);
    free(f);
}

static const struct model *find_model(const char *name)
{
    return strcmp(name, model_power.name) == 0     ? &model_power
           : strcmp(name, "pslo --deps") == 0      ? model_pslo.with_deps
           : strcmp(name, model_relaxed.name) == 0 ? &model_relaxed
                                                   : model_find(name);
}

static enum answer ask(struct session *s, enum encode_question q)
{
    return encode_ask(s->x, q, NULL, NULL);
}

/* ---- Unrolling far enough ---- */

static void forget_round(struct session *s)
{
    struct encode_stats stats;

    if (s->x) {
        encode_stats(s->x, &stats);
        s->counts->solves += stats.solves;
        encode_free(s->x);
    }
    s->x = NULL;
    arena_free(&s->arena);
}

static bool raise_bounds(struct session *s)
{
    uint64_t *keys;
    size_t n = encode_beyond(s->x, &s->arena, &keys);

    for (size_t i = 0; i < n; i++) {
        if (flat_bounds_get(s->bounds, keys[i]) >= MAX_BOUND)
            return err_set(s->e, "a loop comes to no end");
        flat_bounds_grow(s->bounds, keys[i]);
    }
    return true;
}

static uint32_t find_proc(const struct lsl_program *p, const char *name)
{
    for (uint32_t i = 0; i < p->proc_count; i++) {
        if (strcmp(p->procs[i].name, name) == 0)
            return i;
    }
    return LSL_NONE;
}

/* Accesses of different sizes are cut. */
static struct encoding *encode(struct session *s, struct encode_options o)
{
    const struct model *m = s->wish->encoded ? s->wish->encoded : s->model;
    bool mixed = false;
    struct encoding *x;

    o.mixed = &mixed;
    x = encode_new(&s->flat, m, &o, s->e);
    if (!x && mixed) {
        *s->e = (struct err){""};
        if (encode_cut(&s->flat, m, &o, &s->arena, &s->flat, s->e))
            x = encode_new(&s->flat, m, &o, s->e);
    }
    return x;
}

static enum sat_end unroll(struct session *s)
{
    static const struct encode_options ways[SAT_WAYS] = {
        [SAT_LAZY] = {.order = ORDER_LAZY},
        [SAT_CHORDAL] = {.order = ORDER_CHORDAL},
        [SAT_CUBIC] = {.order = ORDER_CUBIC},
        [SAT_NO_RANGES] = {.no_ranges = true}};
    uint32_t entry = find_proc(&s->file->program, s->wish->entry);

    if (entry == LSL_NONE) {
        err_set(s->e, "no procedure '%s'", s->wish->entry);
        return SAT_WRONG;
    }
    for (;;) {
        bool beyond = false;

        s->counts->rounds++;
        if (!flat_unroll(&s->file->program, NULL, entry, s->bounds, &s->arena,
                         &s->flat, s->e))
            return SAT_REFUSED;
        s->x = encode(s, ways[s->wish->way]);
        if (!s->x)
            return SAT_REFUSED;
        while (ask(s, ASK_BOUND) == ANSWER_YES)
            beyond = true;
        if (!beyond)
            return SAT_DONE;
        if (!raise_bounds(s))
            return SAT_WRONG;
        forget_round(s);
    }
}

/* ---- Questions ---- */

/* Thread by thread, what is said to be observed. */
static bool observes(struct session *s, const struct encode_found *found)
{
    uint32_t places = encode_places(s->x), first = 0;

    while (first < places) {
        uint32_t thread = encode_place_thread(s->x, first), count = 1;

        while (first + count < places &&
               encode_place_thread(s->x, first + count) == thread)
            count++;
        if (!axioms_observe(&s->flat, &found->run, thread,
                            found->observation + first, count, s->e))
            return false;
        first += count;
    }
    return true;
}

/* What was found is an execution of the model, and what is said of it is true,
 * in the eyes of others too. */
static bool take_found(struct session *s, struct encode_found *found)
{
    encode_found(s->x, &s->arena, found);
    if (!axioms_hold(&s->flat, &found->run, s->model, s->e))
        return err_in(s->e, "the axioms do not hold");
    if (found->text)
        return axioms_fail(&s->flat, &found->run, found->failure, found->site,
                           found->thread, s->e);
    return observes(s, found);
}

static bool hand_out(struct session *s, const struct encode_found *found)
{
    int64_t values[MAX_WIDTH];

    for (size_t i = 0; i < s->wish->width; i++) {
        if (found->observation[i].kind != LSL_INTEGER)
            return err_set(s->e, "observation %zu is no number", i);
        values[i] = (int64_t)found->observation[i].bits;
    }
    s->wish->outcome(s->wish->context, values);
    s->counts->outcomes++;
    return true;
}

static bool nothing_unsupported(struct session *s)
{
    struct encode_found found;

    if (ask(s, ASK_UNSUPPORTED) != ANSWER_YES)
        return true;
    encode_found(s->x, &s->arena, &found);
    return err_set(s->e, "%s", found.text ? found.text : "unsupported");
}

static enum sat_end all_outcomes(struct session *s)
{
    struct encode_found found;

    if (encode_places(s->x) != s->wish->width) {
        err_set(s->e, "%u values observed", encode_places(s->x));
        return SAT_WRONG;
    }
    if (!nothing_unsupported(s))
        return SAT_REFUSED;
    if (ask(s, ASK_ERROR) == ANSWER_YES) {
        encode_found(s->x, &s->arena, &found);
        err_set(s->e, "an error: %s", found.text);
        return SAT_WRONG;
    }
    while (ask(s, ASK_ANY) == ANSWER_YES) {
        if (!take_found(s, &found) || !hand_out(s, &found))
            return SAT_WRONG;
        encode_allow(s->x, found.observation);
    }
    return SAT_DONE;
}

static enum sat_end any_failure(struct session *s, bool *fails)
{
    struct encode_found found;

    if (!nothing_unsupported(s))
        return SAT_REFUSED;
    *fails = ask(s, ASK_ERROR) == ANSWER_YES;
    return *fails && !take_found(s, &found) ? SAT_WRONG : SAT_DONE;
}

/* With `fails` NULL: outcomes. */
static enum sat_end run(const struct sat_file *f, const struct sat_wish *wish,
                        struct sat_counts *counts, bool *fails, char *error,
                        size_t error_size)
{
    struct err e = {""};
    struct session s = {.file = f,
                        .wish = wish,
                        .model = find_model(wish->model),
                        .counts = counts,
                        .bounds = flat_bounds_new(),
                        .arena = ARENA_INIT,
                        .e = &e};
    enum sat_end end;

    CHECK(s.model && wish->width <= MAX_WIDTH);
    end = unroll(&s);
    if (end == SAT_DONE)
        end = fails ? any_failure(&s, fails) : all_outcomes(&s);
    forget_round(&s);
    flat_bounds_free(s.bounds);
    snprintf(error, error_size, "%s", e.text);
    return end;
}

enum sat_end sat_outcomes(const struct sat_file *f, const struct sat_wish *wish,
                          struct sat_counts *counts, char *error,
                          size_t error_size)
{
    return run(f, wish, counts, NULL, error, error_size);
}

enum sat_end sat_fails(const struct sat_file *f, const struct sat_wish *wish,
                       struct sat_counts *counts, bool *fails, char *error,
                       size_t error_size)
{
    return run(f, wish, counts, fails, error, error_size);
}
