/* SPDX-License-Identifier: MIT
 *
 * Loops around a CAS that is tried again with what it found (instrument/
 * retries.c):
 *
 *      old = load(&top);
 *      while (!compare_exchange(&top, &old, f(old)))
 *          ;
 *
 * A round in which the CAS fails is left out.  Let E be an execution with such
 * a round, the first of its loop; it has the load L before the loop, other
 * reads perhaps, the CAS C that read v and failed, and other reads again. Leave
 * out of E all of these but C, and let C be a load of L's order.  The thread
 * then does what it does if L reads v: in the function's variables there is the
 * same, what a round leaves in private memory nobody reads before he writes it
 * (native_own.c), and nothing was stored.  No other thread notices, since reads
 * were left out and one became weaker: what is ordered was ordered in E.  So it
 * is an execution of the program, ends as E does, and has one failing round
 * less. A data race of E is one of it, too, unless it is of a read that was
 * left out. So where races count, a round that reads anything else stays.
 *
 * The thread could go on, so that it does not is no deadlock.
 */
#include "runtime/native_inside.h"

static int strength(uint8_t order)
{
    return order == ORDER_SEQ_CST ? 2 : order_acquires(order) ? 1 : 0;
}

/* The CAS of the round; NULL: it has none, or several. */
static const struct native_event *find_cas(const struct native_thread *n,
                                           uint16_t round)
{
    const struct native_event *cas = NULL;

    for (uint16_t i = 0; i < round; i++) {
        const struct native_event *e = native_event_ago(n, i);

        if (e->kind == OP_CAS && cas)
            return NULL;
        if (e->kind == OP_CAS)
            cas = e;
    }
    return cas;
}

/* Is the load before the loop the last thing before the round, and no stronger
 * than the CAS?  Orders may be others than in the source, and there may be more
 * fences, where a cure is tried. */
static bool follows_load(const struct native_thread *n, uint16_t round)
{
    const struct native_event *cas = find_cas(n, round);
    const struct native_event *load = native_event_ago(n, round);

    return cas && n->event_count > round && load->kind == OP_LOAD &&
           !native_event_ago(n, round - 1u)->fence &&
           strength(load->order) <= strength(cas->failure_order);
}

void native_retry(uint32_t mark, uint32_t site)
{
    struct native_thread *n = native_self();
    uint16_t round = native_events_since(n, mark);

    if (native.keeps_rounds || !round || round + 1 >= NATIVE_ROUND_MAX ||
        (native_wants_races() && round > 1) || !follows_load(n, round))
        return;
    rt.current->site = site;
    native_no_block("a spin loop in a fencer_atomic block", site);
    native_stop(
        (struct op){.kind = OP_BLOCK, .why = NATIVE_BOUND, .round = round});
}
