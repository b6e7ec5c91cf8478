/* SPDX-License-Identifier: MIT
 *
 * What the two halves of a search share: going forward (graph_search.c) and
 * going back (graph_revisit.c).
 */
#ifndef GRAPH_GRAPH_SEARCH_INSIDE_H
#define GRAPH_GRAPH_SEARCH_INSIDE_H

#include "event/must.h"
#include "graph/graph_search.h"

#define WALK_LEVELS 4095 /* and one to spare */

struct walk_space;

/* Memory as it is when a thread is alone: what is last in co, and what it wrote
 * since, in that round. */
struct lone_memory {
    uint64_t round, written[GRAPH_LOCATIONS_MAX];
    uint64_t values[GRAPH_LOCATIONS_MAX];
};

/* The joins that led from one node to another when a thread was last. */
struct lone_joins {
    behaviour_node from, to;
    unsigned count;
    struct {
        const struct op *join;
        uint64_t result;
    } joined[GRAPH_THREADS_MAX];
};

/* A search under way.  A child that has all its parent's events is made in the
 * parent, whose mark says how to go back; a revisit of levels[n] is made in
 * levels[n + 1]. */
struct walk {
    struct graph_search *search;
    struct walk_space *space; /* where these are */
    struct graph *levels;
    struct graph_mark *marks;
    int marked;   /* how many of these are in use */
    int way;      /* children that are under way: how far down the tree it is */
    int extended; /* the thread that went on last, or NONE */
    int widest;   /* most parts that any operation had so far */
    bool in_vain; /* the graph that was to be extended leads to no execution */
    behaviour_node last_at; /* of search->last_thread */
    uint64_t written;       /* by the RMW that walk_give_source began last */
    struct lone_memory *lone;
    struct lone_joins joins;
    /* The child in levels[level] is ready. */
    void (*take)(struct walk *w, int level);
    uint64_t random;
};

void walk_begin(struct walk *w, struct graph_search *s);
void walk_free(struct walk *w);

/* Until walk_undo_try, levels[level] may grow. */
static inline void walk_begin_try(struct walk *w, int level)
{
    MUST(w->marked < WALK_LEVELS);
    w->search->counts.tries++;
    graph_set_mark(&w->marks[w->marked++], &w->levels[level]);
}

static inline void walk_undo_try(struct walk *w, int level)
{
    graph_undo(&w->levels[level], &w->marks[--w->marked]);
}

/* The next child is about to be made.  False: not here; it was explored before,
 * or others do it, or it is enough.  Then, walk_end_child: it is done. */
bool walk_begin_child(struct walk *w);
void walk_end_child(struct walk *w);

/* The child in levels[level] was made; or it fits no execution. */
void walk_take(struct walk *w, int level, bool fits);

/* One more event of some thread: all ways but the last are children, the last
 * is taken in place.  False: no thread can go on; there may be children all the
 * same. */
bool walk_extend(struct walk *w, int level);

/* The graph has no room for what one step adds at most, with all its revisits:
 * the search stops. */
bool walk_is_too_long(struct walk *w, int level);

/* Some thread waits by an old write, and will do so in all that follows
 * (graph_vain.c). */
bool walk_is_in_vain(struct walk *w, const struct graph *g);

/* The thread is the last one: goes to its end.  False: it is not, or others
 * will follow, or it has a choice.  graph_lone.c */
bool walk_finish_alone(struct walk *w, const struct graph *g, unsigned thread);

/* Counts a graph that cannot grow, and shows it. */
void walk_end(struct walk *w, struct graph *g);

/* The thread to extend; NONE: none can go on. */
int walk_choose_thread(struct walk *w, struct graph *g);

bool walk_is_enabled(struct walk *w, const struct graph *g, unsigned thread);

/* The next event of an enabled thread that is no access; `value`: of a choice.
 */
void walk_add_other(struct walk *w, struct graph *g, unsigned thread,
                    uint64_t value);

/* Of a choice: would that number let a mutex go, take it again and stop there
 * (struct op)?  Whatever the others did meanwhile, so no execution has it. */
bool walk_leaves_out(const struct walk *w, const struct graph *g,
                     unsigned thread, uint64_t value);

/* The thread's store, directly after that one in co.  False: it fits no
 * execution. */
bool walk_add_write(struct walk *w, struct graph *g, unsigned thread,
                    int after);

/* Freed memory is not accessed any more, nor freed again: marks the graph as
 * failed where a new access, or a new FREE, or anything, breaks that. */
