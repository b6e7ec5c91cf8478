/* SPDX-License-Identifier: MIT
 *
 * Attributes of mutexes, and of the objects that have few: a word each, whose
 * bits are the answers.  Process-shared objects are like others here, for
 * there is one process; priorities change nothing, for the scheduler is ours.
 */
#include "sync/sync.h"

#include <errno.h>

#include "event/must.h"

/* Some bits of an attribute's word, and the values they may have. */
struct field {
    uint32_t mask;
    int least, most;
};

static int clear_word(void *attr, uint32_t site)
{
    uint32_t none = 0;

    sync_out(attr, &none, sizeof none, site);
    return 0;
}

static int tell_value(int *to, uint32_t value, uint32_t site)
{
    sync_out(to, &value, sizeof value, site);
    return 0;
}

static uint32_t get_word(const void *attr, uint32_t site)
{
    uint32_t bits;

    sync_in(&bits, attr, sizeof bits, site);
    return bits;
}

static int set_field(void *attr, struct field f, int value, uint32_t site)
{
    uint32_t bits = (uint32_t)value << __builtin_ctz(f.mask), all;

    if (value < f.least || value > f.most)
        return EINVAL;
    MUST(!(bits & ~f.mask));
    all = (get_word(attr, site) & ~f.mask) | bits;
    sync_out(attr, &all, sizeof all, site);
    return 0;
}

/* A word of zeroes has the least values. */
static int get_field(const void *attr, struct field f, int *to, uint32_t site)
{
    uint32_t value = (get_word(attr, site) & f.mask) >> __builtin_ctz(f.mask);

    if (value < (uint32_t)f.least)
        value = (uint32_t)f.least;
    return tell_value(to, value, site);
}

/* pthread_OBJECT_init and _destroy. */
#define ATTRIBUTES(object)                                                     \
    MODEL_IS(int, pthread_##object##_init, (pthread_##object##_t * a),         \
             clear_word(a, rt_take_site_known()))                              \
    MODEL_IS(int, pthread_##object##_destroy, (pthread_##object##_t * a),      \
             (rt_take_site_known(), 0))

/* pthread_OBJECT_setNAME and _getNAME. */
#define FIELD(object, name, mask, least, most)                                 \
    MODEL_IS(int, pthread_##object##_set##name,                                \
             (pthread_##object##_t * a, int value),                            \
             set_field(a, (struct field){mask, least, most}, value,            \
                       rt_take_site_known()))                                  \
    MODEL_IS(int, pthread_##object##_get##name,                                \
             (const pthread_##object##_t *a, int *to),                         \
             get_field(a, (struct field){mask, least, most}, to,               \
                       rt_take_site_known()))

#define SHARED(object, mask)                                                   \
    FIELD(object, pshared, mask, PTHREAD_PROCESS_PRIVATE,                      \
          PTHREAD_PROCESS_SHARED)

#define LOW_BIT 1u
#define ABOVE_IT (~LOW_BIT)
#define CEILING_LEAST 1
#define CEILING_MOST 99

/* Mutexes: enum mutex_kind. */
ATTRIBUTES(mutexattr)
FIELD(mutexattr, type, MUTEX_TYPE, PTHREAD_MUTEX_TIMED_NP,
      PTHREAD_MUTEX_ADAPTIVE_NP)
SHARED(mutexattr, MUTEX_SHARED)
FIELD(mutexattr, robust, MUTEX_ROBUST, PTHREAD_MUTEX_STALLED,
      PTHREAD_MUTEX_ROBUST)
FIELD(mutexattr, protocol, MUTEX_PROTOCOL, PTHREAD_PRIO_NONE,
      PTHREAD_PRIO_PROTECT)
FIELD(mutexattr, prioceiling, ~0u << MUTEX_CEILING_SHIFT, CEILING_LEAST,
      CEILING_MOST)

/* Condition variables, locks for readers and writers, barriers. */
ATTRIBUTES(condattr)
SHARED(condattr, LOW_BIT)
FIELD(condattr, clock, ABOVE_IT, CLOCK_REALTIME, CLOCK_MONOTONIC)

ATTRIBUTES(rwlockattr)
SHARED(rwlockattr, LOW_BIT)
FIELD(rwlockattr, kind_np, ABOVE_IT, PTHREAD_RWLOCK_PREFER_READER_NP,
      PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)

ATTRIBUTES(barrierattr)
SHARED(barrierattr, LOW_BIT)

/* ---- The ceiling of a mutex itself. ---- */

static bool has_ceiling(const struct mutex *m)
{
    return (m->kind & MUTEX_PROTOCOL) >> MUTEX_PROTOCOL_SHIFT ==
           PTHREAD_PRIO_PROTECT;
}

MODEL(int, pthread_mutex_getprioceiling,
      (const pthread_mutex_t *mutex, int *ceiling))
{
    uint32_t site = rt_take_site_known();
    struct mutex m;

    sync_in(&m, mutex, sizeof m, site);
    return has_ceiling(&m) ? tell_value(ceiling, m.ceiling, site) : EINVAL;
}

MODEL(int, pthread_mutex_setprioceiling,
      (pthread_mutex_t *mutex, int ceiling, int *old))
{
    uint32_t site = rt_take_site_known();
    struct mutex *m = (struct mutex *)(void *)mutex;

    sync_look(m, sizeof *m, site);
    if (!has_ceiling(m) || ceiling < CEILING_LEAST || ceiling > CEILING_MOST)
        return EINVAL;
    tell_value(old, m->ceiling, site);
    rt_touch(m, sizeof *m);
    m->ceiling = (uint32_t)ceiling;
    return 0;
}
