/* SPDX-License-Identifier: MIT
 *
 * What a program can ask about its process and machine, its options and its
 * locale.  Answers that differ from run to run are fixed; getopt starts afresh
 * in every execution.
 */
#include "libc/libc.h"

#include <errno.h>
#include <getopt.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "runtime/driver.h"
#include "sync/sync.h"

extern const struct fencer_program __fencer_program;

#define PROCESS 1000
#define HOST "fencer"

/* ---- Numbers ---- */

/* The fixed number, or the real one for a program that runs by itself. */
static pid_t number(pid_t fixed, pid_t real)
{
    rt_take_site_known_quiet();
    return driver_is_standalone() ? real : fixed;
}

MODEL_IS(pid_t, getpid, (void), number(PROCESS, getpid()))
MODEL_IS(pid_t, getppid, (void), number(PROCESS - 1, getppid()))

MODEL(pid_t, gettid, (void))
{
    pid_t thread = (pid_t)rt_self()->id;

    return number(PROCESS + thread, getpid() + thread);
}

MODEL_IS(pid_t, getpgrp, (void), number(PROCESS, getpgrp()))
MODEL_IS(pid_t, getpgid, (pid_t pid), number(PROCESS, getpgid(pid)))
MODEL_IS(pid_t, getsid, (pid_t pid), number(PROCESS, getsid(pid)))

MODEL(long, sysconf, (int name))
{
    rt_take_site_known_quiet();
    if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
        return SYNC_PROCESSORS;
    return sysconf(name);
}

/* What PTHREAD_STACK_MIN is. */
HIDDEN_IS(long, __sysconf, (int name), __fencer_sysconf(name))

/* Who sets one has a process of its own. */
MODEL(int, getrlimit, (__rlimit_resource_t resource, struct rlimit *to))
{
    uint32_t site = libc_enter();
    struct rlimit limit;
    int result = getrlimit(resource, &limit);

    if (!result)
        libc_out(to, &limit, sizeof limit, site);
    return result;
}

MODEL_ALSO(getrlimit64, getrlimit)

MODEL(int, getloadavg, (double *to, int count))
{
    uint32_t site = rt_take_site_known();
    double none[3] = {0};

    if (count > 3)
        count = 3;
    if (count > 0)
        libc_out(to, none, (size_t)count * sizeof *none, site);
    return count;
}

MODEL(int, gethostname, (char *to, size_t size))
{
    uint32_t site = rt_take_site_known();

    if (size < sizeof HOST) {
        errno = ENAMETOOLONG;
        return -1;
    }
    libc_out(to, HOST, sizeof HOST, site);
    return 0;
}

HIDDEN_IS(int, __gethostname_chk, (char *to, size_t size, size_t room),
          __fencer_gethostname(to, size < room ? size : room))

MODEL(int, uname, (struct utsname *to))
{
    uint32_t site = rt_take_site_known();
    struct utsname u;

    memset(&u, 0, sizeof u);
    strcpy(u.sysname, "Linux");
    strcpy(u.nodename, HOST);
    strcpy(u.release, "6.1.0");
    strcpy(u.version, "#1 SMP");
    strcpy(u.machine, "x86_64");
    libc_out(to, &u, sizeof u, site);
    return 0;
}

/* ---- Locale ---- */

static bool locale_set;

/* The C library keeps locales it has loaded, so going back is cheap, and no
 * process per execution is needed. */
MODEL(char *, setlocale, (int category, const char *locale))
{
    uint32_t site = libc_enter_draining();

    if (locale) {
        libc_reads_text(locale, site);
        locale_set = true;
    }
    return setlocale(category, locale);
}

/* ---- Options ---- */

static bool options_begun;

void libc_reset_process(void)
{
    if (locale_set)
        setlocale(LC_ALL, "C");
    locale_set = options_begun = false;
    optind = 1;
    opterr = 1;
    optopt = '?';
    optarg = NULL;
}

bool libc_resets(uint64_t address)
{
    return address == (uint64_t)&optind || address == (uint64_t)&opterr ||
           address == (uint64_t)&optopt || address == (uint64_t)&optarg ||
           address == (uint64_t)&errno;
}

/* glibc keeps a place inside an argument; optind 0 makes it forget that.  It
 * also sorts argv, which may be the program's own array. */
static uint32_t begin(int argc, char *const argv[])
{
    uint32_t site = libc_enter_draining();

    if (!options_begun && optind == 1)
        optind = 0;
    options_begun = true;
    rt_touch((void *)argv, (size_t)argc * sizeof *argv);
    return site;
}

MODEL(int, getopt, (int argc, char *const argv[], const char *options))
{
    begin(argc, argv);
    return getopt(argc, argv, options);
}

MODEL_ALSO(__posix_getopt, getopt)

static int get_long(int argc, char *const argv[], const char *options,
                    const struct option *longs, int *index,
                    int (*get)(int, char *const[], const char *,
                               const struct option *, int *))
{
    uint32_t site = begin(argc, argv);
    int at = -1, result;

    for (const struct option *o = longs; o && o->name; o++)
        if (o->flag)
            rt_touch(o->flag, sizeof *o->flag);
    result = get(argc, argv, options, longs, &at);
    if (index && at >= 0)
        libc_out(index, &at, sizeof at, site);
    return result;
}

MODEL_IS(int, getopt_long,
         (int argc, char *const argv[], const char *options,
          const struct option *longs, int *index),
         get_long(argc, argv, options, longs, index, getopt_long))
MODEL_IS(int, getopt_long_only,
         (int argc, char *const argv[], const char *options,
          const struct option *longs, int *index),
         get_long(argc, argv, options, longs, index, getopt_long_only))
