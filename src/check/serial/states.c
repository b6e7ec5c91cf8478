/* SPDX-License-Identifier: MIT
 *
 * The states between operations, and what leads from one to the next.  Found
 * as they are asked for; states that are equal are one.
 */
#include <stdlib.h>
#include <string.h>

#include "serial/serial_inside.h"

uint64_t row_hash(const uint64_t *list, size_t count)
{
    uint64_t h = count * 0x9e3779b97f4a7c15ull;

    for (size_t i = 0; i < count; i++) {
        h = (h ^ list[i]) * 0xff51afd7ed558ccdull;
        h ^= h >> 32;
    }
    return h;
}

/* ---- Nodes ---- */

static bool is_final(const struct states *s, const uint64_t *words)
{
    for (uint32_t t = 0; t < s->thread_count; t++) {
        if (words[t] >> 32 != s->call_counts[t])
            return false;
    }
    return true;
}

static bool same(const void *owner, uint32_t number, const void *key)
{
    const struct node *n =
        &VEC_AT(&((const struct states *)owner)->nodes, number);
    const struct row *row = key;

    return n->word_count == row->count &&
           memcmp(n->words, row->list, row->count * sizeof(*row->list)) == 0;
}

/* The node of s->key, a new one if need be. */
static uint32_t find_node(struct states *s)
{
    uint64_t hash = row_hash(s->key.list, s->key.count);
    uint32_t n = index_put(&s->index, hash, same, s, &s->key);

    if (n == s->nodes.count) {
        size_t bytes = s->key.count * sizeof(*s->key.list);
        uint64_t *words = arena_alloc(s->arena, bytes);

        memcpy(words, s->key.list, bytes);
        VEC_PUSH(&s->nodes, {.words = words,
                             .word_count = (uint32_t)s->key.count,
                             .final = is_final(s, words)});
    }
    return n;
}

/* ---- The test ---- */

static void take_calls(struct states *s, uint32_t thread,
                       const struct test_thread *calls, uint32_t before)
{
    uint32_t *list =
        arena_array(s->arena, before + calls->count + 1, sizeof(*list));

    if (before)
        list[0] = s->program->init;
    for (uint32_t i = 0; i < calls->count; i++)
        list[before + i] =
            s->program->operations[calls->calls[i].operation].proc;
    s->procs[thread] = list;
    s->call_counts[thread] = before + calls->count;
}

void states_init(struct states *s, const struct lsl_program *p,
                 const struct test *t, struct arena *a, struct err *e)
{
    uint32_t n = t->thread_count + 1;

    *s = (struct states){.program = p, .arena = a, .e = e, .thread_count = n};
    machine_init(&s->machine, p, n, e);
    s->call_counts = arena_array(a, n, sizeof(*s->call_counts));
    s->procs = arena_array(a, n, sizeof(*s->procs));
    s->labels = arena_array(a, n, sizeof(*s->labels));
    take_calls(s, 0, &t->init, p->init != LSL_NONE);
    for (uint32_t i = 1; i < n; i++)
        take_calls(s, i, &t->threads[i - 1], 0);
    for (uint32_t i = 0; i < n; i++)
        VEC_PUSH(&s->key, 0);
    CHECK(find_node(s) == 0);
}

void states_fini(struct states *s)
{
    machine_fini(&s->machine);
    for (uint32_t i = 0; i < s->thread_count; i++)
        VEC_FREE(&s->labels[i]);
    VEC_FREE(&s->nodes);
    index_free(&s->index);
    VEC_FREE(&s->key);
    VEC_FREE(&s->edges);
}

/* ---- What is observed ---- */

/* The thread's n-th observation has one label, whatever happens. */
static bool take_label(struct states *s, uint32_t thread, uint32_t n,
                       const char *label)
{
    struct labels *known = &s->labels[thread];

    if (n < known->count)
        return strcmp(known->list[n], label) == 0 ||
               err_set(s->e,
                       "%s: '%s' is observed where another execution observes "
                       "'%s': let each operation always observe the same",
                       s->program->source, label, known->list[n]);
    CHECK(n == known->count);
    VEC_PUSH(known, label);
    return true;
}

