/* SPDX-License-Identifier: MIT
 *
 * Locks for readers and writers.  Like mutexes (sync_mutex.c) they have two
 * views: `readers` and `writing` are memory's, `holders` and `writer` are what
 * the holders know.  Any waiting thread may get a free lock; only the
 * "prefer writer, non-recursive" kind keeps new readers out while a writer
 * waits, as glibc's does.
 *
 * How many read locks a thread holds is kept, but not which: an unlock by a
 * thread that does not hold the lock is a finding when nobody reads, another
 * thread writes, or the thread has no read lock at all.  So is to make or
 * destroy a lock that is held, and to use one that was destroyed.
 */
#include "sync/sync.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "runtime/happened.h"

struct rwlock {
    uint32_t readers; /* memory's view */
    uint32_t writing;
    uint32_t holders; /* readers, as they see it */
    uint32_t writer;  /* id + 1 */
    uint32_t writers_waiting;
    uint32_t seal; /* sync_seal, once it was locked */
    uint32_t unused[6];
    uint32_t kind; /* glibc's place and numbers */
};

_Static_assert(sizeof(struct rwlock) <= sizeof(pthread_rwlock_t), "it fits");
_Static_assert(sizeof(struct rwlock) != sizeof(struct mutex) &&
                   sizeof(struct rwlock) != sizeof(struct cond),
               "sync_rename tells them apart");
_Static_assert(offsetof(struct rwlock, kind) ==
                   offsetof(pthread_rwlock_t, __data.__flags),
               "static initialisers put the kind there");

#define DESTROYED UINT32_MAX

static struct rwlock *of(pthread_rwlock_t *l)
{
    return (struct rwlock *)(void *)l;
}

static uint32_t me(void)
{
    return rt_self()->id + 1;
}

static void check_usable(const struct rwlock *l, uint32_t site)
{
    if (l->kind == DESTROYED)
        rt_fail(FAIL_MISUSE, site, "the lock was destroyed");
}

/* What is not a lock yet may be anything. */
static bool is_held(const struct rwlock *l)
{
    return l->seal == sync_seal(l) && (l->writing || l->readers);
}

