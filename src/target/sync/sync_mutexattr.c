/* SPDX-License-Identifier: MIT
 *
 * Attributes of mutexes, and of the objects that have few: a word each, whose
 * bits are the answers.  Process-shared objects are like others here, for
 * there is one process; priorities change nothing, for the scheduler is ours.
 */
#include "sync/sync.h"

#include <errno.h>

static uint32_t get(const void *attr, uint32_t site)
{
    uint32_t bits;

    sync_in(&bits, attr, sizeof bits, site);
    return bits;
}

static int set(void *attr, uint32_t mask, uint32_t bits, uint32_t site)
{
    uint32_t all = (get(attr, site) & ~mask) | bits;

    sync_out(attr, &all, sizeof all, site);
    return 0;
}

static int tell(int *to, uint32_t value, uint32_t site)
{
    sync_out(to, &value, sizeof value, site);
    return 0;
}

static bool shared_is_valid(int shared)
{
    return shared == PTHREAD_PROCESS_PRIVATE ||
           shared == PTHREAD_PROCESS_SHARED;
}

/* ---- Mutexes: enum mutex_kind. ---- */

int __fencer_pthread_mutexattr_init(pthread_mutexattr_t *a)
{
    uint32_t site = rt_take_site_known(), none = 0;

    sync_out(a, &none, sizeof none, site);
    return 0;
}

int __fencer_pthread_mutexattr_destroy(pthread_mutexattr_t *a)
{
    (void)a;
    (void)rt_take_site_known();
    return 0;
}

int __fencer_pthread_mutexattr_settype(pthread_mutexattr_t *a, int type)
{
    uint32_t site = rt_take_site_known();

    if (type < PTHREAD_MUTEX_TIMED_NP || type > PTHREAD_MUTEX_ADAPTIVE_NP)
        return EINVAL;
    return set(a, MUTEX_TYPE, (uint32_t)type, site);
}

int __fencer_pthread_mutexattr_gettype(const pthread_mutexattr_t *a, int *type)
{
    uint32_t site = rt_take_site_known();

    return tell(type, get(a, site) & MUTEX_TYPE, site);
}

int __fencer_pthread_mutexattr_setpshared(pthread_mutexattr_t *a, int shared)
{
    uint32_t site = rt_take_site_known();

    if (!shared_is_valid(shared))
        return EINVAL;
    return set(a, MUTEX_SHARED, shared ? MUTEX_SHARED : 0, site);
}

int __fencer_pthread_mutexattr_getpshared(const pthread_mutexattr_t *a,
                                          int *shared)
{
    uint32_t site = rt_take_site_known();

    return tell(shared, !!(get(a, site) & MUTEX_SHARED), site);
}

int __fencer_pthread_mutexattr_setrobust(pthread_mutexattr_t *a, int robust)
{
    uint32_t site = rt_take_site_known();

    if (robust != PTHREAD_MUTEX_STALLED && robust != PTHREAD_MUTEX_ROBUST)
        return EINVAL;
    return set(a, MUTEX_ROBUST,
               robust == PTHREAD_MUTEX_ROBUST ? MUTEX_ROBUST : 0, site);
}

int __fencer_pthread_mutexattr_getrobust(const pthread_mutexattr_t *a,
                                         int *robust)
{
    uint32_t site = rt_take_site_known();

    return tell(robust,
                get(a, site) & MUTEX_ROBUST ? PTHREAD_MUTEX_ROBUST
                                            : PTHREAD_MUTEX_STALLED,
                site);
}

int __fencer_pthread_mutexattr_setprotocol(pthread_mutexattr_t *a, int protocol)
{
    uint32_t site = rt_take_site_known();

    if (protocol < PTHREAD_PRIO_NONE || protocol > PTHREAD_PRIO_PROTECT)
        return EINVAL;
    return set(a, MUTEX_PROTOCOL, (uint32_t)protocol << MUTEX_PROTOCOL_SHIFT,
               site);
}

int __fencer_pthread_mutexattr_getprotocol(const pthread_mutexattr_t *a,
                                           int *protocol)
{
    uint32_t site = rt_take_site_known();

    return tell(protocol,
                (get(a, site) & MUTEX_PROTOCOL) >> MUTEX_PROTOCOL_SHIFT, site);
}

int __fencer_pthread_mutexattr_setprioceiling(pthread_mutexattr_t *a,
                                              int ceiling)
{
    uint32_t site = rt_take_site_known();

    if (ceiling < 1 || ceiling > 99)
        return EINVAL;
    return set(a, ~0u << MUTEX_CEILING_SHIFT,
               (uint32_t)ceiling << MUTEX_CEILING_SHIFT, site);
}

int __fencer_pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *a,
                                              int *ceiling)
{
    uint32_t site = rt_take_site_known();
    uint32_t value = get(a, site) >> MUTEX_CEILING_SHIFT;

    return tell(ceiling, value ? value : 1, site);
}

