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
 * (native_own.c), the loop is an ordinary one.  So it is where rounds in vain
 * are wanted, too.
 *
 * An RMW that writes what it found, or a CAS that fails, is such a load.  And
 * so is a round with a few loads, if others write but one of these places: of
 * the rest each round reads the same.  (Were there two, a round could have read
 * one before and the other after some write, which no two rounds do.)  A round
 * that read two values in that place, say a lock that is free, and then taken,
 * is left out, once it is known how often the loop goes round: if that is more
 * often than others write there, some round did not, and all can be as that one
 * was.  These two things are believed, and every graph is asked (native_redo.c,
 * graph/graph_redo.c).  What others write in an execution they write also if
 * all rounds are left out that can be: so it is seen.
 */
#include "runtime/native_inside.h"

#define FED_MAX (1u << 18) /* loads of one thread between two operations */

bool native_gives_up(uint32_t loop)
{
    return native_self()->feeds == loop;
}

void native_left(uint32_t loop)
{
    struct native_thread *n = native_self();

    if (!native_is_on() || !native_gives_up(loop))
        return;
    n->feeds = 0;
    native_notes_rounds(loop, 1 + n->fed / n->feed_count);
}

static bool is_same_read(const struct op *a, const struct op *b)
{
    return a->kind == b->kind && a->location == b->location &&
           a->cuts == b->cuts && a->order == b->order &&
           a->operand == b->operand && a->expected == b->expected &&
           a->rmw == b->rmw;
}

/* A round that does something else refutes that all are alike: what was learnt
 * makes the search begin again. */
bool native_feed(const struct op *op, uint64_t *value)
{
    struct native_thread *n = native_self();
    uint32_t which;

    if (!n->feeds)
        return false;
    which = n->fed % n->feed_count;
    if (!is_same_read(op, &n->feed[which].op)) {
        native_round_is_idle(n->feeds, false);
        n->feeds = 0;
        return false;
    }
    if (++n->fed > FED_MAX)
        native_refuse("a loop that goes round too often", rt.current->site);
    *value = n->feed[which].value;
    return true;
}

/* A load; or, alone, an RMW that wrote what it found: others would have made
 * the round one that changed something. */
static bool only_read(const struct op *op, bool alone)
{
    return op->kind == OP_LOAD ||
           (alone && (op->kind == OP_CAS || op->kind == OP_RMW));
}

/* What the rounds of such a loop may be. */
enum round {
    ROUND_STEADY, /* the rest could read the same */
    ROUND_TORN,   /* it found one place changed while it went on */
    ROUND_OTHER
};

/* Did it read two values in one place? */
static bool is_torn(const struct native_thread *n)
{
    for (uint32_t i = 1; i < n->feed_count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (n->feed[i].op.location == n->feed[k].op.location &&
                n->feed[i].value != n->feed[k].value)
                return true;
    return false;
}

/* Notes what the round since `mark` read, which changed nothing. */
static enum round note_reads(struct native_thread *n, uint32_t mark)
{
    uint32_t count = native_events_since(n, mark), i = count;
    bool feeds = true;
    behaviour_node at = n->at;
    uint64_t value = n->last_value;

    if (!count || count > NATIVE_FEED_MAX || n->fenced_at > mark)
        return ROUND_OTHER;
    n->feed_count = count;
    while (i-- && at.ix) {
        n->feed[i].op = *behaviour_op(native.trie, at);
        n->feed[i].value = value;
        if (n->feed[i].op.kind > OP_CAS || n->feed[i].op.kind == OP_STORE)
            return ROUND_OTHER;
        feeds = feeds && only_read(&n->feed[i].op, count == 1);
        value = native.trie->entries[at.ix].value;
        at = behaviour_parent(native.trie, at);
    }
    return is_torn(n) ? ROUND_TORN : feeds ? ROUND_STEADY : ROUND_OTHER;
}

/* Do others write but one of these places, as far as is known? */
static bool is_like_one(const struct native_thread *n, uint32_t loop)
{
    for (uint32_t i = 0; n->feed_count > 1 && i < n->feed_count; i++)
        if (n->feed[i].op.cuts ||
            !native_notes_bound(
                loop, native_location_address(n->feed[i].op.location)))
            return false;
    return true;
}

static _Noreturn void stop(struct native_thread *n, uint32_t mark)
{
    native_stop((struct op){.kind = OP_BLOCK,
                            .why = NATIVE_BOUND,
                            .round = native_events_since(n, mark)});
}

void native_end_bounded(uint32_t loop, uint32_t mark, bool changed_nothing,
                        uint32_t site)
{
    struct native_thread *n = native_self();
    struct op choice = {.kind = OP_CHOOSE, .why = NATIVE_BOUND, .operand = 2};
    enum round round = changed_nothing ? note_reads(n, mark) : ROUND_OTHER;
    bool idle = round != ROUND_OTHER && is_like_one(n, loop);

    if (idle && round == ROUND_TORN && !native_knows_rounds(loop))
        return; /* a real one, until it is known how many there are */
    if (!native_round_is_idle(loop, idle) || native.keeps_rounds)
        return;
    rt.current->site = site;
    native_no_block("a spin loop in a fencer_atomic block", site);
    if (round == ROUND_TORN || !native_announce(choice))
        stop(n, mark);
    n->feeds = loop;
}
