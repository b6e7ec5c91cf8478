/* SPDX-License-Identifier: MIT
 *
 * Signals are virtual.  What a program installs is kept here and never reaches
 * the kernel, so nothing needs to be undone, and Ctrl-C still stops the
 * program.  A signal comes only from the program itself: raise and kill run the
 * handler at once, in the thread that sent it, or, if that thread blocks it,
 * leave it pending for sigwait, sigsuspend and unblocking.  pthread_kill and
 * tgkill leave it to the other thread, which runs the handler before one of its
 * next steps: the scheduler chooses which.
 *
 * Faults (SIGSEGV and friends) are findings, whatever handler there is.
 */
#include "libc/libc.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "event/must.h"
#include "runtime/driver.h"
#include "runtime/footprint.h"
#include "runtime/native.h"
#include "runtime/sched.h"
#include "sync/sync.h"

pid_t __fencer_getpid(void);
pid_t __fencer_gettid(void);

MODEL_OF(pthread_sigmask)
extern uint32_t __fencer_site;

#define SIGNALS 65

static struct sigaction actions[SIGNALS];
static sigset_t pending; /* of the process */
static bool used;        /* something was installed */

void libc_reset_signals(void)
{
    if (used)
        memset(actions, 0, sizeof actions); /* SIG_DFL is 0 */
    used = false;
    sigemptyset(&pending);
}

static bool is_signal(int number)
{
    return number > 0 && number < SIGNALS;
}

static int fail(int number)
{
    errno = number;
    return -1;
}

/* ---- Delivery ---- */

static bool is_ignored(int number)
{
    const struct sigaction *a = &actions[number];

    if (a->sa_handler == SIG_IGN)
        return true;
    return a->sa_handler == SIG_DFL &&
           (number == SIGCHLD || number == SIGURG || number == SIGWINCH ||
            number == SIGCONT);
}

static _Noreturn void die(int number, uint32_t site)
{
    if (driver_is_standalone()) {
        signal(number, SIG_DFL);
        raise(number);
    }
    if (number == SIGABRT)
        rt_fail(FAIL_ABORT, site, "the program raised SIGABRT");
    if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN ||
        number == SIGTTOU)
        rt_fail(FAIL_UNSUPPORTED, site, "SIG%s would stop every thread",
                sigabbrev_np(number));
    rt_fail(FAIL_SIGNAL, site, "the program sent itself SIG%s",
            sigabbrev_np(number) ? sigabbrev_np(number) : "RT");
}

static void call_handler(int number, uint32_t site)
{
    struct sigaction a = actions[number];
    sigset_t *mask = &sync_of(rt_self())->mask, before = *mask;
    siginfo_t info;

    MUST(is_signal(number));
    if (is_ignored(number))
        return;
    if (a.sa_handler == SIG_DFL)
        die(number, site);
    if (a.sa_flags & (int)SA_RESETHAND)
        actions[number].sa_handler = SIG_DFL;
    sigorset(mask, mask, &a.sa_mask);
    if (!(a.sa_flags & SA_NODEFER))
        sigaddset(mask, number);
    memset(&info, 0, sizeof info);
    info.si_signo = number;
    info.si_code = SI_TKILL;
    if (a.sa_flags & SA_SIGINFO)
        a.sa_sigaction(number, &info, NULL);
    else
        a.sa_handler(number);
    *mask = before;
}

int libc_raise(int number, uint32_t site)
{
    if (!number)
        return 0;
    if (!is_signal(number))
        return fail(EINVAL);
    if (sigismember(&sync_of(rt_self())->mask, number) && number != SIGKILL &&
        number != SIGSTOP) {
        if (!is_ignored(number))
            sigaddset(&pending, number);
        return 0;
    }
    call_handler(number, site);
    return 0;
}

static void deliver_pending(uint32_t site)
{
    for (int n = 1; n < SIGNALS; n++)
        if (sigismember(&pending, n) &&
            !sigismember(&sync_of(rt_self())->mask, n)) {
            sigdelset(&pending, n);
            call_handler(n, site);
        }
}

/* ---- To another thread ---- */

/* The first that waits for the running thread, and is not blocked; 0: none. */
static int next_for_thread(void)
{
    struct sync_thread *s = sync_of(rt_self());

    for (int n = 1; n < SIGNALS; n++)
        if (sigismember(&s->pending, n) && !sigismember(&s->mask, n))
            return n;
    return 0;
}

/* Runs the handler inside the operation that the thread is about to do, which
 * finds all of its own as it was. */
static void interrupt(int number)
{
    struct thread *t = rt_self();
    const struct thread before = *t;
    uint32_t site = __fencer_site;
    bool drains = t->sched->drains;
    int error = errno;

    t->sched->drains = false;
    t->would_wait = NULL;
    t->pending = (struct rt_pending){0};
    sigdelset(&sync_of(t)->pending, number);
    call_handler(number, t->site);
    errno = error;
    __fencer_site = site;
    t->sched->drains = drains;
    t->site = before.site;
    t->would_wait = before.would_wait;
    t->pending = before.pending;
    t->sync = before.sync;
    t->in_model = before.in_model;
    t->timed_out = before.timed_out;
    t->once = before.once;
}

