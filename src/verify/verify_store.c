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

#define PARTS_FORMAT 2 /* of graphs_store.c, and of the runtime's states */

uint32_t verify_store_layout(void)
{
    static const size_t sizes[] = {sizeof(struct counts),
                                   sizeof(struct cycle_witness),
                                   sizeof(struct cycle), PARTS_FORMAT, 0};

    return store_layout(sizes);
}

/* ---- Explorations ---- */

/* "12 r0=0 r1=1", a line for each. */
void store_put_outcomes(const struct tally *outcomes, struct buf *out)
{
    for (size_t i = 0; i < outcomes->count; i++)
        buf_printf(out, "%llu %s\n",
                   (unsigned long long)outcomes->list[i].count,
                   outcomes->list[i].text);
    buf_puts(out, "");
}

void store_take_outcomes(const char *text, struct tally *outcomes,
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

/* Of a search that is over nobody needs the tree. */
static bool put_search(struct store *s, uint64_t model, const struct copy *copy,
                       struct err *e)
{
    struct record counts = {"counts", model,         0,
                            NULL,     &copy->counts, sizeof(copy->counts)};
    struct record tree = {"tree", model, 0, NULL, copy->tree.bytes, 0};
    struct buf seen = {0};
    bool ok;

    store_put_outcomes(&copy->outcomes, &seen);
    counts.words = seen.bytes;
    if (!copy->counts.exhausted)
        tree.count = copy->tree.count;
    ok = store_put(s, counts, e) && store_put(s, tree, e);
    buf_free(&seen);
    return ok;
}

bool store_save_search(const struct search *s, const struct copy *copy,
                       struct err *e)
{
    struct store *to = s->v->o->store;

    if (!to || !(copy->whole || copy->counts.exhausted))
        return true;
    if (!store_begin(to, e) ||
        !store_commit(to, put_search(to, model_number(s->model), copy, e), e))
        return false;
    LOG(VERIFY, "%s: kept after %llu executions, tree of %zu bytes",
        s->model->name, (unsigned long long)copy->counts.executions,
        copy->tree.count);
    return true;
}

struct loading {
    struct search *search;
    int tree;
    struct buf *bytes; /* where else the tree goes, or NULL */
    bool found;
};

static bool take_counts(void *arg, const struct record *r)
{
    struct loading *l = arg;
    struct search *s = l->search;

    if (r->first != model_number(s->model))
        return true;
    if (!record_take(r, s->counts, sizeof(*s->counts)))
        return false;
    store_take_outcomes(r->words, s->outcomes, s->v->arena);
    l->found = true;
    return true;
}

static bool take_tree(void *arg, const struct record *r)
{
    const struct loading *l = arg;
    const struct search *s = l->search;

    if (r->first != model_number(s->model) || s->counts->exhausted)
        return true;
    if (l->bytes) {
        buf_add(l->bytes, r->bytes, r->count);
        return true;
    }
    return l->tree >= 0 && r->count &&
           copy_write_tree(l->tree, r->bytes, r->count);
}

static bool load(struct loading *l, struct err *e)
{
    struct store *from = l->search->v->o->store;

    return from && store_resumes(from) &&
           store_each(from, "counts", take_counts, l, e) && l->found &&
           store_each(from, "tree", take_tree, l, e);
}

bool store_load_search(struct search *s, int tree, struct err *e)
{
    return load(&(struct loading){s, tree, NULL, false}, e);
}

bool store_load_tree(struct search *s, struct buf *tree, struct err *e)
{
    return load(&(struct loading){s, -1, tree, false}, e);
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
