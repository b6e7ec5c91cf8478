/* SPDX-License-Identifier: MIT
 *
 * Mutexes of all kinds.
 *
 * A lock is an acquire RMW, an unlock a store after a store-store fence that
 * may sit in the buffer: until it leaves, others find the mutex taken, while
 * the thread itself knows that it has given it away.  Locking it again waits
 * for the own store (rt_acquire), as an RMW of that address does.
 *
 * A normal mutex that its owner locks again blocks for ever, and the scheduler
 * reports that.  What POSIX leaves undefined is a finding: unlocking a normal
 * mutex that another thread holds, or nobody (the kinds that check return
 * EPERM), destroying one that is locked, making one anew that is, using one
 * that was destroyed.
 */
#include "sync/sync.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "event/must.h"
#include "runtime/happened.h"
#include "runtime/native.h"

_Static_assert(sizeof(struct mutex) <= sizeof(pthread_mutex_t), "it fits");
_Static_assert(sizeof(struct mutex) <= sizeof(mtx_t), "it fits");
_Static_assert(offsetof(struct mutex, kind) ==
                   offsetof(pthread_mutex_t, __data.__kind),
               "static initialisers put the kind there");

#define DESTROYED (-1)

#define HUNGRY 16 /* times a waiter finds it taken again */
#define POLLS 100 /* locks in a row while nobody else runs */

enum mutex_state {
    MUTEX_SOUND,
    MUTEX_ORPHAN,  /* its owner ended: the next to lock it is told */
    MUTEX_TAINTED, /* the one who was told holds it */
    MUTEX_LOST     /* and let it go without making it consistent */
};

static struct mutex *of(pthread_mutex_t *m)
{
    return (struct mutex *)(void *)m;
}

static uint32_t me(void)
{
    return rt_self()->id + 1;
}

static bool is_valid(const struct mutex *m)
{
    return !(m->kind & ~MUTEX_KNOWN);
}

/* Is it one?  Not one that was destroyed. */
static bool can_be_used(const struct mutex *m, uint32_t site)
{
    if (m->kind == DESTROYED)
        rt_fail(FAIL_MISUSE, site, "the mutex was destroyed");
    return is_valid(m);
}

static int type(const struct mutex *m)
{
    return m->kind & MUTEX_TYPE;
}

static bool checks_owner(const struct mutex *m)
{
    return type(m) == PTHREAD_MUTEX_ERRORCHECK ||
           type(m) == PTHREAD_MUTEX_RECURSIVE || m->kind & MUTEX_ROBUST;
}

/* ---- Robust mutexes are in a list of their owner's. ---- */

static void robust_add(struct mutex *m)
{
    struct sync_thread *s = sync_of(rt_self());

    m->next = s->robust;
    s->robust = m;
}

static void robust_remove(const struct mutex *m)
{
    struct mutex **at = &sync_of(rt_self())->robust;

    while (*at && *at != m)
        at = &(*at)->next;
    if (*at)
        *at = m->next;
}

void sync_mutex_orphan(struct thread *t)
{
    struct sync_thread *s = sync_of(t);
    struct mutex *m = s->robust;

    s->robust = NULL;
    while (m) {
        struct mutex *next = m->next;

        rt_touch(m, sizeof *m);
        m->state = m->state == MUTEX_TAINTED ? MUTEX_LOST : MUTEX_ORPHAN;
        m->owner = m->count = m->lock = 0;
        rt_wake_all(m);
        m = next;
    }
}

/* ---- Taking it. ---- */

/* It is free: take it.  HAPPENED_CAS: had it not been, that would have been
 * an answer too. */
