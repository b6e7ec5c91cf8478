/* SPDX-License-Identifier: MIT
 *
 * One trace at a time: its accesses become classes; classes that no other may
 * race with are dropped; a walk with vector clocks finds the races; of what
 * is left the pairs are noted.
 *
 * A trace that says the same as one before it adds nothing but to the count of
 * its races.  If what is kept becomes too much, the last traces are put
 * together: that predicts more, and loses nothing.
 */
#include "predict/gather.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "predict/happens.h"

/* Rows of pairs grow with the square of this. */
#define CLASSES_MAX 4096
#define BYTES_MAX (256ull << 20)

struct intake {
    struct gather *g;
    struct volume *to;
    const struct trace *t;
    struct accesses all;
    struct classes local;
    struct class_index index;
    uint32_t *class_of;        /* per access */
    uint32_t *known_as;        /* per class */
    uint32_t *rivals, **rival; /* per class: those it may race with */
    uint32_t *last;            /* per class: number + 1 of its last access */
    struct arena arena;
};

void gather_init(struct gather *g, unsigned max_instances)
{
    *g = (struct gather){.max_instances = max_instances, .arena = ARENA_INIT};
    intern_init(&g->tables.clocks, &g->arena);
    intern_init(&g->tables.locks, &g->arena);
    races_init(&g->races, &g->arena);
}

/* ---- Volumes ---- */

static struct volume *volume_new(void)
{
    struct volume *v = calloc(1, sizeof(*v));

    CHECK(v != NULL);
    v->races_known = SIZE_MAX;
    words_init(&v->instances, &v->arena);
    return v;
}

static void volume_free(struct volume *v)
{
    classes_fini(&v->classes);
    pairs_fini(&v->pairs);
    free(v->instance_count);
    arena_free(&v->arena);
    free(v);
}

/* Classes are numbered as they come, so equal ones have equal numbers in
 * traces that say the same. */
static bool volume_equal(const struct volume *a, const struct volume *b)
{
    if (a->classes.count != b->classes.count)
        return false;
    for (uint32_t i = 0; i < a->classes.count; i++)
        if (classes_find(&a->classes, &b->classes.list[i]) != i)
            return false;
    return pairs_equal(&a->pairs, &b->pairs);
}

/* Where the next trace goes. */
static struct volume *open_volume(struct gather *g)
{
    if (g->bytes < BYTES_MAX || !g->volume_count)
        return volume_new();
    return g->volumes[--g->volume_count];
}

static void close_volume(struct gather *g, struct volume *v)
{
    for (size_t i = 0; i < g->volume_count; i++)
        if (volume_equal(g->volumes[i], v)) {
            volume_free(v);
            return;
        }
    if (g->volume_count == g->volume_room) {
        g->volume_room = g->volume_room ? g->volume_room * 2 : 64;
        g->volumes = realloc(g->volumes, g->volume_room * sizeof(v));
        CHECK(g->volumes != NULL);
    }
    v->races_known = SIZE_MAX;
    g->volumes[g->volume_count++] = v;
    g->bytes += pairs_bytes(&v->pairs);
}

void gather_fini(struct gather *g)
{
    for (size_t i = 0; i < g->volume_count; i++)
        volume_free(g->volumes[i]);
    free(g->volumes);
    races_fini(&g->races);
    free(g->left_out);
    arena_free(&g->arena);
}

/* ---- Classes of the trace ---- */

static void find_classes(struct intake *in)
{
    struct held h;

    held_init(&h, &in->g->tables, in->t, &in->arena);
    in->class_of =
        arena_array(&in->arena, in->all.count, sizeof(*in->class_of));
    for (size_t i = 0; i < in->t->event_count; i++) {
        const struct event *e = &in->t->events[i];
        uint32_t access = in->all.of_event[i];

        held_step(&h, e);
        if (access == ACCESS_NONE)
            continue;

        struct class c = {in->all.list[access], held_clock(&h, e->thread),
                          held_locks(&h, e->thread)};

        in->class_of[access] = classes_add(&in->local, &c);
    }
}

static void count_rival(void *context, uint32_t c, uint32_t other)
{
    struct intake *in = context;

    in->rivals[c] += class_may_race(&in->g->tables, &in->local.list[c],
                                    &in->local.list[other]);
}

static void add_rival(void *context, uint32_t c, uint32_t other)
{
    struct intake *in = context;

    if (class_may_race(&in->g->tables, &in->local.list[c],
                       &in->local.list[other]))
        in->rival[c][in->rivals[c]++] = other;
}

