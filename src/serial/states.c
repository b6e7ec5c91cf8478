/* SPDX-License-Identifier: MIT
 *
 * The states between operations, and what leads from one to the next.  Found
 * as they are asked for; states that are equal are one.
 */
#include <stdlib.h>
#include <string.h>

#include "serial/inside.h"

void row_add(struct row *w, uint64_t word)
{
    if (w->count == w->room) {
        w->room = w->room ? 2 * w->room : 64;
        w->list = realloc(w->list, w->room * sizeof(*w->list));
        CHECK(w->list != NULL);
    }
    w->list[w->count++] = word;
}

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

static void put_in_table(struct states *g, uint32_t node)
{
    size_t at = g->nodes[node].hash & (g->table_size - 1);

    while (g->table[at])
        at = (at + 1) & (g->table_size - 1);
    g->table[at] = node + 1;
}

static void grow_table(struct states *g)
{
    free(g->table);
    g->table_size = g->table_size ? 2 * g->table_size : 1024;
    g->table = calloc(g->table_size, sizeof(*g->table));
    CHECK(g->table != NULL);
    for (uint32_t i = 0; i < g->count; i++)
        put_in_table(g, i);
}

static bool is_final(const struct states *g, const uint64_t *words)
{
    for (uint32_t t = 0; t < g->thread_count; t++) {
        if (words[t] >> 32 != g->call_counts[t])
            return false;
    }
    return true;
}

static uint32_t add_node(struct states *g, uint64_t hash)
{
    size_t bytes = g->key.count * sizeof(*g->key.list);
    uint64_t *words = arena_alloc(g->arena, bytes);

    memcpy(words, g->key.list, bytes);
    if (g->count == g->room) {
        g->room = g->room ? 2 * g->room : 256;
        g->nodes = realloc(g->nodes, g->room * sizeof(*g->nodes));
        CHECK(g->nodes != NULL);
    }
    g->nodes[g->count++] = (struct node){
        .words = words,
        .word_count = (uint32_t)g->key.count,
        .hash = hash,
        .final = is_final(g, words),
    };
    if (4 * (size_t)g->count > 3 * g->table_size)
        grow_table(g);
    else
        put_in_table(g, g->count - 1);
    return g->count - 1;
}

/* The node of g->key, a new one if need be. */
static uint32_t find_node(struct states *g)
{
    uint64_t hash = row_hash(g->key.list, g->key.count);

    for (size_t at = hash & (g->table_size - 1); g->table[at];
         at = (at + 1) & (g->table_size - 1)) {
        const struct node *n = &g->nodes[g->table[at] - 1];

        if (n->hash == hash && n->word_count == g->key.count &&
            memcmp(n->words, g->key.list,
                   g->key.count * sizeof(*g->key.list)) == 0)
            return g->table[at] - 1;
    }
    return add_node(g, hash);
}

/* ---- The test ---- */

static void take_calls(struct states *g, uint32_t thread,
                       const struct test_thread *calls, uint32_t before)
{
    uint32_t *list =
        arena_array(g->arena, before + calls->count + 1, sizeof(*list));

    if (before)
        list[0] = g->program->init;
    for (uint32_t i = 0; i < calls->count; i++)
        list[before + i] =
            g->program->operations[calls->calls[i].operation].proc;
    g->procs[thread] = list;
    g->call_counts[thread] = before + calls->count;
}

void states_init(struct states *g, const struct lsl_program *p,
                 const struct test *t, struct arena *a, struct err *e)
{
    uint32_t n = t->thread_count + 1;

    *g = (struct states){.program = p, .arena = a, .e = e, .thread_count = n};
    machine_init(&g->machine, p, n, e);
    g->call_counts = arena_array(a, n, sizeof(*g->call_counts));
    g->procs = arena_array(a, n, sizeof(*g->procs));
    g->labels = arena_array(a, n, sizeof(*g->labels));
    g->label_counts = arena_array(a, n, sizeof(*g->label_counts));
    g->label_rooms = arena_array(a, n, sizeof(*g->label_rooms));
    take_calls(g, 0, &t->init, p->init != LSL_NONE);
    for (uint32_t i = 1; i < n; i++)
        take_calls(g, i, &t->threads[i - 1], 0);
    for (uint32_t i = 0; i < n; i++)
        row_add(&g->key, 0);
    grow_table(g);
    find_node(g);
}

void states_fini(struct states *g)
{
    machine_fini(&g->machine);
    for (uint32_t i = 0; i < g->thread_count; i++)
        free(g->labels[i]);
    free(g->nodes);
    free(g->table);
    free(g->key.list);
    free(g->edges);
}

/* ---- What is observed ---- */

