/* SPDX-License-Identifier: MIT
 *
 * Causes: cycles that the same reordered pair closes are one finding, and the
 * fences that keep it in order are its cure.
 *
 * A cycle may have several pairs that a model may reorder; with a fence at one
 * of them it may still be closed by another.  So fences are added, each at the
 * pair that closed it, until the search for that cycle finds nothing any more.
 */
#include <stdlib.h>
#include <string.h>

#include "expose/expose_inside.h"

static struct cause *find(struct expose *x, uint32_t first, uint32_t second)
{
    struct expose_result *r = x->r;

    for (size_t i = 0; i < r->causes.count; i++) {
        if (r->causes.list[i].first == first &&
            r->causes.list[i].second == second)
            return &r->causes.list[i];
    }
    VEC_PUSH(&r->causes, {.first = first, .second = second});
    return &VEC_LAST(&r->causes);
}

static const struct cause *find_harmful(const struct expose *x, uint32_t first,
                                        uint32_t second)
{
    for (size_t i = 0; i < x->r->causes.count; i++) {
        const struct cause *c = &x->r->causes.list[i];

        if (c->harmful && c->first == first && c->second == second)
            return c;
    }
    return NULL;
}

bool cause_is_harmful(const struct expose *x, uint32_t first, uint32_t second)
{
    return find_harmful(x, first, second);
}

bool cause_is_alpha_only(const struct expose *x, uint32_t first,
                         uint32_t second)
{
    const struct cause *c = find_harmful(x, first, second);

    return c && c->shown && shown_is_alpha_only(c->shown);
}

/* The strongest model first, then what other machines than Alpha show, then the
 * cycle and the execution that are easier to read. */
static bool is_better(const struct shown *e, const struct shown *than)
{
    size_t a = model_told_number(e->finding.model);
    size_t b = model_told_number(than->finding.model);

    if (a != b)
        return a < b;
    if (shown_is_alpha_only(e) != shown_is_alpha_only(than))
        return shown_is_alpha_only(than);
    a = (size_t)__builtin_popcount(e->witness.reordered);
    b = (size_t)__builtin_popcount(than->witness.reordered);
    if (a != b)
        return a < b;
    if (e->sought.length != than->sought.length)
        return e->sought.length < than->sought.length;
    return e->trace.event_count < than->trace.event_count;
}

bool cause_is_shown_by(struct expose *x, const struct shown *e, bool harmful)
{
    uint32_t first, second;
    const struct cause *c;

    /* A benign one is not shown by an execution that fails. */
    if (!harmful && shown_failed(e))
        return false;
    witness_pair(&e->sought, &e->witness, &first, &second);
    c = find(x, first, second);
    return !c->shown ||
           (c->harmful != harmful ? !c->harmful : is_better(e, c->shown));
}

void cause_add(struct expose *x, const struct shown *e, bool harmful)
{
    uint32_t first, second;
    struct cause *c;

    if (!cause_is_shown_by(x, e, harmful))
        return;
    witness_pair(&e->sought, &e->witness, &first, &second);
    c = find(x, first, second);
    shown_free(c->shown);
    c->shown = shown_clone(e);
    c->harmful = harmful;
    c->model = e->finding.model;
}

void cause_load(struct expose *x, struct shown *e, uint32_t first,
                uint32_t second, bool harmful)
{
    struct cause *c = find(x, first, second);

    shown_free(c->shown);
    c->shown = e;
    c->harmful = harmful;
    c->model = e->finding.model;
}

/* ---- Cures ---- */

static bool add_fences(struct cause *c, const struct shown *e)
{
    return shown_add_fences(&e->trace, &e->sought, &e->witness, c->fences,
                            &c->fence_count);
}

/* Is the cycle still created?  Each pair is tried for itself: one that is
 * hard to swap would be lost among others. */
static bool is_created(struct expose *x, const struct cause *c,
                       struct shown **found, struct err *e)
{
    uint32_t pairs = c->shown->sought.reorderable[model_number(c->model)];
    struct fenced f = {
        .shown = c->shown, .fences = c->fences, .count = c->fence_count};

    for (; pairs && !*found; pairs &= pairs - 1) {
        f.reorder = pairs & -pairs;
        if (!search_with_fences(x, &f, found, e))
            return false;
    }
    return *found || shake_with_fences(x, &f, found, e);
}

static bool cure(struct expose *x, struct cause *c, struct err *e)
{
    struct shown *found = NULL;
    bool more = add_fences(c, c->shown);

    while (more && !stop_now(&x->r->stop)) {
        if (!is_created(x, c, &found, e))
            return false;
        if (!found) {
            c->cured = !stop_now(&x->r->stop);
            return true;
        }
        more = add_fences(c, found);
        shown_free(found);
        found = NULL;
    }
    return true;
}

bool causes_cure(struct expose *x, struct err *e)
{
    for (size_t i = 0; i < x->r->causes.count; i++) {
        struct cause *c = &x->r->causes.list[i];

        /* Where there is no machine verify says what mends them. */
        if (c->harmful && c->shown->sought.length && !c->shown->proved &&
            model_has_machine(c->model) && !cure(x, c, e))
            return false;
    }
    return true;
}

/* ---- Order ---- */

static int by_weight(const void *x, const void *y)
{
    const struct cause *a = x, *b = y;
    size_t am = model_told_number(a->model);
    size_t bm = model_told_number(b->model);

    if (a->harmful != b->harmful)
        return a->harmful ? -1 : 1;
    if (am != bm)
        return am < bm ? -1 : 1;
    if (a->cycles != b->cycles)
        return a->cycles > b->cycles ? -1 : 1;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->second > b->second) - (a->second < b->second);
}

static void count_cycles(struct expose *x)
{
    for (size_t i = 0; i < x->known.count; i++) {
        uint32_t last_first = 0, last_second = 0;

        for (size_t m = 0; m < x->o->model_count; m++) {
            const struct verdict *v = &x->known.list[i].verdicts[m];

            if (!v->confirmed ||
                (v->first == last_first && v->second == last_second))
                continue;
            last_first = v->first;
            last_second = v->second;
            find(x, v->first, v->second)->cycles++;
        }
    }
}

/* A pair that no execution is shown for is no finding: its cycles are counted
 * under another one. */
static void drop_empty(struct expose_result *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->causes.count; i++) {
        if (r->causes.list[i].shown)
            r->causes.list[n++] = r->causes.list[i];
    }
    r->causes.count = n;
}

void causes_sort(struct expose *x)
{
    count_cycles(x);
    drop_empty(x->r);
    if (x->r->causes.count)
        qsort(x->r->causes.list, x->r->causes.count, sizeof(struct cause),
              by_weight);
}
