/* SPDX-License-Identifier: MIT
 *
 * Going forward: the next event of some thread, in every way that the model
 * allows.  The last way, which is always allowed, is taken in place.
 */
#include "graph/graph_search.h"

#include <string.h>
#include <sys/mman.h>

#include "event/must.h"
#include "graph/graph_search_inside.h"

/* What one step adds at most, with all its revisits, for each part. */
#define SPARE_EVENTS 6

/* Who does more than so many fences one after the other may never end. */
#define FENCES_PASSED 4

/* What a search grows in. */
struct walk_space {
    struct graph levels[WALK_LEVELS + 1];
    struct graph_mark marks[WALK_LEVELS];
    struct lone_memory lone;
};

/* ---- Values ---- */

uint64_t walk_value(const struct walk *w, const struct graph *g, int write,
                    unsigned location)
{
    return write < 0 ? w->search->initial(w->search->context, location)
                     : g->events[write].value;
}

/* A mutex may be free, and its thread does no more after it took it. */
bool walk_blocks(struct walk *w, behaviour_node node, uint64_t value)
{
    struct behaviour *b = w->search->behaviour;
    const struct op *op = behaviour_op(b, behaviour_step(b, node, value));

    return op->kind == OP_BLOCK &&
           (!behaviour_op(b, node)->locks || op->expected ||
            !behaviour_writes(b, node, value));
}

bool walk_waits_at(struct walk *w, behaviour_node at)
{
    struct behaviour *b = w->search->behaviour;
    const struct op *op = behaviour_op(b, at);

    for (int i = 0; i < FENCES_PASSED && op->kind == OP_FENCE && !op->everybody;
         i++) {
        at = behaviour_step(b, at, 0);
        op = behaviour_op(b, at);
    }
    return op->kind == OP_BLOCK;
}

bool walk_waits(struct walk *w, behaviour_node node, uint64_t value)
{
    return walk_waits_at(w, behaviour_step(w->search->behaviour, node, value));
}

/* ---- Freed memory ---- */

static bool is_freed_by(const struct walk *w, const struct graph *g, int f,
                        unsigned location)
{
    const struct graph_search *s = w->search;

    return s->covers(s->context,
                     behaviour_op(s->behaviour, g->events[f].before), location);
}

/* Accesses to what that FREE frees. */
static row touching(const struct walk *w, const struct graph *g, int f)
{
    row all = row_none();

    for (unsigned l = 0; l < g->location_count; l++) {
        if (is_freed_by(w, g, f, l))
            all |= g->writes[l] | g->reads[l];
    }
    return all;
}

row walk_own_touching(const struct walk *w, const struct graph *g, int e,
                      const struct op *op)
{
    return op->kind == OP_FREE ? touching(w, g, e) & graph_po_before(g, e)
                               : row_none();
}

static bool is_done_before(const struct walk *w, const struct graph *g, int e,
                           int f)
{
    const struct rules *rules = w->search->rules;

    return row_has(g->before[f], e) ||
           (rules->cannot_see && rules->cannot_see(g, e, f));
}

void walk_look_at_access(struct walk *w, struct graph *g, int e)
{
    int f;

    ROW_EACH (f, g->frees)
        if (is_freed_by(w, g, f, g->events[e].location) &&
            !is_done_before(w, g, e, f))
            g->failed = (int16_t)e;
}

void walk_look_at_free(struct walk *w, struct graph *g, int f)
{
    const struct behaviour *b = w->search->behaviour;
    uint64_t block = behaviour_op(b, g->events[f].before)->operand;
    int e, other;

    ROW_EACH (e, touching(w, g, f) & ~g->before[f])
        if (!is_done_before(w, g, e, f))
            g->failed = (int16_t)e;
    ROW_EACH (other, g->frees & ~row_of(f))
        if (behaviour_op(b, g->events[other].before)->operand == block)
            g->failed = (int16_t)f;
}

void walk_look_at_frees(struct walk *w, struct graph *g)
{
    int f;

    ROW_EACH (f, g->frees)
        walk_look_at_free(w, g, f);
}

/* ---- Ways through the tree ---- */

/* Was the next child at that level explored before?  A search that goes on
 * skips what it did. */
static bool was_explored(struct graph_search *s, int level)
{
    uint32_t number = s->at.child[level];

    if (!s->resume.count)
        return false;
    MUST(level < (int)s->resume.count);
    if (number < s->resume.child[level])
        return true;
    if (number == s->resume.child[level] && level + 1 < (int)s->resume.count)
        return false;
    s->resume.count = 0; /* that was the last one */
    return number == s->resume.child[level];
}

