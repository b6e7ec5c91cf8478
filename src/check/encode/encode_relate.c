/* SPDX-License-Identifier: MIT
 *
 * Texts of the relation language over a solution, as matrices of bits; and why
 * a pair is in one: a way through the text, down to the relations that the
 * solution brings.
 */
#include "encode/encode_relate.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

static size_t matrix_words(const struct relate *r)
{
    return r->points.count * r->words;
}

uint64_t *relate_new(struct relate *r)
{
    return arena_array(&r->arena, matrix_words(r) + 1, sizeof(uint64_t));
}

void relate_unite(const struct relate *r, uint64_t *to, const uint64_t *from)
{
    for (size_t i = 0; i < matrix_words(r); i++)
        to[i] |= from[i];
}

void relate_begin(struct relate *r, struct encoding *x, const struct depends *d,
                  struct points points)
{
    uint32_t events = x->flat->event_count;

    *r = (struct relate){
        .x = x, .depends = d, .points = points, .words = points.count / 64 + 1};
    r->point_of = arena_array(&r->arena, events + 1, sizeof *r->point_of);
    memset(r->point_of, 0xff, (events + 1) * sizeof *r->point_of);
    for (uint32_t i = 0; i < points.count; i++) {
        if (points.list[i].marks & (MARK_R | MARK_W))
            r->point_of[points.list[i].event] = i;
    }
}

void relate_end(struct relate *r)
{
    for (size_t i = 0; r->rounds && i < r->x->statement->let_count; i++)
        VEC_FREE(&r->rounds[i]);
    VEC_FREE(&r->points);
    VEC_FREE(&r->terms);
    VEC_FREE(&r->ppo);
    VEC_FREE(&r->closed);
    arena_free(&r->arena);
}

/* ---- Operators ---- */

static void compose(struct relate *r, uint64_t *a, uint64_t *b, uint64_t *out)
{
    uint32_t n = (uint32_t)r->points.count;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t *to = relate_row(r, out, i);
        const uint64_t *from = relate_row(r, a, i);

        for (size_t w = 0; w < r->words; w++) {
            for (uint64_t left = from[w]; left; left &= left - 1) {
                uint32_t mid =
                    (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(left);
                const uint64_t *row = relate_row(r, b, mid);

                for (size_t k = 0; k < r->words; k++)
                    to[k] |= row[k];
            }
        }
    }
}

static void close_over(struct relate *r, uint64_t *m)
{
    uint32_t n = (uint32_t)r->points.count;

    for (uint32_t mid = 0; mid < n; mid++) {
        const uint64_t *row = relate_row(r, m, mid);

        for (uint32_t i = 0; i < n; i++) {
            uint64_t *to = relate_row(r, m, i);

            if (!relate_bit(to, mid))
                continue;
            for (size_t k = 0; k < r->words; k++)
                to[k] |= row[k];
        }
    }
}

static void add_identity(struct relate *r, uint64_t *m)
{
    for (uint32_t i = 0; i < r->points.count; i++)
        relate_set(relate_row(r, m, i), i);
}

static void invert(struct relate *r, uint64_t *a, uint64_t *out)
{
    uint32_t n = (uint32_t)r->points.count;

    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < n; k++) {
            if (relate_has(r, a, i, k))
                relate_set(relate_row(r, out, k), i);
        }
    }
}

/* ---- Texts ---- */

static uint64_t *marked(struct relate *r, unsigned number)
{
    uint64_t *set = arena_array(&r->arena, r->words, sizeof *set);

    for (uint32_t i = 0; i < r->points.count; i++) {
        if (r->points.list[i].marks >> number & 1)
            relate_set(set, i);
    }
    return set;
}

/* Union, intersection, difference: of sets, or of relations. */
static uint64_t *combine(struct relate *r, enum relation_op op,
                         const uint64_t *a, const uint64_t *b, bool sets)
{
    size_t n = sets ? r->words : matrix_words(r);
    uint64_t *out = arena_array(&r->arena, n + 1, sizeof *out);

    for (size_t i = 0; i < n; i++)
        out[i] = op == RELATION_UNION  ? a[i] | b[i]
                 : op == RELATION_BOTH ? a[i] & b[i]
                                       : a[i] & ~b[i];
    return out;
}

