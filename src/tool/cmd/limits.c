/* SPDX-License-Identifier: MIT
 *
 * Limits in words.
 */
#include "cmd/limits.h"

#include <inttypes.h>
#include <string.h>

static void add_unknown_call(struct lines *l, const struct program *p,
                             const struct fencer_extern *x)
{
    const struct fencer_site *s = &p->sites[x->site];

    if (s->line)
        lines_add(l,
                  "%s is not modelled: it acts as a full fence, and what it "
                  "does to shared memory is not seen (called at %s:%u)",
                  x->name, s->file, s->line);
    else
        lines_add(l,
                  "%s is not modelled: it acts as a full fence, and what it "
                  "does to shared memory is not seen",
                  x->name);
}

/* Unknown functions have a line of their own. */
static bool is_unknown(const struct program *p, const char *name)
{
    for (size_t i = 0; i < p->extern_count; i++)
        if (p->externs[i].class == EXTERN_UNKNOWN &&
            strcmp(p->externs[i].name, name) == 0)
            return true;
    return false;
}

static void add_drains(struct lines *l, const struct program *p,
                       const struct counts *n)
{
    for (uint32_t i = 0; i < n->drain_count && i < CHANNEL_DRAINS_MAX; i++) {
        uint32_t site = n->drain_sites[i];
        const struct fencer_site *s =
            &p->sites[site < p->site_count ? site : 0];

        if (s->line && !is_unknown(p, s->name))
            lines_add(l,
                      "the call at %s:%u acts as a full fence: reorderings "
                      "across it were not tried",
                      s->file, s->line);
    }
}

static bool asks_language(const struct options *o)
{
    for (size_t i = 0; i < o->model_count; i++) {
        if (o->models[i]->by_language)
            return true;
    }
    return false;
}

static void add_local(struct lines *l, const struct program *p,
                      const struct counts *n)
{
    const struct fencer_site *s;

    if (!n->unwatched_local || n->unwatched_local >= p->site_count)
        return;
    s = &p->sites[n->unwatched_local];
    lines_add(l,
              "who uses locals of %s after it has returned (%s:%u): looked for "
              "by chance alone",
              s->function, s->file, s->line);
}

/* ISO C calls races what compilers and machines do not. */
static void add_volatile(struct lines *l, const struct program *p)
{
    for (size_t i = 0; i < p->site_count; i++) {
        const struct fencer_site *s = &p->sites[i];

        if (!(s->size & SITE_VOLATILE))
            continue;
        lines_add(l,
                  "volatile as ISO C has it: on C11 it is taken for relaxed "
                  "atomic, as compilers do (%s:%u)",
                  s->file, s->line);
        return;
    }
}

void limits_of_program(struct lines *l, const struct options *o,
                       const struct program *p, const struct counts *n)
{
    if (!(p->flags & PROGRAM_CHECKS))
        lines_add(l, "wrong results: the program has no assertion, observation "
                     "or exit code that would show them (NDEBUG?)");
    for (size_t i = 0; i < p->limit_count; i++)
        lines_add(l, "%s", p->limits[i]);
    for (size_t i = 0; i < p->extern_count; i++) {
        bool called = i >= 512 || n->extern_hits[i / 64] >> (i % 64) & 1;

        if (p->externs[i].class == EXTERN_UNKNOWN && called)
            add_unknown_call(l, p, &p->externs[i]);
    }
    add_drains(l, p, n);
    add_local(l, p, n);
    if (asks_language(o))
        add_volatile(l, p);
}

const char *limits_why_stopped(const struct sample *s, struct arena *a)
{
    switch (s->end) {
    case SAMPLE_STOPPED:
        return arena_printf(a, "%s after %" PRIu64 " of %" PRIu64 " executions",
                            s->why, s->counts.executions, s->asked);
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

void limits_of_speed(struct lines *l, const struct options *o,
                     const struct counts *n)
{
    if (n->by_process && !o->by_process)
        lines_add(l,
                  "speed: each execution ran in a process of its own, "
                  "because of %s",
                  n->by_process_why);
}

void limits_of_sample(struct lines *l, const struct options *o,
                      const struct model *m, const struct sample *s)
{
    const char *stopped = limits_why_stopped(s, l->arena);

    if (stopped)
        lines_add(l, "the rest of the run on %s: %s", m->words, stopped);
    if (s->counts.executions && !s->counts.exhausted)
        lines_add(l, "schedules other than the %" PRIu64 " tried on %s",
                  s->counts.executions, m->words);
    if (s->counts.cut)
        lines_add(l,
                  "%" PRIu64 " executions on %s were cut: too many events "
                  "(--max-events)",
                  s->counts.cut, m->words);
    if (s->counts.assumed)
        lines_add(l, "%" PRIu64 " executions on %s ended at a fencer_assume",
                  s->counts.assumed, m->words);
    if (s->counts.outcomes_lost)
        lines_add(l, "%" PRIu64 " outcomes on %s did not fit the table",
                  s->counts.outcomes_lost, m->words);
    limits_of_speed(l, o, &s->counts);
    if (s->end == SAMPLE_DONE && s->counts.complete == 0 && !s->counts.failed)
        lines_add(l, "no execution on %s came to its end", m->words);
}
