/* SPDX-License-Identifier: MIT
 *
 * An execution against what its model says in words of its own: terms of the
 * preserved program order, definitions and axioms.  A text is followed from one
 * event forwards to all that it leads to.
 *
 * Where rf, co and fr join the preserved program order in one order, that is
 * <M, and each pair that a term keeps has to be in it.
 */
#include "axioms/stated.h"

#include <string.h>

#include "base/check.h"

static bool *new_row(struct stated *s)
{
    return arena_array(&s->j->arena, s->count + 1, sizeof(bool));
}

/* ---- From one event, where does a text lead? ---- */

static void follow(struct stated *s, const struct relation_tree *t,
                   unsigned node, uint32_t from, bool *to);

/* From all of these. */
static void follow_all(struct stated *s, const struct relation_tree *t,
                       unsigned node, const bool *from, bool *to)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (from[i])
            follow(s, t, node, i, to);
}

static bool is_marked(const struct relation_tree *t, unsigned node,
                      uint32_t marks)
{
    const struct relation_node *x = &t->nodes[node];

    switch ((enum relation_op)x->op) {
    case RELATION_MARKED:
        return marks >> x->number & 1;
    case RELATION_UNION:
        return is_marked(t, x->a, marks) || is_marked(t, x->b, marks);
    case RELATION_BOTH:
        return is_marked(t, x->a, marks) && is_marked(t, x->b, marks);
    case RELATION_WITHOUT:
        return is_marked(t, x->a, marks) && !is_marked(t, x->b, marks);
    default:
        CHECK(!"not a set");
        return false;
    }
}

static void follow_base(struct stated *s, enum relation_base base,
                        uint32_t from, bool *to)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (base == BASE_PPO ? s->ppo[from][i] : stated_holds(s, base, from, i))
            to[i] = true;
}

static void follow_closure(struct stated *s, const struct relation_tree *t,
                           unsigned node, uint32_t from, bool *to)
{
    bool seen[s->count], done[s->count];
    uint32_t at = 0;

    memset(seen, 0, sizeof(seen));
    memset(done, 0, sizeof(done));
    follow(s, t, node, from, seen);
    while (at < s->count) {
        if (!seen[at] || done[at]) {
            at++;
            continue;
        }
        done[at] = true;
        follow(s, t, node, at, seen);
        at = 0;
    }
    for (uint32_t i = 0; i < s->count; i++)
        to[i] = to[i] || seen[i];
}

static void follow_two(struct stated *s, const struct relation_tree *t,
                       const struct relation_node *x, uint32_t from, bool *to)
{
    bool a[s->count], b[s->count];

    memset(a, 0, sizeof(a));
    memset(b, 0, sizeof(b));
    follow(s, t, x->a, from, a);
    if (x->op == RELATION_THEN) {
        follow_all(s, t, x->b, a, to);
        return;
    }
    follow(s, t, x->b, from, b);
    for (uint32_t i = 0; i < s->count; i++)
        if (x->op == RELATION_UNION  ? a[i] || b[i]
            : x->op == RELATION_BOTH ? a[i] && b[i]
                                     : a[i] && !b[i])
            to[i] = true;
}

static void follow_back(struct stated *s, const struct relation_tree *t,
                        unsigned node, uint32_t from, bool *to)
{
    for (uint32_t i = 0; i < s->count; i++) {
        bool there[s->count];

        memset(there, 0, sizeof(there));
        follow(s, t, node, i, there);
        to[i] = to[i] || there[from];
    }
}

