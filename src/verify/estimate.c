/* SPDX-License-Identifier: MIT
 *
 * Of many weights the mean is told.  Few of them are most of the sum, and those
 * that were not met may be more than all that were: so the spread reaches from
 * two standard errors below the mean to the largest weight that was met, and
 * ten times as far where the mean is not settled.  On trees of known size
 * (bench/explore) nearly all are within that.
 */
#include "verify/estimate.h"

#include <inttypes.h>
#include <math.h>

#define WEIGHTS_MOST 200000
#define PATIENCE 50.0 /* times as long as it had: more is out of reach */
#define TOLD_BRANCHES 2
#define UNSETTLED 0.2 /* a mean with a larger error */

void estimate_add(struct estimate *x, const struct worker *w, struct arena *a)
{
    const struct channel_graph *c = &w->channel->graph;
    const double *from =
        (const double *)((const char *)w->channel + CHANNEL_STEPS_AT);

    for (uint64_t i = 0; i < c->weight_count && x->weights.count < WEIGHTS_MOST;
         i++) {
        double weight = from[i];

        if (weight >= 0 && weight <= 1e300) /* nor is it none at all */
            VEC_PUSH_IN(a, &x->weights, weight);
    }
    x->branch_count = c->branch_count;
    x->bits = c->bits >= 0 && c->bits <= 1e300 ? c->bits : 0;
    memcpy(x->branches, c->branches, sizeof(x->branches));
}

/* ---- How many ---- */

struct spread {
    double mean, most; /* of the weights */
    double error;      /* standard error of the mean, as a part of it */
};

/* All is divided by the largest weight, whose square may be no number. */
static double sum_of_squares(const struct estimate *x, double mean, double most)
{
    double sum = 0;

    for (size_t i = 0; i < x->weights.count; i++) {
        double d = (x->weights.list[i] - mean) / most;

        sum += d * d;
    }
    return sum;
}

static bool find_spread(const struct estimate *x, struct spread *s)
{
    double n = (double)x->weights.count;

    *s = (struct spread){.mean = 0};
    for (size_t i = 0; i < x->weights.count; i++) {
        s->mean += x->weights.list[i] / n;
        s->most = fmax(s->most, x->weights.list[i]);
    }
    if (s->most <= 0)
        return false;
    s->error =
        sqrt(sum_of_squares(x, s->mean, s->most)) / n * (s->most / s->mean);
    return true;
}

bool estimate_magnitude(const struct estimate *x, uint64_t explored,
                        struct magnitude *to)
{
    struct spread s;
    double least = fmax(1, (double)explored), low, high;

    if (!find_spread(x, &s))
        return false;
    low = s.mean / (1 + 2 * s.error);
    high = fmax(s.mean * (1 + 2 * s.error),
                s.error > UNSETTLED ? s.most * 10 : s.most);
    to->low = (int)floor(log10(fmax(low, least)));
    to->about = (int)lround(log10(fmax(s.mean, least)));
    to->high = (int)ceil(log10(fmin(fmax(high, least), 1e300)));
    return true;
}

/* ---- In words ---- */

/* "T2", "T1 to T4", "3 threads" */
static const char *threads_of(uint32_t set, struct arena *a)
{
    unsigned first, count = (unsigned)__builtin_popcount(set);

    if (!set)
        return "no thread";
    first = (unsigned)__builtin_ctz(set);
    if (count == 1)
        return arena_printf(a, "T%u", first);
    if (set >> first == (1ull << count) - 1)
        return arena_printf(a, "T%u to T%u", first, first + count - 1);
    return arena_printf(a, "%u threads", count);
}

/* "ring.c:65 (T1 to T4, 3 times each)"; NULL: there is no such place. */
static const char *place_of(const struct channel_branch *b,
                            const struct search *s)
{
    const struct program *p = s->v->o->tables;
    struct arena *a = s->v->arena;
    const struct fencer_site *site;

    if (b->site >= p->site_count || !p->sites[b->site].line)
        return NULL;
    site = &p->sites[b->site];
    if (b->times > 1)
        return arena_printf(a, "%s:%u (%s, up to %u times%s)", site->file,
                            site->line, threads_of(b->threads, a), b->times,
                            __builtin_popcount(b->threads) > 1 ? " each" : "");
    return arena_printf(a, "%s:%u (%s)", site->file, site->line,
                        threads_of(b->threads, a));
}

static void tell_places(const struct estimate *x, const struct search *s,
                        struct lines *to)
{
    const char *places[TOLD_BRANCHES] = {NULL};
    size_t count = 0;
    double bits = 0;

    for (uint32_t i = 0; i < x->branch_count && count < TOLD_BRANCHES; i++) {
        places[count] = place_of(&x->branches[i], s);
        if (places[count]) {
            count++;
            bits += x->branches[i].bits;
        }
    }
    if (count)
        lines_add(to,
                  "all of them on %s are out of reach; %s of the choices are "
                  "at %s%s%s: fewer threads or rounds there make them fewer",
                  s->model->words, bits > x->bits / 2 ? "most" : "many",
                  places[0], count > 1 ? " and " : "",
                  count > 1 ? places[1] : "");
}

/* At the speed so far, whatever the machine. */
static bool is_out_of_reach(const struct estimate *x, const struct search *s)
{
    struct spread spread;

    return find_spread(x, &spread) &&
           spread.mean > PATIENCE * (double)s->counts->executions;
}

void estimate_tell(const struct estimate *x, const struct search *s,
                   struct lines *to)
{
    struct magnitude m;

    if (!estimate_magnitude(x, s->counts->executions, &m))
        return;
    lines_add(to,
              "about 10^%d executions on %s in all (10^%d to 10^%d, estimated "
              "by %zu random descents); %" PRIu64 " were explored",
              m.about, s->model->words, m.low, m.high, x->weights.count,
              s->counts->executions);
    if (is_out_of_reach(x, s))
        tell_places(x, s, to);
}
