/* SPDX-License-Identifier: MIT
 *
 * Executions worth showing as values: their classes, copies of them, and
 * whether what they say fits their trace.
 */
#include "finding/shown.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
#define CLASS(name, word) word,
    FINDING_CLASSES(CLASS)
#undef CLASS
};

const char *class_word(enum finding_class c)
{
    CHECK(c < CLASS_COUNT);
    return words[c];
}

enum finding_class class_find(const char *word)
{
    enum finding_class c = CLASS_NONE + 1;

    while (c < CLASS_COUNT && strcmp(words[c], word) != 0)
        c++;
    return c;
}

enum finding_class class_of_failure(const struct model *m)
{
    return m->delays_stores || m->reorders_loads ? CLASS_HARMFUL : CLASS_SC;
}

static uint32_t race_site(const struct shown *s, int i)
{
    return s->trace.events[s->race[i]].site;
}

bool shown_same_race(const struct shown *x, const struct shown *y)
{
    return x->class == CLASS_RACE && y->class == CLASS_RACE &&
           ((race_site(x, 0) == race_site(y, 0) &&
             race_site(x, 1) == race_site(y, 1)) ||
            (race_site(x, 0) == race_site(y, 1) &&
             race_site(x, 1) == race_site(y, 0)));
}

bool shown_is_alpha_only(const struct shown *s)
{
    for (size_t i = 0; i < s->trace.event_count; i++) {
        if (s->trace.events[i].flags & EVF_ALPHA)
            return true;
    }
    return false;
}

struct shown *shown_new(void)
{
    struct shown *s = calloc(1, sizeof(*s));

    CHECK(s != NULL);
    return s;
}

static void clone_trace(struct trace *t, const struct trace *from,
                        struct arena *a)
{
    *t = *from;
    t->program = arena_copy(a, from->program);
    t->model = arena_copy(a, from->model);
    t->strategy = arena_copy(a, from->strategy);
    t->objects = arena_array(a, from->object_count, sizeof(*t->objects));
    t->threads = arena_array(a, from->thread_count, sizeof(*t->threads));
    t->events = arena_array(a, from->event_count + 1, sizeof(*t->events));
    memcpy(t->threads, from->threads, from->thread_count * sizeof(*t->threads));
    if (from->event_count)
        memcpy(t->events, from->events, from->event_count * sizeof(*t->events));
    for (size_t i = 0; i < from->object_count; i++) {
        t->objects[i] = from->objects[i];
        t->objects[i].name = arena_copy(a, from->objects[i].name);
        t->objects[i].fields = arena_copy(a, from->objects[i].fields);
    }
}

/* Sites, arguments and names of the program outlive all of them. */
struct shown *shown_clone(const struct shown *from)
{
    struct shown *s = shown_new();
    struct finding *f = &s->finding;
    size_t bytes = from->finding.decision_count * sizeof(uint32_t);

    *s = *from;
    s->arena = (struct arena)ARENA_INIT;
    s->kept = s->past_gate = false;
    clone_trace(&s->trace, &from->trace, &s->arena);
    f->decisions = arena_alloc(&s->arena, bytes + 1);
    if (bytes)
        memcpy(f->decisions, from->finding.decisions, bytes);
    f->output = arena_copy(&s->arena, from->finding.output);
    f->trace = "";
    if (from->pairs) {
        s->pairs =
            arena_array(&s->arena, from->pair_count + 1, sizeof(*s->pairs));
        memcpy(s->pairs, from->pairs, from->pair_count * sizeof(*s->pairs));
    }
    return s;
}

void shown_free(struct shown *s)
{
    if (!s)
        return;
    arena_free(&s->arena);
    free(s);
}

bool shown_check(const struct shown *s, struct err *e)
{
    for (uint32_t i = 0; i < s->cycle.length; i++) {
        if (s->cycle.events[i] >= s->trace.event_count)
            return err_set(e, "its cycle is not in its trace");
    }
    if (s->class == CLASS_RACE && (s->race[0] >= s->trace.event_count ||
                                   s->race[1] >= s->trace.event_count))
        return err_set(e, "its race is not in its trace");
    for (size_t i = 0; i < s->fence_count; i++) {
        if (s->fences[i].site >= s->trace.site_count)
            return err_set(e, "its fence is not in its program");
    }
    for (size_t i = 0; i < s->cure_count; i++) {
        if (s->cure[i].site >= s->trace.site_count)
            return err_set(e, "its cure is not in its program");
    }
    return true;
}
