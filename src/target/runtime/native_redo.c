/* SPDX-License-Identifier: MIT
 *
 * Rounds that store what the next round stores again.
 *
 *     do { old = top; node->next = old; } while (!cas(&top, old, node));
 *
 * A round that fails has stored into memory that other threads will see, but
 * not yet.  If nobody sees what it stored it can be left out as any other round
 * that changed nothing (await.c).  That nobody does is believed until it is
 * refuted.
 *
 * A round R of a loop, by thread T, that changed nothing but by stores to
 * places L is *redone*: it is taken for an await, and T, the loop, how often T
 * has entered it, and each L are noted.  A new note makes the search begin
 * again, and all who share it, so that all look for the same.  At the end of
 * every graph graph/graph_redo.c asks of each access to L that comes after T
 * passed the loop's header: is it clear that T went on, and stored into L
 * again?  If it is not, rounds of that loop that store stay from then on.
 *
 * That is exact.  Say that the search is over.  Leave out of an execution E all
 * rounds that the search leaves out.  Nothing that stays reads what they
 * stored: then what is left is an execution, for less orders less, and every
 * thread does what it did.  For let r be the first, by po and rf, that does: it
 * reads W, stored into L by the round R of T.  Look at what precedes r, without
 * the rounds that are left out, from which nothing of that reads.  T passed the
 * header there before R.
 *
 * - T does not go on after R there: it stored into L and other such places
 *   since the header, and did no more.  With r that is part of an execution
 *   that the search has, with R as it is, and r is an access before which T did
 *   not go on.
 * - T goes on.  Leave out R, too, and let r read what W came after in co.  r is
 *   the last event, and what it reads now is before W in every order, so the
 *   model allows that.  If no store of T after the header is known to r, as it
 *   is not, for r read W, the search has seen it.  (That r then ends a round in
 *   vain does not matter: every graph that cannot grow, and contains what
 *   precedes r, has some source for r, and what is known to r does not depend
 *   on that.)
 *
 * Both times T would have been refuted.  A race on C11 between W and some
 * access x, or of W with a FREE, is found likewise: that T went on and stored
 * into L again has to happen before x, or x before T passed the header.
 *
 * A thread that waits for good in such rounds stores without end: no machine
 * comes to rest there, so nobody could replay it, and the rounds stay.  (Loops
 * that take a mutex in each round, native_poll.c, are noted for that alone.)
 *
 * What precedes r is well-founded where no load reads what comes only later: so
 * on processors, where loads may (graph/graph_late.c), such rounds stay.  So
 * they do where rounds in vain are wanted, and where executions are drawn.
 */
#include "runtime/native_inside.h"
#include "runtime/runtime_record.h"

static bool may_redo(void)
{
    return native.guards_waits && !native.keeps_rounds && !rt.model->by_axioms;
}

void native_redo_passes(uint32_t loop, uint32_t entered)
{
    for (uint32_t i = 0; i < native.redone_count; i++) {
        const struct native_redone *r = &native.redone[i];

        if (r->loop == loop && r->entered == entered &&
            r->thread == rt.current->id)
            native_self()->passes |= 1u << i;
    }
}

bool native_note_store(const struct op *op, uint64_t address)
{
    struct native_thread *n = native_self();

    if (op->cuts || op->ghost || !may_redo())
        return false;
    n->stores[n->store_count % NATIVE_STORES_MAX].address = address;
    n->stores[n->store_count % NATIVE_STORES_MAX].at = __fencer_count;
    n->stores[n->store_count++ % NATIVE_STORES_MAX].plain =
        !order_is_atomic(op->order);
    rt.current->prior_effect = rt.current->last_effect;
    rt.current->last_effect = __fencer_count;
    return true;
}

/* How many of its last stores are not before `mark`; more than are kept: too
 * many. */
static uint32_t stores_since(const struct native_thread *n, uint32_t mark)
{
    uint32_t count = 0;

    while (count < n->store_count && count < NATIVE_STORES_MAX &&
           n->stores[(n->store_count - 1 - count) % NATIVE_STORES_MAX].at >=
               mark)
        count++;
    return count < NATIVE_STORES_MAX ? count : UINT32_MAX;
}

