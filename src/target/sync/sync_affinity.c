/* SPDX-License-Identifier: MIT
 *
 * Processors.  There are SYNC_PROCESSORS, whoever is asked: sysconf,
 * get_nprocs, and the sets below.  A thread may run on all of them, until the
 * program says otherwise, and is on the first that it may: so threads meet at
 * one processor's data unless the program keeps them apart.
 */
#include <errno.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "libc/libc.h"
#include "sync/sync_attr.h"

#define ALL ((1ull << SYNC_PROCESSORS) - 1)

pid_t __fencer_gettid(void);
extern uint32_t __fencer_site;

static uint64_t processors_of(const struct thread *t)
{
    uint64_t set = sync_of(t)->processors;

    return set ? set : ALL;
}

unsigned sync_processor(void)
{
    return (unsigned)__builtin_ctzll(processors_of(rt_self()));
}

/* A set of the program.  0: it has none of ours. */
static uint64_t take_set(const cpu_set_t *from, size_t size, uint32_t site)
{
    uint64_t set = 0;

    sync_in(&set, from, size < sizeof set ? size : sizeof set, site);
    return set & ALL;
}

static int put_set(cpu_set_t *to, size_t size, uint64_t set, uint32_t site)
{
    cpu_set_t all;

    if (size < sizeof(__cpu_mask))
        return EINVAL;
    memset(&all, 0, sizeof all);
    memcpy(&all, &set, sizeof set);
    sync_out(to, &all, size < sizeof all ? size : sizeof all, site);
    return 0;
}

/* What another thread may do is known to it alone: that is not explained. */
static const struct thread *thread_of(pthread_t handle, uint32_t *site)
{
    const struct thread *t;

    *site = handle == sync_handle(rt_self()) ? rt_take_site_known()
                                             : rt_take_site();
    t = sync_find(handle);
    return t;
}

static int restrict_thread(const struct thread *t, size_t size,
                           const cpu_set_t *set, uint32_t site)
{
    uint64_t wanted = take_set(set, size, site);

    if (!wanted)
        return EINVAL;
    sync_of(t)->processors = wanted;
    return 0;
}

MODEL(int, pthread_setaffinity_np,
      (pthread_t handle, size_t size, const cpu_set_t *set))
{
    uint32_t site;
    const struct thread *t = thread_of(handle, &site);

    return t ? restrict_thread(t, size, set, site) : ESRCH;
}

MODEL(int, pthread_getaffinity_np,
      (pthread_t handle, size_t size, cpu_set_t *set))
{
    uint32_t site;
    const struct thread *t = thread_of(handle, &site);

    return t ? put_set(set, size, processors_of(t), site) : ESRCH;
}

MODEL(int, pthread_attr_setaffinity_np,
      (pthread_attr_t *attr, size_t size, const cpu_set_t *set))
{
    uint32_t site = rt_take_site_known();
    uint64_t wanted = size ? take_set(set, size, site) : ALL;

    if (!wanted)
        return EINVAL;
    return sync_attr_set_processors(attr, wanted, site);
}

MODEL(int, pthread_attr_getaffinity_np,
      (const pthread_attr_t *attr, size_t size, cpu_set_t *set))
{
    uint32_t site = rt_take_site_known();
    struct thread_attr a;

    sync_attr_read(attr, &a, site);
    return put_set(set, size, a.processors ? a.processors : ALL, site);
}

/* ---- By number: 0 is the caller, as is the number that gettid gives ---- */

static pthread_t handle_of(pid_t number)
{
    uint32_t site = rt_take_site_known();
    pid_t self = __fencer_gettid();
    const struct thread *t =
        rt_thread_of((uint32_t)(number - self) + rt_self()->id);

    __fencer_site = site; /* for the model that is called next */
    if (!number || number == self)
        return sync_handle(rt_self());
    return t ? sync_handle(t) : 0;
}

static int result(int error)
{
    errno = error;
    return error ? -1 : 0;
}

MODEL_IS(int, sched_setaffinity, (pid_t who, size_t size, const cpu_set_t *set),
         result(__fencer_pthread_setaffinity_np(handle_of(who), size, set)))
MODEL_IS(int, sched_getaffinity, (pid_t who, size_t size, cpu_set_t *set),
         result(__fencer_pthread_getaffinity_np(handle_of(who), size, set)))

MODEL_IS(int, get_nprocs, (void), (rt_take_site_known_quiet(), SYNC_PROCESSORS))
MODEL_ALSO(get_nprocs_conf, get_nprocs)
MODEL_IS(int, sched_getcpu, (void),
         (rt_take_site_known_quiet(), (int)sync_processor()))

MODEL(int, getcpu, (unsigned *cpu, unsigned *node))
{
    uint32_t site = rt_take_site_known();
    unsigned here = sync_processor(), none = 0;

    if (cpu)
        libc_out(cpu, &here, sizeof here, site);
    if (node)
        libc_out(node, &none, sizeof none, site);
    return 0;
}
