/* SPDX-License-Identifier: MIT
 *
 * Which of the executions to show come again (finding/gate.h).  One that does
 * not is no finding, and what was concluded from it is open again.
 *
 * Mostly that is the program's doing: it reads a clock, or random numbers, and
 * so does other things under the same decisions.  What such a program observes
 * and prints says nothing about a memory model.
 */
#include <string.h>

#include "base/log.h"
#include "expose/expose_inside.h"
#include "finding/gate.h"

#define GRACE_MS 500 /* after the time limit */

static void note_unsteady(struct expose *x, const char *source)
{
    x->r->unsteady = true;
    if (source && !x->r->source)
        x->r->source = arena_copy(x->arena, source);
}

/* An SC execution that was watched, in a fresh process: does it still observe
 * and print what SC executions did?  Asked once, when it matters. */
bool confirm_is_steady(struct expose *x)
{
    struct arena scratch = ARENA_INIT;
    struct job j = x->o->base;
    struct finding f;
    struct replayed r;
    struct err ignored;

    if (x->asked_steady || x->r->unsteady)
        return !x->r->unsteady;
    j.model = model_sc.name;
    j.strategy = STRATEGY_POS;
    finding_of_job(&j, 0, x->o->tables, &f);
    if (finding_execute(&f, j.program, false, x->o->until_ms, x->o->tables,
                        &scratch, &r, &ignored)) {
        x->asked_steady = true;
        if (!r.failed && !map_get(&x->sc_outcomes, r.outcome))
            note_unsteady(x, r.source);
    }
    arena_free(&scratch);
    return !x->r->unsteady;
}

/* ---- At once ---- */

static bool is_announced(const struct expose *x, const struct shown *s)
{
    for (size_t i = 0; i < x->announced.count; i++) {
        if (finding_same_sort(&x->announced.list[i], &s->finding.failure))
            return true;
    }
    return false;
}

void announce(struct expose *x, const struct shown *s)
{
    struct gate g = {.binary = x->o->base.program,
                     .tables = x->o->tables,
                     .until_ms = x->o->until_ms};
    struct shown *mine;
    struct err ignored = {""};

    if (!x->o->found || !shown_failed(s) || is_announced(x, s))
        return;
    VEC_PUSH(&x->announced, s->finding.failure);
    mine = shown_clone(s);
    g.arena = &mine->arena;
    if (gate_replay(&g, mine, &ignored)) {
        mine->class = class_of_failure(mine->finding.model);
        x->o->found(x->o->context, mine);
    }
    shown_free(mine);
}

/* ---- At the end ---- */

static bool passes(struct expose *x, struct shown *s)
{
    struct gate g = {.binary = x->o->base.program,
                     .tables = x->o->tables,
                     .until_ms = x->confirm_until_ms,
                     .arena = &s->arena};
    struct err why = {"the model does not allow it"};

    if (model_has_machine(s->finding.model) ? gate_replay(&g, s, &why)
                                            : told_is_claimed(x, s))
        return true;
    LOG(EXPOSE, "an execution on %s is not shown: %s", s->finding.model->name,
        why.text);
    if (g.unsteady)
        note_unsteady(x, g.source);
    if (!x->r->not_again)
        x->r->not_again = arena_printf(x->arena, "on %s, %s",
                                       s->finding.model->words, why.text);
    return false;
}

/* Nothing is known of the cycles that this pair closes. */
static void forget_pair(struct expose *x, const struct cause *c)
{
    for (size_t i = 0; i < x->known.count; i++) {
        for (size_t m = 0; m < x->o->model_count; m++) {
            struct verdict *v = &x->known.list[i].verdicts[m];

            if (!v->confirmed || v->first != c->first || v->second != c->second)
                continue;
            v->confirmed = false;
            v->class = VERDICT_UNDECIDED;
            v->reason = "its execution did not come again";
        }
    }
}

static void confirm_causes(struct expose *x)
{
    struct expose_result *r = x->r;
    size_t n = 0;

    for (size_t i = 0; i < r->causes.count; i++) {
        if (passes(x, r->causes.list[i].shown)) {
            r->causes.list[n++] = r->causes.list[i];
        } else {
            forget_pair(x, &r->causes.list[i]);
            shown_free(r->causes.list[i].shown);
        }
    }
    r->causes.count = n;
}

void confirm_all(struct expose *x)
{
    struct expose_result *r = x->r;
    size_t n = 0;

    /* A stop was noticed by now, and this is short. */
    stop_now(&r->stop);
    worker_go_on();
    if (x->o->until_ms)
        x->confirm_until_ms =
            (r->stop.why ? worker_now_ms() : x->o->until_ms) + GRACE_MS;
    for (size_t i = 0; i < r->sc.count; i++) {
        if (passes(x, r->sc.list[i]))
            r->sc.list[n++] = r->sc.list[i];
        else
            shown_free(r->sc.list[i]);
    }
    r->sc.count = n;
    confirm_causes(x);
}
