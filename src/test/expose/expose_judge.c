/* SPDX-License-Identifier: MIT
 *
 * What an execution says about the cycles in it.
 *
 * A cycle is harmful if an execution that contains it does what none does on
 * SC: fails in a way in which no SC execution fails, or observes or prints what
 * none does.  The latter is only known if all SC executions are; from a sample
 * it stays undecided.
 *
 * Whose fault is a failure?  `directed` swaps nothing but what it was told to,
 * so mostly one store was late or one load early.  Where more was swapped, a
 * pair that does harm on its own is to blame; if there is none, all are.
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "expose/expose_inside.h"

#define ALL_MAX 256     /* cycles of one execution to look at for blame */
#define CYCLES_MAX 4096 /* and to judge */

const char *verdict_words(enum verdict_class class)
{
    switch (class) {
    case VERDICT_HARMFUL:
        return "harmful";
    case VERDICT_BENIGN:
        return "benign";
    case VERDICT_INFEASIBLE:
        return "infeasible";
    case VERDICT_UNDECIDED:
        return "undecided";
    case VERDICT_NONE:
        break;
    }
    return "";
}

bool judge_fails_on_sc(const struct expose *x, const struct channel_failure *f)
{
    for (size_t i = 0; i < x->r->sc.count; i++) {
        if (finding_same_sort(&x->r->sc.list[i]->finding.failure, f))
            return true;
    }
    return false;
}

enum harm judge_harm(struct expose *x, struct shown *e)
{
    if (shown_failed(e) && e->finding.failure.kind == FAIL_UNSUPPORTED)
        return HARM_NONE;
    if (shown_failed(e))
        return judge_fails_on_sc(x, &e->finding.failure) ? HARM_NONE : HARM_YES;
    if (map_get(&x->sc_outcomes, e->finding.outcome))
        return HARM_NONE;
    if (!x->r->sc_complete || !confirm_is_steady(x))
        return HARM_PERHAPS;
    e->error = "it observed or printed what no SC execution does";
    return HARM_YES;
}

/* ---- Cycles ---- */

static uint64_t hash_of(const struct cycle *c)
{
    uint64_t h = c->length;

    for (uint32_t i = 0; i < c->length; i++)
        h = (h ^ (c->nodes[i].site * 3u + c->nodes[i].pair)) *
            0x9e3779b97f4a7c15ull;
    return h;
}

static bool same(const void *owner, uint32_t number, const void *key)
{
    const struct expose *x = owner;

    CHECK(number < x->known.count);
    return cycle_compare(&x->known.list[number].cycle, key) == 0;
}

/* What a trace shows of a cycle may be new: what one machine reorders, every
 * weaker one does too, and C11. */
static void learn_masks(struct cycle *known, const struct cycle *c)
{
    size_t machines = 0;

    while (model_all[machines])
        machines++;
    for (size_t i = 0; i < CYCLE_MODELS_MAX; i++) {
        known->reorderable[i] |= c->reorderable[i];
        if (i && i < machines)
            known->reorderable[i] |= known->reorderable[i - 1];
    }
    known->reorderable[model_number(&model_c11)] |=
        known->reorderable[machines - 1];
}

size_t judge_know(struct expose *x, const struct cycle *c)
{
    uint32_t n = index_put(&x->known_index, hash_of(c), same, x, c);

    if (n == x->known.count)
        VEC_PUSH(&x->known, {.cycle = *c});
    learn_masks(&x->known.list[n].cycle, c);
    return n;
}

void witness_pair(const struct cycle *c, const struct cycle_witness *w,
                  uint32_t *first, uint32_t *second)
{
    *first = *second = 0;
    for (uint32_t i = 0; i < c->length; i++) {
        uint32_t a = c->nodes[i].site;
        uint32_t b = c->nodes[(i + 1) % c->length].site;

        if (!(w->reordered >> i & 1))
            continue;
        if (!*first || a < *first || (a == *first && b < *second)) {
            *first = a;
            *second = b;
        }
    }
}

static bool has_pair(const struct shown *e, uint32_t first, uint32_t second)
{
    for (size_t i = 0; i < e->pair_count; i++) {
        if (e->pairs[i][0] == first && e->pairs[i][1] == second)
            return true;
    }
    return false;
}

static void add_pairs(struct shown *e, const struct cycle *c, uint16_t mask)
{
    for (uint32_t k = 0; k < c->length; k++) {
        uint32_t first = c->nodes[k].site;
        uint32_t second = c->nodes[(k + 1) % c->length].site;

        if (mask >> k & 1 && !has_pair(e, first, second)) {
            e->pairs[e->pair_count][0] = first;
            e->pairs[e->pair_count++][1] = second;
        }
    }
}

