/* SPDX-License-Identifier: MIT
 *
 * The work-stealing deque of Chase and Lev (SPAA 2005), with the fences of Le
 * et al. (PPoPP 2013): its owner pushes N tasks and takes N, a thief tries to
 * steal N.  No task is taken twice, and none is lost.
 */
#include "peers.h"

#define EMPTY 0

static atomic_int top, bottom, task[N];
static fencer_ghost int taken[N + 1];

static void push(int what)
{
    int at = load(&bottom);

    store(&task[at % N], what);
    FENCE_RELEASE();
    store(&bottom, at + 1);
}

static int take(void)
{
    int at = load(&bottom) - 1, first, what = EMPTY;

    store(&bottom, at);
    FENCE();
    first = load(&top);
    if (first <= at) {
        what = load(&task[at % N]);
        if (first < at)
            return what;
        if (!cas(&top, first, first + 1))
            what = EMPTY;
    }
    store(&bottom, at + 1);
    return what;
}

static int steal(void)
{
    int first = load_acquire(&top), what;

    FENCE();
    if (first >= load_acquire(&bottom))
        return EMPTY;
    what = load(&task[first % N]);
    return cas(&top, first, first + 1) ? what : EMPTY;
}

static void count(int what)
{
    if (what != EMPTY)
        assert(++taken[what] == 1);
}

static void *owner(void *unused)
{
    (void)unused;
    for (int i = 1; i <= N; i++)
        push(i);
    for (int i = 1; i <= N; i++)
        count(take());
    return NULL;
}

static void *thief(void *unused)
{
    (void)unused;
    for (int i = 1; i <= N; i++)
        count(steal());
    return NULL;
}

int main(void)
{
    run_one_and_many(owner, thief, 1);
    for (int i = 1; i <= N; i++)
        assert(taken[i] == 1);
    return 0;
}
