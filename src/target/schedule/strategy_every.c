/* SPDX-License-Identifier: MIT
 *
 * `every`: all executions, one after the other, and of those that differ only
 * in the order of steps that do not touch each other about one.
 *
 * A depth-first search without states: the tree's path to the current leaf is
 * kept, and each execution takes the path's decisions and then the first of
 * everything.  When it has ended, the deepest node that has another alternative
 * moves on.
 *
 * Sleep sets (Godefroid, 1996): a step that was tried at a node need not be
 * tried after its later alternatives as long as these touch nothing it
 * touches, since that would be one of the executions after the step, with
 * neighbours swapped.  What a step touches is known by then: it has been done
 * (struct footprint).  A node keeps the steps that sleep, with their
 * footprints, before its alternatives:
 *
 *      | slept when it was reached | tried | now | to come |
 *                                          at              count
 *
 * and all before `at` sleep after the present one.  Where everything sleeps,
 * the execution is cut short: it would be one that was seen.
 *
 * The path lives in a region of the channel, so that it outlives a process.
 */
#include "schedule/schedule.h"

#include <string.h>

#include "event/must.h"
#include "schedule/pick.h"
#include "schedule/touch.h"

#define POSITIONS_MAX 256    /* stores of one buffer to choose among */
#define DEPTH_MAX (1u << 18) /* decisions of one execution */

/* Executions that end in vain are enough when there are this many, and so many
 * for each that was asked for. */
#define REDUNDANT_LEAST 100000
#define REDUNDANT_PARTS 10

/* A step, and what it touched: all that it did in any execution so far. */
struct step {
    uint32_t who; /* kind, thread, and which of its buffered stores */
    uint32_t decision;
    struct footprint foot;
};

struct node {
    uint32_t before; /* offset of the node before it, 0: none */
    uint32_t at, count;
    bool chooses; /* a number below count; else one of `steps` */
    struct step steps[];
};

struct tree {
    uint64_t run;        /* executions so far */
    uint32_t used, last; /* bytes; offset of the last node */
    uint32_t depth;
    bool ordered;    /* writes to different memory do not commute */
    bool disordered; /* that was found too late: start again */
    bool finished;
    uint32_t left_out; /* enum left_out: something is missing */
};

enum left_out { NOTHING, NO_ROOM, UNSTEADY, UNFINISHED };

#define FIRST ((uint32_t)(sizeof(struct tree) + 7) & ~7u)

static struct tree *tree;
static uint64_t room;
static uint32_t cursor; /* offset of the node to visit next */
static uint32_t parent; /* of the last one with steps, 0: none */
static bool noted;      /* what the parent's step touched */

void strategy_every_region(void *region, uint64_t size)
{
    tree = region;
    room = size;
}

uint64_t strategy_every_size(void)
{
    return tree->used ? tree->used : sizeof *tree;
}

const char *strategy_every_missing(void)
{
    static const char *const words[] = {
        [NO_ROOM] = "an execution with too much to choose from",
        [UNSTEADY] = "the program does not do the same twice",
        [UNFINISHED] = "an execution that was cut"};

    return tree->left_out < sizeof words / sizeof *words ? words[tree->left_out]
                                                         : NULL;
}

static void leave_out(enum left_out why)
{
    if (!tree->left_out)
        tree->left_out = why;
}

static bool every_open(struct channel *job, const struct model *model)
{
    (void)model;
    strategy_every_region((char *)job + CHANNEL_SEARCH_AT, CHANNEL_SEARCH_MAX);
    return true;
}

static void every_forget(void)
{
    memset(tree, 0, sizeof *tree);
}

static uint64_t every_run(void)
{
    return tree->run;
}

static bool every_is_over(const struct channel *job)
{
    return tree->finished ||
           job->redundant >= REDUNDANT_PARTS * job->count + REDUNDANT_LEAST;
}

static bool every_is_exhausted(void)
{
    return tree->finished && !tree->left_out;
}

static struct node *node_at(uint32_t offset)
{
    MUST(offset <= tree->used);
    return (struct node *)(void *)((char *)tree + offset);
}

static uint32_t size_of(const struct node *n)
{
    return (uint32_t)(sizeof *n +
                      (n->chooses ? 0 : n->count * sizeof *n->steps));
}

static void every_begin(uint64_t seed, uint64_t run, uint32_t depth)
{
    (void)seed;
    (void)run;
    (void)depth;
    if (!tree->used)
        tree->used = FIRST;
    cursor = FIRST;
    parent = 0;
    noted = true;
}

