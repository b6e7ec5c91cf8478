/* SPDX-License-Identifier: MIT
 *
 * The only place where an answer is made.
 */
#include "session/answer.h"

static bool is_complete(const struct done *d)
{
    return d->started && d->exhausted && d->ended && !d->cut;
}

/* That none of SC's own executions leaves SC needs no work. */
static enum answer leaves_sc(const struct done *d)
{
    if (d->left_sc)
        return ANSWER_YES;
    return d->only_sc ? ANSWER_NO : ANSWER_UNKNOWN;
}

struct answers answers_of(const struct done *d)
{
    struct answers a = {.sc_violation = leaves_sc(d),
                        .complete = is_complete(d)};

    a.property_broken = d->failed    ? ANSWER_YES
                        : a.complete ? ANSWER_NO
                                     : ANSWER_UNKNOWN;
    return a;
}

bool answers_are_open(const struct done *d)
{
    return !d->failed && (!d->started || !d->ended || d->unfinished);
}

void done_join(struct done *all, const struct done *d)
{
    all->started = all->started && d->started;
    all->exhausted = all->exhausted && d->exhausted;
    all->ended = all->ended && d->ended;
    all->only_sc = all->only_sc && d->only_sc;
    all->cut = all->cut || d->cut;
    all->unfinished = all->unfinished || d->unfinished;
    all->failed = all->failed || d->failed;
    all->left_sc = all->left_sc || d->left_sc;
}
