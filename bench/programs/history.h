/* SPDX-License-Identifier: MIT
 *
 * The oracle of a data type.  Each thread writes down its operations and what
 * they returned; explained() looks for an interleaving in which the same
 * operations, each one step of a sequential queue, set or deque, return the
 * same.  What main did before the threads began comes first, what it finds
 * after they ended comes last.
 *
 * Values that are put in are different and between 0 and 64; that none comes
 * out twice is looked at on the way.
 *
 * The notes are ghosts: no model reorders them, and no cycle runs through them.
 */
#ifndef HISTORY_H
#define HISTORY_H

#include "harness.h"

#define BEFORE 0 /* thread numbers 1, 2, ... lie between */
#define AFTER 9
#define EMPTY (-1000)

enum operation { PUT_LEFT, PUT_RIGHT, GET_LEFT, GET_RIGHT, ADD, REMOVE, HAS };

struct note {
    enum operation operation;
    int argument, result;
};

static fencer_ghost struct history {
    struct note note[8];
    int count;
} history[AFTER + 1];

static fencer_ghost int taken[64];

static inline int note(int thread, enum operation operation, int argument,
                       int result)
{
    struct history *h = &history[thread];

    h->note[h->count++] = (struct note){operation, argument, result};
    if ((operation == GET_LEFT || operation == GET_RIGHT) && result > 0 &&
        result < 64)
        assert(taken[result]++ == 0);
    return result;
}

/* A sequence that serves as queue (put right, get left), deque or set. */
struct contents {
    int item[16], count;
};

static inline int contents_find(const struct contents *c, int value)
{
    for (int i = 0; i < c->count; i++)
        if (c->item[i] == value)
            return i;
    return -1;
}

static inline void contents_insert(struct contents *c, int at, int value)
{
    for (int i = c->count++; i > at; i--)
        c->item[i] = c->item[i - 1];
    c->item[at] = value;
}

static inline int contents_take(struct contents *c, int at)
{
    int value;

    if (at < 0 || at >= c->count)
        return EMPTY;
    value = c->item[at];
    c->count--;
    for (int i = at; i < c->count; i++)
        c->item[i] = c->item[i + 1];
    return value;
}

/* Does the operation, as one step; what it returns. */
static inline int contents_step(struct contents *c, const struct note *n)
{
    int at = contents_find(c, n->argument);

    switch (n->operation) {
    case PUT_LEFT:
        contents_insert(c, 0, n->argument);
        return 0;
    case PUT_RIGHT:
        contents_insert(c, c->count, n->argument);
        return 0;
    case GET_LEFT:
        return contents_take(c, 0);
    case GET_RIGHT:
        return contents_take(c, c->count - 1);
    case ADD:
        if (at < 0)
            contents_insert(c, c->count, n->argument);
        return at < 0;
    case REMOVE:
        contents_take(c, at);
        return at >= 0;
    case HAS:
        return at >= 0;
    }
    return EMPTY;
}

static inline bool explained_in_turn(struct contents *c, int thread)
{
    const struct history *h = &history[thread];

    for (int i = 0; i < h->count; i++)
        if (contents_step(c, &h->note[i]) != h->note[i].result)
            return false;
    return true;
}

/* The threads' operations from place at[t] on, after contents c. */
static inline bool explained_from(struct contents c, int at[AFTER])
{
    bool all_done = true;

    for (int t = 1; t < AFTER; t++) {
        const struct note *n = &history[t].note[at[t]];
        struct contents next = c;
        bool possible;

        if (at[t] == history[t].count)
            continue;
        all_done = false;
        if (contents_step(&next, n) != n->result)
            continue;
        at[t]++;
        possible = explained_from(next, at);
        at[t]--;
        if (possible)
            return true;
    }
    return all_done && explained_in_turn(&c, AFTER);
}

static inline bool explained(void)
{
    struct contents c = {{0}, 0};
    int at[AFTER] = {0};

    return explained_in_turn(&c, BEFORE) && explained_from(c, at);
}

#endif
