/* SPDX-License-Identifier: MIT
 *
 * What the files of thread_order.h share: paths and the terms of a model.
 */
#ifndef GRAPH_THREAD_ORDER_INSIDE_H
#define GRAPH_THREAD_ORDER_INSIDE_H

#include "graph/thread_order.h"

#define PATH_POOL_MAX (1u << 20)
#define STEPS_MAX (1u << 20)
#define STEP_SHAPES (1u << 16) /* chains of them */
#define TORN_MAX (1u << 14)
#define TERMS_MAX 32
#define LETS_MAX 16
#define PAIRS_MAX 4096
#define SHARED_LOCATIONS 1024
#define LOCKS_MAX 64
#define PATH_THREADS 32
#define LATE_SITES_MAX 64
#define LATE_VALUES_MAX 64

/* ---- Sets ---- */

static inline bool path_has(const struct path_set *s, unsigned i)
{
    return s->word[i / 64] >> i % 64 & 1;
}

static inline void path_add(struct path_set *s, unsigned i)
{
    s->word[i / 64] |= 1ull << i % 64;
}

static inline void path_add_some(struct path_set *s, unsigned first,
                                 unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        path_add(s, first + i);
}

static inline void path_drop(struct path_set *s, unsigned i)
{
    s->word[i / 64] &= ~(1ull << i % 64);
}

static inline void path_unite(struct path_set *to, const struct path_set *from)
{
    for (unsigned i = 0; i < PATH_EVENTS_MAX / 64; i++)
        to->word[i] |= from->word[i];
}

/* All below that. */
static inline void path_add_below(struct path_set *to, unsigned end)
{
    for (unsigned i = 0; i < end / 64; i++)
        to->word[i] = ~0ull;
    if (end % 64)
        to->word[end / 64] |= (1ull << end % 64) - 1;
}

/* Of a set whose members are below `end`. */
static inline bool path_is_empty(const struct path_set *s, unsigned end)
{
    uint64_t any = 0;

    for (unsigned i = 0; i * 64 < end; i++)
        any |= s->word[i];
    return !any;
}

/* The first member from `i` on, of a set whose members are below `end`;
 * PATH_EVENTS_MAX: there is none. */
static inline unsigned path_next(const struct path_set *s, unsigned i,
                                 unsigned end)
{
    while (i < end) {
        uint64_t left = s->word[i / 64] >> i % 64;

        if (left)
            return i + (unsigned)__builtin_ctzll(left);
        i = (i / 64 + 1) * 64;
    }
    return PATH_EVENTS_MAX;
}

#define PATH_EACH(i, set, end)                                                 \
    for (i = path_next(&(set), 0, end); i < PATH_EVENTS_MAX;                   \
         i = path_next(&(set), i + 1, end))

/* ---- Paths ---- */

struct path_event {
    uint32_t marks;   /* enum relation_mark */
    int16_t location; /* -1: none */
    int16_t number;   /* of the thread's events of the graph; -1: it is none */
    int16_t mate;     /* of a write: the (first) read of its RMW, or -1 */
    uint8_t mates;    /* how many these are */
    uint8_t part;     /* of its half: which, from 0 */
    uint64_t held;    /* mutexes: bits of their numbers */
    bool pair;        /* of exclusives */
    uint16_t node;    /* the first event of the path that is one node with it */
    uint8_t nodes;    /* how many these are; 1: it is alone */
    struct path_set depends[DEPENDS_KINDS]; /* reads of the path */
    struct path_set closed;  /* what ppo puts before it, closed */
    struct path_set guarded; /* the same without terms that do not protect */
};

/* The path that is looked at. */
struct path {
    unsigned count, places;
    uint64_t held; /* mutexes that the thread has */
    bool alone;    /* it is the first one, and has made no other yet */
    struct path_event *events[PATH_EVENTS_MAX];
    uint32_t place_steps[DEPENDS_PLACES];
    struct path_set branches; /* reads that branches of the compiled code were
                                 decided by, and store exclusives */
};

struct location_set {
    uint64_t word[SHARED_LOCATIONS / 64];
};

/* What the order of a step depends on (thread_order_shapes.c). */
struct step_shape {
    struct op op;             /* without its values */
    uint32_t how;             /* it turned out */
    uint32_t parent;          /* the step before it; 0: none */
    uint32_t creator, thread; /* of a root: who made it; which it is */
};

/* The step of a node that turned out so. */
struct known_step {
    behaviour_node node;
    uint32_t how, step;
    uint32_t next; /* of the same node; 0: none */
};

struct kept_step {
    struct step_shape shape;
    uint32_t next;               /* of its chain of shapes; 0: none */
    behaviour_node node;         /* the first of that shape */
    uint32_t parent;             /* the step before it; 0: none */
    uint32_t at;                 /* its events, in the pool */
    uint16_t first, path_events; /* its first; how many the path has then */
    uint16_t events_after;       /* of the graph */
    uint16_t place;
    int16_t read, write;   /* its halves, on the path, or the first of each; or
                              -1 */
    uint8_t reads, writes; /* how many these are */
    bool pair, swaps;      /* of exclusives; a CAS that succeeded */
    bool alone;            /* then, as in struct path */
    int8_t shields;        /* thread_orders_shields: 1, -1, or 0: not known */
    uint64_t held;
    struct path_set branches;
    struct path_set guards; /* of its write, in numbers of the graph's events */
    struct thread_step step;
};

