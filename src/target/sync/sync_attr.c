/* SPDX-License-Identifier: MIT
 *
 * Attributes of threads.  Detach state counts; stack size and the scheduling
 * attributes are checked, kept and told back, and change nothing: the
 * scheduler is ours, and all fibers have the same stack.
 */
#include "sync/sync_attr.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

_Static_assert(sizeof(struct thread_attr) <= sizeof(pthread_attr_t),
               "our attributes fit into the program's");

#define STACK_DEFAULT (8ul << 20) /* what glibc says under ulimit -s 8192 */
#define STACK_MIN 16384ul
#define GUARD_DEFAULT 4096ul

static struct {
    uint64_t execution;
    size_t stack_size, guard_size;
} defaults;

static void fill_defaults(struct thread_attr *a)
{
    memset(a, 0, sizeof *a);
    a->stack_size = STACK_DEFAULT;
    a->guard_size = GUARD_DEFAULT;
    if (defaults.execution == rt.serial) {
        a->stack_size = defaults.stack_size;
        a->guard_size = defaults.guard_size;
    }
}

void sync_attr_read(const pthread_attr_t *attr, struct thread_attr *a,
                    uint32_t site)
{
    if (attr)
        sync_in(a, attr, sizeof *a, site);
    else
        fill_defaults(a);
}

static struct thread_attr *change(pthread_attr_t *attr, uint32_t site)
{
    sync_look(attr, sizeof *attr, site);
    rt_touch(attr, sizeof *attr);
    return (struct thread_attr *)(void *)attr;
}

static int get_int(int *to, int value, uint32_t site)
{
    sync_out(to, &value, sizeof value, site);
    return 0;
}

static int get_size(size_t *to, size_t value, uint32_t site)
{
    sync_out(to, &value, sizeof value, site);
    return 0;
}

static bool policy_is_valid(int policy)
{
    return policy == SCHED_OTHER || policy == SCHED_FIFO || policy == SCHED_RR;
}

static bool priority_is_valid(int policy, int priority)
{
    return policy == SCHED_OTHER ? priority == 0
                                 : priority >= 1 && priority <= 99;
}

int __fencer_pthread_attr_init(pthread_attr_t *attr)
{
    uint32_t site = rt_take_site_known();

    fill_defaults(change(attr, site));
    return 0;
}

int __fencer_pthread_attr_destroy(pthread_attr_t *attr)
{
    (void)attr;
    (void)rt_take_site_known();
    return 0;
}

int __fencer_pthread_attr_setdetachstate(pthread_attr_t *attr, int state)
{
    uint32_t site = rt_take_site_known();

    if (state != PTHREAD_CREATE_JOINABLE && state != PTHREAD_CREATE_DETACHED)
        return EINVAL;
    change(attr, site)->detached = state == PTHREAD_CREATE_DETACHED;
    return 0;
}

int __fencer_pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state)
{
    uint32_t site = rt_take_site_known();
    struct thread_attr a;

    sync_attr_read(attr, &a, site);
    return get_int(
        state, a.detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE,
        site);
}

int __fencer_pthread_attr_setguardsize(pthread_attr_t *attr, size_t size)
{
    uint32_t site = rt_take_site_known();

    change(attr, site)->guard_size = size;
    return 0;
}

int __fencer_pthread_attr_getguardsize(const pthread_attr_t *attr, size_t *size)
{
    uint32_t site = rt_take_site_known();
    struct thread_attr a;

    sync_attr_read(attr, &a, site);
    return get_size(size, a.guard_size, site);
}

int __fencer_pthread_attr_setstacksize(pthread_attr_t *attr, size_t size)
{
    uint32_t site = rt_take_site_known();

    if (size < STACK_MIN)
        return EINVAL;
    change(attr, site)->stack_size = size;
    return 0;
}

int __fencer_pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size)
{
    uint32_t site = rt_take_site_known();
    struct thread_attr a;

    sync_attr_read(attr, &a, site);
    return get_size(size, a.stack_size, site);
}

int __fencer_pthread_attr_setstack(pthread_attr_t *attr, void *stack,
                                   size_t size)
{
    uint32_t site = rt_take_site_known();
    struct thread_attr *a;

    if (size < STACK_MIN)
        return EINVAL;
    a = change(attr, site);
    a->stack = stack;
    a->stack_size = size;
    return 0;
}

int __fencer_pthread_attr_getstack(const pthread_attr_t *attr, void **stack,
                                   size_t *size)
{
    uint32_t site = rt_take_site_known();
    struct thread_attr a;

    sync_attr_read(attr, &a, site);
    sync_out(stack, &a.stack, sizeof a.stack, site);
    return get_size(size, a.stack_size, site);
}

int __fencer_pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy)
{
    uint32_t site = rt_take_site_known();

    if (!policy_is_valid(policy))
        return EINVAL;
    change(attr, site)->policy = (uint8_t)policy;
    return 0;
}

int __fencer_pthread_attr_getschedpolicy(const pthread_attr_t *attr,
                                         int *policy)
{
    uint32_t site = rt_take_site_known();
    struct thread_attr a;

    sync_attr_read(attr, &a, site);
    return get_int(policy, a.policy, site);
}