/* Every reordered pair of every cycle in that execution. */
static void find_pairs(struct shown *e, unsigned max_length)
{
    struct cycle *all;
    size_t count;
    size_t number = model_number(e->finding.model);

    if (e->pairs)
        return;
    predict_all(&e->trace, max_length, ALL_MAX, &e->arena, &all, &count);
    e->pairs = arena_array(&e->arena, count * CYCLE_LENGTH_MAX / 2 + 1,
                           sizeof(*e->pairs));
    for (size_t i = 0; i < count; i++)
        add_pairs(e, &all[i], all[i].reorderable[number]);
}

/* ---- Verdicts ---- */

static void log_suspect(const struct expose *x, const struct shown *e)
{
    const struct fencer_site *sites = x->o->tables->sites;

    for (size_t i = 0; i < e->pair_count; i++)
        LOG(EXPOSE, "%s: lines %u and %u swapped in an execution that fails",
            e->finding.model->name, sites[e->pairs[i][0]].line,
            sites[e->pairs[i][1]].line);
}

void suspect_load(struct expose *x, struct shown *e, size_t cycle, size_t model)
{
    VEC_PUSH(&x->suspects, {e, cycle, model});
}

static void add_suspect(struct expose *x, size_t model, size_t cycle,
                        struct shown *e)
{
    find_pairs(e, x->o->max_length);
    log_suspect(x, e);
    suspect_load(x, shown_clone(e), cycle, model);
}

static void blame(struct expose *x, size_t model, size_t cycle,
                  const struct shown *e)
{
    struct verdict *v = &x->known.list[cycle].verdicts[model];

    v->class = VERDICT_HARMFUL;
    v->reason = NULL;
    witness_pair(&e->sought, &e->witness, &v->first, &v->second);
    x->r->models[model].done.failed = true;
    cause_add(x, e, true);
}

bool is_suspect(const struct expose *x, size_t cycle, size_t model)
{
    for (size_t i = 0; i < x->suspects.count; i++) {
        if (x->suspects.list[i].cycle == cycle &&
            x->suspects.list[i].model == model)
            return true;
    }
    return false;
}

/* Was the store of event i late: did a later access of its thread take effect
 * before it reached memory? */
static bool was_late(const struct trace *t, size_t i)
{
    const struct event *s = &t->events[i];

    if (s->kind != EV_STORE || !(s->flags & EVF_BUFFERED))
        return false;
    for (size_t k = i + 1; k < t->event_count; k++) {
        const struct event *ev = &t->events[k];

        if (ev->thread != s->thread)
            continue;
        if (ev->kind == EV_COMMIT && ev->from == i + 1)
            return false;
        if (ev->kind == EV_LOAD || ev->kind == EV_RMW ||
            ev->kind == EV_CAS_FAIL ||
            (ev->kind == EV_COMMIT && ev->from > i + 1))
            return true;
    }
    return true;
}

static bool add_site(struct channel_fence *fences, size_t *count, size_t max,
                     uint32_t site)
{
    for (size_t i = 0; i < *count; i++) {
        if (fences[i].site == site)
            return true;
    }
    if (*count == max)
        return false;
    fences[(*count)++] = (struct channel_fence){site, CHANNEL_FENCE_COMMIT};
    return true;
}

bool judge_others_late(const struct shown *e, struct channel_fence *fences,
                       size_t max, size_t *count)
{
    uint32_t first, second;

    *count = 0;
    witness_pair(&e->sought, &e->witness, &first, &second);
    for (size_t i = 0; i < e->trace.event_count; i++) {
        uint32_t site = e->trace.events[i].site;

        if (site != first && was_late(&e->trace, i) &&
            !add_site(fences, count, max, site))
            return false;
    }
    return true;
}

static bool first_is_store(const struct shown *e, uint32_t first)
{
    for (uint32_t i = 0; i < e->sought.length; i++) {
        if (e->sought.nodes[i].site == first)
            return e->trace.events[e->witness.events[i]].kind == EV_STORE;
    }
    return false;
}

/* Was nothing swapped but what closed the cycle?  A store that is late is late
 * for every access that overtook it, and a load that is early is early for all
 * that it overtook. */
bool judge_is_clean(const struct expose *x, struct shown *e)
{
    struct channel_fence late[1];
    uint32_t first, second;
    size_t count;
    bool store;

    if (!judge_others_late(e, late, 1, &count) || count)
        return false;
    find_pairs(e, x->o->max_length);
    witness_pair(&e->sought, &e->witness, &first, &second);
    store = first_is_store(e, first);
    for (size_t i = 0; i < e->pair_count; i++) {
        if (store ? e->pairs[i][0] != first : e->pairs[i][1] != second)
            return false;
    }
    return true;
}