/* The thread's n-th observation has one label, whatever happens. */
static bool take_label(struct states *g, uint32_t thread, uint32_t n,
                       const char *label)
{
    if (n < g->label_counts[thread])
        return strcmp(g->labels[thread][n], label) == 0 ||
               err_set(g->e,
                       "'%s' is observed where another execution observes "
                       "'%s': let each operation always observe the same",
                       label, g->labels[thread][n]);
    if (n == g->label_rooms[thread]) {
        g->label_rooms[thread] = n ? 2 * n : 8;
        g->labels[thread] =
            realloc(g->labels[thread], g->label_rooms[thread] * sizeof(char *));
        CHECK(g->labels[thread] != NULL);
    }
    g->labels[thread][n] = label;
    g->label_counts[thread] = n + 1;
    return true;
}

static bool take_labels(struct states *g, uint32_t node, uint32_t thread)
{
    uint32_t before = node_observed(&g->nodes[node], thread);

    for (uint32_t i = 0; i < g->machine.seen_count; i++) {
        if (!take_label(g, thread, before + i, g->machine.seen[i].label))
            return false;
    }
    return true;
}

static const int64_t *take_values(struct states *g)
{
    const struct machine *m = &g->machine;
    int64_t *values = arena_array(g->arena, m->seen_count, sizeof(*values));

    for (uint32_t i = 0; i < m->seen_count; i++)
        values[i] = m->seen[i].value;
    return values;
}

/* ---- Edges ---- */

/* The state after the operation; what memory holds in the end is nobody's
 * business. */
static uint32_t next_node(struct states *g, uint32_t node, uint32_t thread)
{
    g->key.count = 0;
    for (uint32_t t = 0; t < g->thread_count; t++)
        row_add(&g->key, g->nodes[node].words[t]);
    g->key.list[thread] += 1ull << 32 | g->machine.seen_count;
    if (!is_final(g, g->key.list))
        memory_encode(&g->machine.memory, &g->key);
    return find_node(g);
}

static bool is_known(const struct states *g, const struct edge *e)
{
    for (uint32_t i = 0; i < g->edge_count; i++) {
        const struct edge *o = &g->edges[i];

        if (o->thread == e->thread && o->to == e->to &&
            memcmp(o->values, e->values, e->count * sizeof(*e->values)) == 0)
            return true;
    }
    return false;
}

static void add_edge(struct states *g, uint32_t node, uint32_t thread)
{
    struct edge e = {.thread = thread,
                     .to = next_node(g, node, thread),
                     .values = take_values(g),
                     .count = g->machine.seen_count};

    if (is_known(g, &e))
        return;
    if (g->edge_count == g->edge_room) {
        g->edge_room = g->edge_room ? 2 * g->edge_room : 32;
        g->edges = realloc(g->edges, g->edge_room * sizeof(*g->edges));
        CHECK(g->edges != NULL);
    }
    g->edges[g->edge_count++] = e;
}

static void note_failure(struct states *g, uint32_t node, uint32_t thread)
{
    const struct machine *m = &g->machine;
    struct failed *f = arena_alloc(g->arena, sizeof(*f));

    *f = (struct failed){m->failure, m->site,        thread,
                         m->text,    take_values(g), m->seen_count};
    if (!g->nodes[node].failed)
        g->nodes[node].failed = f;
}

/* The thread's next operation, with all choices. */
static bool run_all(struct states *g, uint32_t node, uint32_t thread)
{
    struct machine *m = &g->machine;

    m->choice_count = 0;
    do {
        const struct node *n = &g->nodes[node];
        enum outcome r;

        memory_decode(&m->memory, n->words + g->thread_count,
                      n->word_count - g->thread_count);
        r = machine_run(m, g->procs[thread][node_done(n, thread)], thread);
        if (r == RUN_REFUSED || !take_labels(g, node, thread))
            return false;
        if (r == RUN_ON)
            add_edge(g, node, thread);
        else if (r == RUN_FAILED)
            note_failure(g, node, thread);
    } while (machine_choose_next(m));
    return true;
}

bool states_expand(struct states *g, uint32_t node)
{
    struct node *n = &g->nodes[node];
    uint32_t first = 0, last = 1;

    if (n->expanded || n->final)
        return true;
    if (node_done(n, 0) == g->call_counts[0]) {
        first = 1; /* the initialisation is over */
        last = g->thread_count;
    }
    g->edge_count = 0;
    for (uint32_t t = first; t < last; t++) {
        if (node_done(&g->nodes[node], t) < g->call_counts[t] &&
            !run_all(g, node, t))
            return false;
    }
    n = &g->nodes[node];
    n->expanded = true;
    n->edge_count = g->edge_count;
    n->edges = arena_array(g->arena, g->edge_count, sizeof(*n->edges));
    if (g->edge_count)
        memcpy(n->edges, g->edges, g->edge_count * sizeof(*n->edges));
    return true;
}
