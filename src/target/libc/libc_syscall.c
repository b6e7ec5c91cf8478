/* SPDX-License-Identifier: MIT
 *
 * syscall(): the way past the C library.  A number whose function has a model
 * is that model; futexes and membarrier have no function, and their models are
 * here.  All others are refused by name: any of them might wait or make a
 * thread.
 */
#include "libc/libc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "sync/sync.h"

MODEL_OF(getpid)
MODEL_OF(gettid)
MODEL_OF(getppid)
MODEL_OF(read)
MODEL_OF(write)
MODEL_OF(readv)
MODEL_OF(writev)
MODEL_OF(close)
MODEL_OF(dup2)
MODEL_OF(dup3)
MODEL_OF(poll)
MODEL_OF(epoll_wait)
MODEL_OF(flock)
MODEL_OF(getcpu)
MODEL_OF(mmap)
MODEL_OF(munmap)
MODEL_OF(stat)
MODEL_OF(lstat)
MODEL_OF(prctl)
MODEL_OF(time)
MODEL_OF(uname)
MODEL_OF(clock_getres)
MODEL_OF(sched_setaffinity)
MODEL_OF(sched_getaffinity)
MODEL_OF(pause)
MODEL_OF(getrandom)
MODEL_OF(clock_gettime)
MODEL_OF(gettimeofday)
MODEL_OF(nanosleep)
MODEL_OF(sched_yield)
MODEL_OF(kill)
MODEL_OF(tgkill)
_Noreturn void __fencer__exit(int code);

extern uint32_t __fencer_site;

/* What fails says why in errno. */
static long result(int error)
{
    if (!error)
        return 0;
    errno = error;
    return -1;
}

/* ---- Futexes ---- */

static const char *const futex_names[] = {
    "FUTEX_WAIT",           "FUTEX_WAKE",        "FUTEX_FD",
    "FUTEX_REQUEUE",        "FUTEX_CMP_REQUEUE", "FUTEX_WAKE_OP",
    "FUTEX_LOCK_PI",        "FUTEX_UNLOCK_PI",   "FUTEX_TRYLOCK_PI",
    "FUTEX_WAIT_BITSET",    "FUTEX_WAKE_BITSET", "FUTEX_WAIT_REQUEUE_PI",
    "FUTEX_CMP_REQUEUE_PI", "FUTEX_LOCK_PI2"};

static _Noreturn void refuse_futex(int operation, uint32_t site)
{
    unsigned number = (unsigned)operation & (unsigned)FUTEX_CMD_MASK;
    bool has_name = number < sizeof futex_names / sizeof *futex_names;

    rt_fail(FAIL_UNSUPPORTED, site, "syscall(SYS_futex, %s): no model",
            has_name ? futex_names[number] : "an unknown operation");
}

/* A wait of FUTEX_WAIT is relative, of FUTEX_WAIT_BITSET absolute. */
static long futex_wait(const long a[6], bool absolute, uint32_t site)
{
    const struct timespec *timeout = (const struct timespec *)a[3];
    uint64_t deadline = 0;
    struct timespec t;

    if (timeout) {
        libc_in(&t, timeout, sizeof t, site);
        deadline = sync_ns(&t);
        if (!absolute)
            deadline += sync_now();
    }
    return result(sync_futex_wait((uint32_t *)a[0], (uint32_t)a[2],
                                  timeout ? &deadline : NULL, site));
}

static long futex(const long a[6], uint32_t site)
{
    int operation = (int)a[1];

    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
        return futex_wait(a, false, site);
    case FUTEX_WAKE:
        return sync_futex_wake((uint32_t *)a[0], (uint32_t)a[2], site);
    case FUTEX_WAIT_BITSET:
        if ((uint32_t)a[5] == FUTEX_BITSET_MATCH_ANY)
            return futex_wait(a, true, site);
        break;
    case FUTEX_WAKE_BITSET:
        if ((uint32_t)a[5] == FUTEX_BITSET_MATCH_ANY)
            return sync_futex_wake((uint32_t *)a[0], (uint32_t)a[2], site);
        break;
    default:
        break;
    }
    refuse_futex(operation, site);
}

/* ---- By number ---- */

