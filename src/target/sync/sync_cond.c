/* SPDX-License-Identifier: MIT
 *
 * Condition variables.
 *
 * Waiting is: become a waiter, let the mutex go, sleep, be told, take the
 * mutex again.  The first three are one step, so no signal is missed between
 * them; a signal that comes before is lost, as in life, and the scheduler
 * notices who waits for ever.  A signal goes to any one of the waiters, which
 * the scheduler chooses.  There are no spurious wake-ups.
 *
 * Who was told does not touch the condition variable again: POSIX allows to
 * destroy it right after a broadcast.
 */
#include "sync/sync.h"

#include <errno.h>
#include <string.h>

#include "event/must.h"
#include "runtime/footprint.h"
#include "runtime/happened.h"
#include "runtime/native.h"

_Static_assert(sizeof(struct cond) <= sizeof(pthread_cond_t), "it fits");
_Static_assert(sizeof(struct cond) <= sizeof(cnd_t), "it fits");

static struct cond *of(pthread_cond_t *c)
{
    return (struct cond *)(void *)c;
}

static struct mutex *mutex_of(pthread_mutex_t *m)
{
    return (struct mutex *)(void *)m;
}

static bool waits(const struct thread *t, const struct cond *c)
{
    return t->state == THREAD_BLOCKED && t->blocked_kind == EV_WAIT &&
           t->blocked_on == c;
}

/* The n-th waiter, by thread number; NULL: there are no more. */
static struct thread *waiter(const struct cond *c, uint32_t n)
{
    for (uint32_t i = 0; i < rt.thread_count; i++)
        if (waits(&rt.threads[i], c) && !n--)
            return &rt.threads[i];
    return NULL;
}

static uint32_t count_waiters(const struct cond *c)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < rt.thread_count; i++)
        n += waits(&rt.threads[i], c);
    return n;
}

/* A wait under way: its thread's `sync` points to it. */
struct waiting {
    bool told;
    struct mutex *mutex;
};

/* A waiter that need not sleep any more goes on when it gets the mutex. */
static bool retake_waits(const struct thread *t, const void *object)
{
    const struct waiting *w = t->sync;

    (void)object;
    return sync_mutex_waits(t, w->mutex);
}

static void tell(struct cond *c, struct thread *t)
{
    struct waiting *w = t->sync;

    MUST(w && !w->told && waits(t, c));
    w->told = true;
    c->waiters -= c->waiters > 0;
    rt_wake(t);
    if (!rt.view.footprint)
        return;
    t->sched->op = (struct sched_op){.address = (uint64_t)w->mutex,
                                     .site = t->site,
                                     .kind = EV_LOCK,
                                     .size = sizeof *w->mutex};
    t->sched->blocks = true;
}

/* ---- In a graph (runtime/native.h) ----
 *
 * Who waits is written in the condition variable, and how often a thread was
 * woken in a word of its own: so it does not matter who else is told later.
 * Becoming a waiter and letting the mutex go are two steps: a signal that comes
 * between them could as well have come after them. */

static uint64_t bit_of(uint32_t thread)
{
    return 1ull << thread;
}

uint32_t sync_nth(uint64_t threads, uint32_t n)
{
    while (n--)
        threads &= threads - 1;
    return (uint32_t)__builtin_ctzll(threads);
}

void sync_wake_in_graph(uint64_t threads, uint32_t site)
{
    for (; threads; threads &= threads - 1) {
        uint32_t *word = native_wakes(sync_nth(threads, 0));

        native_sync(word, sizeof *word, ROLE_OTHER, site);
        ++*word;
        native_did(C_POST, word);
    }
}

/* How many wait, when the step to take is to be taken. */
static uint32_t enter_wake(struct cond *c, uint32_t site)
{
    sync_enter(EV_POST, c, sizeof *c, site);
    return (uint32_t)__builtin_popcountll(c->asleep);
}

