/* SPDX-License-Identifier: MIT
 *
 * The watcher of the cycle.
 *
 * Time is a count of effects: a store's is its commit, a load's is when it
 * looked at memory; a stale load looked just before the write that replaced
 * what it read.  So conflict edges lead forward in time.  The last access of a
 * cycle in time has its edge to the next one backward, which only program order
 * allows: it is the first of a pair that was reordered.  Hence a cycle can only
 * close when such a first takes effect, or when a load turns out to be stale,
 * and only then is it searched.
 *
 * A load that took its value from its own thread's buffer is in no conflict but
 * with what overwrites that: its time is the commit of its source.
 *
 * The strategy sees operations, not values, so two things are inferred: stores
 * that left a buffer without our decision (a fence drained it) are those that
 * are missing in it, and the store that a commit wrote is the oldest of its
 * site and address, for such stores commit in issue order.
 */
#include "schedule/goal.h"

#define ACCESSES 2048u /* latest ones at the cycle's sites */
#define WRITES 4096u   /* latest ones anywhere */
#define SNAPSHOT 64u   /* stores of one buffer that are followed */
#define WAITING 256u   /* buffered stores at the cycle's sites */
#define FORWARDS 256u  /* loads at the cycle's sites */
#define VISITS 20000u  /* accesses tried in one search */
#define NEVER UINT64_MAX

struct access {
    struct sched_op op;
    uint64_t effect; /* NEVER: not yet */
    uint32_t index;  /* in its thread */
    uint32_t older;  /* number of the one before it at its site */
    uint32_t number;
    uint16_t thread;
    bool writes;
};

/* A load that took its value from the own buffer. */
struct forward {
    uint32_t number;        /* access */
    struct sched_op source; /* store */
    uint32_t commits;       /* of such stores, until that one is committed */
};

struct write {
    struct sched_op op;
    uint64_t time;
    uint32_t thread;
};

struct channel_goal *goal;

static struct access accesses[ACCESSES]; /* number n is at n % ACCESSES */
static uint32_t access_count;            /* numbers begin at 1 */
static uint32_t newest[GOAL_NODES_MAX];  /* of the node's site; 0: none */
static uint32_t waiting[WAITING];        /* numbers, oldest first */
static uint32_t waiting_count;
static struct forward forwards[FORWARDS];
static uint32_t forward_count;
static struct write writes[WRITES];
static uint64_t write_count;
static uint64_t now;
static uint32_t indices[SCHED_MAX_THREADS];

static uint64_t this_run;
static bool closed;
static uint64_t sites; /* a bit for each site's hash: most sites are no node */

/* What was decided last. */
static uint32_t last;
static struct sched_op last_op;
static uint32_t last_stale;
static struct sched_op before[SNAPSHOT]; /* the thread's buffer then */
static uint32_t before_count;

/* The search. */
static struct access *chosen[GOAL_NODES_MAX];
static uint32_t first_node, visits;
static struct access *fixed; /* that must be part of the cycle, or NULL */
static uint32_t fixed_node;  /* where it stands */

bool goal_open(struct channel *job, const struct model *model)
{
    (void)model;
    goal = &job->goal;
    return true;
}

bool goal_is_closed(void)
{
    return closed;
}

static uint64_t site_bit(uint32_t site)
{
    return 1ull << (site & 63);
}

void goal_begin(uint64_t run)
{
    this_run = run;
    closed = false;
    access_count = 1;
    write_count = now = waiting_count = forward_count = 0;
    last = DECISION(DECIDE_TICKS, 0);
    sites = 0;
    for (uint32_t i = 0; i < goal->node_count; i++) {
        newest[i] = 0;
        sites |= site_bit(goal->nodes[i].site);
    }
    for (uint32_t i = 0; i < SCHED_MAX_THREADS; i++)
        indices[i] = 0;
}

uint32_t goal_nodes_at(uint32_t site)
{
    uint32_t found = 0;

    if (!(sites & site_bit(site)))
        return 0;
    for (uint32_t i = 0; i < goal->node_count; i++)
        if (goal->nodes[i].site == site)
            found |= 1u << i;
    return found;
}

static bool same_store(const struct sched_op *a, const struct sched_op *b)
{
    return a->address == b->address && a->site == b->site && a->size == b->size;
}

uint32_t goal_buffers(const struct sched_view *view, uint32_t thread,
                      const struct sched_op *op)
{
    uint32_t n;

    if (view->threads[thread].buffer_at == UINT32_MAX)
        return UINT32_MAX;
    n = view->buffered_count(thread);
    for (uint32_t i = 0; i < n; i++) {
        struct sched_op b = view->buffered(thread, i);

        if (goal_overlap(&b, op))
            return i;
    }
    return UINT32_MAX;
}