/* Does the next child at that level come after the end of this part?  Then the
 * search is done. */
static bool is_beyond(struct graph_search *s, uint32_t level)
{
    uint32_t number = s->at.child[level];

    if (level >= s->until.count || level > s->met ||
        number < s->until.child[level])
        return false;
    if (number == s->until.child[level]) {
        s->met = level + 1;
        return false;
    }
    s->stop = s->done = true;
    return true;
}

/* Is the graph itself, which comes after its children, in this part?  Where a
 * way ends in a child that there is not, it is in the part before. */
static bool is_ours(struct graph_search *s, uint32_t level)
{
    bool is_before = s->resume.count == level + 1;

    s->resume.count = 0;
    if (is_before)
        return false;
    if (level >= s->until.count || level >= s->met)
        return true;
    s->stop = s->done = true;
    return false;
}

/* Is it to stop between two children? */
static bool pauses(struct graph_search *s, uint32_t level)
{
    if (++s->waited < s->patience || s->resume.count)
        return false;
    s->waited = 0;
    if (!s->pauses(s->context))
        return false;
    s->at.count = level + 1;
    s->stop = true;
    return true;
}

bool walk_begin_child(struct walk *w)
{
    struct graph_search *s = w->search;

    MUST(w->way + 1 < WALK_LEVELS);
    if (s->stop || (s->patience && pauses(s, (uint32_t)w->way)))
        return false;
    s->at.child[w->way]++;
    s->at.child[w->way + 1] = 0;
    if (is_beyond(s, (uint32_t)w->way) || was_explored(s, w->way))
        return false;
    w->way++;
    return true;
}

void walk_end_child(struct walk *w)
{
    w->way--;
}

/* ---- Additions ---- */

static int push(struct walk *w, struct graph *g, unsigned thread,
                enum node_kind kind, const struct op *op)
{
    w->search->counts.events++;
    return graph_push(g, thread, kind, op);
}

static void step(struct walk *w, struct graph *g, unsigned thread,
                 uint64_t value)
{
    walk_come_to(w->search, g, thread,
                 behaviour_step(w->search->behaviour, g->at[thread], value));
}

bool walk_give_source(struct walk *w, struct graph *g, int read, int source,
                      bool *writes)
{
    const struct graph_search *s = w->search;
    const struct node_event *e = &g->events[read];
    uint64_t value = walk_value(w, g, source, e->location);
    struct effect effect = behaviour_effect(s->behaviour, e->before, value);

    *writes = effect.writes;
    w->written = effect.written;
    graph_set_effect(g, read, &effect);
    graph_set_source(g, read, source, value);
    if (!walk_fits_twins(w, g, read))
        return false;
    return *writes ? s->rules->begin_rmw(s->model, g, read)
                   : s->rules->add_read(s->model, g, read);
}

/* RMWs that read what this one reads. */
static inline row rivals_of(const struct graph *g, int read)
{
    const struct node_event *e = &g->events[read];

    return graph_readers(g, e->rf, e->location) & g->complete & ~row_of(read);
}

bool walk_finish_rmw(struct walk *w, int level, int read)
{
    struct graph_search *s = w->search;
    struct graph *g = &w->levels[level];
    const struct node_event *e = &g->events[read];
    struct new_write n = {e->thread,  behaviour_op(s->behaviour, e->before),
                          w->written, read,
                          NULL,       0};
    row rivals = rivals_of(g, read);
    int write;

    if (row_any(rivals & g->porf[read]))
        return false;
    revisit_reads(w, level, &n, rivals);
    if (row_any(rivals))
        return false; /* only its revisits were of use */
    s->counts.events++;
    write = graph_push_write_of(g, read, n.value);
    return s->rules->add_rmw(s->model, g, read, write) &&
           walk_fits_twins(w, g, write);
}

/* The thread's read, or RMW, with that source. */
static bool add_read(struct walk *w, int level, unsigned thread, int source)
{
    struct graph *g = &w->levels[level];
    const struct op *op = walk_next_op(w, g, thread);
    int read = push(w, g, thread, op->kind == OP_LOAD ? NODE_R : NODE_RX, op);
    bool writes;

    if (!walk_give_source(w, g, read, source, &writes) ||
        (writes && !walk_finish_rmw(w, level, read)))
        return false;
    step(w, g, thread, g->events[read].value);
    walk_look_at_access(w, g, read);
    return true;
}