static void find_rivals(struct intake *in)
{
    uint32_t n = in->local.count;

    class_index_init(&in->index, &in->local, &in->arena);
    in->rivals = arena_array(&in->arena, n, sizeof(*in->rivals));
    in->rival = arena_array(&in->arena, n, sizeof(*in->rival));
    for (uint32_t c = 0; c < n; c++) {
        class_index_visit(&in->index, &in->local, c, count_rival, in);
        in->rival[c] =
            arena_array(&in->arena, in->rivals[c], sizeof(**in->rival));
        in->rivals[c] = 0;
        class_index_visit(&in->index, &in->local, c, add_rival, in);
    }
}

/* ---- Races ---- */

/* Of each rival only the last access counts: if that one is ordered before
 * now, so are those before it. */
static void find_races_of(struct intake *in, const struct happens *h,
                          uint32_t c, const struct event *e)
{
    for (uint32_t i = 0; i < in->rivals[c]; i++) {
        uint32_t other = in->rival[c][i];
        const struct access *at = &in->local.list[other].at;

        if (!in->last[other] ||
            happens_before(h, in->last[other] - 1, at->thread, e->thread) ||
            races_noted(&in->g->races, e->site, at->site))
            continue;
        races_note(&in->g->races, in->t, e->site, at->site, e);
    }
}

static void find_races(struct intake *in)
{
    struct happens *h = happens_new(in->t, &in->all, &in->arena);

    in->last = arena_array(&in->arena, in->local.count, sizeof(*in->last));
    races_next_trace(&in->g->races);
    for (uint32_t i = 0; i < in->t->event_count; i++) {
        uint32_t access = in->all.of_event[i];

        if (access != ACCESS_NONE) {
            uint32_t c = in->class_of[access];

            find_races_of(in, h, c, &in->t->events[i]);
            in->last[c] = i + 1;
        }
        happens_step(h, i);
    }
}

/* ---- What is kept ---- */

/* One more class of that thread and site.  False: there are enough. */
static bool make_room(struct volume *v, const struct class *c, unsigned max)
{
    uint32_t n =
        words_add(&v->instances, (uint64_t)c->at.thread << 32 | c->at.site);

    if (n >= v->instance_room) {
        uint32_t room = v->instance_room ? v->instance_room * 2 : 64;

        v->instance_count = realloc(v->instance_count, room * sizeof(n));
        CHECK(v->instance_count != NULL);
        memset(v->instance_count + v->instance_room, 0,
               (room - v->instance_room) * sizeof(n));
        v->instance_room = room;
    }
    if (v->instance_count[n] >= max ||
        pairs_in_thread(&v->pairs, c->at.thread) >= CLASSES_MAX)
        return false;
    v->instance_count[n]++;
    return true;
}

static void keep_classes(struct intake *in)
{
    struct volume *v = in->to;

    in->known_as =
        arena_array(&in->arena, in->local.count, sizeof(*in->known_as));
    for (uint32_t c = 0; c < in->local.count; c++) {
        const struct class *from = &in->local.list[c];

        in->known_as[c] = PAIRS_NONE;
        if (!in->rivals[c])
            continue;
        in->known_as[c] = classes_find(&v->classes, from);
        if (in->known_as[c] == PAIRS_NONE &&
            make_room(v, from, in->g->max_instances)) {
            in->known_as[c] = classes_add(&v->classes, from);
            pairs_add_class(&v->pairs, from->at.thread);
        }
    }
}

static void count_left_out(struct intake *in)
{
    struct gather *g = in->g;

    for (uint32_t i = 0; i < in->all.count; i++) {
        uint32_t c = in->class_of[i], site = in->all.list[i].site;

        if (!in->rivals[c] || in->known_as[c] != PAIRS_NONE)
            continue;
        if (site >= g->site_room) {
            uint32_t room = site * 2 + 64;

            g->left_out = realloc(g->left_out, room * sizeof(*g->left_out));
            CHECK(g->left_out != NULL);
            memset(g->left_out + g->site_room, 0,
                   (room - g->site_room) * sizeof(*g->left_out));
            g->site_room = room;
        }
        g->left_out[site]++;
    }
}

void gather_add(struct gather *g, const struct trace *t)
{
    struct intake in = {
        .g = g, .to = open_volume(g), .t = t, .arena = ARENA_INIT};

    access_collect(t, &in.arena, &in.all);
    find_classes(&in);
    find_rivals(&in);
    find_races(&in);
    keep_classes(&in);
    count_left_out(&in);

    struct pairs_trace from = {.t = t,
                               .all = &in.all,
                               .local = &in.local,
                               .index = &in.index,
                               .class_of = in.class_of,
                               .known_as = in.known_as};

    pairs_add_trace(&in.to->pairs, &from);
    close_volume(g, in.to);
    classes_fini(&in.local);
    arena_free(&in.arena);
}
