/* SPDX-License-Identifier: MIT
 *
 * Evaluates texts of the relation language, node by node.
 */
#include "litmus/evaluate.h"

#include <string.h>

#include "base/check.h"

static uint64_t bit(size_t i)
{
    return (uint64_t)1 << i;
}

/* ---- reading ---- */

static bool speaks_of_ppo(const struct relation_tree *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->nodes[i].op == RELATION_BASE && t->nodes[i].number == BASE_PPO)
            return true;
    return false;
}

static void read_term(const char *text, const struct relation_let *lets,
                      struct relation_tree *out)
{
    size_t at;

    CHECK(relation_read(text, lets, out, &at));
}

void axioms_read(struct axioms *x, const struct model_axioms *source)
{
    const struct relation_let *lets = source->lets;

    memset(x, 0, sizeof(*x));
    x->source = source;
    for (; source->ppo[x->term_count]; x->term_count++) {
        CHECK(x->term_count < TERMS_MAX);
        read_term(source->ppo[x->term_count], lets, &x->terms[x->term_count]);
        x->recursive[x->term_count] = speaks_of_ppo(&x->terms[x->term_count]);
    }
    for (; lets && lets[x->let_count].name; x->let_count++) {
        CHECK(x->let_count < LETS_MAX);
        read_term(lets[x->let_count].text, lets, &x->lets[x->let_count]);
    }
    for (; source->axioms && source->axioms[x->axiom_count].name;
         x->axiom_count++) {
        CHECK(x->axiom_count < AXIOMS_MAX);
        read_term(source->axioms[x->axiom_count].text, lets,
                  &x->axioms[x->axiom_count]);
    }
}

/* ---- rows ---- */

void rows_close(struct rows *r, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        uint64_t through = r->row[k];

        for (size_t i = 0; through && i < count; i++)
            if (r->row[i] & bit(k))
                r->row[i] |= through;
    }
}

static void compose(const struct rows *a, const struct rows *b, size_t count,
                    struct rows *out)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t to = 0;

        for (uint64_t rest = a->row[i]; rest; rest &= rest - 1)
            to |= b->row[__builtin_ctzll(rest)];
        out->row[i] = to;
    }
}

static void invert(const struct rows *a, size_t count, struct rows *out)
{
    memset(out, 0, count * sizeof(out->row[0]));
    for (size_t i = 0; i < count; i++)
        for (uint64_t rest = a->row[i]; rest; rest &= rest - 1)
            out->row[__builtin_ctzll(rest)] |= bit(i);
}

static void add_identity(struct rows *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        r->row[i] |= bit(i);
}

/* ---- nodes ---- */

/* Large, and never cleared: every node is written before it is read. */
struct evaluation {
    const struct frame *frame;
    const struct rows *lets;
    struct rows values[RELATION_NODES_MAX]; /* a set is its first row */
};

static uint64_t combine(enum relation_op op, uint64_t a, uint64_t b)
{
    return op == RELATION_UNION ? a | b : op == RELATION_BOTH ? a & b : a & ~b;
}

/* Of relations as of sets: a set has nothing but its first row. */
static void combine_rows(enum relation_op op, const struct rows *a,
                         const struct rows *b, size_t count, struct rows *out)
{
    for (size_t i = 0; i < count; i++)
        out->row[i] = combine(op, a->row[i], b->row[i]);
}

static void spread(uint64_t set, size_t count, struct rows *out)
{
    for (size_t i = 0; i < count; i++)
        out->row[i] = set & bit(i);
}

static void evaluate_node(struct evaluation *v, const struct relation_node *n,
                          struct rows *out)
{
    size_t count = v->frame->count;
    const struct rows *a = &v->values[n->a], *b = &v->values[n->b];