static uint64_t *identity_on(struct relate *r, const uint64_t *set)
{
    uint64_t *out = relate_new(r);

    for (uint32_t i = 0; i < r->points.count; i++) {
        if (relate_bit(set, i))
            relate_set(relate_row(r, out, i), i);
    }
    return out;
}

static uint64_t *base_at(struct relate *r, unsigned base, unsigned level)
{
    if (base != BASE_PPO)
        return relate_base(r, (enum relation_base)base);
    CHECK(level && level <= r->closed.count);
    return r->closed.list[level - 1];
}

static uint64_t *operate(struct relate *r, const struct evaluated *v,
                         const struct relation_node *node)
{
    uint64_t *a = v->nodes[node->a], *b = v->nodes[node->b], *out;

    switch ((enum relation_op)node->op) {
    case RELATION_BASE:
        return base_at(r, node->number, v->level);
    case RELATION_LET:
        CHECK(r->lets[node->number].tree);
        return relate_whole(&r->lets[node->number]);
    case RELATION_SET:
        return identity_on(r, a);
    case RELATION_MARKED:
        return marked(r, node->number);
    case RELATION_UNION:
    case RELATION_BOTH:
    case RELATION_WITHOUT:
        return combine(r, (enum relation_op)node->op, a, b, v->is_set[node->a]);
    case RELATION_THEN:
        out = relate_new(r);
        compose(r, a, b, out);
        return out;
    case RELATION_INVERSE:
        out = relate_new(r);
        invert(r, a, out);
        return out;
    default:
        out = relate_new(r);
        relate_unite(r, out, a);
        if (node->op != RELATION_OPTIONAL && node->op != RELATION_EMPTY)
            close_over(r, out);
        if (node->op != RELATION_PLUS)
            add_identity(r, out);
        return out;
    }
}

struct evaluated *relate_evaluate(struct relate *r,
                                  const struct relation_tree *tree,
                                  unsigned level)
{
    struct evaluated *v = arena_alloc(&r->arena, sizeof *v);

    v->tree = tree;
    v->level = level;
    v->nodes = arena_array(&r->arena, tree->count, sizeof *v->nodes);
    v->is_set = arena_array(&r->arena, tree->count, sizeof *v->is_set);
    for (size_t i = 0; i < tree->count; i++) {
        const struct relation_node *node = &tree->nodes[i];

        v->is_set[i] =
            node->op == RELATION_MARKED ||
            ((node->op == RELATION_UNION || node->op == RELATION_BOTH ||
              node->op == RELATION_WITHOUT) &&
             v->is_set[node->a]);
        v->nodes[i] = operate(r, v, node);
    }
    return v;
}

uint64_t *relate_whole(const struct evaluated *v)
{
    return v->nodes[v->tree->count - 1];
}

/* ---- Lets ---- */

static struct evaluated *evaluate_let(struct relate *r, size_t let)
{
    const struct statement *s = r->x->statement;
    struct evaluated *v = relate_evaluate(r, &s->lets[let], 0);

    if (let == s->asw_let && r->asw) {
        uint64_t *with = relate_new(r);

        relate_unite(r, with, relate_whole(v));
        relate_unite(r, with, r->asw);
        v->nodes[v->tree->count - 1] = with;
    }
    return v;
}

/* Before the first round: nothing. */
static void begin_let(struct relate *r, size_t let)
{
    const struct relation_tree *tree = &r->x->statement->lets[let];
    struct evaluated *v = &r->lets[let];

    v->tree = tree;
    v->nodes = arena_array(&r->arena, tree->count, sizeof *v->nodes);
    v->nodes[tree->count - 1] = relate_new(r);
}

/* One round: each from what all were in the round before. */
static bool grow(struct relate *r, size_t first, size_t last)
{
    size_t room = matrix_words(r) * sizeof(uint64_t);
    bool grown = false;

    for (size_t i = first; i < last; i++)
        VEC_PUSH(&r->rounds[i], evaluate_let(r, i));
    for (size_t i = first; i < last; i++) {
        struct evaluated *v = VEC_LAST(&r->rounds[i]);

        grown |= memcmp(relate_whole(v), relate_whole(&r->lets[i]), room) != 0;
        r->lets[i] = *v;
    }
    return grown;
}