bool libc_interrupt(bool now)
{
    struct thread *t = rt_self();
    bool ran = false;
    int n;

    if (t->atomic_depth)
        return false;
    if (sync_of(t)->cancel_anywhere)
        sync_cancel_point();
    footprint_all();
    while ((n = next_for_thread())) {
        if (!now && libc_others_can_run() && rt_choose(2))
            return ran; /* later */
        interrupt(n);
        ran = true;
    }
    t->interrupted = !sigisemptyset(&sync_of(t)->pending);
    return ran;
}

/* A thread in a spin loop that is explored goes no further: no handler would
 * run. */
void libc_refuse_explored(const char *what, uint32_t site)
{
    if (rt.strategy->explores)
        rt_fail(FAIL_UNSUPPORTED, site, "%s: Fencer cannot explore it", what);
}

int libc_signal_thread(struct thread *t, int number, uint32_t site)
{
    if (!is_signal(number))
        return number ? EINVAL : 0;
    if (t == rt_self())
        return libc_raise(number, site);
    if (is_ignored(number))
        return 0;
    libc_refuse_explored("a signal to another thread", site);
    sigaddset(&sync_of(t)->pending, number);
    t->interrupted = true;
    if (t->state == THREAD_BLOCKED)
        rt_wake(t); /* what it waits for it looks at again */
    else if (t->state == THREAD_AWAITS)
        sched_wake(t);
    return 0;
}

/* ---- Sending ---- */

MODEL_IS(int, raise, (int number), libc_raise(number, libc_enter_draining()))
MODEL_ALSO(gsignal, raise)

static int send(pid_t to, int number, const char *name, uint32_t site)
{
    pid_t self = __fencer_getpid();

    if (to == self || to == 0 || to == -self)
        return libc_raise(number, site);
    if (number)
        rt_fail(FAIL_UNSUPPORTED, site, "%s(): a signal to another process",
                name);
    return fail(ESRCH);
}

MODEL_IS(int, kill, (pid_t to, int number),
         send(to, number, "kill", libc_enter_draining()))
MODEL_IS(int, killpg, (pid_t group, int number),
         send(-group, number, "killpg", libc_enter_draining()))
MODEL_IS(int, sigqueue, (pid_t to, int number, const union sigval value),
         send(to, number, "sigqueue", libc_enter_draining()))

MODEL(int, tgkill, (pid_t group, pid_t thread, int number))
{
    uint32_t site = libc_enter_draining();
    struct thread *t =
        rt_thread_of((uint32_t)(thread - __fencer_gettid()) + rt_self()->id);
    int error = t && t->state != THREAD_DONE
                    ? libc_signal_thread(t, number, site)
                    : ESRCH;

    return error ? fail(error) : 0;
}

/* ---- Handlers ---- */

static __sighandler_t install(int number, __sighandler_t handler, int flags)
{
    __sighandler_t old;

    rt_take_site();
    if (!is_signal(number) || number == SIGKILL || number == SIGSTOP) {
        errno = EINVAL;
        return SIG_ERR;
    }
    used = true;
    old = actions[number].sa_handler;
    memset(&actions[number], 0, sizeof actions[number]);
    actions[number].sa_handler = handler;
    actions[number].sa_flags = flags;
    return old;
}

MODEL_IS(__sighandler_t, signal, (int number, __sighandler_t handler),
         install(number, handler, SA_RESTART))
MODEL_ALSO(bsd_signal, signal)
MODEL_ALSO(ssignal, signal)
MODEL_IS(__sighandler_t, sysv_signal, (int number, __sighandler_t handler),
         install(number, handler, (int)(SA_RESETHAND | SA_NODEFER)))
MODEL_ALSO(__sysv_signal, sysv_signal)

MODEL(int, sigaction,
      (int number, const struct sigaction *new, struct sigaction *old))
{
    uint32_t site = rt_take_site();
    struct sigaction before;

    if (!is_signal(number) || (new && (number == SIGKILL || number == SIGSTOP)))
        return fail(EINVAL);
    before = actions[number];
    used = true;
    if (new)
        libc_in(&actions[number], new, sizeof *new, site);
    if (old)
        libc_out(old, &before, sizeof before, site);
    return 0;
}

MODEL_IS(int, siginterrupt, (int number, int interrupt),
         (rt_take_site(), is_signal(number) ? 0 : fail(EINVAL)))

/* Handlers run on the thread's own stack, which is as good. */
MODEL(int, sigaltstack, (const stack_t *new, stack_t *old))
{
    uint32_t site = rt_take_site();
    stack_t none = {.ss_flags = SS_DISABLE};

    if (old)
        libc_out(old, &none, sizeof none, site);
    return 0;
}

