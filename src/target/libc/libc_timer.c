/* SPDX-License-Identifier: MIT
 *
 * Timers that are made and never armed, as libraries do; and what is asked of
 * them.  One that is armed would send a signal at some time: refused by name.
 */
#include "libc/libc.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "event/must.h"

static uintptr_t made; /* in this execution; their names are 1 to `made` */

void libc_reset_timers(void)
{
    made = 0;
}

static int fail(int number)
{
    errno = number;
    return -1;
}

static bool is_timer(timer_t t)
{
    return t && (uintptr_t)t <= made;
}

static _Noreturn void refuse_armed(const char *name, uint32_t site)
{
    rt_fail(FAIL_UNSUPPORTED, site, "%s(): Fencer cannot run an armed timer",
            name);
}

/* A time to wait that is none disarms. */
static void check_disarms(const void *when, size_t size, const char *name,
                          uint32_t site)
{
    char bytes[sizeof(struct itimerspec)];
    static const char none[sizeof bytes];

    MUST(size <= sizeof bytes);
    libc_in(bytes, when, size, site);
    if (memcmp(bytes, none, size) != 0)
        refuse_armed(name, site);
}

static void put_none(void *to, size_t size, uint32_t site)
{
    if (to)
        libc_fill(to, 0, size, site);
}

MODEL(int, timer_create,
      (clockid_t clock, struct sigevent *event, timer_t *timer))
{
    uint32_t site = rt_take_site();
    timer_t new = (timer_t)++made;

    libc_out(timer, &new, sizeof new, site);
    return 0;
}

MODEL(int, timer_settime,
      (timer_t timer, int flags, const struct itimerspec *new,
       struct itimerspec *old))
{
    uint32_t site = rt_take_site();

    if (!is_timer(timer))
        return fail(EINVAL);
    check_disarms(&new->it_value, sizeof new->it_value, "timer_settime", site);
    put_none(old, sizeof *old, site);
    return 0;
}

MODEL(int, timer_gettime, (timer_t timer, struct itimerspec *to))
{
    uint32_t site = rt_take_site();

    if (!is_timer(timer))
        return fail(EINVAL);
    put_none(to, sizeof *to, site);
    return 0;
}

MODEL_IS(int, timer_delete, (timer_t timer),
         (rt_take_site(), is_timer(timer) ? 0 : fail(EINVAL)))
MODEL_IS(int, timer_getoverrun, (timer_t timer),
         (rt_take_site(), is_timer(timer) ? 0 : fail(EINVAL)))

MODEL(int, setitimer,
      (__itimer_which_t which, const struct itimerval *new,
       struct itimerval *old))
{
    uint32_t site = rt_take_site();

    if (new)
        check_disarms(&new->it_value, sizeof new->it_value, "setitimer", site);
    put_none(old, sizeof *old, site);
    return 0;
}

MODEL(int, getitimer, (__itimer_which_t which, struct itimerval *to))
{
    put_none(to, sizeof *to, rt_take_site());
    return 0;
}

MODEL(unsigned, alarm, (unsigned seconds))
{
    uint32_t site = rt_take_site();

    if (seconds)
        refuse_armed("alarm", site);
    return 0;
}