/* ---- Which steps may change places ---- */

static uint32_t thread_of(const struct step *s)
{
    return s->who >> 3 & 0x3ff;
}

/* Must a step that sleeps wake up when the other is done?
 *
 * A commit and its own thread's next step may change places: only the memory
 * they share counts, and whether there is room in the buffer.  One that cuts
 * histories leaves its thread fewer values to read the later it comes, so while
 * it sleeps others may write: it was tried before they did. */
static bool wakes(const struct step *sleeping, const struct step *done)
{
    bool same = thread_of(sleeping) == thread_of(done);
    const struct footprint *f = &sleeping->foot, *g = &done->foot;

    if (f->all || g->all || (same && (f->buffer || g->buffer)))
        return true;
    if (!same && g->reads_all && footprint_writes(f))
        return true;
    if (tree->ordered && footprint_writes(f) && footprint_writes(g))
        return true;
    return footprints_meet(f, g, same);
}

/* ---- New nodes ---- */

static bool has_room(uint64_t bytes)
{
    if (tree->used + bytes <= room && tree->depth < DEPTH_MAX)
        return true;
    leave_out(NO_ROOM);
    return false;
}

static struct node *node_begin(void)
{
    struct node *n = node_at(tree->used);

    n->before = tree->last;
    n->at = n->count = 0;
    n->chooses = false;
    return n;
}

static void node_end(struct node *n)
{
    MUST(n->at < n->count && tree->used + size_of(n) <= room);
    tree->last = tree->used;
    tree->used += size_of(n);
    tree->depth++;
    cursor = tree->used;
}

/* Appends that step, with its footprint if it sleeps. */
static void add_step(struct node *n, uint32_t who, uint32_t decision,
                     const struct footprint *foot)
{
    struct step *s = &n->steps[n->count++];

    s->who = who;
    s->decision = decision;
    footprint_clear(&s->foot);
    s->foot.all = (who & 7) == DECIDE_WAKE;
    if (foot)
        footprint_unite(&s->foot, foot);
}

/* The step of that name which sleeps after the parent's present one. */
static const struct step *asleep(uint32_t who)
{
    const struct node *p = parent ? node_at(parent) : NULL;

    for (uint32_t i = 0; p && i < p->at; i++)
        if (p->steps[i].who == who)
            return wakes(&p->steps[i], &p->steps[p->at]) ? NULL : &p->steps[i];
    return NULL;
}

/* All that can be done, each once for those asleep and once for the others. */
struct offer {
    const struct sched_view *view;
    struct node *node;
    bool sleeping;
};

static void offer(const struct offer *o, enum decision_kind kind,
                  uint32_t thread, uint32_t store, uint32_t number)
{
    uint32_t who = (uint32_t)kind | thread << 3 | store << 13;
    const struct step *s = asleep(who);

    if (!s == o->sleeping)
        return;
    if (!has_room((o->node->count + 2) * sizeof *s))
        return;
    add_step(o->node, who, DECISION(kind, number), s ? &s->foot : NULL);
}

/* An operation that drains its thread's buffer comes after its commits; one
 * that would only wait is not for now. */
static bool may_run(const struct sched_view *view, uint32_t t)
{
    const struct sched_thread *thread = &view->threads[t];

    return !(thread->drains && thread->buffer_at != UINT32_MAX) &&
           !(view->would_wait && view->would_wait(t));
}

static void offer_commits(const struct offer *o, uint32_t t)
{
    uint16_t positions[POSITIONS_MAX];
    uint32_t n = o->view->committable(t, positions, POSITIONS_MAX);

    if (n == POSITIONS_MAX)
        leave_out(NO_ROOM);
    for (uint32_t i = 0; i < n; i++)
        offer(o, DECIDE_COMMIT, t, o->view->buffered(t, positions[i]).number,
              t << 12 | positions[i]);
}

static void offer_all(const struct offer *o)
{
    const struct sched_view *view = o->view;

    for (uint32_t i = 0; i < view->ready_count; i++)
        if (may_run(view, view->ready[i]))
            offer(o, DECIDE_RUN, view->ready[i], 0, view->ready[i]);
    for (uint32_t i = 0; i < view->buffering_count; i++)
        offer_commits(o, view->buffering[i]);
    for (uint32_t i = 0; i < view->timed_count; i++)
        offer(o, DECIDE_WAKE, view->timed[i], 0, view->timed[i]);
}

