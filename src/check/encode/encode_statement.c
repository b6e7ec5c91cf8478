/* SPDX-License-Identifier: MIT
 *
 * What a model says of executions, as it is written down in src/shared/model,
 * read once for each formula.  A model whose preserved program order joins rf,
 * co and fr in one order needs only its terms: that order is the formula's
 * memory order.  C11 and POWER have no such order; coherence and atomicity,
 * which the memory order gives to all others, are axioms like theirs.
 */
#include <string.h>

#include "base/check.h"
#include "encode/encode_relate.h"

static void read_text(const char *text, const struct relation_let *lets,
                      struct relation_tree *out)
{
    size_t at;

    CHECK(relation_read(text, lets, out, &at));
}

static bool names(const struct relation_tree *t, enum relation_base base)
{
    for (size_t i = 0; i < t->count; i++) {
        if (t->nodes[i].op == RELATION_BASE && t->nodes[i].number == base)
            return true;
    }
    return false;
}

static void read_terms(struct statement *s, const struct model_axioms *m,
                       struct arena *a)
{
    while (m->ppo[s->term_count])
        s->term_count++;
    s->terms = arena_array(a, s->term_count + 1, sizeof *s->terms);
    s->closes = arena_array(a, s->term_count + 1, sizeof *s->closes);
    for (size_t i = 0; i < s->term_count; i++) {
        read_text(m->ppo[i], NULL, &s->terms[i]);
        s->closes[i] = names(&s->terms[i], BASE_PPO);
        s->picks = s->picks || names(&s->terms[i], BASE_PICK_DATA);
    }
}

/* Who makes threads adds what comes before their start, and what follows their
 * end: to sw, or else to hb. */
static void read_lets(struct statement *s, const struct model_axioms *m,
                      struct arena *a)
{
    while (m->lets && m->lets[s->let_count].name)
        s->let_count++;
    s->lets = arena_array(a, s->let_count + 1, sizeof *s->lets);
    s->recursive = arena_array(a, s->let_count + 1, sizeof *s->recursive);
    s->asw_let = s->let_count;
    for (size_t i = 0; i < s->let_count; i++) {
        read_text(m->lets[i].text, m->lets, &s->lets[i]);
        s->recursive[i] = m->lets[i].recursive;
        if (strcmp(m->lets[i].name, "sw") == 0 ||
            (strcmp(m->lets[i].name, "hb") == 0 && s->asw_let == s->let_count))
            s->asw_let = i;
    }
    if (s->let_count)
        read_text("hb+", m->lets, &s->before);
}

static void add_axiom(struct statement *s, enum relation_test test,
                      const char *text, const struct relation_let *lets)
{
    struct stated_axiom *x = &s->axioms[s->axiom_count++];

    x->test = test;
    read_text(text, lets, &x->tree);
}

/* In the order in which they are looked at: the cheapest first. */
static void read_axioms(struct statement *s, const struct model_axioms *m,
                        struct arena *a)
{
    size_t n = 0;

    while (m->axioms && m->axioms[n].name)
        n++;
    s->axioms = arena_array(a, n + 4, sizeof *s->axioms);
    if (m->edges == EDGE_ALL)
        return;
    add_axiom(s, RELATION_ACYCLIC, "po-loc|rf|co|fr", NULL);
    add_axiom(s, RELATION_EMPTY_ALL, "rmw & (fr;co)", NULL);
    if (m->edges == EDGE_RFE)
        add_axiom(s, RELATION_ACYCLIC, "po|rfe", NULL);
    for (size_t i = 0; i < n; i++)
        add_axiom(s, m->axioms[i].test, m->axioms[i].text, m->lets);
}

/* Do its terms speak of dependencies?  Without them a machine's questions say
 * all; a model by axioms has nothing but its terms. */
static bool needs_terms(const struct model *m)
{
    for (size_t i = 0; m->axioms->ppo[i]; i++) {
        if (strstr(m->axioms->ppo[i], "addr"))
            return true;
    }
    return m->by_axioms || m->axioms->edges != EDGE_ALL;
}

struct statement *statement_read(const struct model *m, struct arena *a)
{
    struct statement *s;

    if (!m->axioms || !needs_terms(m))
        return NULL;
    s = arena_alloc(a, sizeof *s);
    s->mapping = m->axioms->mappings[0];
    s->merges = m->axioms->merge;
    read_terms(s, m->axioms, a);
    read_lets(s, m->axioms, a);
    read_axioms(s, m->axioms, a);
    return s;
}

bool statement_splits(const struct encoding *x, const struct flat_event *e)
{
    const struct statement *s = x->statement;

    if (!s || x->options.serial)
        return false;
    if (!s->merges)
        return true;
    return s->mapping && (e->flags & FLAT_CAS ? s->mapping->cas_pairs
                                              : s->mapping->rmw_pairs);
}
