/* SPDX-License-Identifier: MIT
 *
 * A set of 0 and 1 in sequential code: `fencer check --spec` asks it, in place
 * of lazylist or harris, what a test may observe.
 */
#include <fencer.h>

static int has[2];

FENCER_INIT
{
    has[0] = has[1] = 0;
}

FENCER_OP(a)
{
    int key = (int)fencer_choose(2);

    fencer_observe("a", key);
    fencer_observe("added", !has[key]);
    has[key] = 1;
}

FENCER_OP(c)
{
    int key = (int)fencer_choose(2);

    fencer_observe("c", key);
    fencer_observe("contained", has[key]);
}

FENCER_OP(r)
{
    int key = (int)fencer_choose(2);

    fencer_observe("r", key);
    fencer_observe("removed", has[key]);
    has[key] = 0;
}
