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
 * A robust mutex tells who takes it more than that it is free.  Where races are
 * looked for the reads of the round may be of use.  On models of order they may
 * be part of what leaves SC, but rounds in vain do not count there.
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

void native_only_waited(const struct mutex *m, uint32_t mark)
{
    const struct native_thread *n = native_self();
    uint16_t round = native_events_since(n, mark);

    if (native.asks_mutexes || native.keeps_rounds || native_wants_races() ||
        m->kind & MUTEX_ROBUST || round == NATIVE_ROUND_MAX ||
        n->event_count - n->waited != round)
        return;
    native_stop(
        (struct op){.kind = OP_BLOCK, .why = NATIVE_IN_TIME, .expected = 1});
}
