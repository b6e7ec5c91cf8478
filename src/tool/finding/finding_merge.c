/* SPDX-License-Identifier: MIT
 *
 * One bug, one finding: what the same changes of the source prevent is told
 * once, by the execution that shows best why they are needed.  So are data
 * races that nobody knows a change for, if they are between the same two lines.
 */
#include "finding/shown.h"

#include <string.h>

static bool same_cure(const struct shown *a, const struct shown *b)
{
    return a->cure_count && a->cure_count == b->cure_count &&
           memcmp(a->cure, b->cure, a->cure_count * sizeof(*a->cure)) == 0;
}

static bool same_line(const struct shown *a, int i, const struct shown *b,
                      int k)
{
    const struct fencer_site *x =
        &a->trace.sites[a->trace.events[a->race[i]].site];
    const struct fencer_site *y =
        &b->trace.sites[b->trace.events[b->race[k]].site];

    return x->line == y->line && strcmp(x->file, y->file) == 0;
}

static bool same_lines(const struct shown *a, const struct shown *b)
{
    return a->class == CLASS_RACE && b->class == CLASS_RACE && !a->cure_count &&
           !b->cure_count && a->finding.model == b->finding.model &&
           ((same_line(a, 0, b, 0) && same_line(a, 1, b, 1)) ||
            (same_line(a, 0, b, 1) && same_line(a, 1, b, 0)));
}

static bool changes_site(const struct shown *s, uint32_t site)
{
    for (size_t i = 0; i < s->cure_count; i++) {
        if (s->cure[i].site == site)
            return true;
    }
    return false;
}

/* Is one of the accesses that were swapped, or that race, to be changed? */
static bool shows_change(const struct shown *s)
{
    const struct shown_cycle *c = &s->cycle;

    if (s->class == CLASS_RACE)
        return changes_site(s, s->trace.events[s->race[0]].site) ||
               changes_site(s, s->trace.events[s->race[1]].site);
    for (uint32_t i = 0; i < c->length; i++) {
        const struct event *first = &s->trace.events[c->events[i]];
        const struct event *second =
            &s->trace.events[c->events[(i + 1) % c->length]];

        if (c->reordered >> i & 1 &&
            (changes_site(s, first->site) || changes_site(s, second->site)))
            return true;
    }
    return false;
}

/* Under the strongest model; where it is changed; few accesses, few steps. */
static bool is_better(const struct shown *s, const struct shown *than)
{
    size_t a = model_told_number(s->finding.model);
    size_t b = model_told_number(than->finding.model);

    if (s->class != than->class)
        return s->class < than->class;
    if (a != b)
        return a < b;
    if (shown_is_alpha_only(s) != shown_is_alpha_only(than))
        return shown_is_alpha_only(than);
    if (shows_change(s) != shows_change(than))
        return shows_change(s);
    if (s->cycle.length != than->cycle.length)
        return s->cycle.length < than->cycle.length;
    return s->trace.event_count < than->trace.event_count;
}

size_t shown_merge(struct shown **list, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        size_t k = 0;

        while (k < kept && !same_cure(list[k], list[i]) &&
               !same_lines(list[k], list[i]))
            k++;
        if (k == kept) {
            list[kept++] = list[i];
            continue;
        }
        list[i]->others = list[k]->others + 1;
        if (is_better(list[i], list[k]))
            list[k] = list[i];
        else
            list[k]->others++;
    }
    return kept;
}