/* The least that satisfy all definitions of the group. */
static size_t define_group(struct relate *r, size_t first)
{
    const struct statement *s = r->x->statement;
    size_t last = first;

    for (; last < s->let_count && s->recursive[last]; last++)
        begin_let(r, last);
    while (grow(r, first, last))
        ;
    return last;
}

void relate_lets(struct relate *r)
{
    const struct statement *s = r->x->statement;

    r->lets = arena_array(&r->arena, s->let_count + 1, sizeof *r->lets);
    r->rounds = arena_array(&r->arena, s->let_count + 1, sizeof *r->rounds);
    for (size_t i = 0; i < s->let_count;) {
        if (s->recursive[i]) {
            i = define_group(r, i);
        } else {
            r->lets[i] = *evaluate_let(r, i);
            i++;
        }
    }
}

/* ---- Preserved program order ---- */

static void close_level(struct relate *r)
{
    uint64_t *closed = relate_new(r);

    relate_unite(r, closed, VEC_LAST(&r->ppo));
    close_over(r, closed);
    VEC_PUSH(&r->closed, closed);
}

static void add_level(struct relate *r, bool closes)
{
    const struct statement *s = r->x->statement;
    uint64_t *all = relate_new(r);

    if (r->ppo.count)
        relate_unite(r, all, VEC_LAST(&r->ppo));
    for (size_t i = 0; i < s->term_count; i++) {
        struct evaluated *v;

        if (s->closes[i] != closes)
            continue;
        v = relate_evaluate(r, &s->terms[i], (unsigned)r->closed.count);
        VEC_PUSH(&r->terms, v);
        relate_unite(r, all, relate_whole(v));
    }
    VEC_PUSH(&r->ppo, all);
    close_level(r);
}

static bool closes_any(const struct statement *s)
{
    for (size_t i = 0; i < s->term_count; i++) {
        if (s->closes[i])
            return true;
    }
    return false;
}

uint64_t *relate_ppo(struct relate *r)
{
    size_t room = matrix_words(r) * sizeof(uint64_t);

    add_level(r, false);
    if (closes_any(r->x->statement)) {
        do
            add_level(r, true);
        while (memcmp(r->ppo.list[r->ppo.count - 2], VEC_LAST(&r->ppo), room));
    }
    return VEC_LAST(&r->ppo);
}

/* ---- Why ---- */

uint32_t relate_way(struct relate *r, uint64_t *matrix, uint32_t a, uint32_t b,
                    uint32_t *way)
{
    uint32_t n = (uint32_t)r->points.count, begin = 0, end = 0, steps = 0;
    uint32_t *from = malloc((n + 1) * sizeof *from);
    uint32_t *queue = malloc((n + 1) * sizeof *queue);
    bool found = false;

    CHECK(from && queue);
    memset(from, 0xff, (n + 1) * sizeof *from);
    queue[end++] = a;
    while (begin < end && !found) {
        uint32_t v = queue[begin++];

        for (uint32_t i = 0; i < n && !found; i++) {
            if (!relate_has(r, matrix, v, i) || from[i] != NO_POINT)
                continue;
            from[i] = v;
            queue[end++] = i;
            found = i == b;
        }
    }
    if (found) {
        uint32_t v = b;

        do {
            v = from[v];
            steps++;
        } while (v != a);
        way[steps] = b;
        for (uint32_t i = steps; i-- > 0;)
            way[i] = from[way[i + 1]];
    }
    free(from);
    free(queue);
    return steps;
}

static void explain(struct relate *r, const struct evaluated *v, unsigned node,
                    uint32_t a, uint32_t b, struct reasons *why);

/* Step by step. */
static void explain_way(struct relate *r, const struct evaluated *v,
                        unsigned node, uint32_t a, uint32_t b,
                        struct reasons *why)
{
    uint32_t *way = malloc((r->points.count + 2) * sizeof *way), steps;

    CHECK(way);
    steps = relate_way(r, v->nodes[node], a, b, way);
    CHECK(steps);
    for (uint32_t i = 0; i < steps; i++)
        explain(r, v, node, way[i], way[i + 1], why);
    free(way);
}