static int signal_in_graph(struct cond *c, bool all, uint32_t site)
{
    uint32_t n = enter_wake(c, site), chosen = 0;
    uint64_t told;

    if (n > 1 && !all) {
        chosen = rt_choose(n);
        n = enter_wake(c, site);
    }
    told = all || !n ? c->asleep : bit_of(sync_nth(c->asleep, chosen % n));
    c->asleep &= ~told;
    rt_acquired(C_POST, c);
    happened_object(EV_POST, c, sizeof *c, 1, 1, 0, site);
    rt_event(EV_POST, c, sizeof *c, all, 0, site);
    sync_wake_in_graph(told, site);
    return 0;
}

/* Out of time, unless somebody was faster. */
static bool give_up_in_graph(struct cond *c, uint64_t me, uint32_t site)
{
    native_sync(c, sizeof *c, ROLE_LATE, site);
    if (!(c->asleep & me))
        return false;
    c->asleep &= ~me;
    return true;
}

void sync_sleep_in_graph(bool timed, const char *words, uint32_t site)
{
    struct thread *t = rt_self();
    uint32_t *word = native_wakes(t->id);

    native_sync(word, sizeof *word, ROLE_OTHER, site);
    if (timed && *word == t->woken)
        native_wait_in_time();
    while (*word == t->woken)
        rt_block(EV_WAIT, word, false, words);
    t->woken++;
    native_did(C_WAIT, word);
}

static int wait_in_graph(struct cond *c, struct mutex *m,
                         const uint64_t *deadline, const char *who,
                         uint32_t site)
{
    uint64_t me = bit_of(rt_self()->id);
    bool in_time = !deadline || !native_is_late();
    uint32_t depth;
    int error;

    native_sync(c, sizeof *c, ROLE_OTHER, site);
    c->asleep |= me;
    native_sync(m, sizeof *m, ROLE_UNLOCKS, site);
    error = sync_mutex_check_held(m, who, site);
    if (error)
        return error;
    depth = sync_mutex_let_go(m, site);
    in_time = in_time || !give_up_in_graph(c, me, site);
    if (in_time)
        sync_sleep_in_graph(deadline, "a condition variable", site);
    else
        sync_come_to(*deadline);
    native_sync(m, sizeof *m, ROLE_LOCKS, site);
    /* On the machines one step with taking the mutex, if that is free. */
    happened_object(EV_WAIT, c, sizeof *c, 1, 1, 0, site);
    rt_event(EV_WAIT, c, sizeof *c, in_time, in_time ? 0 : EVF_TIMED_OUT, site);
    error = sync_mutex_retake(m, depth, site);
    return error ? error : in_time ? 0 : ETIMEDOUT;
}

int sync_cond_wake(struct cond *c, bool all, uint32_t site)
{
    uint32_t n;

    if (native_is_on())
        return signal_in_graph(c, all, site);

    sync_enter(EV_POST, c, sizeof *c, site);
    rt_acquire(C_POST, c);
    n = c->waiters ? count_waiters(c) : 0;
    if (n && all) {
        while (n--)
            tell(c, waiter(c, 0));
    } else if (n) {
        tell(c, waiter(c, n > 1 ? rt_choose(n) : 0));
    }
    rt_acquired(C_POST, c);
    happened_object(EV_POST, c, sizeof *c, 1, 1, 0, site);
    rt_event(EV_POST, c, sizeof *c, all, 0, site);
    return 0;
}

/* Sleeps until told, cancelled (then `told` stays false) or too late. */
static bool sleep_on(struct cond *c, const uint64_t *deadline,
                     struct waiting *w)
{
    struct thread *t = rt_self();
    bool in_time = true;

    t->sync = w;
    t->would_wait = retake_waits;
    while (!w->told && in_time && !sync_cancelled())
        in_time =
            sync_block_cancelable(EV_WAIT, c, deadline, "a condition variable");
    MUST(t->sync == w);
    sync_left();
    t->sync = NULL;
    if (!w->told)
        c->waiters -= c->waiters > 0;
    return in_time || w->told;
}