static bool has_ceiling(const struct mutex *m)
{
    return (m->kind & MUTEX_PROTOCOL) >> MUTEX_PROTOCOL_SHIFT ==
           PTHREAD_PRIO_PROTECT;
}

int __fencer_pthread_mutex_getprioceiling(const pthread_mutex_t *mutex,
                                          int *ceiling)
{
    uint32_t site = rt_take_site_known();
    struct mutex m;

    sync_in(&m, mutex, sizeof m, site);
    return has_ceiling(&m) ? tell(ceiling, m.ceiling, site) : EINVAL;
}

int __fencer_pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling,
                                          int *old)
{
    uint32_t site = rt_take_site_known();
    struct mutex *m = (struct mutex *)(void *)mutex;

    sync_look(m, sizeof *m, site);
    if (!has_ceiling(m) || ceiling < 1 || ceiling > 99)
        return EINVAL;
    tell(old, m->ceiling, site);
    rt_touch(m, sizeof *m);
    m->ceiling = (uint32_t)ceiling;
    return 0;
}

/* ---- Condition variables: bit 0 process-shared, the clock above it. ---- */

int __fencer_pthread_condattr_init(pthread_condattr_t *a)
{
    uint32_t site = rt_take_site_known(), none = 0;

    sync_out(a, &none, sizeof none, site);
    return 0;
}

int __fencer_pthread_condattr_destroy(pthread_condattr_t *a)
{
    (void)a;
    (void)rt_take_site_known();
    return 0;
}

int __fencer_pthread_condattr_setpshared(pthread_condattr_t *a, int shared)
{
    uint32_t site = rt_take_site_known();

    return shared_is_valid(shared) ? set(a, 1, (uint32_t)shared, site) : EINVAL;
}

int __fencer_pthread_condattr_getpshared(const pthread_condattr_t *a,
                                         int *shared)
{
    uint32_t site = rt_take_site_known();

    return tell(shared, get(a, site) & 1, site);
}

int __fencer_pthread_condattr_setclock(pthread_condattr_t *a, clockid_t clock)
{
    uint32_t site = rt_take_site_known();

    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    return set(a, ~1u, (uint32_t)clock << 1, site);
}

int __fencer_pthread_condattr_getclock(const pthread_condattr_t *a,
                                       clockid_t *clock)
{
    uint32_t site = rt_take_site_known();

    return tell(clock, get(a, site) >> 1, site);
}

/* ---- Locks for readers and writers: bit 0 shared, the kind above it. ---- */

int __fencer_pthread_rwlockattr_init(pthread_rwlockattr_t *a)
{
    uint32_t site = rt_take_site_known(), none = 0;

    sync_out(a, &none, sizeof none, site);
    return 0;
}

int __fencer_pthread_rwlockattr_destroy(pthread_rwlockattr_t *a)
{
    (void)a;
    (void)rt_take_site_known();
    return 0;
}

int __fencer_pthread_rwlockattr_setpshared(pthread_rwlockattr_t *a, int shared)
{
    uint32_t site = rt_take_site_known();

    return shared_is_valid(shared) ? set(a, 1, (uint32_t)shared, site) : EINVAL;
}

int __fencer_pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *a,
                                           int *shared)
{
    uint32_t site = rt_take_site_known();

    return tell(shared, get(a, site) & 1, site);
}

int __fencer_pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *a, int kind)
{
    uint32_t site = rt_take_site_known();

    if (kind < PTHREAD_RWLOCK_PREFER_READER_NP ||
        kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
        return EINVAL;
    return set(a, ~1u, (uint32_t)kind << 1, site);
}

int __fencer_pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *a,
                                           int *kind)
{
    uint32_t site = rt_take_site_known();

    return tell(kind, get(a, site) >> 1, site);
}

/* ---- Barriers: bit 0. ---- */

int __fencer_pthread_barrierattr_init(pthread_barrierattr_t *a)
{
    uint32_t site = rt_take_site_known(), none = 0;

    sync_out(a, &none, sizeof none, site);
    return 0;
}

int __fencer_pthread_barrierattr_destroy(pthread_barrierattr_t *a)
{
    (void)a;
    (void)rt_take_site_known();
    return 0;
}

int __fencer_pthread_barrierattr_setpshared(pthread_barrierattr_t *a,
                                            int shared)
{
    uint32_t site = rt_take_site_known();

    return shared_is_valid(shared) ? set(a, 1, (uint32_t)shared, site) : EINVAL;
}

int __fencer_pthread_barrierattr_getpshared(const pthread_barrierattr_t *a,
                                            int *shared)
{
    uint32_t site = rt_take_site_known();

    return tell(shared, get(a, site) & 1, site);
}