struct thread_orders {
    struct behaviour *b;
    const struct model *model;
    const struct model_mapping *mapping; /* NULL: recipes */
    /* Of a model that keeps only what all its mappings keep: the orders of the
     * second one; or NULL. */
    struct thread_orders *also;
    struct thread_orders *spare; /* what `also` was, or is */
    uint8_t parts;               /* enum model_parts */
    bool merges, has_picks, full, differ, starts_alone;
    unsigned term_count;
    struct relation_tree terms[TERMS_MAX];
    bool recursive[TERMS_MAX];  /* it speaks of ppo itself */
    bool unprotects[TERMS_MAX]; /* what it orders may read elsewhere */
    bool has_unprotecting;
    /* Of a model that has no terms, but definitions. */
    bool by_lets;
    const struct relation_let *lets;
    struct relation_tree let_trees[LETS_MAX];
    uint8_t seed_lets[SEED_COUNT]; /* which of these */
    struct path path;
    /* For thread_orders_unprotected. */
    uint32_t pair_count;
    bool pairs_lost;
    struct kept_pair {
        struct thread_pair pair;
        uint16_t thread, load, store; /* locations */
        bool rmw;                     /* the load is one of these */
        uint64_t held;                /* at the load */
    } pairs[PAIRS_MAX];
    uint32_t readers[SHARED_LOCATIONS], writers[SHARED_LOCATIONS]; /* threads */
    unsigned location_count; /* how many of these are used */
    /* What a thread writes after it has read that; what others write that it
     * made after that; and the threads that it has joined before it writes
     * that. */
    struct location_set pieces[PATH_THREADS][SHARED_LOCATIONS];
    struct location_set made[PATH_THREADS][SHARED_LOCATIONS];
    uint32_t joined[PATH_THREADS][SHARED_LOCATIONS];
    /* Mutexes that a thread has whenever it writes there; without a writer it
     * says nothing. */
    uint64_t held[PATH_THREADS][SHARED_LOCATIONS];
    uint32_t lock_count;
    uint16_t locks[LOCKS_MAX]; /* locations */
    /* For late loads. */
    bool notes_values, tracks, values_grew, values_lost;
    uint32_t late_count; /* sites of such loads */
    uint32_t late_sites[LATE_SITES_MAX];
    uint16_t value_count[SHARED_LOCATIONS];
    bool has_more[SHARED_LOCATIONS]; /* values than there is room for */
    struct late_value values[SHARED_LOCATIONS][LATE_VALUES_MAX];
    uint64_t age;
    uint32_t note_count;
    unsigned write_count;
    struct late_write writes[LATE_UNKNOWN];
    struct path_set rivals[LATE_UNKNOWN]; /* the same with other values */
    uint32_t known_count, step_count, event_count;
    uint32_t torn_count;
    struct path_set torn[TORN_MAX];
    uint32_t first[BEHAVIOUR_NODES_MAX]; /* of a node, in `known`; 0: none */
    struct known_step known[STEPS_MAX];
    uint32_t shapes[STEP_SHAPES]; /* the first of each chain */
    struct kept_step steps[STEPS_MAX];
    struct thread_seeds seeds[STEPS_MAX]; /* of each step; by_lets only */
    struct path_event events[PATH_POOL_MAX];
};

/* ---- Steps by what they are: thread_order_shapes.c ---- */

void thread_orders_forget_steps(struct thread_orders *o);

/* The step of the node that turned out so; 0: it is not known yet. */
uint32_t thread_orders_find(const struct thread_orders *o, behaviour_node node,
                            const struct effect *effect);

/* From now on it is, after `parent`: a step of the same shape, or a new one,
 * which is to be filled.  0: there is no room. */
uint32_t thread_orders_add(struct thread_orders *o, behaviour_node node,
                           const struct effect *effect, uint32_t parent,
                           bool *is_new);

/* ---- Terms: thread_order_terms.c ---- */

void thread_orders_read(struct thread_orders *o, const struct model_axioms *a);

/* What the tree, of a term or a definition, has before that event. */
struct path_set path_before(const struct thread_orders *o, const struct path *p,
                            const struct relation_tree *t, bool guarded,
                            unsigned event);

/* The event that was added last: what comes before it. */
void order_event(struct thread_orders *o, struct path *p, unsigned event);

/* The last events of the path, from `first` on, are one node. */
void merge_events(struct path *p, unsigned first);

/* The same, but what comes after one of them need not come after all. */
void share_order(struct path *p, unsigned first);

/* ---- Definitions: thread_order_seeds.c ---- */

void thread_orders_read_lets(struct thread_orders *o,
                             const struct model_axioms *a);

/* As order_event: what protects a store from being early. */
void protect_event(struct thread_orders *o, struct path *p, unsigned event);

/* Of the read or write of a new step; -1: it has none. */
void find_seeds(const struct thread_orders *o, const struct path *p, int event,
                struct path_set seeds[SEED_COUNT]);

/* ---- Pairs: thread_order_pairs.c ---- */

void thread_orders_forget(struct thread_orders *o);

/* The mutexes that its thread has after the operation. */
uint64_t thread_orders_hold(struct thread_orders *o, const struct op *op,
                            const struct effect *effect, uint64_t held);

/* Looks at a new step. */
void thread_orders_note(struct thread_orders *o, const struct path *p,
                        uint32_t step, const struct op *op);

/* ---- Ways from a store back to a load: thread_order_cycles.c ---- */

void thread_orders_forget_pieces(struct thread_orders *o);

/* The step writes. */
void thread_orders_note_pieces(struct thread_orders *o, const struct path *p,
                               uint32_t step, unsigned location);

/* May what the thread of the pair wrote lead, from thread to thread, to a write
 * that its load reads? */
bool thread_orders_leads_back(const struct thread_orders *o,
                              const struct kept_pair *pair);

#endif
