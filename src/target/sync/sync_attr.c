/* SPDX-License-Identifier: MIT
 *
 * Attributes of threads.  Detach state counts; stack size and the scheduling
 * attributes are checked, kept and told back, and change nothing: the
 * scheduler is ours, and all fibers have the same stack.
 */
#include "sync/sync_attr.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "event/must.h"

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

static int set_field(pthread_attr_t *attr, size_t at, const void *value,
                     size_t size, bool is_valid, uint32_t site)
{
    MUST(at + size <= sizeof(struct thread_attr));
    if (!is_valid)
        return EINVAL;
    memcpy((char *)change(attr, site) + at, value, size);
    return 0;
}

static int get_field(const pthread_attr_t *attr, size_t at, void *to,
                     size_t size, uint32_t site)
{
    struct thread_attr a;

    MUST(at + size <= sizeof a);
    sync_attr_read(attr, &a, site);
    sync_out(to, (const char *)&a + at, size, site);
    return 0;
}

static bool is_within(uint64_t value, uint64_t least, uint64_t most)
{
    return value >= least && value <= most;
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

MODEL(int, pthread_attr_init, (pthread_attr_t *attr))
{
    uint32_t site = rt_take_site_known();

    fill_defaults(change(attr, site));
    return 0;
}

MODEL_IS(
    int, pthread_attr_destroy, (pthread_attr_t *attr),
    (rt_take_site_known(), 0))

/* pthread_attr_getNAME. */
#define GET_FIELD(type, name, field)                                           \
    MODEL_IS(int, pthread_attr_get##name,                                      \
             (const pthread_attr_t *attr, type *to),                           \
             get_field(attr, offsetof(struct thread_attr, field), to,          \
                       sizeof *to, rt_take_site_known()))

/* The same, and pthread_attr_setNAME. */
#define FIELD(type, name, field, least, most)                                  \
    GET_FIELD(type, name, field)                                               \
    MODEL_IS(int, pthread_attr_set##name, (pthread_attr_t * attr, type value), \
             set_field(attr, offsetof(struct thread_attr, field), &value,      \
                       sizeof value, is_within((uint64_t)value, least, most),  \
                       rt_take_site_known()))

FIELD(int, detachstate, detached, PTHREAD_CREATE_JOINABLE,
      PTHREAD_CREATE_DETACHED)
FIELD(int, schedpolicy, policy, SCHED_OTHER, SCHED_RR)
FIELD(int, inheritsched, inherit, PTHREAD_INHERIT_SCHED, PTHREAD_EXPLICIT_SCHED)
FIELD(size_t, stacksize, stack_size, STACK_MIN, SIZE_MAX)
FIELD(size_t, guardsize, guard_size, 0, SIZE_MAX)
GET_FIELD(int, scope, scope)
GET_FIELD(struct sched_param, schedparam, param)

MODEL(int, pthread_attr_setstack,
      (pthread_attr_t *attr, void *stack, size_t size))
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

MODEL(int, pthread_attr_getstack,
      (const pthread_attr_t *attr, void **stack, size_t *size))
{
    uint32_t site = rt_take_site_known();
    struct thread_attr a;

    sync_attr_read(attr, &a, site);
    sync_out(stack, &a.stack, sizeof a.stack, site);
    sync_out(size, &a.stack_size, sizeof a.stack_size, site);
    return 0;
}

MODEL(int, pthread_attr_setschedparam,
      (pthread_attr_t *attr, const struct sched_param *param))
{
    uint32_t site = rt_take_site_known();
    struct thread_attr *a = change(attr, site);
    struct sched_param p;

    sync_in(&p, param, sizeof p, site);
    if (!priority_is_valid(a->policy, p.sched_priority))
        return EINVAL;
    a->param = p;
    return 0;
}

MODEL(int, pthread_attr_setscope, (pthread_attr_t *attr, int scope))
{
    uint32_t site = rt_take_site_known();

    if (scope == PTHREAD_SCOPE_PROCESS)
        return ENOTSUP;
    if (scope != PTHREAD_SCOPE_SYSTEM)
        return EINVAL;
    change(attr, site)->scope = scope;
    return 0;
}

int sync_attr_set_processors(pthread_attr_t *attr, uint64_t set, uint32_t site)
{
    change(attr, site)->processors = set;
    return 0;
}

MODEL_ALSO(pthread_getattr_default_np, pthread_attr_init)

MODEL(int, pthread_setattr_default_np, (const pthread_attr_t *attr))
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

MODEL(int, pthread_getattr_np, (pthread_t handle, pthread_attr_t *attr))
{
    uint32_t site = sync_take_site_about(handle);
    const struct thread *t = sync_find(handle);
    struct thread_attr *a;

    if (!t)
        return ESRCH;
    a = change(attr, site);
    fill_defaults(a);
    a->detached = t->detached;
    a->policy = sync_of(t)->policy;
    a->param.sched_priority = sync_of(t)->priority;
    a->stack = t->stack;
    a->stack_size = (size_t)(t->stack_end - t->stack);
    return 0;
}

MODEL(int, pthread_setschedparam,
      (pthread_t handle, int policy, const struct sched_param *param))
{
    uint32_t site = sync_take_site_about(handle);
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

MODEL(int, pthread_getschedparam,
      (pthread_t handle, int *policy, struct sched_param *param))
{
    uint32_t site = sync_take_site_about(handle);
    const struct thread *t = sync_find(handle);
    struct sync_thread *s;

    if (!t)
        return ESRCH;
    s = sync_of(t);
    sync_out(param, &s->priority, sizeof s->priority, site);
    sync_out(policy, &s->policy, sizeof s->policy, site);
    return 0;
}

MODEL(int, pthread_setschedprio, (pthread_t handle, int priority))
{
    const struct thread *t = sync_find(handle);

    (void)sync_take_site_about(handle);
    if (!t)
        return ESRCH;
    if (!priority_is_valid(sync_of(t)->policy, priority))
        return EINVAL;
    sync_of(t)->priority = priority;
    return 0;
}