void walk_look_at_access(struct walk *w, struct graph *g, int e);
void walk_look_at_free(struct walk *w, struct graph *g, int f);
void walk_look_at_frees(struct walk *w, struct graph *g);

/* Of a new FREE: its thread's accesses to that memory. */
row walk_own_touching(const struct walk *w, const struct graph *g, int e,
                      const struct op *op);

static inline const struct op *
walk_next_op(const struct walk *w, const struct graph *g, unsigned thread)
{
    return behaviour_op(w->search->behaviour, g->at[thread]);
}

/* The thread went on, to that node. */
static inline void walk_come_to(const struct graph_search *s, struct graph *g,
                                unsigned thread, behaviour_node to)
{
    g->at[thread] = to;
    if (behaviour_op(s->behaviour, to)->kind >= OP_END)
        g->ended |= 1u << thread;
}

/* Of the thread's next access: what it may not read, or write, anything before
 * in co (struct rules). */
ROW_INLINE row walk_known(const struct walk *w, const struct graph *g,
                          unsigned thread)
{
    const struct graph_search *s = w->search;
    row known =
        s->rules->known(s->model, g, thread, walk_next_op(w, g, thread));

    return g->has_twins ? known | graph_known_by_twin(g, thread) : known;
}

/* The last in co of what is known of the location: what comes before that is
 * neither read nor written before.  INITIAL: nothing is known. */
ROW_INLINE int walk_last_known(const struct graph *g, unsigned location,
                               row known)
{
    row left = g->writes[location] & known;
    int last = INITIAL;

    while (row_any(left)) {
        last = row_last(left);
        left &= g->co_after[last];
    }
    return last;
}

/* What the OP_JOIN returns: what the thread, which has ended, did. */
static inline uint64_t walk_result_of(const struct walk *w,
                                      const struct graph *g,
                                      const struct op *join)
{
    return join->operand ? walk_next_op(w, g, join->thread)->operand : 0;
}

static inline bool op_reads(const struct op *op)
{
    return op->kind <= OP_SYNC && op->kind != OP_STORE;
}

static inline uint64_t walk_mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

static inline uint64_t walk_random(struct walk *w)
{
    return w->random = walk_mix(w->random, 0x2545f4914f6cdd1dull);
}

/* Of the RMW `read`, which walk_give_source has just begun: explores what its
 * write revisits, then adds the write.  False: the graph is of no use. */
bool walk_finish_rmw(struct walk *w, int level, int read);

uint64_t walk_value(const struct walk *w, const struct graph *g, int write,
                    unsigned location);
/* The value of the last write.  The graph may know nothing of the location yet:
 * that must not matter, for names of locations are given as they come. */
static inline uint64_t walk_last_value(const struct walk *w,
                                       const struct graph *g, unsigned location)
{
    int last =
        location < g->location_count ? graph_co_last(g, location) : INITIAL;

    return walk_value(w, g, last, location);
}

/* Where the thread, whose next operation is a bundle, is after that has read
 * the last write of all. */
behaviour_node walk_after_last(const struct walk *w, const struct graph *g,
                               unsigned thread);

/* Is the initial value of what it accesses what malloc left there? */
bool walk_is_unwritten(const struct walk *w, const struct op *op);

/* Would the thread at that node block at once on that value? */
bool walk_blocks(struct walk *w, behaviour_node node, uint64_t value);

/* The same, with nothing but some fences of its own before that?  Then the read
 * is in vain as if these were not there. */
bool walk_waits(struct walk *w, behaviour_node node, uint64_t value);
bool walk_waits_at(struct walk *w, behaviour_node at);

/* May reads of that location in vain be left out?  Where races are looked for
 * one that is atomic may race with what is not, and which writes it knows
 * depends on its source; on SC so it is for one that is not. */
static inline bool walk_drops(const struct walk *w, const struct graph *g,
                              unsigned location, bool is_plain)
{
    return w->search->drops && !(w->search->races && is_plain) &&
           !((g->releases || w->search->races) &&
             row_any(g->plain & (g->writes[location] | g->reads[location])));
}

/* Gives the read that source, or begins the RMW that it then is.  `*writes`:
 * which of the two; an RMW still has to be finished. */
bool walk_give_source(struct walk *w, struct graph *g, int read, int source,
                      bool *writes);

/* ---- Equal threads: graph_twins.c ---- */

/* A thread that is there from the beginning, or that OP_CREATE makes: its equal
 * among those before it. */
