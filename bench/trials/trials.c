/* SPDX-License-Identifier: MIT
 *
 * How surely and how fast are cycles created?
 *
 *   bench_trials PROGRAM MODEL LENGTH FLAGS WAY...
 *
 * PROGRAM is linked by fencer cc.  Cycles of up to LENGTH accesses come from
 * fencer test's own engine; then each cycle for MODEL is searched for in every
 * WAY: STRATEGY:TRIALS:BUDGET:BUFFER, that many searches from fresh seeds of
 * at most BUDGET executions each, with a store buffer of BUFFER entries (0: no
 * limit).  Orion's way may end in :all, to reorder all pairs at once.  FLAGS is
 * any of locks-paper, cas-bufferable, joined by commas, or "-".
 *
 * A cycle that fencer test did not confirm, and that one search of a way did
 * not create, is not searched for any more in that way.  Prints JSON:
 *
 *   {"races": 9, "predicted": 40, "predict_seconds": 0.01, "seconds": 0.4,
 *    "cycles": [{"length": 4, "nodes": "...", "class": "harmful",
 *                "ways": [{"trials": 20, "created": 19, "failed": 7,
 *                          "seconds": [...]}]}]}
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/seconds.h"
#include "expose/expose_inside.h"
#include "trace/trace.h"

#define WAYS_MAX 16
#define IN_VAIN 1

struct way {
    uint32_t strategy;
    unsigned trials;
    uint64_t budget, buffer;
    bool all;
};

struct trials {
    struct expose_options o;
    const struct model *models[1];
    struct program tables;
    struct arena arena;
    struct way ways[WAYS_MAX];
    int way_count;
    struct pool pool; /* keeps the process from one search to the next */
};

static _Noreturn void die(const char *why)
{
    fprintf(stderr, "bench_trials: %s\n", why);
    exit(2);
}

static void read_way(const char *text, struct way *w)
{
    char name[16], tail[8] = "";
    unsigned long long budget, buffer;

    if (sscanf(text, "%15[a-z]:%u:%llu:%llu:%7s", name, &w->trials, &budget,
               &buffer, tail) < 4)
        die("a way is STRATEGY:TRIALS:BUDGET:BUFFER[:all]");
    w->budget = budget;
    w->buffer = buffer;
    w->all = strcmp(tail, "all") == 0;
    for (w->strategy = STRATEGY_RELAXER; strategy_words(w->strategy);
         w->strategy++) {
        if (strcmp(name, strategy_words(w->strategy)) == 0)
            return;
    }
    die("a strategy is relaxer, orion or directed");
}

static void read_arguments(struct trials *t, int argc, char **argv)
{
    struct err e = {""};

    if (argc < 5 || argc > 5 + WAYS_MAX)
        die("PROGRAM MODEL LENGTH FLAGS WAY...");
    if (!program_read(argv[1], &t->arena, &t->tables, &e))
        die(e.text);
    t->models[0] = model_find(argv[2]);
    if (!t->models[0])
        die("no such model");
    t->o = (struct expose_options){
        .base = {.program = argv[1], .name = argv[1], .seed = 1},
        .tables = &t->tables,
        .models = t->models,
        .model_count = 1,
        .strategy = STRATEGY_DIRECTED,
        .recorded = 100,
        .budget = 1000,
        .max_length = (unsigned)strtoul(argv[3], NULL, 10),
        .max_instances = 20,
        .jobs = 1,
    };
    if (strstr(argv[4], "locks-paper"))
        t->o.base.flags |= CHANNEL_LOCKS_PAPER;
    if (strstr(argv[4], "cas-bufferable"))
        t->o.base.flags |= CHANNEL_CAS_BUFFERABLE;
    for (int i = 5; i < argc; i++)
        read_way(argv[i], &t->ways[t->way_count++]);
}

/* What came of one search. */
struct trial {
    bool created; /* and found in the trace */
    bool failed;  /* that execution also failed */
    double seconds;
};

