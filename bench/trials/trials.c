/* SPDX-License-Identifier: MIT
 *
 * How surely and how fast are cycles created?
 *
 *   bench_trials PROGRAM MODEL STRATEGY TRIALS BUDGET LENGTH BUFFER FLAGS
 *
 * PROGRAM is linked by fencer cc.  Cycles come from fencer test's own engine;
 * each cycle for MODEL is then searched TRIALS times from fresh seeds, with at
 * most BUDGET executions each.  FLAGS is any of: locks-paper, cas-bufferable,
 * all-pairs, joined by commas, or "-".  Prints JSON: what was predicted, the
 * time that took, and a row for each cycle:
 *
 *   {"length": 4, "nodes": "...", "class": "harmful", "trials": 20,
 *    "created": 19, "failed": 7, "executions": [...], "seconds": [...]}
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expose/expose.h"
#include "trace/trace.h"

struct trials {
    struct expose_options o;
    const struct model *models[1];
    struct program tables;
    struct arena arena;
    unsigned trials;
};

static void die(const char *why)
{
    fprintf(stderr, "bench_trials: %s\n", why);
    exit(2);
}

static uint32_t strategy_of(const char *name)
{
    for (uint32_t i = STRATEGY_RELAXER; strategy_words(i); i++) {
        if (strcmp(name, strategy_words(i)) == 0)
            return i;
    }
    die("STRATEGY is relaxer, orion or directed");
    return 0;
}

static void read_arguments(struct trials *t, char **argv)
{
    struct err e = {""};
    struct expose_options *o = &t->o;

    if (!program_read(argv[1], &t->arena, &t->tables, &e))
        die(e.text);
    t->models[0] = model_find(argv[2]);
    if (!t->models[0])
        die("no such model");
    t->trials = (unsigned)strtoul(argv[4], NULL, 10);
    *o = (struct expose_options){
        .base = {.program = argv[1],
                 .name = argv[1],
                 .seed = 1,
                 .buffer = strtoull(argv[7], NULL, 10)},
        .tables = &t->tables,
        .models = t->models,
        .model_count = 1,
        .strategy = STRATEGY_DIRECTED,
        .recorded = 100,
        .budget = strtoull(argv[5], NULL, 10),
        .max_length = (unsigned)strtoul(argv[6], NULL, 10),
        .max_instances = 20,
        .jobs = 1,
    };
    if (strstr(argv[8], "locks-paper"))
        o->base.flags |= CHANNEL_LOCKS_PAPER;
    if (strstr(argv[8], "cas-bufferable"))
        o->base.flags |= CHANNEL_CAS_BUFFERABLE;
    o->all_pairs = strstr(argv[8], "all-pairs") != NULL;
}

/* One cycle: its row. */
static json_t *measure(struct trials *t, const struct cycle *c,
                       const struct verdict *v)
{
    struct buf nodes = {0};
    json_t *executions = json_array(), *seconds = json_array();
    unsigned created = 0, failed = 0;

    for (unsigned i = 0; i < t->trials; i++) {
        struct expose_trial one;
        struct err e = {""};

        t->o.base.seed = 1000 + i;
        if (!expose_try(&t->o, c, t->models[0], &one, &e))
            die(e.text);
        created += one.created;
        failed += one.created && one.failed;
        json_array_append_new(executions,
                              json_integer((json_int_t)one.executions));
        json_array_append_new(seconds, json_real(one.seconds));
    }
    cycle_text(c, t->tables.sites, &nodes);

    json_t *row =
        json_pack("{s:i, s:s, s:s, s:b, s:i, s:i, s:i, s:o, s:o}", "length",
                  (int)c->length, "nodes", nodes.bytes, "class",
                  verdict_words(v->class), "confirmed", v->confirmed, "trials",
                  (int)t->trials, "created", (int)created, "failed",
                  (int)failed, "executions", executions, "seconds", seconds);

    buf_free(&nodes);
    return row;
}

static json_t *measure_all(struct trials *t, const struct expose_result *r)
{
    json_t *rows = json_array();

    for (size_t i = 0; i < r->cycle_count; i++) {
        if (r->verdicts[i].class != VERDICT_NONE)
            json_array_append_new(rows,
                                  measure(t, &r->cycles[i], &r->verdicts[i]));
    }
    return rows;
}

int main(int argc, char **argv)
{
    static struct trials t;
    static struct expose_result r;
    struct err e = {""};

    if (argc != 9)
        die("PROGRAM MODEL STRATEGY TRIALS BUDGET LENGTH BUFFER FLAGS");
    read_arguments(&t, argv);
    worker_catch_interrupts();
    if (!expose_run(&t.o, &t.arena, &r, &e))
        die(e.text);
    if (r.refused)
        die(r.refused);
    t.o.strategy = strategy_of(argv[3]);

    json_t *all = json_pack("{s:I, s:I, s:f, s:f, s:o}", "races",
                            (json_int_t)r.race_count, "predicted_all",
                            (json_int_t)r.cycle_count, "predict_seconds",
                            r.predict_seconds, "seconds", r.models[0].seconds,
                            "cycles", measure_all(&t, &r));

    json_dumpf(all, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(all);
    expose_free(&r);
    return 0;
}
