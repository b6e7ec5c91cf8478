/* SPDX-License-Identifier: MIT
 *
 * Interleavings with at most so many preemptions, fewest first (iterative
 * context bounding: Musuvathi and Qadeer, PLDI 2007), or all of them.
 *
 * A preemption is a switch away from a thread that could go on.  Steps that
 * nobody can see (start, exit, fence, create, a join that need not wait) are
 * done at once and are no switches.  One pass for each bound; in each, an
 * execution counts if it uses up that pass's bound, for the others were run
 * before.
 *
 * Without EXPLORE_PLAIN a state is left where it was met before with as many
 * preemptions to spare: states are known by the trace that leads to them, which
 * is the same for all orders of steps that do not conflict.  Nothing is lost by
 * that, so the traces are those of the plain search.
 */
#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "explore/explore_inside.h"

#define BOUNDED_MAGIC 0x31444e554f424e46ull /* "FNBOUND1" */
#define CACHE_SLOTS (1u << 21)
#define PROBES 8

/* What was done in a state, and what is left to do there. */
struct branch {
    uint64_t left; /* threads */
    uint32_t who;
    uint32_t choices; /* of a choice: so many */
    uint32_t spent;   /* preemptions before it */
    uint16_t current; /* the thread that a switch would preempt */
    bool preempts;    /* every other thread would */
    bool is_hidden;   /* nobody sees the step */
};

/* The path under way.  It outlives the process. */
struct search {
    uint64_t magic, used; /* these two first: others copy it */
    uint32_t pass, count;
    uint32_t started, finished, incomplete, reserved;
    char why[128];
    struct branch path[STEPS_MAX];
};

struct slot {
    uint64_t hash[2]; /* the low byte of the second: preemptions + 1 */
};

static struct search *search;
static struct slot *cache;
static uint32_t bound;
static bool cached, prepared;

