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
    uint32_t *class_of; /* per access */
    uint32_t *known_as; /* per class */
    uint32_t *last;     /* per class: number + 1 of its last access */
    /* Classes that differ in their sites only may race with the same: */
    struct classes profiles;
    uint32_t *profile_of;         /* per class */
    uint32_t *member, *neighbour; /* first class of each; next, per class */
    uint32_t *last_of;            /* as `last`, per profile */
    uint32_t *rivals, **rival;    /* per profile: those it may race with */
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
    return v;
}

static void volume_free(struct volume *v)
{
    classes_fini(&v->classes);
    pairs_fini(&v->pairs);
    map_free(&v->instances);
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
    if (g->bytes < BYTES_MAX || !g->volumes.count)
        return volume_new();
    return VEC_POP(&g->volumes);
}

static void close_volume(struct gather *g, struct volume *v)
{
    CHECK(v->classes.count == v->pairs.rows.count);
    for (size_t i = 0; i < g->volumes.count; i++)
        if (volume_equal(g->volumes.list[i], v)) {
            volume_free(v);
            return;
        }
    v->races_known = SIZE_MAX;
    VEC_PUSH(&g->volumes, v);
    g->bytes += pairs_bytes(&v->pairs);
}

void gather_fini(struct gather *g)
{
    for (size_t i = 0; i < g->volumes.count; i++)
        volume_free(g->volumes.list[i]);
    VEC_FREE(&g->volumes);
    races_fini(&g->races);
    VEC_FREE(&g->left_out);
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

static void find_profiles(struct intake *in)
{
    uint32_t n = in->local.count;

    in->profile_of = arena_array(&in->arena, n, sizeof(*in->profile_of));
    in->neighbour = arena_array(&in->arena, n, sizeof(*in->neighbour));
    in->member = arena_array(&in->arena, n, sizeof(*in->member));
    for (uint32_t c = 0; c < n; c++) {
        struct class profile = in->local.list[c];
        uint32_t before = in->profiles.count, p;

        profile.at.site = 0;
        p = in->profile_of[c] = classes_add(&in->profiles, &profile);
        in->neighbour[c] = p == before ? PAIRS_NONE : in->member[p];
        in->member[p] = c;
    }
}

static void count_rival(void *context, uint32_t p, uint32_t other)
{
    struct intake *in = context;

    in->rivals[p] += class_may_race(&in->g->tables, &in->profiles.list[p],
                                    &in->profiles.list[other]);
}

static void add_rival(void *context, uint32_t p, uint32_t other)
{
    struct intake *in = context;

    if (class_may_race(&in->g->tables, &in->profiles.list[p],
                       &in->profiles.list[other]))
        in->rival[p][in->rivals[p]++] = other;
}

static void find_rivals(struct intake *in)
{
    uint32_t n = in->profiles.count;
    struct class_index index;

    class_index_init(&index, &in->profiles, false, &in->arena);
    in->rivals = arena_array(&in->arena, n, sizeof(*in->rivals));
    in->rival = arena_array(&in->arena, n, sizeof(*in->rival));
    for (uint32_t p = 0; p < n; p++) {
        class_index_visit(&index, &in->profiles, p, count_rival, in);
        in->rival[p] =
            arena_array(&in->arena, in->rivals[p], sizeof(**in->rival));
        in->rivals[p] = 0;
        class_index_visit(&index, &in->profiles, p, add_rival, in);
    }
}

/* ---- Races ---- */

/* Of each class only the last access counts: if that one is ordered before
 * now, so are those before it.  The same goes for a profile. */
static void find_races_with(struct intake *in, const struct happens *h,
                            uint32_t p, const struct event *e)
{
    uint16_t thread = in->profiles.list[p].at.thread;

    if (!in->last_of[p] ||
        happens_before(h, in->last_of[p] - 1, thread, e->thread))
        return;
    for (uint32_t c = in->member[p]; c != PAIRS_NONE; c = in->neighbour[c]) {
        uint32_t site = in->local.list[c].at.site;

        if (in->last[c] &&
            !happens_before(h, in->last[c] - 1, thread, e->thread) &&
            !races_noted(&in->g->races, e->site, site))
            races_note(&in->g->races, in->t, e->site, site, e);
    }
}

static void find_races(struct intake *in)
{
    struct happens *h = happens_new(in->t, &in->all, &in->arena);

    in->last = arena_array(&in->arena, in->local.count, sizeof(*in->last));
    in->last_of =
        arena_array(&in->arena, in->profiles.count, sizeof(*in->last_of));
    races_next_trace(&in->g->races);
    for (uint32_t i = 0; i < in->t->event_count; i++) {
        uint32_t access = in->all.of_event[i];

        if (access != ACCESS_NONE) {
            uint32_t c = in->class_of[access], p = in->profile_of[c];

            for (uint32_t k = 0; k < in->rivals[p]; k++)
                find_races_with(in, h, in->rival[p][k], &in->t->events[i]);
            in->last[c] = in->last_of[p] = i + 1;
        }
        happens_step(h, i);
    }
}

/* ---- What is kept ---- */

/* One more class of that thread and site.  False: there are enough. */
static bool make_room(struct volume *v, const struct class *c, unsigned max)
{
    uint64_t *instances =
        map_put(&v->instances, (uint64_t)c->at.thread << 32 | c->at.site);

    if (*instances >= max ||
        pairs_in_thread(&v->pairs, c->at.thread) >= CLASSES_MAX)
        return false;
    ++*instances;
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
        if (!in->rivals[in->profile_of[c]])
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

        if (!in->rivals[in->profile_of[c]] || in->known_as[c] != PAIRS_NONE)
            continue;
        ++*VEC_REACH(&g->left_out, site);
    }
}

void gather_add(struct gather *g, const struct trace *t)
{
    struct intake in = {
        .g = g, .to = open_volume(g), .t = t, .arena = ARENA_INIT};

    access_collect(t, ACCESS_DATA, &in.arena, &in.all);
    find_classes(&in);
    find_profiles(&in);
    find_rivals(&in);
    find_races(&in);
    keep_classes(&in);
    count_left_out(&in);

    struct pairs_trace from = {.t = t,
                               .all = &in.all,
                               .local = &in.local,
                               .class_of = in.class_of,
                               .known_as = in.known_as,
                               .terms = &g->terms};

    pairs_add_trace(&in.to->pairs, &from);
    close_volume(g, in.to);
    classes_fini(&in.local);
    classes_fini(&in.profiles);
    arena_free(&in.arena);
}
