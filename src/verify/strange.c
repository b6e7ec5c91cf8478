/* SPDX-License-Identifier: MIT
 *
 * What no SC execution observes (fencer_observe) breaks the program as much as
 * a failed assertion does.  That there is such an execution shows when all of a
 * model were explored; which one it is shows when they are explored again, one
 * after the other, up to that one.
 */
#include <string.h>

#include "verify/verify_inside.h"

static bool is_strange(const struct verify *v, const char *text)
{
    return !tally_has(&v->r->sc_outcomes, text);
}

static bool has_strange(const struct verify *v, const struct verify_model *m)
{
    for (size_t i = 0; i < m->outcomes.count; i++) {
        if (is_strange(v, m->outcomes.list[i].text))
            return true;
    }
    return false;
}

/* The number of the first execution of that worker that is strange. */
static bool first_strange(struct verify *v, const struct worker *w,
                          uint64_t *run)
{
    const char *at = (const char *)w->channel + CHANNEL_OUTCOMES_AT;
    struct arena scratch = ARENA_INIT;
    struct tally seen = {0};
    bool found = false;

    worker_outcomes(w, &seen, &scratch);
    for (size_t i = 0; i < seen.count; i++) {
        struct outcome o;

        memcpy(&o, at + i * sizeof(o), sizeof(o));
        if (!is_strange(v, seen.list[i].text) || (found && o.first_run > *run))
            continue;
        *run = o.first_run;
        found = true;
    }
    arena_free(&scratch);
    return found;
}

/* Does the first SC execution still observe what SC executions do? */
static bool check_steady(struct verify *v, struct err *e)
{
    struct piece first = {.model = &model_sc, .count = 1};
    struct worker w;
    uint64_t run;

    if (!search_piece(v, &first, &w, e))
        return false;
    if (first_strange(v, &w, &run)) {
        struct finding f;
        struct replayed r;

        finding_of_job(&w.job, run, v->o->tables, &f);
        finding_results(&w, &f, v->o->tables, v->arena, &r);
        shown_note_unsteady(v, r.source);
    }
    worker_free(&w);
    return true;
}

/* Is what SC observes known well enough to call something else strange? */
static bool can_compare(const struct verify *v, const struct verify_model *m)
{
    return search_is_complete(&v->r->sc) && !v->r->sc.outcomes_lost &&
           !m->counts.outcomes_lost;
}

static bool show_strange(struct verify *v, const struct verify_model *m,
                         struct shown **shown, struct err *e)
{
    struct piece all = {.model = m->model, .count = m->counts.executions};
    struct worker w;
    uint64_t run = 0;
    bool found;

    if (!check_steady(v, e))
        return false;
    if (v->r->unsteady)
        return true;
    if (!search_piece(v, &all, &w, e))
        return false;
    found = first_strange(v, &w, &run);
    worker_free(&w);
    if (!found)
        return true;
    all.count = run + 1;
    if (!search_piece(v, &all, &w, e))
        return false;
    *shown = shown_of(v, &w, CLASS_HARMFUL);
    worker_free(&w);
    if (*shown)
        (*shown)->error = STRANGE_ERROR;
    return true;
}

bool strange_find(struct verify *v, const struct verify_model *m,
                  struct shown **shown, bool *unknown, struct err *e)
{
    bool sure = can_compare(v, m), strange = sure && has_strange(v, m);

    *shown = NULL;
    if (strange && !stop_now(&v->r->stop) && !show_strange(v, m, shown, e))
        return false;
    *unknown = strange ? !*shown : !sure && m->outcomes.count > 0;
    return true;
}