uint32_t goal_position(const struct sched_view *view, uint32_t thread,
                       const struct sched_op *store)
{
    uint32_t n = view->buffered_count(thread);

    for (uint32_t i = 0; i < n; i++) {
        struct sched_op b = view->buffered(thread, i);

        if (same_store(&b, store))
            return i;
    }
    return UINT32_MAX;
}

/* ---- The search ---- */

static struct access *access_of(uint32_t number)
{
    return &accesses[number % ACCESSES];
}

static bool is_kept(uint32_t number)
{
    return number && number + ACCESSES > access_count;
}

/* Did that load read what its own thread had written?  The time of a forwarded
 * one is that of its source. */
static bool read_own(const struct access *a)
{
    uint64_t oldest = write_count > WRITES ? write_count - WRITES : 0;

    for (uint64_t i = write_count; i-- > oldest;) {
        const struct write *w = &writes[i % WRITES];

        if (w->time <= a->effect && goal_overlap(&w->op, &a->op))
            return w->thread == a->thread;
    }
    return false;
}

static bool conflict(const struct access *a, const struct access *b)
{
    return a->thread != b->thread && (a->writes || b->writes) &&
           goal_overlap(&a->op, &b->op);
}

/* From a to b; both took effect. */
static bool conflict_edge(const struct access *a, const struct access *b)
{
    return a->effect < b->effect && conflict(a, b) &&
           !(a->writes && !b->writes && read_own(b));
}

static bool pair_edge(const struct access *a, const struct access *b)
{
    return a->thread == b->thread && a->index < b->index &&
           !goal_overlap(&a->op, &b->op);
}

/* May the access stand at that node, beside those chosen before it? */
static bool may_stand(const struct access *a, uint32_t node)
{
    uint32_t previous = goal_before(node);
    bool second = !goal_conflicts(previous);

    for (uint32_t i = first_node; i != node; i = goal_after(i)) {
        if (i == previous)
            continue;
        if (chosen[i]->thread == a->thread)
            return false;
        if ((i != first_node || goal_after(node) != i) &&
            conflict(chosen[i], a))
            return false;
    }
    return second ? pair_edge(chosen[previous], a)
                  : conflict_edge(chosen[previous], a);
}

/* All nodes have an access.  Is one of the pairs that it reorders wanted? */
static bool is_wanted(void)
{
    uint32_t last_node = goal_before(first_node);

    if (!conflict_edge(chosen[last_node], chosen[first_node]))
        return false;
    for (uint32_t i = 0; i < goal->node_count; i++)
        if (goal->reorder >> i & 1 &&
            chosen[goal_after(i)]->effect < chosen[i]->effect)
            return true;
    return false;
}

/* What follows an access in program order was noted after it. */
static uint32_t noted_before(uint32_t node)
{
    uint32_t previous = goal_before(node);

    return goal_conflicts(previous) ? 0 : chosen[previous]->number;
}

/* The access to try first at that node; then all older ones, unless it is the
 * fixed one. */
static uint32_t first_at(uint32_t node)
{
    return fixed && node == fixed_node ? fixed->number : newest[node];
}

static uint32_t next_at(uint32_t node, const struct access *a)
{
    return fixed && node == fixed_node ? 0 : a->older;
}

static bool search_from(uint32_t node)
{
    uint32_t least;

    if (node == first_node)
        return is_wanted();
    least = noted_before(node);
    for (uint32_t n = first_at(node); is_kept(n) && n > least;
         n = next_at(node, access_of(n))) {
        struct access *a = access_of(n);

        if (!visits || !--visits)
            return false;
        if (a->effect == NEVER || !may_stand(a, node))
            continue;
        chosen[node] = a;
        if (search_from(goal_after(node)))
            return true;
    }
    return false;
}

/* A cycle whose last access in time is that one, at that node? */
static bool closes_at(struct access *a, uint32_t node)
{
    if (a->effect == NEVER || goal_conflicts(node))
        return false;
    first_node = node;
    chosen[node] = a;
    for (uint32_t n = first_at(goal_after(node)); is_kept(n) && n > a->number;
         n = next_at(goal_after(node), access_of(n))) {
        struct access *b = access_of(n);

        if (b->effect >= a->effect || !pair_edge(a, b))
            continue;
        chosen[goal_after(node)] = b;
        if (search_from(goal_after(goal_after(node))))
            return true;
    }
    return false;
}

