/* SPDX-License-Identifier: MIT
 *
 * Calls that wait for one of several things, for a lock on a file or for a
 * child.  As in libc_fd.c the real call is made so that it never waits, again
 * after each change of the world until it succeeds.  A timeout is the
 * scheduler's choice, taken for sure when nobody else can run.
 */
#include "libc/libc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "runtime/driver.h"
#include "sync/sync.h"

#define MILLISECOND_NS 1000000ull

/* How long a call may wait, in virtual time. */
struct patience {
    bool forever;
    uint64_t ns;
};

static struct patience from_ms(int ms)
{
    return (struct patience){ms < 0, ms < 0 ? 0 : ms * MILLISECOND_NS};
}

static struct patience from_timespec(const struct timespec *t)
{
    if (!t)
        return (struct patience){true, 0};
    return (struct patience){false, (uint64_t)t->tv_sec * 1000000000u +
                                        (uint64_t)t->tv_nsec};
}

/* Without the tool the world may end the wait: look every millisecond. */
static bool nap(struct patience *p)
{
    struct timespec t = {0, MILLISECOND_NS};

    if (!p->forever && p->ns < MILLISECOND_NS) {
        t.tv_nsec = (long)p->ns;
        nanosleep(&t, NULL);
        return false;
    }
    nanosleep(&t, NULL);
    p->ns -= p->forever ? 0 : MILLISECOND_NS;
    return true;
}

/* Nothing is ready: give way and try again (true), or time out (false). */
static bool try_again(struct patience *p, const char *name, uint32_t site)
{
    bool others = libc_others_can_run();

    if (driver_is_standalone() && !others)
        return nap(p);
    if (p->forever && !others)
        libc_refuse_block(name, site);
    if ((p->forever || p->ns) && libc_wait_world(name, !p->forever))
        return true;
    rt.clock_ns += p->ns;
    return false;
}

/* ---- Several descriptors ---- */

static int poll_all(struct pollfd *fds, nfds_t count, struct patience p,
                    const char *name)
{
    uint32_t site;
    int n;

    if (!count && !p.forever) { /* a way to sleep */
        sync_sleep(p.ns, rt_take_site_known_quiet());
        return 0;
    }
    site = libc_enter_state(name);
    libc_reads(fds, count * sizeof *fds, site);
    while (!(n = poll(fds, count, 0)) && try_again(&p, name, site))
        ;
    libc_wrote(fds, count * sizeof *fds, site);
    return n;
}

MODEL_IS(int, poll, (struct pollfd *fds, nfds_t count, int timeout),
         poll_all(fds, count, from_ms(timeout), "poll"))
HIDDEN_IS(int, __poll_chk,
          (struct pollfd *fds, nfds_t count, int timeout, size_t size),
          poll_all(fds, count, from_ms(timeout), "poll"))
MODEL_IS(int, ppoll,
         (struct pollfd *fds, nfds_t count, const struct timespec *timeout,
          const sigset_t *mask),
         poll_all(fds, count, from_timespec(timeout), "ppoll"))
HIDDEN_IS(int, __ppoll_chk,
          (struct pollfd *fds, nfds_t count, const struct timespec *timeout,
           const sigset_t *mask, size_t size),
          __fencer_ppoll(fds, count, timeout, mask))

/* select changes its sets even when nothing is ready, so it gets copies. */
static int select_all(int limit, fd_set *sets[3], struct patience p,
                      const char *name)
{
    uint32_t site = libc_enter_state(name);
    fd_set copies[3];
    int n;

    do {
        struct timeval now = {0, 0};

        for (int i = 0; i < 3; i++)
            if (sets[i])
                copies[i] = *sets[i];
        n = select(limit, sets[0] ? &copies[0] : NULL,
                   sets[1] ? &copies[1] : NULL, sets[2] ? &copies[2] : NULL,
                   &now);
    } while (!n && try_again(&p, name, site));
    for (int i = 0; i < 3 && n >= 0; i++)
        if (sets[i])
            libc_out(sets[i], &copies[i], sizeof copies[i], site);
    return n;
}