/* The last execution, if the strategy believes that it has the cycle. */
static void look_at_hit(struct expose *x, const struct worker *w,
                        const struct cycle *c, struct trial *one)
{
    struct err e = {""};
    struct shown *found = expose_again(x, w, &e);

    if (!found)
        die(*e.text ? e.text : "interrupted");
    one->created = predict_find(&found->trace, c, &found->witness);
    one->failed = shown_failed(found);
    shown_free(found);
}

/* One search for one cycle, as fencer test begins it. */
static struct trial search(struct trials *t, const struct cycle *c)
{
    struct expose_result r = {0};
    struct arena scratch = ARENA_INIT;
    struct expose x = {.o = &t->o, .arena = &scratch, .r = &r, .pool = t->pool};
    size_t cycle = judge_know(&x, c);
    struct channel_goal goal = search_goal(&x, cycle, 0, SEARCH_WHOLE);
    struct job j = search_first_job(&x, cycle, 0, SEARCH_WHOLE);
    struct trial one = {.created = false};
    double begun = seconds_passed();
    struct err e = {""};

    j.goal = &goal;
    while (j.first < t->o.budget && !one.created) {
        struct worker w;

        j.count = t->o.budget - j.first;
        if (!batch_run(&x, &j, &w, &e))
            die(e.text);
        j.first = w.channel->run + 1;
        if (w.channel->goal.hits)
            look_at_hit(&x, &w, c, &one);
        pool_release(&x.pool, &w);
    }
    one.seconds = seconds_passed() - begun;
    t->pool = x.pool;
    VEC_FREE(&x.known);
    index_free(&x.known_index);
    arena_free(&scratch);
    return one;
}

/* One cycle in one way. */
static json_t *measure_way(struct trials *t, const struct way *w,
                           const struct cycle *c, bool confirmed)
{
    json_t *seconds = json_array();
    unsigned i, created = 0, failed = 0;

    t->o.strategy = w->strategy;
    t->o.budget = w->budget;
    t->o.base.buffer = w->buffer;
    t->o.all_pairs = w->all;
    for (i = 0; i < w->trials; i++) {
        struct trial one;

        if (i >= IN_VAIN && !created && !confirmed)
            break;
        t->o.base.seed = 1000 + i;
        one = search(t, c);
        created += one.created;
        failed += one.created && one.failed;
        if (one.created)
            json_array_append_new(seconds, json_real(one.seconds));
    }
    return json_pack("{s:i, s:i, s:i, s:o}", "trials", (int)i, "created",
                     (int)created, "failed", (int)failed, "seconds", seconds);
}

static json_t *measure(struct trials *t, const struct cycle *c,
                       const struct verdict *v)
{
    struct buf nodes = {0};
    json_t *ways = json_array(), *row;

    for (int i = 0; i < t->way_count; i++)
        json_array_append_new(ways,
                              measure_way(t, &t->ways[i], c, v->confirmed));
    cycle_text(c, t->tables.sites, &nodes);
    row = json_pack("{s:i, s:s, s:s, s:b, s:o}", "length", (int)c->length,
                    "nodes", nodes.bytes, "class", verdict_words(v->class),
                    "confirmed", v->confirmed, "ways", ways);
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
    json_t *all;

    read_arguments(&t, argc, argv);
    worker_catch_interrupts();
    if (!expose_run(&t.o, &t.arena, &r, &e))
        die(e.text);
    if (r.stop.refused)
        die(r.stop.refused);
    all = json_pack("{s:I, s:I, s:f, s:f, s:o}", "races",
                    (json_int_t)r.race_count, "predicted",
                    (json_int_t)r.cycle_count, "predict_seconds",
                    r.predict_seconds, "seconds", r.models[0].counts.seconds,
                    "cycles", measure_all(&t, &r));
    json_dumpf(all, stdout, JSON_COMPACT);
    putchar('\n');
    json_decref(all);
    pool_dismiss(&t.pool);
    expose_free(&r);
    return 0;
}