static void follow(struct stated *s, const struct relation_tree *t,
                   unsigned node, uint32_t from, bool *to)
{
    const struct relation_node *x = &t->nodes[node];

    switch ((enum relation_op)x->op) {
    case RELATION_BASE:
        follow_base(s, (enum relation_base)x->number, from, to);
        return;
    case RELATION_LET:
        for (uint32_t i = 0; i < s->count; i++)
            to[i] = to[i] || s->lets[x->number * s->count + from][i];
        return;
    case RELATION_SET:
        to[from] = to[from] || is_marked(t, x->a, s->list[from].marks);
        return;
    case RELATION_UNION:
    case RELATION_BOTH:
    case RELATION_WITHOUT:
    case RELATION_THEN:
        follow_two(s, t, x, from, to);
        return;
    case RELATION_INVERSE:
        follow_back(s, t, x->a, from, to);
        return;
    case RELATION_PLUS:
        follow_closure(s, t, x->a, from, to);
        return;
    case RELATION_STAR:
        follow_closure(s, t, x->a, from, to);
        to[from] = true;
        return;
    case RELATION_OPTIONAL:
        follow(s, t, x->a, from, to);
        to[from] = true;
        return;
    default:
        return;
    }
}

static void read_text(struct stated *s, const char *text,
                      struct relation_tree *out)
{
    size_t at;

    CHECK(relation_read(text, s->j->model->axioms->lets, out, &at));
}

/* ---- Definitions ---- */

/* Beginnings and ends of threads belong to sw, or where there is none to hb. */
static bool has_threads(const struct relation_let *lets, uint32_t let)
{
    bool sw = false;

    for (uint32_t i = 0; lets[i].name; i++)
        sw |= strcmp(lets[i].name, "sw") == 0;
    return strcmp(lets[let].name, sw ? "sw" : "hb") == 0;
}

/* Adds to its rows; false: nothing. */
static bool define(struct stated *s, uint32_t let)
{
    const struct relation_let *lets = s->j->model->axioms->lets;
    bool threads = has_threads(lets, let), grown = false;
    struct relation_tree t;

    read_text(s, lets[let].text, &t);
    for (uint32_t a = 0; a < s->count; a++) {
        bool *row = s->lets[let * s->count + a], now[s->count];

        memset(now, 0, sizeof(now));
        follow(s, &t, (unsigned)t.count - 1, a, now);
        for (uint32_t b = 0; b < s->count; b++) {
            bool there = now[b] || (threads && stated_meets(s, a, b));

            grown |= there && !row[b];
            row[b] = row[b] || there;
        }
    }
    return grown;
}

/* All that are recursive, until none of them grows. */
static void define_recursive(struct stated *s, uint32_t first)
{
    const struct relation_let *lets = s->j->model->axioms->lets;
    bool grown = true;

    while (grown) {
        grown = false;
        for (uint32_t i = first; lets[i].name && lets[i].recursive; i++)
            grown |= define(s, i);
    }
}

static void define_all(struct stated *s)
{
    const struct relation_let *lets = s->j->model->axioms->lets;
    uint32_t n = 0;

    while (lets && lets[n].name)
        n++;
    s->lets =
        arena_array(&s->j->arena, (size_t)n * s->count + 1, sizeof(*s->lets));
    for (size_t i = 0; i < (size_t)n * s->count; i++)
        s->lets[i] = new_row(s);
    for (uint32_t i = 0; i < n; i++) {
        if (lets[i].recursive)
            define_recursive(s, i);
        else
            define(s, i);
    }
}

/* ---- Axioms ---- */

static bool broken(struct stated *s, const char *name, uint32_t at,
                   struct err *e)
{
    return err_set(e, "%s: the axiom of %s is broken",
                   axioms_words(s->j, s->list[at].event), name);
}

static void close_rows(const struct stated *s, bool **rows)
{
    for (uint32_t m = 0; m < s->count; m++)
        for (uint32_t a = 0; a < s->count; a++)
            for (uint32_t b = 0; rows[a][m] && b < s->count; b++)
                rows[a][b] = rows[a][b] || rows[m][b];
}

static bool check_axiom(struct stated *s, const char *name,
                        enum relation_test test, const char *text,
                        struct err *e)
{
    bool **rows = arena_array(&s->j->arena, s->count + 1, sizeof(*rows));
    struct relation_tree t;