int __fencer_pthread_attr_setschedparam(pthread_attr_t *attr,
                                        const struct sched_param *param)
{
    uint32_t site = rt_take_site_known();
    struct thread_attr *a = change(attr, site);
    struct sched_param p;

    sync_in(&p, param, sizeof p, site);
    if (!priority_is_valid(a->policy, p.sched_priority))
        return EINVAL;
    a->priority = p.sched_priority;
    return 0;
}

int __fencer_pthread_attr_getschedparam(const pthread_attr_t *attr,
                                        struct sched_param *param)
{
    uint32_t site = rt_take_site_known();
    struct thread_attr a;

    sync_attr_read(attr, &a, site);
    return get_int(&param->sched_priority, a.priority, site);
}

int __fencer_pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit)
{
    uint32_t site = rt_take_site_known();

    if (inherit != PTHREAD_INHERIT_SCHED && inherit != PTHREAD_EXPLICIT_SCHED)
        return EINVAL;
    change(attr, site)->inherit = (uint8_t)inherit;
    return 0;
}

int __fencer_pthread_attr_getinheritsched(const pthread_attr_t *attr,
                                          int *inherit)
{
    uint32_t site = rt_take_site_known();
    struct thread_attr a;

    sync_attr_read(attr, &a, site);
    return get_int(inherit, a.inherit, site);
}

int __fencer_pthread_attr_setscope(pthread_attr_t *attr, int scope)
{
    uint32_t site = rt_take_site_known();

    if (scope == PTHREAD_SCOPE_PROCESS)
        return ENOTSUP;
    if (scope != PTHREAD_SCOPE_SYSTEM)
        return EINVAL;
    change(attr, site)->scope = (uint8_t)scope;
    return 0;
}

int __fencer_pthread_attr_getscope(const pthread_attr_t *attr, int *scope)
{
    uint32_t site = rt_take_site_known();
    struct thread_attr a;

    sync_attr_read(attr, &a, site);
    return get_int(scope, a.scope, site);
}

/* Threads run wherever they like: there is one processor, number 0. */
static int one_processor(size_t size, cpu_set_t *set, uint32_t site)
{
    static const cpu_set_t first = {{1}};

    if (size < sizeof(__cpu_mask))
        return EINVAL;
    sync_out(set, &first, size < sizeof first ? size : sizeof first, site);
    return 0;
}

int __fencer_pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size,
                                         const cpu_set_t *set)
{
    (void)attr;
    (void)size;
    (void)set;
    (void)rt_take_site_known();
    return 0;
}

int __fencer_pthread_attr_getaffinity_np(const pthread_attr_t *attr,
                                         size_t size, cpu_set_t *set)
{
    (void)attr;
    return one_processor(size, set, rt_take_site_known());
}

int __fencer_pthread_setaffinity_np(pthread_t handle, size_t size,
                                    const cpu_set_t *set)
{
    (void)size;
    (void)set;
    (void)rt_take_site();
    return sync_find(handle) ? 0 : ESRCH;
}

int __fencer_pthread_getaffinity_np(pthread_t handle, size_t size,
                                    cpu_set_t *set)
{
    uint32_t site = rt_take_site();

    return sync_find(handle) ? one_processor(size, set, site) : ESRCH;
}

int __fencer_pthread_getattr_default_np(pthread_attr_t *attr)
{
    return __fencer_pthread_attr_init(attr);
}

int __fencer_pthread_setattr_default_np(const pthread_attr_t *attr)
{
    uint32_t site = rt_take_site();
    struct thread_attr a;

    sync_attr_read(attr, &a, site);
    if (a.detached || a.stack)
        return EINVAL;
    defaults.stack_size = a.stack_size;
    defaults.guard_size = a.guard_size;
    defaults.execution = rt.serial;
    return 0;
}

int __fencer_pthread_getattr_np(pthread_t handle, pthread_attr_t *attr)
{
    uint32_t site = rt_take_site();
    const struct thread *t = sync_find(handle);
    struct thread_attr *a;

    if (!t)
        return ESRCH;
    a = change(attr, site);
    fill_defaults(a);
    a->detached = t->detached;
    a->policy = (uint8_t)sync_of(t)->policy;
    a->priority = sync_of(t)->priority;
    a->stack = t->stack;
    a->stack_size = (size_t)(t->stack_end - t->stack);
    return 0;
}

int __fencer_pthread_setschedparam(pthread_t handle, int policy,
                                   const struct sched_param *param)
{
    uint32_t site = rt_take_site();
    const struct thread *t = sync_find(handle);
    struct sched_param p;

    if (!t)
        return ESRCH;
    sync_in(&p, param, sizeof p, site);
    if (!policy_is_valid(policy) ||
        !priority_is_valid(policy, p.sched_priority))
        return EINVAL;
    sync_of(t)->policy = policy;
    sync_of(t)->priority = p.sched_priority;
    return 0;
}

int __fencer_pthread_getschedparam(pthread_t handle, int *policy,
                                   struct sched_param *param)
{
    uint32_t site = rt_take_site();
    const struct thread *t = sync_find(handle);

    if (!t)
        return ESRCH;
    get_int(&param->sched_priority, sync_of(t)->priority, site);
    return get_int(policy, sync_of(t)->policy, site);
}

int __fencer_pthread_setschedprio(pthread_t handle, int priority)
{
    const struct thread *t = sync_find(handle);

    (void)rt_take_site();
    if (!t)
        return ESRCH;
    if (!priority_is_valid(sync_of(t)->policy, priority))
        return EINVAL;
    sync_of(t)->priority = priority;
    return 0;
}
