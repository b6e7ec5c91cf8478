/* SPDX-License-Identifier: MIT
 *
 * Limits in words.
 */
#include "cmd/run_limits.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

void limits_add(struct limits *l, const char *fmt, ...)
{
    char text[1024];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    for (size_t i = 0; i < l->count; i++) {
        if (strcmp(l->list[i], text) == 0)
            return;
    }
    if (l->count == l->room) {
        size_t room = l->room ? l->room * 2 : 16;
        const char **more = arena_array(l->arena, room, sizeof(*more));

        if (l->count)
            memcpy(more, l->list, l->count * sizeof(*more));
        l->list = more;
        l->room = room;
    }
    l->list[l->count++] = arena_copy(l->arena, text);
}

static void add_unknown_call(struct limits *l, const struct program *p,
                             const struct fencer_extern *x)
{
    const struct fencer_site *s = &p->sites[x->site];

    if (s->line)
        limits_add(l,
                   "%s is not modelled: what it does to shared memory is not "
                   "seen (called at %s:%u)",
                   x->name, s->file, s->line);
    else
        limits_add(l,
                   "%s is not modelled: what it does to shared memory is not "
                   "seen",
                   x->name);
}

void limits_of_program(struct limits *l, const struct program *p,
                       const uint64_t hits[8])
{
    for (size_t i = 0; i < p->limit_count; i++)
        limits_add(l, "%s", p->limits[i]);
    for (size_t i = 0; i < p->extern_count; i++) {
        bool called = i >= 512 || (hits[i / 64] >> (i % 64) & 1);

        if (p->externs[i].class == EXTERN_UNKNOWN && called)
            add_unknown_call(l, p, &p->externs[i]);
    }
}

const char *limits_why_stopped(const struct options *o, const struct sample *s,
                               struct arena *a)
{
    switch (s->end) {
    case SAMPLE_TIME:
        return arena_printf(a,
                            "the time limit came after %" PRIu64 " of %" PRIu64
                            " executions",
                            s->executions, o->runs);
    case SAMPLE_INTERRUPTED:
        return arena_printf(
            a, "interrupted after %" PRIu64 " of %" PRIu64 " executions",
            s->executions, o->runs);
    case SAMPLE_BAD:
        return s->why;
    case SAMPLE_UNSUPPORTED:
        return arena_copy(a, s->first.kind == FAIL_UNSUPPORTED
                                 ? s->first.message
                                 : s->last.message);
    case SAMPLE_DONE:
        break;
    }
    return NULL;
}

void limits_of_sample(struct limits *l, const struct options *o,
                      const struct model *m, const struct sample *s)
{
    const char *stopped = limits_why_stopped(o, s, l->arena);

    if (stopped)
        limits_add(l, "the rest of the run on %s: %s", m->words, stopped);
    if (s->executions && !s->exhausted)
        limits_add(l, "schedules other than the %" PRIu64 " tried on %s",
                   s->executions, m->words);
    if (s->cut)
        limits_add(l,
                   "%" PRIu64 " executions on %s were cut: too many events "
                   "(--max-events)",
                   s->cut, m->words);
    if (s->assumed)
        limits_add(l, "%" PRIu64 " executions on %s ended at a fencer_assume",
                   s->assumed, m->words);
    if (s->outcomes_lost)
        limits_add(l, "%" PRIu64 " outcomes on %s did not fit the table",
                   s->outcomes_lost, m->words);
    if (s->by_process && !o->by_process)
        limits_add(l,
                   "speed: each execution ran in a process of its own, "
                   "because of %s",
                   s->by_process_why);
    if (s->end == SAMPLE_DONE && s->complete == 0 && !s->failed)
        limits_add(l, "no execution on %s came to its end", m->words);
}
