/* SPDX-License-Identifier: MIT
 *
 * Searches are made one after the other, because what one finds decides what
 * the next ones try: so the answer does not depend on the number of workers.
 * The workers that this leaves idle run jobs ahead: those that later searches
 * begin with, whatever the earlier ones find.  What a job gives depends on
 * nothing but the job, so it may just as well have been run before.
 */
#include <stdlib.h>

#include "expose/expose_inside.h"

#define AHEAD_MAX 32

/* The first job of a search (search_first_job) that runs ahead, or has. */
struct ahead_job {
    struct task task;
    struct channel_goal goal;
    size_t cycle;
    int pair;
    bool taken; /* this place is */
};

struct ahead {
    size_t model, cycle; /* the search under way */
    size_t count;
    struct ahead_job jobs[AHEAD_MAX];
};

static struct ahead_job *find_job(struct ahead *a, size_t cycle, int pair)
{
    for (size_t i = 0; i < a->count; i++) {
        struct ahead_job *k = &a->jobs[i];

        if (k->taken && k->cycle == cycle && k->pair == pair)
            return k;
    }
    return NULL;
}

static struct ahead_job *find_place(struct ahead *a)
{
    for (size_t i = 0; i < a->count; i++) {
        if (!a->jobs[i].taken)
            return &a->jobs[i];
    }
    return NULL;
}

static void drop_job(struct expose *x, struct ahead_job *k)
{
    pool_stop(&x->pool, &k->task);
    pool_release(&x->pool, &k->task.worker);
    k->taken = false;
}

/* ---- What may run ahead ---- */

static bool was_hit(const struct ahead_job *k)
{
    return k && !k->task.running && k->task.worker.channel->goal.hits;
}

static bool is_pair_open(const struct expose *x, size_t cycle, size_t model,
                         uint32_t i)
{
    const struct cycle *c = &x->known.list[cycle].cycle;

    return c->reorderable[model_number(x->o->models[model])] >> i & 1 &&
           !cause_is_harmful(x, c->nodes[i].site,
                             c->nodes[(i + 1) % c->length].site);
}

/* A search that was a hit goes on pair by pair. */
static bool next_pair(struct expose *x, size_t cycle, int *pair)
{
    struct ahead *a = x->ahead;

    for (uint32_t i = 0; i < x->known.list[cycle].cycle.length; i++) {
        *pair = (int)i;
        if (is_pair_open(x, cycle, a->model, i) && !find_job(a, cycle, *pair))
            return true;
    }
    return false;
}

static bool next_job(struct expose *x, size_t *cycle, int *pair)
{
    struct ahead *a = x->ahead;

    for (*cycle = a->cycle + 1; *cycle < x->known.count; ++*cycle) {
        struct ahead_job *first = find_job(a, *cycle, SEARCH_WHOLE);

        *pair = SEARCH_WHOLE;
        if (!search_is_wanted(x, *cycle, a->model))
            continue;
        if (!first || (was_hit(first) && next_pair(x, *cycle, pair)))
            return true;
    }
    return false;
}

bool ahead_fill(struct expose *x, struct err *e)
{
    struct ahead_job *k;
    size_t cycle;
    int pair;

    while (x->ahead && pool_running(&x->pool) < x->o->jobs &&
           (k = find_place(x->ahead)) && next_job(x, &cycle, &pair)) {
        struct job j = search_first_job(x, cycle, x->ahead->model, pair);

        *k = (struct ahead_job){.cycle = cycle, .pair = pair};
        k->goal = search_goal(x, cycle, x->ahead->model, pair);
        j.goal = &k->goal;
        if (!pool_start(&x->pool, &k->task, &j, e))
            return false;
        k->taken = true;
    }
    return true;
}

/* ---- Taking what was run ahead ---- */

void ahead_begin(struct expose *x, size_t model)
{
    struct ahead *a = calloc(1, sizeof(*a));

    CHECK(a != NULL && !x->ahead);
    a->model = model;
    a->count = x->o->jobs < AHEAD_MAX / 2 ? 2 * (x->o->jobs - 1) : AHEAD_MAX;
    x->ahead = a;
}

/* What only searches before this one could have used is dropped. */
void ahead_turn_to(struct expose *x, size_t cycle)
{
    struct ahead *a = x->ahead;

    a->cycle = cycle;
    for (size_t i = 0; i < a->count; i++) {
        if (a->jobs[i].taken && a->jobs[i].cycle < cycle)
            drop_job(x, &a->jobs[i]);
    }
}

bool ahead_run(struct expose *x, size_t cycle, int pair, const struct job *j,
               struct worker *w, struct err *e)
{
    struct ahead_job *k = j->first ? NULL : find_job(x->ahead, cycle, pair);
    bool ok;

    if (!k)
        return batch_run(x, j, w, e);
    ok = batch_wait(x, &k->task, w, e);
    k->taken = false;
    return ok;
}

void ahead_end(struct expose *x)
{
    ahead_turn_to(x, SIZE_MAX);
    free(x->ahead);
    x->ahead = NULL;
}