static int take(struct mutex *m, uint32_t depth, unsigned flags, uint32_t site)
{
    int result = 0;

    if (m->state == MUTEX_LOST) {
        rt_acquired(C_LOCK_FAIL, m);
        happened_object(EV_LOCK_FAIL, m, sizeof *m, 0, 0, HAPPENED_CAS, site);
        rt_event(EV_LOCK_FAIL, m, sizeof *m, 0, 0, site);
        return ENOTRECOVERABLE;
    }
    MUST(!m->lock);
    rt_touch(m, sizeof *m);
    m->lock = 1;
    m->owner = me();
    m->count = depth;
    if (m->state == MUTEX_ORPHAN) {
        m->state = MUTEX_TAINTED;
        result = EOWNERDEAD;
    }
    if (m->kind & MUTEX_ROBUST)
        robust_add(m);
    native_took(m);
    rt_acquired(C_LOCK, m);
    happened_object(EV_LOCK, m, sizeof *m, 0, 1, flags, site);
    rt_event(EV_LOCK, m, sizeof *m, 1, 0, site);
    return result;
}

static int not_taken(struct mutex *m, int error, uint32_t flags, uint32_t site)
{
    rt_acquire(C_LOCK_FAIL, m);
    rt_acquired(C_LOCK_FAIL, m);
    happened_object(EV_LOCK_FAIL, m, sizeof *m, m->lock, m->lock, HAPPENED_CAS,
                    site);
    rt_event(EV_LOCK_FAIL, m, sizeof *m, m->lock, flags, site);
    sync_polls();
    return error;
}

/* A lock that can only wait, as it is now.  An own unlock on its way goes
 * first, and frees it. */
bool sync_mutex_waits(const struct thread *t, const struct mutex *m)
{
    if (!is_valid(m) || !m->lock || sync_releases(t, m, sizeof *m))
        return false;
    return m->owner != t->id + 1 || (type(m) != PTHREAD_MUTEX_RECURSIVE &&
                                     type(m) != PTHREAD_MUTEX_ERRORCHECK);
}

static bool lock_waits(const struct thread *t, const void *object)
{
    return sync_mutex_waits(t, object);
}

static int wait_and_take(struct mutex *m, const uint64_t *deadline,
                         uint32_t depth, uint32_t site)
{
    for (uint32_t tries = 0;; tries++) {
        rt_acquire(C_LOCK, m);
        if (tries >= HUNGRY && !rt.view.footprint) {
            rt_touch(m, sizeof *m);
            m->hungry = m->lock;
        }
        if (!m->lock)
            return take(m, depth, deadline ? HAPPENED_CAS : 0, site);
        if (!sync_block(EV_LOCK, m, deadline,
                        sync_held_by("a mutex", m->owner)))
            return not_taken(m, ETIMEDOUT, EVF_TIMED_OUT, site);
        sync_look(m, sizeof *m, site);
    }
}

/* Locking what one holds, where that does not block.  False: it does. */
static bool relocked(struct mutex *m, int *error)
{
    if (m->owner != me())
        return false;
    if (type(m) == PTHREAD_MUTEX_RECURSIVE) {
        *error = m->count == UINT32_MAX ? EAGAIN : 0;
        m->count += !*error;
        sync_changed();
        return true;
    }
    *error = EDEADLK;
    return type(m) == PTHREAD_MUTEX_ERRORCHECK;
}

/* A loop may look at something under the mutex until another thread changes
 * it.  A strategy that prefers one thread, or has a rhythm, would let it look
 * for ever: after many times it gives way.  A hint to the strategy, no more. */
static void look_for_polling(const struct mutex *m)
{
    static const struct mutex *last;
    static uint64_t switches, run;
    static uint32_t times;

    if (!rt.multi)
        return;
    if (m != last || switches != rt.channel->switches || run != rt.serial)
        times = 0;
    last = m;
    run = rt.serial;
    switches = rt.channel->switches;
    if (++times >= POLLS) {
        times = 0;
        sync_give_way();
    }
}

/* To a strategy that asks: does the operation drain?  It drains nothing where
 * it only counts. */
