/* SPDX-License-Identifier: MIT
 *
 * Building a program, naming a cycle, searching for it: see search.h.
 */
#include "search.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "worker/worker.h"

static _Noreturn void give_up(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(3);
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void subject_build(struct subject *s, const char *source, const char *flags)
{
    static unsigned number;
    char command[2048];
    struct err e;

    memset(s, 0, sizeof *s);
    s->source = source;
    snprintf(s->binary, sizeof s->binary, "./subject-%d-%u", (int)getpid(),
             number++);
    snprintf(command, sizeof command, "%s cc -w %s '%s' -o %s", EXPOSE_FENCER,
             flags, source, s->binary);
    if (system(command) != 0)
        give_up(source, "does not compile");
    if (!program_read(s->binary, &s->arena, &s->tables, &e))
        give_up(source, e.text);
}

void subject_remove(struct subject *s)
{
    unlink(s->binary);
    arena_free(&s->arena);
}

/* ---- Cycles from words ---- */

static unsigned line_of(const char *source, const char *word)
{
    char line[512], mark[128];
    unsigned number = 0;
    FILE *f = fopen(source, "r");

    if (!f)
        give_up(source, "cannot be read");
    snprintf(mark, sizeof mark, "/* %s */", word);
    while (fgets(line, sizeof line, f)) {
        number++;
        if (strstr(line, mark)) {
            fclose(f);
            return number;
        }
    }
    give_up(source, word);
}

static uint32_t kind_of(char letter)
{
    return letter == 'R' ? EV_LOAD : letter == 'W' ? EV_STORE : EV_RMW;
}

static uint32_t site_of(const struct subject *s, const char *word)
{
    char copy[64];
    size_t n = strlen(word);
    uint32_t kind = EV_NONE;
    unsigned line;

    snprintf(copy, sizeof copy, "%s", word);
    if (n && strchr("RWU", copy[n - 1])) {
        kind = kind_of(copy[n - 1]);
        copy[n - 1] = '\0';
    }
    line = isdigit((unsigned char)*copy)
               ? (unsigned)atoi(copy)
               : line_of(s->source, copy + (*copy == '#'));
    for (uint32_t i = 1; i < s->tables.site_count; i++) {
        uint32_t k = s->tables.sites[i].kind;

        if (s->tables.sites[i].line == line &&
            (k == kind || (kind == EV_NONE &&
                           (k == EV_LOAD || k == EV_STORE || k == EV_RMW))))
            return i;
    }
    give_up(s->source, word);
}

static void find_reorderable(const struct subject *s, struct cycle *c)
{
    for (uint32_t m = 0; model_all[m]; m++) {
        for (uint32_t i = 0; i < c->length; i++) {
            uint32_t next = i + 1 == c->length ? 0 : i + 1;
            struct event a = {
                .kind = (uint8_t)s->tables.sites[c->nodes[i].site].kind};
            struct event b = {
                .kind = (uint8_t)s->tables.sites[c->nodes[next].site].kind};

            if (c->nodes[i].pair == GOAL_FIRST &&
                model_may_overtake(model_all[m], &a, &b, 0))
                c->reorderable[m] |= (uint16_t)(1u << i);
        }
    }
}

void subject_cycle(const struct subject *s, const char *text, struct cycle *c)
{
    uint8_t role = 0;
    bool second = false;

    memset(c, 0, sizeof *c);
    while (*text) {
        size_t n = strcspn(text, ">~");
        char word[64];
        struct cycle_node *node = &c->nodes[c->length++];

        snprintf(word, sizeof word, "%.*s", (int)n, text);
        node->site = site_of(s, word);
        node->role = role;
        node->reads = s->tables.sites[node->site].kind != EV_STORE;
        node->writes = s->tables.sites[node->site].kind != EV_LOAD;
        node->pair = second           ? GOAL_SECOND
                     : text[n] == '>' ? GOAL_FIRST
                                      : GOAL_ALONE;
        second = text[n] == '>';
        role = (uint8_t)(role + !second);
        text += n + (text[n] != '\0');
    }
    find_reorderable(s, c);
}

void subject_name(const struct subject *s, const struct cycle *c, char *out,
                  size_t room)
{
    size_t used = 0;

    *out = '\0';
    for (uint32_t i = 0; i < c->length && used < room; i++) {
        const struct fencer_site *site = &s->tables.sites[c->nodes[i].site];

        used += (size_t)snprintf(
            out + used, room - used, "%u%c%c", site->line,
            c->nodes[i].writes ? (c->nodes[i].reads ? 'U' : 'W') : 'R',
            c->nodes[i].pair == GOAL_FIRST ? '>' : '~');
    }
}

/* ---- Executions ---- */

static void run(const struct job *j, struct worker *w)
{
    struct worker *list[1] = {w};
    struct err e;

    if (!worker_start(w, j, &e))
        give_up(j->program, e.text);
    worker_wait(list, 1, 0);
    if (w->end != WORKER_DONE)
        give_up(j->program, "did not do what it was asked for");
}

static struct job job_of(const struct subject *s, const struct model *m,
                         uint32_t strategy)
{
    static char *const none[] = {NULL};

    return (struct job){.program = s->binary,
                        .name = "subject",
                        .arguments = none,
                        .model = m->name,
                        .strategy = strategy,
                        .flags = CHANNEL_KEEP_GOING};
}

/* Calls `take` with the trace of each execution. */
static void trace_all(struct subject *s, const struct model *m,
                      uint32_t strategy, uint64_t count,
                      void (*take)(void *arg, const struct trace *t), void *arg)
{
    struct job j = job_of(s, m, strategy);
    struct worker w;

    j.flags |= CHANNEL_TRACE;
    j.seed = 7;
    j.count = count;
    run(&j, &w);
    for (uint64_t i = 0; i < w.channel->execution_count; i++) {
        struct arena a = {0};
        struct trace t;
        struct err e;

        if (!trace_from_channel_nth(w.channel, i, &s->tables, &a, &t, &e))
            give_up(s->source, e.text);
        take(arg, &t);
        arena_free(&a);
    }
    worker_free(&w);
}

static void add_trace(void *p, const struct trace *t)
{
    predict_add(p, t);
}

struct predict *subject_predict(struct subject *s, unsigned executions)
{
    struct predict *p = predict_new(6, 20);

    trace_all(s, &model_sc, STRATEGY_POS, executions, add_trace, p);
    predict_run(p);
    return p;
}

static void add_cycles(void *p, const struct trace *t)
{
    struct seen *seen = p;
    struct arena a = {0};
    struct cycle *c;
    size_t count;

    predict_all(t, 6, SEEN_MAX, &a, &c, &count);
    for (size_t i = 0; i < count; i++) {
        size_t j = 0;

        while (j < seen->count && cycle_compare(&c[i], &seen->cycles[j]) != 0)
            j++;
        if (j == SEEN_MAX)
            continue;
        if (j == seen->count)
            seen->cycles[seen->count++] = c[i];
        seen->times[j]++;
    }
    arena_free(&a);
}

void subject_see(struct subject *s, const struct model *m, uint64_t executions,
                 struct seen *seen)
{
    memset(seen, 0, sizeof *seen);
    trace_all(s, m, STRATEGY_RANDOM, executions, add_cycles, seen);
    for (size_t i = 0; i < seen->count; i++)
        find_reorderable(s, &seen->cycles[i]);
}

/* Is it in the last execution?  Searching goes without traces; it is run again
 * from its decisions. */
static bool is_there(const struct subject *s, const struct worker *w,
                     const struct cycle *c)
{
    struct arena a = {0};
    struct cycle_witness witness;
    struct job j = w->job;
    struct worker again;
    struct trace t;
    struct err e;
    bool found;

    j.strategy = STRATEGY_REPLAY;
    j.flags = CHANNEL_KEEP_GOING | CHANNEL_TRACE;
    j.first = w->channel->run;
    j.count = 1;
    j.schedule = (uint32_t *)((char *)w->channel + CHANNEL_SCHEDULE_AT);
    j.schedule_count = w->channel->recorded_count;
    j.goal = NULL;
    run(&j, &again);
    if (again.channel->misfit)
        give_up(s->source, "cannot be replayed");
    if (!trace_from_channel(again.channel, &s->tables, &a, &t, &e))
        give_up(s->source, e.text);
    found = predict_find(&t, c, &witness);
    worker_free(&again);
    arena_free(&a);
    return found;
}

static struct channel_goal goal_of(const struct cycle *c, const struct model *m)
{
    struct channel_goal g = {.node_count = c->length};

    for (uint32_t i = 0; model_all[i]; i++)
        if (model_all[i] == m)
            g.reorder = c->reorderable[i];
    for (uint32_t i = 0; i < c->length; i++)
        g.nodes[i] = (struct goal_node){c->nodes[i].site, c->nodes[i].role,
                                        c->nodes[i].pair, c->nodes[i].reads,
                                        c->nodes[i].writes};
    return g;
}

struct searched subject_search(const struct subject *s, const struct cycle *c,
                               const struct model *m, uint32_t strategy,
                               uint64_t seed, uint64_t budget)
{
    struct channel_goal goal = goal_of(c, m);
    struct job j = job_of(s, m, strategy);
    struct searched r = {0};
    double begun = now();

    j.flags |= CHANNEL_RECORD;
    j.seed = seed;
    j.goal = &goal;
    while (j.first < budget && !r.found) {
        struct worker w;

        j.count = budget - j.first;
        run(&j, &w);
        j.first = w.channel->run + 1;
        r.failed += w.channel->failed;
        if (w.channel->goal.hits) {
            r.found = is_there(s, &w, c);
            r.wrong += !r.found;
        }
        worker_free(&w);
    }
    r.first = j.first;
    r.seconds = now() - begun;
    return r;
}

void subject_compare(const struct subject *s, const struct cycle *c,
                     const struct model *m, uint32_t strategy, uint64_t from,
                     uint64_t executions, struct compared *sum)
{
    struct channel_goal goal = goal_of(c, m);
    struct job j = job_of(s, m, strategy);

    j.flags |= CHANNEL_RECORD;
    j.seed = 3;
    j.count = 1;
    j.goal = &goal;
    for (j.first = from; j.first < from + executions; j.first++) {
        struct worker w;
        bool hit, found;

        run(&j, &w);
        hit = w.channel->goal.hits;
        found = is_there(s, &w, c);
        sum->both += hit && found;
        sum->missed += !hit && found;
        sum->wrong += hit && !found;
        worker_free(&w);
    }
}
