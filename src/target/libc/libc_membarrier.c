/* SPDX-License-Identifier: MIT
 *
 * membarrier: a full fence in every thread of the process, at some moment of
 * the call.  Threads that do not run have one when they are switched to, so to
 * the program it is as if all had it at once.
 *
 * The expedited commands want to be registered; who forgets it gets EPERM, and
 * no fence.
 */
#include "libc/libc.h"

#include <errno.h>
#include <linux/membarrier.h>

#include "runtime/happened.h"
#include "runtime/native.h"

#define PAIRS (sizeof pairs / sizeof *pairs)

/* A command, and the one that registers it; 0: it needs none. */
static const struct pair {
    int command, registers;
} pairs[] = {
    {MEMBARRIER_CMD_GLOBAL, 0},
    {MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0},
    {MEMBARRIER_CMD_PRIVATE_EXPEDITED,
     MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED},
    {MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE,
     MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE},
    /* What it does beyond a fence, restartable sequences, is not there. */
    {MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ,
     MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ},
};

static int registered; /* in this execution: those commands' bits */

void libc_reset_membarrier(void)
{
    registered = 0;
}

static long fail(int number)
{
    errno = number;
    return -1;
}

static long known(void)
{
    int all = MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED;

    for (size_t i = 0; i < PAIRS; i++)
        all |= pairs[i].command | pairs[i].registers;
    return all;
}

static long enrol(int command, uint32_t site)
{
    /* Before there are threads it is a fact; later it is a race. */
    if (native_is_on() && !(registered & command))
        native_refuse("membarrier is registered while other threads run", site);
    registered |= command;
    return 0;
}

static long fence(uint32_t site)
{
    struct sched_thread *s = rt_self()->sched;

    if (native_is_on()) {
        native_fence_everybody(site);
        return 0;
    }
    s->drains = true;
    rt_step(EV_POST, &registered, sizeof registered, site);
    s->drains = false;
    rt_fence_everybody();
    happened_object(EV_POST, &registered, sizeof registered, 1, 1, 0, site);
    rt_event(EV_FENCE, NULL, 0, 0,
             ORDER_SEQ_CST | FENCE_FULL << EVF_FENCE_SHIFT, site);
    return 0;
}

long libc_membarrier(int command, unsigned flags, uint32_t site)
{
    if (command == MEMBARRIER_CMD_QUERY)
        return known();
    if (command == MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED)
        return 0;
    for (size_t i = 0; i < PAIRS; i++) {
        const struct pair *p = &pairs[i];

        if (command == p->registers)
            return enrol(command, site);
        if (command != p->command)
            continue;
        return p->registers & ~registered ? fail(EPERM) : fence(site);
    }
    return fail(EINVAL);
}