static void explain_then(struct relate *r, const struct evaluated *v,
                         const struct relation_node *x, uint32_t a, uint32_t b,
                         struct reasons *why)
{
    for (uint32_t mid = 0; mid < r->points.count; mid++) {
        if (!relate_has(r, v->nodes[x->a], a, mid) ||
            !relate_has(r, v->nodes[x->b], mid, b))
            continue;
        explain(r, v, x->a, a, mid, why);
        explain(r, v, x->b, mid, b, why);
        return;
    }
    CHECK(!"a pair without a middle");
}

/* Of thread creation and end: who is there. */
static void explain_let(struct relate *r, unsigned number, uint32_t a,
                        uint32_t b, struct reasons *why)
{
    const struct evaluated *let = &r->lets[number];
    unsigned last = (unsigned)let->tree->count - 1;

    /* As of the round in which it came: then it came from earlier ones. */
    for (size_t i = 0; i < r->rounds[number].count; i++) {
        let = r->rounds[number].list[i];
        if (relate_has(r, relate_whole(let), a, b))
            break;
    }

    if (number == r->x->statement->asw_let && r->asw &&
        relate_has(r, r->asw, a, b))
        relate_explain_base(r, BASE_PO, a, b, why);
    else
        explain(r, let, last, a, b, why);
}

/* That the pair is not in it: only where that is a matter of addresses. */
static void explain_not(struct relate *r, const struct evaluated *v,
                        unsigned node, uint32_t a, uint32_t b,
                        struct reasons *why)
{
    const struct relation_node *x = &v->tree->nodes[node];

    CHECK(x->op == RELATION_BASE && x->number == BASE_LOC);
    relate_explain_base(r, BASE_LOC, a, b, why);
}

static void explain_base(struct relate *r, const struct evaluated *v,
                         unsigned base, uint32_t a, uint32_t b,
                         struct reasons *why)
{
    uint32_t *way, steps;

    if (base != BASE_PPO) {
        relate_explain_base(r, (enum relation_base)base, a, b, why);
        return;
    }
    way = malloc((r->points.count + 2) * sizeof *way);
    CHECK(way);
    steps = relate_way(r, r->ppo.list[v->level - 1], a, b, way);
    for (uint32_t i = 0; i < steps; i++)
        relate_explain_ppo(r, way[i], way[i + 1], why);
    free(way);
}

static void explain(struct relate *r, const struct evaluated *v, unsigned node,
                    uint32_t a, uint32_t b, struct reasons *why)
{
    const struct relation_node *x = &v->tree->nodes[node];

    switch ((enum relation_op)x->op) {
    case RELATION_BASE:
        explain_base(r, v, x->number, a, b, why);
        return;
    case RELATION_LET:
        explain_let(r, x->number, a, b, why);
        return;
    case RELATION_SET:
        relate_explain_base(r, BASE_PO, a, b, why);
        return;
    case RELATION_UNION:
        explain(r, v, relate_has(r, v->nodes[x->a], a, b) ? x->a : x->b, a, b,
                why);
        return;
    case RELATION_BOTH:
        explain(r, v, x->a, a, b, why);
        explain(r, v, x->b, a, b, why);
        return;
    case RELATION_WITHOUT:
        explain(r, v, x->a, a, b, why);
        explain_not(r, v, x->b, a, b, why);
        return;
    case RELATION_THEN:
        explain_then(r, v, x, a, b, why);
        return;
    case RELATION_INVERSE:
        explain(r, v, x->a, b, a, why);
        return;
    case RELATION_PLUS:
        explain_way(r, v, x->a, a, b, why);
        return;
    case RELATION_STAR:
        if (a != b)
            explain_way(r, v, x->a, a, b, why);
        return;
    case RELATION_OPTIONAL:
        if (a != b)
            explain(r, v, x->a, a, b, why);
        return;
    default:
        CHECK(!"a pair of nothing");
    }
}

void relate_explain(struct relate *r, const struct evaluated *v, uint32_t a,
                    uint32_t b, struct reasons *why)
{
    explain(r, v, (unsigned)v->tree->count - 1, a, b, why);
}

/* The first term that has it: of the lowest level. */
void relate_explain_ppo(struct relate *r, uint32_t a, uint32_t b,
                        struct reasons *why)
{
    for (size_t i = 0; i < r->terms.count; i++) {
        if (!relate_has(r, relate_whole(r->terms.list[i]), a, b))
            continue;
        relate_explain(r, r->terms.list[i], a, b, why);
        return;
    }
    CHECK(!"a pair that no term keeps");
}
