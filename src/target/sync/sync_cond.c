/* SPDX-License-Identifier: MIT
 *
 * Condition variables.
 *
 * Waiting is: become a waiter, let the mutex go, sleep, be told, take the
 * mutex again.  The first three are one step, so no signal is missed between
 * them; a signal that comes before is lost, as in life, and the scheduler
 * notices who waits for ever.  A signal goes to any one of the waiters, which
 * the scheduler chooses.
 *
 * A wait may also end by itself, which is the scheduler's choice, too: then it
 * is an unlock and a lock.  It need not be a waiter meanwhile.  A signal that
 * finds nobody because of that could as well have come after it woke.  A thread
 * that looks again, finds all as it was and waits once more without having let
 * the mutex go did nothing: it could have slept on.  So the second wait is not
 * asked, and in a graph there is none: a round that did nothing but such a wait
 * (await.c), and then read what it had read before, is where it was.  Most such
 * rounds need not even be begun (runtime/native_wait.c).
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
#include "runtime/runtime_record.h"

/* Where executions are drawn, one wait of so many ends by itself. */
#define SPURIOUS_ONE_IN 6

_Static_assert(sizeof(struct cond) <= sizeof(pthread_cond_t), "it fits");
_Static_assert(sizeof(struct cond) <= sizeof(cnd_t), "it fits");

#define DESTROYED UINT32_MAX /* the clock of one that was */

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

