/* SPDX-License-Identifier: MIT
 *
 * Time is virtual: every clock shows rt.clock_ns, which is 2000-01-01 00:00:00
 * UTC at the start of an execution.  It moves when a sleep ends and a little
 * with every look at a clock, so that a loop until a deadline ends; the same
 * execution sees the same times always.
 */
#include "libc/libc.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <time.h>

#include "runtime/driver.h"
#include "sync/sync.h"

#define SECOND_NS 1000000000ull
#define START_OF_2000 946684800ull /* since 1970 */

static uint64_t start_ns;

/* A program that runs without the tool starts now. */
void libc_reset_time(void)
{
    start_ns = START_OF_2000 * SECOND_NS;
    if (driver_is_standalone())
        start_ns = (uint64_t)time(NULL) * SECOND_NS;
    rt.clock_ns = start_ns;
}

/* CPU time counts from the start. */
static uint64_t used_ns(void)
{
    return sync_now() - start_ns;
}

static bool is_cpu(clockid_t which)
{
    return which == CLOCK_PROCESS_CPUTIME_ID ||
           which == CLOCK_THREAD_CPUTIME_ID || which < 0;
}

/* Negative numbers name the clocks of other threads and processes. */
static bool is_clock(clockid_t which)
{
    return which <= CLOCK_TAI && which != 10;
}

static struct timespec timespec_of(uint64_t ns)
{
    return (struct timespec){(time_t)(ns / SECOND_NS), (long)(ns % SECOND_NS)};
}

static int bad_clock(void)
{
    errno = EINVAL;
    return -1;
}

MODEL(int, clock_gettime, (clockid_t which, struct timespec *to))
{
    uint32_t site = rt_take_site_known();
    struct timespec now;

    if (!is_clock(which))
        return bad_clock();
    now = timespec_of(is_cpu(which) ? used_ns() : sync_now());
    libc_out(to, &now, sizeof now, site);
    return 0;
}

MODEL(int, clock_getres, (clockid_t which, struct timespec *to))
{
    uint32_t site = rt_take_site_known();
    struct timespec one = {0, 1};

    if (!is_clock(which))
        return bad_clock();
    if (to)
        libc_out(to, &one, sizeof one, site);
    return 0;
}

MODEL(time_t, time, (time_t *to))
{
    uint32_t site = rt_take_site_known();
    time_t now = (time_t)(sync_now() / SECOND_NS);

    if (to)
        libc_out(to, &now, sizeof now, site);
    return now;
}

MODEL(int, gettimeofday, (struct timeval *restrict to, void *restrict zone))
{
    uint32_t site = rt_take_site_known();
    struct timespec now = timespec_of(sync_now());
    struct timeval tv = {now.tv_sec, now.tv_nsec / 1000};
    struct timezone utc = {0, 0};

    libc_out(to, &tv, sizeof tv, site);
    if (zone)
        libc_out(zone, &utc, sizeof utc, site);
    return 0;
}

MODEL(int, timespec_get, (struct timespec *to, int base))
{
    uint32_t site = rt_take_site_known();
    struct timespec now = timespec_of(sync_now());

    if (base != TIME_UTC)
        return 0;
    libc_out(to, &now, sizeof now, site);
    return base;
}

HIDDEN(int, timespec_getres, (struct timespec *to, int base))
{
    if (base != TIME_UTC)
        return 0;
    __fencer_clock_getres(CLOCK_REALTIME, to);
    return base;
}

MODEL_IS(
    clock_t, clock, (void),
    (rt_take_site_known(), (clock_t)(used_ns() / (SECOND_NS / CLOCKS_PER_SEC))))

MODEL(clock_t, times, (struct tms *to))
{
    uint32_t site = rt_take_site_known();
    clock_t now = (clock_t)(used_ns() / (SECOND_NS / 100));
    struct tms used = {now, 0, 0, 0};

    if (to)
        libc_out(to, &used, sizeof used, site);
    return now;
}