    read_text(s, text, &t);
    for (uint32_t a = 0; a < s->count; a++) {
        rows[a] = new_row(s);
        follow(s, &t, (unsigned)t.count - 1, a, rows[a]);
    }
    if (test == RELATION_ACYCLIC)
        close_rows(s, rows);
    for (uint32_t a = 0; a < s->count; a++)
        if (test == RELATION_EMPTY_ALL ? memchr(rows[a], true, s->count) != NULL
                                       : rows[a][a])
            return broken(s, name, a, e);
    return true;
}

static bool check_axioms(struct stated *s, struct err *e)
{
    const struct model_axioms *m = s->j->model->axioms;
    bool ok =
        check_axiom(s, "coherence", RELATION_ACYCLIC, "po-loc|rf|co|fr", e) &&
        check_axiom(s, "atomicity", RELATION_EMPTY_ALL, "rmw & (fr;co)", e);

    if (m->edges == EDGE_ALL)
        return ok;
    if (ok && m->edges & EDGE_RFE)
        ok = check_axiom(s, "no thin air", RELATION_ACYCLIC, "po|rfe", e);
    define_all(s);
    for (size_t i = 0; ok && m->axioms && m->axioms[i].name; i++)
        ok = check_axiom(s, m->axioms[i].name, m->axioms[i].test,
                         m->axioms[i].text, e);
    return ok;
}

/* ---- One order ---- */

static uint32_t place_at(const struct stated *s, uint32_t i)
{
    return s->list[i].marks & (MARK_R | MARK_W) ? s->j->place[s->list[i].event]
                                                : 0;
}

/* The two halves of an RMW that is one node are one. */
static bool one_node(const struct stated *s, uint32_t a, uint32_t b)
{
    return s->j->model->axioms->merge && s->list[a].marks & MARK_AMO &&
           s->list[b].marks & MARK_AMO &&
           flat_other_half(s->j->flat, s->list[a].event) == s->list[b].event;
}

static void keep_all(struct stated *s, bool last)
{
    const char *const *ppo = s->j->model->axioms->ppo;

    for (size_t i = 0; ppo[i]; i++) {
        struct relation_tree t;

        if ((strstr(ppo[i], "ppo") != NULL) != last)
            continue;
        read_text(s, ppo[i], &t);
        for (uint32_t a = 0; a < s->count; a++)
            follow(s, &t, (unsigned)t.count - 1, a, s->ppo[a]);
    }
}

/* A term that speaks of the closure of all adds to it: until nothing grows. */
static void find_kept(struct stated *s)
{
    size_t before, pairs = 0;

    s->ppo = arena_array(&s->j->arena, s->count + 1, sizeof(*s->ppo));
    for (uint32_t a = 0; a < s->count; a++)
        s->ppo[a] = new_row(s);
    keep_all(s, false);
    close_rows(s, s->ppo);
    do {
        before = pairs;
        pairs = 0;
        keep_all(s, true);
        close_rows(s, s->ppo);
        for (uint32_t a = 0; a < s->count; a++)
            for (uint32_t b = 0; b < s->count; b++)
                pairs += s->ppo[a][b];
    } while (pairs != before);
}

/* Where halves are one node, an order of one is an order of both: their places
 * are side by side. */
static bool check_kept(struct stated *s, struct err *e)
{
    find_kept(s);
    for (uint32_t a = 0; a < s->count; a++)
        for (uint32_t b = 0; b < s->count; b++)
            if (s->ppo[a][b] && place_at(s, a) && place_at(s, b) &&
                !one_node(s, a, b) && place_at(s, a) > place_at(s, b))
                return err_set(e, "%s and %s: %s keeps them in program order",
                               axioms_words(s->j, s->list[a].event),
                               axioms_words(s->j, s->list[b].event),
                               s->j->model->name);
    return true;
}

/* ---- Threads ---- */

/* Program order, but what is no part of a create or join stays out: to a
 * create or an exit, from a start or a join. */