MODEL(int, select,
      (int limit, fd_set *reads, fd_set *writes, fd_set *others,
       struct timeval *timeout))
{
    fd_set *sets[3] = {reads, writes, others};
    struct patience p = {!timeout, 0};

    if (timeout)
        p.ns = (uint64_t)timeout->tv_sec * 1000000000u +
               (uint64_t)timeout->tv_usec * 1000u;
    return select_all(limit, sets, p, "select");
}

MODEL(int, pselect,
      (int limit, fd_set *reads, fd_set *writes, fd_set *others,
       const struct timespec *timeout, const sigset_t *mask))
{
    fd_set *sets[3] = {reads, writes, others};

    return select_all(limit, sets, from_timespec(timeout), "pselect");
}

MODEL(int, epoll_wait,
      (int fd, struct epoll_event *events, int max, int timeout))
{
    uint32_t site = libc_enter_state("epoll_wait");
    struct patience p = from_ms(timeout);
    int n;

    while (!(n = epoll_wait(fd, events, max, 0)) &&
           try_again(&p, "epoll_wait", site))
        ;
    if (n > 0)
        libc_wrote(events, (size_t)n * sizeof *events, site);
    return n;
}

MODEL_IS(int, epoll_pwait,
         (int fd, struct epoll_event *events, int max, int timeout,
          const sigset_t *mask),
         __fencer_epoll_wait(fd, events, max, timeout))

/* ---- Locks on files ---- */

MODEL(int, flock, (int fd, int operation))
{
    uint32_t site = libc_enter_state("flock");
    struct patience p = {true, 0};
    int result;

    while ((result = flock(fd, operation | LOCK_NB)) < 0 &&
           errno == EWOULDBLOCK && !(operation & LOCK_NB) &&
           try_again(&p, "flock", site))
        ;
    return result;
}

static bool is_held(void)
{
    return errno == EACCES || errno == EAGAIN;
}

MODEL(int, lockf, (int fd, int operation, off_t size))
{
    uint32_t site = libc_enter_state("lockf");
    struct patience p = {true, 0};
    int result;

    while ((result = lockf(fd, operation == F_LOCK ? F_TLOCK : operation,
                           size)) < 0 &&
           is_held() && operation == F_LOCK && try_again(&p, "lockf", site))
        ;
    return result;
}

MODEL_ALSO(lockf64, lockf)

static int control(int fd, int command, void *argument)
{
    uint32_t site = libc_enter_draining();
    struct patience p = {true, 0};
    int result;

    if (command != F_GETFD && command != F_GETFL)
        libc_needs_process("fcntl");
    if (command == F_GETLK)
        libc_writes(argument, sizeof(struct flock), site);
    if (command != F_SETLKW && command != F_OFD_SETLKW)
        return fcntl(fd, command, argument);
    while ((result = fcntl(fd, command == F_SETLKW ? F_SETLK : F_OFD_SETLK,
                           argument)) < 0 &&
           is_held() && try_again(&p, "fcntl", site))
        ;
    return result;
}

MODEL(int, fcntl, (int fd, int command, ...))
{
    void *argument;
    va_list list;

    va_start(list, command);
    argument = va_arg(list, void *);
    va_end(list);
    return control(fd, command, argument);
}

MODEL_ALSO(fcntl64, fcntl)

/* ---- Children: fork is refused, so none, but without the tool ---- */

static bool no_child(void)
{
    rt_take_site();
    if (driver_is_standalone())
        return false;
    errno = ECHILD;
    return true;
}

MODEL_IS(pid_t, wait, (int *status), no_child() ? -1 : wait(status))
MODEL_IS(pid_t, waitpid, (pid_t pid, int *status, int options),
         no_child() ? -1 : waitpid(pid, status, options))
MODEL_IS(pid_t, wait3, (int *status, int options, struct rusage *usage),
         no_child() ? -1 : wait3(status, options, usage))
MODEL_IS(pid_t, wait4,
         (pid_t pid, int *status, int options, struct rusage *usage),
         no_child() ? -1 : wait4(pid, status, options, usage))
MODEL_IS(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options),
         no_child() ? -1 : waitid(type, id, info, options))
