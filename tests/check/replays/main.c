/* SPDX-License-Identifier: MIT
 *
 * replays [--test T] [--cflags FLAGS] [--most N] FILE.c...: every
 * observation that the solver finds on a model that has a machine, brought
 * about on the runtime by the steps of its solution.  None may need exploring,
 * and each solution is another execution of the program: together they say
 * that the steps of src/check/engine/replay_steps.c are those of the program.
 *
 * Prints how many; exit code 0, or 1 and which were not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "encode/encode.h"
#include "engine/engine_replay.h"
#include "instrument/instrument.h"
#include "lower/lower.h"

#define BOUND_MOST 16

struct run {
    const char *file, *test_name, *cflags;
    size_t most; /* observations of a file on a model */
    struct arena arena;
    struct lsl_program program;
    struct program tables;
    struct test test;
    char *arguments[2];
    const char *binary;
    const struct model *model;
    struct flat flat;
    struct encoding *x;
    struct err e;
};

static unsigned brought_about, refused, bad;

static enum answer ask(struct run *r, enum encode_question q)
{
    return encode_ask(r->x, q, NULL, NULL);
}

static bool unroll(struct run *r, struct flat_bounds *bounds)
{
    bool mixed = false, beyond = false;
    struct encode_options options = {.order = ORDER_LAZY, .mixed = &mixed};
    uint64_t *keys;

    if (!flat_unroll(&r->program, r->test_name ? &r->test : NULL,
                     r->program.main, bounds, &r->arena, &r->flat, &r->e))
        return false;
    r->x = encode_new(&r->flat, r->model, &options, &r->e);
    if (!r->x && mixed &&
        encode_cut(&r->flat, r->model, &options, &r->arena, &r->flat, &r->e))
        r->x = encode_new(&r->flat, r->model, &options, &r->e);
    if (!r->x)
        return false;
    while (ask(r, ASK_BOUND) == ANSWER_YES)
        beyond = true;
    if (!beyond)
        return true;

    size_t n = encode_beyond(r->x, &r->arena, &keys);

    for (size_t i = 0; i < n; i++) {
        if (flat_bounds_get(bounds, keys[i]) >= BOUND_MOST)
            return err_set(&r->e, "a loop without end");
        flat_bounds_grow(bounds, keys[i]);
    }
    encode_free(r->x);
    r->x = NULL;
    return unroll(r, bounds);
}

static void replay(struct run *r)
{
    struct encode_found found;

    encode_found(r->x, &r->arena, &found);
    encode_allow(r->x, found.observation);

    struct check_execution x = {.flat = &r->flat,
                                .run = &found.run,
                                .model = r->model,
                                .base = {.program = r->binary,
                                         .name = r->file,
                                         .arguments = r->arguments},
                                .tables = &r->tables};
    struct shown shown;
    const char *why_not = "";
    enum check_replayed how;

    if (!check_replay(&x, &r->arena, &how, &shown, &why_not, &r->e)) {
        printf("%s on %s: %s\n", r->file, r->model->name, r->e.text);
        bad++;
    } else if (how != CHECK_REPLAYED) {
        printf("%s on %s: not brought about: %s (%s)\n", r->file,
               r->model->name,
               check_observation(&r->flat, &found.run, &r->arena), why_not);
        bad++;
    } else {
        brought_about++;
    }
}

static void replay_model(struct run *r, const struct model *m)
{
    struct flat_bounds *bounds = flat_bounds_new();

    r->model = m;
    r->x = NULL;
    if (unroll(r, bounds)) {
        for (size_t i = 0; i < r->most && ask(r, ASK_ANY) == ANSWER_YES; i++)
            replay(r);
    } else {
        refused++;
    }
    if (r->x)
        encode_free(r->x);
    flat_bounds_free(bounds);
}

static void replay_file(struct run *r)
{
    r->arena = (struct arena)ARENA_INIT;
    r->binary = arena_printf(&r->arena, "replays.%d.built", (int)getpid());
    r->arguments[0] = (char *)(uintptr_t)r->test_name;
    if (lower_sources(&r->file, 1, r->cflags, &r->arena, &r->program, &r->e) !=
        LOWER_DONE) {
        refused++;
    } else if (instrument_build(&r->file, 1, r->cflags, 0, r->binary, &r->e) !=
                   0 ||
               !program_read(r->binary, &r->arena, &r->tables, &r->e) ||
               (r->test_name && !lsl_parse_test(&r->program, r->test_name,
                                                &r->arena, &r->test, &r->e))) {
        printf("%s: %s\n", r->file, r->e.text);
        bad++;
    } else {
        for (size_t i = 0; model_all[i]; i++)
            replay_model(r, model_all[i]);
    }
    unlink(r->binary);
    arena_free(&r->arena);
}

int main(int argc, char **argv)
{
    struct run r = {.most = 1000, .cflags = ""};
    int at = 1;

    for (; at + 1 < argc && argv[at][0] == '-'; at += 2) {
        if (strcmp(argv[at], "--test") == 0)
            r.test_name = argv[at + 1];
        else if (strcmp(argv[at], "--cflags") == 0)
            r.cflags = argv[at + 1];
        else if (strcmp(argv[at], "--most") == 0)
            r.most = (size_t)atol(argv[at + 1]);
    }
    for (; at < argc; at++) {
        r.file = argv[at];
        replay_file(&r);
    }
    printf("%u brought about, %u not, %u times the solver had no part in it\n",
           brought_about, bad, refused);
    return bad || !brought_about;
}