void graph_link_started(const struct graph_search *s, struct graph *g,
                        unsigned thread);
void graph_link_created(const struct graph_search *s, struct graph *g,
                        behaviour_node create);

/* Of a new access, or one that has a new source: is it explored here? */
bool graph_twins_fit(const struct graph_search *s, const struct graph *g,
                     int e);

static inline bool walk_fits_twins(const struct walk *w, const struct graph *g,
                                   int e)
{
    return !g->has_twins || graph_twins_fit(w->search, g, e);
}

/* ---- Late loads: graph_late.c ---- */

/* The thread's next read, as a late load with every value that it might have:
 * children of levels[level]. */
void walk_try_late(struct walk *w, int level, unsigned thread);

/* Is the read of the thread's next operation there, late, and its write to
 * come? */
bool walk_is_half_late(const struct graph *g, unsigned thread);

/* That write: as an OP_STORE. */
struct op walk_late_write(const struct walk *w, const struct graph *g,
                          unsigned thread);

/* A graph that cannot grow: every way to give its late loads sources. */
void walk_end_late(struct walk *w, const struct graph *g, enum graph_end end);

/* ---- Bundles: graph_bundle.c ---- */

/* An access of several parts as it unfolds.  Which part is next may depend, in
 * an atomic block, on the values of those before. */
struct unfolding {
    struct behaviour *behaviour;
    const struct op *op;                 /* where it begins */
    behaviour_node at[OP_PARTS_MAX + 1]; /* of a block: before each part; else
                                            the first alone */
    uint64_t values[OP_PARTS_MAX];
};

static inline struct unfolding unfold(const struct walk *w, behaviour_node at)
{
    struct unfolding u;

    u.behaviour = w->search->behaviour;
    u.op = behaviour_op(u.behaviour, at);
    u.at[0] = at;
    return u;
}

/* The location of part i, if those before have their values; NONE: there is no
 * more. */
static inline int unfold_part(const struct unfolding *u, int i)
{
    const struct op *op;

    if (u->op->kind != OP_ATOMIC)
        return i < (int)op_parts(u->op) ? u->op->location + i : NONE;
    op = behaviour_op(u->behaviour, u->at[i]);
    return op->kind == OP_ATOMIC && op->part == i ? op->location : NONE;
}

static inline bool unfold_is_ghost(const struct unfolding *u, int i)
{
    return u->op->kind == OP_ATOMIC
               ? behaviour_op(u->behaviour, u->at[i])->ghost
               : u->op->ghost;
}

static inline void unfold_value(struct unfolding *u, int i, uint64_t value)
{
    MUST(i < OP_PARTS_MAX);
    u->values[i] = value;
    if (u->op->kind == OP_ATOMIC)
        u->at[i + 1] = behaviour_step(u->behaviour, u->at[i], value);
}

/* All `count` parts have values: where the thread is then, and how the access
 * turned out; what it writes. */
behaviour_node unfold_end(const struct unfolding *u, int count);
struct effect unfold_effect(const struct unfolding *u, int count);
void unfold_puts(const struct unfolding *u, int count, struct graph_puts *puts);

/* As what these are to events alone. */
void walk_extend_bundle(struct walk *w, int level, unsigned thread);
bool walk_give_sources(struct walk *w, struct graph *g, int read,
                       const int *sources, bool *writes);
bool walk_finish_bundle(struct walk *w, int level, int read);
void walk_split_store(const struct walk *w, const struct op *op,
                      struct graph_puts *puts);

/* An access has so many parts.  False: there is no room for more like it. */
bool walk_fits_parts(struct walk *w, int level, int parts);

/* A write that is to be added: a plain one of thread `thread`, or the one of
 * the RMW `read`. */
struct new_write {
    unsigned thread;
    const struct op *op;
    uint64_t value;
    int read;                      /* or NONE */
    const struct graph_puts *puts; /* of a bundle, instead of the value */
    int late; /* number + 1 of the late load whose RMW it is; 0: of none */
};

/* Makes all older reads that the write may be the source of read it, each in a
 * graph of its own.  `rivals`: RMWs that must not stay as they are. */
void revisit_reads(struct walk *w, int level, const struct new_write *write,
                   row rivals);

/* May the RMW of the thread read `source`, which another RMW reads already:
 * can a revisit still undo that one? */
bool revisit_can_undo(const struct graph *g, unsigned thread, int source,
                      unsigned location);

#endif