static void check_usable(const struct cond *c, uint32_t site)
{
    if (c->clock == DESTROYED)
        rt_fail(FAIL_MISUSE, site, "the condition variable was destroyed");
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

/* The lowest bit of that word: the last waker told all who waited. */
#define ONE_WAKE 2u
#define WITHOUT_OTHERS 1u

void sync_wake_in_graph(uint64_t threads, bool without_others, uint32_t site)
{
    for (; threads; threads &= threads - 1) {
        uint32_t *word = native_wakes(sync_nth(threads, 0));

        native_sync(word, sizeof *word, ROLE_OTHER, site);
        *word = (*word & ~WITHOUT_OTHERS) + ONE_WAKE + without_others;
        native_did(C_POST, word);
    }
}

/* How many wait, when the step to take is to be taken. */
static uint32_t enter_wake(struct cond *c, uint32_t site)
{
    sync_enter(EV_POST, c, sizeof *c, site);
    check_usable(c, site);
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
    sync_wake_in_graph(told, all || n == 1, site);
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

static bool was_woken(const struct thread *t, uint32_t word)
{
    return word / ONE_WAKE != t->woken;
}

bool sync_sleep_in_graph(bool timed, const char *words, uint32_t site)
{
    struct thread *t = rt_self();
    uint32_t *word = native_wakes(t->id);

    native_sync(word, sizeof *word, ROLE_OTHER, site);
    if (timed && !was_woken(t, *word))
        native_wait_in_time();
    while (!was_woken(t, *word))
        rt_block(EV_WAIT, word, false, words);
    t->woken++;
    native_did(C_WAIT, word);
    return *word & WITHOUT_OTHERS;
}

int sync_cond_wake(struct cond *c, bool all, uint32_t site)
{
    uint32_t n;

    if (native_is_on())
        return signal_in_graph(c, all, site);

    sync_enter(EV_POST, c, sizeof *c, site);
    check_usable(c, site);
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

/* Sleeps until told, cancelled (then `told` stays false) or too late.  Who ran
 * a handler meanwhile does not sleep again, which POSIX allows. */
static bool sleep_on(struct cond *c, const uint64_t *deadline,
                     struct waiting *w)
{
    struct thread *t = rt_self();
    bool in_time = true;

    t->sync = w;
    t->would_wait = retake_waits;
    if (!sync_cancelled())
        in_time =
            sync_block_cancelable(EV_WAIT, c, deadline, "a condition variable");
    MUST(t->sync == w);
    sync_left();
    t->sync = NULL;
    if (!w->told)
        c->waiters -= c->waiters > 0;
    return in_time || w->told;
}

/* ---- Waits that end by themselves ---- */

static bool lock_waits(const struct thread *t, const void *object)
{
    return sync_mutex_waits(t, object);
}

/* Does this one?  A step that may not be left in its middle does not wait. */
static bool ends_by_itself(const struct mutex *m)
{
    const struct thread *t = rt_self();
    uint32_t n = rt.view.footprint ? 2 : SPURIOUS_ONE_IN;

    if (rt.strategy->explores && !rt.graphs)
        return false; /* step by step they are not explored */
    if (!rt.multi || t->spurious.mutex == m || t->once || t->atomic_depth ||
        rt.channel->flags & (CHANNEL_SERIAL | CHANNEL_NO_SPURIOUS))
        return false;
    return rt.graphs ? native_ends_by_itself() : rt_choose(n) == 1;
}

/* `effect`: when the thread last changed something, before it called. */
static int end_by_itself(struct cond *c, struct mutex *m, uint32_t effect,
                         uint32_t site)
{
    struct thread *t = rt_self();
    uint32_t from = __fencer_count, depth = sync_mutex_let_go(m, site);
    int error;

    native_will_lock();
    sync_enter_waiting(EV_LOCK, m, sizeof *m, lock_waits, site);
    rt_event(EV_WAIT, c, sizeof *c, 0, EVF_TIMED_OUT | EVF_SPURIOUS, site);
    error = sync_mutex_retake(m, depth, site);
    sync_left();
    sync_changed();
    t->spurious = (struct rt_wait){
        .mutex = m, .before = effect, .from = from, .to = __fencer_count};
    return error;
}

/* The reads of that time, and how many there are. */
static uint32_t reads_between(const struct thread *t, uint32_t from,
                              uint32_t to, const struct rt_read **reads)
{
    uint32_t first = 0, count = 0;

    while (first < t->read_count && t->reads[first].at <= from)
        first++;
    while (first + count < t->read_count && t->reads[first + count].at <= to)
        count++;
    *reads = &t->reads[first];
    return count;
}

static bool reads_same(const struct thread *t)
{
    const struct rt_wait *s = &t->spurious;
    const struct rt_read *old, *new;
    uint32_t count = reads_between(t, s->round, s->from, &old);

    if (t->reads_from > s->round ||
        count != reads_between(t, s->to, UINT32_MAX, &new))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (old[i].address != new[i].address || old[i].value != new[i].value)
            return false;
    return true;
}

/* The thread waits again.  A graph in which it could have slept on need not be.
 */
static void end_if_idle(const struct mutex *m, uint32_t effect)
{
    const struct thread *t = rt_self();

    if (t->spurious.mutex != m || !t->spurious.round ||
        effect > t->spurious.to || !reads_same(t))
        return;
    if (native_is_on())
        native_in_vain();
}

static int wait_in_graph(struct cond *c, struct mutex *m,
                         const uint64_t *deadline, uint32_t effect,
                         const char *who, uint32_t site)
{
    uint64_t me = bit_of(rt_self()->id);
    bool in_time, alone = false;
    uint32_t from = __fencer_count, depth;
    int error;

    native_begin_wait(m);
    if (ends_by_itself(m)) {
        native_sync(m, sizeof *m, ROLE_UNLOCKS, site);
        error = sync_mutex_check_held(m, who, site);
        return error ? error : end_by_itself(c, m, effect, site);
    }
    in_time = !deadline || !native_is_late();
    native_sync(c, sizeof *c, ROLE_SLEEPS, site);
    check_usable(c, site);
    c->asleep |= me;
    c->seal = sync_seal(c);
    native_sync(m, sizeof *m, ROLE_UNLOCKS, site);
    error = sync_mutex_check_held(m, who, site);
    if (error)
        return error;
    depth = sync_mutex_let_go(m, site);
    in_time = in_time || !give_up_in_graph(c, me, site);
    if (in_time)
        alone = sync_sleep_in_graph(deadline, "a condition variable", site);
    else
        sync_come_to(*deadline);
    native_sync(m, sizeof *m, ROLE_LOCKS, site);
    /* On the machines one step with taking the mutex, if that is free. */
    happened_object(EV_WAIT, c, sizeof *c, 1, 1, 0, site);
    rt_event(EV_WAIT, c, sizeof *c, in_time, in_time ? 0 : EVF_TIMED_OUT, site);
    error = sync_mutex_retake(m, depth, site);
    if (alone)
        rt_self()->told = (struct rt_wait){
            .mutex = m, .before = effect, .from = from, .to = __fencer_count};
    return error ? error : in_time ? 0 : ETIMEDOUT;
}

/* The wait as a whole, of a thread that holds the mutex. */
static int wait_until_told(struct cond *c, struct mutex *m,
                           const uint64_t *deadline, uint32_t site)
{
    struct waiting w = {.mutex = m};
    bool in_time;
    uint32_t depth;
    int error;

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

int sync_cond_wait(struct cond *c, struct mutex *m, const uint64_t *deadline,
                   const char *who, uint32_t site)
{
    uint32_t effect = rt_self()->last_effect;
    int error;

    __fencer_count++;
    end_if_idle(m, effect);
    sync_changed();
    rt_self()->site = site;
    sync_cancel_point();
    if (native_is_on())
        return wait_in_graph(c, m, deadline, effect, who, site);
    sync_enter(EV_WAIT, c, sizeof *c, site);
    check_usable(c, site);
    sync_look(m, sizeof *m, site);
    error = sync_mutex_check_held(m, who, site);
    if (error)
        return error;
    if (ends_by_itself(m))
        return end_by_itself(c, m, effect, site);
    return wait_until_told(c, m, deadline, site);
}

int sync_cond_wait_until(struct cond *c, struct mutex *m, clockid_t clock,
                         const struct timespec *when, const char *who,
                         uint32_t site)
{
    uint64_t deadline;
    int error = sync_deadline(clock, when, site, &deadline);

    return error ? error : sync_cond_wait(c, m, &deadline, who, site);
}

/* One that waits, or NULL. */
static const struct thread *any_waiter(const struct cond *c)
{
    if (!native_is_on())
        return waiter(c, 0);
    return c->seal == sync_seal(c) && c->asleep
               ? &rt.threads[sync_nth(c->asleep, 0)]
               : NULL;
}

int sync_cond_init(struct cond *c, clockid_t clock, uint32_t site)
{
    const struct thread *t;

    sync_look(c, sizeof *c, site);
    t = any_waiter(c);
    if (t)
        rt_fail(FAIL_MISUSE, site,
                "a condition variable is made anew while thread %u waits on it",
                t->id);
    rt_touch(c, sizeof *c);
    memset(c, 0, sizeof *c);
    c->clock = (uint32_t)clock;
    return 0;
}

int sync_cond_destroy(struct cond *c, uint32_t site)
{
    const struct thread *t;

    sync_enter(EV_POST, c, sizeof *c, site);
    check_usable(c, site);
    t = any_waiter(c);
    if (t)
        rt_fail(FAIL_MISUSE, site,
                "a condition variable is destroyed while thread %u waits on it",
                t->id);
    rt_touch(c, sizeof *c);
    c->clock = DESTROYED;
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
                        rt_take_site_known_quiet()))

MODEL(int, pthread_cond_timedwait,
      (pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *when))
{
    uint32_t site = rt_take_site_known_quiet();

    if (!native_is_on()) /* whichever clock it is, all show the same */
        sync_look(c, sizeof *c, site);
    return sync_cond_wait_until(of(c), mutex_of(m), (clockid_t)of(c)->clock,
                                when, "pthread_cond_timedwait", site);
}

MODEL_IS(int, pthread_cond_clockwait,
         (pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
          const struct timespec *when),
         sync_cond_wait_until(of(c), mutex_of(m), clock, when,
                              "pthread_cond_clockwait",
                              rt_take_site_known_quiet()))
MODEL_IS(int, pthread_cond_signal, (pthread_cond_t *c),
         sync_cond_wake(of(c), false, rt_take_site_known()))
MODEL_IS(int, pthread_cond_broadcast, (pthread_cond_t *c),
         sync_cond_wake(of(c), true, rt_take_site_known()))
