/* SPDX-License-Identifier: MIT
 *
 * Giving way, and what else belongs to threads: names, signal masks, settings
 * that mean nothing here.
 *
 * Time is virtual.  To sleep is to give way and to find the clock further on;
 * who sleeps longer need not come back later, as on a loaded machine.
 */
#include "sync/sync.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>

#include "libc/libc.h"

#define NS 1000000000ull

/* A loop of sleeps that changes nothing waits for what it reads, and at least
 * for its thread to be cancelled. */
void sync_yield(uint32_t site)
{
    struct sync_thread *s = sync_of(rt_self());

    rt_self()->site = site;
    rt_yield();
    rt_event(EV_YIELD, NULL, 0, 0, 0, site);
    sync_read(&s->cancel_pending, sizeof s->cancel_pending);
    sync_polls();
}

void sync_sleep(uint64_t ns, uint32_t site)
{
    sync_cancel_point();
    sync_pass_time(ns);
    sync_yield(site);
    sync_cancel_point();
}

/* A time as nanoseconds; false: it is none. */
static bool ns_of(const struct timespec *when, uint32_t site, uint64_t *ns)
{
    struct timespec ts;

    sync_in(&ts, when, sizeof ts, site);
    if (ts.tv_sec < 0 || ts.tv_nsec < 0 || ts.tv_nsec >= (long)NS)
        return false;
    *ns = sync_ns(&ts);
    return true;
}

MODEL(int, sched_yield, (void))
{
    sync_yield(rt_take_site_known_quiet());
    return 0;
}

MODEL_ALSO(pthread_yield, sched_yield)

MODEL(int, nanosleep, (const struct timespec *time, struct timespec *left))
{
    uint32_t site = rt_take_site_known_quiet();
    uint64_t ns;

    /* for signals that interrupt */
    if (!ns_of(time, site, &ns)) {
        errno = EINVAL;
        return -1;
    }
    sync_sleep(ns, site);
    return 0;
}

MODEL(int, clock_nanosleep,
      (clockid_t clock, int flags, const struct timespec *time,
       struct timespec *left))
{
    uint32_t site = rt_take_site_known_quiet();
    uint64_t ns;

    if (clock < 0 || clock > CLOCK_TAI || clock == CLOCK_THREAD_CPUTIME_ID ||
        !ns_of(time, site, &ns))
        return EINVAL;
    if (flags & TIMER_ABSTIME) {
        uint64_t now = sync_now();

        ns = ns > now ? ns - now : 0;
    }
    sync_sleep(ns, site);
    return 0;
}

MODEL(int, usleep, (useconds_t us))
{
    sync_sleep(us * 1000ull, rt_take_site_known_quiet());
    return 0;
}

MODEL(unsigned, sleep, (unsigned seconds))
{
    sync_sleep(seconds * NS, rt_take_site_known_quiet());
    return 0;
}

/* ---- Names. ---- */

MODEL(int, pthread_setname_np, (pthread_t handle, const char *name))
{
    uint32_t site = sync_take_site_about(handle);
    const struct thread *t = sync_find(handle);
    struct libc_text text;
    const char *given = libc_text(&text, name, sizeof sync_of(t)->name, site);

    if (!t)
        return ESRCH;
    if (strnlen(given, sizeof sync_of(t)->name) == sizeof sync_of(t)->name)
        return ERANGE;
    strcpy(sync_of(t)->name, given);
    return 0;
}

MODEL(int, pthread_getname_np, (pthread_t handle, char *to, size_t size))
{
    uint32_t site = sync_take_site_about(handle);
    const struct thread *t = sync_find(handle);
    const char *name;

    if (!t)
        return ESRCH;
    name = *sync_of(t)->name ? sync_of(t)->name : "program";
    if (size < sizeof sync_of(t)->name)
        return ERANGE;
    sync_out(to, name, strlen(name) + 1, site);
    return 0;
}

/* The name of the running thread, and all else that prctl does, for which an
 * execution needs a process. */
MODEL(int, prctl, (int option, ...))
{
    unsigned long a[4];
    va_list list;

    va_start(list, option);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(list, unsigned long);
    va_end(list);
    if (option == PR_SET_NAME || option == PR_GET_NAME) {
        uint32_t site = rt_take_site_known();
        struct sync_thread *s = sync_of(rt_self());
        struct libc_text text;

        if (option == PR_GET_NAME)
            libc_out((void *)a[0], s->name, sizeof s->name, site);
        else
            rt_print(s->name, sizeof s->name, "%s",
                     libc_text(&text, (const char *)a[0], 15, site));
        return 0;
    }
    libc_enter_state("prctl");
    return prctl(option, a[0], a[1], a[2], a[3]);
}

/* ---- Signals. ---- */

static void change_mask(sigset_t *mask, int how, const sigset_t *set)
{
    unsigned long *m = mask->__val;
    const unsigned long *s = set->__val;

    for (size_t i = 0; i < sizeof *mask / sizeof *m; i++) {
        if (how == SIG_BLOCK)
            m[i] |= s[i];
        else if (how == SIG_UNBLOCK)
            m[i] &= ~s[i];
        else
            m[i] = s[i];
    }
}

MODEL(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old))
{
    uint32_t site = sync_take_site_about(sync_handle(rt_self()));
    sigset_t *mask = &sync_of(rt_self())->mask;
    sigset_t was = *mask, given;

    if (set) {
        if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
            return EINVAL;
        sync_in(&given, set, sizeof given, site);
        change_mask(mask, how, &given);
        if (!sigisemptyset(&sync_of(rt_self())->pending))
            rt_self()->interrupted = true;
    }
    if (old)
        sync_out(old, &was, sizeof was, site);
    return 0;
}

MODEL(int, pthread_kill, (pthread_t handle, int number))
{
    uint32_t site = rt_take_site();
    struct thread *t;

    rt_step(EV_CALL, NULL, 0, site);
    t = sync_find(handle);
    if (!t || t->state == THREAD_DONE)
        return ESRCH;
    return libc_signal_thread(t, number, site);
}

MODEL_IS(int, pthread_sigqueue,
         (pthread_t handle, int number, const union sigval value),
         __fencer_pthread_kill(handle, number))

/* ---- Accepted, and without effect. ---- */

MODEL(int, pthread_atfork,
      (void (*prepare)(void), void (*parent)(void), void (*child)(void)))
{
    (void)prepare;
    (void)parent;
    (void)child;
    (void)rt_take_site();
    return 0;
}

static int concurrency;
static uint64_t concurrency_execution; /* + 1 */

MODEL(int, pthread_setconcurrency, (int level))
{
    (void)rt_take_site();
    if (level < 0)
        return EINVAL;
    concurrency = level;
    concurrency_execution = rt.serial;
    return 0;
}

MODEL_IS(int, pthread_getconcurrency, (void),
         (rt_take_site(), concurrency_execution == rt.serial ? concurrency : 0))

MODEL(int, pthread_getcpuclockid, (pthread_t handle, clockid_t *clock))
{
    uint32_t site = sync_take_site_about(handle);
    clockid_t value = CLOCK_THREAD_CPUTIME_ID;

    if (!sync_find(handle))
        return ESRCH;
    sync_out(clock, &value, sizeof value, site);
    return 0;
}