static void count_hit(void)
{
    closed = true;
    goal->hits++;
    goal->hit_run = this_run;
}

static void search_at(struct access *a)
{
    uint32_t nodes = goal_nodes_at(a->op.site);

    visits = VISITS;
    for (uint32_t i = 0; i < goal->node_count && !closed; i++)
        if (nodes >> i & 1 && closes_at(a, i))
            count_hit();
}

/* The same with the fixed access at its node, wherever it closes. */
static bool closes_anywhere(void)
{
    for (uint32_t i = 0; i < goal->node_count; i++) {
        for (uint32_t n = first_at(i); is_kept(n) && visits;
             n = next_at(i, access_of(n))) {
            visits--;
            if (closes_at(access_of(n), i))
                return true;
        }
    }
    return false;
}

/* A load turned out to be stale.  What closes now contains it: all else was
 * there before. */
static void search_with(struct access *a)
{
    uint32_t nodes = goal_nodes_at(a->op.site);

    visits = VISITS;
    fixed = a;
    for (fixed_node = 0; fixed_node < goal->node_count; fixed_node++) {
        if (nodes >> fixed_node & 1 && closes_anywhere()) {
            count_hit();
            break;
        }
    }
    fixed = NULL;
}

/* ---- What happened ---- */

static struct access *add_access(uint32_t thread, const struct sched_op *op)
{
    uint32_t nodes = goal_nodes_at(op->site);
    uint32_t number = access_count;
    struct access *a = access_of(number);

    if (!nodes)
        return NULL;
    access_count++;
    *a = (struct access){.op = *op,
                         .number = number,
                         .effect = NEVER,
                         .index = indices[thread],
                         .thread = (uint16_t)thread,
                         .writes = op->kind != EV_LOAD};
    for (uint32_t i = 0; i < goal->node_count; i++) {
        if (nodes >> i & 1) {
            a->older = newest[i];
            newest[i] = number;
        }
    }
    return a;
}

static void note_write(uint32_t thread, const struct sched_op *op)
{
    writes[write_count++ % WRITES] = (struct write){*op, now, thread};
}

/* The oldest of those stores that waits. */
static struct access *take_waiting(uint32_t thread, const struct sched_op *op)
{
    for (uint32_t i = 0; i < waiting_count; i++) {
        struct access *a = access_of(waiting[i]);

        if (a->thread != thread || !same_store(&a->op, op))
            continue;
        waiting_count--;
        for (; i < waiting_count; i++)
            waiting[i] = waiting[i + 1];
        return a;
    }
    return NULL;
}

/* Forwarded loads whose source that store was. */
static void settle_forwards(uint32_t thread, const struct sched_op *op)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < forward_count; i++) {
        struct forward *f = &forwards[i];
        struct access *a = access_of(f->number);

        if (a->thread == thread && same_store(&f->source, op) && !--f->commits)
            a->effect = now;
        else
            forwards[kept++] = *f;
    }
    forward_count = kept;
}

/* A store of that thread reached memory. */
static void committed(uint32_t thread, const struct sched_op *op)
{
    struct access *a = NULL;

    now += 2;
    note_write(thread, op);
    if (forward_count)
        settle_forwards(thread, op);
    if (goal_nodes_at(op->site))
        a = take_waiting(thread, op);
    if (!a)
        return;
    a->effect = now;
    if (indices[thread] > a->index && !closed)
        search_at(a);
}

/* Is that what the last operation put into the buffer? */
static bool is_new(struct sched_op store)
{
    return store.address == last_op.address && store.site == last_op.site;
}

/* The place of that store among the first n of what was in the buffer, from 1;
 * 0: it was not. */
static uint32_t place_before(const struct sched_op *store, uint32_t n)
{
    while (n && !same_store(&before[n - 1], store))
        n--;
    return n;
}

/* Stores that were in the buffer and are not any more.  Of two alike the older
 * one goes first, so what is left is looked up from the youngest on. */
static void find_drained(const struct sched_view *view, uint32_t thread)
{
    uint32_t n = before_count, left = view->buffered_count(thread);
    bool stays[SNAPSHOT] = {false};

    left -= left && is_new(view->buffered(thread, left - 1));
    if (left == before_count)
        return;
    while (left--) {
        struct sched_op b = view->buffered(thread, left);
        uint32_t place = place_before(&b, n);

        if (place) {
            n = place - 1;
            stays[n] = true;
        }
    }
    for (uint32_t i = 0; i < before_count; i++)
        if (!stays[i])
            committed(thread, &before[i]);
}