int sync_cond_wait(struct cond *c, struct mutex *m, const uint64_t *deadline,
                   const char *who, uint32_t site)
{
    struct waiting w = {.mutex = m};
    bool in_time;
    uint32_t depth;
    int error;

    if (native_is_on())
        return wait_in_graph(c, m, deadline, who, site);
    sync_cancel_point();
    sync_enter(EV_WAIT, c, sizeof *c, site);
    sync_look(m, sizeof *m, site);
    error = sync_mutex_check_held(m, who, site);
    if (error)
        return error;
    rt_touch(c, sizeof *c);
    c->waiters++;
    depth = sync_mutex_let_go(m, site);
    in_time = sleep_on(c, deadline, &w);
    footprint_change((uint64_t)c, sizeof *c);
    sync_look(m, sizeof *m, site);
    rt_acquire(C_WAIT, c);
    rt_acquired(C_WAIT, c);
    happened_object(EV_WAIT, c, sizeof *c, 1, 1, 0, site);
    rt_event(EV_WAIT, c, sizeof *c, w.told, in_time ? 0 : EVF_TIMED_OUT, site);
    error = sync_mutex_retake(m, depth, site);
    if (error)
        return error;
    if (!w.told)
        sync_cancel_point();
    return in_time ? 0 : ETIMEDOUT;
}

int sync_cond_wait_until(struct cond *c, struct mutex *m, clockid_t clock,
                         const struct timespec *when, const char *who,
                         uint32_t site)
{
    uint64_t deadline;
    int error = sync_deadline(clock, when, site, &deadline);

    return error ? error : sync_cond_wait(c, m, &deadline, who, site);
}

int sync_cond_init(struct cond *c, clockid_t clock, uint32_t site)
{
    sync_look(c, sizeof *c, site);
    rt_touch(c, sizeof *c);
    memset(c, 0, sizeof *c);
    c->clock = (uint32_t)clock;
    return 0;
}

int sync_cond_destroy(struct cond *c, uint32_t site)
{
    const struct thread *t;

    sync_enter(EV_POST, c, sizeof *c, site);
    t = native_is_on() && c->asleep ? &rt.threads[sync_nth(c->asleep, 0)]
                                    : waiter(c, 0);
    if (t)
        rt_fail(FAIL_MISUSE, site,
                "a condition variable is destroyed while thread %u waits on it",
                t->id);
    return 0;
}

/* ---- The library's names. ---- */

MODEL(int, pthread_cond_init,
      (pthread_cond_t *c, const pthread_condattr_t *attr))
{
    uint32_t site = rt_take_site_known(), bits = 0;

    if (attr)
        sync_in(&bits, attr, sizeof bits, site);
    return sync_cond_init(of(c), (clockid_t)(bits >> 1), site);
}

MODEL_IS(int, pthread_cond_destroy, (pthread_cond_t *c),
         sync_cond_destroy(of(c), rt_take_site_known()))
MODEL_IS(int, pthread_cond_wait, (pthread_cond_t *c, pthread_mutex_t *m),
         sync_cond_wait(of(c), mutex_of(m), NULL, "pthread_cond_wait",
                        rt_take_site_known()))

MODEL(int, pthread_cond_timedwait,
      (pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *when))
{
    uint32_t site = rt_take_site_known();

    if (!native_is_on()) /* whichever clock it is, all show the same */
        sync_look(c, sizeof *c, site);
    return sync_cond_wait_until(of(c), mutex_of(m), (clockid_t)of(c)->clock,
                                when, "pthread_cond_timedwait", site);
}

MODEL_IS(int, pthread_cond_clockwait,
         (pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
          const struct timespec *when),
         sync_cond_wait_until(of(c), mutex_of(m), clock, when,
                              "pthread_cond_clockwait", rt_take_site_known()))
MODEL_IS(int, pthread_cond_signal, (pthread_cond_t *c),
         sync_cond_wake(of(c), false, rt_take_site_known()))
MODEL_IS(int, pthread_cond_broadcast, (pthread_cond_t *c),
         sync_cond_wake(of(c), true, rt_take_site_known()))
