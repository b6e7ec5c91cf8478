/* SPDX-License-Identifier: MIT
 *
 * How to reverse races (POPL 2014, section 5; JACM 64(4), 2017 for operations
 * that wait).
 *
 * The executions in which the later one of a race comes first begin with what
 * is before the earlier one, then
 *
 *      v = the steps after it that do not happen after it, and the later one
 *
 * so v goes into the tree there, unless the tree has it: some step asleep or
 * already there could be v's first ("weak initial"), which means that the
 * executions which begin like v were explored, or will be, after that step.
 *
 * A step that is not in v counts as a possible first only if it is sure what
 * every step will touch where it has not been yet.  That is so for loads,
 * stores and most RMWs on SC.  A CAS may fail or not, a load may come from the
 * own buffer or not; where these occur, v goes in more often than it must, and
 * some executions end when all that could be done is asleep ("redundant").
 *
 * A later step that may have to wait (a lock, a spin loop) may be impossible
 * before the earlier one, an unlock for instance: then the conflict before that
 * one is reversed, and so on.
 */
#include <string.h>

#include "event/must.h"
#include "explore/dpor_inside.h"

static uint32_t sequence[STEPS_MAX + 1];
static uint32_t sequence_count;
static uint32_t reversed; /* the later one, which the sequence is for */
/* What that may touch when it comes first: a CAS that failed may succeed. */
static struct footprint late_foot;

/* ---- Could the later one have come first? ---- */

enum possible { NEVER, IMPOSSIBLE, PERHAPS, POSSIBLE };

/* By what they are: a lock is free before somebody else takes it and is not
 * before he gives it back. */
static enum possible by_kind(const struct step *early, const struct step *late)
{
    if (late->op != EV_LOCK)
        return PERHAPS;
    return early->op == EV_UNLOCK ? IMPOSSIBLE
           : early->op == EV_LOCK ? POSSIBLE
                                  : PERHAPS;
}

/* Within one thread.  Commits keep their order where they conflict; so do a
 * commit and what needs it gone. */
static enum possible within(const struct step *early, const struct step *late)
{
    if (!early->foot.commits)
        return POSSIBLE;
    if (late->foot.commits || early->foot.number < late->foot.drained)
        return NEVER;
    return late->op == EV_LOAD ? POSSIBLE : NEVER;
}

static enum possible before(uint32_t early, uint32_t late)
{
    const struct step *e = &execution.steps[early];
    const struct step *l = &execution.steps[late];

    if (who_thread(e->who) == who_thread(l->who))
        return within(e, l);
    if (!l->blocks)
        return POSSIBLE;
    if (l->op == EV_JOIN) /* a thread that has not ended will not be joined */
        return NEVER;
    if (l->before > early + 1) /* it was not known yet what it would do */
        return by_kind(e, l);
    return e->enabled >> who_thread(l->who) & 1 ? POSSIBLE : IMPOSSIBLE;
}

/* The last step before `early` that conflicts with `late` and is not before
 * it anyway, number + 1. */
static uint32_t conflict_before(uint32_t early, uint32_t late)
{
    const struct step *l = &execution.steps[late];
    uint32_t anyway = l->before ? l->before : l->cause;

    for (uint32_t i = early; i--;) {
        if (who_thread(execution.steps[i].who) == who_thread(l->who))
            continue;
        if (anyway && (i == anyway - 1 || happened_before(i, anyway - 1)))
            continue;
        if (steps_conflict(i, late))
            return i + 1;
    }
    return 0;
}

/* ---- Sequences ---- */

static void foresee(uint32_t late)
{
    late_foot = execution.steps[late].foot;
    for (uint32_t i = 0; i < late_foot.count; i++)
        if (execution.steps[late].op == EV_RMW &&
            late_foot.touch[i].kind == TOUCH_READ)
            late_foot.touch[i].kind = TOUCH_WRITE;
}

static const struct footprint *foot_of(uint32_t step)
{
    return step == reversed ? &late_foot : &execution.steps[step].foot;
}

static bool node_conflicts(const struct node *n, uint32_t step)
{
    const struct step *s = &execution.steps[step];

    return conflict(n->who, &n->foot, n->bloom, s->who, foot_of(step),
                    s->bloom);
}

/* Whether a step of the sequence comes before the later one of the race in
 * that order too.  What happened before it may have done so by way of steps
 * that are not in the sequence, if the two of the race were not neighbours. */
