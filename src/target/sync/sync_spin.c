/* SPDX-License-Identifier: MIT
 *
 * Spin locks and barriers.
 *
 * A spin lock has one word: who holds it, and above that whether memory says
 * so; while the unlocking store is in its thread's buffer only the upper half
 * is left.  Nobody spins: who cannot have it sleeps, and a lock that is never
 * given back is a deadlock.
 *
 * Arriving at a barrier is a release, leaving it an acquire (docs/models.md).
 * The last to come lets the others go, and is the serial thread; the others do
 * not look at the barrier again, for it may be destroyed by then.
 */
#include "sync/sync.h"

#include <errno.h>
#include <string.h>

#include "event/must.h"
#include "runtime/footprint.h"
#include "runtime/happened.h"
#include "runtime/native.h"

#define OWNER 0xffffu
#define TAKEN 0x5b510000u /* hardly the value of anything else */
#define DESTROYED 0xde520000u

static uint32_t *of(pthread_spinlock_t *l)
{
    return (uint32_t *)(void *)(uintptr_t)l;
}

static uint32_t me(void)
{
    return rt_self()->id + 1;
}

static bool is_taken(uint32_t word)
{
    return (word & ~OWNER) == TAKEN;
}

static uint32_t owner_of(uint32_t word)
{
    return word & OWNER;
}

static void check_spin(const uint32_t *l, uint32_t site)
{
    if (*l == DESTROYED)
        rt_fail(FAIL_MISUSE, site, "the lock was destroyed");
}

static int spin_take(uint32_t *l, unsigned flags, uint32_t site)
{
    rt_touch(l, sizeof *l);
    *l = TAKEN | me();
    rt_acquired(C_LOCK, l);
    happened_object(EV_LOCK, l, sizeof *l, 0, 1, flags, site);
    rt_event(EV_LOCK, l, sizeof *l, 1, 0, site);
    return 0;
}

static void spin_released(void *address)
{
    *(uint32_t *)address = 0;
    rt_wake_all(address);
}

MODEL(int, pthread_spin_init, (pthread_spinlock_t *lock, int shared))
{
    uint32_t site = rt_take_site_known(), none = 0, *l = of(lock);

    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
        return EINVAL;
    sync_look(l, sizeof *l, site);
    if (is_taken(*l) && owner_of(*l))
        rt_fail(FAIL_MISUSE, site,
                "the lock is made anew while thread %u holds it",
                owner_of(*l) - 1);
    sync_out(l, &none, sizeof none, site);
    return 0;
}

MODEL(int, pthread_spin_destroy, (pthread_spinlock_t *lock))
{
    uint32_t site = rt_take_site_known();
    uint32_t *l = of(lock);

    sync_enter(EV_LOCK_FAIL, l, sizeof *l, site);
    check_spin(l, site);
    if (is_taken(*l))
        rt_fail(FAIL_MISUSE, site, "the lock is destroyed while it is locked");
    rt_touch(l, sizeof *l);
    *l = DESTROYED;
    return 0;
}

static bool spin_waits(const struct thread *t, const void *object)
{
    const uint32_t *l = object;

    return is_taken(*l) && !sync_releases(t, l, sizeof *l);
}

MODEL(int, pthread_spin_lock, (pthread_spinlock_t *lock))
{
    uint32_t site = rt_take_site_known();
    uint32_t *l = of(lock);

    native_will_lock();
    sync_enter_waiting(EV_LOCK, l, sizeof *l, spin_waits, site);
    for (;;) {
        check_spin(l, site);
        rt_acquire(C_LOCK, l);
        if (!is_taken(*l)) {
            sync_left();
            return spin_take(l, 0, site);
        }
        sync_block(EV_LOCK, l, NULL, sync_held_by("a spin lock", owner_of(*l)));
        sync_look(l, sizeof *l, site);
    }
}

MODEL(int, pthread_spin_trylock, (pthread_spinlock_t *lock))
{
    uint32_t site = rt_take_site_known_quiet();
    uint32_t *l = of(lock);

    sync_enter(EV_LOCK, l, sizeof *l, site);
    check_spin(l, site);
    rt_acquire(C_LOCK_FAIL, l);
    if (!is_taken(*l)) {
        rt_acquire(C_LOCK, l);
        return spin_take(l, HAPPENED_CAS, site);
    }
    rt_acquired(C_LOCK_FAIL, l);
    happened_object(EV_LOCK_FAIL, l, sizeof *l, 1, 1, HAPPENED_CAS, site);
    rt_event(EV_LOCK_FAIL, l, sizeof *l, 1, 0, site);
    sync_polls();
    return EBUSY;
}

