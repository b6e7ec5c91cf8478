/* SPDX-License-Identifier: MIT
 *
 * A deque in sequential code: `fencer check --spec` asks it, in place of snark,
 * what a test may observe.
 */
#include <fencer.h>

#define EMPTY (-1)
#define MIDDLE 64

/* Items left to right: from `left` on, up to but without `right`. */
static struct deque {
    int items[2 * MIDDLE];
    int left, right;
} deque;

FENCER_INIT
{
    deque.left = deque.right = MIDDLE;
}

FENCER_OP(al)
{
    int value = (int)fencer_choose(2);

    deque.items[--deque.left] = value;
    fencer_observe("al", value);
}

FENCER_OP(ar)
{
    int value = (int)fencer_choose(2);

    deque.items[deque.right++] = value;
    fencer_observe("ar", value);
}

FENCER_OP(rl)
{
    int value = EMPTY;

    if (deque.left < deque.right)
        value = deque.items[deque.left++];
    fencer_observe("rl", value);
}

FENCER_OP(rr)
{
    int value = EMPTY;

    if (deque.left < deque.right)
        value = deque.items[--deque.right];
    fencer_observe("rr", value);
}
