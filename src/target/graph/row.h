/* SPDX-License-Identifier: MIT
 *
 * A set of events as bits: the event's number is its place.  Up to 64 events
 * are one machine word, and every question below is an instruction or two.
 * ROW_WORDS is 1, 2, 4, 8 or 16; the code that uses rows is written once and
 * compiled for each.
 *
 * A row is the one typedef here: it wants &, | and ~, which structs do not
 * have.
 */
#ifndef GRAPH_ROW_H
#define GRAPH_ROW_H

#include <stdbool.h>
#include <stdint.h>

#include "graph/graph_names.h"

#ifndef ROW_WORDS
#define ROW_WORDS 1
#endif
#define ROW_BITS (64 * ROW_WORDS)

#if ROW_WORDS == 1
typedef uint64_t row;
#define ROW_WORD(r, i) (r)
#else
typedef uint64_t row __attribute__((vector_size(8 * ROW_WORDS)));
#define ROW_WORD(r, i) ((r)[i])
#endif

#if ROW_WORDS > 2 /* only functions that are inlined have rows as arguments */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#define ROW_INLINE static inline __attribute__((always_inline, unused))

ROW_INLINE row row_none(void)
{
    return (row){0};
}

#if ROW_WORDS == 1
ROW_INLINE row row_of(int e)
{
    return 1ull << e;
}

/* All events before e; e may be ROW_BITS. */
ROW_INLINE row row_below(int e)
{
    return e >= ROW_BITS ? ~0ull : (1ull << e) - 1;
}
#else
/* For each number within a byte, what has that byte in its middle: a row is cut
 * out of it.  To compute rows of several words takes many times as long. */
#define ROW_BYTES (8 * ROW_WORDS)
#define ROW_BIT(n) [n] = {[ROW_BYTES] = 1u << n}
#define ROW_BITS_BELOW(n)                                                      \
    [n] = {[0 ... ROW_BYTES - 1] = 0xff, [ROW_BYTES] = (1u << n) - 1}

static const uint8_t row_bit[8][2 * ROW_BYTES]
    __attribute__((unused)) = {ROW_BIT(0), ROW_BIT(1), ROW_BIT(2), ROW_BIT(3),
                               ROW_BIT(4), ROW_BIT(5), ROW_BIT(6), ROW_BIT(7)};
static const uint8_t row_bits_below[8][2 * ROW_BYTES]
    __attribute__((unused)) = {ROW_BITS_BELOW(0), ROW_BITS_BELOW(1),
                               ROW_BITS_BELOW(2), ROW_BITS_BELOW(3),
                               ROW_BITS_BELOW(4), ROW_BITS_BELOW(5),
                               ROW_BITS_BELOW(6), ROW_BITS_BELOW(7)};

ROW_INLINE row row_cut(const uint8_t from[8][2 * ROW_BYTES], int e)
{
    row r;

    __builtin_memcpy(&r, &from[(unsigned)e % 8][ROW_BYTES - (unsigned)e / 8],
                     sizeof r);
    return r;
}

ROW_INLINE row row_of(int e)
{
    return row_cut(row_bit, e);
}

/* All events before e; e may be ROW_BITS. */
ROW_INLINE row row_below(int e)
{
    return row_cut(row_bits_below, e);
}
#endif

ROW_INLINE bool row_has(row r, int e)
{
    return ROW_WORD(r, (unsigned)e / 64) >> (unsigned)e % 64 & 1;
}

ROW_INLINE bool row_any(row r)
{
    uint64_t any = 0;

    for (int i = 0; i < ROW_WORDS; i++)
        any |= ROW_WORD(r, i);
    return any != 0;
}

ROW_INLINE int row_count(row r)
{
    int n = 0;

    for (int i = 0; i < ROW_WORDS; i++)
        n += __builtin_popcountll(ROW_WORD(r, i));
    return n;
}

/* Of a set that has one: the first, the last. */
ROW_INLINE int row_first(row r)
{
    int i = 0;

    while (i < ROW_WORDS - 1 && !ROW_WORD(r, i))
        i++;
    return 64 * i + __builtin_ctzll(ROW_WORD(r, i));
}

ROW_INLINE int row_last(row r)
{
    int i = ROW_WORDS - 1;

    while (i > 0 && !ROW_WORD(r, i))
        i--;
    return 64 * i + 63 - __builtin_clzll(ROW_WORD(r, i));
}

ROW_INLINE row row_without_first(row r)
{
    uint64_t before = 0;

    for (int i = 0; i < ROW_WORDS; i++) {
        uint64_t word = ROW_WORD(r, i);

        ROW_WORD(r, i) = before ? word : word & (word - 1);
        before |= word;
    }
    return r;
}

/* What is left of a set that is gone through in order: word by word, which is
 * much faster than to take events out of a row of several words. */
#if ROW_WORDS == 2
struct row_rest {
    uint64_t now, next;
    int from;
};

ROW_INLINE struct row_rest row_rest_of(row set)
{
    return (struct row_rest){ROW_WORD(set, 0), ROW_WORD(set, 1), 0};
}

ROW_INLINE bool row_next(struct row_rest *rest, int *e)
{
    if (!rest->now) {
        rest->now = rest->next;
        rest->next = 0;
        rest->from = 64;
        if (!rest->now)
            return false;
    }
    *e = rest->from + __builtin_ctzll(rest->now);
    rest->now &= rest->now - 1;
    return true;
}
#else
struct row_rest {
    uint64_t words[ROW_WORDS], now;
    int at;
};

