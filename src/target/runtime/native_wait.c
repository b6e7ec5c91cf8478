/* SPDX-License-Identifier: MIT
 *
 * Waits for a condition that need not be explored.
 *
 *     lock; while (!ready) wait; ...
 *
 * Say that thread T takes mutex M, does nothing that others see but to read,
 * all of it in a round of a loop, waits, and the wait ends by itself: it lets M
 * go and takes it again.  At the end of the round all is as at its beginning.
 * Then T might as well have come later: leave the first time that T holds M out
 * of the execution, and have it take M where it took it again.  Between that
 * and the round it does what it did before, for it reads nothing there; what
 * follows is the same.  Nobody else notices: T changed nothing but M, which is
 * as free as it was, and nobody asks a mutex whether it is free (is_plain_lock
 * in native_sync.c).  If M is never free again, T waits for it in both.  What
 * is left out ordered events, so the model allows what is left.
 *
 * So such a round is in vain, and the search need not even begin it
 * (walk_leaves_out in graph/graph_search.c): that T stops where it has taken M
 * again is seen by running T alone, whatever the others do meanwhile.
 *
 * The same is true of a wait that a broadcast ended, or a signal when nobody
 * else waited: without T it ends the waits of the others, or nobody's, and all
 * else is as before.  Other signals while T waited told somebody else, and can
 * do so without T; if that one now is the only one, its round can go, too.  A
 * signal that had the choice told T instead of another, which may then wait for
 * ever: such rounds stay.  So do waits that nobody ends.  These T, and those
 * who wait for a mutex that T wants, are what a lost wake-up consists of, so
 * none is missed.  Here the search has to begin the round, for who will end the
 * wait is not known; a thread that would wait comes last (graph_schedule.c),
 * and a graph with such a round ends as soon as it is there to stay
 * (graph_vain.c).
 *
 * A robust mutex tells who takes it more than that it is free.  On models of
 * order the reads of the round may be part of what leaves SC, but rounds in
 * vain do not count there.
 *
 * On C11 the same holds: what is left out made more happen before something
 * else, and C11's axioms only forbid by that.  Races between other accesses
 * stay races.  But a read of the round may race itself.  Then it does so with a
 * write w of an execution without such rounds, which is explored.  There the
 * mutex M that the read was done under tells (graph/graph_guard.c): if w is
 * done under M, too, or happens before what T did before it took M, or after T
 * took it, the two were ordered.  If in no execution any write is otherwise,
 * there is no such race; else all is explored again with all rounds.  All who
 * explore one tree must know the same reads, so a new one makes all begin anew.
 * Where races on SC are looked for, and where executions are drawn, the rounds
 * stay.
 */
#include "runtime/native_inside.h"
#include "sync/sync.h"

void native_took(const struct mutex *m)
{
    struct native_thread *n = native_self();

    if (!native_is_on())
        return;
    n->took = m;
    n->took_at = n->event_count;
}

void native_begin_wait(const struct mutex *m)
{
    struct native_thread *n = native_self();

    n->waited = n->took == m ? n->took_at : UINT32_MAX;
}

bool native_ends_by_itself(void)
{
    return native_announce((struct op){
               .kind = OP_CHOOSE, .operand = 2, .expected = 1}) == 1;
}

bool native_leaves_out_waits(void)
{
    if (rt.model->by_language)
        return native.guards_waits &&
               !native_has_trait(TRAIT_WAITS_RACE, false);
    return !native_wants_races();
}

static struct native_awaited *awaited_at(uint64_t address, uint64_t mutex)
{
    uint32_t i = 0;

    while (i < native.awaited_count && (native.awaited[i].address != address ||
                                        native.awaited[i].mutex != mutex))
        i++;
    if (i == NATIVE_AWAITED_MAX)
        return NULL;
    if (i == native.awaited_count)
        native.awaited[native.awaited_count++] =
            (struct native_awaited){.address = address, .mutex = mutex};
    return &native.awaited[i];
}

static void note_awaited(uint64_t address, const struct mutex *m, bool plain)
{
    struct native_awaited *a = awaited_at(address, (uint64_t)m), old;

    if (!a) {
        native_has_trait(TRAIT_WAITS_RACE, true);
        return;
    }
    old = *a;
    a->threads |= 1u << rt.current->id;
    a->plain |= plain;
    if (a->threads != old.threads || a->plain != old.plain)
        native.restart = true;
}

/* What the thread read at its last operations. */
void native_note_guarded(const struct mutex *m, uint16_t operations)
{
    behaviour_node at = native_self()->at;

    for (; operations-- && at.ix; at = behaviour_parent(native.trie, at)) {
        const struct op *op = behaviour_op(native.trie, at);

        for (unsigned i = 0; op->kind == OP_LOAD && i < op_parts(op); i++)
            note_awaited(native_location_address(op->location + i), m,
                         !order_is_atomic(op->order));
    }
}

void native_only_waited(const struct mutex *m, uint32_t mark, uint32_t polls)
{
    const struct native_thread *n = native_self();
    uint16_t round = native_events_since(n, mark);

    if (native.asks_mutexes || native.keeps_rounds ||
        !native_leaves_out_waits() || m->kind & MUTEX_ROBUST ||
        round == NATIVE_ROUND_MAX || n->event_count - n->waited != round ||
        (polls && !native_notes_poll(polls)))
        return;
    if (rt.model->by_language)
        native_note_guarded(m, round);
    native_stop((struct op){.kind = OP_BLOCK,
                            .why = NATIVE_IN_TIME,
                            .round = polls ? round - 1 : 0, /* but that lock */
                            .operand = polls,
                            .expected = 1});
}