static bool open(const struct channel_explore *orders, void *region)
{
    _Static_assert(sizeof *search <= CHANNEL_SEARCH_MAX, "there is room");
    search = region;
    bound = orders->flags & EXPLORE_BOUNDED ? orders->bound : UINT32_MAX;
    cached = !(orders->flags & EXPLORE_PLAIN);
    prepared = false;
    if (cached && !cache)
        cache = mmap(NULL, CACHE_SLOTS * sizeof *cache, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (search->magic == BOUNDED_MAGIC)
        return cache != MAP_FAILED;
    memset(search, 0, offsetof(struct search, path));
    search->magic = BOUNDED_MAGIC;
    search->used = sizeof *search;
    search->pass = bound == UINT32_MAX ? UINT32_MAX : 0;
    return cache != MAP_FAILED;
}

static void lost(const char *why)
{
    if (!search->incomplete)
        strncpy(search->why, why, sizeof search->why - 1);
    search->incomplete = 1;
}

static void tell(struct channel_explore *orders)
{
    orders->incomplete = search->incomplete;
    memcpy(orders->why, search->why, sizeof orders->why);
}

static bool is_complete(void)
{
    return search->finished && !search->incomplete;
}

static bool prepare(const struct channel *job)
{
    (void)job;
    if (search->finished)
        return false;
    if (!prepared)
        execution.fresh = search->count && execution.count >= search->count
                              ? search->count - 1
                              : 0;
    prepared = true;
    return true;
}

static void begin(void)
{
    prepared = false;
}

/* ---- States met before ---- */

static void forget_states(void)
{
    if (cached)
        madvise(cache, CACHE_SLOTS * sizeof *cache, MADV_DONTNEED);
}

/* Was this state met with as few preemptions?  If not, it is now. */
static bool is_known(uint32_t current, uint32_t spent)
{
    const struct step *s = &execution.steps[execution.count];
    uint64_t first = s->hash[0] + current * 0x9e3779b97f4a7c15ull;
    uint64_t second = s->hash[1] & ~0xffull;
    uint32_t at = (uint32_t)(first >> 40), free = 0;

    for (uint32_t i = 0; i < PROBES; i++) {
        struct slot *c = &cache[(at + i) & (CACHE_SLOTS - 1)];
        uint32_t then = (uint32_t)(c->hash[1] & 0xff);

        if (then && c->hash[0] == first && (c->hash[1] & ~0xffull) == second) {
            if (then <= spent + 1)
                return true;
            free = i;
            break;
        }
        if (!then)
            free = i;
    }
    cache[(at + free) & (CACHE_SLOTS - 1)] =
        (struct slot){{first, second | (spent < 254 ? spent + 1 : 255)}};
    return false;
}

/* ---- Who runs ---- */

/* Nobody sees that step, so it can be done at once. */
static bool is_hidden(const struct sched_thread *t)
{
    switch (t->op.kind) {
    case EV_START:
    case EV_EXIT:
    case EV_FENCE:
    case EV_CREATE:
    case EV_JOIN:
        return true;
    default:
        return false;
    }
}

static uint32_t hidden_thread(const struct sched_view *view, uint64_t enabled)
{
    for (; enabled; enabled &= enabled - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(enabled);

        if (is_hidden(&view->threads[t]))
            return t;
    }
    return UINT32_MAX;
}

/* What the path so far has spent, and who ran. */
static void before(struct branch *b)
{
    const struct branch *p = &search->path[execution.count - 1];

    *b = (struct branch){.current = UINT16_MAX};
    if (!execution.count)
        return;
    b->spent = p->spent + (p->preempts && who_thread(p->who) != p->current);
    b->current = p->is_hidden || (p->who & 7) == DECIDE_CHOOSE
                     ? p->current
                     : (uint16_t)who_thread(p->who);
}

/* Fills in the branch's alternatives; false: there are none. */
static bool find_alternatives(const struct sched_view *view, uint64_t enabled,
                              struct branch *b)
{
    uint32_t t = hidden_thread(view, enabled);

    if (t != UINT32_MAX) {
        b->is_hidden = true;
        b->who = who_of(DECIDE_RUN, t, 0);
        return true;
    }
    if (!enabled && view->timed_count) {
        b->who = who_of(DECIDE_WAKE, view->timed[0], 0);
        lost("timed waits end only when nobody else can run");
        return true;
    }
    if (!enabled)
        return false;
    t = b->current;
    if (t < THREADS_MAX && enabled >> t & 1 &&
        view->threads[t].op.kind != EV_YIELD)
        b->preempts = true;
    else
        t = (uint32_t)__builtin_ctzll(enabled);
    b->who = who_of(DECIDE_RUN, t, 0);
    MUST(b->spent <= search->pass);
    if (!b->preempts || b->spent < search->pass)
        b->left = enabled & ~(1ull << t);
    return true;
}

static uint32_t grow(const struct sched_view *view, uint64_t enabled)
{
    struct branch *b = &search->path[execution.count];

    before(b);
    if (!find_alternatives(view, enabled, b))
        return DECISION(DECIDE_END, SCHED_END_STUCK);
    if (cached && !b->is_hidden &&
        is_known(b->preempts ? b->current : UINT16_MAX, b->spent))
        return DECISION(DECIDE_END, SCHED_END_REDUNDANT);
    search->count = execution.count + 1;
    return DECISION(b->who & 7, who_thread(b->who));
}

static uint32_t next(const struct sched_view *view)
{
    uint64_t enabled = steps_enabled(view);
    uint32_t at = execution.count, d;

    MUST(at < STEPS_MAX && at <= search->count);
    if (at < search->count)
        d = DECISION(search->path[at].who & 7,
                     who_thread(search->path[at].who));
    else
        d = grow(view, enabled);
    if (at < search->count && !view->fits(d))
        return UINT32_MAX;
    if ((d & 7) != DECIDE_END)
        steps_open(view, search->path[at].who, d);
    return d;
}

static uint32_t choose(uint32_t thread, enum decision_kind kind, uint32_t n)
{
    uint32_t at = execution.count;
    struct branch *b = &search->path[at];

    (void)kind;
    if (at >= search->count) {
        before(b);
        b->who = who_of(DECIDE_CHOOSE, thread, 0);
        b->choices = n;
        search->count = at + 1;
    }
    if ((b->who & 7) != DECIDE_CHOOSE)
        return UINT32_MAX;
    steps_open(NULL, b->who, 0);
    return b->who >> 13;
}

/* ---- From one execution to the next ---- */

static bool counts(void)
{
    struct branch b;

    before(&b);
    return bound == UINT32_MAX || b.spent == search->pass;
}

static bool move_on(struct branch *b)
{
    if ((b->who & 7) == DECIDE_CHOOSE) {
        MUST(b->who >> 13 < b->choices);
        b->who += 1u << 13;
        return b->who >> 13 < b->choices;
    }
    if (!b->left)
        return false;
    b->who = who_of(DECIDE_RUN, (uint32_t)__builtin_ctzll(b->left), 0);
    b->left &= b->left - 1;
    return true;
}

static void go_on(void)
{
    MUST(search->count <= STEPS_MAX);
    while (search->count && !move_on(&search->path[search->count - 1]))
        search->count--;
    if (search->count)
        return;
    forget_states();
    if (search->pass >= bound)
        search->finished = 1;
    else
        search->pass++;
}

static void end(const struct sched_view *view)
{
    (void)view;
    go_on();
}

static void abandon(const struct sched_view *view)
{
    (void)view;
    lost("an execution destroyed its process");
    go_on();
}

const struct explore_way explore_bounded = {
    .open = open,
    .prepare = prepare,
    .begin = begin,
    .next = next,
    .choose = choose,
    .counts = counts,
    .end = end,
    .abandon = abandon,
    .lost = lost,
    .tell = tell,
    .is_complete = is_complete,
};
