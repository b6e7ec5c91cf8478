/* SPDX-License-Identifier: MIT
 *
 * Load buffering in a search by graphs (graph/graph_late.c): when all
 * executions without late loads are explored, and some load may be late, the
 * same search once more, until no new load or value turns up, and then for
 * those executions that have such loads.
 *
 * All of that is one piece of work, which is done from the beginning if it was
 * interrupted: so it has a limit, and beyond that the pair is named, and
 * nothing is proved.  Who explores a part has not seen what all threads do, and
 * takes every pair for one.  So does who goes on where another stopped, unless
 * it can have a look at all of it again.
 */
#include "runtime/native_late.h"

#include "event/must.h"
#include "runtime/native_inside.h"

#define LATE_TIMES 3 /* as many as there may be executions, to list */
/* Where late RMWs lead to ever new values graphs that cannot grow are far
 * between: so many looks, each after some children.  Without dependencies
 * nearly every load may be late, and all that comes of it is a note. */
#define CHILDREN_A_LOOK 4096
#define LOOKS_MAX (1u << 14)
#define LOOKS_OF_NOTE (1u << 6)
/* With a value that nobody may ever read a delay may be a loop of 2^32 rounds.
 */
#define SILENCES_MAX 64

#define EVENTS_MOST 256

/* Of the search that was last. */
static struct {
    bool asked, open, full;
    struct thread_pair pair;
} answer;

static bool is_sound(const struct graph_search *s)
{
    return !s->stop && !s->too_long && !native.refused && !native_has_learnt();
}

static uint32_t looks_left, silences;
static bool may_widen;

void native_count_silence(void)
{
    if (native_is_on() && native.late && ++silences > SILENCES_MAX)
        native_refuse("a loop that late loads made long", rt.current->site);
}

/* Time is up, or somebody interrupts. */
static bool is_to_end(void)
{
    return __atomic_load_n(&rt.channel->graph.ends, __ATOMIC_ACQUIRE);
}

/* It was stopped for that reason: all of it is left for who goes on. */
static bool is_left(const struct graph_search *s)
{
    return s->stop && is_to_end() && !rt.channel->graph.found &&
           !native_has_learnt();
}

static bool is_too_long(void *context)
{
    (void)context;
    rt.channel->events++; /* the tool sees that it goes on */
    return !--looks_left || is_to_end();
}

static void run(struct graph_search *s, const struct graph_engine *by)
{
    s->resume.count = s->until.count = s->met = 0;
    silences = 0;
    s->patience = CHILDREN_A_LOOK;
    s->pauses = is_too_long;
    s->done = false;
    by->run(s);
}

typedef bool ends(void *context, const struct graph *g, enum graph_end end);

/* Only what threads do is of interest, and what they write. */
static void run_silently(struct graph_search *s, const struct graph_engine *by)
{
    ends *ended = s->ended;

    s->ended = NULL;
    run(s, by);
    s->ended = ended;
}

static ends *tells;

/* That others want the processor is no reason to stop. */
static bool ended_late(void *context, const struct graph *g, enum graph_end end)
{
    return tells(context, g, end) ||
           (!rt.channel->graph.found && !native.refused &&
            !native_has_learnt() && !is_to_end());
}

/* Executions that are shown come again, with those after them; so do all when
 * it is left. */
static void run_late(struct graph_search *s, const struct graph_engine *by)
{
    struct channel *c = rt.channel;
    uint64_t done = c->done, complete = c->complete;

    tells = s->ended;
    s->ended = ended_late;
    run(s, by);
    s->ended = tells;
    if (c->graph.found == FOUND_NOT_SC || is_left(s)) {
        c->done = done;
        c->complete = complete;
    }
}

/* Until nothing is new.  What a write of an execution writes comes of those
 * before it in the model's order, so each round brings one more of these: an
 * RMW that is late and adds 1 to whatever it reads would go on for ever. */
static void find_late(struct graph_search *s, const struct graph_engine *by)
{
    for (int rounds = 0; is_sound(s) && thread_orders_next_late(s->orders) &&
                         (!rounds || rounds <= s->most_writes);
         rounds++)
        run_silently(s, by);
}

/* Graphs do not fit into the rows that were enough for those without late
 * loads: all begins anew, with wider ones.  Most that do not fit into these are
 * none of executions. */
static bool wants_room(const struct graph_search *s)
{
    return s->too_long && may_widen;
}

/* Stopped by some limit, and not because something was found or learnt. */
static bool is_limit(const struct graph_search *s)
{
    return !is_left(s) && !wants_room(s) &&
           (s->stop || native.refused || native.trie->full ||
            thread_orders_is_full(s->orders)) &&
           !native_has_learnt() && !rt.channel->graph.found;
}

