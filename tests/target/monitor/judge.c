/* SPDX-License-Identifier: MIT
 *
 * The truth: is there a trace of the model's machine that SC has not?  Both
 * sets come from the enumerator, which walks over all states of its machines.
 * The verdict: every interleaving on SC goes through the monitors, and they
 * are grouped by trace.
 */
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interleave.h"
#include "print.h"
#include "traces.h"

enum { MAX_TRACES = 4096, CROWDED = 5 };

#define SLOW (1u << WATCH_BURNIM_TSO | 1u << WATCH_BURNIM_PSO)

static const enum model model_of[WATCH_COUNT] = {
    [WATCH_TSO] = TSO,       [WATCH_PSO] = PSO,        [WATCH_PSLO] = PSLO,
    [WATCH_SOBER] = TSO,     [WATCH_TSO_CLOCKS] = TSO, [WATCH_BURNIM_TSO] = TSO,
    [WATCH_BURNIM_PSO] = PSO};

/* ---- The truth ---- */

static bool has_more(const struct traces *all, const struct traces *sc)
{
    for (size_t i = 0; i < all->count; i++)
        if (!traces_have(sc, &all->list[i]))
            return true;
    return false;
}

bool judge_truth(const struct program *p, size_t max_states, uint32_t *relaxed,
                 size_t *sc_traces)
{
    struct traces_wish wish = {
        .with_sync = true, .with_stuck = true, .max_states = max_states};
    struct traces sc;
    bool complete = traces_find(&sc, p, SC, &wish);

    *relaxed = 0;
    for (enum model m = TSO; m < MODEL_COUNT && complete; m++) {
        struct traces all;

        complete = traces_find(&all, p, m, &wish);
        if (has_more(&all, &sc))
            *relaxed |= 1u << m;
        traces_free(&all);
    }
    *sc_traces = sc.count;
    traces_free(&sc);
    return complete;
}

/* ---- The verdict ---- */

struct seen_trace {
    uint64_t trace;
    uint32_t reported, silent, doubted; /* by some interleaving */
};

struct judged {
    uint32_t kinds;
    size_t interleavings, traces;
    struct seen_trace seen[MAX_TRACES];
};

static void add_interleaving(const struct interleaving *i, void *context)
{
    struct judged *v = context;
    struct watched w =
        watch(v->kinds, i->log, i->count, i->pending, i->pending_count, false);
    size_t at = 0;

    if (v->interleavings % CROWDED == 1) {
        uint32_t kinds = v->kinds & ~SLOW;
        struct watched c =
            watch(kinds, i->log, i->count, i->pending, i->pending_count, true);

        REQUIRE(c.reported == (w.reported & kinds), "strangers matter");
    }
    v->interleavings++;
    while (at < v->traces && v->seen[at].trace != i->trace)
        at++;
    if (at == v->traces) {
        REQUIRE(v->traces < MAX_TRACES, "too many traces");
        v->seen[v->traces++] = (struct seen_trace){.trace = i->trace};
    }
    v->seen[at].reported |= w.reported;
    v->seen[at].silent |= v->kinds & ~w.reported;
    v->seen[at].doubted |= w.doubted & ~w.reported;
}

/* What is wrong with it; NULL: nothing. */
static const char *compare(const struct judged *v, enum watch_kind kind,
                           bool relaxed, struct tally *t)
{
    uint32_t bit = 1u << kind, reported = 0, doubted = 0;
    size_t depending = 0, sure = 0;
    bool missed;

    for (size_t i = 0; i < v->traces; i++) {
        const struct seen_trace *s = &v->seen[i];

        reported |= s->reported & bit;
        doubted |= s->doubted & bit;
        sure += !(s->silent & bit);
        depending += s->reported & s->silent & ~s->doubted & bit ? 1 : 0;
    }
    missed = relaxed && !reported && !doubted;
    t->by[kind].relaxed += relaxed;
    t->by[kind].missed += missed;
    t->by[kind].adversarial += relaxed && !sure && !doubted;
    t->by[kind].false_alarms += !relaxed && reported;
    t->by[kind].doubted += !reported && doubted;
    t->by[kind].depending += depending;
    return missed                 ? "misses that this can leave SC"
           : !relaxed && reported ? "reports this, which is robust"
           : depending            ? "depends on the interleaving of this"
                                  : NULL;
}

void judge_program(const struct judge *j, const struct program *p,
                   struct tally *t)
{
    static struct judged v;
    uint32_t relaxed;
    size_t sc_traces;

    v.kinds = j->kinds;
    v.interleavings = v.traces = 0;
    if (!interleave(p, j->max_interleavings, add_interleaving, &v) ||
        !judge_truth(p, j->max_states, &relaxed, &sc_traces)) {
        t->too_big++;
        return;
    }
    REQUIRE(sc_traces == v.traces, "%s: %zu traces, not %zu", p->name, v.traces,
            sc_traces);
    t->programs++;
    t->interleavings += v.interleavings;
    t->traces += v.traces;
    for (enum watch_kind k = 0; k < WATCH_COUNT; k++) {
        const char *wrong = NULL;

        if (j->kinds >> k & 1)
            wrong = compare(&v, k, relaxed >> model_of[k] & 1, t);
        if (!wrong || !(j->verbose >> k & 1))
            continue;
        fprintf(stderr, "%s %s:\n", watch_name(k), wrong);
        print_litmus(stderr, p);
    }
}

bool tally_is_right(const struct tally *t, enum watch_kind k)
{
    return !t->by[k].missed && !t->by[k].adversarial &&
           !t->by[k].false_alarms && !t->by[k].depending;
}

void tally_print(const char *name, const struct tally *t, uint32_t kinds)
{
    printf("%s: %zu programs, %zu interleavings, %zu traces, %zu too big\n",
           name, t->programs, t->interleavings, t->traces, t->too_big);
    for (enum watch_kind k = 0; k < WATCH_COUNT; k++)
        if (kinds >> k & 1)
            printf("  %-11s relaxed %5zu  missed %3zu  adversarial %3zu  false "
                   "alarms %3zu  doubted %3zu  depending %3zu\n",
                   watch_name(k), t->by[k].relaxed, t->by[k].missed,
                   t->by[k].adversarial, t->by[k].false_alarms,
                   t->by[k].doubted, t->by[k].depending);
}
