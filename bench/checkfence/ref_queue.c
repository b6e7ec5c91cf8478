/* SPDX-License-Identifier: MIT
 *
 * A queue in sequential code: `fencer check --spec` asks it, in place of ms2 or
 * msn, what a test may observe.
 */
#include <fencer.h>

#define EMPTY (-1)

static struct queue {
    int items[128];
    int first, count;
} queue;

FENCER_INIT
{
    queue.first = queue.count = 0;
}

FENCER_OP(e)
{
    int value = (int)fencer_choose(2);

    queue.items[queue.count++] = value;
    fencer_observe("e", value);
}

FENCER_OP(d)
{
    int value = EMPTY;

    if (queue.first < queue.count)
        value = queue.items[queue.first++];
    fencer_observe("d", value);
}