static void announce(struct mutex *m, bool locks, uint32_t site)
{
    enum model_construct c = locks ? C_LOCK : C_UNLOCK;
    bool counts;

    rt_check_range(m, sizeof *m, true, site);
    counts = m->owner != (locks ? 0 : me()) || m->count > 1;
    rt_self()->sched->drains = !counts && rt_recipe(c).before & FENCE_FULL;
}

int sync_mutex_lock(struct mutex *m, const uint64_t *deadline, uint32_t site)
{
    int error;

    look_for_polling(m);
    native_section(SECTION_LOCKS, m);
    if (rt.view.footprint && !rt.graphs && !deadline)
        announce(m, true, site);
    if (!deadline)
        native_will_lock();
    sync_enter_waiting(EV_LOCK, m, sizeof *m, deadline ? NULL : lock_waits,
                       site);
    rt_self()->sched->drains = false;
    if (!can_be_used(m, site))
        error = EINVAL;
    else if (!relocked(m, &error))
        error = wait_and_take(m, deadline, 1, site);
    if (!error && m->count == 1)
        native_section(SECTION_BEGINS, m);
    sync_left();
    return error;
}

int sync_mutex_lock_until(struct mutex *m, clockid_t clock,
                          const struct timespec *when, uint32_t site)
{
    uint64_t deadline;
    int error = sync_deadline(clock, when, site, &deadline);

    return error ? error : sync_mutex_lock(m, &deadline, site);
}

int sync_mutex_trylock(struct mutex *m, uint32_t site)
{
    int error;

    sync_enter(EV_LOCK, m, sizeof *m, site);
    if (!can_be_used(m, site))
        return EINVAL;
    if (relocked(m, &error) && type(m) == PTHREAD_MUTEX_RECURSIVE)
        return error;
    rt_acquire(C_LOCK_FAIL, m);
    if (m->lock)
        return not_taken(m, EBUSY, 0, site);
    rt_acquire(C_LOCK, m);
    return take(m, 1, HAPPENED_CAS, site);
}

/* ---- Giving it away. ---- */

static void released(void *address)
{
    struct mutex *m = address;

    m->lock = 0;
    rt_wake_all(m);
}

static void let_go(struct mutex *m, uint32_t site)
{
    if (m->kind & MUTEX_ROBUST) {
        robust_remove(m);
        if (m->state == MUTEX_TAINTED)
            m->state = MUTEX_LOST;
    }
    m->owner = 0;
    m->count = 0;
    if (rt_self()->spurious.mutex == m)
        rt_self()->spurious.mutex = NULL;
    happened_object(EV_UNLOCK, m, sizeof *m, 1, 0, 0, site);
    rt_event(EV_UNLOCK, m, sizeof *m, 0, rt_release_flags(C_UNLOCK), site);
    rt_release(C_UNLOCK, m, released);
    /* Not by way of the buffer now: who is hungry must find it free. */
    if (m->hungry) {
        rt_drain_range((uint64_t)m, sizeof m->lock);
        sync_give_way();
    }
}

int sync_mutex_check_held(const struct mutex *m, const char *who, uint32_t site)
{
    if (!can_be_used(m, site))
        return EINVAL;
    if (m->owner == me())
        return 0;
    if (checks_owner(m))
        return EPERM;
    if (m->owner)
        rt_fail(FAIL_MISUSE, site, "%s: the mutex is held by thread %u", who,
                m->owner - 1);
    rt_fail(FAIL_MISUSE, site, "%s: the mutex is not locked", who);
}

int sync_mutex_unlock(struct mutex *m, const char *who, uint32_t site)
{
    int error;

    if (rt.view.footprint && !rt.graphs)
        announce(m, false, site);
    sync_enter(EV_UNLOCK, m, sizeof *m, site);
    rt_self()->sched->drains = false;
    error = sync_mutex_check_held(m, who, site);
    if (error)
        return error;
    if (m->count > 1) {
        m->count--;
        return 0;
    }
    native_section(SECTION_UNLOCKS, m);
    let_go(m, site);
    native_section(SECTION_ENDS, m);
    return 0;
}

