/* SPDX-License-Identifier: MIT
 *
 * Which loads may be late, and what they may read then.  A load is late where
 * it takes effect after a store that follows it in its thread; so it is the
 * load of a pair (thread_order_pairs.c), and what it reads is a value that
 * another thread writes there in some execution.  Both are taken from what was
 * met: a site for a load, whichever thread comes to it, since equal threads are
 * met under one name.
 */
#include <string.h>

#include "event/must.h"
#include "graph/thread_order_inside.h"

/* No two have had the same age. */
static void grow_older(struct thread_orders *o)
{
    static uint64_t ages;

    o->age = ++ages;
}

void thread_orders_begin_late(struct thread_orders *o, bool tracks)
{
    o->tracks = tracks;
    o->notes_values = o->values_grew = o->values_lost = false;
    o->late_count = o->write_count = 0;
    memset(o->value_count, 0, sizeof o->value_count);
    memset(o->has_more, 0, sizeof o->has_more);
    grow_older(o);
    o->note_count = 0;
}

uint64_t thread_orders_age(const struct thread_orders *o)
{
    return o->age;
}

uint32_t thread_orders_number_note(struct thread_orders *o)
{
    MUST(o->note_count < UINT32_MAX);
    return ++o->note_count;
}

bool thread_orders_notes_values(const struct thread_orders *o)
{
    return o->notes_values;
}

static struct late_value *value_of(struct thread_orders *o, unsigned location,
                                   uint32_t thread, uint64_t value)
{
    struct late_value *v = o->values[location];
    unsigned i = 0;

    while (i < o->value_count[location] &&
           (v[i].value != value || v[i].thread != thread))
        i++;
    if (i == LATE_VALUES_MAX)
        return NULL;
    if (i == o->value_count[location]) {
        v[i] = (struct late_value){.value = value, .thread = thread};
        o->value_count[location]++;
    }
    return &v[i];
}

void thread_orders_note_value(struct thread_orders *o, unsigned location,
                              const struct late_value *value)
{
    struct late_value *v;
    struct late_ways old;

    MUST(location < SHARED_LOCATIONS && value->thread < PATH_THREADS);
    v = value_of(o, location, value->thread, value->value);
    if (!v) {
        if (!o->has_more[location])
            grow_older(o);
        o->has_more[location] = true;
        return;
    }
    old = v->ways;
    late_ways_unite(o, &v->ways, &value->ways);
    if (memcmp(&old, &v->ways, sizeof old) != 0) {
        o->values_grew = true;
        grow_older(o);
    }
}

/* ---- Loads ---- */

/* Can it be explored as one? */
static bool can_be_late(const struct op *op)
{
    return op->kind <= OP_SYNC && op->kind != OP_STORE &&
           op->kind != OP_ATOMIC && !op->cuts && !op->locks;
}

static bool is_late(const struct thread_orders *o, uint32_t site)
{
    for (uint32_t i = 0; i < o->late_count; i++)
        if (o->late_sites[i] == site)
            return true;
    return false;
}

static bool add_site(struct thread_orders *o, uint32_t site)
{
    if (is_late(o, site))
        return false;
    if (o->late_count == LATE_SITES_MAX)
        o->values_lost = true;
    else
        o->late_sites[o->late_count++] = site;
    return true;
}

bool thread_orders_next_late(struct thread_orders *o)
{
    bool grew = o->values_grew;

    o->values_grew = false;
    for (uint32_t i = 0; i < o->pair_count; i++) {
        const struct op *op = behaviour_op(o->b, o->pairs[i].pair.load);

        if (can_be_late(op) && thread_orders_leads_back(o, &o->pairs[i]))
            grew = add_site(o, op->site) || grew;
    }
    o->notes_values = grew;
    return grew;
}

void thread_orders_lose_late(struct thread_orders *o)
{
    o->values_lost = true;
}

bool thread_orders_lacks_late(const struct thread_orders *o,
                              struct thread_pair *to)
{
    *to = o->pair_count ? o->pairs[0].pair : (struct thread_pair){{0}, {0}};
    for (uint32_t i = 0; i < o->pair_count; i++) {
        if (can_be_late(behaviour_op(o->b, o->pairs[i].pair.load)) ||
            !thread_orders_leads_back(o, &o->pairs[i]))
            continue;
        *to = o->pairs[i].pair;
        return true;
    }
    return o->values_lost || o->pairs_lost;
}

bool thread_orders_may_be_late(const struct thread_orders *o,
                               const struct op *op)
{
    return can_be_late(op) && is_late(o, op->site);
}

unsigned thread_orders_late_values(struct thread_orders *o, unsigned location,
                                   const struct late_value **to)
{
    if (o->has_more[location])
        o->values_lost = true;
    *to = o->values[location];
    return o->value_count[location];
}
