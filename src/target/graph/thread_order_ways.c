/* SPDX-License-Identifier: MIT
 *
 * How values come about (struct late_ways).  A value that a late load may read
 * is written before that in the model's order, and so is what its writer read
 * before it had to write, and so on: these writes are a way to come by the
 * value.  No write is part of its own, and none has two values.  So an RMW that
 * adds 1 to what others make of its own result is found to do so, and brings no
 * new values for ever.
 *
 * What one way has another need not have: of two, one of which has all that the
 * other has, the smaller is kept.
 */
#include <string.h>

#include "graph/thread_order_inside.h"

static bool is_same(const struct late_write *a, const struct late_write *b)
{
    return a->thread == b->thread && a->location == b->location &&
           a->site == b->site && a->turn == b->turn;
}

unsigned thread_orders_write(struct thread_orders *o,
                             const struct late_write *w)
{
    unsigned n = 0;

    if (!o->tracks)
        return LATE_UNKNOWN;
    while (n < o->write_count &&
           (o->writes[n].value != w->value || !is_same(&o->writes[n], w)))
        n++;
    if (n < o->write_count || n == LATE_UNKNOWN)
        return n;
    o->writes[n] = *w;
    o->rivals[n] = (struct path_set){{0}};
    for (unsigned i = 0; i < n; i++) {
        if (!is_same(&o->writes[i], w))
            continue;
        path_add(&o->rivals[n], i);
        path_add(&o->rivals[i], n);
    }
    return o->write_count++;
}

/* ---- Sets ----
 *
 * Of the writes that were met, which are few: only the first words of a set
 * have any. */

static unsigned words_of(const struct thread_orders *o)
{
    return (o->write_count + 63) / 64;
}

static bool is_part(const struct path_set *a, const struct path_set *of,
                    unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        if (a->word[i] & ~of->word[i])
            return false;
    return true;
}

static bool meet(const struct path_set *a, const struct path_set *b,
                 unsigned words)
{
    for (unsigned i = 0; i < words; i++)
        if (a->word[i] & b->word[i])
            return true;
    return false;
}

static void keep_common(struct path_set *a, const struct path_set *b)
{
    for (unsigned i = 0; i < PATH_EVENTS_MAX / 64; i++)
        a->word[i] &= b->word[i];
}

/* Is some write in it with two values? */
static bool differs(const struct thread_orders *o, const struct path_set *way)
{
    unsigned words = words_of(o);

    for (unsigned i = 0; i < words; i++)
        for (uint64_t left = way->word[i]; left; left &= left - 1)
            if (meet(way, &o->rivals[64 * i + (unsigned)__builtin_ctzll(left)],
                     words))
                return true;
    return false;
}

/* ---- Ways ---- */

void late_ways_begin(struct late_ways *ways)
{
    ways->count = 1;
    ways->way[0] = (struct path_set){{0}};
}

static void put_way(const struct thread_orders *o, struct late_ways *to,
                    const struct path_set *way)
{
    unsigned kept = 0, words = words_of(o);

    for (unsigned i = 0; i < to->count; i++)
        if (is_part(&to->way[i], way, words))
            return;
    for (unsigned i = 0; i < to->count; i++)
        if (!is_part(way, &to->way[i], words))
            to->way[kept++] = to->way[i];
    to->count = kept;
    if (kept < LATE_WAYS_MAX) {
        to->way[to->count++] = *way;
        return;
    }
    for (unsigned i = 1; i < kept; i++)
        keep_common(&to->way[0], &to->way[i]);
    keep_common(&to->way[0], way);
    to->count = 1;
}

/* There is room for many more than there are. */
void late_ways_copy(struct late_ways *to, const struct late_ways *from)
{
    to->count = from->count;
    for (unsigned i = 0; i < from->count; i++)
        to->way[i] = from->way[i];
}

void late_ways_unite(const struct thread_orders *o, struct late_ways *ways,
                     const struct late_ways *more)
{
    for (unsigned i = 0; i < more->count; i++)
        put_way(o, ways, &more->way[i]);
}

void late_ways_join(const struct thread_orders *o, struct late_ways *ways,
                    const struct late_ways *more)
{
    struct late_ways all;

    all.count = 0;
    for (unsigned i = 0; i < ways->count; i++) {
        for (unsigned k = 0; k < more->count; k++) {
            struct path_set both = ways->way[i];

            path_unite(&both, &more->way[k]);
            if (!differs(o, &both))
                put_way(o, &all, &both);
        }
    }
    late_ways_copy(ways, &all);
}

void late_ways_add(const struct thread_orders *o, struct late_ways *ways,
                   unsigned write, bool comes)
{
    struct late_ways all;

    all.count = 0;
    if (write == LATE_UNKNOWN)
        return;
    for (unsigned i = 0; i < ways->count; i++) {
        struct path_set way = ways->way[i];

        if (meet(&way, &o->rivals[write], words_of(o)) ||
            (comes && path_has(&way, write)))
            continue;
        path_add(&way, write);
        put_way(o, &all, &way);
    }
    late_ways_copy(ways, &all);
}
