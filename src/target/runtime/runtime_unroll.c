/* SPDX-License-Identifier: MIT
 *
 * Loops that are explored are cut: a thread that goes round one more than
 * `unroll` times, with accesses, goes no further.  (Rounds that change nothing
 * are await.c's.)
 *
 * A loop is known by the site of its back edge, and loops within others by
 * time: a round of the outer one began at `mark`, so loops that went round
 * since then are inside it, and will begin anew.
 */
#include "runtime/native.h"
#include "runtime/runtime_record.h"
#include "runtime/sched.h"

#define NESTED_MAX 16

struct loop {
    uint32_t site;
    uint32_t rounds;
    uint32_t last; /* the thread's clock when the last one ended */
};

struct loops {
    uint64_t execution; /* the serial of the one they belong to */
    uint32_t count;
    struct loop stack[NESTED_MAX];
};

static struct loops of[RT_MAX_THREADS];

static struct loops *loops_of(const struct thread *t)
{
    struct loops *l = &of[t->id];

    if (l->execution != rt.serial)
        l->count = 0;
    l->execution = rt.serial;
    return l;
}

struct native_part unroll_part(uint32_t thread)
{
    return (struct native_part){&of[thread], sizeof *of};
}

/* The entry of that loop, outermost first; deeper ones than fit share one. */
static struct loop *find(struct loops *l, uint32_t mark, uint32_t site)
{
    struct loop *top;

    while (l->count && l->stack[l->count - 1].last > mark &&
           l->stack[l->count - 1].site != site)
        l->count--;
    top = l->count ? &l->stack[l->count - 1] : NULL;
    if (top && (top->site == site || l->count == NESTED_MAX))
        return top;
    l->stack[l->count] = (struct loop){.site = site};
    return &l->stack[l->count++];
}

void unroll_count(struct thread *t, uint32_t mark, uint32_t site)
{
    uint32_t max = rt.channel->explore.unroll;
    struct loop *l;

    if (!max || !rt.multi || mark == __fencer_count)
        return;
    l = find(loops_of(t), mark, site);
    l->last = __fencer_count;
    if (++l->rounds <= max)
        return;
    if (!rt.channel->explore.unroll_site)
        rt.channel->explore.unroll_site = site;
    rt_park(END_CUT);
}