/* The thread's next write: of an OP_STORE, or of what its late load began. */
struct next_write {
    const struct op *op;
    int late;
    struct op own; /* of the latter */
};

static void find_next_write(const struct walk *w, const struct graph *g,
                            unsigned thread, struct next_write *to)
{
    to->op = walk_next_op(w, g, thread);
    to->late = NONE;
    if (!w->search->late || !walk_is_half_late(g, thread))
        return;
    to->late = graph_last_of(g, thread);
    to->own = walk_late_write(w, g, thread);
    to->op = &to->own;
}

bool walk_add_write(struct walk *w, struct graph *g, unsigned thread, int after)
{
    const struct graph_search *s = w->search;
    struct next_write next;
    int write;

    find_next_write(w, g, thread, &next);
    write = graph_push_write(g, thread, next.op);
    w->search->counts.events++;
    g->events[write].mate = (int16_t)next.late;
    if (!s->rules->add_write(s->model, g, write, after) ||
        !walk_fits_twins(w, g, write))
        return false;
    step(w, g, thread, next.late == NONE ? 0 : g->events[next.late].value);
    walk_look_at_access(w, g, write);
    return true;
}

void walk_add_other(struct walk *w, struct graph *g, unsigned thread,
                    uint64_t value)
{
    static const enum node_kind kinds[] = {[OP_FENCE] = NODE_FENCE,
                                           [OP_CREATE] = NODE_CREATE,
                                           [OP_JOIN] = NODE_JOIN,
                                           [OP_CHOOSE] = NODE_CHOICE,
                                           [OP_FREE] = NODE_FREE};
    const struct graph_search *s = w->search;
    behaviour_node at = g->at[thread];
    const struct op *op = walk_next_op(w, g, thread);
    int e = push(w, g, thread, kinds[op->kind], op);

    if (op->kind == OP_JOIN) {
        g->porf[e] |= graph_prefix(g, graph_end_of(g, op->thread));
        value = walk_result_of(w, g, op);
    }
    g->events[e].value = value;
    s->rules->add_other(s->model, g, e, op, walk_own_touching(w, g, e, op));
    step(w, g, thread, value);
    if (op->kind == OP_CREATE) {
        MUST(op->thread >= g->thread_count ||
             g->created_by[op->thread] == NONE);
        graph_add_thread(g, op->thread, e, behaviour_root_of(s->behaviour, at));
        graph_link_created(s, g, at);
    }
    if (op->kind == OP_FREE)
        walk_look_at_free(w, g, e);
}

/* Numbers below it are chosen; not above what an equal thread chose. */
static uint64_t choices_of(const struct walk *w, const struct graph *g,
                           unsigned thread)
{
    uint64_t count = walk_next_op(w, g, thread)->operand;
    int twin = g->has_twins
                   ? graph_twin_of(g, thread, row_count(g->of_thread[thread]))
                   : NONE;

    return twin == NONE ? count : g->events[twin].value + 1;
}

bool walk_leaves_out(const struct walk *w, const struct graph *g,
                     unsigned thread, uint64_t value)
{
    struct behaviour *b = w->search->behaviour;
    behaviour_node at = g->at[thread];
    const struct op *op = behaviour_op(b, at);
    struct effect effect;
    uint64_t found;

    if (op->kind != OP_CHOOSE || !op->expected || value != 1)
        return false;
    at = behaviour_step(b, at, value);
    op = behaviour_op(b, at);
    if (op->kind != OP_SYNC || op->cuts)
        return false;
    found = walk_last_value(w, g, op->location); /* it holds the mutex */
    effect = behaviour_effect(b, at, found);
    at = behaviour_step(b, at, found);
    if (!effect.writes || !behaviour_op(b, at)->locks ||
        behaviour_op(b, at)->location != op->location)
        return false;
    op = behaviour_op(b, behaviour_step(b, at, effect.written));
    return op->kind == OP_BLOCK && op->expected;
}

/* Every number but 0, which is taken in place: what a revisit deletes comes
 * again as it would by itself. */
static void extend_choice(struct walk *w, int level, unsigned thread)
{
    uint64_t count = choices_of(w, &w->levels[level], thread);

    for (uint64_t n = 1; n < count; n++) {
        if (walk_leaves_out(w, &w->levels[level], thread, n) ||
            !walk_begin_child(w))
            continue;
        walk_begin_try(w, level);
        walk_add_other(w, &w->levels[level], thread, n);
        walk_take(w, level, true);
        walk_undo_try(w, level);
        walk_end_child(w);
    }
    walk_add_other(w, &w->levels[level], thread, 0);
}