MODEL(int, pthread_spin_unlock, (pthread_spinlock_t *lock))
{
    uint32_t site = rt_take_site_known();
    uint32_t *l = of(lock);
    uint32_t owner;

    sync_enter(EV_UNLOCK, l, sizeof *l, site);
    check_spin(l, site);
    owner = owner_of(*l);
    if (!owner)
        rt_fail(FAIL_MISUSE, site,
                "pthread_spin_unlock: the lock is not locked");
    if (owner != me())
        rt_fail(FAIL_MISUSE, site,
                "pthread_spin_unlock: the lock is held by thread %u",
                owner - 1);
    *l = TAKEN;
    happened_object(EV_UNLOCK, l, sizeof *l, 1, 0, 0, site);
    rt_event(EV_UNLOCK, l, sizeof *l, 0, rt_release_flags(C_UNLOCK), site);
    rt_release(C_UNLOCK, l, spin_released);
    return 0;
}

bool sync_rename_spin(void *object, size_t size, uint32_t a, uint32_t b)
{
    uint32_t *l = object;

    if (size != sizeof *l)
        return false;
    if (is_taken(*l))
        *l = TAKEN | sync_renamed(owner_of(*l), a, b);
    return true;
}

/* ---- Barriers. ---- */

struct barrier {
    uint32_t count;
    uint32_t arrived; /* of this round */
    uint32_t round;
    uint32_t seal; /* sync_seal, once it was made */
};
_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "it fits");

static void check_barrier(const struct barrier *b, const char *who,
                          uint32_t site)
{
    if (b->count)
        return;
    rt_fail(FAIL_MISUSE, site, "%s: the barrier %s", who,
            b->seal == sync_seal(b) ? "was destroyed" : "is not initialised");
}

/* Lets everybody go who waits there; t->sync is the flag they look at. */
static void open_barrier(struct barrier *b)
{
    b->arrived = 0;
    b->round++;
    for (uint32_t i = 0; i < rt.thread_count; i++) {
        struct thread *t = &rt.threads[i];

        if (t->state == THREAD_BLOCKED && t->blocked_on == b) {
            MUST(t->sync);
            *(bool *)t->sync = true;
            rt_wake(t);
        }
    }
}

/* Arrive; true: as the last one. */
static bool arrive(struct barrier *b, uint32_t site)
{
    bool last;

    rt_acquire(C_POST, b);
    rt_touch(b, sizeof *b);
    last = ++b->arrived >= b->count;
    if (last)
        open_barrier(b);
    rt_acquired(C_POST, b);
    happened_object(EV_POST, b, sizeof *b, 1, 1, 0, site);
    rt_event(EV_POST, b, sizeof *b, last, 0, site);
    return last;
}

MODEL(int, pthread_barrier_init,
      (pthread_barrier_t *barrier, const pthread_barrierattr_t *attr,
       unsigned count))
{
    uint32_t site = rt_take_site_known();
    struct barrier *b = (struct barrier *)(void *)barrier;

    if (!count || count > INT32_MAX)
        return EINVAL;
    sync_look(b, sizeof *b, site);
    if (b->seal == sync_seal(b) && b->arrived)
        rt_fail(FAIL_MISUSE, site,
                "a barrier is made anew while %u threads wait at it",
                b->arrived);
    rt_touch(b, sizeof *b);
    memset(b, 0, sizeof *b);
    b->count = count;
    b->seal = sync_seal(b);
    return 0;
}

MODEL(int, pthread_barrier_destroy, (pthread_barrier_t *barrier))
{
    uint32_t site = rt_take_site_known();
    struct barrier *b = (struct barrier *)(void *)barrier;

    sync_enter(EV_POST, b, sizeof *b, site);
    check_barrier(b, "pthread_barrier_destroy", site);
    if (b->arrived)
        rt_fail(FAIL_MISUSE, site,
                "a barrier is destroyed while %u threads wait at it",
                b->arrived);
    rt_touch(b, sizeof *b);
    b->count = 0;
    return 0;
}

MODEL(int, pthread_barrier_wait, (pthread_barrier_t *barrier))
{
    uint32_t site = rt_take_site_known();
    struct barrier *b = (struct barrier *)(void *)barrier;
    bool open = false, serial;
    uint32_t round;

    sync_enter(EV_POST, b, sizeof *b, site);
    check_barrier(b, "pthread_barrier_wait", site);
    round = b->round;
    serial = arrive(b, site);
    rt_self()->sync = &open;
    rt_self()->pending.kind = EV_WAIT;
    while (!serial && !open) {
        sync_block(EV_LOCK, b, NULL, "a barrier");
        open = open || (rt.graphs && b->round != round);
    }
    MUST(serial != open); /* the last one need not be let go */
    sync_left();
    rt_self()->sync = NULL;
    footprint_change((uint64_t)b, sizeof *b);
    rt_acquire(C_WAIT, b);
    rt_acquired(C_WAIT, b);
    happened_object(EV_WAIT, b, sizeof *b, 1, 1, 0, site);
    rt_event(EV_WAIT, b, sizeof *b, serial, 0, site);
    return serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