void judge_take(struct expose *x, size_t model, size_t cycle, struct shown *e,
                enum harm harm)
{
    struct verdict *v = &x->known.list[cycle].verdicts[model];
    uint32_t first, second;

    if (!v->confirmed) {
        v->confirmed = true;
        v->class = VERDICT_BENIGN;
        witness_pair(&e->sought, &e->witness, &v->first, &v->second);
    }
    if (harm == HARM_PERHAPS && v->class == VERDICT_BENIGN) {
        v->class = VERDICT_UNDECIDED;
        v->reason =
            arena_printf(x->arena, "outcome not seen in %llu SC executions",
                         (unsigned long long)x->r->sc_executions);
    }
    if (harm != HARM_YES) {
        v->alone = true;
        cause_add(x, e, false);
        return;
    }
    witness_pair(&e->sought, &e->witness, &first, &second);
    if (v->class == VERDICT_HARMFUL && cause_is_harmful(x, first, second)) {
        if (cause_is_alpha_only(x, first, second) && !shown_is_alpha_only(e))
            cause_add(x, e, true);
        return;
    }
    if (judge_is_clean(x, e))
        blame(x, model, cycle, e);
    else if (v->class != VERDICT_HARMFUL && !is_suspect(x, cycle, model))
        add_suspect(x, model, cycle, e);
}

/* It runs through synchronisation, which is no access here. */
static void take_without_cycle(struct expose *x, size_t model,
                               const struct shown *e)
{
    struct shown without = *e;

    without.sought = (struct cycle){.length = 0};
    x->r->models[model].done.failed = true;
    cause_add(x, &without, true);
}

bool judge_is_explained(const struct expose *x, struct shown *e)
{
    find_pairs(e, x->o->max_length);
    for (size_t i = 0; i < e->pair_count; i++) {
        if (cause_is_harmful(x, e->pairs[i][0], e->pairs[i][1]))
            return true;
    }
    return false;
}

bool judge_has_pair(const struct expose *x, struct shown *e,
                    const struct cycle *c)
{
    find_pairs(e, x->o->max_length);
    for (uint32_t i = 0; i < c->length; i++) {
        if (has_pair(e, c->nodes[i].site, c->nodes[(i + 1) % c->length].site))
            return true;
    }
    return false;
}

/* ---- What says nothing new ---- */

static bool teaches_masks(const struct cycle *known, const struct cycle *c)
{
    struct cycle learnt = *known;

    learn_masks(&learnt, c);
    return memcmp(learnt.reorderable, known->reorderable,
                  sizeof(learnt.reorderable)) != 0;
}

static bool is_harm_news(const struct expose *x, size_t model, size_t cycle,
                         struct shown *e)
{
    const struct verdict *v = &x->known.list[cycle].verdicts[model];
    uint32_t first, second;

    witness_pair(&e->sought, &e->witness, &first, &second);
    if (v->class == VERDICT_HARMFUL && cause_is_harmful(x, first, second))
        return cause_is_alpha_only(x, first, second);
    return v->class == VERDICT_HARMFUL || !is_suspect(x, cycle, model) ||
           judge_is_clean(x, e);
}

/* As judge_take, which it would change something by. */
static bool is_take_news(struct expose *x, size_t model, size_t cycle,
                         struct shown *e, enum harm harm)
{
    const struct verdict *v = &x->known.list[cycle].verdicts[model];

    if (!v->confirmed)
        return true;
    if (harm == HARM_YES)
        return is_harm_news(x, model, cycle, e);
    return !v->alone || (harm == HARM_PERHAPS && v->class == VERDICT_BENIGN) ||
           cause_is_shown_by(x, e, false);
}

static bool is_cycle_news(struct expose *x, size_t model, const struct cycle *c,
                          struct shown *e, enum harm harm)
{
    uint32_t n = index_find(&x->known_index, hash_of(c), same, x, c);

    if (n == INDEX_NONE || teaches_masks(&x->known.list[n].cycle, c))
        return true;
    e->sought = x->known.list[n].cycle;
    return predict_find(&e->trace, c, &e->witness) &&
           is_take_news(x, model, n, e, harm);
}

bool judge_is_news(struct expose *x, size_t model, struct shown *e,
                   enum harm harm)
{
    struct cycle *cycles;
    size_t count;
    bool news = !predict_all(&e->trace, x->o->max_length, CYCLES_MAX, &e->arena,
                             &cycles, &count) ||
                (!count && harm == HARM_YES);

    for (size_t i = 0; i < count && !news; i++)
        news = is_cycle_news(x, model, &cycles[i], e, harm);
    return news;
}