/* When the view-th newest change of that memory was made. */
static uint64_t time_of_change(const struct sched_op *op, uint32_t view)
{
    uint64_t oldest = write_count > WRITES ? write_count - WRITES : 0;

    for (uint64_t i = write_count; i-- > oldest;) {
        const struct write *w = &writes[i % WRITES];

        if (goal_overlap(&w->op, op) && !--view)
            return w->time;
    }
    return 1;
}

/* The load took its value from the youngest store that overlaps it. */
static void forwarded(const struct sched_view *view, uint32_t thread)
{
    struct forward f = {.number = access_count - 1};
    uint32_t n = view->buffered_count(thread);

    if (forward_count == FORWARDS)
        return;
    do
        f.source = view->buffered(thread, --n);
    while (!goal_overlap(&f.source, &last_op));
    for (uint32_t i = 0; i <= n; i++) {
        struct sched_op b = view->buffered(thread, i);

        f.commits += same_store(&b, &f.source);
    }
    forwards[forward_count++] = f;
}

static void loaded(const struct sched_view *view, uint32_t thread)
{
    struct access *a = add_access(thread, &last_op);

    if (!a)
        return;
    if (goal_buffers(view, thread, &last_op) != UINT32_MAX) {
        forwarded(view, thread);
        return;
    }
    now += 2;
    a->effect = now;
    if (!last_stale)
        return;
    a->effect = time_of_change(&last_op, last_stale) - 1;
    if (!closed)
        search_with(a);
}

bool goal_is_buffered(const struct sched_view *view, uint32_t thread,
                      const struct sched_op *op)
{
    uint32_t n = view->buffered_count(thread);
    struct sched_op b;

    if (!n)
        return false;
    b = view->buffered(thread, n - 1);
    return same_store(&b, op);
}

/* A store, or an RMW, whose writing half may be buffered too. */
static void stored(const struct sched_view *view, uint32_t thread)
{
    struct access *a = add_access(thread, &last_op);
    bool wrote = last_op.kind == EV_STORE || !view->threads[thread].cas_failed;

    if (wrote && goal_is_buffered(view, thread, &last_op)) {
        if (a && waiting_count < WAITING)
            waiting[waiting_count++] = access_count - 1;
        return;
    }
    now += 2;
    if (wrote)
        note_write(thread, &last_op);
    if (!a)
        return;
    a->effect = now;
    a->writes = wrote;
}

static void ran(const struct sched_view *view, uint32_t thread)
{
    if (before_count)
        find_drained(view, thread);
    indices[thread]++;
    if (!last_op.size)
        return;
    if (last_op.kind == EV_LOAD)
        loaded(view, thread);
    else if (last_op.kind == EV_STORE || last_op.kind == EV_RMW)
        stored(view, thread);
}

static void watch(const struct sched_view *view, uint32_t thread,
                  const struct sched_op *op)
{
    last = DECISION(DECIDE_RUN, thread);
    last_op = *op;
    last_stale = before_count = 0;
    if (view->threads[thread].buffer_at == UINT32_MAX)
        return;
    before_count = view->buffered_count(thread);
    if (before_count > SNAPSHOT)
        before_count = 0;
    for (uint32_t i = 0; i < before_count; i++)
        before[i] = view->buffered(thread, i);
}

void goal_look(const struct sched_view *view)
{
    if ((last & 7) == DECIDE_RUN)
        ran(view, last >> 3);
    else if ((last & 7) == DECIDE_COMMIT)
        committed(last >> 15, &last_op);
    last = DECISION(DECIDE_TICKS, 0);
}

/* What is still buffered would have come last. */
void goal_end(const struct sched_view *view)
{
    goal_look(view);
    while (waiting_count) {
        struct access *a = access_of(waiting[0]);
        struct sched_op op = a->op;

        committed(a->thread, &op);
    }
}

uint32_t goal_decide(const struct sched_view *view, uint32_t decision)
{
    uint32_t number = decision >> 3;

    last = decision;
    if ((decision & 7) == DECIDE_COMMIT)
        last_op = view->buffered(number >> 12, number & 0xfff);
    if ((decision & 7) == DECIDE_RUN)
        watch(view, number, &view->threads[number].op);
    return decision;
}

void goal_inside(const struct sched_view *view, uint32_t thread,
                 const struct sched_op *op)
{
    goal_look(view);
    watch(view, thread, op);
}

uint32_t goal_choose(enum decision_kind kind, uint32_t choice)
{
    if (kind == DECIDE_STALE)
        last_stale = choice;
    return choice;
}