/* ---- Choices ---- */

void walk_take(struct walk *w, int level, bool fits)
{
    if (fits)
        w->take(w, level);
    else
        w->search->counts.inconsistent++;
}

/* Is that source worth a graph?  It is not the last of co. */
static bool is_worth_trying(struct walk *w, const struct graph *g,
                            unsigned thread, int source)
{
    const struct op *op = walk_next_op(w, g, thread);
    uint64_t value = walk_value(w, g, source, op->location);

    if (behaviour_writes(w->search->behaviour, g->at[thread], value))
        return revisit_can_undo(g, thread, source, op->location);
    return !(walk_drops(w, g, op->location, op_is_plain(op)) &&
             walk_waits(w, g->at[thread], value));
}

static void try_source(struct walk *w, int level, unsigned thread, int source)
{
    if (!is_worth_trying(w, &w->levels[level], thread, source) ||
        !walk_begin_child(w))
        return;
    walk_begin_try(w, level);
    walk_take(w, level, add_read(w, level, thread, source));
    walk_undo_try(w, level);
    walk_end_child(w);
}

/* That write and those after it in co; the initial one is no event. */
static inline row not_before(const struct graph *g, int write,
                             unsigned location)
{
    row later = graph_co_after(g, write, location);

    return write >= 0 ? later | row_of(write) : later;
}

/* What is known to come before need not be all that forbids it: POWER says more
 * when the read is there. */
static bool may_read_initial(struct walk *w, int level, unsigned thread)
{
    bool fits;

    if (walk_next_op(w, &w->levels[level], thread)->kind != OP_LOAD)
        return true;
    walk_begin_try(w, level);
    fits = add_read(w, level, thread, INITIAL);
    walk_undo_try(w, level);
    return fits;
}

/* It will be part of graphs that are judged as a whole, which look at it. */
static bool is_judged_later(struct walk *w, const struct graph *g,
                            unsigned thread)
{
    const struct op *op = walk_next_op(w, g, thread);
    uint64_t value = walk_value(w, g, INITIAL, op->location);

    return w->search->late && op->kind == OP_LOAD &&
           !walk_waits(w, g->at[thread], value);
}

bool walk_is_unwritten(const struct walk *w, const struct op *op)
{
    const struct graph_search *s = w->search;

    return s->unwritten && !op_is_plain(op) &&
           s->unwritten[op->location / 64] >> op->location % 64 & 1;
}

/* The initial value may be read, also by one that is left out since it would
 * only wait. */
static void look_at_initial(struct walk *w, int level, const struct op *op,
                            unsigned thread)
{
    if (walk_is_unwritten(w, op) &&
        !is_judged_later(w, &w->levels[level], thread) &&
        may_read_initial(w, level, thread))
        w->search->reads_unwritten(w->search->context, op, thread);
}

/* What is known rules sources out also where an RMW would only revisit: what a
 * revisit deletes is before nothing that stays. */
static void extend_read(struct walk *w, int level, unsigned thread)
{
    struct graph *g = &w->levels[level];
    const struct op *op = walk_next_op(w, g, thread);
    int last = graph_co_last(g, op->location), source;
    bool fits;

    if (w->search->late)
        walk_try_late(w, level, thread);
    if (last == INITIAL) {
        look_at_initial(w, level, op, thread);
    } else {
        int first = walk_last_known(g, op->location, walk_known(w, g, thread));

        if (first == INITIAL) {
            look_at_initial(w, level, op, thread);
            try_source(w, level, thread, INITIAL);
        }
        ROW_EACH (source, not_before(g, first, op->location) & ~row_of(last))
            try_source(w, level, thread, source);
    }
    fits = add_read(w, level, thread, last);
    MUST(fits);
}

static void try_place(struct walk *w, int level, unsigned thread, int after)
{
    struct graph *g = &w->levels[level];
    unsigned location = walk_next_op(w, g, thread)->location;

    if (row_any(graph_readers(g, after, location) & g->complete) ||
        !walk_begin_child(w))
        return; /* the one: it would be between the halves of an RMW */
    walk_begin_try(w, level);
    walk_take(w, level, walk_add_write(w, g, thread, after));
    walk_undo_try(w, level);
    walk_end_child(w);
}