ROW_INLINE struct row_rest row_rest_of(row set)
{
    struct row_rest rest = {.at = 0};

    for (int i = 0; i < ROW_WORDS; i++)
        rest.words[i] = ROW_WORD(set, i);
    rest.now = rest.words[0];
    return rest;
}

ROW_INLINE bool row_next(struct row_rest *rest, int *e)
{
    while (!rest->now) {
        if (++rest->at >= ROW_WORDS)
            return false;
        rest->now = rest->words[rest->at];
    }
    *e = 64 * rest->at + __builtin_ctzll(rest->now);
    rest->now &= rest->now - 1;
    return true;
}
#endif

/* for (int e...): every event of the set, in order. */
#define ROW_EACH(e, set)                                                       \
    for (struct row_rest rest_##e = row_rest_of(set);                          \
         row_next(&rest_##e, &(e));)

/* before[e] is what comes before e: does that order `left`?  Takes away what
 * nothing is before, until nothing is left. */
ROW_INLINE bool row_is_acyclic(const row *before, row left)
{
    while (row_any(left)) {
        row first = row_none();
        int e;

        ROW_EACH (e, left)
            if (!row_any(before[e] & left))
                first |= row_of(e);
        if (!row_any(first))
            return false;
        left &= ~first;
    }
    return true;
}

/* The number of e when only the events of `keep` are left. */
ROW_INLINE int row_rank(row keep, int e)
{
    return row_count(keep & row_below(e));
}

/* Events from `from` on get numbers that are `by` higher, or lower: then those
 * whose numbers they get are gone.  At most 63. */
ROW_INLINE row row_move(row r, int from, int by)
{
    row high = r & ~row_below(from);
    row out = r & row_below(by < 0 ? from + by : from);

    for (int i = 0; i < ROW_WORDS; i++) {
        uint64_t word = ROW_WORD(high, i);
        uint64_t next = i + 1 < ROW_WORDS ? ROW_WORD(high, i + 1) : 0;
        uint64_t last = i > 0 ? ROW_WORD(high, i - 1) : 0;

        ROW_WORD(out, i) |= by > 0   ? word << by | last >> (64 - by)
                            : by < 0 ? word >> -by | next << (64 + by)
                                     : word;
    }
    return out;
}

/* Renumbers sets by row_rank.  What a revisit keeps are a few runs of events,
 * so a set moves run by run.  The first run stays where it is, and many sets
 * have nothing else. */
struct row_squeezer {
    int first; /* how long the first run is */
    row moved; /* all other events */
    int count;
    struct row_run {
        uint64_t bits; /* as many as it has, from bit 0 */
        unsigned from, to;
    } runs[ROW_BITS / 2 + 2 * ROW_WORDS];
};

/* Runs end where a word of the old or of the new numbers does. */
ROW_INLINE struct row_squeezer row_squeezer_for(row keep)
{
    struct row_squeezer s;
    int to = row_any(~keep) ? row_first(~keep) : ROW_BITS;

    s.first = to;
    s.moved = ~row_below(to);
    s.count = 0;
    keep &= s.moved;
    while (row_any(keep)) {
        int from = row_first(keep);
        uint64_t rest = ~(ROW_WORD(keep, from / 64) >> from % 64);
        int length = rest ? __builtin_ctzll(rest) : 64;
        int room = 64 - (from % 64 > to % 64 ? from % 64 : to % 64);
        uint64_t bits;

        if (length > room)
            length = room;
        bits = length == 64 ? ~0ull : (1ull << length) - 1;
        s.runs[s.count++] =
            (struct row_run){bits, (unsigned)from, (unsigned)to};
        ROW_WORD(keep, from / 64) &= ~(bits << from % 64);
        to += length;
    }
    return s;
}

/* Words are taken one by one: a vector of which one word is written in memory
 * is slow to read again, but nobody reads these soon. */
typedef uint64_t row_word __attribute__((may_alias));

ROW_INLINE void row_squeeze_to(row *restrict to, const row *restrict from,
                               const struct row_squeezer *s)
{
    const row_word *r = (const row_word *)from;
    row_word *out = (row_word *)to;

    *to = *from & ~s->moved;
    if (!row_any(*from & s->moved))
        return;
    for (const struct row_run *x = s->runs; x < s->runs + s->count; x++)
        out[x->to / 64] |= (r[x->from / 64] >> x->from % 64 & x->bits)
                           << x->to % 64;
}

ROW_INLINE row row_squeeze(row r, const struct row_squeezer *s)
{
    row out;

    row_squeeze_to(&out, &r, s);
    return out;
}

/* The same for `count` rows; run by run, so that the compiler takes several
 * rows of one word at a time. */
ROW_INLINE void row_squeeze_all(row *restrict to, const row *restrict from,
                                int count, const struct row_squeezer *s)
{
    row stays = ~s->moved;

    if (ROW_WORDS > 1) {
        for (int i = 0; i < count; i++)
            row_squeeze_to(&to[i], &from[i], s);
        return;
    }
    for (int i = 0; i < count; i++)
        to[i] = from[i] & stays;
    for (const struct row_run *x = s->runs; x < s->runs + s->count; x++) {
        struct row_run run = *x;

        for (int i = 0; i < count; i++)
            ROW_WORD(to[i], 0) |= (ROW_WORD(from[i], 0) >> run.from & run.bits)
                                  << run.to;
    }
}

#endif
