/* SPDX-License-Identifier: MIT
 *
 * Loops that look so many times, and then do something else: spin a thousand
 * times, then block.  What counts is whether such a loop ends because it found
 * what it looked for, or because it gave up; in between there are a thousand
 * rounds that change nothing.
 *
 * So a round that changed nothing but the count is a choice: it is an await, as
 * in any loop that waits; or the thread gives up, and all rounds that are left
 * return what this one read, without being operations.
 *
 * That is exact for rounds with one load.  A round before one that succeeds can
 * be removed: the loop goes round once less.  Of an execution in which the
 * thread gives up let all rounds read what the last one does.  Loads of one
 * address are kept in order, so whatever follows such a load in the model's
 * order follows the last one, too: no cycle is new.  And the thread does the
 * same, for a round leaves nothing behind.  But if some round of the loop does
 * (native_own.c), or does more than one load, the loop is an ordinary one.  So
 * it is where rounds in vain are wanted, too.
 */
#include "runtime/native_inside.h"

#define FED_MAX 4096u /* loads of one thread between two operations */

bool native_gives_up(uint32_t loop)
{
    return native_self()->feeds == loop;
}

void native_left(uint32_t loop)
{
    if (native_is_on() && native_gives_up(loop))
        native_self()->feeds = 0;
}

static bool is_same_load(const struct op *op, const struct op *last)
{
    return op->kind == OP_LOAD && op->location == last->location &&
           op->cuts == last->cuts && op->order == last->order;
}

/* A round that does something else refutes that all are alike: what was learnt
 * makes the search begin again. */
bool native_feed(const struct op *op, uint64_t *value)
{
    struct native_thread *n = native_self();

    if (!n->feeds)
        return false;
    if (!is_same_load(op, &n->last)) {
        native_round_is_idle(n->feeds, false);
        n->feeds = 0;
        return false;
    }
    if (++n->fed > FED_MAX)
        native_refuse("a loop that goes round too often", rt.current->site);
    *value = n->last_value;
    return true;
}

void native_end_bounded(uint32_t loop, uint32_t mark, bool changed_nothing,
                        uint32_t site)
{
    struct native_thread *n = native_self();
    struct op choice = {.kind = OP_CHOOSE, .why = NATIVE_BOUND, .operand = 2};
    bool one_load = n->last.kind == OP_LOAD &&
                    native_events_since(n, mark) == 1 && n->fenced_at <= mark;
    struct op load = n->last;
    uint64_t value = n->last_value;

    if (!native_round_is_idle(loop, changed_nothing && one_load) ||
        native.keeps_rounds)
        return;
    rt.current->site = site;
    native_no_block("a spin loop in a fencer_atomic block", site);
    if (!native_announce(choice))
        native_stop((struct op){.kind = OP_BLOCK,
                                .why = NATIVE_BOUND,
                                .round = native_events_since(n, mark)});
    n->feeds = loop;
    n->last = load;
    n->last_value = value;
}
