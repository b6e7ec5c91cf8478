/* SPDX-License-Identifier: MIT
 *
 * As sample_graphs.h says.
 */
#include "cmd/sample_graphs.h"

#include "base/buf.h"
#include "trace/trace.h"
#include "worker/stop.h"

#define LOSSES 3 /* of workers that somebody killed */

bool strategy_makes_graphs(uint64_t strategy)
{
    return strategy >= STRATEGY_DESCENT && strategy <= STRATEGY_MIXED;
}

/* From one failure to the next. */
struct leg {
    const struct sample_graphs *all;
    struct sample *sum;
    uint64_t next;               /* execution */
    struct channel_graph orders; /* failures that are known by now */
    struct buf state;            /* what is known of the program */
    unsigned losses;
    bool over;
};

static struct job job_of(struct leg *l)
{
    struct job j = *l->all->base;

    l->orders.state_size = l->state.count;
    l->orders.only_learns = l->state.count > 0;
    j.first = l->next;
    j.count = l->all->runs - l->next;
    j.graph = &l->orders;
    j.state = l->state.bytes;
    return j;
}

/* More sorts of failures than can be told are counted. */
static void know(struct leg *l, uint64_t signature)
{
    if (l->orders.known_count == CHANNEL_KNOWN_MAX)
        l->orders.all_known = 1;
    else
        l->orders.known[l->orders.known_count++] = signature;
}

static void take_stop(struct leg *l, const struct worker *w)
{
    struct stop stop = {.until_ms = l->all->until_ms};

    counts_take(&l->sum->counts, w, &l->sum->outcomes, l->all->arena);
    if (w->channel->graph.found && l->sum->counts.failed) {
        l->sum->counts.failed--; /* nobody will look at it */
        l->sum->counts.complete--;
        l->sum->counts.executions--;
    }
    stop_now(&stop);
    l->sum->end = SAMPLE_STOPPED;
    l->sum->why = stop.why;
    l->over = true;
}

static void take_bad(struct leg *l, const struct worker *w)
{
    struct buf why = {0};

    worker_complaint(w, &why);
    l->sum->end = SAMPLE_BAD;
    l->sum->why = arena_copy_n(l->all->arena, why.bytes, why.count);
    l->over = true;
    buf_free(&why);
}

/* Nothing of that job counts; it is done again. */
static bool take_loss(struct leg *l, struct err *e)
{
    return ++l->losses < LOSSES ||
           err_set(e,
                   "the processes of %s die, and its executions do not "
                   "explain it",
                   l->all->base->name);
}

static void take_refusal(struct leg *l, const struct worker *w)
{
    l->sum->end = SAMPLE_BAD;
    l->sum->refused = arena_copy(l->all->arena, w->channel->graph.refused);
    l->sum->why = arena_printf(
        l->all->arena, "--strategy %s cannot draw its executions: %s",
        strategy_words(l->all->base->strategy), w->channel->graph.refused);
    l->over = true;
}

static bool take_done(struct leg *l, const struct worker *w, struct err *e)
{
    const struct channel *c = w->channel;

    if (*c->graph.refused) {
        take_refusal(l, w);
        return true;
    }
    counts_take(&l->sum->counts, w, &l->sum->outcomes, l->all->arena);
    l->next += c->done;
    l->over = !c->done || l->next >= l->all->runs;
    if (c->graph.found != FOUND_FAILURE && c->graph.found != FOUND_RACE)
        return true;
    l->over = l->over || !l->all->keep_going;
    know(l, c->graph.signature);
    buf_clear(&l->state);
    buf_add(&l->state, (const char *)c + CHANNEL_SEARCH_AT,
            c->graph.state_size);
    return l->all->found(l->all->context, w, e);
}

static bool take_end(struct leg *l, const struct worker *w, struct err *e)
{
    switch (w->end) {
    case WORKER_STOPPED:
        take_stop(l, w);
        return true;
    case WORKER_BAD:
        take_bad(l, w);
        return true;
    case WORKER_DONE:
        return w->channel->graph.lost ? take_loss(l, e) : take_done(l, w, e);
    default:
        return take_loss(l, e);
    }
}

bool sample_graphs(const struct sample_graphs *g, struct sample *s,
                   struct err *e)
{
    uint64_t begun = worker_now_ms();
    struct leg l = {.all = g, .sum = s, .next = g->first};
    bool ok = true;

    *s = (struct sample){.end = SAMPLE_DONE, .asked = g->runs - g->first};
    while (ok && !l.over) {
        struct job j = job_of(&l);
        struct worker w;

        ok = worker_run(&w, &j, g->until_ms, e);
        if (!ok)
            break;
        ok = take_end(&l, &w, e);
        worker_free(&w);
    }
    buf_free(&l.state);
    tally_sort(&s->outcomes);
    s->counts.seconds = (double)(worker_now_ms() - begun) / 1000;
    return ok;
}

void sample_add(struct sample *to, const struct sample *s, struct arena *a)
{
    double seconds = to->counts.seconds + s->counts.seconds;

    counts_add(&to->counts, &s->counts);
    to->counts.seconds = seconds;
    for (size_t i = 0; i < s->outcomes.count; i++)
        tally_add(&to->outcomes, s->outcomes.list[i].text,
                  s->outcomes.list[i].count, a);
    tally_sort(&to->outcomes);
    to->asked += s->asked;
    if (to->end == SAMPLE_DONE) {
        to->end = s->end;
        to->why = s->why;
        to->refused = s->refused;
    }
}