/* ---- Masks ---- */

MODEL(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old))
{
    uint32_t site = libc_enter_draining();
    int error;

    __fencer_site = site;
    error = __fencer_pthread_sigmask(how, set, old);
    if (error)
        return fail(error);
    deliver_pending(site);
    return 0;
}

MODEL(int, sigpending, (sigset_t *to))
{
    libc_out(to, &pending, sizeof pending, rt_take_site());
    return 0;
}

MODEL(int, sigemptyset, (sigset_t *set))
{
    libc_fill(set, 0, sizeof *set, rt_take_site_known());
    return 0;
}

MODEL(int, sigfillset, (sigset_t *set))
{
    sigset_t all;

    sigfillset(&all);
    libc_out(set, &all, sizeof all, rt_take_site_known());
    return 0;
}

/* Signals 1 to 64 are the bits of the first word. */
static int change(sigset_t *set, int number, bool add)
{
    uint32_t site = rt_take_site_known();
    uint64_t word;

    if (!is_signal(number))
        return fail(EINVAL);
    libc_in(&word, set, sizeof word, site);
    if (add)
        word |= 1ull << (number - 1);
    else
        word &= ~(1ull << (number - 1));
    libc_out(set, &word, sizeof word, site);
    return 0;
}

MODEL_IS(int, sigaddset, (sigset_t *set, int number), change(set, number, true))
MODEL_IS(int, sigdelset, (sigset_t *set, int number),
         change(set, number, false))

/* ---- Waiting ---- */

/* Takes a pending signal of the set; lets the others run until there is one.
 * 0: the time is over. */
static int take(const sigset_t *set, bool timed, const char *name,
                uint32_t site)
{
    for (;;) {
        for (int n = 1; n < SIGNALS; n++)
            if (sigismember(set, n) &&
                (sigismember(&pending, n) ||
                 sigismember(&sync_of(rt_self())->pending, n))) {
                sigdelset(&pending, n);
                sigdelset(&sync_of(rt_self())->pending, n);
                return n;
            }
        if (!libc_others_can_run()) {
            if (!timed && driver_is_standalone())
                pause();
            if (!timed)
                libc_refuse_block(name, site);
            return 0;
        }
        if (native_is_on()) /* nobody else runs */
            native_refuse("a wait for a signal", site);
        if (timed && rt_choose(2))
            return 0;
        rt_yield();
    }
}

MODEL(int, sigwait, (const sigset_t *set, int *number))
{
    uint32_t site = libc_enter_draining();
    int n = take(set, false, "sigwait", site);

    libc_out(number, &n, sizeof n, site);
    return 0;
}

static int wait_info(const sigset_t *set, siginfo_t *info, bool timed,
                     const char *name)
{
    uint32_t site = libc_enter_draining();
    int n = take(set, timed, name, site);
    siginfo_t i;

    if (!n)
        return fail(EAGAIN);
    memset(&i, 0, sizeof i);
    i.si_signo = n;
    if (info)
        libc_out(info, &i, sizeof i, site);
    return n;
}

MODEL_IS(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info),
         wait_info(set, info, false, "sigwaitinfo"))
MODEL_IS(int, sigtimedwait,
         (const sigset_t *set, siginfo_t *info, const struct timespec *timeout),
         wait_info(set, info, timeout != NULL, "sigtimedwait"))

static int suspend(const sigset_t *mask, const char *name)
{
    uint32_t site = libc_enter_draining();
    sigset_t *own = &sync_of(rt_self())->mask, before = *own, wanted;
    int n;

    *own = *mask;
    sigfillset(&wanted);
    for (n = 1; n < SIGNALS; n++)
        if (sigismember(mask, n))
            sigdelset(&wanted, n);
    n = take(&wanted, false, name, site);
    call_handler(n, site);
    *own = before;
    return fail(EINTR);
}

MODEL_IS(int, sigsuspend, (const sigset_t *mask), suspend(mask, "sigsuspend"))
MODEL_IS(int, pause, (void), suspend(&sync_of(rt_self())->mask, "pause"))
MODEL_ALSO(__sigsuspend, sigsuspend)

/* ---- System V ---- */

MODEL_IS(__sighandler_t, sigset, (int number, __sighandler_t handler),
         install(number, handler, 0))
MODEL_IS(int, sigignore, (int number),
         install(number, SIG_IGN, 0) == SIG_ERR ? -1 : 0)
MODEL_IS(int, sighold, (int number),
         (rt_take_site(), sigaddset(&sync_of(rt_self())->mask, number)))

MODEL(int, sigrelse, (int number))
{
    uint32_t site = libc_enter_draining();
    int result = sigdelset(&sync_of(rt_self())->mask, number);

    deliver_pending(site);
    return result;
}