static bool leads(const struct stated *s, uint32_t a, uint32_t b)
{
    uint8_t from = s->j->flat->events[s->list[a].event].kind;
    uint8_t to = s->j->flat->events[s->list[b].event].kind;

    if (stated_meets(s, a, b))
        return true;
    if (a >= b || s->list[a].thread != s->list[b].thread)
        return false;
    return (!s->list[b].marks && (to == FLAT_CREATE || to == FLAT_EXIT)) ||
           (!s->list[a].marks && (from == FLAT_START || from == FLAT_JOIN));
}

static void follow_threads(const struct stated *s, uint32_t at, bool *seen)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if (seen[i] || !leads(s, at, i))
            continue;
        seen[i] = true;
        if (!place_at(s, i))
            follow_threads(s, i, seen);
    }
}

static bool check_threads(struct stated *s, struct err *e)
{
    for (uint32_t a = 0; a < s->count; a++) {
        bool *seen = new_row(s);

        if (!place_at(s, a))
            continue;
        follow_threads(s, a, seen);
        for (uint32_t b = 0; b < s->count; b++)
            if (seen[b] && place_at(s, b) && place_at(s, b) < place_at(s, a))
                return err_set(e,
                               "%s is not after what its thread was created "
                               "or waited for",
                               axioms_words(s->j, s->list[b].event));
    }
    return true;
}

/* ---- All of it ---- */

static bool speaks_of(const struct model_axioms *m, const char *word)
{
    for (size_t i = 0; m->ppo[i]; i++)
        if (strstr(m->ppo[i], word))
            return true;
    return false;
}

bool axioms_are_stated(const struct model *m)
{
    return m->axioms && (m->by_axioms || m->axioms->edges != EDGE_ALL ||
                         speaks_of(m->axioms, "addr"));
}

static void open_stated(struct judged *j, struct stated *s)
{
    const struct model_axioms *m = j->model->axioms;
    uint32_t events = j->flat->event_count;

    *s = (struct stated){
        .j = j, .mapping = m->mappings[0], .has_picks = speaks_of(m, "pick")};
    s->deps = arena_array(&j->arena, events + 1, sizeof(*s->deps));
    s->picks = arena_array(&j->arena, events + 1, sizeof(*s->picks));
    stated_list(s);
}

bool axioms_check_stated(struct judged *j, struct err *e)
{
    const struct model_axioms *m = j->model->axioms;
    struct stated s;

    open_stated(j, &s);
    return check_axioms(&s, e) && (m->edges != EDGE_ALL ||
                                   (check_kept(&s, e) && check_threads(&s, e)));
}

/* ---- Races ---- */

/* The model's own word for it; false: it has none. */
static bool races(struct stated *s, uint32_t a, uint32_t b)
{
    const struct relation_let *lets = s->j->model->axioms->lets;

    for (uint32_t i = 0; lets && lets[i].name; i++)
        if (strcmp(lets[i].name, "race") == 0)
            return s->lets[i * s->count + a][b] || s->lets[i * s->count + b][a];
    return false;
}

bool axioms_race(const struct flat *f, const struct flat_run *run,
                 const struct model *m, uint32_t first, uint32_t second,
                 struct err *e)
{
    struct judged j = {.flat = f, .model = m, .arena = ARENA_INIT};
    uint32_t at[2] = {UINT32_MAX, UINT32_MAX};
    bool ok = axioms_take_run(&j, run, e);
    struct stated s;

    if (ok) {
        open_stated(&j, &s);
        define_all(&s);
        for (uint32_t i = 0; i < s.count; i++) {
            if (s.list[i].marks & (MARK_R | MARK_W) &&
                (s.list[i].event == first || s.list[i].event == second))
                at[s.list[i].event == second] = i;
        }
        ok = (at[0] != UINT32_MAX && at[1] != UINT32_MAX &&
              races(&s, at[0], at[1])) ||
             err_set(e, "%s and %s do not race", axioms_words(&j, first),
                     axioms_words(&j, second));
    }
    arena_free(&j.arena);
    return ok;
}