static bool is_free(const struct rwlock *l, bool write)
{
    if (l->writing || (write && l->readers))
        return false;
    return write || !l->writers_waiting ||
           l->kind != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

/* A writer that keeps readers out must be seen to wait. */
static bool waits(const struct thread *t, const struct rwlock *l, bool write)
{
    if (is_free(l, write) || l->writer == t->id + 1 ||
        sync_releases(t, l, sizeof *l))
        return false;
    return !write || l->kind != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static bool read_waits(const struct thread *t, const void *object)
{
    return waits(t, object, false);
}

static bool write_waits(const struct thread *t, const void *object)
{
    return waits(t, object, true);
}

/* The lock as one number: what a reader minds, and what else a writer does. */
#define BY_WRITER 1u
static uint64_t word(const struct rwlock *l)
{
    return (uint64_t)l->readers << 1 | l->writing;
}

static void happened(enum event_kind kind, const struct rwlock *l, bool write,
                     unsigned flags, uint64_t read, uint32_t site)
{
    if (native_is_on())
        native_happened();
    HAPPENED(.kind = (uint8_t)kind, .address = (uint64_t)l,
             .size = happened_size(sizeof *l), .read = read, .wrote = word(l),
             .expected = write ? 0 : BY_WRITER, .flags = (uint8_t)flags,
             .site = site);
}

static int take(struct rwlock *l, bool write, unsigned flags, uint32_t site)
{
    uint64_t was = word(l);

    rt_touch(l, sizeof *l);
    l->seal = sync_seal(l);
    if (write) {
        l->writing = 1;
        l->writer = me();
    } else {
        l->readers++;
        l->holders++;
        sync_of(rt_self())->read_locks++;
    }
    rt_acquired(C_LOCK, l);
    happened(EV_LOCK, l, write, flags, was, site);
    rt_event(EV_LOCK, l, sizeof *l, write, 0, site);
    return 0;
}

static int not_taken(struct rwlock *l, bool write, int error, uint32_t flags,
                     uint32_t site)
{
    rt_acquire(C_LOCK_FAIL, l);
    rt_acquired(C_LOCK_FAIL, l);
    happened(EV_LOCK_FAIL, l, write, HAPPENED_CAS, word(l), site);
    rt_event(EV_LOCK_FAIL, l, sizeof *l, l->writing, flags, site);
    sync_polls();
    sync_read(l, 2 * sizeof l->readers);
    return error;
}

/* Sleeps once.  False: too late. */
static bool wait(struct rwlock *l, bool write, const uint64_t *deadline)
{
    bool woken;

    rt_touch(l, sizeof *l);
    l->writers_waiting += write;
    woken = sync_block(
        EV_LOCK, l, deadline,
        sync_held_by(write ? "a write lock" : "a read lock", l->writer));
    l->writers_waiting -= write;
    /* Readers that waited for this writer only. */
    if (write && !woken)
        rt_wake_all(l);
    return woken;
}

static int wait_and_take(struct rwlock *l, bool write, const uint64_t *deadline,
                         uint32_t site)
{
    for (;;) {
        check_usable(l, site);
        rt_acquire(C_LOCK, l);
        if (is_free(l, write))
            return take(l, write, deadline ? HAPPENED_CAS : 0, site);
        if (!wait(l, write, deadline))
            return not_taken(l, write, ETIMEDOUT, EVF_TIMED_OUT, site);
        sync_look(l, sizeof *l, site);
    }
}

/* Who explores takes it that a lock has one holder at a time. */
static enum event_kind announced(void)
{
    return rt.strategy->explores ? EV_WAIT : EV_LOCK;
}

static int lock(pthread_rwlock_t *object, bool write, const uint64_t *deadline,
                uint32_t site)
{
    struct rwlock *l = of(object);
    sync_waits_fn *waits_for = write ? write_waits : read_waits;
    int error = EDEADLK;

    rt_self()->pending =
        (struct rt_pending){.kind = EV_LOCK, .expected = write ? 0 : BY_WRITER};
    sync_enter_waiting(announced(), l, sizeof *l, deadline ? NULL : waits_for,
                       site);
    if (l->writer != me())
        error = wait_and_take(l, write, deadline, site);
    sync_left();
    return error;
}

static int trylock(pthread_rwlock_t *object, bool write, uint32_t site)
{
    struct rwlock *l = of(object);

    sync_enter(EV_LOCK, l, sizeof *l, site);
    check_usable(l, site);
    rt_acquire(C_LOCK_FAIL, l);
    if (!is_free(l, write))
        return not_taken(l, write, EBUSY, 0, site);
    rt_acquire(C_LOCK, l);
    return take(l, write, HAPPENED_CAS, site);
}

static int lock_until(pthread_rwlock_t *l, bool write, clockid_t clock,
                      const struct timespec *when, uint32_t site)
{
    uint64_t deadline;
    int error = sync_deadline(clock, when, site, &deadline);

    return error ? error : lock(l, write, &deadline, site);
}

static void writer_released(void *address)
{
    struct rwlock *l = address;

    l->writing = 0;
    rt_wake_all(l);
}

static void reader_released(void *address)
{
    struct rwlock *l = address;

    l->readers--;
    rt_wake_all(l);
}

bool sync_rename_rwlock(void *object, size_t size, uint32_t a, uint32_t b)
{
    struct rwlock *l = object;

    if (size != sizeof *l)
        return false;
    l->writer = sync_renamed(l->writer, a, b);
    return true;
}

/* ---- The library's names. ---- */

MODEL(int, pthread_rwlock_init,
      (pthread_rwlock_t *object, const pthread_rwlockattr_t *attr))
{
    uint32_t site = rt_take_site_known(), bits = 0;
    struct rwlock *l = of(object);

    if (attr)
        sync_in(&bits, attr, sizeof bits, site);
    sync_look(l, sizeof *l, site);
    if (is_held(l))
        rt_fail(FAIL_MISUSE, site, "the lock is made anew while it is locked");
    rt_touch(l, sizeof *l);
    memset(l, 0, sizeof *l);
    l->kind = bits >> 1;
    return 0;
}

MODEL(int, pthread_rwlock_destroy, (pthread_rwlock_t *object))
{
    uint32_t site = rt_take_site_known();
    struct rwlock *l = of(object);

    sync_enter(EV_LOCK_FAIL, l, sizeof *l, site);
    check_usable(l, site);
    rt_acquire(C_LOCK_FAIL, l);
    rt_acquired(C_LOCK_FAIL, l);
    if (l->writing || l->readers)
        rt_fail(FAIL_MISUSE, site, "the lock is destroyed while it is locked");
    rt_touch(l, sizeof *l);
    l->kind = DESTROYED;
    return 0;
}

MODEL_IS(int, pthread_rwlock_rdlock, (pthread_rwlock_t *l),
         lock(l, false, NULL, rt_take_site_known()))
MODEL_IS(int, pthread_rwlock_wrlock, (pthread_rwlock_t *l),
         lock(l, true, NULL, rt_take_site_known()))
MODEL_IS(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *l),
         trylock(l, false, rt_take_site_known_quiet()))
MODEL_IS(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *l),
         trylock(l, true, rt_take_site_known_quiet()))