static bool take_labels(struct states *s, uint32_t node, uint32_t thread)
{
    uint32_t before = node_observed(&VEC_AT(&s->nodes, node), thread);

    for (uint32_t i = 0; i < s->machine.seen.count; i++) {
        if (!take_label(s, thread, before + i, s->machine.seen.list[i].label))
            return false;
    }
    return true;
}

static const int64_t *take_values(struct states *s)
{
    const struct machine *m = &s->machine;
    int64_t *values = arena_array(s->arena, m->seen.count, sizeof(*values));

    for (uint32_t i = 0; i < m->seen.count; i++)
        values[i] = m->seen.list[i].value;
    return values;
}

/* ---- Edges ---- */

/* The state after the operation; what memory holds in the end is nobody's
 * business. */
static uint32_t next_node(struct states *s, uint32_t node, uint32_t thread)
{
    VEC_CLEAR(&s->key);
    for (uint32_t t = 0; t < s->thread_count; t++)
        VEC_PUSH(&s->key, VEC_AT(&s->nodes, node).words[t]);
    s->key.list[thread] += 1ull << 32 | s->machine.seen.count;
    if (!is_final(s, s->key.list))
        memory_to_row(&s->machine.memory, &s->key);
    return find_node(s);
}

static bool is_known(const struct states *s, const struct edge *e)
{
    for (uint32_t i = 0; i < s->edges.count; i++) {
        const struct edge *o = &s->edges.list[i];

        if (o->thread == e->thread && o->to == e->to &&
            memcmp(o->values, e->values, e->count * sizeof(*e->values)) == 0)
            return true;
    }
    return false;
}

static void add_edge(struct states *s, uint32_t node, uint32_t thread)
{
    struct edge e = {.thread = thread,
                     .to = next_node(s, node, thread),
                     .values = take_values(s),
                     .count = s->machine.seen.count};

    if (is_known(s, &e))
        return;
    VEC_PUSH(&s->edges, e);
}

static void note_failure(struct states *s, uint32_t node, uint32_t thread)
{
    const struct machine *m = &s->machine;
    struct failed *f = arena_alloc(s->arena, sizeof(*f));

    *f = (struct failed){m->failure, m->site,        thread,
                         m->text,    take_values(s), m->seen.count};
    if (!VEC_AT(&s->nodes, node).failed)
        VEC_AT(&s->nodes, node).failed = f;
}

/* The thread's next operation, with all choices. */
static bool run_all(struct states *s, uint32_t node, uint32_t thread)
{
    struct machine *m = &s->machine;
    bool blocked = false;

    VEC_CLEAR(&m->choices);
    do {
        const struct node *n = &VEC_AT(&s->nodes, node);
        enum outcome r;

        memory_from_row(&m->memory, n->words + s->thread_count,
                        n->word_count - s->thread_count);
        r = machine_run(m, s->procs[thread][node_done(n, thread)], thread);
        if (r == RUN_REFUSED || !take_labels(s, node, thread))
            return false;
        if (r == RUN_ON)
            add_edge(s, node, thread);
        else if (r == RUN_FAILED)
            note_failure(s, node, thread);
        blocked |= r == RUN_BLOCKED;
    } while (machine_choose_next(m));
    VEC_AT(&s->nodes, node).blocked += blocked;
    return true;
}

bool states_expand(struct states *s, uint32_t node)
{
    struct node *n = &VEC_AT(&s->nodes, node);
    uint32_t first = 0, last = 1;

    if (n->expanded || n->final)
        return true;
    if (node_done(n, 0) == s->call_counts[0]) {
        first = 1; /* the initialisation is over */
        last = s->thread_count;
    }
    VEC_CLEAR(&s->edges);
    for (uint32_t t = first; t < last; t++) {
        if (node_done(&VEC_AT(&s->nodes, node), t) < s->call_counts[t] &&
            !run_all(s, node, t))
            return false;
    }
    n = &VEC_AT(&s->nodes, node);
    n->expanded = true;
    n->edge_count = (uint32_t)s->edges.count;
    n->edges = arena_array(s->arena, s->edges.count, sizeof(*n->edges));
    if (s->edges.count)
        memcpy(n->edges, s->edges.list, s->edges.count * sizeof(*n->edges));
    return true;
}