static void extend_write(struct walk *w, int level, unsigned thread)
{
    struct graph *g = &w->levels[level];
    struct new_write n = {.thread = thread, .read = NONE};
    struct next_write next;
    unsigned location;
    int last, after;
    bool fits;

    find_next_write(w, g, thread, &next);
    n.op = next.op;
    n.value = next.op->operand;
    n.late = next.late == NONE ? 0 : next.late + 1;
    location = next.op->location;
    last = graph_co_last(g, location);
    revisit_reads(w, level, &n, row_none());
    if (last != INITIAL) {
        int first = walk_last_known(g, location, walk_known(w, g, thread));

        if (first == INITIAL)
            try_place(w, level, thread, INITIAL);
        ROW_EACH (after, not_before(g, first, location) & ~row_of(last))
            try_place(w, level, thread, after);
    }
    fits = walk_add_write(w, g, thread, last);
    MUST(fits);
}

/* ---- No thread goes on ---- */

/* A thread that waits for a mutex may have come first: what is left for it is
 * to displace who did. */
static void try_to_displace(struct walk *w, int level, unsigned thread)
{
    const struct graph *g = &w->levels[level];
    const struct op *op = walk_next_op(w, g, thread);
    int source = INITIAL;
    row left = g->writes[op->location];

    while (!w->search->stop) {
        uint64_t value = walk_value(w, g, source, op->location);

        if (!walk_blocks(w, g->at[thread], value) &&
            row_any(graph_readers(g, source, op->location) & g->complete) &&
            revisit_can_undo(g, thread, source, op->location) &&
            walk_begin_child(w)) {
            walk_begin_try(w, level);
            add_read(w, level, thread, source); /* for its revisits */
            walk_undo_try(w, level);
            walk_end_child(w);
        }
        if (!row_any(left))
            return;
        source = row_first(left);
        left = row_without_first(left);
    }
}

static void wake_waiters(struct walk *w, int level)
{
    const struct graph *g = &w->levels[level];

    for (unsigned t = 0; t < g->thread_count; t++) {
        if (g->created_by[t] != NONE && walk_next_op(w, g, t)->locks &&
            graph_first_twin(g, t) == t)
            try_to_displace(w, level, t);
    }
}

/* Of a graph whose other threads have all ended. */
static enum graph_end end_of_last(enum op_kind kind)
{
    return kind == OP_END    ? GRAPH_COMPLETE
           : kind == OP_FAIL ? GRAPH_FAILED
                             : GRAPH_BLOCKED;
}

static enum graph_end end_of(const struct walk *w, const struct graph *g)
{
    enum graph_end end = GRAPH_COMPLETE;

    if (w->search->last_thread != NONE)
        return end_of_last(
            behaviour_op(w->search->behaviour, w->last_at)->kind);
    if (g->failed != NONE)
        end = GRAPH_FAILED;
    for (unsigned t = 0; t < g->thread_count; t++) {
        enum op_kind kind;

        if (g->created_by[t] == NONE)
            continue;
        kind = walk_next_op(w, g, t)->kind;
        if (kind == OP_FAIL)
            end = GRAPH_FAILED;
        else if (kind != OP_END && end == GRAPH_COMPLETE)
            end = GRAPH_BLOCKED;
    }
    return end;
}

static void count_down(struct graph_search *s, const struct graph *g)
{
    int writes = row_count(g->stores);

    if (writes > s->most_writes)
        s->most_writes = writes;
    if (!--s->leaves_left)
        s->stop = true;
}

/* The last thread is shown where it came to, and is then where it was. */
void walk_end(struct walk *w, struct graph *g)
{
    struct graph_search *s = w->search;
    int last = s->last_thread;
    behaviour_node before = {0};
    enum graph_end end;

    if (last != NONE) {
        before = g->at[last];
        g->at[last] = w->last_at;
    }
    if (s->leaves_left)
        count_down(s, g);
    if (s->late)
        g->failed = NONE; /* that is to be seen when it has its sources */
    end = end_of(w, g);
    s->counts.ends[end]++;
    if (s->late)
        walk_end_late(w, g, end);
    else if (s->ended && !s->ended(s->context, g, end))
        s->stop = true;
    if (last != NONE)
        g->at[last] = before;
    s->last_thread = NONE;
}