bool judge_cycles(struct expose *x, size_t model, struct shown *e,
                  enum harm harm)
{
    struct cycle *cycles;
    size_t count;
    bool all = predict_all(&e->trace, x->o->max_length, CYCLES_MAX, &e->arena,
                           &cycles, &count);

    for (size_t i = 0; i < count; i++) {
        size_t n = judge_know(x, &cycles[i]);

        e->sought = x->known.list[n].cycle;
        if (predict_find(&e->trace, &cycles[i], &e->witness))
            judge_take(x, model, n, e, harm);
    }
    if (count == 0 && harm == HARM_YES)
        take_without_cycle(x, model, e);
    return all;
}

void judge_racy(struct expose *x, size_t model, struct shown *e)
{
    struct cycle *cycles;
    size_t count;

    predict_all(&e->trace, x->o->max_length, CYCLES_MAX, &e->arena, &cycles,
                &count);
    for (size_t i = 0; i < count; i++) {
        struct verdict *v =
            &x->known.list[judge_know(x, &cycles[i])].verdicts[model];

        v->confirmed = true;
        v->class = VERDICT_HARMFUL;
        v->reason = NULL;
    }
}

static int by_cycle(const void *x, const void *y)
{
    const struct suspect *a = x, *b = y;

    if (a->model != b->model)
        return a->model < b->model ? -1 : 1;
    return (a->cycle > b->cycle) - (a->cycle < b->cycle);
}

/* Was a pair of its cycle swapped that does harm on its own? */
static bool closes_by_harm(const struct expose *x, const struct shown *e)
{
    for (uint32_t i = 0; i < e->sought.length; i++) {
        if (e->witness.reordered >> i & 1 &&
            cause_is_harmful(x, e->sought.nodes[i].site,
                             e->sought.nodes[(i + 1) % e->sought.length].site))
            return true;
    }
    return false;
}

static void judge_suspect(struct expose *x, const struct suspect *s)
{
    struct verdict *v = &x->known.list[s->cycle].verdicts[s->model];

    if (v->class == VERDICT_HARMFUL)
        return;
    if (!judge_is_explained(x, s->shown)) {
        blame(x, s->model, s->cycle, s->shown);
    } else if (!model_has_machine(x->o->models[s->model]) &&
               closes_by_harm(x, s->shown)) {
        /* Perhaps it is told on another model. */
        v->class = VERDICT_HARMFUL;
        v->reason = NULL;
    }
}

void judge_suspects(struct expose *x)
{
    if (x->suspects.count)
        qsort(x->suspects.list, x->suspects.count, sizeof(struct suspect),
              by_cycle);
    for (size_t i = 0; i < x->suspects.count; i++) {
        judge_suspect(x, &x->suspects.list[i]);
        shown_free(x->suspects.list[i].shown);
    }
    VEC_CLEAR(&x->suspects);
}

static uint16_t mask_of(const struct expose *x, size_t cycle, size_t model)
{
    return x->known.list[cycle]
        .cycle.reorderable[model_number(x->o->models[model])];
}

/* The model before it that allows nothing that it forbids: the weakest machine,
 * if it is one or C11.  Its number + 1, or 0. */
static size_t stronger_than(const struct expose *x, size_t model)
{
    if (x->o->models[model]->by_axioms)
        return 0; /* all but SC do what a processor does not */
    while (model > 0 && !model_has_machine(x->o->models[model - 1]))
        model--;
    return model;
}

void judge_inherit(struct expose *x, size_t model)
{
    size_t stronger = stronger_than(x, model);

    for (size_t i = 0; stronger && i < x->known.count; i++) {
        const struct verdict *before = &x->known.list[i].verdicts[stronger - 1];
        struct verdict *v = &x->known.list[i].verdicts[model];

        if (!before->confirmed || v->confirmed)
            continue;
        *v = *before;
        v->executions = 0;
        v->searched = before->class == VERDICT_HARMFUL ||
                      mask_of(x, i, model) == mask_of(x, i, stronger - 1);
    }
}

void judge_rest(struct expose *x, size_t model, bool complete,
                const char *reason)
{
    for (size_t i = 0; i < x->known.count; i++) {
        struct verdict *v = &x->known.list[i].verdicts[model];

        /* What it does on its own is not known. */
        if (v->class == VERDICT_BENIGN && !v->alone && !complete) {
            v->class = VERDICT_UNDECIDED;
            v->reason = "only seen where another reordering does harm";
        }
        if (v->class != VERDICT_NONE || !mask_of(x, i, model))
            continue;
        v->class = complete ? VERDICT_INFEASIBLE : VERDICT_UNDECIDED;
        v->reason = complete ? NULL : reason;
    }
}