static bool is_seen(uint32_t loop)
{
    for (uint32_t i = 0; i < native.redone_count; i++)
        if (native.redone[i].loop == loop && native.redone[i].seen)
            return true;
    return false;
}

static bool is_of(const struct native_redone *r,
                  const struct native_redone *other)
{
    return r->address == other->address && r->loop == other->loop &&
           (r->bound || r->entered == other->entered) &&
           r->thread == other->thread && r->bound == other->bound;
}

/* False: there is no room. */
static bool note_redone(const struct native_redone *new)
{
    uint32_t i = 0;

    while (i < native.redone_count && !is_of(&native.redone[i], new))
        i++;
    if (i == NATIVE_REDONE_MAX)
        return false;
    if (i == native.redone_count)
        native.redone[native.redone_count++] = *new;
    else if (native.redone[i].plain >= new->plain)
        return true;
    native.redone[i].plain |= new->plain;
    native.restart = true;
    return true;
}

bool native_redoes(uint32_t loop, uint32_t mark)
{
    const struct native_thread *n = native_self();
    uint32_t count = stores_since(n, mark);
    struct native_redone r = {.loop = loop,
                              .entered = native_entered(loop),
                              .thread = (uint8_t)rt.current->id};

    if (!may_redo() || count == UINT32_MAX || is_seen(loop))
        return false;
    for (uint32_t i = n->store_count - count; i != n->store_count; i++) {
        r.address = n->stores[i % NATIVE_STORES_MAX].address;
        r.plain = n->stores[i % NATIVE_STORES_MAX].plain;
        if (!note_redone(&r))
            return false;
    }
    return true;
}

bool native_notes_poll(uint32_t loop)
{
    struct native_redone r = {.loop = loop};

    return !is_seen(loop) && note_redone(&r);
}

bool native_notes_bound(uint32_t loop, uint64_t address)
{
    struct native_redone r = {.address = address,
                              .loop = loop,
                              .thread = (uint8_t)rt.current->id,
                              .bound = 1};

    return native.guards_waits && !is_seen(loop) && note_redone(&r);
}

void native_notes_rounds(uint32_t loop, uint32_t rounds)
{
    for (uint32_t i = 0; i < native.redone_count; i++) {
        struct native_redone *r = &native.redone[i];

        if (r->bound && r->loop == loop && r->thread == rt.current->id &&
            (!r->entered || rounds < r->entered)) {
            r->entered = rounds;
            native.restart = true;
        }
    }
}

bool native_knows_rounds(uint32_t loop)
{
    bool known = false;

    for (uint32_t i = 0; i < native.redone_count; i++) {
        const struct native_redone *r = &native.redone[i];

        if (!r->bound || r->loop != loop || r->thread != rt.current->id)
            continue;
        if (!r->entered)
            return false;
        known = true;
    }
    return known;
}

void native_redoes_for_good(uint32_t loop)
{
    for (uint32_t i = 0; i < native.redone_count; i++)
        if (native.redone[i].loop == loop)
            native.redone[i].seen = 1;
    native.restart = true;
}

void native_look_at_redone(const struct graph_engine *by,
                           const struct graph_search *s, const struct graph *g)
{
    struct graph_redone list[NATIVE_REDONE_MAX];
    int seen;

    if (!native.redone_count || native.restart)
        return;
    for (uint32_t i = 0; i < native.redone_count; i++) {
        const struct native_redone *r = &native.redone[i];

        list[i] = (struct graph_redone){
            .location =
                r->seen ? GRAPH_LOCATIONS_MAX : native_location_at(r->address),
            .loop = r->loop,
            .rounds = r->bound ? r->entered : 0,
            .thread = r->thread,
            .plain = r->plain,
            .bound = r->bound};
    }
    seen = by->sees(s, g, list, native.redone_count);
    if (seen < 0)
        return;
    native_redoes_for_good(native.redone[seen].loop);
}