bool walk_is_too_long(struct walk *w, int level)
{
    if (w->levels[level].count + SPARE_EVENTS * w->widest <= GRAPH_EVENTS_MAX &&
        level + w->marked + 2 < WALK_LEVELS)
        return false;
    w->search->stop = w->search->too_long = true;
    return true;
}

bool walk_extend(struct walk *w, int level)
{
    struct graph *g = &w->levels[level];
    int thread = walk_choose_thread(w, g);
    const struct op *op;

    w->extended = thread;
    if (w->search->behaviour->twins.refuted)
        w->search->stop = true;
    w->in_vain = !w->search->stop && walk_is_in_vain(w, g);
    if (w->search->stop || w->in_vain || walk_is_too_long(w, level))
        return false;
    if (thread == NONE) {
        wake_waiters(w, level);
        w->in_vain = false; /* that was one of its children */
        return false;
    }
    if (!(w->search->late && walk_is_half_late(g, (unsigned)thread)) &&
        walk_finish_alone(w, g, (unsigned)thread))
        return false;
    op = walk_next_op(w, g, (unsigned)thread);
    if (op->kind <= OP_SYNC)
        graph_know_location(g, op->location);
    if (op->cuts && op->kind <= OP_SYNC)
        walk_extend_bundle(w, level, (unsigned)thread);
    else if (op->kind == OP_STORE ||
             (w->search->late && walk_is_half_late(g, (unsigned)thread)))
        extend_write(w, level, (unsigned)thread);
    else if (op_reads(op))
        extend_read(w, level, (unsigned)thread);
    else if (op->kind == OP_CHOOSE)
        extend_choice(w, level, (unsigned)thread);
    else
        walk_add_other(w, g, (unsigned)thread, 0);
    return true;
}

static void explore(struct walk *w, int level)
{
    struct graph_search *s = w->search;
    int depth = level + w->marked;

    MUST(depth + 1 < WALK_LEVELS);
    if (depth > s->counts.deepest)
        s->counts.deepest = depth;
    while (!s->stop && walk_extend(w, level))
        ;
    if (s->stop || !is_ours(s, (uint32_t)w->way) || w->in_vain ||
        row_any(w->levels[level].claims)) {
        s->last_thread = NONE; /* whoever it was, nobody sees it */
        return;
    }
    s->at.count = (uint32_t)w->way;
    walk_end(w, &w->levels[level]);
    s->done = s->done || !w->way; /* the root is the last of all */
}

static void visit(struct walk *w, int level)
{
    if (!w->search->stop)
        explore(w, level);
}

/* ---- A search ---- */

/* The space of an earlier search: a small one takes less time than the kernel
 * needs to map its memory.  Nobody reads what is left there. */
static struct walk_space *spare;

static struct walk_space *map_space(void)
{
    struct walk_space *space =
        mmap(NULL, sizeof *space, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    MUST(space != MAP_FAILED);
    return space;
}

void walk_begin(struct walk *w, struct graph_search *s)
{
    struct walk_space *space = spare ? spare : map_space();

    spare = NULL;
    *w = (struct walk){.search = s,
                       .space = space,
                       .levels = space->levels,
                       .marks = space->marks,
                       .lone = &space->lone,
                       .widest = 1,
                       .random = 1};
    s->at.child[0] = 0;
    s->last_thread = NONE;
}

void walk_free(struct walk *w)
{
    if (spare)
        munmap(w->space, sizeof *w->space);
    else
        spare = w->space;
}

void graph_begin(struct graph *g, const struct graph_search *s)
{
    graph_clear(g);
    g->failed = NONE;
    g->releases = s->rules->releases;
    g->propagates = s->rules->propagates;
    g->orders = s->orders;
    g->behaviour = s->behaviour;
    for (unsigned t = 0; t < s->threads; t++) {
        graph_add_thread(g, t, INITIAL, behaviour_root(s->behaviour, t));
        graph_link_started(s, g, t);
    }
    while (s->lone && behaviour_op(s->behaviour, g->at[0])->kind == OP_CREATE) {
        behaviour_node at = g->at[0];
        unsigned made = behaviour_op(s->behaviour, at)->thread;

        g->at[0] = behaviour_step(s->behaviour, at, 0);
        graph_add_thread(g, made, INITIAL, behaviour_root_of(s->behaviour, at));
        graph_link_created(s, g, at);
    }
}

void graph_search_run(struct graph_search *s)
{
    struct walk w;

    walk_begin(&w, s);
    w.take = visit;
    graph_begin(&w.levels[0], s);
    explore(&w, 0);
    walk_free(&w);
}