static uint8_t stays_before[STEPS_MAX];
static bool are_neighbours;

static bool is_led_to(uint32_t step, uint32_t late)
{
    const struct step *s = &execution.steps[step];
    const struct step *l = &execution.steps[late];

    return process_of(s->who) == process_of(l->who) || step + 1 == l->cause ||
           conflict(s->who, &s->foot, s->bloom, l->who, &l->foot, l->bloom);
}

static void find_what_stays(void)
{
    uint32_t n = sequence_count - 1;

    for (uint32_t i = n; i--;) {
        bool stays = is_led_to(sequence[i], sequence[n]);

        for (uint32_t j = i + 1; j < n && !stays; j++)
            stays = stays_before[sequence[j]] &&
                    happened_before(sequence[i], sequence[j]);
        stays_before[sequence[i]] = stays;
    }
}

static bool precedes(uint32_t a, uint32_t b)
{
    if (b == reversed && !are_neighbours)
        return stays_before[a];
    return happened_before(a, b);
}

static void make_sequence(uint32_t early, uint32_t late)
{
    sequence_count = 0;
    reversed = late;
    foresee(late);
    for (uint32_t i = early + 1; i < execution.count; i++)
        if (i != late && !happened_before(early, i))
            sequence[sequence_count++] = i;
    MUST(sequence_count <= STEPS_MAX);
    sequence[sequence_count++] = late;
    if (!are_neighbours)
        find_what_stays();
}

/* Could the sequence begin with that step, perhaps with more after it?  Then
 * *at is its place, or sequence_count: not in it. */
static bool may_begin(const struct node *n, uint32_t *at)
{
    uint32_t process = process_of(n->who), i;

    for (i = 0; i < sequence_count; i++)
        if (process_of(execution.steps[sequence[i]].who) == process)
            break;
    *at = i;
    if (i < sequence_count) {
        if (execution.steps[sequence[i]].who != n->who)
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (precedes(sequence[j], sequence[i]) ||
                node_conflicts(n, sequence[j]))
                return false;
        return true;
    }
    if (!tree_is_exact())
        return false;
    for (i = 0; i < sequence_count; i++)
        if (node_conflicts(n, sequence[i]))
            return false;
    return true;
}

static bool is_asleep(uint32_t early)
{
    const struct step *s = &execution.steps[early];
    uint32_t at;

    for (uint32_t i = 0; i < s->sleep_count; i++)
        if (may_begin(tree_node(execution.sleepers[s->sleep_at + i]), &at))
            return true;
    return false;
}

static void drop(uint32_t at)
{
    if (at == sequence_count)
        return;
    MUST(at < sequence_count);
    memmove(&sequence[at], &sequence[at + 1],
            (sequence_count - at - 1) * sizeof *sequence);
    sequence_count--;
}

/* Goes down the tree along the sequence, as far as both agree; what remains of
 * it is new there.  0: nothing does. */
static uint32_t descend(uint32_t from)
{
    uint32_t c = tree_node(from)->first, at;

    while (c) {
        const struct node *n = tree_node(c);

        if (!may_begin(n, &at)) {
            c = n->next;
            continue;
        }
        if (n->state != NODE_PENDING || !n->first)
            return 0;
        drop(at);
        if (!sequence_count)
            return 0;
        from = c;
        c = n->first;
    }
    return from;
}

static void insert(uint32_t early)
{
    uint32_t at;

    if (is_asleep(early))
        return;
    if (!tree_grow(early))
        return;
    at = descend(tree_state(early));
    for (uint32_t i = 0; at && i < sequence_count; i++) {
        const struct step *s = &execution.steps[sequence[i]];

        at = tree_add(at, s->who, foot_of(sequence[i]), s->bloom);
    }
}

static void reverse(uint32_t early, uint32_t late)
{
    are_neighbours = true;
    for (;;) {
        enum possible p = before(early, late);

        if (p == NEVER)
            return;
        if (p != IMPOSSIBLE) {
            make_sequence(early, late);
            insert(early);
        }
        if (p == POSSIBLE)
            return;
        early = conflict_before(early, late);
        if (!early)
            return;
        early--;
        MUST(early < late);
        are_neighbours = false;
    }
}

void reverse_races(void)
{
    uint32_t early, late;

    for (uint32_t i = 0; races_get(i, &early, &late); i++)
        reverse(early, late);
}
