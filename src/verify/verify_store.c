/* SPDX-License-Identifier: MIT
 *
 * What of a run is kept (session/store.h): explorations, and the executions
 * that are shown.  A run that was killed continues from the last copy of the
 * search tree: counts and tree are of one moment, at which no worker ran.
 *
 *   name      first, second    bytes
 *   counts    model            struct counts; words: what was observed
 *   tree      model            the search tree, of the same moment
 *   shown     number           an execution
 */
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "verify/crew.h"

uint32_t verify_store_layout(void)
{
    static const size_t sizes[] = {sizeof(struct counts),
                                   sizeof(struct cycle_witness),
                                   sizeof(struct cycle), 0};

    return store_layout(sizes);
}

static uint64_t number_of(const struct model *m)
{
    uint64_t n = 0;

    while (model_all[n] != m)
        CHECK(model_all[++n] != NULL);
    return n;
}

/* ---- Explorations ---- */

/* "12 r0=0 r1=1", a line for each. */
static void put_outcomes(const struct tally *outcomes, struct buf *out)
{
    for (size_t i = 0; i < outcomes->count; i++)
        buf_printf(out, "%llu %s\n",
                   (unsigned long long)outcomes->list[i].count,
                   outcomes->list[i].text);
    buf_puts(out, "");
}

static void take_outcomes(const char *text, struct tally *outcomes,
                          struct arena *a)
{
    while (text && *text) {
        size_t n = strcspn(text, "\n");
        char *line = arena_copy_n(a, text, n), *rest;
        uint64_t count = strtoull(line, &rest, 10);

        if (*rest == ' ')
            tally_add(outcomes, rest + 1, count, a);
        text += n + (text[n] == '\n');
    }
    tally_sort(outcomes);
}

static bool put_search(struct store *s, const struct model *m,
                       const struct counts *counts,
                       const struct tally *outcomes, const struct buf *tree,
                       struct err *e)
{
    struct buf seen = {0};
    bool ok;

    put_outcomes(outcomes, &seen);
    ok = store_put(s,
                   &(struct record){"counts", number_of(m), 0, seen.bytes,
                                    counts, sizeof(*counts)},
                   e) &&
         store_put(s,
                   &(struct record){"tree", number_of(m), 0, NULL, tree->bytes,
                                    tree->count},
                   e);
    buf_free(&seen);
    return ok;
}

bool store_save_search(struct verify *v, const struct model *m,
                       const struct counts *counts,
                       const struct tally *outcomes, int tree, struct err *e)
{
    struct store *s = v->o->store;
    struct buf bytes = {0};
    bool ok = true;

    /* Of a search that is over nobody needs the tree. */
    if (s && (counts->exhausted || copy_read_tree(tree, &bytes))) {
        ok = store_begin(s, e) &&
             store_commit(s, put_search(s, m, counts, outcomes, &bytes, e), e);
        LOG(VERIFY, "%s: kept after %llu executions, tree of %zu bytes",
            m->name, (unsigned long long)counts->executions, bytes.count);
    }
    buf_free(&bytes);
    return ok;
}

struct loading {
    struct verify *v;
    const struct model *model;
    struct counts *counts;
    struct tally *outcomes;
    int tree;
    bool found;
};

static bool take_counts(void *arg, const struct record *r)
{
    struct loading *l = arg;

    if (r->first != number_of(l->model))
        return true;
    if (!record_take(r, l->counts, sizeof(*l->counts)))
        return false;
    take_outcomes(r->words, l->outcomes, l->v->arena);
    l->found = true;
    return true;
}

static bool take_tree(void *arg, const struct record *r)
{
    struct loading *l = arg;

    if (r->first != number_of(l->model) || l->counts->exhausted)
        return true;
    return l->tree >= 0 && r->count &&
           copy_write_tree(l->tree, r->bytes, r->count);
}

bool store_load_search(struct verify *v, const struct model *m,
                       struct counts *counts, struct tally *outcomes, int tree,
                       struct err *e)
{
    struct loading l = {v, m, counts, outcomes, tree, false};
    struct store *s = v->o->store;

    return s && store_resumes(s) &&
           store_each(s, "counts", take_counts, &l, e) && l.found &&
           store_each(s, "tree", take_tree, &l, e);
}

/* ---- Executions that are shown ---- */

bool store_save_shown(struct verify *v, size_t number, struct err *e)
{
    struct store *s = v->o->store;

    return !s || (store_begin(s, e) &&
                  store_commit(s,
                               store_put_shown(
                                   s, (struct record){"shown", .first = number},
                                   v->r->shown[number], e),
                               e));
}

static bool take_shown(void *arg, const struct record *r)
{
    struct verify *v = arg;
    struct shown *it = arena_alloc(v->arena, sizeof(*it));

    if (!record_take_shown(r, v->arena, it))
        return false;
    it->finding.binary = v->o->base.program;
    if (shown_passes(v, it))
        shown_put(v, it);
    return true;
}

bool store_load_shown(struct verify *v, struct err *e)
{
    struct store *s = v->o->store;

    return !s || !store_resumes(s) || store_each(s, "shown", take_shown, v, e);
}
