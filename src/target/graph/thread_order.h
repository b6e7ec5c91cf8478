/* SPDX-License-Identifier: MIT
 *
 * What a model that is given by terms (model/axioms.h) keeps in order within a
 * thread.  Its preserved program order never looks at rf or co: it depends on
 * what the thread did so far, which is its path in the trie.  So it is computed
 * once for each operation there and kept.
 *
 * On a path an operation is up to four events: a fence before it, its read, its
 * write, a fence after it, as the model compiles C.  Fences that come with an
 * access are no events of graphs.  Of an access of several parts a half is as
 * many events, of which none comes before another.
 */
#ifndef GRAPH_THREAD_ORDER_H
#define GRAPH_THREAD_ORDER_H

#include "graph/behaviour.h"
#include "model/model.h"

#define PATH_EVENTS_MAX 1024 /* of a thread; what has more is refused */

struct path_set {
    uint64_t word[PATH_EVENTS_MAX / 64];
};

/* Which operations of its thread come before an operation's halves, by their
 * numbers among the thread's events of the graph, from 0. */
struct thread_step {
    uint16_t events; /* of the graph, of the thread, before it */
    bool has_read, has_write;
    bool one_node; /* an RMW that the model takes for one */
    struct path_set before_read, before_write;
    uint32_t torn; /* what thread_order_part knows of; 0: the parts of the read
                      have one order.  Else before_read is what all have */
};

/* The same for a model with definitions of its own (POWER): what of these a
 * path alone says, before it is known who reads what. */
enum thread_seed {
    SEED_II,
    SEED_CI,
    SEED_CC,
    SEED_FENCES,
    SEED_SYNC,
    SEED_COUNT
};
struct thread_seeds {
    uint16_t events; /* as in struct thread_step */
    struct path_set before_read[SEED_COUNT], before_write[SEED_COUNT];
};

/* A load and a later store of its thread that the model does not keep in
 * order. */
struct thread_pair {
    behaviour_node load, store;
};

struct thread_orders;

struct thread_orders *thread_orders_new(void);
void thread_orders_free(struct thread_orders *o);
/* For the threads of that trie, on that model, with its first mapping;
 * `started` of them are there from the beginning.  What is known of another
 * trie is forgotten. */
void thread_orders_begin(struct thread_orders *o, struct behaviour *b,
                         const struct model *m, unsigned started);

/* The operation at `node`, if it turns out so (struct effect; of a LOAD, STORE
 * or FREE its `writes` alone is looked at).  Lent until the next begin. */
const struct thread_step *thread_order_of(struct thread_orders *o,
                                          behaviour_node node,
                                          const struct effect *effect);

/* Of a step that is torn: what comes before that part of its read. */
const struct path_set *thread_order_part(const struct thread_orders *o,
                                         const struct thread_step *s, int part);

const struct thread_seeds *thread_seeds_of(struct thread_orders *o,
                                           behaviour_node node,
                                           const struct effect *effect);

/* All operations that led to the node are looked at. */
void thread_order_until(struct thread_orders *o, behaviour_node node);

/* The behaviour of the threads. */
struct behaviour *thread_orders_trie(struct thread_orders *o);

/* Some path has too many events, or dependencies that nobody could keep: then
 * what was computed is not the model's order. */
bool thread_orders_is_full(const struct thread_orders *o);

/* Was there an operation that some mappings of the processor keep in order and
 * others do not? */
bool thread_orders_differ(const struct thread_orders *o);

/* A load and a later store of a thread, not kept in order, where others read
 * what the store writes, then write, and so on, until one writes what the load
 * reads: among all that was asked for.  If there is none, no execution has a
 * cycle of po and rf (models.md 5).  `all_shared`: any other thread might. */
bool thread_orders_unprotected(const struct thread_orders *o, bool all_shared,
                               struct thread_pair *to);

/* ---- Late loads ----
 *
 * Which loads may be late, and with which values: what was met so far.  To find
 * all executions with a cycle of po and rf, search with these until there is
 * nothing new (graph_late.c). */

/* Nothing is known yet.  `tracks`: dependencies are known, so that a write of
 * one execution is found again in another by what it comes after. */
void thread_orders_begin_late(struct thread_orders *o, bool tracks);

/* Are values of writes noted?  From thread_orders_next_late on, until all are
 * known. */
bool thread_orders_notes_values(const struct thread_orders *o);

/* Takes the pairs that were met since.  False: nothing is new since the last
 * time, values included. */
bool thread_orders_next_late(struct thread_orders *o);

/* Some load may be late that cannot be explored so, or there is no room. */
bool thread_orders_lacks_late(const struct thread_orders *o,
                              struct thread_pair *to);

/* There is no room for one more. */
void thread_orders_lose_late(struct thread_orders *o);

/* May that operation, which reads, be late? */
bool thread_orders_may_be_late(const struct thread_orders *o,
                               const struct op *op);

/* Does its read, if it turns out so, come before whatever its thread writes
 * later?  Then it is never late. */
bool thread_orders_shields(struct thread_orders *o, behaviour_node node,
                           const struct effect *effect);

/* What the model puts before a write in every execution that has its path. */
const struct path_set *thread_orders_guards(struct thread_orders *o,
                                            behaviour_node node,
                                            const struct effect *effect);

/* A way to come by a value: writes that are before it in the model's order,
 * each with its value.  They have numbers (thread_orders_write).  A value may
 * have several; where there are too many, one that all have in common. */
#define LATE_WAYS_MAX 8
struct late_ways {
    unsigned count;
    struct path_set way[LATE_WAYS_MAX];
};

/* A write, wherever it comes up. */
struct late_write {
    uint32_t thread, location, site;
    uint32_t turn; /* how many of these were before it */
    uint64_t value;
};
/* Its number; LATE_UNKNOWN: there is no room. */
#define LATE_UNKNOWN PATH_EVENTS_MAX
unsigned thread_orders_write(struct thread_orders *o,
                             const struct late_write *w);

/* Of no write. */
void late_ways_begin(struct late_ways *ways);
void late_ways_copy(struct late_ways *to, const struct late_ways *from);
/* One of each, together; those that need one write with two values go. */
void late_ways_join(const struct thread_orders *o, struct late_ways *ways,
                    const struct late_ways *more);
/* Any of both. */
void late_ways_unite(const struct thread_orders *o, struct late_ways *ways,
                     const struct late_ways *more);
/* And that write; `comes`: which none of them may have come by. */
void late_ways_add(const struct thread_orders *o, struct late_ways *ways,
                   unsigned write, bool comes);

/* What others write there that a late load may read, and how they come by it.
 * Grows. */
struct late_value {
    uint64_t value;
    uint32_t thread;
    struct late_ways ways;
};
unsigned thread_orders_late_values(struct thread_orders *o, unsigned location,
                                   const struct late_value **to);

/* Grows whenever there is another value, or another way to come by one: what
 * was found out at the same age is still so. */
uint64_t thread_orders_age(const struct thread_orders *o);

/* A number for a write that is noted, which no other has; not 0. */
uint32_t thread_orders_number_note(struct thread_orders *o);

/* A write that was added to a graph. */
void thread_orders_note_value(struct thread_orders *o, unsigned location,
                              const struct late_value *value);

#endif
