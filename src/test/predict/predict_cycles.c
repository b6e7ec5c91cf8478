/* SPDX-License-Identifier: MIT
 *
 * Static cycles are compared by the smallest of their rotations.  A cycle that
 * looks the same from two places has two such rotations; then what is known of
 * a pair is known of its twin too, for nothing tells them apart.
 */
#include "predict/predict_cycles.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "event/channel.h"

static int compare_node(const struct cycle_node *a, const struct cycle_node *b)
{
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    return (a->pair > b->pair) - (a->pair < b->pair);
}

int cycle_compare(const struct cycle *a, const struct cycle *b)
{
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    for (uint32_t i = 0; i < a->length; i++) {
        int c = compare_node(&a->nodes[i], &b->nodes[i]);

        if (c)
            return c;
    }
    return 0;
}

/* ---- Rotations ---- */

static int compare_rotations(const struct cycle_node *nodes, uint32_t length,
                             uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < length; i++) {
        int c =
            compare_node(&nodes[(a + i) % length], &nodes[(b + i) % length]);

        if (c)
            return c;
    }
    return 0;
}

static uint32_t smallest_rotation(const struct cycle_node *nodes,
                                  uint32_t length)
{
    uint32_t best = length;

    for (uint32_t i = 0; i < length; i++)
        if (nodes[i].pair != GOAL_SECOND &&
            (best == length || compare_rotations(nodes, length, i, best) < 0))
            best = i;
    CHECK(best < length);
    return best;
}

/* ---- The table ---- */

static uint64_t hash_of(const struct cycle *c)
{
    uint64_t hash = HASH_START;

    for (uint32_t i = 0; i < c->length; i++) {
        hash = (hash ^ c->nodes[i].site) * 0x9e3779b97f4a7c15ull;
        hash = (hash ^ hash >> 29 ^ c->nodes[i].pair) * 0xbf58476d1ce4e5b9ull;
    }
    return hash ^ hash >> 32;
}

static bool same(const void *owner, uint32_t number, const void *key)
{
    return cycle_compare(&VEC_AT((const struct cycles *)owner, number), key) ==
           0;
}

static struct cycle *find_or_add(struct cycles *s, const struct cycle *c)
{
    uint32_t n = index_put(&s->index, hash_of(c), same, s, c);

    if (n == s->count)
        VEC_PUSH(s, *c);
    return &VEC_AT(s, n);
}

void cycles_fini(struct cycles *s)
{
    VEC_FREE(s);
    index_free(&s->index);
}

/* What the instance, seen from node `start`, adds to the cycle. */
static void merge(struct cycle *c, const struct cycle_node *nodes,
                  const uint16_t *marks, uint32_t start)
{
    for (uint32_t i = 0; i < c->length; i++) {
        uint32_t k = (start + i) % c->length;

        c->nodes[i].reads |= nodes[k].reads;
        c->nodes[i].writes |= nodes[k].writes;
        if (nodes[k].pair != GOAL_FIRST)
            continue;
        for (unsigned m = 0; m < CYCLE_MODELS_MAX; m++)
            if (marks[k] >> m & 1)
                c->reorderable[m] |= (uint16_t)(1u << i);
    }
}

void cycles_add(struct cycles *s, const struct cycle_node *nodes,
                const uint16_t *marks, uint32_t length)
{
    uint32_t best = smallest_rotation(nodes, length);
    struct cycle key = {.length = length}, *c;
    uint8_t role = 0;

    CHECK(length >= CYCLE_LENGTH_ANY && length <= CYCLE_LENGTH_MAX);
    for (uint32_t i = 0; i < length; i++) {
        key.nodes[i] = nodes[(best + i) % length];
        if (i && key.nodes[i].pair != GOAL_SECOND)
            role++;
        key.nodes[i].role = role;
    }
    c = find_or_add(s, &key);
    for (uint32_t i = 0; i < length; i++)
        if (nodes[i].pair != GOAL_SECOND &&
            compare_rotations(nodes, length, i, best) == 0)
            merge(c, nodes, marks, i);
}

static int compare(const void *a, const void *b)
{
    return cycle_compare(a, b);
}

void cycles_sort(struct cycles *s, size_t from)
{
    if (s->count > from)
        qsort(s->list + from, s->count - from, sizeof(*s->list), compare);
    index_clear(&s->index);
    for (uint32_t i = 0; i < s->count; i++)
        CHECK(index_put(&s->index, hash_of(&s->list[i]), same, s,
                        &s->list[i]) == i);
}
