/* SPDX-License-Identifier: MIT
 *
 * The states between operations, and what leads from one to the next.  Found
 * as they are asked for; states that are equal are one.
 */
#include <stdlib.h>
#include <string.h>

#include "serial/serial_inside.h"

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

static void put_in_table(struct states *s, uint32_t node)
{
    size_t at = s->nodes[node].hash & (s->table_size - 1);

    while (s->table[at])
        at = (at + 1) & (s->table_size - 1);
    s->table[at] = node + 1;
}

static void grow_table(struct states *s)
{
    free(s->table);
    s->table_size = s->table_size ? 2 * s->table_size : 1024;
    s->table = calloc(s->table_size, sizeof(*s->table));
    CHECK(s->table != NULL);
    for (uint32_t i = 0; i < s->count; i++)
        put_in_table(s, i);
}

static bool is_final(const struct states *s, const uint64_t *words)
{
    for (uint32_t t = 0; t < s->thread_count; t++) {
        if (words[t] >> 32 != s->call_counts[t])
            return false;
    }
    return true;
}

static uint32_t add_node(struct states *s, uint64_t hash)
{
    size_t bytes = s->key.count * sizeof(*s->key.list);
    uint64_t *words = arena_alloc(s->arena, bytes);

    memcpy(words, s->key.list, bytes);
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        s->nodes = realloc(s->nodes, s->room * sizeof(*s->nodes));
        CHECK(s->nodes != NULL);
    }
    s->nodes[s->count++] = (struct node){
        .words = words,
        .word_count = (uint32_t)s->key.count,
        .hash = hash,
        .final = is_final(s, words),
    };
    if (4 * (size_t)s->count > 3 * s->table_size)
        grow_table(s);
    else
        put_in_table(s, s->count - 1);
    return s->count - 1;
}

/* The node of s->key, a new one if need be. */
static uint32_t find_node(struct states *s)
{
    uint64_t hash = row_hash(s->key.list, s->key.count);

    for (size_t at = hash & (s->table_size - 1); s->table[at];
         at = (at + 1) & (s->table_size - 1)) {
        const struct node *n = &s->nodes[s->table[at] - 1];

        if (n->hash == hash && n->word_count == s->key.count &&
            memcmp(n->words, s->key.list,
                   s->key.count * sizeof(*s->key.list)) == 0)
            return s->table[at] - 1;
    }
    return add_node(s, hash);
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
    s->label_counts = arena_array(a, n, sizeof(*s->label_counts));
    s->label_rooms = arena_array(a, n, sizeof(*s->label_rooms));
    take_calls(s, 0, &t->init, p->init != LSL_NONE);
    for (uint32_t i = 1; i < n; i++)
        take_calls(s, i, &t->threads[i - 1], 0);
    for (uint32_t i = 0; i < n; i++)
        row_add(&s->key, 0);
    grow_table(s);
    find_node(s);
}

void states_fini(struct states *s)
{
    machine_fini(&s->machine);
    for (uint32_t i = 0; i < s->thread_count; i++)
        free(s->labels[i]);
    free(s->nodes);
    free(s->table);
    free(s->key.list);
    free(s->edges);
}

/* ---- What is observed ---- */

/* The thread's n-th observation has one label, whatever happens. */
static bool take_label(struct states *s, uint32_t thread, uint32_t n,
                       const char *label)
{
    if (n < s->label_counts[thread])
        return strcmp(s->labels[thread][n], label) == 0 ||
               err_set(s->e,
                       "%s: '%s' is observed where another execution observes "
                       "'%s': let each operation always observe the same",
                       s->program->source, label, s->labels[thread][n]);
    if (n == s->label_rooms[thread]) {
        s->label_rooms[thread] = n ? 2 * n : 8;
        s->labels[thread] =
            realloc(s->labels[thread], s->label_rooms[thread] * sizeof(char *));
        CHECK(s->labels[thread] != NULL);
    }
    s->labels[thread][n] = label;
    s->label_counts[thread] = n + 1;
    return true;
}

static bool take_labels(struct states *s, uint32_t node, uint32_t thread)
{
    uint32_t before = node_observed(&s->nodes[node], thread);

    for (uint32_t i = 0; i < s->machine.seen_count; i++) {
        if (!take_label(s, thread, before + i, s->machine.seen[i].label))
            return false;
    }
    return true;
}

static const int64_t *take_values(struct states *s)
{
    const struct machine *m = &s->machine;
    int64_t *values = arena_array(s->arena, m->seen_count, sizeof(*values));

    for (uint32_t i = 0; i < m->seen_count; i++)
        values[i] = m->seen[i].value;
    return values;
}

/* ---- Edges ---- */

/* The state after the operation; what memory holds in the end is nobody's
 * business. */
static uint32_t next_node(struct states *s, uint32_t node, uint32_t thread)
{
    s->key.count = 0;
    for (uint32_t t = 0; t < s->thread_count; t++)
        row_add(&s->key, s->nodes[node].words[t]);
    s->key.list[thread] += 1ull << 32 | s->machine.seen_count;
    if (!is_final(s, s->key.list))
        memory_to_row(&s->machine.memory, &s->key);
    return find_node(s);
}

static bool is_known(const struct states *s, const struct edge *e)
{
    for (uint32_t i = 0; i < s->edge_count; i++) {
        const struct edge *o = &s->edges[i];

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
                     .count = s->machine.seen_count};

    if (is_known(s, &e))
        return;
    if (s->edge_count == s->edge_room) {
        s->edge_room = s->edge_room ? 2 * s->edge_room : 32;
        s->edges = realloc(s->edges, s->edge_room * sizeof(*s->edges));
        CHECK(s->edges != NULL);
    }
    s->edges[s->edge_count++] = e;
}

static void note_failure(struct states *s, uint32_t node, uint32_t thread)
{
    const struct machine *m = &s->machine;
    struct failed *f = arena_alloc(s->arena, sizeof(*f));

    *f = (struct failed){m->failure, m->site,        thread,
                         m->text,    take_values(s), m->seen_count};
    if (!s->nodes[node].failed)
        s->nodes[node].failed = f;
}

/* The thread's next operation, with all choices. */
static bool run_all(struct states *s, uint32_t node, uint32_t thread)
{
    struct machine *m = &s->machine;
    bool blocked = false;

    m->choice_count = 0;
    do {
        const struct node *n = &s->nodes[node];
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
    s->nodes[node].blocked += blocked;
    return true;
}

bool states_expand(struct states *s, uint32_t node)
{
    struct node *n = &s->nodes[node];
    uint32_t first = 0, last = 1;

    if (n->expanded || n->final)
        return true;
    if (node_done(n, 0) == s->call_counts[0]) {
        first = 1; /* the initialisation is over */
        last = s->thread_count;
    }
    s->edge_count = 0;
    for (uint32_t t = first; t < last; t++) {
        if (node_done(&s->nodes[node], t) < s->call_counts[t] &&
            !run_all(s, node, t))
            return false;
    }
    n = &s->nodes[node];
    n->expanded = true;
    n->edge_count = s->edge_count;
    n->edges = arena_array(s->arena, s->edge_count, sizeof(*n->edges));
    if (s->edge_count)
        memcpy(n->edges, s->edges, s->edge_count * sizeof(*n->edges));
    return true;
}
