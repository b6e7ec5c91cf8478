/* SPDX-License-Identifier: MIT
 *
 * What the files of brute.h share: candidates and relations.  These are rows of
 * bits, row[y] has x where x -> y.
 */
#ifndef TEST_BRUTE_INSIDE_H
#define TEST_BRUTE_INSIDE_H

#include <string.h>

#include "brute.h"

#define N BRUTE_EVENTS
#define PIECES 32 /* events, with an access of several parts as so many */

enum kind { R, W, RX, WX, F, CREATE, JOIN };

struct event_ {
    enum kind kind;
    unsigned thread, index, other, fence, site;
    unsigned place;      /* of its operation */
    const struct op *op; /* as announced */
    unsigned location, parts;
    unsigned at[MINI_PARTS]; /* what it touches; the first is `location` */
    enum event_order order;
    bool is_rmw;
    bool full;      /* a CAS of order seq_cst */
    bool block;     /* an atomic block */
    bool everybody; /* a fence of every thread */
    int mate;       /* -1: none */
    /* Of each part. */
    int rf[MINI_PARTS]; /* -1: initial */
    uint64_t value[MINI_PARTS];
};

struct candidate {
    int count;
    struct event_ events[PIECES];
    int co[MINI_LOCATIONS][N];
    int co_count[MINI_LOCATIONS];
    unsigned length[MINI_THREADS];
    bool created[MINI_THREADS];
    behaviour_node at[MINI_THREADS];
};

static inline bool reads(const struct event_ *e)
{
    return e->kind == R || e->kind == RX;
}

static inline bool writes(const struct event_ *e)
{
    return e->kind == W || e->kind == WX;
}

/* The part at that location; -1: there is none. */
static inline int part_at(const struct event_ *e, unsigned location)
{
    for (unsigned i = 0; e->kind <= WX && i < e->parts; i++)
        if (e->at[i] == location)
            return (int)i;
    return -1;
}

static inline bool touches(const struct event_ *e, unsigned location)
{
    return part_at(e, location) >= 0;
}

/* ---- Relations ---- */

typedef uint32_t relation[PIECES];

/* How many rows of them are in use. */
extern int brute_rows;

static inline int co_place_at(const struct candidate *c, int w, unsigned l)
{
    for (int i = 0; i < c->co_count[l]; i++) {
        if (c->co[l][i] == w)
            return i;
    }
    return -1; /* the initial one */
}

static inline int co_place(const struct candidate *c, int w)
{
    return co_place_at(c, w, c->events[w].location);
}

static inline bool same_location(const struct candidate *c, int x, int y)
{
    for (unsigned i = 0; i < c->events[x].parts; i++) {
        if (c->events[x].kind <= WX &&
            touches(&c->events[y], c->events[x].at[i]))
            return true;
    }
    return false;
}

static inline bool po(const struct candidate *c, int x, int y)
{
    return c->events[x].thread == c->events[y].thread &&
           c->events[x].index < c->events[y].index;
}

static inline void join_to(relation to, const relation from)
{
    for (int y = 0; y < brute_rows; y++)
        to[y] |= from[y];
}

/* first;second */
static inline void compose(relation to, const relation first,
                           const relation second)
{
    relation out = {0};

    for (int y = 0; y < brute_rows; y++) {
        for (int x = 0; x < brute_rows; x++) {
            if (second[y] >> x & 1)
                out[y] |= first[x];
        }
    }
    memcpy(to, out, sizeof out);
}

static inline void close_over(relation r)
{
    for (int k = 0; k < brute_rows; k++) {
        for (int y = 0; y < brute_rows; y++) {
            if (r[y] >> k & 1)
                r[y] |= r[k];
        }
    }
}

static inline void add_identity(relation r)
{
    for (int y = 0; y < brute_rows; y++)
        r[y] |= 1u << y;
}

/* [from];r;[to] */
static inline void limit_to(relation r, uint32_t from, uint32_t to)
{
    for (int y = 0; y < brute_rows; y++)
        r[y] = to >> y & 1 ? r[y] & from : 0;
}

static inline bool is_irreflexive(const relation r)
{
    for (int y = 0; y < brute_rows; y++) {
        if (r[y] >> y & 1)
            return false;
    }
    return true;
}

static inline bool co(const struct candidate *c, int x, int y)
{
    return writes(&c->events[x]) && writes(&c->events[y]) &&
           same_location(c, x, y) && co_place(c, x) < co_place(c, y);
}

/* The write y comes after what x reads: of accesses of one part. */
static inline bool fr(const struct candidate *c, int x, int y)
{
    const struct event_ *e = &c->events[x];

    return reads(e) && writes(&c->events[y]) && same_location(c, x, y) &&
           e->mate != y &&
           (e->rf[0] < 0 ? -1 : co_place(c, e->rf[0])) < co_place(c, y);
}

/* The write half comes directly after what the read half reads. */
static inline bool is_atomic(const struct candidate *c)
{
    for (int e = 0; e < c->count; e++) {
        const struct event_ *x = &c->events[e];

        for (unsigned i = 0; i < x->parts; i++) {
            unsigned l = x->at[i];

            if (x->kind == RX && x->mate >= 0 &&
                touches(&c->events[x->mate], l) &&
                co_place_at(c, x->mate, l) !=
                    (x->rf[i] < 0 ? -1 : co_place_at(c, x->rf[i], l)) + 1)
                return false;
        }
    }
    return true;
}

/* ---- Candidates (brute.c) ---- */

/* A new event of the thread, where there is room for one. */
int brute_push(struct behaviour *b, struct candidate *c, unsigned thread,
               enum kind kind, const struct op *op);

void brute_text(const struct mini *p, const struct candidate *c,
                struct canon *to);

/* ---- Processors (brute_arm.c) ---- */

/* Are they parts of one half of one access? */
static inline bool same_half(const struct candidate *c, int x, int y)
{
    const struct event_ *a = &c->events[x], *b = &c->events[y];

    return a->thread == b->thread && a->place == b->place && a->kind == b->kind;
}

/* How many events it has if each part is one. */
int brute_pieces(const struct candidate *c);

/* Every part is an event of its own; they have one place in po. */
void brute_split(const struct candidate *c, struct candidate *to);

/* Is it one of that processor's?  It has at most PIECES. */
bool brute_is_of_processor(const struct candidate *c, struct behaviour *b,
                           enum brute_model m);
/* The same for POWER (brute_power.c). */
bool brute_is_power(const struct candidate *c, struct behaviour *b);

/* ---- C11 (brute_c11.c) ---- */

/* Is it one of C11's?  Then `races` gets its races.  Of accesses of one part.
 */
bool brute_is_c11(const struct candidate *c, struct canon_set *races);
/* Tells it to whoever judges for processors, part by part. */
void brute_tell_parts(const struct candidate *c);

/* Has it, an execution of C11, a data race? */
bool brute_has_race(const struct candidate *c);

#endif