uint32_t sync_mutex_let_go(struct mutex *m, uint32_t site)
{
    uint32_t depth = m->count;

    let_go(m, site);
    return depth;
}

int sync_mutex_retake(struct mutex *m, uint32_t depth, uint32_t site)
{
    return wait_and_take(m, NULL, depth, site);
}

/* ---- Making and unmaking. ---- */

/* Does some thread hold it?  What is not a mutex yet may be anything. */
static bool is_held(const struct mutex *m)
{
    return is_valid(m) && m->lock == 1 && m->count && m->owner &&
           m->owner <= rt.thread_count &&
           rt.threads[m->owner - 1].state != THREAD_DONE;
}

void sync_mutex_init(struct mutex *m, int kind, uint32_t site)
{
    sync_look(m, sizeof *m, site);
    if (is_held(m))
        rt_fail(FAIL_MISUSE, site,
                "the mutex is made anew while thread %u "
                "holds it",
                m->owner - 1);
    rt_touch(m, sizeof *m);
    memset(m, 0, sizeof *m);
    m->kind = kind;
}

int sync_mutex_destroy(struct mutex *m, uint32_t site)
{
    sync_enter(EV_LOCK_FAIL, m, sizeof *m, site);
    if (!can_be_used(m, site))
        return EINVAL;
    rt_acquire(C_LOCK_FAIL, m);
    rt_acquired(C_LOCK_FAIL, m);
    if (m->lock && m->owner)
        rt_fail(FAIL_MISUSE, site,
                "the mutex is destroyed while thread %u holds it",
                m->owner - 1);
    if (m->lock)
        rt_fail(FAIL_MISUSE, site, "the mutex is destroyed while it is locked");
    rt_touch(m, sizeof *m);
    m->kind = DESTROYED;
    return 0;
}

/* ---- The library's names. ---- */

MODEL(int, pthread_mutex_init,
      (pthread_mutex_t *m, const pthread_mutexattr_t *attr))
{
    uint32_t site = rt_take_site_known();
    int bits = 0;

    if (attr)
        sync_in(&bits, attr, sizeof bits, site);
    sync_mutex_init(of(m), bits & MUTEX_KNOWN, site);
    of(m)->ceiling = (uint32_t)bits >> MUTEX_CEILING_SHIFT;
    return 0;
}

MODEL_IS(int, pthread_mutex_destroy, (pthread_mutex_t *m),
         sync_mutex_destroy(of(m), rt_take_site_known()))
MODEL_IS(int, pthread_mutex_lock, (pthread_mutex_t *m),
         sync_mutex_lock(of(m), NULL, rt_take_site_known()))
MODEL_IS(int, pthread_mutex_trylock, (pthread_mutex_t *m),
         sync_mutex_trylock(of(m), rt_take_site_known_quiet()))

MODEL_IS(int, pthread_mutex_clocklock,
         (pthread_mutex_t *m, clockid_t clock, const struct timespec *when),
         sync_mutex_lock_until(of(m), clock, when, rt_take_site_known()))
MODEL_IS(
    int, pthread_mutex_timedlock,
    (pthread_mutex_t *m, const struct timespec *when),
    sync_mutex_lock_until(of(m), CLOCK_REALTIME, when, rt_take_site_known()))
MODEL_IS(int, pthread_mutex_unlock, (pthread_mutex_t *m),
         sync_mutex_unlock(of(m), "pthread_mutex_unlock", rt_take_site_known()))

MODEL(int, pthread_mutex_consistent, (pthread_mutex_t *m))
{
    uint32_t site = rt_take_site_known();

    sync_look(m, sizeof *m, site);
    if (!(of(m)->kind & MUTEX_ROBUST) || of(m)->state != MUTEX_TAINTED)
        return EINVAL;
    of(m)->state = MUTEX_SOUND;
    return 0;
}
