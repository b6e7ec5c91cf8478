/* SPDX-License-Identifier: MIT
 *
 * syscall(): the few numbers that programs use to get past the C library.
 * Futexes are modelled, since locks are built from them; numbers that nobody
 * knows are refused, because any of them might wait or make a thread.
 */
#include "libc/libc.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sync/sync.h"

MODEL_OF(getpid)
MODEL_OF(gettid)
MODEL_OF(getppid)
MODEL_OF(write)
MODEL_OF(read)
MODEL_OF(getrandom)
MODEL_OF(clock_gettime)
MODEL_OF(tgkill)
_Noreturn void __fencer__exit(int code);

extern uint32_t __fencer_site;

static long fail(int number)
{
    errno = number;
    return -1;
}

/* ---- Futexes ---- */

static uint64_t ns_of(const struct timespec *t, uint32_t site)
{
    struct timespec copy;

    libc_in(&copy, t, sizeof copy, site);
    return (uint64_t)copy.tv_sec * 1000000000u + (uint64_t)copy.tv_nsec;
}

/* The kernel compares and queues in one step, and so do we: nobody runs
 * between the look at the word and the block. */
static long futex_wait(uint32_t *word, uint32_t expected,
                       const struct timespec *timeout, bool absolute,
                       uint32_t site)
{
    uint64_t deadline = 0;

    if (timeout)
        deadline = ns_of(timeout, site) + (absolute ? 0 : rt.clock_ns);
    rt_drain_and_cut();
    rt_check_range(word, sizeof *word, false, site);
    if (*(volatile uint32_t *)word != expected)
        return fail(EAGAIN);
    if (sync_block(EV_WAIT, word, timeout ? &deadline : NULL, "a futex"))
        return 0;
    return fail(ETIMEDOUT);
}

static struct thread *waiter(const void *word, uint32_t skip)
{
    for (uint32_t i = 0; i < rt.thread_count; i++) {
        struct thread *t = &rt.threads[i];

        if (t->state == THREAD_BLOCKED && t->blocked_on == word &&
            t->blocked_kind == EV_WAIT && !skip--)
            return t;
    }
    return NULL;
}

/* Which of them wake is the scheduler's choice. */
static long futex_wake(const uint32_t *word, uint32_t count, uint32_t site)
{
    long woken = 0;

    rt_check_range(word, sizeof *word, false, site);
    while (woken < (long)count) {
        uint32_t waiting = 0;

        while (waiter(word, waiting))
            waiting++;
        if (!waiting)
            break;
        rt_wake(waiter(word, waiting > 1 ? rt_choose(waiting) : 0));
        woken++;
    }
    return woken;
}

static long futex(const long a[6], uint32_t site)
{
    uint32_t *word = (uint32_t *)a[0];
    const struct timespec *timeout = (const struct timespec *)a[3];

    libc_drain(site);
    switch (a[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
        return futex_wait(word, (uint32_t)a[2], timeout, false, site);
    case FUTEX_WAIT_BITSET:
        return futex_wait(word, (uint32_t)a[2], timeout, true, site);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        return futex_wake(word, (uint32_t)a[2], site);
    default:
        rt_fail(FAIL_UNSUPPORTED, site,
                "syscall(SYS_futex): operation %d has no model", (int)a[1]);
    }
}

/* ---- By number ---- */

static long by_number(long number, const long a[6], uint32_t site)
{
    __fencer_site = site; /* for the models that this calls */
    switch (number) {
    case SYS_getpid:
        return __fencer_getpid();
    case SYS_getppid:
        return __fencer_getppid();
    case SYS_gettid:
        return __fencer_gettid();
    case SYS_futex:
        return futex(a, site);
    case SYS_membarrier:
        libc_drain_known(site);
        return 0;
    case SYS_sched_yield:
        rt_drain_and_cut();
        rt_yield();
        return 0;
    case SYS_getrandom:
        return __fencer_getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
    case SYS_clock_gettime:
        return __fencer_clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
    case SYS_write:
        return __fencer_write((int)a[0], (const void *)a[1], (size_t)a[2]);
    case SYS_read:
        return __fencer_read((int)a[0], (void *)a[1], (size_t)a[2]);
    case SYS_tgkill:
        return __fencer_tgkill((pid_t)a[0], (pid_t)a[1], (int)a[2]);
    case SYS_exit_group:
        __fencer__exit((int)a[0]);
    default:
        rt_fail(FAIL_UNSUPPORTED, site, "syscall(%d): Fencer cannot run it",
                (int)number);
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