    switch ((enum relation_op)n->op) {
    case RELATION_EMPTY:
        memset(out, 0, sizeof(*out));
        break;
    case RELATION_BASE:
        memcpy(out, &v->frame->base[n->number], count * sizeof(uint64_t));
        break;
    case RELATION_LET:
        memcpy(out, &v->lets[n->number], count * sizeof(uint64_t));
        break;
    case RELATION_SET:
        spread(a->row[0], count, out);
        break;
    case RELATION_MARKED:
        memset(out, 0, count * sizeof(uint64_t));
        out->row[0] = v->frame->marked[n->number];
        break;
    case RELATION_UNION:
    case RELATION_BOTH:
    case RELATION_WITHOUT:
        combine_rows(n->op, a, b, count, out);
        break;
    case RELATION_THEN:
        compose(a, b, count, out);
        break;
    case RELATION_INVERSE:
        invert(a, count, out);
        break;
    case RELATION_PLUS:
    case RELATION_STAR:
        memcpy(out, a, count * sizeof(uint64_t));
        rows_close(out, count);
        if (n->op == RELATION_STAR)
            add_identity(out, count);
        break;
    case RELATION_OPTIONAL:
        memcpy(out, a, count * sizeof(uint64_t));
        add_identity(out, count);
        break;
    }
}

/* The value of the whole text. */
static const struct rows *evaluate(struct evaluation *v,
                                   const struct relation_tree *t)
{
    for (size_t i = 0; i < t->count; i++)
        evaluate_node(v, &t->nodes[i], &v->values[i]);
    return &v->values[t->count - 1];
}

static bool join(struct rows *to, const struct rows *from, size_t count)
{
    uint64_t news = 0;

    for (size_t i = 0; i < count; i++) {
        news |= from->row[i] & ~to->row[i];
        to->row[i] |= from->row[i];
    }
    return news != 0;
}

/* ---- what others ask ---- */

/* Terms that speak of ppo itself come again until nothing is new. */
void evaluate_ppo(const struct axioms *x, struct frame *f, struct rows *out)
{
    struct evaluation v;
    bool news;

    v.frame = f;
    v.lets = NULL;
    memset(out, 0, sizeof(*out));
    for (size_t i = 0; i < x->term_count; i++)
        if (!x->recursive[i])
            join(out, evaluate(&v, &x->terms[i]), f->count);
    do {
        rows_close(out, f->count);
        f->base[BASE_PPO] = *out;
        news = false;
        for (size_t i = 0; i < x->term_count; i++)
            if (x->recursive[i])
                news |= join(out, evaluate(&v, &x->terms[i]), f->count);
    } while (news);
}

/* From one definition on, those that are recursive together. */
static size_t evaluate_group(const struct axioms *x, struct evaluation *v,
                             size_t first, struct rows *lets)
{
    const struct relation_let *source = x->source->lets;
    size_t end = first + 1;
    bool news;

    if (!source[first].recursive) {
        memcpy(&lets[first], evaluate(v, &x->lets[first]),
               v->frame->count * sizeof(uint64_t));
        return end;
    }
    while (end < x->let_count && source[end].recursive)
        end++;
    for (size_t i = first; i < end; i++)
        memset(&lets[i], 0, sizeof(lets[i]));
    do {
        news = false;
        for (size_t i = first; i < end; i++)
            news |= join(&lets[i], evaluate(v, &x->lets[i]), v->frame->count);
    } while (news);
    return end;
}

static bool irreflexive(const struct rows *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (r->row[i] & bit(i))
            return false;
    return true;
}

static bool empty(const struct rows *r, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (r->row[i])
            return false;
    return true;
}

static bool holds(const struct rows *value, enum relation_test test,
                  size_t count)
{
    struct rows closed = *value;

    if (test == RELATION_EMPTY_ALL)
        return empty(value, count);
    if (test == RELATION_ACYCLIC)
        rows_close(&closed, count);
    return irreflexive(&closed, count);
}

bool evaluate_axioms(const struct axioms *x, const struct frame *f,
                     struct rows lets[LETS_MAX])
{
    struct evaluation v;

    v.frame = f;
    v.lets = lets;
    for (size_t i = 0; i < x->let_count;)
        i = evaluate_group(x, &v, i, lets);
    for (size_t i = 0; i < x->axiom_count; i++)
        if (!holds(evaluate(&v, &x->axioms[i]), x->source->axioms[i].test,
                   f->count))
            return false;
    return true;
}

bool evaluate_none(const struct axioms *x, const struct frame *f,
                   const struct rows *lets, const char *name)
{
    for (size_t i = 0; i < x->let_count; i++)
        if (strcmp(x->source->lets[i].name, name) == 0)
            return empty(&lets[i], f->count);
    return true;
}