static _Noreturn void refuse(long number, uint32_t site)
{
    switch (number) {
#define SYSCALL(name)                                                          \
    case SYS_##name:                                                           \
        rt_fail(FAIL_UNSUPPORTED, site,                                        \
                "syscall(SYS_" #name "): Fencer cannot run it");
#include "libc/libc_syscalls.def"
#undef SYSCALL
    default:
        rt_fail(FAIL_UNSUPPORTED, site, "syscall(%d): Fencer cannot run it",
                (int)number);
    }
}

/* The kernel says how many bytes it wrote. */
static long get_affinity(const long a[6])
{
    int error = __fencer_sched_getaffinity((pid_t)a[0], (size_t)a[1],
                                           (cpu_set_t *)a[2]);

    return error ? error : (long)sizeof(long);
}

/* CALL(name, value): system call number SYS_name returns that. */
#define CALLS(CALL)                                                            \
    CALL(getpid, __fencer_getpid())                                            \
    CALL(getppid, __fencer_getppid())                                          \
    CALL(getuid, getuid())                                                     \
    CALL(geteuid, geteuid())                                                   \
    CALL(getgid, getgid())                                                     \
    CALL(getegid, getegid())                                                   \
    CALL(getcpu, __fencer_getcpu((unsigned *)a[0], (unsigned *)a[1]))          \
    CALL(mmap, __fencer_mmap((void *)a[0], (size_t)a[1], (int)a[2], (int)a[3], \
                             (int)a[4], (off_t)a[5]))                          \
    CALL(munmap, __fencer_munmap((void *)a[0], (size_t)a[1]))                  \
    CALL(stat, __fencer_stat((const char *)a[0], (struct stat *)a[1]))         \
    CALL(lstat, __fencer_lstat((const char *)a[0], (struct stat *)a[1]))       \
    CALL(prctl, __fencer_prctl((int)a[0], a[1], a[2], a[3], a[4]))             \
    CALL(time, __fencer_time((time_t *)a[0]))                                  \
    CALL(uname, __fencer_uname((struct utsname *)a[0]))                        \
    CALL(clock_getres,                                                         \
         __fencer_clock_getres((clockid_t)a[0], (struct timespec *)a[1]))      \
    CALL(sched_setaffinity,                                                    \
         __fencer_sched_setaffinity((pid_t)a[0], (size_t)a[1],                 \
                                    (const cpu_set_t *)a[2]))                  \
    CALL(sched_getaffinity, get_affinity(a))                                   \
    CALL(pause, __fencer_pause())                                              \
    CALL(gettid, __fencer_gettid())                                            \
    CALL(sched_yield, __fencer_sched_yield())                                  \
    CALL(futex, futex(a, site))                                                \
    CALL(membarrier, libc_membarrier((int)a[0], (unsigned)a[1], site))         \
    CALL(getrandom,                                                            \
         __fencer_getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]))       \
    CALL(clock_gettime,                                                        \
         __fencer_clock_gettime((clockid_t)a[0], (struct timespec *)a[1]))     \
    CALL(gettimeofday,                                                         \
         __fencer_gettimeofday((struct timeval *)a[0], (void *)a[1]))          \
    CALL(nanosleep, __fencer_nanosleep((const struct timespec *)a[0],          \
                                       (struct timespec *)a[1]))               \
    CALL(read, __fencer_read((int)a[0], (void *)a[1], (size_t)a[2]))           \
    CALL(write, __fencer_write((int)a[0], (const void *)a[1], (size_t)a[2]))   \
    CALL(readv,                                                                \
         __fencer_readv((int)a[0], (const struct iovec *)a[1], (int)a[2]))     \
    CALL(writev,                                                               \
         __fencer_writev((int)a[0], (const struct iovec *)a[1], (int)a[2]))    \
    CALL(close, __fencer_close((int)a[0]))                                     \
    CALL(dup2, __fencer_dup2((int)a[0], (int)a[1]))                            \
    CALL(dup3, __fencer_dup3((int)a[0], (int)a[1], (int)a[2]))                 \
    CALL(poll, __fencer_poll((struct pollfd *)a[0], (nfds_t)a[1], (int)a[2]))  \
    CALL(epoll_wait,                                                           \
         __fencer_epoll_wait((int)a[0], (struct epoll_event *)a[1], (int)a[2], \
                             (int)a[3]))                                       \
    CALL(flock, __fencer_flock((int)a[0], (int)a[1]))                          \
    CALL(kill, __fencer_kill((pid_t)a[0], (int)a[1]))                          \
    CALL(tgkill, __fencer_tgkill((pid_t)a[0], (pid_t)a[1], (int)a[2]))         \
    CALL(exit_group, (__fencer__exit((int)a[0]), 0))

static long by_number(long number, const long a[6], uint32_t site)
{
    __fencer_site = site; /* for the models that this calls */
    switch (number) {
#define CALL(name, value)                                                      \
    case SYS_##name:                                                           \
        return (long)(value);
        CALLS(CALL)
#undef CALL
    default:
        refuse(number, site);
    }
}

MODEL(long, syscall, (long number, ...))
{
    uint32_t site = rt_take_site_known();
    long a[6];
    va_list list;

    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    return by_number(number, a, site);
}