MODEL(int, ftime, (struct timeb *to))
{
    uint32_t site = rt_take_site_known();
    struct timespec now = timespec_of(sync_now());
    struct timeb b;

    memset(&b, 0, sizeof b);
    b.time = now.tv_sec;
    b.millitm = (unsigned short)(now.tv_nsec / 1000000);
    libc_out(to, &b, sizeof b, site);
    return 0;
}

MODEL(int, getrusage, (__rusage_who_t who, struct rusage *to))
{
    uint32_t site = rt_take_site_known();
    struct timespec now = timespec_of(used_ns());
    struct rusage used;

    memset(&used, 0, sizeof used);
    if (who != RUSAGE_CHILDREN)
        used.ru_utime = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    libc_out(to, &used, sizeof used, site);
    return 0;
}

MODEL(int, clock_getcpuclockid, (pid_t pid, clockid_t *to))
{
    uint32_t site = rt_take_site_known();
    clockid_t which = CLOCK_PROCESS_CPUTIME_ID;

    libc_out(to, &which, sizeof which, site);
    return 0;
}

/* ---- The calendar: the real functions on private copies ---- */

static time_t calendar(struct tm *tm, time_t (*convert)(struct tm *))
{
    uint32_t site = rt_take_site_known();
    struct tm copy;
    time_t t;

    libc_in(&copy, tm, sizeof copy, site);
    t = convert(&copy);
    libc_out(tm, &copy, sizeof copy, site);
    return t;
}

MODEL_IS(time_t, mktime, (struct tm *tm), calendar(tm, mktime))
MODEL_ALSO(timelocal, mktime)
MODEL_IS(time_t, timegm, (struct tm *tm), calendar(tm, timegm))

static struct tm *broken_down(const time_t *t, struct tm *to,
                              struct tm *(*convert)(const time_t *,
                                                    struct tm *))
{
    uint32_t site = rt_take_site_known();
    struct tm tm;
    time_t when;

    libc_in(&when, t, sizeof when, site);
    if (!convert(&when, &tm))
        return NULL;
    libc_out(to, &tm, sizeof tm, site);
    return to;
}

MODEL_IS(struct tm *, gmtime_r, (const time_t *t, struct tm *to),
         broken_down(t, to, gmtime_r))
MODEL_IS(struct tm *, localtime_r, (const time_t *t, struct tm *to),
         broken_down(t, to, localtime_r))

MODEL(char *, asctime_r, (const struct tm *tm, char *to))
{
    uint32_t site = rt_take_site_known();
    char text[128];
    struct tm copy;

    libc_in(&copy, tm, sizeof copy, site);
    if (!asctime_r(&copy, text))
        return NULL;
    libc_out(to, text, strlen(text) + 1, site);
    return to;
}

MODEL(char *, ctime_r, (const time_t *t, char *to))
{
    uint32_t site = rt_take_site_known();
    char text[128];
    time_t when;

    libc_in(&when, t, sizeof when, site);
    if (!ctime_r(&when, text))
        return NULL;
    libc_out(to, text, strlen(text) + 1, site);
    return to;
}

MODEL(size_t, strftime,
      (char *to, size_t max, const char *format, const struct tm *tm))
{
    uint32_t site = libc_enter();
    struct libc_text form;
    char text[4096];
    struct tm copy;
    size_t n;

    libc_text(&form, format, SIZE_MAX, site);
    libc_in(&copy, tm, sizeof copy, site);
    n = strftime(text, max < sizeof text ? max : sizeof text, form.text, &copy);
    if (n)
        libc_out(to, text, n + 1, site);
    return n;
}

MODEL(char *, strptime, (const char *text, const char *format, struct tm *tm))
{
    uint32_t site = libc_enter();
    struct libc_text t, form;
    struct tm copy;
    char *end;

    libc_text(&t, text, SIZE_MAX, site);
    libc_text(&form, format, SIZE_MAX, site);
    libc_in(&copy, tm, sizeof copy, site);
    end = strptime(t.text, form.text, &copy);
    libc_out(tm, &copy, sizeof copy, site);
    return libc_text_at(&t, end);
}
