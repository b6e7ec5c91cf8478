/* SPDX-License-Identifier: MIT
 *
 * Races, and how to reverse them (POPL 2014, section 5; JACM 64(4), 2017 for
 * operations that wait).
 *
 * Two steps race if they conflict and nothing between them orders them.  The
 * executions in which the later one comes first begin with what is before the
 * earlier one, then
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
#include "explore/explore_inside.h"

struct race {
    uint32_t early, late;
};

#define RACES_MAX (1u << 16)

static struct race races[RACES_MAX];
static uint32_t race_count;
static uint32_t threads; /* that have steps, in any execution */
static uint32_t sequence[STEPS_MAX + 1];
static uint32_t sequence_count;
static struct race reversed; /* what the sequence is for */
/* What the later one may touch when it comes first: a CAS that failed may
 * succeed. */
static struct footprint late_foot;

static bool steps_conflict(uint32_t a, uint32_t b)
{
    const struct step *s = &execution.steps[a], *t = &execution.steps[b];

    return conflict(s->who, &s->foot, s->bloom, t->who, &t->foot, t->bloom);
}

/* ---- Clocks ---- */

static void join(uint16_t *clock, uint32_t step)
{
    const uint16_t *with = execution.clocks[step];
    uint32_t width = execution.steps[step].width;

    for (uint32_t i = 0; i < width; i++)
        if (clock[i] < with[i])
            clock[i] = with[i];
}

/* Threads, and the commits so far. */
static uint16_t width_now(void)
{
    uint32_t n = THREADS_MAX + execution.commit_count;

    return (uint16_t)(n < SLOTS_MAX ? (n + 31) & ~31u : SLOTS_MAX);
}

/* What orders the step whatever it touches: its thread, or who made that. */
static void begin_clock(uint32_t k)
{
    struct step *s = &execution.steps[k];
    uint32_t before = s->before ? s->before : s->cause, have = 0;
    uint16_t *clock = execution.clocks[k];

    s->width = width_now();
    MUST(before <= k);
    if (before) {
        have = execution.steps[before - 1].width;
        MUST(have <= s->width);
        memcpy(clock, execution.clocks[before - 1], have * sizeof *clock);
    }
    memset(clock + have, 0, (s->width - have) * sizeof *clock);
}

/* The last step of a thread that conflicts with k and is not ordered before
 * it yet, number + 1; 0: none. */
static uint32_t conflicting(uint32_t thread, uint32_t k, uint32_t from,
                            const uint16_t *clock)
{
    uint32_t at = from;

    while (at && execution.steps[at - 1].index > clock[thread]) {
        if (steps_conflict(at - 1, k))
            return at;
        at = execution.steps[at - 1].before;
    }
    return 0;
}

static void note_race(uint32_t early, uint32_t late)
{
    MUST(early < late);
    MUST(process_of(execution.steps[early].who) !=
         process_of(execution.steps[late].who));
    if (race_count == RACES_MAX) {
        tree_lost("too many races in one execution");
        return;
    }
    races[race_count++] = (struct race){early, late};
}

static bool is_ordered(uint32_t step, const uint16_t *clock)
{
    const struct step *s = &execution.steps[step];

    return clock[s->slot] >= s->index;
}

/* Keeps `found` in order, the last step first. */
static uint32_t put(uint32_t *found, uint32_t n, uint32_t step)
{
    uint32_t i = n;

    for (; i && found[i - 1] < step; i--)
        found[i] = found[i - 1];
    found[i] = step;
    return n + 1;
}

/* Commits are processes of one step each. */
static uint32_t find_commits(uint32_t k, const uint16_t *clock, uint32_t *found,
                             uint32_t n)
{
    for (uint32_t i = 0; i < execution.commit_count; i++) {
        uint32_t c = execution.commits[i];

        if (c < k && !is_ordered(c, clock) && steps_conflict(c, k))
            n = put(found, n, c + 1);
    }
    return n;
}

/* A step that was forced comes before the one that forced it. */
static uint32_t last_before(uint32_t thread, uint32_t k)
{
    uint32_t last = execution.last_of[thread];

    return last > k ? execution.steps[last - 1].before : last;
}

/* Joins the clocks of what k conflicts with; those not ordered by others race
 * with it. */
static void find(uint32_t k)
{
    uint32_t self = execution.steps[k].slot;
    uint16_t *clock = execution.clocks[k];
    uint32_t found[SLOTS_MAX], n = 0;

    for (uint32_t t = 0; t < threads; t++) {
        uint32_t at =
            t == self ? 0 : conflicting(t, k, last_before(t, k), clock);

        if (at)
            n = put(found, n, at);
    }
    n = find_commits(k, clock, found, n);
    MUST(n <= SLOTS_MAX);
    MUST(clock[self] < execution.steps[k].index);
    for (uint32_t i = 0; i < n; i++) {
        if (is_ordered(found[i] - 1, clock))
            continue;
        note_race(found[i] - 1, k);
        join(clock, found[i] - 1);
    }
    clock[self] = execution.steps[k].index;
}

/* ---- Hashes ---- */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* Slots of commits go by the order of this execution; who they are does not. */
static uint64_t name_of_slot(uint32_t slot)
{
    if (slot < THREADS_MAX)
        return slot;
    MUST(slot - THREADS_MAX < execution.commit_count);
    return execution.steps[execution.commits[slot - THREADS_MAX]].who |
           1ull << 31;
}

/* A trace is its steps with what happened before each, in whatever order. */
static void hash(uint32_t k)
{
    const struct step *s = &execution.steps[k];
    struct step *after = &execution.steps[k + 1];
    uint64_t h = mix(s->who + ((uint64_t)s->index << 32) + 1);

    for (uint32_t i = 0; i < s->width; i++)
        if (execution.clocks[k][i])
            h +=
                mix(name_of_slot(i) + ((uint64_t)execution.clocks[k][i] << 32));
    after->hash[0] = s->hash[0] + mix(h);
    after->hash[1] = s->hash[1] + mix(h ^ 0x5851f42d4c957f2dull);
}

void races_begin(void)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < race_count; i++)
        if (races[i].late < execution.fresh)
            races[kept++] = races[i];
    race_count = kept;
    execution.steps[0].hash[0] = execution.steps[0].hash[1] = 0;
}

void races_find(uint32_t step)
{
    uint32_t t = who_thread(execution.steps[step].who);

    MUST(step < execution.count);
    if (execution.commit_count > COMMIT_SLOTS)
        return;
    if (threads <= t)
        threads = t + 1;
    begin_clock(step);
    find(step);
    if (execution.hashed)
        hash(step);
}

void races_find_pending(void)
{
    for (uint32_t i = 0; i < execution.pending; i++) {
        begin_clock(execution.count + i);
        find(execution.count + i);
    }
}

bool races_get(uint32_t n, uint32_t *early, uint32_t *late)
{
    if (n >= race_count)
        return false;
    *early = races[n].early;
    *late = races[n].late;
    return true;
}

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
    return step == reversed.late ? &late_foot : &execution.steps[step].foot;
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
    if (b == reversed.late && !are_neighbours)
        return stays_before[a];
    return happened_before(a, b);
}

static void make_sequence(uint32_t early, uint32_t late)
{
    sequence_count = 0;
    reversed = (struct race){early, late};
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

void races_reverse(void)
{
    for (uint32_t i = 0; i < race_count; i++)
        reverse(races[i].early, races[i].late);
}