/* Nor does a second look help. */
static bool gave_up;

void native_begin_late(void)
{
    gave_up = false;
}

/* With values that nobody may ever read a thread may do what cannot be
 * explored, or more than fits: that says nothing of the others. */
static void end_at_limit(struct graph_search *s)
{
    s->stop = s->too_long = native.refused = native.trie->full = false;
}

/* With such values a thread may also go round a loop too often.  That says
 * something only where they come about.  Say that an execution is missed for
 * that, and take the first write of it, in the model's order, that no thread
 * was seen to do: behind the loop, since what comes before in that order is
 * known.  That alone, with other loads reading something older, is an execution
 * in which the thread comes to the loop's limit, for the loads that lead there
 * are kept before the write.  So some execution that is found ends there. */
static void look_at_cuts(uint32_t before)
{
    if (!native.late_cut)
        rt.channel->explore.unroll_site = before;
}

static void search_late(struct graph_search *s, const struct graph_engine *by)
{
    uint32_t cut = rt.channel->explore.unroll_site;

    native.late = true;
    native.late_cut = false;
    s->late = true;
    s->symmetric = false;
    find_late(s, by);
    gave_up = is_limit(s);
    if (is_sound(s))
        run_late(s, by);
    look_at_cuts(cut);
    if (is_limit(s))
        end_at_limit(s);
    else if (!is_left(s))
        answer.open = thread_orders_lacks_late(s->orders, &answer.pair);
}

void native_forget_late(void)
{
    answer.asked = answer.open = false;
}

/* Does a load of what was met, now or by jobs before, perhaps come late? */
static bool may_be_late(const struct graph_search *s, bool goes_on)
{
    return (goes_on && rt.channel->graph.doubts) ||
           thread_orders_unprotected(s->orders, goes_on, &answer.pair);
}

/* It stopped at its last graph, to tell of it or because it is asked to pause:
 * late loads are still to come. */
static void go_on_at_end(struct graph_search *s, bool goes_on)
{
    if (!s->stop || !s->done || native.refused || native_has_learnt())
        return;
    if (!rt.channel->graph.found)
        s->stop = false;
    else if (may_be_late(s, goes_on))
        s->done = false;
}

/* Who wants all executions of a small program has no use for more of these than
 * of the others. */
static void set_limits(struct graph_search *s)
{
    const struct channel *c = rt.channel;
    bool is_note = c->flags & CHANNEL_NO_DEPENDS;

    s->leaves_left = CHANNEL_LATE_MAX;
    if (c->graph.tells && c->count < CHANNEL_LATE_MAX / LATE_TIMES)
        s->leaves_left = (uint32_t)c->count * LATE_TIMES;
    looks_left = is_note ? LOOKS_OF_NOTE : LOOKS_MAX;
}

void native_search_processor(struct graph_search *s,
                             const struct graph_engine *by, bool goes_on)
{
    bool late = goes_on && native.late;

    native_forget_late();
    may_widen = by->events_max < EVENTS_MOST;
    if (s->orders)
        thread_orders_begin_late(s->orders,
                                 !(rt.channel->flags & CHANNEL_NO_DEPENDS));
    if (!late)
        by->run(s);
    native.late = false;
    if (!s->orders || rt.channel->graph.shared || native_is_weakest())
        return; /* the last does not go on where one may be */
    if (!late)
        go_on_at_end(s, goes_on);
    if (!is_sound(s) || thread_orders_is_full(s->orders) ||
        (!late && !may_be_late(s, goes_on)))
        return;
    answer.asked = answer.open = true;
    if (gave_up)
        return;
    rt.channel->graph.late = 1;
    set_limits(s);
    if (goes_on)
        run_silently(s, by);
    if (is_limit(s)) {
        gave_up = true;
        end_at_limit(s);
        return;
    }
    if (is_sound(s) &&
        !thread_orders_unprotected(s->orders, false, &answer.pair))
        answer.open = false;
    else if (is_sound(s))
        search_late(s, by);
    if (is_left(s)) {
        native.late = true;
        s->done = false;
    }
}

bool native_orders_are_full(const struct graph_search *s)
{
    return !answer.asked && thread_orders_is_full(s->orders);
}

bool native_settles_late(void)
{
    return answer.asked && !answer.open;
}

bool native_doubts_late(const struct graph_search *s, bool sees_part,
                        struct thread_pair *to)
{
    *to = answer.pair;
    return answer.asked ? answer.open
                        : thread_orders_unprotected(s->orders, sees_part, to);
}