/* Takes down what the last step touched. */
static void note_footprint(const struct sched_view *view)
{
    struct node *p = node_at(parent);

    if (!parent || noted)
        return;
    MUST(!p->chooses && p->at < p->count);
    footprint_unite(&p->steps[p->at].foot, view->footprint);
    noted = true;
}

static uint32_t grow_path(const struct sched_view *view)
{
    struct node *n;
    struct offer o = {.view = view, .sleeping = true};

    note_footprint(view);
    tree->disordered = tree->disordered || view->writes_ordered;
    if (!has_room(2 * sizeof(struct step)))
        return DECISION(DECIDE_END, SCHED_END_CUT);
    o.node = n = node_begin();
    offer_all(&o);
    n->at = n->count;
    o.sleeping = false;
    offer_all(&o);
    /* Everybody would wait: let one, and see them stuck. */
    if (!n->count && view->ready_count)
        add_step(n, DECIDE_RUN | (uint32_t)view->ready[0] << 3,
                 DECISION(DECIDE_RUN, view->ready[0]), NULL);
    if (n->at == n->count)
        return DECISION(DECIDE_END, SCHED_END_REDUNDANT);
    parent = tree->used;
    node_end(n);
    return n->steps[n->at].decision;
}

/* The program did not do the same again: from here on it is another one. */
static void diverge(void)
{
    while (tree->last >= cursor) {
        MUST(tree->depth && node_at(tree->last)->before < tree->last);
        tree->last = node_at(tree->last)->before;
        tree->depth--;
    }
    tree->used = cursor;
    leave_out(UNSTEADY);
}

/* The decision that the path has next, if it can be taken. */
static bool follow(const struct sched_view *view, uint32_t *decision)
{
    const struct node *n = node_at(cursor);
    const struct step *s = &n->steps[n->at];

    if (n->chooses || !view->fits(s->decision))
        return false;
    parent = cursor;
    cursor += size_of(n);
    *decision = s->decision;
    return true;
}

static uint32_t every_next(const struct sched_view *view)
{
    uint32_t d;

    if (cursor == tree->used || !follow(view, &d)) {
        if (cursor != tree->used)
            diverge();
        d = grow_path(view);
    }
    if ((d & 7) != DECIDE_END)
        noted = false;
    footprint_clear(view->footprint);
    return d;
}

static uint32_t every_choose(enum decision_kind kind, uint32_t n)
{
    struct node *c;

    (void)kind;
    MUST(n > 1);
    c = node_at(cursor);
    if (cursor != tree->used && c->chooses && c->count == n) {
        cursor += size_of(c);
        return c->at;
    }
    if (cursor != tree->used)
        diverge();
    if (!has_room(sizeof *c))
        return 0;
    c = node_begin();
    c->chooses = true;
    c->count = n;
    node_end(c);
    return 0;
}

/* ---- From one execution to the next ---- */

/* To the deepest node that has something left. */
static void backtrack(void)
{
    while (tree->last) {
        struct node *n = node_at(tree->last);

        MUST(n->at < n->count && tree->depth);
        if (++n->at < n->count)
            return;
        tree->used = tree->last;
        tree->last = n->before;
        tree->depth--;
    }
    tree->finished = true;
}

/* What was taken to commute did not: all over again, with that known. */
static void start_again(void)
{
    tree->ordered = true;
    tree->used = FIRST;
    tree->last = tree->depth = 0;
    tree->finished = false;
}

static void every_end(const struct sched_view *view)
{
    if (view->how != END_REDUNDANT)
        tree->run++;
    if (view->how == END_CUT || view->lossy)
        leave_out(UNFINISHED);
    if (parent && !noted) {
        struct node *p = node_at(parent);

        p->steps[p->at].foot.all = true;
    }
    tree->disordered = tree->disordered || view->writes_ordered;
    if (tree->disordered && !tree->ordered)
        start_again();
    else
        backtrack();
}

const struct strategy strategy_every = {
    .name = "every",
    .begin = every_begin,
    .next = every_next,
    .choose = every_choose,
    .ticks = pick_dense,
    .end = every_end,
    .open = every_open,
    .forget = every_forget,
    .run = every_run,
    .is_over = every_is_over,
    .is_exhausted = every_is_exhausted,
    .abandon = every_end,
    .footprints = true,
};