MODEL_IS(int, pthread_rwlock_timedrdlock,
         (pthread_rwlock_t *l, const struct timespec *when),
         lock_until(l, false, CLOCK_REALTIME, when, rt_take_site_known()))
MODEL_IS(int, pthread_rwlock_timedwrlock,
         (pthread_rwlock_t *l, const struct timespec *when),
         lock_until(l, true, CLOCK_REALTIME, when, rt_take_site_known()))
MODEL_IS(int, pthread_rwlock_clockrdlock,
         (pthread_rwlock_t *l, clockid_t clock, const struct timespec *when),
         lock_until(l, false, clock, when, rt_take_site_known()))
MODEL_IS(int, pthread_rwlock_clockwrlock,
         (pthread_rwlock_t *l, clockid_t clock, const struct timespec *when),
         lock_until(l, true, clock, when, rt_take_site_known()))

MODEL(int, pthread_rwlock_unlock, (pthread_rwlock_t *object))
{
    uint32_t site = rt_take_site_known();
    struct rwlock *l = of(object);
    uint32_t *own_reads = &sync_of(rt_self())->read_locks;

    sync_enter(EV_UNLOCK, l, sizeof *l, site);
    check_usable(l, site);
    if (l->writer == me()) {
        l->writer = 0;
        happened_object(EV_UNLOCK, l, sizeof *l, word(l), 0, 0, site);
        rt_event(EV_UNLOCK, l, sizeof *l, 1, rt_release_flags(C_UNLOCK), site);
        rt_release(C_UNLOCK, l, writer_released);
    } else if (l->holders && *own_reads) {
        l->holders--;
        --*own_reads;
        happened_object(EV_UNLOCK, l, sizeof *l, word(l),
                        (uint64_t)(l->readers - 1) << 1, 0, site);
        rt_event(EV_UNLOCK, l, sizeof *l, 0, rt_release_flags(C_UNLOCK), site);
        rt_release(C_UNLOCK, l, reader_released);
    } else if (l->writer) {
        rt_fail(FAIL_MISUSE, site,
                "pthread_rwlock_unlock: the lock is held by thread %u",
                l->writer - 1);
    } else if (l->holders) {
        rt_fail(FAIL_MISUSE, site,
                "pthread_rwlock_unlock: the lock is held by other threads");
    } else {
        rt_fail(FAIL_MISUSE, site,
                "pthread_rwlock_unlock: the lock is not locked");
    }
    return 0;
}
